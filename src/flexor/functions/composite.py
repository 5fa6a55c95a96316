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
    def _of_one_thing(self) -> Self:
        known = {member.reads for member in self.members if member.varies} | ({self.sensor} - {None})
        if len(known) > 1:
            listed = ", ".join(f"sensor '{name}'" if name else "time" for name in sorted(known, key=str))
            raise ValueError(f"its parts are functions of different things: {listed}; let each be a load of its own")
        return self

    @property
    def reads(self) -> str | None:
        return self.sensor or next((name for member in self.members if (name := member.reads)), None)

    @property
    def argument_measures(self) -> Dimension | None:
        return next((found for member in self.members if (found := member.argument_measures)), None)

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return tuple(sorted({point for member in self.members for point in member.breakpoints}))
