"""Finite elements in large motion: each one a superelement without modes, in a frame that follows its nodes.   FTG 4

The nodal form of inertia is exact for solids, whose mass is the same in all directions. Beams and shells, whose nodes turn,
have the further terms of superelements (`flexor.reduce.nodal_inertia`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

import numpy as np
from scipy import sparse

from flexor.bodies.superelement.term import FrameKind, superelement_parameters
from flexor.elements.assembly.batches import batches
from flexor.law.record import Packed
from flexor.mesh.mesh import Block, Mesh
from flexor.reduce.invariants import Invariants, invariants
from flexor.reduce.nodal_inertia import nodal_inertia
from flexor.spatial import MassProperties, skew

KINDS = ("tet4", "tet10", "wedge6", "wedge15", "hex8", "hex20", "shell3", "shell4", "beam2")
"""Elements with stiffness and mass of their own in all directions."""
SHELLS = ("shell3", "shell4")
DRILLING = 0.01
"""Inertia that the nodes of shells get about the normal, as a share of that about the other axes."""


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class CorotatedElement:
    """An element about its own middle: parameters of its law, centre of mass [m] and diagonal of its mass (k, 6)."""

    parameters: Packed
    center: np.ndarray
    masses: np.ndarray


@dataclass(frozen=True)
class Manner:
    """How elements are computed: factors on stiffness and mass, the sort of frame, all inertia terms or the nodal form."""

    stiffness_scale: float = 1.0
    mass_scale: float = 1.0
    frame: FrameKind = "average"
    consistent: bool = True


Placed = tuple[np.ndarray, np.ndarray, CorotatedElement]
"""Points of the mesh (k,), middle of the element [m], and its law."""


def corotated_elements(mesh: Mesh, manner: Manner, damping: Callable[[Block], float]) -> list[Placed]:
    """All elements of a mesh; those that are alike share one law.   damping: time β in D = β K of a block [s]"""
    found: dict[bytes, CorotatedElement] = {}
    elements = []
    for block in mesh.blocks:
        beta = damping(block)
        for batch in batches(mesh, block):
            middle = batch.X.mean(axis=1)
            X = batch.X - middle[:, None]
            K = manner.stiffness_scale * batch.kind.stiffness(batch.X, batch.properties)
            M = manner.mass_scale * batch.kind.mass(batch.X, batch.properties)
            M = _with_drilling(M) if block.element in SHELLS else M
            for e in range(len(X)):
                key = b"".join(_digits(values) for values in (X[e], K[e], M[e], np.array([beta])))
                if key not in found:
                    alone = _alone(mesh, block, batch.rows.start + e)
                    found[key] = _corotated(alone, K[e], M[e], beta, manner)
                elements.append((batch.nodes[e], middle[e], found[key]))
    return elements


def _corotated(alone: Mesh, K: np.ndarray, M: np.ndarray, beta: float, manner: Manner) -> CorotatedElement:
    X = alone.points
    dofs = len(K) // len(X)
    K, M = (_six_rows(0.5 * (A + A.T), dofs) for A in (K, M))
    motions = np.tile(np.eye(6), (len(X), 1, 1))
    motions[:, :3, 3:] = [-skew(x) for x in X]
    rigid = motions.reshape(-1, 6)
    momentum = rigid.T @ M
    whole = MassProperties.of_matrix(momentum @ rigid)
    turning = dofs == 6
    field = _field(alone, M, rigid) if turning and manner.consistent else None
    parameters = superelement_parameters(
        X,
        K,
        M,
        D=beta * K,
        inertia=None if field is None else nodal_inertia(M, X, field),
        mass=whole.mass,
        center=whole.com,
        momentum=momentum[:3],
        frame=manner.frame,
        turning=turning,
        name=f"{alone.blocks[0].element} {alone.blocks[0].ids[0]}",
    )
    return CorotatedElement(parameters, whole.com, np.diag(M).reshape(-1, 6))


def _alone(mesh: Mesh, block: Block, e: int) -> Mesh:
    """A mesh of one element, about its middle."""

    def cut(values: T) -> T:
        own = isinstance(values, np.ndarray) and len(values) == len(block.nodes)
        return cast("T", cast("np.ndarray", values)[e : e + 1]) if own else values

    points = mesh.points[block.nodes[e]]
    nodes = np.arange(len(points))[None]
    data = {name: cut(values) for name, values in block.data.items()}
    one = replace(block, nodes=nodes, ids=block.ids[e : e + 1], orientation=cut(block.orientation), data=data)
    return replace(mesh, points=points - points.mean(axis=0), node_ids=nodes[0], blocks=(one,))


@dataclass(frozen=True, eq=False)
class _OneElement:
    """The mass of an element (`flexor.reduce.free_body.MassOnMesh`)."""

    mesh: Mesh
    nodes: np.ndarray
    owners: np.ndarray
    M_full: sparse.csc_array
    T: np.ndarray
    rigid: np.ndarray
    options: Mapping[str, object] = field(default_factory=dict)


def _field(mesh: Mesh, M: np.ndarray, rigid: np.ndarray) -> Invariants:
    """Inertia invariants of a single element whose coordinates are the motions of its nodes."""
    owners = np.argwhere(np.ones((len(mesh.points), 6), dtype=bool))
    element = _OneElement(mesh, mesh.points, owners, sparse.csc_array(M), np.eye(len(M)), rigid)
    return invariants(element, np.eye(len(M)))


def _with_drilling(M: np.ndarray) -> np.ndarray:
    """Masses (m, 6k, 6k) of shells whose nodes resist turning about the normal a little.

    A shell has no inertia there, ρt³/12 (1 − nnᵀ), so that nothing would tell the acceleration of that rotation.
    """
    m, k = len(M), M.shape[1] // 6
    blocks = M.reshape(m, k, 6, k, 6).copy()
    turning = blocks[:, :, 3:, :, 3:]
    whole = np.einsum("eaibi,cd->eacbd", turning, 0.5 * np.eye(3))  # ρt³/12
    blocks[:, :, 3:, :, 3:] += DRILLING * (whole - turning)
    return blocks.reshape(M.shape)


def _six_rows(A: np.ndarray, dofs: int) -> np.ndarray:
    """A matrix of nodes with `dofs` rows each, with six rows each."""
    k = len(A) // dofs
    wide = np.zeros((k, 6, k, 6))
    wide[:, :dofs, :, :dofs] = A.reshape(k, dofs, k, dofs)
    return wide.reshape(6 * k, 6 * k)


def _digits(values: np.ndarray) -> bytes:
    """Ten digits of the values and the largest of them, to find out what is alike."""
    size = float(np.abs(values).max(initial=0.0)) or 1.0
    rounded = np.round(values / size * 1e10).astype(np.int64)
    return rounded.tobytes() + f"{size:.9e}".encode()
