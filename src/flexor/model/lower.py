"""From a declared model to the mechanism that the engine compiles: nodes, frames and numbers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.bodies.body import Start
from flexor.bodies.marker import Site
from flexor.functions import Constant
from flexor.joints import Joint
from flexor.law import GROUND as GROUND_NODE
from flexor.law import Element
from flexor.model.mechanism import Mechanism, Node, Scalar, Slave
from flexor.model.placement import GROUND, Placement, attachment, place


def lower(model: Any, python: bool = False, placement: Placement | None = None) -> Mechanism:
    """The mechanism of a model that has passed its check.

    python: functions are called as plain Python instead of being compiled.
    placement: where its bodies start, if that is known better than from the declarations.
    """
    placement = placement or place(model.items)
    nodes: list[Node] = [Node(GROUND, np.zeros(3), np.eye(3), np.zeros(6), velocity_given=(True, True))]
    elements: dict[str, tuple[Element, ...]] = {}
    scalars: list[Scalar] = []
    first: dict[str, tuple[int, int]] = {}
    slaves: list[Slave] = []
    used = _used_markers(model.items)
    for body in model.items:
        if isinstance(body, Body):
            name = body.name
            start = Start(
                X_WB=placement.poses[name],
                twist=placement.twists[name],
                velocity_given=placement.velocity_given[name],
                node=len(nodes),
                scalar=len(scalars),
                used=frozenset(used.get(name, ())),
                python=python,
            )
            parts = body.parts(start)
            first[name] = start.node, start.scalar
            elements[name] = parts.elements
            nodes += parts.nodes
            scalars += parts.scalars
            slaves += parts.slaves
    own: dict[str, tuple[int, ...]] = {}
    for item in model.items:
        more = getattr(item, "own_scalars", ())
        own[item.name] = tuple(range(len(scalars), len(scalars) + len(more)))
        scalars += more
    surroundings = _Surroundings(model.items, placement, first, own, python)
    found: list[Element] = []
    eliminated = _eliminated(surroundings)
    for item in model.items:
        if isinstance(item, Body):
            found += elements[item.name]
        elif item.name in eliminated:
            slaves.append(_slave(surroundings.joint(item.name), surroundings, scalars))
        else:
            found += surroundings.elements(item)
    return Mechanism(
        name=model.name,
        nodes=tuple(nodes),
        scalars=tuple(scalars),
        elements=tuple(found),
        slaves=tuple(_masters_first(slaves)),
        gravity=model.gravity,
    )


def _used_markers(items: tuple[Any, ...]) -> dict[str, set[str]]:
    """Markers of each body that something attaches to."""
    used: dict[str, set[str]] = {}
    for item in items:
        for key in type(item).model_fields:
            value = getattr(item, key)
            for ref in value if isinstance(value, tuple) else (value,):
                if isinstance(ref, MarkerRef) and ref.marker is not None:
                    used.setdefault(ref.body, set()).add(ref.marker)
    return used


def _eliminated(surroundings: _Surroundings) -> set[str]:
    """Joints that are enforced by elimination: on request, or where the follower is a node of a flexible body.

    A node follows at most one other, and never itself. Three angles are singular somewhere (a ball that hangs down from where
    it lay): such joints are eliminated on request only.
    """
    joints = [item for item in surroundings.items.values() if isinstance(item, Joint)]
    master: dict[int, int] = {}
    chosen = set()
    for asked in (True, False):
        for joint in joints:
            follows = joint.b.body != GROUND and surroundings.bodies[joint.b.body].prefers_elimination
            suits = follows and len(joint.rotations) < 3
            if joint.enforcement != ("elimination" if asked else "auto") or not (asked or suits):
                continue
            a, b = (site.node for site in surroundings.ends(joint))
            root = a
            while root in master:
                root = master[root]
            if asked or (b not in master and root != b):
                master[b] = a
                chosen.add(joint.name)
    return chosen


class _Surroundings:
    """What an item may ask for by the parameter names of its `elements`:

    a, b           sites at its two ends; those of its joint, if it acts on a joint
    site, sites    site of the attachment `on`, or of each of them
    scalars        numbers of its own scalar coordinates
    carrier        the flexible body that it acts on, with the numbers of its first node and scalar
    joint          the joint that it acts on, with initial variables filled in
    length         distance of its two ends as the bodies are declared, a constant function
    python         whether functions stay plain Python
    """

    def __init__(
        self,
        items: tuple[Any, ...],
        placement: Placement,
        first: dict[str, tuple[int, int]],
        own: dict[str, tuple[int, ...]],
        python: bool,
    ) -> None:
        self.items = {item.name: item for item in items}
        self.bodies = {item.name: item for item in items if isinstance(item, Body)}
        self.placement = placement
        self.declared = place(items)
        self.first = first
        self.python = python
        self.offers: dict[str, Callable[[Any], Any]] = {
            "a": lambda item: self.ends(item)[0],
            "b": lambda item: self.ends(item)[1],
            "site": lambda item: self.site(item.on),
            "sites": lambda item: [self.site(ref) for ref in item.on],
            "scalars": lambda item: own[item.name],
            "joint": lambda item: self.joint(item.joint),
            "carrier": lambda item: (self.bodies[item.body], *self.first[item.body]),
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
            self._site(joint.a, state.X_AJ.p, state.X_AJ.R),
            self._site(joint.b, state.X_BJ.p, state.X_BJ.R),
        )

    def site(self, ref: MarkerRef) -> Site:
        p, R = attachment(self.bodies, ref)
        return self._site(ref, p, np.eye(3) if R is None else R)

    def _site(self, ref: MarkerRef, p_BM: np.ndarray, R_BM: np.ndarray) -> Site:
        if ref.body == GROUND:
            return Site(GROUND_NODE, p_BM, R_BM)
        number, p_BN = self.bodies[ref.body].carrier(ref.marker, p_BM)
        return Site(self.first[ref.body][0] + number, p_BM - p_BN, R_BM)

    def distance(self, a: MarkerRef, b: MarkerRef) -> float:
        """As declared, wherever the bodies have been brought since."""
        return float(np.linalg.norm(self.declared.point(self.bodies, b) - self.declared.point(self.bodies, a)))


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
