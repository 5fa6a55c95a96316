"""Functions with a frequency: written in Hz, rad/s or rpm it says that they are functions of time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field

from flexor.declaration import AS_WRITTEN, remembered
from flexor.errors import Problem
from flexor.functions.function import Function
from flexor.functions.measure import Misfit, written
from flexor.units import Dimension

TIME = Dimension.of("time")


class Periodic(Function):
    """Base of functions that repeat themselves `frequency` times per unit of x."""

    frequency: Annotated[float, remembered("frequency"), AS_WRITTEN] = Field(
        description="Frequency, of the first order: 5 (in Hz, or per unit of x), 5 Hz, 31.4 rad/s or 300 rpm.", gt=0
    )

    @property
    def argument_measures(self) -> Dimension | None:
        return TIME if any(written(self, ("frequency",))) else super().argument_measures

    def misfits(self, values: Dimension | None, argument: Dimension | None) -> Iterator[Misfit]:
        yield from super().misfits(values, argument)
        for path, value in written(self, ("frequency",)):
            if argument is not None and argument.powers != TIME.powers:
                what = f"{value.dimension.unit} is a frequency in time"
                why = f"this is a function of {argument.name or 'a variable'} [{argument.unit}]"
                yield Misfit(
                    path, Problem(repr(value.text), what, why, f"write cycles per {argument.unit} as a number")
                )
