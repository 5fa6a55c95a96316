"""A folded boom of two flexible tubes opens on a small satellite, driven by springs in its hinges, and locks.

The hinges are tape springs: they push with 0.194 N m wherever they are, and hold with up to 6.67 N m around the open
position (the figures of GER for a MAEVA hinge). The satellite floats freely and turns the other way.
"""

import numpy as np

import flexor as fx
from flexor.mesh.generate import bar

DRIVE, HOLD, WIDTH = 0.194, 6.67, np.radians(2)  # N m, N m, rad from the open position where it holds most
FOLDED = np.radians([-90, 170])  # hinge angles at the start
TAPE = fx.expression(f"{DRIVE}*tanh(t/{WIDTH}) + {HOLD}*t/{WIDTH}*exp((1 - (t/{WIDTH})^2)/2)")


def boom(name: str) -> fx.FlexibleBody:
    """2.5 m of carbon tube, 50 mm wide."""
    tube, carbon = fx.Tube("25 mm", "1 mm"), fx.Isotropic(young="70 GPa", poisson=0.3, density=1600)
    return fx.FlexibleBody(
        name,
        mesh=bar("2.5 m", "50 mm", "50 mm", (10, 1, 1), element="beam2", section=tube, material=carbon),
        interfaces={"root": "x_min", "tip": "x_max"},
        reduction=fx.CraigBampton(modes=6),
        damping=fx.ModalDamping(0.01),
    )


inner, outer = boom("inner"), boom("outer")
satellite = fx.RigidBody("satellite", mass=120, inertia=(15, 15, 15), shapes=[fx.Box(0.6, 0.6, 0.6)])
sensor = fx.RigidBody("sensor", mass=0.5, inertia=(1e-3, 1e-3, 1e-3))
model = fx.Model(
    "two booms",
    [
        *(satellite, inner, outer, sensor),
        fx.Revolute("root", satellite.at("0.3 m", 0, 0), inner["root"], axis="z", start=FOLDED[0]),
        fx.Revolute("elbow", inner["tip"], outer["root"], axis="z", start=FOLDED[1]),
        fx.Fixed("mount", outer["tip"], sensor),
        *(fx.JointSpring(f"{hinge} spring", joint=hinge, force=TAPE, damping=2.0) for hinge in ("root", "elbow")),
    ],
)


def stored(angle: float) -> float:
    """Energy in a hinge [J], ∫ of its torque from the open position."""
    u = angle / WIDTH
    return WIDTH * (DRIVE * np.log(np.cosh(u)) + HOLD * np.exp(0.5) * (1 - np.exp(-(u**2) / 2)))


if __name__ == "__main__":
    model.check()
    run = model.dynamics(until="60 s", step="2.5 ms")
    for hinge in ("root", "elbow"):
        angle = np.degrees(run[f"{hinge}.angle"])
        locked = run.time[np.flatnonzero(np.abs(angle) > np.degrees(WIDTH))[-1]]
        print(f"{hinge} hinge locks at t = {locked:.2f} s, ends at {angle[-1]:.4f}°")
    print(f"dissipated {run['energy.dissipated'].values[-1]:.4f} J of {sum(map(stored, FOLDED)):.4f} J")
