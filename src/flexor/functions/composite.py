"""What functions made of other functions have in common."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from flexor.functions.function import Function
from flexor.units import Dimension

DEEPEST = 16


class Composite(Function):
    """Base of functions with members; its evaluator is put together from theirs."""

    @property
    def members(self) -> tuple[Function, ...]:
        """The functions it consists of."""
        raise TypeError(f"{type(self).__name__} declares no members")

    @property
    def depth(self) -> int:
        """Levels of nesting, 1 if no member has members."""
        return 1 + max(member.depth if isinstance(member, Composite) else 0 for member in self.members)

    @model_validator(mode="after")
    def _not_too_deep(self) -> Self:
        if self.depth > DEEPEST:
            raise ValueError(f"more than {DEEPEST} sums, products and factors are nested; write them side by side")
        return self

    @model_validator(mode="after")
    def _of_its_sensor(self) -> Self:
        others = [name for name in self._arguments if name != self.sensor]
        if self.sensor is not None and others:
            listed = ", ".join("time" if name is None else f"sensor '{name}'" for name in others)
            raise ValueError(
                f"sensor is '{self.sensor}', but its parts are functions of {listed}; give each part its own sensor"
            )
        return self

    @property
    def _arguments(self) -> tuple[str | None, ...]:
        """What its members are functions of."""
        return tuple(dict.fromkeys(name for member in self.members for name in member.arguments))

    @property
    def arguments(self) -> tuple[str | None, ...]:
        return self._arguments or super().arguments

    @property
    def varies(self) -> bool:
        return any(member.varies for member in self.members)

    @property
    def argument_measures(self) -> Dimension | None:
        if self.several:
            return None
        return next((found for member in self.members if (found := member.argument_measures)), None)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        """Of several things those in time."""
        own = self.members
        if self.several:
            own = tuple(member for member in own if None in member.arguments)
        return tuple(sorted({point for member in own for point in member.breakpoints}))
