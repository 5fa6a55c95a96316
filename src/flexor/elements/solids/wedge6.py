"""wedge6: triangular prism with six nodes.   FTG A.5"""

from __future__ import annotations

from flexor.elements import quadrature
from flexor.elements.solids.isoparametric import Solid
from flexor.mesh.cells import WEDGE


class Wedge6(Solid):
    """Wedge, linear: triangle 0, 1, 2, whose normal points towards the triangle 3, 4, 5."""

    name = "wedge6"
    n_nodes = 6
    corners = ((0, 0, -1), (1, 0, -1), (0, 1, -1), (0, 0, 1), (1, 0, 1), (0, 1, 1))
    edges = WEDGE
    faces = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
    monomials = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1))
    stiffness_rule = quadrature.wedge(2, 2)
    mass_rule = quadrature.wedge(5, 2)
    stress_rule = quadrature.wedge(1, 2)
    stress_monomials = ((0, 0, 0), (0, 0, 1))
    abaqus = ("C3D6",)
    nastran = ("CPENTA",)
    gmsh = 6
    vtk = 13
    vtk_order = (0, 2, 1, 3, 5, 4)  # the normal of VTK's first triangle points outwards
