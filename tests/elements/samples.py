"""Elements and small meshes that the tests of solids share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexor.elements import Properties
from flexor.elements.solids.isoparametric import Solid
from flexor.materials import Isotropic
from flexor.mesh import Mesh
from flexor.mesh.generate import box

MATERIAL = Isotropic(210e9, 0.3, 7850.0)
PLAIN = {"incompatible_modes": False}


def properties(material=MATERIAL, **options) -> Properties:
    return Properties(D=material.stiffness()[None], density=np.array([material.density]), options=options)


def distorted(kind: type[Solid], seed: int = 0, amount: float = 0.06, count: int = 1) -> np.ndarray:
    """(count, k, 3) elements in a general position, with curved edges where the kind has mid-side nodes."""
    rng = np.random.default_rng(seed)
    corners = np.array(kind.corners, dtype=float)
    stretch = np.array([[0.3, 0.05, -0.02], [0.0, 0.25, 0.04], [0.03, 0.0, 0.4]])
    X = corners + amount * rng.uniform(-1, 1, size=(count, *corners.shape))
    return X @ stretch.T + [0.7, -0.2, 0.4]


def linear_field(A: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Displacements u = A x + c."""
    return X @ A.T + [0.001, -0.002, 0.003]


def strain_of(A: np.ndarray) -> np.ndarray:
    return np.array([A[0, 0], A[1, 1], A[2, 2], A[0, 1] + A[1, 0], A[1, 2] + A[2, 1], A[2, 0] + A[0, 2]])


def distorted_box(element: str, seed: int = 0, material=MATERIAL) -> tuple[Mesh, np.ndarray]:
    """A box of 2 × 2 × 2 cells whose inner nodes are out of place, and the nodes on its surface."""
    mesh = box((1.0, 0.8, 0.6), (2, 2, 2), element=element, material=material)
    surface = np.unique(np.concatenate([*mesh.node_sets.values()]))
    points = mesh.points.copy()
    inner = np.setdiff1d(np.arange(len(points)), surface)
    points[inner] += 0.03 * np.random.default_rng(seed).uniform(-1, 1, size=(len(inner), 3))
    return replace(mesh, points=points), surface
