"""Loads on a finite-element model: forces at nodes, pressure and traction on faces, gravity, centrifugal load.

A load gives the consistent nodal forces of all equations: the work of the distributed load in the elements' own
displacements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, cast

import numpy as np
from pydantic import Field

from flexor.declaration import AS_LIST, Acceleration, AngularVelocity, Declaration, Point, Vector, vector
from flexor.elements.assembly.batches import Batch, batches
from flexor.elements.assembly.massless import refuse_massless
from flexor.elements.assembly.position_function import PressureOfPosition, values_at
from flexor.elements.faces import area_vectors
from flexor.elements.lines.beam2 import Beam2
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh
from flexor.mesh.select import NodeSet, Selection

if TYPE_CHECKING:
    from flexor.elements.assembly.model import FeModel

_ZERO = (0.0, 0.0, 0.0)
_FACES = (
    "The name of a surface of the mesh; or nodes: the load acts on the outer faces that have all theirs among them."
)
_ELEMENTS = "Name of an element set, or element numbers (of concentrated masses too); all if left out."
ElementChoice = str | tuple[int, ...]


class _Load(Declaration):
    """What loads have in common."""

    noun: ClassVar[str] = "load"

    def nodal_forces(self, model: FeModel) -> np.ndarray:
        """(n,) forces of all equations [N, N m]."""
        f = np.zeros(model.dofs.n)
        self.add_to(f, model)
        return f

    def add_to(self, f: np.ndarray, model: FeModel) -> None:
        """Add the forces of all equations (n,) [N, N m]."""
        raise NotImplementedError


class PointLoad(_Load):
    """A force and a moment at a node, or shared equally by several."""

    positional: ClassVar[tuple[str, ...]] = ("at", "force")
    type: Literal["point_load"] = "point_load"
    at: Selection = Field(description="The node or nodes.")
    force: Annotated[Vector, vector("force"), AS_LIST] = Field(_ZERO, description="Total force [N].")
    moment: Annotated[Vector, vector("torque"), AS_LIST] = Field(
        _ZERO, description="Total moment [N m]; on nodes with rotations."
    )

    def add_to(self, f: np.ndarray, model: FeModel) -> None:
        nodes = self.at.nodes(model.mesh)
        for component, value in enumerate((*self.force, *self.moment)):
            if value:
                equations = model.dofs.node_dofs[nodes, component]
                for node in nodes[equations < 0][:1].tolist():
                    model.dofs.equation(node, component, model.mesh)  # says what is wrong
                f[equations] += value / len(nodes)


class Pressure(_Load):
    """A pressure on outer faces; positive pushes into the body. On a shell it pushes against its normal."""

    positional: ClassVar[tuple[str, ...]] = ("on", "pressure")
    type: Literal["pressure"] = "pressure"
    on: Selection = Field(description=_FACES)
    pressure: PressureOfPosition = Field(
        description="Pressure [Pa]; or a formula in x, y, z [m], e.g. 9810*(0.5 - z), or a Python function of them."
    )

    def add_to(self, f: np.ndarray, model: FeModel) -> None:
        # f = −∫ p n N dA
        _add_face_load(f, model, self.on, lambda x, dA: -values_at(self.pressure, x)[..., None] * dA)


class Traction(_Load):
    """A force per area of constant direction on outer faces."""

    positional: ClassVar[tuple[str, ...]] = ("on", "traction")
    type: Literal["traction"] = "traction"
    on: Selection = Field(description=_FACES)
    traction: Annotated[Vector, vector("pressure"), AS_LIST] = Field(description="Force per area [Pa].")

    def add_to(self, f: np.ndarray, model: FeModel) -> None:
        t = np.array(self.traction)
        _add_face_load(f, model, self.on, lambda _, dA: np.linalg.norm(dA, axis=2, keepdims=True) * t)


class Gravity(_Load):
    """The weight of the whole mesh, or of some of its elements."""

    positional: ClassVar[tuple[str, ...]] = ("gravity",)
    type: Literal["gravity"] = "gravity"
    gravity: Acceleration = Field((0.0, 0.0, -9.80665), description="Acceleration of free fall [m/s²].")
    elements: ElementChoice | None = Field(None, description=_ELEMENTS)

    def add_to(self, f: np.ndarray, model: FeModel) -> None:
        g, chosen = np.array(self.gravity), _numbers(model.mesh, self.elements)
        refuse_massless(model.mesh, self.type, chosen, model.options)
        _add_element_loads(
            f, model, chosen, lambda b: b.kind.body_load(b.X, b.properties, np.broadcast_to(g, (*b.nodes.shape, 3)))
        )
        for mass in model.mesh.masses:
            if chosen is None or mass.id in chosen:
                _add_at_node(f, model, mass.node, np.asarray(mass.matrix) @ [*self.gravity, 0, 0, 0])


class Centrifugal(_Load):
    """The load of a steady rotation, in the axes that turn with the body."""

    positional: ClassVar[tuple[str, ...]] = ("speed", "about")
    type: Literal["centrifugal"] = "centrifugal"
    speed: AngularVelocity = Field(description="Angular velocity [rad/s].")
    about: Point = Field(_ZERO, description="A point of the axis of rotation [m].")
    elements: ElementChoice | None = Field(None, description=_ELEMENTS)

    def add_to(self, f: np.ndarray, model: FeModel) -> None:
        w, origin, chosen = np.array(self.speed), np.array(self.about), _numbers(model.mesh, self.elements)
        refuse_massless(model.mesh, self.type, chosen, model.options)
        a = np.cross(w, np.cross(w, model.mesh.points - origin))  # ω × (ω × r), −a is the load

        def load(batch: Batch) -> np.ndarray:
            if batch.kind is Beam2:
                return -np.einsum("i,j,mijn->mn", w, w, Beam2.spin_load(batch.X - origin, batch.properties))
            return batch.kind.body_load(batch.X, batch.properties, -a[batch.nodes])

        _add_element_loads(f, model, chosen, load)
        for mass in model.mesh.masses:
            if chosen is not None and mass.id not in chosen:
                continue
            # m (a + ω × (ω × c)) and m c × a + ω × J ω, m c and J from the matrix at the node
            M = np.asarray(mass.matrix, dtype=float)
            mc, J = np.array([M[5, 1], M[3, 2], M[4, 0]]), M[3:, 3:]
            own = np.concatenate([np.cross(w, np.cross(w, mc)), np.cross(w, J @ w)])
            _add_at_node(f, model, mass.node, -(M @ [*a[mass.node], 0, 0, 0] + own))


LOADS = (PointLoad, Pressure, Traction, Gravity, Centrifugal)
Load = Annotated[PointLoad | Pressure | Traction | Gravity | Centrifugal, Field(discriminator="type")]


def loads_of(mesh: Mesh) -> tuple[Load, ...]:
    """The loads that a mesh came with."""
    return cast("tuple[Load, ...]", mesh.loads)


def load_vector(model: FeModel, loads: Sequence[Load]) -> np.ndarray:
    """Nodal forces of all loads together [N, N m]; refused if one acts on a degree of freedom that nothing holds."""
    f = np.zeros(model.dofs.n)
    for load in loads:
        load.add_to(f, model)
    for node, component in model.loose:
        if f[model.dofs.node_dofs[node, component]]:
            where = f"node {model.mesh.node_ids[node]}"
            raise ModelError(Problem(where, "it is loaded, but has neither stiffness nor mass there", "", "tie it"))
    return f


def _add_face_load(
    f: np.ndarray, model: FeModel, on: Selection, force: Callable[[np.ndarray, np.ndarray], np.ndarray]
) -> None:
    """force: from positions and directed areas (m, q, 3) at the integration points of faces to forces there."""
    for faces in _faces(model, on):
        N, dA = area_vectors(model.mesh.points[faces])
        x = np.einsum("qk,mkc->mqc", N, model.mesh.points[faces])
        # every node of a face has translations
        np.add.at(f, model.dofs.node_dofs[faces, :3], np.einsum("qk,mqc->mkc", N, force(x, dA)))


def _faces(model: FeModel, on: Selection) -> Sequence[np.ndarray]:
    """Faces of the named surface, or outer faces all of whose nodes are selected."""
    if isinstance(on, NodeSet) and on.name in model.mesh.surfaces:
        return model.mesh.surfaces[on.name]
    faces = model.skin.on(on.nodes(model.mesh))
    if not faces:
        why = "a face is loaded if all its nodes are selected"
        raise ModelError(Problem("load", "the selected nodes make up no outer face", why, "select a whole surface"))
    return faces


def _numbers(mesh: Mesh, elements: ElementChoice | None) -> frozenset[int] | None:
    """Numbers of the chosen elements and masses; None: all."""
    if not isinstance(elements, str):
        return None if elements is None else frozenset(elements)
    if elements not in mesh.element_sets:
        known = ", ".join(list(mesh.element_sets)[:12]) or "none"
        what = f"the mesh has no element set '{elements}'"
        raise ModelError(Problem("load", what, "", f"the mesh has these sets: {known}"))
    return frozenset(np.asarray(mesh.element_sets[elements]).tolist())


def _add_element_loads(
    f: np.ndarray, model: FeModel, chosen: frozenset[int] | None, load: Callable[[Batch], np.ndarray]
) -> None:
    """Add the loads of the chosen elements; load: (m, N) nodal forces of a batch of elements."""
    wanted = None if chosen is None else np.array(sorted(chosen), dtype=np.int64)
    for block in model.mesh.blocks:
        for batch in batches(model.mesh, block, model.options):
            values = load(batch)
            if wanted is not None:
                values = values * np.isin(block.ids[batch.rows], wanted)[:, None]
            np.add.at(f, model.dofs.node_dofs[batch.nodes, : batch.kind.dofs].reshape(len(values), -1), values)


def _add_at_node(f: np.ndarray, model: FeModel, node: int, wrench: np.ndarray) -> None:
    equations = model.dofs.node_dofs[node]
    f[equations[equations >= 0]] += wrench[equations >= 0]
