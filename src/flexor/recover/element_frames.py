"""Displacements of the elements of a whole mesh in their own frames, from the motion of the nodes.

The frame (x₀, R₀) of an element is that of its law (`flexor.bodies.superelement.shadow_frame`): R₀ fits the nodes best,

    max tr(R₀ᵀS),  S = Σ w_k (x_k − x₀) X_kᵀ + v_k R_k,   x₀ = Σ w_k x_k      so R₀ = U diag(1, 1, det) Vᵀ of S = U s Vᵀ

(or it is spanned by three of them), and d_k = R₀ᵀ(x_k − x₀) − X_k, ψ_k = log(R₀ᵀR_k). X_k and hence d_k, ψ_k and the
stress they cause are in the axes of the undeformed mesh, carried along by the element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from flexor.bodies.full_mesh.corotated_element import CorotatedElement, Placed
from flexor.bodies.superelement.layout import CorotatedBody
from flexor.bodies.superelement.shadow_frame import TRIANGLE, TURNING_WEIGHT, Shadow
from flexor.spatial import log_so3


@dataclass(frozen=True, eq=False)
class NodeMotion:
    """All nodes of a mesh over time, in global axes.

    x, v: (T, n, 3) positions [m] and velocities [m/s].
    turning: (n,) column of a node in R and omega, −1 where it does not turn.   R: (T, t, 3, 3);  omega: (T, t, 3) [rad/s].
    """

    x: np.ndarray
    v: np.ndarray
    turning: np.ndarray
    R: np.ndarray
    omega: np.ndarray

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, eq=False)
class Alike:
    """m elements with k nodes each and `dofs` coordinates per node, whose first coordinate has the number `first`.

    nodes: (m, k).   X: (m, k, 3) from the weighted mean.   w, v: (m, k) weights of positions and rotations.
    made: their laws.
    """

    nodes: np.ndarray
    X: np.ndarray
    w: np.ndarray
    v: np.ndarray
    made: tuple[CorotatedElement, ...]
    dofs: int
    first: int

    @property
    def size(self) -> int:
        """Coordinates of one element."""
        return self.nodes.shape[1] * self.dofs

    def some(self, which: np.ndarray) -> Alike:
        """Some of the elements."""
        made = tuple(self.made[i] for i in which)
        return Alike(self.nodes[which], self.X[which], self.w[which], self.v[which], made, self.dofs, self.first)

    def distinct(self) -> Iterator[tuple[np.ndarray, CorotatedElement]]:
        """(which, law) for every law that some of the elements share."""
        ids = np.array([id(made) for made in self.made])
        for found in np.unique(ids):
            which = np.flatnonzero(ids == found)
            yield which, self.made[which[0]]

    def frames(self, motion: NodeMotion, rows: slice | np.ndarray | int) -> tuple[np.ndarray, np.ndarray]:
        """Origins x₀ (T, m, 3) and axes R₀ (T, m, 3, 3)."""
        x = motion.x[rows][:, self.nodes]
        x0 = np.einsum("mk,tmkc->tmc", self.w, x)
        R = motion.R[rows][:, motion.turning[self.nodes]] if self.dofs == 6 else None
        shadows = [_body(made).frame for made in self.made]
        if shadows and shadows[0].method == TRIANGLE:
            return x0, _spanned(shadows, x, R)
        S = np.einsum("mk,tmki,mkj->tmij", self.w, x - x0[:, :, None], self.X, optimize=True)
        if R is not None:
            S = S + np.einsum("mk,tmkij->tmij", self.v, R)
        U, _, Vt = np.linalg.svd(S)
        U[..., 2] *= np.linalg.det(U @ Vt)[..., None]
        return x0, U @ Vt

    def displacements(self, motion: NodeMotion, rows: slice | np.ndarray | int) -> np.ndarray:
        """(T, m, size) d_k, and ψ_k of nodes that turn."""
        x0, R0 = self.frames(motion, rows)
        d = np.einsum("tmji,tmkj->tmki", R0, motion.x[rows][:, self.nodes] - x0[:, :, None]) - self.X
        if self.dofs == 6:
            R = motion.R[rows][:, motion.turning[self.nodes]]
            Q = np.einsum("tmji,tmkjl->tmkil", R0, R)
            psi = log_so3(Q.reshape(-1, 3, 3)).reshape(d.shape)
            d = np.concatenate([d, psi], axis=-1)
        return d.reshape(*d.shape[:2], self.size)


class ElementDisplacements:
    """Coordinates of a whole mesh over time: the displacements of all elements, computed when they are asked for.

    z[rows] are (T, N) values;  z.columns(c) those of some coordinates over all times.
    """

    def __init__(self, motion: NodeMotion, groups: Sequence[Alike]) -> None:
        self.motion, self.groups = motion, tuple(groups)
        ends = [group.first + len(group.nodes) * group.size for group in groups]
        self.shape = len(motion), max(ends, default=0)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: slice | np.ndarray | int) -> np.ndarray:
        if isinstance(rows, int | np.integer):
            return self[np.array([rows])][0]
        parts = [group.displacements(self.motion, rows) for group in self.groups]
        return np.concatenate([part.reshape(len(part), -1) for part in parts], axis=1)

    def columns(self, columns: np.ndarray) -> np.ndarray:
        """(T, c) of coordinates with ascending numbers."""
        found = []
        for group in self.groups:
            own = columns - group.first
            own = own[(own >= 0) & (own < len(group.nodes) * group.size)]
            if len(own):
                which, inverse = np.unique(own // group.size, return_inverse=True)
                values = group.some(which).displacements(self.motion, slice(None))
                found.append(values[:, inverse, own % group.size])
        return np.concatenate(found, axis=1) if found else np.zeros((len(self), 0))

    def strain_energy(self, rows: slice | np.ndarray | int) -> np.ndarray:
        """(T,) ½ Σ dᵀKd of all elements [J]."""
        total = np.zeros(len(self.motion.x[rows]))
        for group in self.groups:
            d = group.displacements(self.motion, rows)
            for which, made in group.distinct():
                total += 0.5 * _squares(d[:, which], _matrix(_body(made).stiffness, group))
        return total

    def kinetic_energy(self, rows: slice | np.ndarray | int) -> np.ndarray:
        """(T,) ½ Σ v̄ᵀMv̄ of all elements [J], v̄ the velocities of the nodes in the frame's axes."""
        motion = self.motion
        total = np.zeros(len(motion.x[rows]))
        for group in self.groups:
            v = motion.v[rows][:, group.nodes]
            if group.dofs == 6:  # mass of solids is the same in all directions
                _, R0 = group.frames(motion, rows)
                spin = motion.omega[rows][:, motion.turning[group.nodes]]
                v = np.concatenate([np.einsum("tmji,tmkj->tmki", R0, part) for part in (v, spin)], axis=-1)
            v = v.reshape(*v.shape[:2], group.size)
            for which, made in group.distinct():
                total += 0.5 * _squares(v[:, which], _matrix(_body(made).inertia, group))
        return total


