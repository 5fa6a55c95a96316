"""Parts of springs: when they yield or fail, their hysteresis, their stops.   FTG 5.1.1

Numbers are in N or N m, m or rad, by what the spring acts along; text with a unit is checked where that is known.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, model_validator

from flexor.declaration import Declaration, Number
from flexor.functions import AnyFunction, Constant, Function, as_function
from flexor.functions.measure import least_known
from flexor.joints.along import Along
from flexor.units import Measured


class Yield(Declaration):
    """The elastic force stays between two limits; what goes beyond remains as a permanent deflection.

    `yields=2000` is short for limits of ±2000. Limits that are functions of time or of a sensor make a clutch.
    """

    positional: ClassVar[tuple[str, ...]] = ("above", "below")
    along: ClassVar[Along] = {"above": ("effort", "time"), "below": ("effort", "time")}
    above: AnyFunction | None = Field(
        None, description="Largest elastic force [N or N m], positive; a number or a function of time or of a sensor."
    )
    below: AnyFunction | None = Field(None, description="Least elastic force [N or N m], negative; likewise.")

    @model_validator(mode="after")
    def _on_their_sides(self) -> Yield:
        if self.above is None and self.below is None:
            raise ValueError("it has no limit; give above or below, e.g. above: 2 kN")
        for field, function, sign in (("above", self.above, 1.0), ("below", self.below, -1.0)):
            if function is None:
                continue
            value = getattr(function, "value", None)
            if value is not None and sign * value <= 0.0:
                side = "positive" if sign > 0 else "negative"
                why = "the spring would carry nothing" if value == 0.0 else "a relaxed spring would yield"
                raise ValueError(f"{field} = {value:g} must be {side}; {why}")
            if not function.sensors and least_known(function if sign > 0 else _negative(function))[0] < 0.0:
                side = "negative" if sign > 0 else "positive"
                raise ValueError(
                    f"{field} becomes {side}; a limit of 0 lets the spring go, beyond that it has no meaning"
                )
        return self


def _both_sides(given: Any) -> Any:
    """A limit alone holds for both sides."""
    if isinstance(given, Yield) or (isinstance(given, dict) and "type" not in given):
        return given
    limit = as_function(given)
    if not isinstance(limit, Function):
        raise ValueError("write a limit for both sides, or above and below: yields: {above: 2 kN, below: -1 kN}")
    text = getattr(getattr(limit, "value", None), "text", None)
    return {"above": limit, "below": f"-{text.lstrip('+ ')}" if text else _negative(limit)}


Limits = Annotated[Yield, BeforeValidator(_both_sides, json_schema_input_type=float | str | AnyFunction | Yield)]
"""Field type of yield limits: those of both sides, or one for both."""


def _negative(limit: Function) -> Function:
    return Constant(value=-limit.value) if isinstance(limit, Constant) else -limit


class Failure(Declaration):
    """A spring that goes beyond one of these limits fails, and carries nothing from then on."""

    positional: ClassVar[tuple[str, ...]] = ()
    along: ClassVar[Along] = {
        "deflection_above": ("coordinate", None),
        "deflection_below": ("coordinate", None),
        "force_above": ("effort", None),
        "force_below": ("effort", None),
    }
    deflection_above: Number | None = Field(None, description="Largest deflection [m or rad], positive.")
    deflection_below: Number | None = Field(None, description="Least deflection [m or rad], negative.")
    force_above: Number | None = Field(None, description="Largest elastic force [N or N m], positive.")
    force_below: Number | None = Field(None, description="Least elastic force [N or N m], negative.")
    others: bool = Field(False, description="Whether the other springs of the joint fail with it.")

    @model_validator(mode="after")
    def _on_their_sides(self) -> Failure:
        limits = {
            "deflection_above": 1.0,
            "force_above": 1.0,
            "deflection_below": -1.0,
            "force_below": -1.0,
        }
        if all(getattr(self, name) is None for name in limits):
            raise ValueError("it has no limit; give one, e.g. force_above: 2 kN")
        for name, sign in limits.items():
            value = getattr(self, name)
            if value is not None and sign * value <= 0.0:
                side = "positive" if sign > 0 else "negative"
                raise ValueError(
                    f"{name} = {value:g} must be {side}; a relaxed spring would have failed: change its sign"
                )
        return self


class BoucWen(Declaration):
    """Hysteresis after Bouc and Wen: a force `force`·ζ that follows the deflection with a memory, beside what else the spring has.

    dζ/dδ = [1 − |ζ|ⁿ (1 − shape + shape·sign(ζ dδ))]/deflection. It begins with the stiffness force/deflection and bends towards ±force.
    """

    positional: ClassVar[tuple[str, ...]] = ("force", "deflection")
    along: ClassVar[Along] = {"force": ("effort", None), "deflection": ("coordinate", None)}
    force: Number = Field(description="Force that it tends to [N or N m].", gt=0)
    deflection: Number = Field(
        description="Deflection at which it would be reached with the first stiffness [m or rad].", gt=0
    )
    sharpness: float = Field(
        2.0, description="n: how sharply it bends; 1 is soft, 10 nearly elastic–plastic.", ge=1, le=100
    )
    shape: float = Field(
        0.5,
        description="From ½, where it goes back straight at first, to 1, where it bends back as it came.",
        ge=0.5,
        le=1,
    )


class Stop(Declaration):
    """End stop: where the variable passes `at`, a contact F = stiffness·pᵉ·(1 + dissipation·ṗ) of depth p, which never pulls."""

    positional: ClassVar[tuple[str, ...]] = ("at", "stiffness")
    along: ClassVar[Along] = {"at": ("coordinate", None), "stiffness": ("stiffness", None)}
    at: Number = Field(description="Length or joint variable at which it begins [m or rad].")
    stiffness: Number = Field(description="Stiffness [N/mᵉ or N m/radᵉ]; a number without unit unless e = 1.", gt=0)
    exponent: float = Field(1.0, description="e: 1 for a linear contact, 1.5 between balls (Hertz).", ge=1, le=5)
    dissipation: float = Field(
        0.0,
        description="Damping [s/m or s/rad]; about 1.5 (1 − e)/v for a coefficient of restitution e at the speed v.",
        ge=0,
    )

    @model_validator(mode="after")
    def _unit_of_a_linear_contact(self) -> Stop:
        if self.exponent != 1.0 and isinstance(self.stiffness, Measured):
            raise ValueError(
                f"stiffness = {self.stiffness.text} has a unit, but with exponent = {self.exponent:g} it is measured in N/mᵉ or "
                "N m/radᵉ; write it as a number in these"
            )
        return self


PARTS = (Yield, Failure, BoucWen, Stop)
