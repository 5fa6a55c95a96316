"""A roller between a race and its load: pressure along the line with straight ends and with a logarithmic profile, aligned and tilted.

Slices carry what their depth asks for; in the maps they press each other down as parts of a strip on a half space. A straight roller has peaks at its
ends, Lundberg's profile spreads its load evenly, and takes a tilt without an edge that is pressed more.
"""

import numpy as np

import flexor as fx

RADIUS, LENGTH, LOAD, TILT = 0.010, 0.016, 5e3, 2e-4  # m, N, rad
LINE = fx.HertzLine("steel", LENGTH, slices=24, damping=1.0)
STRAIGHT = fx.Cylinder(RADIUS, LENGTH, axis="x")
CROWNED = fx.Revolved(LINE.logarithmic_profile(RADIUS, LOAD), axis="x")
MODULUS = 210e9 / (2 * (1 - 0.3**2))
HERTZ = np.sqrt(LOAD * MODULUS / (np.pi * LENGTH * RADIUS))  # Pa, of an even line


def pressed(shape: fx.Cylinder | fx.Revolved, tilt: float = 0.0) -> fx.PressureMap:
    """The roller's pressure on a plate that is tilted about y [rad]."""
    roller = fx.RigidBody("roller", 0.04, 1e-5, position=(0, 0, RADIUS + 2e-6), shapes=[shape])
    guide = fx.Prismatic("guide", fx.ground.at(0, 0, RADIUS), roller, axis="z")
    weight = fx.PointForce("load", roller, direction="-z", force=LOAD)
    plate = fx.ground.surface(fx.Plane((-np.sin(tilt), 0, np.cos(tilt))))
    model = fx.Model("roller", [roller, guide, weight, fx.Contact("line", plate, roller, LINE)])
    run = model.dynamics(until=1e-4, step=1e-4, start="equilibrium", show=False)
    found = run.pressure_map("line", time=0, grid=(240, 61), coupled=True)
    assert isinstance(found, fx.PressureMap)  # and not at the nodes of a side that deforms
    return found


def along(found: fx.PressureMap) -> tuple[np.ndarray, np.ndarray]:
    """Place along the line [m] and the highest pressure across it [Pa]."""
    return found.s, found.pressure.max(axis=1)


if __name__ == "__main__":
    for name, shape, tilt in (
        ("straight", STRAIGHT, 0),
        ("logarithmic", CROWNED, 0),
        ("tilted", STRAIGHT, TILT),
        ("both", CROWNED, TILT),
    ):
        print(f"{name}: up to {pressed(shape, tilt).peak / 1e6:.0f} MPa; an even line has {HERTZ / 1e6:.0f} MPa")
