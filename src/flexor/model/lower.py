"""From a declared model to the mechanism that the engine compiles: nodes, frames and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies import Body
from flexor.bodies.body import Start
from flexor.bodies.marker import Site
from flexor.declaration import Item, answers, told_by
from flexor.joints import Joint
from flexor.joints.motor import variable_index
from flexor.law import Term
from flexor.model.attachments import attachments
from flexor.model.joint_state import GROUND, Placement
from flexor.model.mechanism import Follower, Mechanism, Node, Scalar
from flexor.model.placement import place
from flexor.model.signals import in_order_of_reading
from flexor.model.surroundings import Placed
from flexor.spatial import exp_so3

if TYPE_CHECKING:
    from flexor.model.model import Model


def lower(
    model: Model,
    placement: Placement | None = None,
    begin: Placement | None = None,
    known: Mapping[str, Sequence[Term]] | None = None,
) -> Mechanism:
    """The mechanism of a model that has passed its check.

    placement: where its bodies start, if that is known better than from the declarations.
    begin: where they are at t = 0, if that is elsewhere.   known: terms of items, by name, that are known already.
    """
    gravity = float(np.linalg.norm(model.gravity))
    where = placement or place(model.items)
    nodes, scalars, terms, followers = lowered_items(model.items, where, begin, gravity, known or {})
    return Mechanism(
        name=model.name,
        nodes=tuple(nodes),
        scalars=tuple(scalars),
        terms=tuple(terms),
        followers=tuple(_masters_first(followers)),
        gravity=model.gravity,
        items=frozenset(item.name for item in model.items),
    )


def lowered_items(
    items: tuple[Item, ...],
    placement: Placement,
    begin: Placement | None = None,
    gravity: float = 0.0,
    known: Mapping[str, Sequence[Term]] = MappingProxyType({}),
) -> tuple[list[Node], list[Scalar], list[Term], list[Follower]]:
    """Nodes, scalars, terms and followers of the items of a model."""
    nodes: list[Node] = [Node(GROUND, np.zeros(3), np.eye(3), np.zeros(6))]
    terms: dict[str, tuple[Term, ...]] = {}
    scalars: list[Scalar] = []
    first: dict[str, tuple[int, int]] = {}
    followers: list[Follower] = []
    used = _used_markers(items)
    for body in items:
        if isinstance(body, Body):
            name = body.name
            start = Start(
                X_WB=placement.poses[name],
                twist=placement.twists[name],
                node=len(nodes),
                scalar=len(scalars),
                used=used.get(name, NONE),
            )
            parts = body.parts(start)
            first[name] = start.node, start.scalar
            terms[name] = parts.terms
            nodes += parts.nodes
            scalars += parts.scalars
            followers += parts.followers
    own: dict[str, tuple[int, ...]] = dict.fromkeys([item.name for item in items], ())
    for item in items:
        if more := told_by(item, "own_scalars", ()):
            own[item.name] = tuple(range(len(scalars), len(scalars) + len(more)))
            scalars += more
    weight = max(gravity, 1.0) * sum(node.weights[0] for node in nodes[1:])
    placed = Placed(items, placement, first, own, begin, weight)
    found: list[Term] = []
    eliminated = _eliminated(placed)
    placed.made, placed.scalars = found, scalars
    for item in in_order_of_reading(items):
        if isinstance(item, Body):
            found += terms[item.name]
        elif item.name in eliminated and not isinstance(item, Joint):
            moved: Any = item
            found += moved.driving_terms(placed.around(item))
            followers.append(moved.follower(placed.around(item), nodes, scalars))
        elif item.name in eliminated:
            followers += _followers(placed.joint(item.name), placed, nodes, scalars)
        else:
            found += known.get(item.name) or placed.terms(item)
    return nodes, scalars, found, followers


NONE: frozenset[str] = frozenset()


def _used_markers(items: tuple[Item, ...]) -> dict[str, frozenset[str]]:
    """Markers of each body that something attaches to."""
    used: dict[str, set[str]] = {}
    for item in items:
        for ref in attachments(item):
            if ref.marker is not None:
                used.setdefault(ref.body, set()).add(ref.marker)
    return {body: frozenset(markers) for body, markers in used.items()}


def _eliminated(placed: Placed) -> set[str]:
    """Joints that are enforced by elimination: on request, or where the follower is a node of a flexible body.

    A node follows at most one other, and never itself. Three angles are singular somewhere (a ball that hangs down from where
    it lay): such joints are eliminated on request only. Nor are those whose reactions are read by friction.
    """
    joints = [item for item in placed.items.values() if isinstance(item, Joint)]
    others = [item for item in placed.items.values() if not isinstance(item, Joint)]
    moved: list[Any] = [each for each in others if answers(type(each), "eliminates") and each.eliminates]
    readers = [each for each in placed.items.values() if answers(type(each), "reads_reactions_of")]
    read = {item.reads_reactions_of for item in readers}
    master: dict[int, int] = {}
    chosen = {item.name for item in moved}
    for item in moved:
        seen_from, on = item.frames(placed.around(item))
        master[on.node] = seen_from.node
    for asked in (True, False):
        for joint in joints:
            if joint.enforcement != ("elimination" if asked else "auto"):
                continue
            follows = joint.b.body != GROUND and placed.bodies[joint.b.body].prefers_elimination
            suits = follows and len(joint.rotations) < 3 and not joint.bisecting and joint.name not in read
            if not (asked or suits):
                continue
            a, b = (site.node for site in placed.ends(joint))
            if asked or (b not in master and _root(a, master) != b):
                master[b] = a
                chosen.add(joint.name)
    return chosen


def _root(node: int, master: dict[int, int]) -> int:
    """The node at the end of the chain that it follows."""
    while node in master:
        node = master[node]
    return node


def _followers(joint: Joint, placed: Placed, nodes: list[Node], scalars: list[Scalar]) -> list[Follower]:
    """The node of B follows that of A; appends the joint's variables to the scalars, but for those that a motor gives."""
    a, b = placed.ends(joint)
    if joint.by_vector:
        return _by_vector(joint, a, b, nodes, scalars)
    first = len(scalars)
    drives = placed.drives.get(joint.name, ())
    motors = {variable_index(joint, drive.variable): name for name, drive in drives if drive.eliminated}
    every = zip(joint.variables, joint.units, joint.start or (), joint.start_rate or (), strict=True)
    for i, (variable, unit, value, rate) in enumerate(every):
        if i not in motors:
            scalars.append(Scalar(f"{joint.name}.{variable}", unit, value, rate))
    follower = Follower(
        joint=joint.name,
        node=b.node,
        master=a.node,
        site_master=a,
        site_follower=b,
        motions=joint.free.motions,
        scalars=tuple(range(first, len(scalars))),
        drives=tuple(motors.get(i, "") for i in range(len(joint.variables))) if motors else (),
    )
    return [follower]


