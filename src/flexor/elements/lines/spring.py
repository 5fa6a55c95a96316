"""Spring between the translations of two nodes.   FTG A.11"""

from __future__ import annotations

import numpy as np

from flexor.elements.element import Element, Properties
from flexor.elements.needs import section_of
from flexor.errors import ModelError, Problem
from flexor.mesh.section import RotationalSpringSection, SpringSection


class Massless(Element):
    """An element that has neither mass nor volume."""

    @classmethod
    def mass(cls, X: np.ndarray, p: Properties, lumped: bool = False) -> np.ndarray:
        return np.zeros((len(X), cls.n_nodes * cls.dofs, cls.n_nodes * cls.dofs))

    @classmethod
    def volume(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        return np.zeros(len(X))


class Spring(Massless):
    """Two-node spring without mass; needs no rotations, so it may join nodes of solids.

    section: SpringSection. In a given direction it acts on the difference of the nodes' translations; nodes that lie
    apart across that direction then meet a couple from outside (as with CELAS), along their line they do not.
    """

    name = "spring"
    n_nodes = 2
    dofs = 3
    abaqus = ("SPRINGA", "SPRING2")
    nastran = ("CELAS1", "CELAS2")
    vtk = 3

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        return spring_stiffness(cls.name, X, p, (SpringSection,))


def spring_stiffness(
    name: str, X: np.ndarray, p: Properties, sorts: tuple[type[SpringSection | RotationalSpringSection], ...]
) -> np.ndarray:
    """(m, 6, 6) stiffness between three components at each of two nodes."""
    section = section_of(name, p, sorts)
    if section.matrix is not None:
        return np.broadcast_to(np.array(section.matrix), (len(X), 6, 6)).copy()
    along = X[:, 1] - X[:, 0] if section.direction is None else np.broadcast_to(section.direction, (len(X), 3))
    length = np.linalg.norm(along, axis=1)
    if (length <= 1e-12 * np.abs(X).max(initial=0.0)).any():
        first = int(np.argmin(length)) + 1
        raise ModelError(
            Problem(f"{name}, element {first} of its block", "its nodes coincide", "it has no direction", "give one")
        )
    n = along / length[:, None]
    k = section.stiffness * n[:, :, None] * n[:, None, :]
    return np.concatenate([np.concatenate([k, -k], axis=2), np.concatenate([-k, k], axis=2)], axis=1)