def groups_of(placed: Sequence[Placed], kinds: Sequence[tuple[int, int]]) -> list[Alike]:
    """Elements block by block;  kinds: of every block, how many elements it has and how many coordinates a node."""
    groups, at, first = [], 0, 0
    for count, dofs in kinds:
        block = placed[at : at + count]
        at += count
        nodes = np.array([points for points, _, _ in block])
        k = nodes.shape[1]
        made = tuple(element for _, _, element in block)
        shadows = [_body(element).frame for element in made]
        X, w, B = (np.array([getattr(shadow, name) for shadow in shadows]) for name in ("X", "weights", "B"))
        v = B.reshape(-1, k, 27)[:, :, TURNING_WEIGHT]
        groups.append(Alike(nodes, X.reshape(-1, k, 3), w, v, made, dofs, first))
        first += count * groups[-1].size
    return groups


def _body(made: CorotatedElement) -> CorotatedBody:
    """What the law of an element reads."""
    return CorotatedBody(made.parameters.words)


def _spanned(shadows: Sequence[Shadow], x: np.ndarray, R: np.ndarray | None) -> np.ndarray:
    """Axes (T, m, 3, 3) through three reference points of each element.   FTG 4.1.1"""
    each = np.arange(len(shadows))
    corners = np.array([shadow.corners for shadow in shadows])
    offsets = np.array([shadow.offsets for shadow in shadows]).reshape(-1, 2, 3)
    triads = np.array([shadow.triad for shadow in shadows]).reshape(-1, 3, 3)
    first = x[:, each, corners[:, 0]]
    arms = []
    for node, offset in zip(corners[:, 1:].T, offsets.transpose(1, 0, 2), strict=True):
        reach = 0.0 if R is None else np.einsum("tmij,mj->tmi", R[:, each, node], offset)
        arms.append(x[:, each, node] + reach - first)
    e1 = arms[0] / np.linalg.norm(arms[0], axis=-1, keepdims=True)
    e3 = np.cross(arms[0], arms[1])
    e3 = e3 / np.linalg.norm(e3, axis=-1, keepdims=True)
    now = np.stack([e1, np.cross(e3, e1), e3], axis=-1)
    return np.einsum("tmik,mjk->tmij", now, triads)


def _matrix(words: np.ndarray, group: Alike) -> np.ndarray:
    """Stiffness or mass of an element in the coordinates that it has."""
    k = group.nodes.shape[1]
    wide = words.reshape(k, 6, k, 6)
    return wide[:, : group.dofs, :, : group.dofs].reshape(group.size, group.size)


def _squares(y: np.ndarray, A: np.ndarray) -> np.ndarray:
    """(T,) Σ yᵀAy of y (T, m, n)."""
    return np.einsum("tmi,tmi->t", y @ A, y)
