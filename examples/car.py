"""A car on the tree solver, after Vlasenko and Kasper: 17 bodies and 20 joints, and a passenger who gets in after 2.5 s.

Each wheel turns on an arm that is hinged to the body and held by a strut, a rod in a tube with spring and damper; arm and strut close a loop. Tyres are
springs with dampers up and down, along and across. The paper does not print the data of its car: these are plausible ones of a small car.
"""

from typing import Any

import numpy as np

import flexor as fx

BODY, ARM, ROD, TUBE, WHEEL = 900.0, 12.0, 3.0, 4.0, 28.0  # kg
CORNERS = {"front left": (1.2, 0.6), "front right": (1.2, -0.6), "rear left": (-1.2, 0.6), "rear right": (-1.2, -0.6)}
HINGE, STRUT, HUB = 0.0, 0.25, 0.4  # m, outwards from the hinge of an arm
SPRING, DAMPER = 28e3, 1.8e3  # N/m, N s/m
TYRE = {"x": (20e3, 1e3), "y": (20e3, 1e3), "z": (180e3, 400.0)}  # N/m, N s/m
SEAT = (0.1, 0.35, 0.0)  # m, in the body
ENTERS, OVER, WEIGHT = 2.5, 0.1, 1000.0  # s, s, N: VK (49)
G = 9.81


def corner(name: str, place: tuple[float, float], body: fx.RigidBody) -> list[Any]:
    """Arm, strut, wheel and tyre at one corner of the body: four bodies and five joints."""
    x, y = place
    hinge, foot, hub = (np.array([x, y + np.sign(y) * out, 0.3]) for out in (HINGE, STRUT, HUB))
    top = np.array([x, y + np.sign(y) * 0.18, 0.75])
    arm = fx.RigidBody(f"{name} arm", ARM, 0.2, position=(hinge + hub) / 2)
    rod = fx.RigidBody(f"{name} rod", ROD, 0.03, position=0.75 * foot + 0.25 * top)
    tube = fx.RigidBody(f"{name} tube", TUBE, 0.04, position=0.25 * foot + 0.75 * top)
    wheel = fx.RigidBody(f"{name} wheel", WHEEL, (0.7, 1.2, 0.7), position=hub)
    slide = fx.Prismatic(f"{name} strut", rod, tube, at=foot, axis=top - foot)
    carried = BODY / 4 * G * (HUB - HINGE) / (STRUT - HINGE)  # N, by the strut as drawn
    sprung = BODY / 4 + ARM + ROD + TUBE + WHEEL
    tyre = [
        fx.GlobalSpring(
            f"{name} tyre {axis}",
            fx.ground.at(*hub),
            wheel,
            direction=axis,
            stiffness=stiffness,
            damping=damping,
            free=sprung * G / stiffness if axis == "z" else 0.0,
        )
        for axis, (stiffness, damping) in TYRE.items()
    ]
    return [
        *(arm, rod, tube, wheel),
        fx.Revolute(f"{name} hinge", body, arm, at=hinge, axis="x"),
        fx.Spherical(f"{name} foot", arm, rod, at=foot),
        slide,
        fx.Universal(f"{name} top", body, tube, at=top, axis="x", cross_axis="y"),
        fx.Revolute(f"{name} hub", arm, wheel, at=hub, axis="y"),
        fx.JointSpring(f"{name} spring", slide, stiffness=SPRING, damping=DAMPER, free=carried / SPRING),
        *tyre,
    ]


def car() -> fx.Model:
    """The car, nearly at rest as drawn, with z upwards."""
    body = fx.RigidBody("body", BODY, (300, 1100, 1200), position=(0, 0, 0.55))
    enters = fx.ramp(0, WEIGHT, over=OVER, start=ENTERS)
    passenger = fx.PointForce("passenger", body.at(*SEAT), direction="-z", force=enters)
    items = [item for name, place in CORNERS.items() for item in corner(name, place, body)]
    return fx.Model("car", [body, *items, passenger], gravity=(0, 0, -G))


if __name__ == "__main__":
    run = car().dynamics(until="6 s", step="1 ms", output="10 ms", solver="tree")
    z = run["body.position_z"]
    print(f"the body sinks by {1e3 * (z.at(2.4) - z[-1]):.1f} mm")
