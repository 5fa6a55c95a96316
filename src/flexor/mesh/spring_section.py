"""Stiffness of springs and bushings between two nodes."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator

from flexor.declaration import Declaration, Direction, RotationalStiffness, Stiffness

_Matrix = tuple[tuple[float, ...], ...]


def _symmetric(matrix: _Matrix | None) -> _Matrix | None:
    if matrix is not None:
        array = np.array([row for row in matrix if len(row) == 6])
        if array.shape != (6, 6) or not np.allclose(array, array.T, rtol=1e-6, atol=1e-9 * np.abs(array).max()):
            raise ValueError("it is no symmetric 6×6 matrix; write six rows of six numbers")
    return matrix


class BushSection(Declaration):
    """Stiffness of a bushing along and about its three axes."""

    positional: ClassVar[tuple[str, ...]] = ("translation", "rotation")
    type: Literal["bush"] = "bush"
    translation: tuple[Stiffness, Stiffness, Stiffness] = Field((0.0, 0.0, 0.0), description="Along x, y, z [N/m].")
    rotation: tuple[RotationalStiffness, RotationalStiffness, RotationalStiffness] = Field(
        (0.0, 0.0, 0.0), description="About x, y, z [N m/rad]."
    )
    matrix: _Matrix | None = Field(None, description="Full symmetric 6×6 stiffness instead [N/m, N, N m/rad].")
    location: float = Field(0.5, description="Place on the line from the first node (0) to the second (1).")
    _check = field_validator("matrix")(_symmetric)

    def stiffness(self) -> np.ndarray:
        """(6, 6) in the axes of the bushing."""
        if self.matrix is not None:
            return np.array(self.matrix)
        return np.diag([*self.translation, *self.rotation])


class SpringSection(Declaration):
    """Stiffness of a spring between the translations of two nodes."""

    positional: ClassVar[tuple[str, ...]] = ("stiffness", "direction")
    type: Literal["spring"] = "spring"
    stiffness: Stiffness = Field(0.0, description="Stiffness [N/m].")
    direction: Direction | None = Field(None, description="Where it acts, global axes; from node to node if left out.")
    matrix: _Matrix | None = Field(None, description="6×6 stiffness of both nodes' translations instead [N/m].")
    _check = field_validator("matrix")(_symmetric)


class RotationalSpringSection(Declaration):
    """Stiffness of a spring between the rotations of two nodes."""

    positional: ClassVar[tuple[str, ...]] = ("stiffness", "direction")
    type: Literal["rotational_spring"] = "rotational_spring"
    stiffness: RotationalStiffness = Field(0.0, description="Stiffness [N m/rad].")
    direction: Direction | None = Field(None, description="Its axis, global axes; from node to node if left out.")
    matrix: _Matrix | None = Field(None, description="6×6 stiffness of both nodes' rotations instead [N m/rad].")
    _check = field_validator("matrix")(_symmetric)
