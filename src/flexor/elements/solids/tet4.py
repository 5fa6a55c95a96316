"""tet4: tetrahedron with four nodes and constant strain.   FTG A.3

Far too stiff in bending; a mesh of it is good for volumes, masses and a first look.
"""

from __future__ import annotations

from flexor.elements import quadrature
from flexor.elements.solids.isoparametric import Solid
from flexor.mesh.cells import TETRAHEDRON


class Tet4(Solid):
    """Tetrahedron, linear displacement: node 3 is on the side of the triangle 0, 1, 2 that its normal points to."""

    name = "tet4"
    n_nodes = 4
    corners = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    edges = TETRAHEDRON
    faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
    monomials = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
    stiffness_rule = quadrature.tetrahedron(1)
    mass_rule = quadrature.tetrahedron(2)
    stress_rule = quadrature.tetrahedron(1)
    stress_monomials = ((0, 0, 0),)
    abaqus = ("C3D4",)
    nastran = ("CTETRA",)
    gmsh = 4
    vtk = 10
