"""How a flexible body moves: one class per formulation, all with the same three questions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from flexor.bodies.attachment import carrying_node
from flexor.bodies.body import Parts, Start
from flexor.bodies.carried_load import floating_load_term, nodal_forces, superelement_load_term
from flexor.bodies.floating.control_point import loaded_mesh
from flexor.bodies.floating.formulation import LIGHT, Floating
from flexor.bodies.follower import Follower
from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.bodies.marker import Site
from flexor.bodies.superelement.term import superelement_parameters, superelement_term
from flexor.law import Term
from flexor.law.coordinates import Scalar
from flexor.law.record import Packed


class Realisation(Protocol):
    """A flexible body as coordinates and laws."""

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]: ...

    def parts(self, start: Start) -> Parts: ...

    def load(self, name: str, loads: Sequence[Any], factor: Any, node: int, scalar: int) -> tuple[Term, ...]: ...


class Rigid:
    """The body with its mass alone: a node at its centre of mass, which its interfaces and markers follow.

    It has the signals of the other formulations but for modes; its displacement, strain and stress are zero.
    """

    def __init__(self, body: Any) -> None:
        self.body, self.reduced = body.rigid(), body.reduced

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        return self.body.carrier(marker, p_BM)

    def parts(self, start: Start) -> Parts:
        own = self.body.parts(start)
        com, weights = self.reduced.mass_properties.com, tuple(LIGHT * weight for weight in self.body.weights)
        nodes, followers = list(own.nodes), []
        for name in self.body.marker_names:
            at, number = np.array(self.body.marker(name).at), start.node + len(nodes)
            site, follower = Site(start.node, at - com, np.eye(3)), Site(number, np.zeros(3), np.eye(3))
            followers.append(Follower("", number, start.node, site, follower, (), ()))
            nodes.append(start.at(f"{self.body.name}.{name}", at, weights=weights))
        return Parts(tuple(nodes), own.terms, followers=tuple(followers))

    def load(self, name: str, loads: Sequence[Any], factor: Any, node: int, scalar: int) -> tuple[Term, ...]:
        """Their resultant at the centre of mass."""
        model = loaded_mesh(self.reduced)
        f = nodal_forces(self.reduced, loads)
        g = model.dofs.rigid_modes(self.reduced.nodes, about=self.reduced.mass_properties.com).T @ f
        return (floating_load_term(name, node, (), g, factor),)


class Superelement:
    """Connection nodes and component modes, in a frame that follows the nodes."""

    def __init__(self, body: Any) -> None:
        self.body, self.reduced = body, body.reduced
        if not self.reduced.has_connections:
            why, fix = "it is carried by its interfaces", "name interfaces, or use formulation: floating"
            raise body.refuse("it cannot be a superelement", why, fix)

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        r = self.reduced
        size = float(np.ptp(r.nodes, axis=0).max())
        return carrying_node(r.interfaces, r.points, size, marker, p_BM, self.body.refuse)

    def parts(self, start: Start) -> Parts:
        body, reduced = self.body, self.reduced
        c = len(reduced.interfaces)
        share = np.diag(reduced.M)[: 6 * c].reshape(c, 2, 3).mean(axis=2)
        nodes = [
            start.at(f"{body.name}.{name}", point, weights=tuple(map(float, weights)))
            for name, point, weights in zip(reduced.interfaces, reduced.points, share)
        ]
        scalars = mode_scalars(body.name, reduced.size - 6 * c)
        numbers = range(start.scalar, start.scalar + len(scalars))
        element = superelement_term(
            body.name,
            range(start.node, start.node + c),
            numbers,
            self.parameters,
            reduced.mass_properties.com,
            start.X_WB,
        )
        return Parts(tuple(nodes), (element,), scalars)

    def load(self, name: str, loads: Sequence[Any], factor: Any, node: int, scalar: int) -> tuple[Term, ...]:
        """Loads on the mesh that turn with the body, times a function of time."""
        c, N = len(self.reduced.interfaces), self.reduced.size
        g = self.reduced.shapes.T @ nodal_forces(self.reduced, loads)
        nodes, scalars = range(node, node + c), range(scalar, scalar + N - 6 * c)
        return (superelement_load_term(name, nodes, scalars, self.parameters, g, factor),)

    @cached_property
    def parameters(self) -> Packed:
        reduced = self.reduced
        return superelement_parameters(
            reduced.points,
            reduced.K,
            reduced.M,
            D=reduced.D,
            inertia=reduced.nodal_inertia() if self.body.inertia == "consistent" else None,
            mass=reduced.mass_properties.mass,
            center=reduced.mass_properties.com,
            momentum=reduced.invariants.translation,
            frame=self.body.frame,
            name=self.body.name,
        )


def mode_scalars(name: str, count: int) -> tuple[Scalar, ...]:
    """Coordinates of component modes."""
    return tuple(Scalar(f"{name}.mode_{i + 1}", "") for i in range(count))


FORMULATIONS = {"superelement": Superelement, "floating": Floating, "full_mesh": FullMesh, "rigid": Rigid}
