"""The kinematics of a joint, from its free motions alone: FTG 6.1

    P_SG = P_MG P_JT P_N … P_1 P_SJ        FTG (6.1)

Free translations ("xz") along axes of marker A come first; free rotations ("zy") follow about successive (follower) axes. From
these two words follow the pose of B in A, the coordinates that measure its variables, the rows that lock the other motions, and the
motions of a follower.

A homokinetic joint bends but does not twist: R = exp(θ) with θ perpendicular to z, the product R_z(α) R_y(β) R_y(β) R_z(−α) of
FTG (6.10). (FTG (6.11) prints θ_z4 = θ_z1; with successive follower axes it is the opposite, else the joint twists by 2 α.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexor.coordinates.measure import ANGLE, MIDDLE, TRANSLATION, Measure
from flexor.law.record import Packed
from flexor.spatial import Pose, about, skew


@dataclass(frozen=True)
class FreeMotions:
    """Which motions a joint leaves free."""

    translations: str = ""
    rotations: str = ""
    bisecting: bool = False
    """Homokinetic: the two rotations are the bends about x and y, together without a twist about z."""

    @cached_property
    def _axes(self) -> list[int]:
        return ["xyz".index(axis) for axis in self.rotations]

    @property
    def units(self) -> tuple[str, ...]:
        """Of the variables: translations, then rotations."""
        return ("m",) * len(self.translations) + ("rad",) * len(self.rotations)

    def pose(self, values: Sequence[float] | np.ndarray) -> Pose:
        """Pose of the frame on B in the frame on A for given variables: P_N … P_1 of FTG (6.1)."""
        q = np.asarray(values, dtype=float)
        p = np.zeros(3)
        for axis, value in zip(self.translations, q, strict=False):
            p["xyz".index(axis)] = value
        if self.bisecting:
            return Pose.trusted(p, _bent(*q[len(self.translations) :]))
        R = np.eye(3)
        for i, value in zip(self._axes, q[len(self.translations) :], strict=True):
            R = R @ about(i, value)
        return Pose.trusted(p, R)

    @property
    def measures(self) -> list[Packed]:
        """What measures each variable."""
        found = [_measure(TRANSLATION, 1, "xyz".index(axis)) for axis in self.translations]
        if self.bisecting:  # where B_z points, seen along x and along y
            found += [_measure(ANGLE, -1, 1, 2, 2), _measure(ANGLE, 1, 0, 2, 2)]
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

    @property
    def locked_translations(self) -> list[int]:
        """Axes of A along which the points do not move apart."""
        return [i for i, axis in enumerate("xyz") if axis not in self.translations]

    @property
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

    @property
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

    @property
    def motions(self) -> tuple[tuple[bool, int], ...]:
        """Of a follower: (whether a rotation, its axis) one after the other."""
        translations = [(False, "xyz".index(axis)) for axis in self.translations]
        return tuple(translations + [(True, axis) for axis in self._axes])


def _bent(about_x: float, about_y: float) -> np.ndarray:
    """The turn without twist that takes z to where it is seen bent by these angles about x and about y, below 90°."""
    z = np.array([np.tan(about_y), -np.tan(about_x), 1.0])
    z /= np.linalg.norm(z)
    axis = np.array([-z[1], z[0], 0.0])  # e_z × z
    S = skew(axis)
    return np.eye(3) + S + S @ S / (1.0 + z[2])


def _measure(kind: int, sign: int, a: int, b: int = 0, same: int = 0) -> Packed:
    """Along axis a of A, or with the sine ± A_a·B_b and the cosine A_same·B_same."""
    return Measure.pack(kind=kind, n_sign=sign, n_a=a, n_b=b, c_sign=1, c_a=same, c_b=same)
