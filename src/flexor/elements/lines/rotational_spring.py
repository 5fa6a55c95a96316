"""Spring between the rotations of two nodes.   FTG A.11"""

from __future__ import annotations

import numpy as np

from flexor.elements.element import Properties
from flexor.elements.lines.spring import Massless, spring_stiffness
from flexor.mesh.section import RotationalSpringSection

_ROTATIONS = np.array([3, 4, 5, 9, 10, 11])


class RotationalSpring(Massless):
    """Two-node spring about an axis, without mass. section: RotationalSpringSection."""

    name = "rotational_spring"
    n_nodes = 2
    dofs = 6
    vtk = 3

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        K = np.zeros((len(X), 12, 12))
        K[:, _ROTATIONS[:, None], _ROTATIONS] = spring_stiffness(cls.name, X, p, (RotationalSpringSection,))
        return K
