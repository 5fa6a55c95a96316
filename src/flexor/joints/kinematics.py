"""The kinematics of a joint, from its free motions alone: FTG 6.1

    P_SG = P_MG P_JT P_N … P_1 P_SJ        FTG (6.1)

Free translations ("xz") along axes of marker A come first; free rotations ("zy") follow about successive (follower) axes. From
these two words follow the pose of B in A, the coordinates that measure its variables, the rows that lock the other motions, and the
motions of a follower.

A homokinetic joint bends but does not twist: R = exp(θ) with θ perpendicular to z, the product R_z(α) R_y(β) R_y(β) R_z(−α) of
FTG (6.10); its bends are the components of θ, and have a meaning below half a turn. (FTG (6.11) prints θ_z4 = θ_z1; with successive follower axes it is the opposite, else the joint twists by 2 α.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from flexor.coordinates.measure import ANGLE, MIDDLE, TRANSLATION, VECTOR, Measure
from flexor.law.record import Packed
from flexor.spatial import Pose, about, exp_so3


@dataclass(frozen=True)
class FreeMotions:
    """Which motions a joint leaves free."""

    translations: str = ""
    rotations: str = ""
    bisecting: bool = False
    """Homokinetic: the two rotations are the bends about x and y, together without a twist about z."""
    vector: bool = False
    """The rotations are components of the rotation vector; so are those of a homokinetic joint."""

    @cached_property
    def _axes(self) -> list[int]:
        return ["xyz".index(axis) for axis in self.rotations]

    @cached_property
    def units(self) -> tuple[str, ...]:
        """Of the variables: translations, then rotations."""
        return ("m",) * len(self.translations) + ("rad",) * len(self.rotations)

    @property
    def by_vector(self) -> bool:
        """Whether the rotations are components of the rotation vector."""
        return self.vector or self.bisecting

    def pose(self, values: Sequence[float] | np.ndarray) -> Pose:
        """Pose of the frame on B in the frame on A for given variables: P_N … P_1 of FTG (6.1)."""
        q = np.asarray(values, dtype=float)
        p = np.zeros(3)
        for axis, value in zip(self.translations, q, strict=False):
            p["xyz".index(axis)] = value
        if self.by_vector:
            theta = np.zeros(3)
            theta[self._axes] = q[len(self.translations) :]
            return Pose.trusted(p, exp_so3(theta))
        R = np.eye(3)
        for i, value in zip(self._axes, q[len(self.translations) :], strict=True):
            R = R @ about(i, value)
        return Pose.trusted(p, R)

    @cached_property
    def drawn(self) -> Pose:
        """With all variables zero."""
        return self.pose((0.0,) * len(self.units))

    @cached_property
    def measures(self) -> list[Packed]:
        """What measures each variable."""
        found = [_measure(TRANSLATION, 1, "xyz".index(axis)) for axis in self.translations]
        if self.by_vector:
            found += [_measure(VECTOR, 1, axis) for axis in self._axes]
        elif len(self._axes) == 1:  # R = R_i: A_k·B_j = sin, A_j·B_j = cos
            i = self._axes[0]
            j, k = (i + 1) % 3, (i + 2) % 3
            found.append(_measure(ANGLE, 1, k, j, j))
        elif len(self._axes) == 2:
            i, j = self._axes
            k = 3 - i - j
            e = 1 if (j - i) % 3 == 1 else -1
            found += [_measure(ANGLE, e, k, j, j), _measure(ANGLE, e, i, k, i)]
        elif len(self._axes) == 3:
            i, j, k = self._axes
            e = 1 if (j - i) % 3 == 1 else -1
            found += [_measure(ANGLE, -e, j, k, k), _measure(MIDDLE, e, i, k), _measure(ANGLE, -e, i, j, i)]
        return found

    @cached_property
    def locked_translations(self) -> list[int]:
        """Axes of A along which the points do not move apart."""
        return [i for i, axis in enumerate("xyz") if axis not in self.translations]

    @cached_property
    def perpendicular_axes(self) -> list[tuple[int, int]]:
        """Pairs (i, j) with A_i ⊥ B_j.

        With R = R_i(q₁) R_j(q₂) the axis A_i is perpendicular to B_j at any q; with R = R_i(q) both other axes of A
        are perpendicular to B_i; without rotation the axes stay parallel. Of a homokinetic joint: A_i · B_j = A_j · B_i.
        """
        if self.bisecting:
            return [(0, 1)]
        if len(self._axes) == 0:
            return [(0, 1), (1, 2), (2, 0)]
        if len(self._axes) == 1:
            i = self._axes[0]
            return [((i + 1) % 3, i), ((i + 2) % 3, i)]
        return [(self._axes[0], self._axes[1])] if len(self._axes) == 2 else []

    @cached_property
    def row_names(self) -> tuple[str, ...]:
        """Names of the constraint rows, for diagnoses."""
        points = tuple(f"point {'xyz'[i]}" for i in self.locked_translations)
        return points + self.axis_row_names

    @property
    def axis_row_names(self) -> tuple[str, ...]:
        """Of the perpendicular rows."""
        if self.bisecting:
            return ("twist",)
        return tuple(f"axes {'xyz'[i]}⊥{'xyz'[j]}" for i, j in self.perpendicular_axes)

    def turnings(self, A: np.ndarray, B: np.ndarray) -> list[np.ndarray]:
        """g of each perpendicular row for axes A and B (columns): δΦ = g · (δθ_a − δθ_b)."""
        rows = [np.cross(A[:, i], B[:, j]) for i, j in self.perpendicular_axes]
        return [rows[0] - np.cross(A[:, 1], B[:, 0])] if self.bisecting else rows

    @cached_property
    def motions(self) -> tuple[tuple[bool, int], ...]:
        """Of a follower: (whether a rotation, its axis) one after the other."""
        translations = [(False, "xyz".index(axis)) for axis in self.translations]
        return tuple(translations + [(True, axis) for axis in self._axes])


def _measure(kind: int, sign: int, a: int, b: int = 0, same: int = 0) -> Packed:
    """Along axis a of A, component a of the rotation vector, or with the sine ± A_a·B_b and the cosine A_same·B_same."""
    return Measure.pack(kind=kind, n_sign=sign, n_a=a, n_b=b, c_sign=1, c_a=same, c_b=same)


@cache
def free_motions(translations: str, rotations: str, bisecting: bool = False, vector: bool = False) -> FreeMotions:
    """The free motions of these words; what follows from them is found once."""
    return FreeMotions(translations, rotations, bisecting, vector)
