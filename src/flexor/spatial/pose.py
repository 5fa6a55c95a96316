"""Poses: where a frame is and how it is turned   FTG 2.2.

`X_WB = Pose(p_WB, R_WB)` takes the coordinates of a point in B to those in W; `X_WB @ X_BC` is `X_WC`. Beside
it, the frames that joints need: a direction by name or vector, and a triad whose z axis points along it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from flexor.errors import ModelError, Problem
from flexor.spatial.rotation import cross, exp_so3, is_rotation

_NAMED = {
    sign + name: scale * np.eye(3)[i]
    for i, name in enumerate("xyz")
    for sign, scale in (("", 1.0), ("+", 1.0), ("-", -1.0))
}
_NEAR_X = 0.94  # cos 20°


@dataclass(frozen=True, eq=False)
class Pose:
    """Position and orientation of a frame; p and R may carry the same leading axes, e.g. one for time."""

    p: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Origin of the frame, shape (..., 3), in m."""
    R: np.ndarray = field(default_factory=lambda: np.eye(3))
    """Rotation matrix whose columns are the axes of the frame, shape (..., 3, 3)."""

    def __post_init__(self) -> None:
        p, R = np.array(self.p, dtype=float), np.array(self.R, dtype=float)
        if p.shape[-1:] != (3,) or R.shape[-2:] != (3, 3):
            what = f"p and R have shapes {p.shape} and {R.shape}"
            raise ModelError(Problem("pose", what, "p is a point and R a 3×3 matrix", "e.g. p: [0, 0, 0]"))
        if not is_rotation(R):
            why, fix = "its columns are not three perpendicular unit vectors", "try nearest_rotation(R)"
            raise ModelError(Problem("pose", "R is not a rotation matrix", why, fix))
        for name, array in (("p", p), ("R", R)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    @classmethod
    def from_axis(cls, axis: ArrayLike | str, point: ArrayLike = (0.0, 0.0, 0.0)) -> Pose:
        """The frame of an axis: origin at the point (m), z along the axis, x as `triad` has it."""
        return cls(np.asarray(point, dtype=float), triad(axis))

    @classmethod
    def turn(cls, angle: float, axis: ArrayLike | str, point: ArrayLike = (0.0, 0.0, 0.0)) -> Pose:
        """The motion that turns space by the angle (rad) about the axis through the point (m)."""
        point = np.asarray(point, dtype=float)
        R = exp_so3(angle * direction(axis))
        return cls(point - R @ point, R)

    @classmethod
    def from_matrix(cls, X: ArrayLike) -> Pose:
        """From the matrix [[R, p], [0, 1]], shape (..., 4, 4)   FTG (2.9)."""
        X = np.asarray(X, dtype=float)
        if X.shape[-2:] != (4, 4) or not np.allclose(X[..., 3, :], (0, 0, 0, 1), rtol=0, atol=1e-12):
            what, why = "the matrix is not a rigid motion", "it must be 4×4 with last row 0 0 0 1"
            raise ModelError(Problem("pose", what, why, "check whether it is transposed"))
        return cls(X[..., :3, 3], X[..., :3, :3])

    @property
    def matrix(self) -> np.ndarray:
        """[[R, p], [0, 1]], shape (..., 4, 4)   FTG (2.9)."""
        X = np.zeros((*np.broadcast_shapes(self.p.shape[:-1], self.R.shape[:-2]), 4, 4))
        X[..., :3, :3], X[..., :3, 3], X[..., 3, 3] = self.R, self.p, 1.0
        return X

    def __matmul__(self, other: Pose) -> Pose:
        """X_AB @ X_BC = X_AC   FTG (2.11)."""
        if not isinstance(other, Pose):
            return NotImplemented
        return Pose.trusted(self.apply(other.p), self.R @ other.R)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return np.array_equal(self.p, other.p) and np.array_equal(self.R, other.R)

    def inverse(self) -> Pose:
        """X_BA of X_AB."""
        R_BA = np.swapaxes(self.R, -1, -2)
        return Pose.trusted(-_times(R_BA, self.p), R_BA)

    @classmethod
    def each(cls, p: np.ndarray, R: np.ndarray) -> list[Pose]:
        """One pose for each point of p (n, 3) and rotation matrix of R (n, 3, 3); the matrices are not looked at."""
        p, R = np.array(p, dtype=float), np.array(R, dtype=float)
        p.setflags(write=False)
        R.setflags(write=False)
        return [cls.frozen(*each) for each in zip(p, R, strict=True)]

    @classmethod
    def frozen(cls, p: np.ndarray, R: np.ndarray) -> Pose:
        """As `trusted`, from arrays that nobody can write to already."""
        pose = object.__new__(cls)
        into = pose.__dict__
        into["p"], into["R"] = p, R
        return pose

    @classmethod
    def trusted(cls, p: np.ndarray, R: np.ndarray) -> Pose:
        """From a rotation matrix that is known to be one; it is not looked at, and the arrays are kept, not copied."""
        pose = object.__new__(cls)
        p.setflags(write=False)
        R.setflags(write=False)
        into = pose.__dict__
        into["p"], into["R"] = p, R
        return pose

    def apply(self, points: ArrayLike) -> np.ndarray:
        """The points (..., 3), given in this frame, in the outer frame: a = R ã + p   FTG (2.7)."""
        return self.rotate(points) + self.p

    def rotate(self, vectors: ArrayLike) -> np.ndarray:
        """The free vectors (..., 3), given in this frame, in the outer frame: R ã."""
        return _times(self.R, np.asarray(vectors, dtype=float))

    def isclose(self, other: Pose, tolerance: float = 1e-9) -> bool:
        """Whether no entry of p (m) or R differs by more than the tolerance."""
        same_place = np.allclose(self.p, other.p, rtol=0, atol=tolerance)
        return bool(same_place and np.allclose(self.R, other.R, rtol=0, atol=tolerance))


def stacked(arrays: Sequence[np.ndarray], *shape: int) -> np.ndarray:
    """Many arrays of the same shape in one, (n, *shape): quicker than `np.array` of them."""
    return np.concatenate(arrays).reshape(-1, *shape) if len(arrays) else np.zeros((0, *shape))


def direction(axis: ArrayLike | str, where: str = "direction") -> np.ndarray:
    """The unit vector of an axis: "x", "y", "z", "-x", … or a vector (..., 3) of any length but zero.

    `where` names the thing concerned in the error message.
    """
    example = "e.g. axis: [0, 0, 1] or axis: z"
    if isinstance(axis, str):
        if axis.strip().lower() not in _NAMED:
            why = "it must be x, y, z, -x, -y, -z or a vector"
            raise ModelError(Problem(where, f"axis {axis!r} is unknown", why, example))
        return _NAMED[axis.strip().lower()].copy()
    try:
        vector = np.asarray(axis, dtype=float)
    except (TypeError, ValueError):
        vector = np.empty(0)
    if vector.shape[-1:] != (3,) or not np.all(np.isfinite(vector)):
        raise ModelError(Problem(where, f"axis {axis!r} is not a vector", "it needs three numbers", example))
    size = np.max(np.abs(vector), axis=-1, keepdims=True)
    if not np.all(size > 0):
        raise ModelError(Problem(where, "axis is zero-length", "it needs a direction", example))
    vector = vector / size  # so that squares neither overflow nor vanish
    return vector / np.linalg.norm(vector, axis=-1, keepdims=True)


def triad(z: ArrayLike | str, x: ArrayLike | str | None = None, where: str = "direction") -> np.ndarray:
    """The rotation matrix of a right-handed frame whose z axis has the given direction.

    Its x axis is `x` made perpendicular to z; without `x` it is global x, or global y where z is within 20°
    of global x. So "z" gives the identity, and a small error in z does not make x jump except on that
    cone. z may have leading axes, shape (..., 3); the result has them too.
    """
    e_z = direction(z, where)
    if x is None:
        near_x = np.abs(e_z[..., :1]) > _NEAR_X
        e_x = np.where(near_x, _NAMED["y"], _NAMED["x"])
    else:
        e_x = direction(x, where)
    e_x = e_x - np.sum(e_x * e_z, axis=-1, keepdims=True) * e_z
    if not np.all(np.linalg.norm(e_x, axis=-1) > 1e-6):
        why = "the x axis must point to the side of it"
        raise ModelError(Problem(where, "x and z axis are parallel", why, "give another x, or leave it out"))
    e_x = direction(e_x)
    e_x = direction(e_x - np.sum(e_x * e_z, axis=-1, keepdims=True) * e_z)  # again: x may have been nearly z
    return np.stack((e_x, cross(e_z, e_x), e_z), axis=-1)


def _times(R: np.ndarray, v: np.ndarray) -> np.ndarray:
    return R @ v if v.ndim == 1 else np.einsum("...ij,...j->...i", R, v)
