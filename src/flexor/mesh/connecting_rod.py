"""Mesh of a connecting rod: two eyes and a straight shank of rectangular section, joined by fillets."""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, pi, sqrt

import numpy as np

from flexor.mesh.extrude import mesh_of
from flexor.mesh.mesh import Mesh
from flexor.mesh.patch import Map, Patch, mesh_patches


@dataclass(frozen=True)
class Eye:
    """A ring about x = at: bore and outer radius [m]; divisions of the part that is not joined to the shank."""

    at: float
    bore: float
    outer: float
    divisions: int


LENGTH = 0.300
"""Distance of the bores [m]."""
THICKNESS, HEIGHT, FILLET = 0.014, 0.022, 0.025
"""Of the whole rod along z; of the shank along y; radius between eye and shank [m]."""
BIG, SMALL = Eye(0.0, 0.018, 0.030, 14), Eye(LENGTH, 0.010, 0.018, 10)
ACROSS, RADIAL, LAYERS, ROUND, ALONG = 6, 2, 2, 3, 10
"""Divisions: across the shank, through the wall of an eye, through the thickness, along a fillet, along the shank."""


def connecting_rod(element: str = "hex20") -> Mesh:
    """The rod in steel: bores along z, the big one about the origin, the small one at x = 300 mm; sets big and small."""
    plane = [*_eye(BIG), *_eye(SMALL), _shank()]
    points, nodes = mesh_patches([_drawn(patch) for patch in plane], element)
    points = np.round(points, 9)  # a nanometre: a readable file holds them exactly
    walls = {
        name: np.hypot(points[:, 0] - eye.at, points[:, 1]) - eye.bore for name, eye in (("big", BIG), ("small", SMALL))
    }
    return mesh_of(points, nodes, element, None, walls)


def straight() -> tuple[float, float]:
    """From where to where the shank has its own section [m]."""
    return BIG.at + _fillet(BIG)[0], SMALL.at - _fillet(SMALL)[0]


def _fillet(eye: Eye) -> tuple[float, float]:
    """How far along x the centre of the fillet is from that of the eye, and at which angle they touch.

    The circle touches the eye from outside and the line y = h: |c| = r + f, c_y = h + f.
    """
    high = HEIGHT / 2 + FILLET
    along = sqrt((eye.outer + FILLET) ** 2 - high**2)
    return along, atan2(high, along)


def _eye(eye: Eye) -> list[Patch]:
    """Its plane patches: the ring towards the shank, the rest of the ring, and what lies between ring and shank."""
    side = 1.0 if eye is BIG else -1.0  # the small eye is the mirror image
    along, touch = _fillet(eye)

    def placed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.stack([eye.at + side * x, side * y], axis=-1)

    def ring(start: float, end: float) -> Map:
        def position(s: np.ndarray) -> np.ndarray:
            radius, angle = eye.bore + s[..., 0] * (eye.outer - eye.bore), start + s[..., 1] * (end - start)
            return placed(radius * np.cos(angle), radius * np.sin(angle))

        return position

    def between(s: np.ndarray) -> np.ndarray:
        """Between the arc of the eye, the end of the shank and the two fillets: Coons' surface."""
        u, v = s[..., 0], s[..., 1]
        arc = eye.outer * np.stack([np.cos((2 * v - 1) * touch), np.sin((2 * v - 1) * touch)])
        end = np.stack([np.full_like(v, along), (v - 0.5) * HEIGHT])
        around = pi + touch + u * (pi / 2 - touch)  # on the fillet, from the eye to the shank
        top = np.stack([along + FILLET * np.cos(around), HEIGHT / 2 + FILLET + FILLET * np.sin(around)])
        bottom = np.stack([top[0], -top[1]])
        corner = eye.outer * np.cos(touch), eye.outer * np.sin(touch)
        flat = np.stack(
            [(1 - u) * corner[0] + u * along, (2 * v - 1) * ((1 - u) * corner[1] + u * HEIGHT / 2)]
        )  # what the two pairs of sides have in common
        return placed(*((1 - u) * arc + u * end + (1 - v) * bottom + v * top - flat))

    return [
        Patch((RADIAL, ACROSS), ring(-touch, touch)),
        Patch((RADIAL, eye.divisions // 2), ring(touch, pi)),
        Patch((RADIAL, eye.divisions // 2), ring(pi, 2 * pi - touch)),
        Patch((ROUND, ACROSS), between),
    ]


def _shank() -> Patch:
    start, end = straight()

    def position(s: np.ndarray) -> np.ndarray:
        return np.stack([start + s[..., 0] * (end - start), (s[..., 1] - 0.5) * HEIGHT], axis=-1)

    return Patch((ALONG, ACROSS), position)


def _drawn(patch: Patch) -> Patch:
    """A plane patch through the thickness."""

    def position(s: np.ndarray) -> np.ndarray:
        return np.concatenate([patch.position(s[..., :2]), (s[..., 2:] - 0.5) * THICKNESS], axis=-1)

    return Patch((*patch.divisions, LAYERS), position)
