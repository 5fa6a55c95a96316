"""What springs of every kind may have beside stiffness and damping, and how they become terms."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from pydantic import Field, model_validator

from flexor.coordinates.characteristic import characteristic_of
from flexor.coordinates.details import DetailedForce, Past, breaking_force, detailed_force
from flexor.coordinates.force import ForceAlong, LastStep, force_along
from flexor.coordinates.hysteresis import Loop
from flexor.coordinates.stop import StopRecord
from flexor.declaration import Item
from flexor.effects import Doubt
from flexor.forces.idle import idle
from flexor.forces.spring_parts import BoucWen, Failure, Limits, Stop, Yield
from flexor.functions import AnyFunction, Constant, Function
from flexor.functions.accumulated import with_slope
from flexor.functions.call import Reads, packed
from flexor.joints.along import Along
from flexor.joints.guide_drive_law import PastOnGuide, SpringOnGuide, breaking_spring_on_guide, spring_on_guide
from flexor.law import Output, Remembered, Term
from flexor.law.reading import reading_term
from flexor.law.record import Packed

NO_LIMIT = 1e99
FAILED = 7
"""Number of the signal that tells whether a spring has failed."""
_NO_STOP = StopRecord.pack(there=0, at=0.0, stiffness=0.0, exponent=1.0, dissipation=0.0)
_NO_LOOP = Loop.pack(there=0, force=0.0, deflection=1.0, sharpness=1.0, shape=0.5)

ALONG: Along = {
    "scale": ("ratio", "time"),
    "damping_scale": ("ratio", "time"),
    "stiffness_by_deflection": ("stiffness", "coordinate"),
    "damping_by_deflection": ("damping", "coordinate"),
    "damping_by_rate": ("damping", "rate"),
    **{f"yields.{field}": what for field, what in Yield.along.items()},
    **{f"fails.{field}": what for field, what in Failure.along.items()},
    **{f"hysteresis.{field}": what for field, what in BoucWen.along.items()},
    **{f"{stop}.{field}": what for stop in ("lower_stop", "upper_stop") for field, what in Stop.along.items()},
}
"""What its fields measure."""
BY_SENSOR = ("scale", "damping_scale", "yields.above", "yields.below")


class SpringDetails(Item):
    """Base of springs; those that list it first get its fields behind their own."""

    scale: AnyFunction | None = Field(
        None, description="What the elastic force is multiplied by, a function of time or of a sensor."
    )
    damping_scale: AnyFunction | None = Field(
        None, description="What the damping force is multiplied by, a function of time or of a sensor."
    )
    stiffness_by_deflection: AnyFunction | None = Field(
        None, description="Further stiffness as a function of deflection: the slope of the force."
    )
    damping_by_deflection: AnyFunction | None = Field(
        None, description="Further damping coefficient as a function of deflection."
    )
    damping_by_rate: AnyFunction | None = Field(
        None, description="Further damping coefficient as a function of rate: the slope of the damping force."
    )
    yields: Limits | None = Field(
        None, description="Limits of the elastic force, at which it yields; a number for ± that."
    )
    fails: Failure | None = Field(None, description="Limits of deflection or force, beyond which it fails.")
    hysteresis: BoucWen | None = Field(None, description="Hysteretic force after Bouc and Wen, beside the others.")
    lower_stop: Stop | None = Field(None, description="End stop at small values of the length or joint variable.")
    upper_stop: Stop | None = Field(None, description="End stop at large values.")

    by_sensor: ClassVar[tuple[str, ...]] = BY_SENSOR

    @model_validator(mode="after")
    def _consistent(self) -> SpringDetails:
        me: Any = self
        if self.lower_stop is not None and self.upper_stop is not None and self.lower_stop.at >= self.upper_stop.at:
            raise ValueError(
                f"lower_stop at {self.lower_stop.at:g} is not below upper_stop at {self.upper_stop.at:g}; exchange them"
            )
        elastic = me.stiffness or me.force is not None or self.stiffness_by_deflection is not None
        if self.yields is not None and not elastic:
            raise ValueError(
                "yields has no effect without an elastic force; give stiffness, or hysteresis instead of it"
            )
        return self

    @property
    def elastic_force(self) -> Function | None:
        """What it has beside k δ, as a function of deflection."""
        me: Any = self
        return with_slope(me.force, self.stiffness_by_deflection)

    @property
    def damping_force(self) -> Function | None:
        """What it has beside d q̇, as a function of rate."""
        me: Any = self
        return with_slope(me.damper, self.damping_by_rate)

    @property
    def pulls(self) -> bool:
        """Whether it has forces that are not linear."""
        return self.elastic_force is not None or self._detailed

    def resistance(self) -> tuple[float, float]:
        me: Any = self
        k, d = _slope(me.stiffness, self.elastic_force), _slope(me.damping, self.damping_force)
        if self.hysteresis is not None:
            k += self.hysteresis.force / self.hysteresis.deflection
        return k, d

    def idle(self, free: str, given: bool) -> list[Doubt]:
        """What has no effect; free: field of its stress-free position.   given: whether the user did."""
        me: Any = self
        more = self.hysteresis is not None or self.stiffness_by_deflection is not None
        by_deflection = more or self.damping_by_deflection is not None
        found = idle(me, free, given, by_deflection, self._detailed or self.damping_by_rate is not None)
        elastic = me.stiffness or me.force is not None or more
        if self.scale is not None and not (
            me.stiffness or me.force is not None or self.stiffness_by_deflection is not None
        ):
            found.append(Doubt("scale has no effect", "there is neither stiffness nor force", "leave it out", "scale"))
        damped = (
            me.damping
            or me.damper is not None
            or self.damping_by_rate is not None
            or self.damping_by_deflection is not None
        )
        if self.damping_scale is not None and not damped:
            found.append(Doubt("damping_scale has no effect", "there is no damping", "leave it out", "damping_scale"))
        if self.fails is not None and not elastic and (self.fails.force_above or self.fails.force_below):
            found.append(Doubt("fails.force_… has no effect", "there is no elastic force", "give deflections", "fails"))
        return found

    @property
    def _detailed(self) -> bool:
        """Whether it has more than force over deflection and over rate."""
        plain = self.scale is None and self.damping_scale is None and self.damping_by_deflection is None
        lasting = self.yields is None and self.fails is None and self.hysteresis is None
        return not (plain and lasting and self.lower_stop is None and self.upper_stop is None)

    def spring_terms(
        self,
        nodes: tuple[int, ...],
        measured: dict[str, Any],
        free: Function,
        *,
        unit: str = "m",
        outputs: tuple[Output, ...] | None = None,
        start: float = 0.0,
        counts: tuple[Remembered, ...] = (),
        partners: Sequence[Item] = (),
        on_guide: bool = False,
    ) -> list[Term]:
        """Its law in use, the plain one where that serves.

        measured: m, a, b, sign, single of the law; line and sign on a guide.   outputs: where they are not those of an axial spring.
        partners: others in the same joint, which may take it along.
        """
        me: Any = self
        by = Reads()
        spring = characteristic_of(me.stiffness, me.damping, self.elastic_force, self.damping_force, free, by)
        breaking = [f"{each.name}.failed" for each in partners if _takes_others(each)]
        if not self._detailed and not breaking and not on_guide:
            parameters = ForceAlong.pack(**measured, of=spring)
            history, law, detailed = LastStep.begin(value=start), force_along, False
        else:
            record = SpringOnGuide if on_guide else DetailedForce
            parameters = record.pack(**measured, **self._details(spring, by, breaking))
            history, law, detailed = Past.begin(value=start, scale=1.0, margin=1.0), detailed_force, True
            if on_guide:
                history, law = PastOnGuide.begin(value=start, scale=1.0, s=start, margin=1.0), spring_on_guide
            if self.fails is not None or breaking:
                law = breaking_spring_on_guide if on_guide else breaking_force
            effort = outputs[1] if outputs else Output("force", "N")
            place = Output("length", "m") if outputs is None else Output("value", unit)
            told = (
                Output("deflection", unit), effort, Output("strain_energy", "J"), place, Output("rate", f"{unit}/s"),
                Output("dissipated", "J"), Output("input", "J"), Output("failed", ""), Output("yield_deflection", unit),
                Output("hysteresis", ""),
            )  # fmt: skip
            last = 10 if self.hysteresis else 9 if self.yields else 8 if self.fails or breaking else 7
            outputs = told[:last] if self._detailed or breaking else told[:3]
        term = Term(
            me.name,
            by.law(law),
            nodes,
            history=history,
            work="work",
            forgets=not detailed and unit == "m" and not counts and isinstance(free, Constant),  # no turns, no work
            own_outputs=outputs,
            parameters=parameters,
            counts=counts,
            reads=by.reads,
            loss="loss" if detailed else "",
            breaks="failed" if detailed else "",
        )
        if not _takes_others(self):
            return [term]
        mark = replace(term, own_outputs=(*told[:8],))  # type: ignore[possibly-undefined]
        return [term, replace(reading_term(f"{me.name}.failed", mark, FAILED), own_outputs=())]

    def _details(self, spring: Packed, by: Reads, breaking: list[str]) -> dict[str, Any]:
        """Fields of `SpringRecord`, with everything."""
        limits = self.yields or Yield(above=NO_LIMIT)
        fails = self.fails
        loop = self.hysteresis
        scale, damping_scale = by.drive(self.scale), by.drive(self.damping_scale)
        below, above = by.drive(limits.below or Constant(-NO_LIMIT)), by.drive(limits.above or Constant(NO_LIMIT))
        numbers = [by.number(name) for name in breaking]
        return {
            "of": spring,
            "scale": scale,
            "damping_scale": damping_scale,
            "damping_by_deflection": packed(self.damping_by_deflection),
            "yields": int(self.yields is not None),
            "yield_below": below,
            "yield_above": above,
            "hysteresis": _NO_LOOP
            if loop is None
            else Loop.pack(
                there=1, force=loop.force, deflection=loop.deflection, sharpness=loop.sharpness, shape=loop.shape
            ),
            "lower": _stop(self.lower_stop),
            "upper": _stop(self.upper_stop),
            "fails": int(fails is not None),
            "least_deflection": _limit(fails, "deflection_below", -NO_LIMIT),
            "largest_deflection": _limit(fails, "deflection_above", NO_LIMIT),
            "least_force": _limit(fails, "force_below", -NO_LIMIT),
            "largest_force": _limit(fails, "force_above", NO_LIMIT),
            "others": len(numbers),
            "first_other": numbers[0] if numbers else 0,
        }


def _takes_others(item: Item) -> bool:
    """Whether it takes the other springs of its joint with it when it fails."""
    return isinstance(item, SpringDetails) and item.fails is not None and item.fails.others


def _limit(fails: Failure | None, field: str, none: float) -> float:
    value = None if fails is None else getattr(fails, field)
    return none if value is None else float(value)


def _stop(stop: Stop | None) -> Packed:
    if stop is None:
        return _NO_STOP
    return StopRecord.pack(
        there=1, at=stop.at, stiffness=stop.stiffness, exponent=stop.exponent, dissipation=stop.dissipation
    )


def _slope(constant: float, more: Function | None) -> float:
    """Slope of a characteristic where the spring is undeformed."""
    return abs(constant + (more.derivative(0.0) if more is not None else 0.0))
