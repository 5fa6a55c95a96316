"""What a user writes for the friction of a contact; the formulas are in `flexor.contact.laws.friction`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from flexor.contact.laws.friction import NONE, SMOOTH, STICK, SurfaceFriction
from flexor.declaration import Angle, Declaration, Length, quantity
from flexor.law.record import Packed

Speed = Annotated[float, quantity("velocity")]
Spin = Annotated[float, quantity("angular velocity")]
MICRO_SLIP, MICRO_TURN, SMOOTH_SPIN = 1e-6, 1e-4, 1e-2


class ContactFriction(Declaration):
    """Friction between the surfaces of a contact: dry, with true sticking or smooth; resistance to rolling and spinning."""

    positional: ClassVar[tuple[str, ...]] = ("coefficient",)
    coefficient: float = Field(0.0, description="Coefficient of friction μ.", ge=0)
    model: Literal["stick", "smooth"] = Field(
        "stick",
        description="stick: what rests, rests; smooth: a function of the sliding speed alone, with which it creeps.",
    )
    stribeck: float = Field(0.0, description="How much larger static friction is: 0.5 for half as large again.", ge=0)
    slip_speed: Speed = Field(0.0, description="Speed at which that has fallen to a third (1/e) [m/s].", ge=0)
    smooth_speed: Speed = Field(0.0, description="Of smooth: speed up to which friction rises [m/s].", ge=0)
    micro_slip: Length = Field(
        MICRO_SLIP, description="Of stick: how far the surfaces give way before they slide [m].", gt=0
    )
    rolling: Length = Field(0.0, description="Rolling resistance: moment over normal force [m].", ge=0)
    spinning: Length = Field(
        0.0, description="Resistance to spinning about the normal: moment over normal force [m].", ge=0
    )
    micro_turn: Angle = Field(
        MICRO_TURN,
        description="Of stick: angle that rolling and spinning give way before they are resisted in full [rad].",
        gt=0,
    )
    smooth_spin: Spin = Field(
        SMOOTH_SPIN, description="Of smooth: angular velocity up to which that resistance rises [rad/s].", gt=0
    )

    @model_validator(mode="after")
    def _fits_itself(self) -> ContactFriction:
        if (self.stribeck > 0) != (self.slip_speed > 0):
            raise ValueError("stribeck and slip_speed belong together; e.g. stribeck: 0.5, slip_speed: 0.1")
        if self.model == "smooth" and not self.smooth_speed:
            raise ValueError(
                "smooth_speed is missing, the speed up to which smooth friction rises; e.g. model: smooth, smooth_speed: 0.01 m/s"
            )
        if self.model != "smooth" and self.smooth_speed:
            raise ValueError(
                f"smooth_speed has no effect with model: {self.model}; leave it out, or give model: smooth"
            )
        if self.stribeck and not self.coefficient:
            raise ValueError("stribeck has no effect without coefficient")
        if self.model == "smooth" and (self.micro_slip, self.micro_turn) != (MICRO_SLIP, MICRO_TURN):
            raise ValueError("micro_slip and micro_turn have no effect; nothing sticks with model: smooth")
        turns = self.rolling or self.spinning
        if (self.micro_turn != MICRO_TURN and not turns) or (
            self.smooth_spin != SMOOTH_SPIN and (self.model == "stick" or not turns)
        ):
            raise ValueError(
                "micro_turn and smooth_spin have no effect without rolling or spinning, of stick or smooth friction"
            )
        return self

    @property
    def rubs(self) -> bool:
        """Whether there is any."""
        return bool(self.coefficient or self.rolling or self.spinning)

    def packed(self) -> Packed:
        """Parameters of the law."""
        model = NONE if not self.rubs else SMOOTH if self.model == "smooth" else STICK
        fields = {field: getattr(self, field) for field in type(self).model_fields if field != "model"}
        return SurfaceFriction.pack(model=model, holds=0, held=0.0, **fields)


def _coefficient(value: object) -> object:
    if isinstance(value, str):
        raise ValueError(
            f"a coefficient of friction is a plain number, e.g. friction: 0.3, not {value!r}; of an angle give its tangent"
        )
    return {"coefficient": value} if isinstance(value, int | float) and not isinstance(value, bool) else value


def coefficient_alone() -> Any:
    """Of a class with a field `friction`: friction: 0.3 is friction: {coefficient: 0.3}."""
    return field_validator("friction", mode="before", json_schema_input_type=ContactFriction | float)(_coefficient)
