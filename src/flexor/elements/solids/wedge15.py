"""wedge15: triangular prism with fifteen nodes, quadratic displacement.   FTG A.6"""

from __future__ import annotations

from flexor.elements import quadrature
from flexor.elements.solids.isoparametric import Solid, midside_coordinates, with_midsides
from flexor.elements.solids.wedge6 import Wedge6


class Wedge15(Solid):
    """Wedge, quadratic: corners as wedge6, then the middles of the edges 01, 12, 20, 34, 45, 53, 03, 14, 25."""

    name = "wedge15"
    n_nodes = 15
    edges = Wedge6.edges
    corners = midside_coordinates(Wedge6.corners, edges)
    faces = with_midsides(Wedge6.faces, edges, first=6)
    monomials = (
        *Wedge6.monomials,
        *((2, 0, 0), (1, 1, 0), (0, 2, 0), (2, 0, 1), (1, 1, 1), (0, 2, 1), (0, 0, 2), (1, 0, 2), (0, 1, 2)),
    )
    stiffness_rule = quadrature.wedge(5, 3)
    mass_rule = quadrature.wedge(5, 3)
    stress_rule = quadrature.wedge(2, 2)
    stress_monomials = Wedge6.monomials
    abaqus = ("C3D15",)
    nastran = ("CPENTA",)
    nastran_order = (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 14, 9, 10, 11)
    gmsh = 18
    gmsh_order = (0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11)
    vtk = 26
    vtk_order = (0, 2, 1, 3, 5, 4, 8, 7, 6, 11, 10, 9, 12, 14, 13)
