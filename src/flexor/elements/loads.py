"""Loads on a finite-element model: forces at nodes, pressure and traction on faces, gravity, centrifugal load.

A load gives the consistent nodal forces of all equations: the work of the distributed load in the elements' own
displacements.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Acceleration, AngularVelocity, Declaration, Point, quantity, vector
from flexor.elements.batches import Batch, batches
from flexor.elements.beam2 import Beam2
from flexor.elements.faces import area_vectors, faces_on
from flexor.errors import ModelError, Problem
from flexor.mesh.select import Selection

if TYPE_CHECKING:
    from flexor.elements.assembly import FeModel

_ZERO = (0.0, 0.0, 0.0)


class PointLoad(Declaration):
    """A force and a moment at a node, or shared equally by several."""

    noun: ClassVar[str] = "load"
    positional: ClassVar[tuple[str, ...]] = ("at", "force")
    type: Literal["point_load"] = "point_load"
    at: Selection = Field(description="The node or nodes.")
    force: vector("force") = Field(_ZERO, description="Total force [N].")  # type: ignore[valid-type]
    moment: vector("torque") = Field(_ZERO, description="Total moment [N m]; on nodes with rotations.")  # type: ignore[valid-type]

    def nodal_forces(self, model: FeModel) -> np.ndarray:
        """(n,) forces of all equations [N, N m]."""
        f = np.zeros(model.dofs.n)
        nodes = self.at.nodes(model.mesh)
        for component, value in enumerate((*self.force, *self.moment)):
            if value:
                equations = [model.dofs.equation(node, component, model.mesh) for node in nodes]
                f[equations] = value / len(nodes)
        return f


class Pressure(Declaration):
    """A pressure on outer faces; positive pushes into the body. On a shell it pushes against its normal."""

    noun: ClassVar[str] = "load"
    positional: ClassVar[tuple[str, ...]] = ("on", "pressure")
    type: Literal["pressure"] = "pressure"
    on: Selection = Field(description="Nodes; the load acts on the outer faces that have all their nodes among them.")
    pressure: quantity("pressure") = Field(description="Pressure [Pa].")  # type: ignore[valid-type]

    def nodal_forces(self, model: FeModel) -> np.ndarray:
        """(n,) forces of all equations [N, N m]."""
        return _face_load(model, self.on, lambda dA: -self.pressure * dA)  # f = −∫ p n N dA


class Traction(Declaration):
    """A force per area of constant direction on outer faces."""

    noun: ClassVar[str] = "load"
    positional: ClassVar[tuple[str, ...]] = ("on", "traction")
    type: Literal["traction"] = "traction"
    on: Selection = Field(description="Nodes; the load acts on the outer faces that have all their nodes among them.")
    traction: vector("pressure") = Field(description="Force per area [Pa].")  # type: ignore[valid-type]

    def nodal_forces(self, model: FeModel) -> np.ndarray:
        """(n,) forces of all equations [N, N m]."""
        t = np.array(self.traction)
        return _face_load(model, self.on, lambda dA: np.linalg.norm(dA, axis=2, keepdims=True) * t)


class Gravity(Declaration):
    """The weight of the whole mesh."""

    noun: ClassVar[str] = "load"
    positional: ClassVar[tuple[str, ...]] = ("gravity",)
    type: Literal["gravity"] = "gravity"
    gravity: Acceleration = Field((0.0, 0.0, -9.80665), description="Acceleration of free fall [m/s²].")

    def nodal_forces(self, model: FeModel) -> np.ndarray:
        """(n,) forces of all equations [N, N m]."""
        g = np.array(self.gravity)
        f = _element_loads(
            model, lambda b: b.kind.body_load(b.X, b.properties, np.broadcast_to(g, (*b.nodes.shape, 3)))
        )
        for mass in model.mesh.masses:
            _add_at_node(f, model, mass.node, np.asarray(mass.matrix) @ [*self.gravity, 0, 0, 0])
        return f


class Centrifugal(Declaration):
    """The load of a steady rotation, in the axes that turn with the body."""

    noun: ClassVar[str] = "load"
    positional: ClassVar[tuple[str, ...]] = ("speed", "about")
    type: Literal["centrifugal"] = "centrifugal"
    speed: AngularVelocity = Field(description="Angular velocity [rad/s].")
    about: Point = Field(_ZERO, description="A point of the axis of rotation [m].")

    def nodal_forces(self, model: FeModel) -> np.ndarray:
        """(n,) forces of all equations [N, N m]."""
        w, origin = np.array(self.speed), np.array(self.about)
        a = np.cross(w, np.cross(w, model.mesh.points - origin))  # ω × (ω × r), −a is the load

        def load(batch: Batch) -> np.ndarray:
            if batch.kind is Beam2:
                return -np.einsum("i,j,mijn->mn", w, w, Beam2.spin_load(batch.X - origin, batch.properties))
            return batch.kind.body_load(batch.X, batch.properties, -a[batch.nodes])

        f = _element_loads(model, load)
        for mass in model.mesh.masses:
            # m (a + ω × (ω × c)) and m c × a + ω × J ω, m c and J from the matrix at the node
            M = np.asarray(mass.matrix, dtype=float)
            mc, J = np.array([M[5, 1], M[3, 2], M[4, 0]]), M[3:, 3:]
            own = np.concatenate([np.cross(w, np.cross(w, mc)), np.cross(w, J @ w)])
            _add_at_node(f, model, mass.node, -(M @ [*a[mass.node], 0, 0, 0] + own))
        return f


LOADS = (PointLoad, Pressure, Traction, Gravity, Centrifugal)
Load = Annotated[PointLoad | Pressure | Traction | Gravity | Centrifugal, Field(discriminator="type")]


def load_vector(model: FeModel, loads: Sequence[Load]) -> np.ndarray:
    """Nodal forces of all loads together [N, N m]; refused if one acts on a degree of freedom that nothing holds."""
    f = np.zeros(model.dofs.n)
    for load in loads:
        f += load.nodal_forces(model)
    for node, component in model.loose:
        if f[model.dofs.node_dofs[node, component]]:
            where = f"node {model.mesh.node_ids[node]}"
            raise ModelError(Problem(where, "it is loaded, but has neither stiffness nor mass there", "", "tie it"))
    return f


def _face_load(model: FeModel, on: Selection, force: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    faces = faces_on(model.mesh, on.nodes(model.mesh))
    if not faces:
        why = "a face is loaded if all its nodes are selected"
        raise ModelError(Problem("load", "the selected nodes make up no outer face", why, "select a whole surface"))
    f = np.zeros((len(model.mesh.points), 3))
    for group in faces:
        N, dA = area_vectors(model.mesh.points[group])
        np.add.at(f, group, np.einsum("qk,mqc->mkc", N, force(dA)))
    return _translations(model, f)


def _element_loads(model: FeModel, load: Callable[[Batch], np.ndarray]) -> np.ndarray:
    """Sum over all elements; load: (m, N) nodal forces of a batch of elements."""
    f = np.zeros(model.dofs.n)
    for block in model.mesh.blocks:
        for batch in batches(model.mesh, block, model.options):
            values = load(batch)
            np.add.at(f, model.dofs.node_dofs[batch.nodes, : batch.kind.dofs].reshape(len(values), -1), values)
    return f


def _translations(model: FeModel, forces: np.ndarray) -> np.ndarray:
    f = np.zeros(model.dofs.n)
    equations = model.dofs.node_dofs[:, :3]
    f[equations[equations >= 0]] = forces[equations >= 0]
    return f


def _add_at_node(f: np.ndarray, model: FeModel, node: int, wrench: np.ndarray) -> None:
    equations = model.dofs.node_dofs[node]
    f[equations[equations >= 0]] += wrench[equations >= 0]
