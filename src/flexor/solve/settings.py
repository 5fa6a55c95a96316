"""What a user may set for a dynamic analysis."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, field_validator

from flexor.declaration import Declaration, Time
from flexor.errors import Problem
from flexor.solve.integrator import GeneralizedAlpha, Integrator, integrator

MOST_STEPS = 1e10
"""More would take days on the fastest machine; it is a slip of the pen."""


IMPACT_STEPS = 40
"""Steps that resolve an impact, if no other number is asked for."""


class Tolerances(Declaration):
    """When Newton's iteration has converged; 0 switches a criterion off.   FTG 7.3.1

    The iteration ends when the estimated remaining error meets all of them.
    """

    displacement: float = Field(1e-12, description="Scaled displacement (m per model size, rad).   FTG (7.36)", ge=0)
    velocity: float = Field(0.0, description="Scaled velocity.", ge=0)
    acceleration: float = Field(1e-8, description="Scaled acceleration, relative to 1 + the largest one.", ge=0)
    prediction: float = Field(
        1e-2,
        description="Share of a step's first correction that may be left: Newton's error, relative to the step's.",
        ge=0,
    )
    residual: float = Field(0.0, description="Scaled residual force.   FTG (7.37)", ge=0)
    energy: float = Field(0.0, description="Average energy of a correction [J].   FTG (7.42)", ge=0)


class DynamicsSettings(Declaration):
    """Settings of a dynamic analysis."""

    type_name: ClassVar[str] = "dynamics"

    until: Time = Field(description="End time [s].")
    step: Time | None = Field(None, description="Time step [s]; with error control or accuracy the first step.", gt=0)
    error: float | None = Field(None, description="Local error per step (scaled); switches error control on.", gt=0)
    accuracy: float | None = Field(
        None,
        description="Largest error of every recorded signal, in parts of its largest value, e.g. 1e-6: runs with halved steps are "
        "extrapolated until it is reached; `run.error(name)` tells the error. For smooth motion.",
        gt=0,
        lt=0.1,
    )
    output: Time | None = Field(None, description="Time between recorded rows [s]; every step if left out.", gt=0)
    min_step: Time | None = Field(
        None,
        description="Smallest step before giving up [s]; by itself a thousandth of the step, much less with contacts.",
        gt=0,
    )
    max_step: Time | None = Field(None, description="Largest step under error control [s].", gt=0)
    integrator: Integrator = Field(GeneralizedAlpha(), description="Member of the Newmark family.")
    tolerances: Tolerances = Field(Tolerances(), description="Convergence of Newton's iteration.")
    newton: Literal["modified", "full"] = Field("modified", description="Keep the matrix while it serves, or renew it.")
    max_iterations: int = Field(20, description="Newton iterations before a step is cut.", ge=3)
    matrix: Literal["auto", "symmetric", "unsymmetric"] = Field(
        "auto", description="LDLᵀ or LU; auto starts with LDLᵀ."
    )
    impact_steps: int = Field(
        IMPACT_STEPS, description="Steps that resolve an impact of two surfaces, about; more are more accurate.", ge=10
    )
    augmentation: float = Field(0.0, description="Penalty p of the augmented Lagrangian [kg].   GER", ge=0)
    start: Literal["consistent", "zero", "equilibrium"] = Field(
        "consistent",
        description="Where from: as declared with consistent accelerations, or zero ones as old Fedem versions start; or in "
        "the equilibrium that it has at rest, with the velocities given then. In Python also a result of another analysis, whose state it takes.",
    )
    solver: Literal["implicit", "tree", "explicit"] = Field(
        "implicit",
        description="The Newmark family with Newton's iteration on all equations; tree: explicit Runge–Kutta steps (RK4 of a given step, "
        "Dormand–Prince under error control) with accelerations subsystem by subsystem, for mechanisms without stiff parts (VK); explicit: "
        "velocity Verlet of free rigid bodies and point masses with forces between them, for contacts among very many of them.",
    )
    stabilise: bool = Field(
        True, description="Lead coordinates and velocities back to the constraints after each step; of the tree solver."
    )
    coordinates: Literal["auto", "all"] = Field(
        "auto",
        description="Of the tree solver: those of joints where rigid bodies form no loops, else all of all bodies; or always all.",
    )
    threads: int | None = Field(
        None,
        description="Of the tree solver in all coordinates: threads that compute branches of the tree at the same time; by measurement, if left out.",
        ge=1,
        le=256,
    )
    record: tuple[str, ...] | None = Field(None, description="Names of the objects to record; all if left out.")
    energies: bool = Field(True, description="Whether to compute and record energies.")

    @field_validator("record", mode="before", json_schema_input_type=str | tuple[str, ...] | None)
    @classmethod
    def _one_name(cls, value: object) -> object:
        return (value,) if isinstance(value, str) else value

    @field_validator("integrator", mode="before", json_schema_input_type=Integrator | str | float)
    @classmethod
    def _by_name(cls, value: object) -> object:
        return integrator(value) if isinstance(value, (str, int, float)) else value

    def contradictions(self) -> list[Problem]:
        """What cannot be kept as given: times that do not fit together."""
        found: list[tuple[str, str, str]] = []
        step, output, smallest = self.step, self.output, self.min_step
        if not self.until > 0:
            found.append((f"until = {self.until:g} s", "the end must lie after the start", "give a positive time"))
        free = self.solver == "explicit" and output is not None
        if step is None and self.error is None and self.accuracy is None and not free:
            fix = 'give step="1 ms" or error=1e-6'
            if self.solver == "explicit":
                fix = 'give output="1 ms", the time between rows, with which contacts are resolved, or a step'
            found.append(("no step", "the time step is unknown", fix))
        if step is not None and self.until > MOST_STEPS * step:
            why = f"until {self.until:g} s that is {self.until / step:.1g} of them"
            found.append((f"step = {step:g} s", why, "give a longer step, and times in seconds or with their unit"))
        elif step is not None and output is not None:
            count = max(round(output / step), 1)
            if output < (1 - 1e-6) * step:
                why = f"rows cannot be closer than steps of {step:g} s"
                found.append((f"output = {output:g} s", why, f"give a step of {output:g} s or less"))
            elif self.error is None and abs(output - count * step) > 1e-6 * step:
                why = f"that is no whole number of steps of {step:g} s"
                fix = f"give output={count * step:g}, or step={output / -(-output // step):g}"
                found.append((f"output = {output:g} s", why, fix))
        if step is not None and step > (1 + 1e-9) * self.until > 0:
            found.append((f"step = {step:g} s", f"the run ends before, at {self.until:g} s", "give a shorter step"))
        if self.max_step is not None and self.error is None:
            fix = "give error= for steps that adapt, or leave it out"
            found.append((f"max_step = {self.max_step:g} s", "a fixed step has no largest one", fix))
        if self.accuracy is not None:
            found += self._not_for_accuracy()
        if self.solver == "tree":
            found += self._not_for_trees(
                "tree", "explicit Runge–Kutta steps, without Newton's iteration or a global matrix"
            )
        elif self.solver == "explicit":
            found += self._not_for_trees(
                "explicit", "explicit steps body by body, without Newton's iteration or a global matrix"
            )
            found += self._not_explicit()
        elif not self.stabilise:
            why = "the implicit solver keeps the constraints themselves, and has nothing to lead back"
            found.append(("stabilise = False", why, 'leave it out, or give solver="tree"'))
        elif self.threads is not None:
            why = "the implicit solver computes in one thread"
            found.append((f"threads = {self.threads}", why, 'leave it out, or give solver="tree"'))
        elif self.coordinates != "auto":
            why = "the implicit solver takes those of the joints' enforcement"
            found.append((f"coordinates = {self.coordinates}", why, 'leave it out, or give solver="tree"'))
        for name, most in (("step", step), ("max_step", self.max_step), ("output", output), ("until", self.until)):
            if smallest is not None and most is not None and smallest > most:
                what = f"min_step = {smallest:g} s"
                found.append((what, f"it is above {name} = {most:g} s", f"give min_step below {most:g} s, or none"))
                break
        if None not in (step, self.max_step) and step > self.max_step and self.error is not None:  # type: ignore[operator]
            why = f"it is above max_step = {self.max_step:g} s"
            found.append((f"step = {step:g} s", why, "give a shorter first step"))
        return [Problem("dynamics", *each) for each in found]

    def _not_for_accuracy(self) -> list[tuple[str, str, str]]:
        """Settings that leave nothing to extrapolate."""
        what, c = f"accuracy = {self.accuracy:g}", self.integrator.coefficients
        found = []
        if self.error is not None:
            why = "runs with halved steps are compared, while those of error control choose their own"
            found.append((what, why, "give accuracy or error, not both"))
        if self.solver != "implicit":
            why = "errors of explicit steps fall otherwise than those that are extrapolated"
            fix = f'give error= to the tree solver, or a step; or leave out solver="{self.solver}"'
            found.append((what, why, fix))
        if not c.second_order:
            why = f"the integrator '{self.integrator.type}' as given is of first order; errors of second order are extrapolated"
            found.append((what, why, "take GeneralizedAlpha, HHT (both in the modified form), or Newmark with γ = ½"))
        return found

    def _not_for_trees(self, name: str, steps: str) -> list[tuple[str, str, str]]:
        """Settings of the implicit solver that were given for another one."""
        fix = "leave it out, or leave solver out"
        found = []
        for field in ("integrator", "tolerances", "newton", "max_iterations", "matrix", "impact_steps", "augmentation"):
            if getattr(self, field) != type(self).model_fields[field].default:
                found.append((f"{field} is given", f"the {name} solver takes {steps}", fix))
        if self.start == "zero":
            found.append(('start = "zero"', f"the {name} solver has no accelerations of its own choice", fix))
        return found

    def _not_explicit(self) -> list[tuple[str, str, str]]:
        """Settings that the explicit solver does not know."""
        found = []
        if self.start == "equilibrium":
            why = "a position of rest is found with a matrix, which it does not have"
            found.append(
                (
                    'start = "equilibrium"',
                    why,
                    "ask model.statics(), and give its result as start; or let bodies settle",
                )
            )
        if self.error is not None:
            why = "its steps are those that stability and contacts ask for, without an estimate of their error"
            found.append(
                (f"error = {self.error:g}", why, "give a step, or output alone, with which contacts are resolved")
            )
        for field, what in (
            ("stabilise", "there are no constraints"),
            ("coordinates", "there are no joints"),
            ("threads", "it computes in one thread"),
        ):
            if getattr(self, field) != type(self).model_fields[field].default:
                found.append((f"{field} is given", what, 'leave it out, or give solver="tree"'))
        return found
