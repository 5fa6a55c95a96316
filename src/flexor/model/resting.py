"""Which body rests where joints only tell how bodies move against each other, and nothing tells how one of them moves.

A rate of a joint, `start_rate` or a motor's, moves one side of it against the other. Of bodies that no joint leads to from the
ground, nor from a body of given velocity, that one rests which lets the others strain the least, in this order:

    rods to what is outside, (u · Δv)², then springs, Σ k (u · Δv)², then dampers, Σ d (u · Δv)²

with u the direction of the spring and Δv the velocity of its ends against each other. Where that does not decide, because
it differs by less than tenfold, a body that is attached to something outside rests rather than one that is not, then one on side A
of its joints rather than one on side B. The order of the items plays no part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.declaration import Item, answers
from flexor.joints import Joint
from flexor.model.attachments import attachments
from flexor.model.joint_state import GROUND, Placement, Undecided
from flexor.spatial import shift_twist

DECIDES = 10.0
"""How many times more a choice must strain the springs to be ruled out."""
ROUNDING = 1e-12
"""Strain, of what it would be with all velocities along the springs, that is none."""

Twists = Mapping[str, np.ndarray]


def held(items: Iterable[Item]) -> set[str]:
    """Bodies that springs or rods connect with the ground."""
    found: set[str] = set()
    for item in items:
        if answers(type(item), "line"):
            ends = [end.body for end in attachments(item)]
            if GROUND in ends and item.line is not None:
                found.update(ends)
    return found - {GROUND}


def resting(
    group: set[str],
    driven: Sequence[Joint],
    ties: Sequence[Item],
    bodies: Mapping[str, Body],
    placement: Placement,
    moved: Callable[[str], Twists],
) -> tuple[str, Undecided | None]:
    """The body of a group that rests.

    ties: what holds bodies of the group, and may lead out of it.   driven: joints with a rate, between bodies of the group.   moved: twists of the group if a body of it rests.
    """
    ties = [item for item in ties if _leads_out(item, group)]
    attached, by_law = (
        {ref.body for item in ties if (item.line is None) is unknown for ref in attachments(item)} & group
        for unknown in (False, True)
    )
    sources = group - {joint.b.body for joint in driven}
    candidates = sorted(attached | by_law | sources or group)
    if len(candidates) == 1:
        return candidates[0], None
    motions = {name: moved(name) for name in candidates}
    for weight in (_rod, _stiffness, _damping):
        strains = {name: _strain(ties, weight, bodies, placement, motions[name]) for name in candidates}
        most = max(most for _, most in strains.values())
        least = min(strain for strain, _ in strains.values())
        candidates = [name for name in candidates if strains[name][0] <= DECIDES * least + ROUNDING * most]
    rank = {name: (name not in attached, name not in sources) for name in candidates}
    best = min(candidates, key=lambda name: (*rank[name], name))

    def as_likely(name: str) -> bool:
        if best in attached or name in attached:
            return best in attached and name in attached
        return rank[name] == rank[best] or (name in by_law and best not in by_law)

    others = [name for name in candidates if name != best and as_likely(name)]
    others = [name for name in others if any(not np.allclose(motions[name][b], motions[best][b]) for b in group)]
    if not others:
        return best, None
    other = min(others, key=lambda name: (rank[name], name))
    between = [joint for joint in driven if {joint.a.body, joint.b.body} == {best, other}] or list(driven)
    return best, Undecided(min(joint.name for joint in between), best, other)


def _leads_out(item: Item, group: set[str]) -> bool:
    ends = {ref.body for ref in attachments(item)} if item.holds else set()
    return bool(ends & group) and bool(ends - group)


def _strain(
    ties: Sequence[Item],
    weight: Callable[[Item], float],
    bodies: Mapping[str, Body],
    placement: Placement,
    twists: Twists,
) -> tuple[float, float]:
    """Σ w (u · Δv)², and the most that it could be, Σ w Δv²."""
    strain = most = 0.0
    for item in ties:
        w = weight(item)
        if w == 0.0:
            continue
        ends = attachments(item)
        points = [placement.point(bodies, ref) for ref in ends]
        velocities = [_velocity(placement, ref, point, twists) for ref, point in zip(ends, points)]
        along, apart = points[1] - points[0], velocities[1] - velocities[0]
        length = float(np.linalg.norm(along))
        rate = float(apart @ along) / length if length > 0 else float(np.linalg.norm(apart))
        strain, most = strain + w * rate**2, most + w * float(apart @ apart)
    return strain, most


def _velocity(placement: Placement, ref: MarkerRef, point: np.ndarray, twists: Twists) -> np.ndarray:
    if ref.body not in twists:
        return np.zeros(3)
    velocity: np.ndarray = shift_twist(twists[ref.body], point - placement.poses[ref.body].p)[:3]
    return velocity


def _rod(item: Item) -> float:
    return 1.0 if item.line is not None and item.line.prescribed else 0.0


def _stiffness(item: Item) -> float:
    return item.resistance()[0] if item.line is not None else 0.0


def _damping(item: Item) -> float:
    return item.resistance()[1] if item.line is not None else 0.0
