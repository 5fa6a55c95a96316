"""Beam sections, axes and cantilevers, as the tests of beams share them."""

from __future__ import annotations

import numpy as np

from flexor.mesh.section import Circle, GeneralSection, IProfile, Rectangle, Tube
from flexor.spatial import exp_so3
from tests.elements.structures import STEEL, line, mesh_of

ALL = (0, 1, 2, 3, 4, 5)
E, G = STEEL.young, STEEL.shear
CROOKED = GeneralSection(
    3e-4,
    Iy=4e-9,
    Iz=9e-9,
    J=2e-9,
    Iyz=-3e-9,
    shear_factors=(0.4, 0.6),
    shear_center=(0.004, -0.007),
    line_mass=0.3,
    line_inertia=1e-5,
)
SECTIONS = [Rectangle(0.01, 0.03), Circle(0.01), Tube(0.02, 0.003), IProfile(0.03, 0.05, 0.002, 0.004), CROOKED]
AXES = exp_so3(np.array([0.3, 1.2, -0.5]))
OFFSETS = np.array([[[0.02, -0.01, 0.03], [-0.01, 0.04, 0.0]]])


def cantilever(section, n: int = 1, length: float = 0.8, material=STEEL, **more):
    """Along x, section axes along y and z."""
    points, nodes = line((0, 0, 0), (length, 0, 0), n)
    axes = np.tile(np.eye(3), (n, 1, 1))
    return mesh_of("beam2", points, nodes, section, material, orientation=axes, **more)
