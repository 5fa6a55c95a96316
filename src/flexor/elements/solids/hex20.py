"""hex20: brick with twenty nodes, quadratic displacement, straight or curved edges.   FTG A.8"""

from __future__ import annotations

from flexor.elements import quadrature
from flexor.elements.solids.hex8 import Hex8
from flexor.elements.solids.isoparametric import Solid, midside_coordinates, with_midsides


class Hex20(Solid):
    """Brick, quadratic: corners as hex8, then the middles of its bottom, top and upright edges."""

    name = "hex20"
    n_nodes = 20
    edges = Hex8.edges
    corners = midside_coordinates(Hex8.corners, edges)
    faces = with_midsides(Hex8.faces, edges, first=8)
    monomials = (
        *Hex8.monomials,
        *((2, 0, 0), (0, 2, 0), (0, 0, 2), (2, 1, 0), (2, 0, 1), (1, 2, 0), (0, 2, 1), (1, 0, 2), (0, 1, 2)),
        *((2, 1, 1), (1, 2, 1), (1, 1, 2)),
    )
    stiffness_rule = quadrature.hexahedron(3)
    mass_rule = quadrature.hexahedron(3)
    stress_rule = quadrature.hexahedron(2)
    stress_monomials = Hex8.monomials
    abaqus = ("C3D20", "C3D20R")
    nastran = ("CHEXA",)
    nastran_order = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 18, 19, 12, 13, 14, 15)
    gmsh = 17
    gmsh_order = (0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15)
    vtk = 25
