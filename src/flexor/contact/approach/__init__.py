"""How near two surfaces are, one file a family of pairs. A new pair is one more line in PAIRS."""

from __future__ import annotations

from flexor.bodies.shape import Plane, Sphere
from flexor.contact.approach.pair import Pair as Pair
from flexor.contact.approach.pair import pair, turned
from flexor.contact.approach.point import approach_plane_sphere, approach_sphere_sphere

PAIRS: dict[tuple[type, type], Pair] = {
    (Sphere, Sphere): pair(approach_sphere_sphere),
    (Plane, Sphere): pair(approach_plane_sphere),
}
"""Which surfaces can touch; each pair stands in one order only."""


def pair_of(a: type, b: type) -> Pair | None:
    """How surfaces of these shapes approach each other; None if that is not known."""
    if (a, b) in PAIRS:
        return PAIRS[a, b]
    return turned(PAIRS[b, a]) if (b, a) in PAIRS else None


def partners_of(kind: type) -> tuple[type, ...]:
    """Shapes that one of this kind can touch."""
    found = [b if a is kind else a for a, b in PAIRS if kind in (a, b)]
    return tuple(dict.fromkeys(found))
