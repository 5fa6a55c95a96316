"""Shaker test of an instrument on two flexible brackets: frequency response, random vibration, and what its snubber does.

The table vibrates vertically. One bracket holds the instrument by a pin, the other by a rubber mount; a snubber stiffens with the cube of
its deflection. Small vibrations are linear, and responses and stress follow from the state at rest; at 1 g the resonance bends over.
"""

import numpy as np

import flexor as fx
from flexor.mesh.generate import box
from flexor.solve import PeriodicMotions

G = 9.81  # m/s²
LENGTH, WIDTH, HEIGHT = 0.16, 0.03, 0.004  # m, of a bracket
DENSITY = 0.01 * G**2  # (m/s²)²/Hz, of the random test: 0.01 g²/Hz from 5 to 200 Hz
OUT = "instrument.acceleration_z"


def bracket(name: str, x: float, root: str, tip: str) -> fx.FlexibleBody:
    """A steel strip along x that is clamped at its root."""
    size, corner = (LENGTH, WIDTH, HEIGHT), (x, -WIDTH / 2, -HEIGHT / 2)
    return fx.FlexibleBody(
        name,
        mesh=box(size, (16, 4, 1), at=corner, element="hex20", material=fx.Steel()),
        interfaces={"root": root, "tip": fx.Interface(tip, tie="average")},
        reduction=fx.CraigBampton(modes=4),
        damping=fx.Rayleigh(beta=2e-4),
    )


table = fx.RigidBody("table", mass=20, inertia=(1, 1, 1), shapes=[fx.Box(0.5, 0.2, 0.02, at=(0.22, 0, -0.05))])
left, right = bracket("left", 0.0, "x_min", "x_max"), bracket("right", 0.28, "x_max", "x_min")
instrument = fx.RigidBody(
    "instrument", mass=1.2, inertia=(2e-3, 3e-3, 3e-3), position=(0.22, 0, 0), shapes=[fx.Box(0.12, 0.08, 0.06)]
)
SNUBBER = 1e9  # N/m³
RUBBER = (2e5, 2e5, 1e6, 20.0, 2.0, 20.0)  # N/m, N m/rad
model = fx.Model(
    "shaker test",
    [
        *(table, left, right, instrument),
        fx.Prismatic("armature", fx.ground, table, axis="z"),
        fx.Motor("shaker", "armature", acceleration=0.0),
        fx.Fixed("left bolts", table.at(0, 0, 0), left["root"]),
        fx.Fixed("right bolts", table.at(0.44, 0, 0), right["root"]),
        fx.Revolute("pin", left["tip"], instrument.at(-0.06, 0, 0), axis="y"),
        fx.Bushing(
            "mount", right["tip"], instrument.at(0.06, 0, 0), stiffness=RUBBER, damping=[1e-4 * k for k in RUBBER]
        ),
        fx.AxialSpring("snubber", table.at(0.22, 0, -0.04), instrument, force=fx.polynomial(0, 0, 0, SNUBBER)),
    ],
)


def swept(level: float) -> PeriodicMotions:
    """Sine sweep upwards at a level [m/s²], the snubber and all."""
    return model.harmonic_balance((24, 45), {"shaker.acceleration": level}, [OUT], harmonics=5, samples=24, step=0.3)


if __name__ == "__main__":
    model.check()
    hertz = np.linspace(5, 200, 781)
    response = model.frequency_response(hertz, "shaker.acceleration", [OUT, "left.tip.acceleration_z"])
    print(response)
    random = response.random({"shaker.acceleration": DENSITY})
    print(f"random test: {random.rms[OUT] / G:.3g} g RMS on the instrument")
    vibration = model.harmonic_motion(hertz, {"shaker.acceleration": G})
    stress = vibration.stress("left")
    print(f"sine test at 1 g, no snubber: {stress.max(ties=False)}")
    tired = stress.random({"shaker.acceleration": DENSITY})
    print(f"random test: RMS von Mises {tired.max(ties=False)}")
    curve = swept(G)
    print(curve)
