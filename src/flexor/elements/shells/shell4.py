"""Four-node shell with rotations about the normal (the role of FTG's FFQ4)."""

from __future__ import annotations

import numpy as np

from flexor.elements import quadrature
from flexor.elements.shells.membrane_quad import membrane_strain
from flexor.elements.shells.plate import curvature, plate_edge
from flexor.elements.shells.quad import CORNERS, EDGES, at, shapes
from flexor.elements.shells.shell import Point, Shell, Strains
from flexor.materials.laminate import ShellStiffness


class Shell4(Shell):
    """Quadrilateral of hybrid membrane and discrete Kirchhoff–Mindlin plate; thick or thin, flat or warped."""

    name = "shell4"
    n_nodes = 4
    corners = CORNERS
    center = (0.0, 0.0)
    faces = ((0, 1, 2, 3),)
    abaqus = ("S4", "S4R", "S4R5")
    nastran = ("CQUAD4", "CQUADR")
    gmsh = 3
    vtk = 9
    rule = quadrature.quadrilateral(3)

    @classmethod
    def shapes(cls, point: Point) -> tuple[np.ndarray, np.ndarray]:
        return shapes((point[0], point[1]))

    @classmethod
    def plane(cls, X: np.ndarray) -> np.ndarray:
        """The plane halfway between the diagonals; x and y turned evenly towards the two midlines, so that another
        first node turns them by 90°."""
        p, q = X[:, 2] - X[:, 0], X[:, 3] - X[:, 1]
        with np.errstate(invalid="ignore", divide="ignore"):
            a, b = _unit(p - q), _unit(p + q)
            bisector, across = _unit(a + b), _unit(a - b)
        x, y = (bisector + across) / np.sqrt(2), (bisector - across) / np.sqrt(2)
        return np.stack([x, y, np.cross(x, y)], axis=-1)

    @classmethod
    def strains(cls, xy: np.ndarray, c: ShellStiffness) -> Strains:
        membrane = membrane_strain(xy, c.A)
        edges = [plate_edge(xy, i, j, c.D, c.S) for i, j in EDGES]

        def strain(point: Point) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            xi, eta = point
            _, J, _ = at(xy, (xi, eta))
            to_plane = np.linalg.inv(J)
            gradient = to_plane @ shapes((xi, eta))[1]
            # derivatives of the functions ½ (1 − ξ²)(1 − η) … that are 1 in the middle of one edge
            xx, yy = (1 - xi * xi) / 2, (1 - eta * eta) / 2
            humps = ((-xi * (1 - eta), -xx), (yy, -eta * (1 + xi)), (-xi * (1 + eta), xx), (-yy, -eta * (1 - xi)))
            bent = curvature(gradient, [(edge, to_plane @ np.array(hump)) for edge, hump in zip(edges, humps)])
            first, second, third, fourth = (edge.shear for edge in edges)
            along_xi = (1 - eta) / 4 * first - (1 + eta) / 4 * third  # γ_ξ linear between opposite edges
            along_eta = (1 + xi) / 4 * second - (1 - xi) / 4 * fourth
            return membrane(np.array(point)), bent, to_plane @ np.stack([along_xi, along_eta], axis=1)

        return strain


def _unit(a: np.ndarray) -> np.ndarray:
    return a / np.linalg.norm(a, axis=1, keepdims=True)