def _by_vector(joint: Joint, a: Site, b: Site, nodes: list[Node], scalars: list[Scalar]) -> list[Follower]:
    """A ball with a rotation vector: a node without inertia at its centre turns by exp ψ̂, and carries the node of B.

    With the axes R_M of the joint on A it has the orientation R_A exp(R_M ψ) = R_A R_M exp(ψ) R_Mᵀ, as a point that modes turn.
    """
    variables = tuple(range(len(scalars), len(scalars) + 3))
    for each in zip(joint.variables, joint.units, joint.start or (), joint.start_rate or (), strict=True):
        variable, unit, value, rate = each
        scalars.append(Scalar(f"{joint.name}.{variable}", unit, value, rate))
    master, ball = nodes[a.node], len(nodes)
    R = master.R @ exp_so3(a.R_NM @ np.array(joint.start))
    nodes.append(Node("", master.x + master.R @ a.p_NM, R, np.zeros(6)))
    turning = np.vstack([np.zeros((3, 3)), a.R_NM])
    centre = Site(ball, np.zeros(3), a.R_NM)
    return [
        Follower(joint.name, ball, a.node, a, Site(ball, np.zeros(3), np.eye(3)), (), variables, shapes=turning),
        Follower("", b.node, ball, centre, b, (), ()),
    ]


def _masters_first(followers: list[Follower]) -> list[Follower]:
    """In such an order that every master which is a follower itself comes before."""
    waiting = {follower.node: follower for follower in followers}
    ordered: list[Follower] = []
    for follower in followers:
        chain = []
        node = follower.node
        while node in waiting:
            chain.append(waiting.pop(node))
            node = chain[-1].master
        ordered += reversed(chain)
    return ordered
