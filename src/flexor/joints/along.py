"""What is measured along a joint variable: a torque along an angle, a force along a translation, …

Items that act on a joint variable say in their `along` for each field with a unit what it measures and, of a function, what
its argument measures, in these words; which dimension that is follows from the joint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from typing_extensions import TypeIs

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
    },
    "rad": {
        "time": "time",
        "coordinate": "angle",
        "rate": "angular velocity",
        "second rate": "angular acceleration",
        "effort": "torque",
        "stiffness": "rotational stiffness",
        "damping": "rotational damping",
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
    return hasattr(item, "along") and hasattr(item, "joint") and hasattr(item, "variable")


def has_variables(item: object) -> TypeIs[HasVariables]:
    """Whether it is a joint, or stands where one could."""
    return hasattr(item, "variables") and hasattr(item, "type")
