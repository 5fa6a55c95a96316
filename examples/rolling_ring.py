"""A ring rolls between two plates under load: once of shape functions, once as a mesh whose nodes touch one after the other.

The upper plate presses the ring with a force and drags it along, so that it rolls at half the plate's speed. The round surface of shape functions is smooth
wherever it touches. Of the mesh every node that comes into contact lifts the plate: it vibrates with the frequency with which nodes pass, and its multiples.
"""

from typing import Any

import numpy as np

import flexor as fx
from flexor.mesh.generate import ring as ring_mesh

OUTER, INNER, WIDE = 0.100, 0.092, 0.020  # m
HIGH = 2 * OUTER
NYLON = fx.Isotropic(young="3 GPa", poisson=0.35, density=1150)
DAMPING = fx.Rayleigh(20.0, 1e-4)
SPEED = 2.0  # of the upper plate [m/s]
FORCE = 60.0  # N
SPIN = SPEED / 2 / OUTER  # rad/s
RISE = 0.1  # the force rises in this time [s]


def shaped() -> fx.ShapeBody:
    """The ring in Chebyshev polynomials and eight waves, round everywhere."""
    tube = fx.HollowCylinder(INNER, OUTER, WIDE)
    return fx.ShapeBody("ring", tube, NYLON, orders=(2, 8, 2), up_to="4 kHz", damping=DAMPING, **placed())


def meshed(nodes: int = 48) -> fx.FlexibleBody:
    """The ring of solid elements, with so many of them round the circumference, in its free modes."""
    mesh = ring_mesh(OUTER, INNER, WIDE, (nodes, 1, 1), material=NYLON)
    free = fx.Modal(up_to="4 kHz")
    return fx.FlexibleBody("ring", mesh, reduction=free, formulation="floating", damping=DAMPING, **placed())


def placed() -> dict[str, Any]:
    """The ring stands on the lower plate and rolls already."""
    upright = {"axis": "x", "angle": "90 deg"}
    rolling = {"velocity": (SPEED / 2, 0, 0), "angular_velocity": (0, SPIN, 0)}
    return {"position": (0, WIDE / 2, OUTER), "orientation": upright, **rolling}


def between_plates(ring: fx.ShapeBody | fx.FlexibleBody) -> fx.Model:
    """The ring on the ground, the plate above it on a carriage that goes along at SPEED."""
    surface = ring.surface("outer", slices=2) if isinstance(ring, fx.ShapeBody) else ring.surface("outer")
    # of a mesh every node has the whole stiffness, and two of them touch side by side
    law = fx.Penalty(4e5 if isinstance(ring, fx.ShapeBody) else 2e5, damping=0.5, rest_speed=0.1)
    carriage = fx.RigidBody("carriage", 1.0, 1e-3, position=(0, 0, HIGH), velocity=(SPEED, 0, 0))
    plate = fx.RigidBody("plate", 1.0, 1e-3, position=(0, 0, HIGH), velocity=(SPEED, 0, 0))
    slide = fx.Prismatic("slide", fx.ground.at(0, 0, HIGH), carriage, axis="x")
    items = [
        ring,
        carriage,
        plate,
        slide,
        fx.Motor("drive", "slide", speed=SPEED),
        fx.Prismatic("lift", carriage, plate, axis="z"),
        fx.PointForce("load", plate, direction="z", force=fx.Ramp(0.0, -FORCE, over=RISE)),
        fx.Contact("floor", fx.ground.surface(fx.Plane(size=0.3)), surface, law, friction=0.4),
        fx.Contact("roof", plate.surface(fx.Plane(normal="-z", size=0.3)), surface, law, friction=0.4),
    ]
    return fx.Model("rolling ring", items)


def spectrum(run: fx.Run, signal: str, begin: float = 2 * RISE) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies [Hz] and amplitudes of a signal once the load rests."""
    late = run.time >= begin
    values = run[signal].values[late]
    window = np.hanning(len(values))
    amplitudes = np.abs(np.fft.rfft((values - values.mean()) * window)) / (0.5 * window.sum())
    return np.fft.rfftfreq(len(values), float(run.time[1] - run.time[0])), amplitudes


def line_at(frequency: float, spectrum: tuple[np.ndarray, np.ndarray]) -> float:
    """The largest amplitude within 10 % of a frequency."""
    f, amplitude = spectrum
    return float(amplitude[np.abs(f - frequency) <= 0.1 * frequency].max())


def passing(nodes: int) -> float:
    """The frequency with which nodes pass a plate [Hz]."""
    return nodes * SPIN / (2 * np.pi)


def roll(ring: fx.ShapeBody | fx.FlexibleBody, until: float = 0.8, step: float = 5e-4) -> fx.Run:
    return between_plates(ring).dynamics(until=until, step=step, show=False)


if __name__ == "__main__":
    for name, ring in (("shape functions", shaped()), ("mesh of 48 elements", meshed(48))):
        run = roll(ring)
        height = 1e6 * line_at(passing(48), spectrum(run, "plate.position_z"))
        force = line_at(passing(48), spectrum(run, "floor.normal_force"))
        print(
            f"{name}: at {passing(48):.1f} Hz the plate moves by {height:.4f} µm and the force on the floor by {force:.4f} N"
        )
