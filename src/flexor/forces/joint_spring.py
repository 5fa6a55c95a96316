"""Spring-damper on a joint variable: torsional on an angle, linear on a translation.   FTG 5.1–5.3"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from flexor.bodies.marker import Site
from flexor.declaration import Declaration, Number
from flexor.forces.characteristic import CHARACTERISTIC_INTS, characteristic, free_value, pack
from flexor.functions import ERRORS, OUT_SIZE, AnyFunction, Constant, function_of
from flexor.joints.along import Along
from flexor.joints.joint import Joint
from flexor.joints.motor import variable_index
from flexor.joints.variable import (
    PATTERN_INTS,
    TRANSLATION,
    add_effort,
    add_hessian,
    gradient,
    nearest,
    patterns,
    value_and_rate,
)
from flexor.law import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, Element, Output, law
from flexor.law.parameters import Parameters
from flexor.law.primitives import at

_PATTERN = CHARACTERISTIC_INTS
_GRADIENT = OUT_SIZE  # where ∇q, ∂Q/∂q and ∂∇q/∂q are kept in the scratch memory
_CHANGE = OUT_SIZE + 12
_HESSIAN = OUT_SIZE + 24


@law(errors=ERRORS, scratch=OUT_SIZE + 24 + 144)
def joint_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Q = −[k δ + f(δ) + d q̇ + g(q̇)], δ = q − q₀(t)

    k: characteristic, pattern, rotations of the joint;  p: two markers, k, d;  h: turns, counted as the joint does
    """
    q, rate = value_and_rate(k, _PATTERN, p, x, R, v)
    if k[_PATTERN] != TRANSLATION:
        expected = h[0]
        if want & COMMIT and k[_PATTERN + PATTERN_INTS] == 1:
            expected += c[3] * rate
        q = nearest(q, expected)
    status, free, free_rate = free_value(k, p, t, w)
    if status != 0:
        return status
    status, elastic, slope, energy, viscous, viscous_slope = characteristic(want, k, p, 24, q - free, rate, w)
    if status != 0:
        return status
    effort = elastic + viscous
    if want & RESIDUAL:
        add_effort(k, _PATTERN, p, x, R, effort, r)
    if want & MATRIX:
        # r = Q ∇q:  ∂r/∂q = ∇q ∂Q/∂q + Q ∂∇q/∂q,  and ∂q̇/∂q = vᵀ ∂∇q/∂q, as q̇ = ∇q · v
        g = at(w, _GRADIENT)
        change = at(w, _CHANGE)
        H = at(w, _HESSIAN)
        gradient(k, _PATTERN, p, x, R, g)
        for i in range(144):
            H[i] = 0.0
        add_hessian(k, _PATTERN, p, x, R, 1.0, H, 12)
        direct = c[0] * slope + c[1] * viscous_slope
        turn = c[0] * viscous_slope
        geometric = c[0] * effort
        for j in range(12):
            rate_slope = 0.0
            for i in range(12):
                rate_slope += v[i] * H[12 * i + j]
            change[j] = direct * g[j] + turn * rate_slope
        for i in range(12):
            g_i = g[i]
            for j in range(12):
                K[12 * i + j] += g_i * change[j] + geometric * H[12 * i + j]
    if want & COMMIT:
        h[0] = q
    if want & OUTPUT:
        w[0] = q - free
        w[1] = -effort
        w[2] = energy
    if want & ENERGY:
        w[0] = 0.0
        w[1] = 0.0
        w[2] = energy
        w[3] = viscous * rate
        w[4] = -elastic * free_rate
    return 0


class JointSpring(Declaration):
    """A spring and damper acting on a joint variable: torsion spring on an angle, linear spring on a translation.

    Signals: deflection, torque (or force) that it exerts on B along the variable, strain_energy.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "joint")
    noun: ClassVar[str] = "spring"
    type: Literal["joint_spring"] = "joint_spring"
    along: ClassVar[Along] = {
        "stiffness": ("stiffness", None),
        "damping": ("damping", None),
        "force": ("effort", "coordinate"),
        "damper": ("effort", "rate"),
        "free": ("coordinate", "time"),
    }
    name: str = Field(description="Unique name of the spring.", min_length=1, pattern=r"^[^.\s][^.]*$")
    joint: str = Field(description="Name of the joint it acts in.")
    variable: str | None = Field(None, description="Which joint variable; not needed where the joint has one.")
    stiffness: Number = Field(0.0, description="Stiffness [N m/rad or N/m].")
    damping: Number = Field(0.0, description="Damping coefficient [N m s/rad or N s/m].")
    force: AnyFunction | None = Field(None, description="Further spring torque or force as a function of deflection.")
    damper: AnyFunction | None = Field(None, description="Further damping torque or force as a function of rate.")
    free: function_of("time") = Field(  # type: ignore[valid-type]
        Constant(0.0), description="Stress-free value of the variable [rad or m], may be a function of time."
    )

    def elements(self, joint: Joint, a: Site, b: Site, python: bool = False) -> list[Element]:
        """Its law, on the markers of the joint."""
        index = variable_index(joint, self.variable)
        packed = Parameters(python)
        packed.numbers(a.p_NM, a.R_NM, b.p_NM, b.R_NM)
        pack(packed, self.stiffness, self.damping, self.force, self.damper, self.free)
        packed.integers(*patterns(joint.translations, joint.rotations)[index], len(joint.rotations))
        angular = joint.units[index] == "rad"
        outputs = (
            Output("deflection", joint.units[index]),
            Output("torque", "N m") if angular else Output("force", "N"),
            Output("strain_energy", "J"),
        )
        start = (joint.start or (0.0,) * len(joint.variables))[index]
        return [
            Element(
                self.name,
                joint_spring,
                (a.node, b.node),
                history=(start,),
                own_outputs=outputs,
                counts=((f"{joint.name}.{joint.variables[index]}", 0),) if angular else (),
                **packed.packed(),
            )
        ]
