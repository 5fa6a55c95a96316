"""A flexible body as its whole mesh: every finite element co-rotated by itself, so that strains alone are small.

Nodes that solids alone meet do not turn. Nodes of interfaces and rigid links (RBE2) follow their connection node.
"""

from __future__ import annotations

import importlib
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from flexor.bodies.attachment import CLOSE, carrying_node
from flexor.bodies.body import Parts, Start
from flexor.bodies.corotated_element import KINDS, Manner, Placed, corotated_elements
from flexor.bodies.damping import Rayleigh
from flexor.bodies.marker import Site
from flexor.bodies.rigid_body import rigid_body
from flexor.bodies.slave import Slave
from flexor.bodies.superelement import superelement_element
from flexor.elements.batches import kind_of
from flexor.elements.dofs import element_widths
from flexor.law import Element
from flexor.law.coordinates import Node
from flexor.law.parameters import Parameters
from flexor.mesh.mesh import NodalMass, RigidLink
from flexor.spatial import MassProperties, skew

MOST_ELEMENTS = 5000
MOST_ENTRIES = 50_000_000
"""Entries of all element matrices."""
ALL = (0, 1, 2, 3, 4, 5)


class FullMesh:
    """All elements of the mesh, in large motion.

    Signals: interfaces (rod.big.position) and nodes of the mesh where the body has a marker (rod.middle.position). There is
    no frame of the whole body, hence no rod.position, and no energy of it alone.
    """

    def __init__(self, body: Any) -> None:
        self.body, self.reduced = body, body.reduced  # to reduce it has proved the mesh sound
        self.mesh, self.connections = importlib.import_module("flexor.reduce.tied_mesh").tied_mesh(body)
        self._refuse_large()
        self._refuse_links()

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        carriers = [index for index in self.named if self.width[index] == 6 and index not in self.dependents]
        names, points = [self.named[index] for index in carriers], self.mesh.points[carriers]
        found, p_BN = carrying_node(names, points, self.size, marker, p_BM, self.body.refuse)
        return self.kept.index(carriers[found]), p_BN

    def load(self, name: str, *_: Any) -> Any:
        why, fix = (
            "a whole mesh has no frame that would carry it",
            "use point forces at markers, or another formulation",
        )
        raise self.body.refuse(f"the load '{name}' on its mesh cannot follow it", why, fix)

    def parts(self, start: Start) -> Parts:
        numbers = {index: start.node + i for i, index in enumerate(self.kept)}
        elements, shares = self._finite_elements(start, numbers)
        masses, extra, ties = self._nodal_masses(start, numbers)
        nodes = [self._node(start, index, shares) for index in self.kept]
        return Parts((*nodes, *extra), (*elements, *masses), slaves=(*self._ties(numbers), *ties))

    # -- nodes ---------------------------------------------------------------------------------------------------

    @property
    def size(self) -> float:
        return float(np.ptp(self.mesh.points, axis=0).max())

    @cached_property
    def named(self) -> dict[int, str]:
        """Points with a name: connection nodes, and nodes of the mesh where the body has a marker."""
        found = dict(zip(self.connections, self.reduced.interfaces, strict=True))
        for name, marker in self.body.markers.items():
            distances = np.linalg.norm(self.mesh.points - np.array(marker.at), axis=1)
            distances[self.width == 0] = np.inf
            nearest = int(np.argmin(distances))
            if distances[nearest] <= CLOSE * self.size and name not in self.reduced.interfaces:
                found.setdefault(nearest, name)
        return found

    @cached_property
    def width(self) -> np.ndarray:
        """(n,) degrees of freedom of each point: 0, 3 or 6, the latter where links or masses are and no solids."""
        width = element_widths(self.mesh)
        alone = [*self.dependents, *(mass.node for mass in self.mesh.masses)]
        width[[node for node in alone if width[node] == 0]] = 6
        width[[link.node for link in self.links]] = 6
        return width

    @property
    def dependents(self) -> set[int]:
        """Points that follow a link."""
        return {node for link in self.links for node in link.dependents}

    @cached_property
    def kept(self) -> list[int]:
        """Points that are nodes, connection nodes first."""
        return list(dict.fromkeys([*self.named, *np.flatnonzero(self.width).tolist()]))

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

    def _finite_elements(self, start: Start, numbers: dict[int, int]) -> tuple[list[Element], np.ndarray]:
        """The elements, and what each point has of their masses (n, 6)."""
        shares = np.zeros((len(self.mesh.points), 6))
        elements = []
        for points, middle, made in self.placed:
            np.add.at(shares, points, made.masses)
            nodes = [numbers[int(i)] for i in points]
            center = middle + made.center
            element = superelement_element(self.body.name, nodes, (), made.parameters, center, start.X_WB)
            elements.append(replace(element, own_outputs=()))
        return elements, shares

    def _damping(self, block: Any) -> float:
        """β of the elements of a block [s]."""
        damping = self.body.damping
        if damping is None:
            return float(getattr(self.mesh.materials.get(block.material), "damping", 0.0))
        if not isinstance(damping, Rayleigh) or damping.alpha:
            why = "single elements know their own strains, not the modes and the motion of the body"
            fix = "use Rayleigh(beta=…), or formulation: superelement"
            raise self.body.refuse("a full mesh has stiffness-proportional damping only", why, fix)
        return damping.beta

    # -- links and masses ------------------------------------------------------------------------------------------

    @cached_property
    def links(self) -> tuple[RigidLink, ...]:
        """Interfaces, rigid links and rigid bars of the mesh."""
        bars = tuple(
            RigidLink(bar.nodes[bar.dependent.index(())], (bar.nodes[bar.dependent.index(ALL)],), id=bar.id)
            for bar in self.mesh.rigid_bars
            if () in bar.dependent and ALL in bar.dependent
        )
        return (*self.mesh.rigid_links, *bars)

    def _ties(self, numbers: dict[int, int]) -> list[Slave]:
        return [
            _tie(numbers[node], numbers[link.node], self.mesh.points[node] - self.mesh.points[link.node])
            for link in self.links
            for node in link.dependents
        ]

    def _nodal_masses(self, start: Start, numbers: dict[int, int]) -> tuple[list[Element], list[Node], list[Slave]]:
        """Concentrated masses; one with its centre beside the node gets a node there that follows."""
        elements: list[Element] = []
        nodes: list[Node] = []
        ties: list[Slave] = []
        for concentrated in self.mesh.masses:
            turning = self.width[concentrated.node] == 6 or concentrated.node in self.dependents
            m = self._properties(concentrated, turning)
            number, at = numbers[concentrated.node], self.mesh.points[concentrated.node] + m.com
            if np.any(m.com):
                ties.append(_tie(start.node + len(self.kept) + len(nodes), number, m.com))
                nodes.append(start.at("", at, weights=(m.mass, float(np.trace(m.inertia) / 3))))
                number = ties[-1].node
            J = m.inertia
            moments = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
            packed = Parameters().numbers(m.mass, tuple(map(float, moments)), start.X_WB.apply(at)).packed()
            elements.append(Element(self.body.name, rigid_body, (number,), own_outputs=(), **packed))
        return elements, nodes, ties

    def _properties(self, concentrated: NodalMass, turning: bool) -> MassProperties:
        A = self.body.mass_scale * np.asarray(concentrated.matrix, dtype=float)
        mass = float(np.trace(A[:3, :3]) / 3)
        if not turning:  # as in the finite-element model: a node of solids takes no moment
            A = np.pad(A[:3, :3], (0, 3))
        c = np.array([A[1, 5] - A[2, 4], A[2, 3] - A[0, 5], A[0, 4] - A[1, 3]]) / (2 * mass or 1.0)
        arm = skew(c)
        as_body = np.block([[mass * np.eye(3), -mass * arm], [mass * arm, A[3:, 3:]]])
        if not np.allclose(A, as_body, rtol=0, atol=1e-9 * np.abs(A).max()):
            node = self.mesh.node_ids[concentrated.node]
            why, fix = "a mass in large motion is the same in all directions", "use formulation: superelement"
            raise self.body.refuse(f"the mass at node {node} is not that of a rigid body", why, fix)
        c = np.where(np.abs(c) > 1e-12 * np.abs(self.mesh.points).max(initial=1.0), c, 0.0)
        return MassProperties(mass, c, A[3:, 3:] + mass * arm @ arm)

    # -- what it cannot do -------------------------------------------------------------------------------------------

    def _refuse_large(self) -> None:
        count = self.mesh.n_elements
        kinds = [(len(block.nodes), kind_of(block)) for block in self.mesh.blocks]
        entries = sum(m * (6 * kind.n_nodes) ** 2 * (2 if kind.dofs == 3 else 11) for m, kind in kinds)
        if count > MOST_ELEMENTS or entries > MOST_ENTRIES:
            why = f"every element is computed in every step; up to some {MOST_ELEMENTS} simple ones are allowed"
            raise self.body.refuse(f"its mesh has {count} elements", why, "use formulation: superelement")

    def _refuse_links(self) -> None:
        mesh, fix = self.mesh, "use formulation: superelement"
        for block in mesh.blocks:
            if block.element not in KINDS:
                what = f"its mesh has {block.element} elements"
                why = "their stiffness between single directions has no meaning in large rotation"
                raise self.body.refuse(what, why, "use forces between bodies, or formulation: superelement")
        if mesh.average_links:
            what = f"its mesh has {len(mesh.average_links)} average links (RBE3, or interfaces with tie: average)"
            raise self.body.refuse(what, "nodes of a full mesh can only follow rigidly", f"use tie: rigid, or {fix}")
        owner: dict[int, int] = {}
        turning = element_widths(mesh) == 6
        for link in self.links:
            for node in link.dependents:
                missing = [c for c in ALL if c not in link.components and (c < 3 or turning[node])]
                if missing:
                    why = f"node {mesh.node_ids[node]} would follow in some directions only"
                    raise self.body.refuse(f"rigid link {link.id} leaves directions free", why, fix)
                if owner.setdefault(node, link.id) != link.id:
                    why = f"links {owner[node]} and {link.id} both hold it"
                    raise self.body.refuse(f"node {mesh.node_ids[node]} follows two links", why, "merge them")
        if len(mesh.rigid_links) + len(mesh.rigid_bars) != len(self.links):
            why = "nodes of a full mesh can only follow rigidly"
            raise self.body.refuse("its mesh has rigid bars (RBAR) that leave directions free", why, fix)


def _tie(node: int, master: int, arm: np.ndarray) -> Slave:
    """A node that follows its master rigidly, at `arm` from it in the body's axes."""
    return Slave("", node, master, Site(master, arm, np.eye(3)), Site(node, np.zeros(3), np.eye(3)), (), ())
