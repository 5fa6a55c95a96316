"""From a declared model to the mechanism that the engine compiles: nodes, frames and numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.bodies.marker import Site
from flexor.functions import Constant
from flexor.joints import Joint
from flexor.law import GROUND as GROUND_NODE
from flexor.law import Element
from flexor.model.mechanism import Mechanism, Node, Scalar, Slave
from flexor.model.placement import GROUND, Placement, attachment, place


def lower(model: Any, python: bool = False) -> Mechanism:
    """The mechanism of a model that has passed its check.

    python: functions are called as plain Python instead of being compiled.
    """
    placement = place(model.items)
    bodies = [item for item in model.items if isinstance(item, Body)]
    ground = Node(GROUND, np.zeros(3), np.eye(3), np.zeros(6), velocity_given=(True, True))
    nodes = (ground, *(_node(body, placement) for body in bodies))
    surroundings = _Surroundings(model.items, placement, nodes, python)
    elements: list[Element] = []
    scalars: list[Scalar] = []
    slaves: list[Slave] = []
    for item in model.items:
        if getattr(item, "enforcement", None) == "elimination":
            slaves.append(_slave(surroundings.joint(item.name), surroundings, scalars))
        else:
            elements += surroundings.elements(item)
    return Mechanism(
        name=model.name,
        nodes=nodes,
        scalars=tuple(scalars),
        elements=tuple(elements),
        slaves=tuple(_masters_first(slaves)),
        gravity=model.gravity,
    )


def _node(body: Body, placement: Placement) -> Node:
    X_WB = placement.poses[body.name]
    offset = np.array(body.node_offset)
    v, omega = np.split(placement.twists[body.name], 2)
    return Node(
        name=body.name,
        x=X_WB.apply(offset),
        R=X_WB.R,
        v=np.concatenate([v + np.cross(omega, X_WB.rotate(offset)), omega]),
        p_NO=-offset,
        locked=body.locked,
        weights=body.weights,
        placed=body.placed,
        velocity_given=placement.velocity_given[body.name],
    )


class _Surroundings:
    """What an item may ask for by the parameter names of its `elements`:

    node, x0       a body's own node number and the initial position of the node
    a, b           sites at its two ends; those of its joint, if it acts on a joint
    site, sites    site of the attachment `on`, or of each of them
    joint          the joint that it acts on, with initial variables filled in
    length         initial distance of its two ends, a constant function
    python         whether functions stay plain Python
    """

    def __init__(self, items: tuple[Any, ...], placement: Placement, nodes: tuple[Node, ...], python: bool) -> None:
        self.items = {item.name: item for item in items}
        self.bodies = {item.name: item for item in items if isinstance(item, Body)}
        self.placement = placement
        self.nodes = nodes
        self.numbers = {node.name: number for number, node in enumerate(nodes)}
        self.python = python
        self.offers: dict[str, Callable[[Any], Any]] = {
            "node": lambda body: self.numbers[body.name],
            "x0": lambda body: self.nodes[self.numbers[body.name]].x,
            "a": lambda item: self.ends(item)[0],
            "b": lambda item: self.ends(item)[1],
            "site": lambda item: self.site(item.on),
            "sites": lambda item: [self.site(ref) for ref in item.on],
            "joint": lambda item: self.joint(item.joint),
            "length": lambda item: Constant(self.distance(item.a, item.b)),
            "python": lambda item: self.python,
        }

    def elements(self, item: Any) -> list[Element]:
        """The item's elements; a joint gets its initial variables filled in first."""
        if isinstance(item, Joint):
            item = self.joint(item.name)
        wanted = inspect.signature(item.elements).parameters
        return item.elements(**{name: self.offers[name](item) for name in wanted})

    def joint(self, name: str) -> Any:
        """The joint of this name; variables that it leaves open have the values found in the placement."""
        joint = self.items[name]
        state = self.placement.joints[name]
        start = state.values if joint.start is None else joint.start
        rate = state.rates if joint.start_rate is None else joint.start_rate
        return joint.replace(start=start, start_rate=rate)

    def ends(self, item: Any) -> tuple[Site, Site]:
        joint = self.items[item.joint] if hasattr(item, "joint") else item
        if not isinstance(joint, Joint):
            return self.site(joint.a), self.site(joint.b)
        state = self.placement.joints[joint.name]
        return (
            self._site(joint.a.body, state.X_AJ.p, state.X_AJ.R),
            self._site(joint.b.body, state.X_BJ.p, state.X_BJ.R),
        )

    def site(self, ref: MarkerRef) -> Site:
        p, R = attachment(self.bodies, ref)
        return self._site(ref.body, p, np.eye(3) if R is None else R)

    def _site(self, body: str, p_BM: np.ndarray, R_BM: np.ndarray) -> Site:
        if body == GROUND:
            return Site(GROUND_NODE, p_BM, R_BM)
        return Site(self.numbers[body], p_BM - np.array(self.bodies[body].node_offset), R_BM)

    def distance(self, a: MarkerRef, b: MarkerRef) -> float:
        return float(np.linalg.norm(self.placement.point(self.bodies, b) - self.placement.point(self.bodies, a)))


def _slave(joint: Joint, surroundings: _Surroundings, scalars: list[Scalar]) -> Slave:
    """The node of B follows that of A; appends the joint's variables to the scalars."""
    a, b = surroundings.ends(joint)
    first = len(scalars)
    for variable, unit, value, rate in zip(
        joint.variables, joint.units, joint.start or (), joint.start_rate or (), strict=True
    ):
        scalars.append(Scalar(f"{joint.name}.{variable}", unit, value, rate))
    motions = [(False, "xyz".index(axis)) for axis in joint.translations]
    motions += [(True, "xyz".index(axis)) for axis in joint.rotations]
    return Slave(
        joint=joint.name,
        node=b.node,
        master=a.node,
        site_master=a,
        site_slave=b,
        motions=tuple(motions),
        scalars=tuple(range(first, len(scalars))),
    )


def _masters_first(slaves: list[Slave]) -> list[Slave]:
    """In such an order that every master which is a slave itself comes before."""
    waiting = {slave.node: slave for slave in slaves}
    ordered: list[Slave] = []
    for slave in slaves:
        chain = []
        node = slave.node
        while node in waiting:
            chain.append(waiting.pop(node))
            node = chain[-1].master
        ordered += reversed(chain)
    return ordered
