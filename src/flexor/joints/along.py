"""What is measured along a joint variable: a torque along an angle, a force along a translation, …

Items that act on a joint variable say in their `along` for each field with a unit what it measures and, of a function, what
its argument measures, in these words; which dimension that is follows from the joint. A field of a part is written
`yields.above`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from typing_extensions import TypeIs

from flexor.declaration import Declaration, has
from flexor.functions import Function
from flexor.functions.measure import Misfit, misfit, seen_by, written
from flexor.units import Dimension

Along = dict[str, tuple[str, str | None]]

DIMENSIONS_ALONG: dict[str, dict[str, str]] = {
    "m": {
        "time": "time",
        "coordinate": "length",
        "rate": "velocity",
        "second rate": "acceleration",
        "effort": "force",
        "stiffness": "stiffness",
        "damping": "damping",
        "ratio": "dimensionless",
    },
    "rad": {
        "time": "time",
        "coordinate": "angle",
        "rate": "angular velocity",
        "second rate": "angular acceleration",
        "effort": "torque",
        "stiffness": "rotational stiffness",
        "damping": "rotational damping",
        "ratio": "dimensionless",
    },
}
"""By the unit of the variable."""


class ActsAlong(Protocol):
    """An item that acts along a variable of a joint: a motor, a spring in a joint."""

    along: ClassVar[Along]

    @property
    def joint(self) -> str: ...

    @property
    def variable(self) -> str | None: ...


class HasVariables(Protocol):
    """A joint, or a rod, which has none."""

    type: str

    @property
    def variables(self) -> tuple[str, ...]: ...


def acts_along(item: object) -> TypeIs[ActsAlong]:
    """Whether an item acts along a variable of a joint."""
    kind: Any = type(item)
    return acting_along(kind)


@cache
def acting_along(kind: Any) -> bool:
    """Whether items of a kind do."""
    return has(kind, "along") and has(kind, "joint") and has(kind, "variable")


def has_variables(item: object) -> TypeIs[HasVariables]:
    """Whether it is a joint, or stands where one could."""
    return has(type(item), "variables") and has(type(item), "type")


def misfits_along(item: Declaration, along: Along, unit: str, of: str | None = None) -> Iterator[Misfit]:
    """Values whose units do not fit where the variable is measured in `unit`; of: likewise of what its functions depend on."""
    if {type(getattr(item, field)) for field in _outermost(tuple(along))} <= _BARE:
        return
    names = DIMENSIONS_ALONG[unit]
    for field, (values, argument) in along.items():
        parts, last = _path(field)
        owner: Declaration | None = item
        for part in parts:
            owner = getattr(owner, part)
        value = None if owner is None else getattr(owner, last)
        if value is None or type(value) is float or owner is None:  # there is no unit in it
            continue
        wanted = Dimension.of(names[values])
        if isinstance(value, Function):
            given = None if argument is None else Dimension.of(DIMENSIONS_ALONG[of or unit][argument])
            yield from (each.inside(*parts, last) for each in value.misfits(wanted, seen_by(value, {None: given})))
        else:
            for path, number in written(owner, (last,)):
                yield from (each.inside(*parts) for each in misfit(path, number, wanted))


_BARE = {float, type(None)}
"""In these there is no unit."""


@cache
def _outermost(fields: tuple[str, ...]) -> tuple[str, ...]:
    """The fields of the item itself, each once."""
    return tuple(dict.fromkeys(field.partition(".")[0] for field in fields))


@cache
def _path(field: str) -> tuple[tuple[str, ...], str]:
    """The parts that a field is in, and its name there."""
    *parts, last = field.split(".")
    return tuple(parts), last
