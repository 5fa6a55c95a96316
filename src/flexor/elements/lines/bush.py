"""Bushing: six springs at one place, tied to two nodes by rigid arms.   FTG A.10"""

from __future__ import annotations

import numpy as np

from flexor.elements.axes import matrix_to_global
from flexor.elements.element import Properties
from flexor.elements.lines.spring import Massless
from flexor.elements.needs import section_of
from flexor.mesh.section import BushSection
from flexor.spatial import shift_matrix


class Bush(Massless):
    """Two-node generalised spring without mass; its nodes may coincide.

    section: BushSection. orientation: the axes of the bushing as columns (global axes without it).
    data: `location` (m, 3) its place [m], in place of the section's.
    """

    name = "bush"
    n_nodes = 2
    dofs = 6
    nastran = ("CBUSH",)
    vtk = 3

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        m = len(X)
        section = section_of(cls.name, p, (BushSection,))
        place = X[:, 0] + section.location * (X[:, 1] - X[:, 0])
        place = np.asarray(p.data.get("location", place), dtype=float)
        k = np.broadcast_to(section.stiffness(), (m, 6, 6))
        if p.orientation is not None:
            k = matrix_to_global(np.ascontiguousarray(k), p.orientation)
        G = np.concatenate([-shift_matrix(place - X[:, 0]), shift_matrix(place - X[:, 1])], axis=-1)
        return G.swapaxes(1, 2) @ k @ G  # FTG (A.23) with both ends on arms
