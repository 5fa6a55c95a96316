"""What the items of a model find around them when they become terms: sites, joints, distances."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np

from flexor.bodies import Body, MarkerRef, Shape
from flexor.bodies.body import AT_ORIGIN
from flexor.bodies.marker import Site
from flexor.declaration import Item, answers, has
from flexor.effects import Drive
from flexor.errors import LawError
from flexor.frozen import frozen
from flexor.joints import Joint
from flexor.joints.choice import chosen_variable
from flexor.joints.path import Path
from flexor.joints.surroundings import Carrier, Drawn, Sensed, Surroundings, Variable
from flexor.law import GROUND as GROUND_NODE
from flexor.law import Term
from flexor.model.attachments import attachments
from flexor.model.feedback import by_readings
from flexor.model.joint_state import GROUND, Placement, attachment
from flexor.model.mechanism import Scalar
from flexor.model.placement import place
from flexor.model.sensed_position import sensed_position
from flexor.model.signals import readings_of
from flexor.spatial import Pose, shift_twist

ON_GROUND = MarkerRef(body=GROUND)
SAME_AXES = np.eye(3)
"""Orientation of what has the axes of its body."""
SAME_AXES.setflags(write=False)


class Placed:
    """The items of a model whose bodies have places, and numbers of their nodes and scalars.

    first: numbers of each body's first node and scalar.   own: numbers of each item's own scalars.   weight: of all bodies [N].
    """

    def __init__(
        self,
        items: tuple[Item, ...],
        placement: Placement,
        first: dict[str, tuple[int, int]],
        own: dict[str, tuple[int, ...]],
        begin: Placement | None = None,
        weight: float = 1.0,
    ) -> None:
        self.items = {item.name: item for item in items}
        self.bodies = {item.name: item for item in items if isinstance(item, Body)}
        self.placement = placement
        self.begin = placement if begin is None else begin
        """The placement at t = 0, from which motors go on, where the bodies have been brought elsewhere since."""
        self.first = first
        self.own = own
        self.weight = weight
        self.made: list[Term] = []
        """Terms of the items before, which sensors read."""
        self.scalars: Sequence[Scalar] = ()
        """All scalars, which sensors read, too."""

    @cached_property
    def drives(self) -> dict[str, list[tuple[str, Drive]]]:
        """What motors prescribe, with their names, by joint."""
        found: dict[str, list[tuple[str, Drive]]] = {}
        for item in self.items.values():
            if answers(type(item), "drive") and (drive := item.drive) is not None:
                found.setdefault(drive.joint, []).append((item.name, drive))
        return found

    @cached_property
    def _at_origin(self) -> dict[str, int]:
        """The nodes of bodies that have one only, at their origin."""
        one = {name for name, body in self.bodies.items() if type(body).carrier is Body.carrier}
        return {name: self.first[name][0] for name in one if not any(self.bodies[name].node_offset)}

    @cached_property
    def declared(self) -> Placement:
        """Where the bodies are as they are declared."""
        return self.placement.declared or place(self.items.values())

    @cached_property
    def closed(self) -> Placement:
        """Where the bodies are with their loops closed, at t = 0; as declared where there is nothing to close."""
        return self.placement.closed or self.declared

    def terms(self, item: Any) -> list[Term]:
        """The item's terms; a joint gets its initial variables filled in first, unless they are left open and zero."""
        if isinstance(item, Joint):
            state = self.placement.joints[item.name]
            as_given = item.start is None and item.start_rate is None
            if not as_given or any(state.values) or any(state.rates):
                item = self.joint(item.name)
        item, readings = by_readings(item)
        terms: list[Term] = [*item.terms(self.around(item)), *readings]
        if not item.binds and item.drive is None:
            rows = [row for term in terms if term.rows for row in term.rows[: len(term.rows) - term.readings]]
            if rows:
                kind, named = type(item).__name__, ", ".join(rows)
                raise LawError(f"'{item.name}': its law has constraint rows ({named}) that {kind}.binds does not name")
        return terms

    def around(self, item: Any) -> Around:
        """What an item finds around it."""
        return Around(self, item)

    def joint(self, name: str, begin: bool = False) -> Joint:
        """The joint of this name; variables that it leaves open have the values found in the placement (at the begin)."""
        joint = self.items[name]
        assert isinstance(joint, Joint)
        state = (self.begin if begin else self.placement).joints[name]
        stated = begin or self.begin is self.placement
        start = joint.start if stated and joint.start is not None else state.values
        rate = joint.start_rate if stated and joint.start_rate is not None else state.rates
        return joint.with_fields(start=start, start_rate=rate)

    def ends(self, item: Any) -> tuple[Site, Site]:
        joint: Any = self.items[item.joint] if has(type(item), "joint") else item
        if not isinstance(joint, Joint):
            return self.site(joint.a), self.site(joint.b)
        p_A, R_A, p_B, R_B = self.placement.joints[joint.name].on_bodies
        return self._site(joint.a, p_A, R_A), self._site(joint.b, p_B, R_B)

    def site(self, ref: MarkerRef) -> Site:
        p, R = attachment(self.bodies, ref)
        return self._site(ref, p, SAME_AXES if R is None else R)

    def _site(self, ref: MarkerRef, p_BM: np.ndarray, R_BM: np.ndarray) -> Site:
        if ref.body == GROUND:
            return Site(GROUND_NODE, p_BM, R_BM)
        if (node := self._at_origin.get(ref.body)) is not None:
            return Site(node, p_BM, R_BM)
        number, p_BN = self.bodies[ref.body].carrier(ref.marker, p_BM)
        return Site(self.first[ref.body][0] + number, p_BM if p_BN is AT_ORIGIN else p_BM - p_BN, R_BM)

    def offset(self, a: MarkerRef, b: MarkerRef) -> np.ndarray:
        """From a to b as the bodies stand, in the axes of marker a."""
        p = self.placement.point(self.bodies, b) - self.placement.point(self.bodies, a)
        R = attachment(self.bodies, a)[1]
        R_WA = self.placement.poses[a.body].R
        return (R_WA if R is None else R_WA @ R).T @ p

    def drawn(self, a: MarkerRef, b: MarkerRef) -> Drawn:
        """Two markers as declared, with the velocities that they begin with."""
        x, R, v = np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 6))
        for i, ref in enumerate((a, b)):
            p, R_BM = attachment(self.bodies, ref)
            X, begin = self.declared.poses[ref.body], self.begin
            x[i], R[i] = X.apply(p), X.R if R_BM is None else X.R @ R_BM
            v[i] = shift_twist(begin.twists[ref.body], begin.poses[ref.body].rotate(p))
        return Drawn(x, R, v)

    def pose(self, ref: MarkerRef, placement: Placement | None = None) -> Pose:
        """Of an attachment, in global axes; with all loops closed if no placement is given."""
        p, R = attachment(self.bodies, ref)
        return (placement or self.closed).poses[ref.body] @ Pose(p, np.eye(3) if R is None else R)

    @cached_property
    def lengths(self) -> dict[str, float]:
        """Of all that acts along a line: how far its ends a and b are apart with all loops closed."""
        lines: list[Any] = [
            item for item in self.items.values() if answers(type(item), "line") and has(type(item), "b")
        ]
        a, b = (self.closed.points(self.bodies, [getattr(each, end) for each in lines]) for end in ("a", "b"))
        return dict(zip((each.name for each in lines), np.linalg.norm(b - a, axis=1).tolist(), strict=True))

    def distance(self, a: MarkerRef, b: MarkerRef) -> float:
        """With all loops closed, wherever the bodies have been brought since."""
        return float(np.linalg.norm(self.closed.point(self.bodies, b) - self.closed.point(self.bodies, a)))


