"""A flexible body that is taken for rigid: its mass and geometry alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flexor.bodies.body import Parts, Start
from flexor.bodies.carried_load import floating_load_term, nodal_forces
from flexor.bodies.floating.formulation import LIGHT
from flexor.bodies.follower import Follower
from flexor.bodies.marker import Site
from flexor.elements.assembly.loads import Load
from flexor.functions import Function
from flexor.law import Term
from flexor.reduce.reduced import ReducedBody

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


class Rigid:
    """The body with its mass alone: a node at its centre of mass, which its interfaces and markers follow.

    It has the signals of the other formulations but for modes; its displacement, strain and stress are zero.
    """

    flexible: ClassVar = False
    prefers_elimination: ClassVar = False
    may_follow: ClassVar = True
    at_interfaces_alone: ClassVar = False
    without_effect: ClassVar[Mapping[str, tuple[str, str]]] = dict.fromkeys(
        ("reduction", "damping", "stiffening"),
        ("a rigid body does not deform", "leave it out, or use formulation: floating or superelement"),
    )

    @staticmethod
    def make(body: FlexibleBody) -> ReducedBody:
        return body.reduced

    def __init__(self, body: FlexibleBody, reduced: ReducedBody) -> None:
        self.body, self.reduced = body.rigid(), reduced

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

    def load(
        self, name: str, loads: Sequence[Load], factor: Function | None, node: int, scalar: int
    ) -> tuple[Term, ...]:
        """Their resultant at the centre of mass."""
        reduced = self.reduced
        rigid = reduced.loadable().dofs.rigid_modes(reduced.nodes, about=reduced.mass_properties.com)
        return (floating_load_term(name, node, (), rigid.T @ nodal_forces(reduced, loads), factor),)
