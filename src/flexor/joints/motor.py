"""Motor: prescribes a joint variable as a function of time.   FTG 7.7.4"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from flexor.bodies.marker import Site
from flexor.declaration import Declaration
from flexor.functions import ERRORS, OUT_SIZE, function_of
from flexor.joints.along import Along
from flexor.joints.joint import Joint
from flexor.joints.variable import (
    PATTERN_INTS,
    TRANSLATION,
    add_effort,
    add_hessian,
    bias,
    gradient,
    patterns,
    value_and_rate,
    wrap,
)
from flexor.law import (
    ACCELERATION_LEVEL,
    COMMIT,
    ENERGY,
    MATRIX,
    OUTPUT,
    RESIDUAL,
    VELOCITY_LEVEL,
    Element,
    Output,
    law,
    level_coefficient,
)
from flexor.law.parameters import Parameters
from flexor.law.primitives import at, call_function

POSITION, SPEED, ACCELERATION = 0, 1, 2
_GRADIENT = OUT_SIZE  # where ∇q is kept in the scratch memory


def _motion(k, p, h, t, w):
    """Status and prescribed (u, u̇, ü) at time t.

    A given speed is integrated exactly, u = u₀ + ∫f; a given acceleration by Gauss quadrature of
    ∫(t − τ) f(τ) dτ from the last committed time h[0], where u = h[1].   (FTG (7.86)–(7.87) integrate by Newmark.)
    """
    address = k[PATTERN_INTS + 1]
    f = at(p, k[PATTERN_INTS + 2])
    status = call_function(address, f, t, w)
    value, rate, second, integral = w[0], w[1], w[2], w[3]
    if k[PATTERN_INTS] == POSITION or status != 0:
        return status, value, rate, second
    if k[PATTERN_INTS] == SPEED:
        return status, p[24] + integral, value, rate
    u_dot = p[25] + integral
    status = call_function(address, f, h[0], w)
    step = t - h[0]
    u = h[1] + (p[25] + w[3]) * step
    half = 0.5 * step
    for i in range(3):
        node = 0.7745966692414834 * (i - 1)
        weight = 8.0 / 9.0 if i == 1 else 5.0 / 9.0
        if status == 0:
            status = call_function(address, f, h[0] + half * (1.0 + node), w)
        u += weight * half * half * (1.0 - node) * w[0]
    return status, u, u_dot, value


@law(errors=ERRORS, scratch=OUT_SIZE + 12)
def motor(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Φ = q − u(t), in angles up to whole turns.

    k: pattern (7), what is given, function (2);  p: two markers, u(0), u̇(0);  h: last time, last u
    """
    status, u, u_dot, u_ddot = _motion(k, p, h, t, w)
    if status != 0:
        return status
    q, q_dot = value_and_rate(k, 0, p, x, R, v)
    if want & RESIDUAL:
        add_effort(k, 0, p, x, R, lam[0], r)
        if want & ACCELERATION_LEVEL:
            g = at(w, _GRADIENT)
            gradient(k, 0, p, x, R, g)
            q_ddot = bias(k, 0, p, x, R, v)
            for i in range(12):
                q_ddot += g[i] * a[i]
            r[12] = q_ddot - u_ddot
        elif want & VELOCITY_LEVEL:
            r[12] = q_dot - u_dot
        else:
            r[12] = q - u if k[0] == TRANSLATION else wrap(q - u)
    if want & MATRIX:
        cL = level_coefficient(want, c)
        g = at(w, _GRADIENT)
        gradient(k, 0, p, x, R, g)
        for i in range(12):
            K[12 * 13 + i] += cL * g[i]
            K[i * 13 + 12] += g[i]
        add_hessian(k, 0, p, x, R, c[0] * lam[0], K, 13)
    if want & COMMIT:
        h[1] = u
        h[0] = t
    if want & OUTPUT:
        w[0] = -lam[0]
        w[1] = -lam[0] * u_dot
        w[2] = u
    if want & ENERGY:
        for i in range(4):
            w[i] = 0.0
        w[4] = -lam[0] * u_dot
    return 0


class Motor(Declaration):
    """Drives a variable of a joint with a given position, speed or acceleration, a function of time.

    Signals: torque (or force) that the motor exerts on B along the variable, power [W], target.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "joint")
    type: Literal["motor"] = "motor"
    along: ClassVar[Along] = {
        "position": ("coordinate", "time"),
        "speed": ("rate", "time"),
        "acceleration": ("second rate", "time"),
    }
    name: str = Field(description="Unique name of the motor.", min_length=1, pattern=r"^[^.\s][^.]*$")
    joint: str = Field(description="Name of the joint it drives.")
    variable: str | None = Field(None, description="Which joint variable; not needed where the joint has one.")
    position: function_of("time") | None = Field(  # type: ignore[valid-type]
        None, description="Joint variable as a function of time [rad or m]."
    )
    speed: function_of("time") | None = Field(  # type: ignore[valid-type]
        None, description="Its rate as a function of time [rad/s or m/s]."
    )
    acceleration: function_of("time") | None = Field(  # type: ignore[valid-type]
        None, description="Its second rate [rad/s² or m/s²]."
    )

    @model_validator(mode="after")
    def _one_law(self) -> Motor:
        if sum(f is not None for f in (self.position, self.speed, self.acceleration)) != 1:
            raise ValueError("it needs exactly one of position, speed, acceleration; e.g. speed: 3000 rpm")
        return self

    def elements(self, joint: Joint, a: Site, b: Site, python: bool = False) -> list[Element]:
        """Its law, on the markers of the joint."""
        index = variable_index(joint, self.variable)
        given = POSITION if self.position is not None else SPEED if self.speed is not None else ACCELERATION
        function: Any = (self.position, self.speed, self.acceleration)[given]
        start = (joint.start or (0.0,) * len(joint.variables))[index]
        rate = (joint.start_rate or (0.0,) * len(joint.variables))[index]
        packed = Parameters(python).integers(*patterns(joint.translations, joint.rotations)[index], given)
        packed.function(function, integral=given != POSITION).numbers(a.p_NM, a.R_NM, b.p_NM, b.R_NM, start, rate)
        angular = joint.units[index] == "rad"
        outputs = (
            Output("torque", "N m") if angular else Output("force", "N"),
            Output("power", "W"),
            Output("target", joint.units[index]),
        )
        row = (joint.variables[index],)
        return [
            Element(
                self.name,
                motor,
                (a.node, b.node),
                rows=row,
                history=(0.0, start),
                own_outputs=outputs,
                drives=(f"{joint.name}.{joint.variables[index]}", 1),
                **packed.packed(),
            )
        ]


def variable_index(joint: Joint, variable: str | None) -> int:
    """Number of a joint variable by name; the joint's only one if no name is given."""
    if variable is None and len(joint.variables) == 1:
        return 0
    if variable not in joint.variables:
        raise ValueError(
            f"joint '{joint.name}' has the variables {', '.join(joint.variables) or 'none'}; "
            f"variable: {variable or 'is needed'}"
        )
    return joint.variables.index(variable)
