"""A flexible body as a superelement: connection nodes and component modes, in a frame that follows the nodes.   FTG 4"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flexor.bodies.attachment import carrying_node
from flexor.bodies.body import Parts, Start
from flexor.bodies.carried_load import nodal_forces, superelement_load_term
from flexor.bodies.floating.loaded_mesh import LoadedMesh
from flexor.bodies.strain_reading import corotated_strain_term
from flexor.bodies.superelement.term import superelement_parameters, superelement_term
from flexor.elements.assembly.loads import Load
from flexor.functions import Function
from flexor.law import Term
from flexor.law.coordinates import mode_scalars
from flexor.law.record import Packed
from flexor.reduce.reduced import ReducedBody

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


class Superelement:
    """Its nodes are its interfaces; a marker elsewhere becomes one of them when the mesh is reduced."""

    flexible: ClassVar = True
    prefers_elimination: ClassVar = True
    may_follow: ClassVar = True
    at_interfaces_alone: ClassVar = True
    without_effect: ClassVar[Mapping[str, tuple[str, str]]] = {
        "stiffening": (
            "a superelement does not stiffen",
            "use formulation: floating, or several bodies joined by fixed joints",
        )
    }

    @staticmethod
    def make(body: FlexibleBody) -> ReducedBody:
        return body.reduced

    def __init__(self, body: FlexibleBody, reduced: ReducedBody) -> None:
        self.body, self.reduced = body, reduced
        if not reduced.interfaces:
            why, fix = "it is carried by its interfaces", "name interfaces, or use formulation: floating"
            raise body.refuse("it cannot be a superelement", why, fix)
        if not reduced.has_connections:
            why = "modes of the free body have no interfaces, which carry a superelement"
            fix = "use reduction: craig_bampton, or formulation: floating"
            raise body.refuse("it was reduced to free modes (modal) and cannot be a superelement", why, fix)

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

    def load(
        self, name: str, loads: Sequence[Load], factor: Function | None, node: int, scalar: int
    ) -> tuple[Term, ...]:
        """Loads on the mesh that turn with the body, times a function of time."""
        c, N = len(self.reduced.interfaces), self.reduced.size
        g = self.reduced.shapes.T @ nodal_forces(self.reduced, loads)
        nodes, scalars = range(node, node + c), range(scalar, scalar + N - 6 * c)
        return (superelement_load_term(name, nodes, scalars, self.parameters, g, factor),)

    def strain(self, g: np.ndarray, node: int, scalar: int) -> Term:
        """Strain g·z by the coordinates z of the reduced body, as the only signal of a term."""
        c, N = len(self.reduced.interfaces), self.reduced.size
        return corotated_strain_term(g, range(node, node + c), range(scalar, scalar + N - 6 * c), self.parameters)

    @cached_property
    def loaded_mesh(self) -> LoadedMesh:
        """Its mesh, factorised once for buckling loads."""
        return LoadedMesh(self.reduced)

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
