"""tet10: tetrahedron with ten nodes, quadratic displacement, straight or curved edges.   FTG A.4"""

from __future__ import annotations

from flexor.elements import quadrature
from flexor.elements.solids.isoparametric import Solid, midside_coordinates, with_midsides
from flexor.elements.solids.tet4 import Tet4


class Tet10(Solid):
    """Tetrahedron, quadratic: corners as tet4, then the middles of its edges 01, 12, 20, 03, 13, 23."""

    name = "tet10"
    n_nodes = 10
    edges = Tet4.edges
    corners = midside_coordinates(Tet4.corners, edges)
    faces = with_midsides(Tet4.faces, edges, first=4)
    monomials = (
        *((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
        *((2, 0, 0), (0, 2, 0), (0, 0, 2), (1, 1, 0), (0, 1, 1), (1, 0, 1)),
    )
    stiffness_rule = quadrature.tetrahedron(3)  # the patch test of curved edges needs degree 3
    mass_rule = quadrature.tetrahedron(5)
    stress_rule = quadrature.tetrahedron(2)
    stress_monomials = Tet4.monomials
    abaqus = ("C3D10", "C3D10M", "C3D10T")
    nastran = ("CTETRA",)
    gmsh = 11
    gmsh_order = (0, 1, 2, 3, 4, 5, 6, 7, 9, 8)
    vtk = 24
