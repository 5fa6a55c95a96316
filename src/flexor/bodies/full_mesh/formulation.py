"""A flexible body as its whole mesh: every finite element co-rotated by itself, so that strains alone are small.

Nodes that solids alone meet do not turn. Nodes of rigid interfaces and links (RBE2) follow their connection node; those of
average ones (RBE3), and markers anywhere, follow the nodes around them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from flexor.bodies.attachment import CLOSE, carrying_node
from flexor.bodies.body import Parts, Start
from flexor.bodies.carried_load import mesh_load_terms, nodal_forces
from flexor.bodies.follower import Follower
from flexor.bodies.full_mesh.average_tie import average_tie_term
from flexor.bodies.full_mesh.concentrated_mass import mass_term, rigid_properties
from flexor.bodies.full_mesh.corotated_element import Manner, Placed, corotated_elements
from flexor.bodies.full_mesh.signals import frame_signals_term, node_signals_term
from flexor.bodies.full_mesh.ties import average_around, average_weights, rigid_links, rigid_tie
from flexor.bodies.full_mesh.whole_mesh import WholeMesh, whole_mesh
from flexor.bodies.superelement.shadow_frame import ShadowFrame, shadow_frame
from flexor.bodies.superelement.term import superelement_term
from flexor.elements.assembly.dofs import element_widths
from flexor.elements.assembly.loads import Load
from flexor.functions import Function
from flexor.law import Term
from flexor.law.coordinates import Node
from flexor.mesh.mesh import Block, RigidLink
from flexor.reduce.damping import Rayleigh
from flexor.spatial import MassProperties

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody

LIGHT = 1e-6
"""Share of the body's mass that nodes get which follow the average of others."""


