"""Small flexible bodies that several tests use."""

from __future__ import annotations

from functools import cache

import numpy as np

from flexor.mesh import Mesh
from flexor.mesh.generate import bar
from flexor.mesh.section import Rectangle
from flexor.reduce import FreeBody, Interface, from_mesh


@cache
def rod() -> Mesh:
    """A steel bar 1 × 0.1 × 0.08 m of bricks."""
    return bar(1.0, 0.1, 0.08, divisions=(12, 2, 2))


@cache
def held_rod(tie: str = "rigid") -> FreeBody:
    """The bar with an interface at each end."""
    return from_mesh(rod(), {"left": Interface("x_min", tie=tie), "right": Interface("x_max", tie=tie)})


@cache
def beams() -> Mesh:
    """A steel beam of 1 m and 20 × 10 mm along x, eight elements with rotations."""
    return bar(1.0, 0.02, 0.01, divisions=(8,), element="beam2", section=Rectangle(0.02, 0.01))


@cache
def held_beams() -> FreeBody:
    return from_mesh(beams(), {"left": "x_min", "right": "x_max"})


def hertz(squares: np.ndarray) -> np.ndarray:
    """Frequencies [Hz] of ω²."""
    return np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)
