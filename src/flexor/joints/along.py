"""What is measured along a joint variable: a torque along an angle, a force along a translation, …

Items that act on a joint variable say in their `along` for each field with a unit what it measures and, of a function, what
its argument measures, in these words; which dimension that is follows from the joint.
"""

from __future__ import annotations

from typing import ClassVar, Protocol, runtime_checkable

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


@runtime_checkable
class ActsAlong(Protocol):
    """An item that acts along a variable of a joint: a motor, a spring in a joint."""

    along: ClassVar[Along]

    @property
    def joint(self) -> str: ...

    @property
    def variable(self) -> str | None: ...


@runtime_checkable
class HasVariables(Protocol):
    """A joint, or a rod, which has none."""

    type: str

    @property
    def variables(self) -> tuple[str, ...]: ...