@cache
def _is_led(kind: type[Item]) -> bool:
    """Whether items of a kind have attachments along which they lead, beside their ends."""
    return "along" in kind.model_fields


@frozen
class Around(Surroundings):
    """The surroundings of one item."""

    among: Placed
    item: Any

    @property
    def _ends(self) -> tuple[Site, Site]:
        found: tuple[Site, Site] | None = self.__dict__.get("ends found")
        if found is None:
            found = self.__dict__["ends found"] = self.among.ends(self.item)
        return found

    @property
    def a(self) -> Site:
        return self._ends[0]

    @property
    def b(self) -> Site:
        kind: type[Item] = type(self.item)
        return self.among.site(self.item.b) if _is_led(kind) else self._ends[1]

    @property
    def shapes(self) -> tuple[tuple[Shape, ...], ...]:
        bodies = self.among.bodies
        return tuple(bodies[ref.body].shapes if ref.body in bodies else () for ref in attachments(self.item))

    @property
    def attached(self) -> tuple[Site, ...]:
        return tuple(self.among.site(ref) for ref in attachments(self.item))

    @property
    def site(self) -> Site:
        return self.among.site(self.item.on)

    @property
    def sites(self) -> tuple[Site, ...]:
        return tuple(self.among.site(ref) for ref in self.item.on)

    @property
    def observer(self) -> Site:
        return self.among.site(self.item.seen_from or ON_GROUND)

    @property
    def drawn(self) -> Drawn:
        return self.among.drawn(getattr(self.item, "seen_from", None) or ON_GROUND, self.item.on)

    @property
    def along(self) -> tuple[Site, ...]:
        return tuple(self.among.site(ref) for ref in self.item.along)

    @property
    def scalars(self) -> tuple[int, ...]:
        return self.among.own[self.item.name]

    @property
    def joint(self) -> Joint:
        return self.among.joint(self.item.joint, begin=self.item.drive is not None)

    @property
    def path(self) -> tuple[Path, Surroundings] | None:
        path = self.among.items[self.item.joint]
        return (path, Around(self.among, path)) if isinstance(path, Path) else None

    @property
    def variables(self) -> tuple[Variable, ...]:
        among, found = self.among, []
        for each in self.item.couples:
            joint, state = among.joint(each.joint), among.begin.joints[each.joint]
            index = chosen_variable(joint, each)
            stated: Any = among.items[each.joint]
            open_rate = stated.start_rate is None and each.joint not in among.drives
            found.append(Variable(joint, index, *among.ends(joint), state.values[index], state.X_WJa, open_rate))
        return tuple(found)

    @property
    def partners(self) -> tuple[Item, ...]:
        others = (item for item in self.among.items.values() if item is not self.item)
        return tuple(item for item in others if getattr(item, "joint", None) == self.item.joint)

    def sensed(self, sensor: str) -> Sensed:
        return sensed_position(self.among, self.item, sensor)

    @property
    def readings(self) -> list[Term]:
        return readings_of(self.among, self.item)

    @property
    def carrier(self) -> Carrier:
        body: Any = self.among.bodies[self.item.body]
        return Carrier(body, *self.among.first[body.name])

    def end(self, field: str) -> Site:
        return self.among.site(getattr(self.item, field))

    def deforming(self, field: str) -> Carrier:
        name = getattr(self.item, field).body
        return Carrier(self.among.bodies.get(name), *self.among.first.get(name, (0, 0)))  # type: ignore[arg-type]

    def mass_of(self, body: str) -> float:
        return self.among.bodies[body].weights[0] if body in self.among.bodies else math.inf

    def held(self, body: str) -> bool:
        joints = (item for item in self.among.items.values() if isinstance(item, Joint))
        return body not in self.among.bodies or any(body in (joint.a.body, joint.b.body) for joint in joints)

    @property
    def weight(self) -> float:
        return self.among.weight

    @property
    def length(self) -> float:
        known = self.among.lengths.get(self.item.name)
        return self.among.distance(self.item.a, self.item.b) if known is None else known

    @property
    def offset(self) -> np.ndarray:
        return self.among.offset(self.item.a, self.item.b)

    @property
    def ends_drawn(self) -> tuple[Pose, Pose]:
        return self.among.pose(self.item.a), self.among.pose(self.item.b)

    def poses(self, when: Literal["declared", "begin", "now"]) -> tuple[Pose, ...]:
        among = self.among
        placement = {"declared": among.declared, "begin": among.begin, "now": among.placement}[when]
        return tuple(among.pose(ref, placement) for ref in attachments(self.item))

    def velocities(self) -> tuple[np.ndarray, ...]:
        among, begin = self.among, self.among.begin
        arms = [begin.poses[ref.body].rotate(attachment(among.bodies, ref)[0]) for ref in attachments(self.item)]
        return tuple(
            shift_twist(begin.twists[ref.body], arm) for ref, arm in zip(attachments(self.item), arms, strict=True)
        )
