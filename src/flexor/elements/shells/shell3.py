"""Three-node shell with rotations about the normal (the role of FTG's FFT3)."""

from __future__ import annotations

import numpy as np

from flexor.elements import quadrature
from flexor.elements.shells.membrane_triangle import membrane_strain
from flexor.elements.shells.plate import curvature, plate_edge
from flexor.elements.shells.shell import Point, Shell, Strains
from flexor.materials.laminate import ShellStiffness

_EDGES = ((0, 1), (1, 2), (2, 0))
_SLOPES = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])


class Shell3(Shell):
    """Triangle of Felippa's optimal membrane and discrete Kirchhoff–Mindlin plate; thick or thin."""

    name = "shell3"
    n_nodes = 3
    corners = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    center = (1 / 3, 1 / 3)
    faces = ((0, 1, 2),)
    abaqus = ("S3", "S3R", "STRI3")
    nastran = ("CTRIA3", "CTRIAR")
    gmsh = 2
    vtk = 5
    rule = quadrature.triangle(2)

    @classmethod
    def shapes(cls, point: Point) -> tuple[np.ndarray, np.ndarray]:
        return np.array([1 - point[0] - point[1], point[0], point[1]]), _SLOPES

    @classmethod
    def plane(cls, X: np.ndarray) -> np.ndarray:
        """x along the side from the first to the second node."""
        x, normal = X[:, 1] - X[:, 0], np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0])
        with np.errstate(invalid="ignore", divide="ignore"):
            x = x / np.linalg.norm(x, axis=1, keepdims=True)
            n = normal / np.linalg.norm(normal, axis=1, keepdims=True)
        return np.stack([x, np.cross(n, x), n], axis=-1)

    @classmethod
    def strains(cls, xy: np.ndarray, c: ShellStiffness) -> Strains:
        membrane = membrane_strain(xy, c.A)
        edges = [plate_edge(xy, i, j, c.D, c.S) for i, j in _EDGES]
        gradient = np.linalg.inv(_SLOPES @ xy) @ _SLOPES

        def strain(point: Point) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            area, _ = cls.shapes(point)
            humps, shear = [], np.zeros((len(xy), 2, 9))
            for edge, (i, j) in zip(edges, _EDGES):
                humps.append((edge, 4 * (area[i] * gradient[:, :, j] + area[j] * gradient[:, :, i])))  # 4 λᵢ λⱼ
                whitney = area[i] * gradient[:, :, j] - area[j] * gradient[:, :, i]  # along the edge 1/L, others 0
                shear += whitney[:, :, None] * edge.shear[:, None, :]
            return membrane(area), curvature(gradient, humps), shear

        return strain