class FullMesh:
    """All elements of the mesh, in large motion.

    Signals: position and orientation of a frame that follows the interfaces as that of a superelement does (rod.position),
    interfaces (rod.big.position), nodes of the mesh where the body has a marker (rod.middle.position), and position and
    velocity of all other nodes by their numbers (rod.node_12.position), of which stress is recovered.
    """

    flexible: ClassVar = True
    prefers_elimination: ClassVar = True
    may_follow: ClassVar = True
    at_interfaces_alone: ClassVar = False
    without_effect: ClassVar[Mapping[str, tuple[str, str]]] = {
        "reduction": ("a full mesh keeps every node", "leave it out, or use formulation: floating or superelement"),
        "stiffening": ("a full mesh has it by nature", "leave it out"),
    }

    @staticmethod
    def make(body: FlexibleBody) -> WholeMesh:
        return whole_mesh(body)

    def __init__(self, body: FlexibleBody, made: WholeMesh) -> None:
        self.body, self.made, self.mesh = body, made, made.mesh
        if body.damping is not None and (not isinstance(body.damping, Rayleigh) or body.damping.alpha):
            why = "single elements know their own strains, not the modes and the motion of the body"
            fix = "use Rayleigh(beta=…), or formulation: superelement"
            raise body.refuse("a full mesh has stiffness-proportional damping only", why, fix)

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        names = [*self.named.values(), *self.carried]
        if not names:
            why, fix = "a node of solids cannot take a moment", "name an interface, or a marker there"
            raise self.body.refuse("something attaches to it, but it has neither interfaces nor markers", why, fix)
        beside = [np.array(self.body.markers[name].at) for name in self.carried]
        points = np.array([*self.mesh.points[list(self.named)], *beside]).reshape(-1, 3)
        found, p_BN = carrying_node(names, points, self.size, marker, p_BM, self.body.refuse)
        return (found if found < len(self.named) else len(self.kept) + found - len(self.named)), p_BN

    def load(
        self, name: str, loads: Sequence[Load], factor: Function | None, node: int, scalar: int
    ) -> tuple[Term, ...]:
        """Loads on the mesh that turn with it, times a function of time.

        What acts at a node that has a rotation or follows an interface turns with that; at nodes of solids it turns with
        the elements that meet there, in equal shares.
        """
        # (n, 6), zero where a node lacks a direction
        f = np.append(nodal_forces(self.made, loads), 0.0)[self.made.node_dofs]
        numbers = {index: node + i for i, index in enumerate(self.kept)}
        turning = (self.width == 6) | np.isin(np.arange(len(f)), list(self.dependents))
        return mesh_load_terms(name, f, turning, numbers, self.placed, factor)

    def parts(self, start: Start) -> Parts:
        numbers = {index: start.node + i for i, index in enumerate(self.kept)}
        terms, shares = self._finite_elements(start, numbers)
        markers, averages, follow = self._markers(start, numbers)
        masses, extra, ties = self._nodal_masses(start, numbers)
        nodes = [self._node(start, index, shares) for index in self.kept]
        terms += [*masses, *self._averages(start, numbers), *averages, *self._records(numbers)]
        return Parts((*nodes, *markers, *extra), tuple(terms), followers=(*self._ties(numbers), *follow, *ties))

    # -- nodes ---------------------------------------------------------------------------------------------------

    @property
    def size(self) -> float:
        return float(np.ptp(self.mesh.points, axis=0).max())

    @cached_property
    def named(self) -> dict[int, str]:
        """Points with a name: connection nodes, and nodes of the mesh that turn where the body has a marker."""
        found = dict(zip(self.made.connections, self.made.interfaces, strict=True))
        for name, marker in self.body.markers.items():
            node = self._turning_at(np.array(marker.at))
            if node is not None and name not in self.made.interfaces:
                found.setdefault(node, name)
        return found

    def _turning_at(self, at: np.ndarray) -> int | None:
        """The point there that turns by itself, if there is one."""
        distances = np.linalg.norm(self.mesh.points - at, axis=1)
        distances[(self.width < 6) | np.isin(np.arange(len(self.width)), list(self.dependents))] = np.inf
        nearest = int(np.argmin(distances))
        return nearest if distances[nearest] <= CLOSE * self.size else None

    @cached_property
    def carried(self) -> dict[str, list[int]]:
        """Other markers, and the points whose motion they follow."""
        names = {*self.named.values(), *self.made.interfaces}
        others = {name: np.array(marker.at) for name, marker in self.body.markers.items() if name not in names}
        there = {name: self._turning_at(at) for name, at in others.items()}
        return {
            name: average_around(self.mesh, self.width, others[name]) if node is None else [node]
            for name, node in there.items()
        }

    @cached_property
    def width(self) -> np.ndarray:
        """(n,) degrees of freedom of each point: 0, 3 or 6, the latter where links or masses are and no solids."""
        width = element_widths(self.mesh)
        alone = [*self.dependents, *(mass.node for mass in self.mesh.masses)]
        width[[node for node in alone if width[node] == 0]] = 6
        centers = [link.node for link in self.links] + [link.node for link in self.mesh.average_links]
        width[centers] = 6
        return width

    @cached_property
    def dependents(self) -> set[int]:
        """Points that follow a link."""
        return {node for link in self.links for node in link.dependents}

    @cached_property
    def kept(self) -> list[int]:
        """Points that are nodes, connection nodes first."""
        return list(dict.fromkeys([*self.named, *np.flatnonzero(self.width).tolist()]))

    @cached_property
    def frame(self) -> tuple[list[int], ShadowFrame]:
        """Points whose nodes carry the frame of the body, and that frame: the connection nodes, or three nodes far apart."""
        chosen, turning, name = list(self.made.connections), True, self.body.name
        if not chosen:
            kept = [index for index in self.kept if index not in self.dependents]
            turning = bool(np.all(self.width[kept] == 6))
            none = np.zeros(len(kept))
            far = shadow_frame(self.mesh.points[kept], none, none, "triangle", name, turning).nodes
            chosen = [kept[i] for i in dict.fromkeys(far)]
        shares = np.tile([1.0, 0.0], (len(chosen), 1))  # of mass and rotational inertia
        if self.made.connections and np.all(self.made.shares[:, 0] > 0):
            shares = self.made.shares
        masses, inertias = shares.T
        return chosen, shadow_frame(self.mesh.points[chosen], masses, inertias, self.body.frame, name, turning)

    @property
    def recorded(self) -> list[int]:
        """Points whose motion is recorded by their numbers: those without a name that do not follow others."""
        return [i for i in self.kept if i not in self.named and i not in self.dependents]

    def _records(self, numbers: dict[int, int]) -> list[Term]:
        name, ids = self.body.name, self.mesh.node_ids
        chosen, frame = self.frame
        followed = frame_signals_term(name, [numbers[i] for i in chosen], self.mesh.points[chosen], frame)
        turning = self.width == 6
        return [followed, *(node_signals_term(name, int(ids[i]), numbers[i], turning[i]) for i in self.recorded)]

    def _node(self, start: Start, index: int, shares: np.ndarray) -> Node:
        mass, inertia = (float(values.mean()) for values in shares[index].reshape(2, 3))
        name = f"{self.body.name}.{self.named[index]}" if index in self.named else ""
        if self.width[index] == 6:
            return start.at(name, self.mesh.points[index], weights=(mass, inertia))
        node = start.at(name, self.mesh.points[index], weights=(mass, mass), locked=(3, 4, 5))
        return replace(node, v=np.concatenate([node.v[:3], np.zeros(3)]))

    # -- finite elements -------------------------------------------------------------------------------------------

    @cached_property
    def placed(self) -> list[Placed]:
        """The elements, their points and their middles."""
        body = self.body
        manner = Manner(body.stiffness_scale, body.mass_scale, body.frame, body.inertia == "consistent")
        return corotated_elements(self.mesh, manner, self._damping)

    def _finite_elements(self, start: Start, numbers: dict[int, int]) -> tuple[list[Term], np.ndarray]:
        """The elements, and what each point has of their masses (n, 6)."""
        shares = np.zeros((len(self.mesh.points), 6))
        terms = []
        for points, middle, made in self.placed:
            np.add.at(shares, points, made.masses)
            nodes = [numbers[int(i)] for i in points]
            center = middle + made.center
            term = superelement_term(self.body.name, nodes, (), made.parameters, center, start.X_WB)
            terms.append(replace(term, own_outputs=()))
        return terms, shares

    def _damping(self, block: Block) -> float:
        """β of the elements of a block [s]."""
        damping = self.body.damping
        if isinstance(damping, Rayleigh):
            return damping.beta
        return float(getattr(self.mesh.materials.get(block.material or ""), "damping", 0.0))

    # -- links and masses ------------------------------------------------------------------------------------------

    @cached_property
    def links(self) -> tuple[RigidLink, ...]:
        """Interfaces, rigid links and rigid bars of the mesh."""
        return rigid_links(self.mesh)

    def _ties(self, numbers: dict[int, int]) -> list[Follower]:
        return [
            rigid_tie(numbers[node], numbers[link.node], self.mesh.points[node] - self.mesh.points[link.node])
            for link in self.links
            for node in link.dependents
        ]

    def _averages(self, start: Start, numbers: dict[int, int]) -> list[Term]:
        """Connection nodes and others that follow the average of some."""
        links = [(numbers[link.node], self.mesh.points[link.node], link) for link in self.mesh.average_links]
        return [
            element
            for number, at, link in links
            for element in self._average(start, number, at, link.independents, numbers, *average_weights(link))
        ]

    def _average(
        self,
        start: Start,
        node: int,
        at: np.ndarray,
        points: Sequence[int],
        numbers: dict[int, int],
        weights: np.ndarray,
        levers: np.ndarray | None = None,
    ) -> list[Term]:
        """Its tie, and a little mass, so that a joint that turns there alone has an inertia."""
        X, name = self.mesh.points[list(points)], self.body.name
        tie = average_tie_term(name, node, [numbers[i] for i in points], at, X, weights, levers)
        mass = LIGHT * self.made.mass_properties.mass
        return [
            tie,
            mass_term(name, node, mass, mass * np.mean((X - X.mean(axis=0)) ** 2) * np.eye(3), start.X_WB.apply(at)),
        ]

    def _markers(self, start: Start, numbers: dict[int, int]) -> tuple[list[Node], list[Term], list[Follower]]:
        """Markers beside the nodes that turn: massless nodes that follow the mesh around them and do not stiffen it."""
        nodes: list[Node] = []
        terms: list[Term] = []
        ties: list[Follower] = []
        for name, points in self.carried.items():
            number, at = start.node + len(self.kept) + len(nodes), np.array(self.body.markers[name].at, dtype=float)
            nodes.append(start.at(f"{self.body.name}.{name}", at, weights=(0.0, 0.0)))
            if len(points) == 1:
                ties.append(rigid_tie(number, numbers[points[0]], at - self.mesh.points[points[0]]))
            else:
                terms += self._average(start, number, at, points, numbers, np.ones(len(points)))
        return nodes, terms, ties

    def concentrated_masses(self) -> Iterator[tuple[int, MassProperties]]:
        """Points with concentrated masses, and these, in the body's axes."""
        for concentrated in self.mesh.masses:
            turning = self.width[concentrated.node] == 6 or concentrated.node in self.dependents
            scale, refuse = self.body.mass_scale, self.body.refuse
            yield concentrated.node, rigid_properties(self.mesh, concentrated, bool(turning), scale, refuse)

    def _nodal_masses(self, start: Start, numbers: dict[int, int]) -> tuple[list[Term], list[Node], list[Follower]]:
        """Concentrated masses; one with its centre beside the node gets a node there that follows."""
        terms: list[Term] = []
        nodes: list[Node] = []
        ties: list[Follower] = []
        before = len(self.kept) + len(self.carried)
        for node, m in self.concentrated_masses():
            number, at = numbers[node], self.mesh.points[node] + m.com
            if np.any(m.com):
                ties.append(rigid_tie(start.node + before + len(nodes), number, m.com))
                nodes.append(start.at("", at, weights=(m.mass, float(np.trace(m.inertia) / 3))))
                number = ties[-1].node
            terms.append(mass_term(self.body.name, number, m.mass, m.inertia, start.X_WB.apply(at)))
        return terms, nodes, ties
