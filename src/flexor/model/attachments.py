"""The bodies that an item is attached to, and those that it binds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from operator import attrgetter

from flexor.bodies import MarkerRef
from flexor.declaration import Item, answers
from flexor.joints import Joint
from flexor.model.joint_state import GROUND


def references(item: Item) -> list[tuple[str, MarkerRef]]:
    """The attachments of an item, each with the field it stands in."""
    kind = type(item)
    if (ends := _two_ends(kind)) is not None:
        return list(zip(attaching(kind), ends(item)))
    found = []
    for key in attaching(kind):
        value = getattr(item, key)
        values = value if isinstance(value, tuple) else (value,)
        found += [(key, ref) for ref in values if isinstance(ref, MarkerRef)]
    return found


@cache
def attaching(kind: type[Item]) -> tuple[str, ...]:
    """Fields that may hold attachments."""
    return tuple(key for key, field in kind.model_fields.items() if "MarkerRef" in repr(field.annotation))


@cache
def _two_ends(kind: type[Item]) -> Callable[[Item], tuple[MarkerRef, ...]] | None:
    """Both attachments of an item at once, of kinds that have two in any case, as most springs and joints; else None."""
    keys = attaching(kind)
    certain = len(keys) == 2 and all(kind.model_fields[key].annotation is MarkerRef for key in keys)
    return attrgetter(*keys) if certain else None


def attachments(item: Item) -> tuple[MarkerRef, ...]:
    """The attachments of an item, in the order of its fields: both ends of a spring or rod."""
    kind = type(item)
    if (ends := _two_ends(kind)) is not None:
        return ends(item)
    return tuple([ref for _, ref in references(item)]) if attaching(kind) else ()


def bound_bodies(item: Item, joints: Mapping[str, Joint]) -> list[str]:
    """Names of the bodies that an item binds; the ground is none. joints: by name, as far as variables of them are coupled."""
    if isinstance(item, Joint):
        return [ref.body for ref in (item.a, item.b) if ref.body != GROUND]
    if not answers(type(item), "binds") or not item.binds:
        return []
    ends = [*attachments(item)]
    for each in item.couples:
        ends += [joints[each.joint].a, joints[each.joint].b]
    return list(dict.fromkeys(ref.body for ref in ends if ref.body != GROUND))


def joints_of(items: Iterable[Item]) -> dict[str, Joint]:
    """The joints by name."""
    return {item.name: item for item in items if isinstance(item, Joint)}
