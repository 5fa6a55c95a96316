"""What all transmissions are: a sum of joint variables that stays as it is, or that teeth spring back to.   FTG 6.4"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from flexor.coordinates.combination import (
    Counted,
    Teeth,
    Weighted,
    combined,
    constraint_on_combination,
    force_along_combination,
)
from flexor.coordinates.frames import packed as frame
from flexor.declaration import Item, Number, bounded
from flexor.dotted import NAME
from flexor.effects import Coupled, Doubt
from flexor.functions import Function
from flexor.joints.along import Along
from flexor.joints.joint import joint_name
from flexor.joints.surroundings import Surroundings, Variable
from flexor.law import Output, Remembered, Term


def well_named(name: str) -> str:
    """Refused where it is not a joint, or a joint and a variable."""
    if any(not part.strip() for part in name.split(".")):
        raise ValueError(f"{name!r} names no joint variable; write the joint, or joint.variable, e.g. sleeve.angle")
    return name


NameOfVariable = Annotated[str, BeforeValidator(joint_name, json_schema_input_type=str), AfterValidator(well_named)]
"""Field type: a joint, or one of its variables ("sleeve.angle"), by its name; in Python also the joint itself."""
NotNegative = Annotated[Number, Field(ge=0)]
Ratio = Annotated[float, AfterValidator(bounded)]


ONE_HOUSING = "let both stand on one body"
"""What helps where a ratio holds in a housing that all its joints must stand on."""


def coupled(field: str, name: str, unit: str = "") -> Coupled:
    """What a field names: a joint, or a joint and its variable."""
    joint, dot, variable = name.rpartition(".")
    return Coupled(field, joint if dot else name, variable if dot else None, unit)


class Transmission(Item):
    """A transmission couples variables of joints. Its teeth mesh as the bodies stand at the start, whatever the variables are then.

    It is rigid without `stiffness`. Joints are named, or their variables: `sleeve.angle`; of a joint with several variables the only
    angle, or the only displacement, is meant where one is needed.

    Signals: torque [N m] or force [N] that it exerts along each variable on the second body of its joint (torque_input, …),
    error of the variable that is driven; with stiffness deflection and strain_energy [J] instead.
    """

    positional: ClassVar[tuple[str, ...]] = ("name",)
    noun: ClassVar[str] = "transmission"
    one_way: ClassVar[bool] = True
    along: ClassVar[Along] = {
        "stiffness": ("stiffness", None),
        "damping": ("damping", None),
        "backlash": ("coordinate", None),
    }
    """What its fields measure along the variable that is driven, the last one."""

    name: str = Field(description="Unique name of the transmission.", min_length=1, pattern=NAME)
    stiffness: NotNegative | None = Field(
        None, description="Of its teeth, along the variable that is driven [N m/rad or N/m]; rigid if left out."
    )
    damping: NotNegative = Field(
        0.0, description="Of its teeth while they touch, likewise [N m s/rad or N s/m]; needs stiffness."
    )
    backlash: NotNegative = Field(
        0.0, description="How far the driven variable moves freely, from side to side [rad or m]; needs stiffness."
    )

    @model_validator(mode="after")
    def _soft(self) -> Transmission:
        for field in ("damping", "backlash"):
            if self.stiffness is None and getattr(self, field):
                raise ValueError(f"{field} is given without stiffness; rigid teeth have none, add stiffness: …")
        if self.stiffness == 0.0:
            raise ValueError("stiffness is zero; nothing would be transmitted, leave it out for rigid teeth")
        return self

    @model_validator(mode="after")
    def _different(self) -> Transmission:
        meant = [each[1:] for each in self.couples]
        twice = next((each for each in self.couples if meant.count(each[1:]) > 1), None)
        if twice is not None:
            raise ValueError(f"it couples '{twice.name}' with itself; name two different joints or variables")
        return self

    @property
    def roles(self) -> dict[str, Coupled]:
        """What it couples, by the part that each plays; the last one is driven by the others."""
        raise TypeError(f"{type(self).__name__} declares no roles")

    def weights(self, variables: Sequence[Variable]) -> Sequence[float]:
        """What each variable counts in the sum that stays; −1 of the last one unless that says something else."""
        raise TypeError(f"{type(self).__name__} declares no weights")

    @property
    def characteristic(self) -> Function | None:
        """f of the first variable that is added to the sum, which then begins at zero."""
        return None

    @property
    def couples(self) -> tuple[Coupled, ...]:
        return tuple(self.roles.values())

    @property
    def binds(self) -> tuple[str, ...]:
        return ("ratio",) if self.stiffness is None else ()

    def doubts_at_start(self, around: Surroundings) -> list[Doubt]:
        """Teeth that give way and are struck, because a rate has been left open."""
        variables = around.variables
        still = [variable for variable in variables if variable.open_rate]
        if self.stiffness is None or not still:
            return []
        slopes = list(self.weights(variables))
        if self.characteristic is not None:
            slopes[0] += self.characteristic.derivative(variables[0].now)
        shares = [slope * variable.rate for slope, variable in zip(slopes, variables, strict=True)]
        off, last = sum(shares), still[-1]
        slope = slopes[variables.index(last)]
        if abs(off) <= 1e-6 * max(map(abs, shares)) or slope == 0.0:
            return []
        unit = variables[-1].unit
        what = f"its teeth start at {abs(off):.4g} {unit}/s against each other"
        why = (
            f"they give way, so that '{last.name}', whose rate is left open, does not follow the others, and is struck"
        )
        meant = f"{last.rate - off / slope:.6g}"
        fix = f"give joint '{last.joint.name}' start_rate: {meant} if it runs along, or {last.rate:g} if it does not"
        return [Doubt(what, why, fix)]

    def terms(self, around: Surroundings) -> list[Term]:
        """Σ w q + f(q₀) = what it is at the start; zero where there is an f."""
        variables = around.variables
        weights, follows = self.weights(variables), self.characteristic
        zero = self.begins(sum(w * variable.begin for w, variable in zip(weights, variables, strict=True)))
        e = combined([_weighted(*each) for each in zip(weights, variables, strict=True)], follows, zero)
        nodes = tuple(site.node for variable in variables for site in (variable.a, variable.b))
        efforts = [
            Output(f"torque_{role}", "N m") if variable.unit == "rad" else Output(f"force_{role}", "N")
            for role, variable in zip(self.roles, variables, strict=True)
        ]
        unit = variables[-1].unit
        counts = tuple(
            Remembered(variable.name, "q", i)
            for i, variable in enumerate(variables)
            if variable.unit == "rad" and not variable.joint.by_vector
        )
        history = Counted.begin(q=[variable.now for variable in variables])
        if self.stiffness is None:
            return [
                Term(
                    self.name,
                    constraint_on_combination,
                    nodes,
                    rows=self.binds,
                    from_start=int(self.meshes_anywhere),
                    parameters=e,
                    history=history,
                    own_outputs=(*efforts, Output("error", unit)),
                    counts=counts,
                )
            ]
        gap = 0.5 * self.backlash
        teeth = Teeth.pack(e=e, stiffness=self.stiffness, damping=self.damping, loose=int(gap > 0), gap=gap)
        outputs = (*efforts, Output("deflection", unit), Output("strain_energy", "J"))
        return [
            Term(
                self.name,
                force_along_combination,
                nodes,
                parameters=teeth,
                history=history,
                own_outputs=outputs,
                counts=counts,
            )
        ]

    @property
    def meshes_anywhere(self) -> bool:
        """Whether it takes the variables as they are at the start; else it binds them there, too."""
        return self.characteristic is None

    def begins(self, found: float) -> float:
        """The sum that is kept; found: what it is at the start."""
        return found if self.meshes_anywhere else 0.0


def _weighted(weight: float, variable: Variable) -> Weighted:
    joint, index = variable.joint, variable.index
    single = len(joint.rotations) == 1 and variable.unit == "rad"
    return Weighted(weight, joint.free.measures[index], frame(variable.a), frame(variable.b), single)
