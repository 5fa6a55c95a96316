"""Axial spring-damper between two points.   FTG (5.2), (5.3), (5.20)–(5.22)"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.bodies.marker import MarkerRef, Site
from flexor.declaration import Declaration, quantity
from flexor.forces.characteristic import DAMPER, FORCE, characteristic, free_value, pack
from flexor.functions import ERRORS, OUT_SIZE, function_of
from flexor.functions.measure import least_known
from flexor.joints.distance import add_line_stiffness, line_projector
from flexor.joints.frames import arm_a, arm_b, offset, offset_rate, put_pair
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Element, law
from flexor.law.parameters import Parameters
from flexor.law.primitives import at
from flexor.law.tuples import add, cross, diagonal, dot, mscale, mv, norm, put, put_outer, scale, vec

_GRADIENT = OUT_SIZE  # where ∇ℓ and ∂F/∂q are kept in the scratch memory
_CHANGE = OUT_SIZE + 12


@law(
    errors={1: "its ends coincide; the spring has no direction", **ERRORS},
    outputs=(("length", "m"), ("deflection", "m"), ("rate", "m/s"), ("force", "N"), ("strain_energy", "J")),
    scratch=OUT_SIZE + 24,
)
def axial_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """F = k (ℓ − ℓ₀) + f(ℓ − ℓ₀) + d ℓ̇ + g(ℓ̇), tension positive;  k: characteristic;  p: two markers, k, d"""
    s_a = arm_a(R, p)
    s_b = arm_b(R, p)
    d = offset(x, s_a, s_b)
    length = norm(d)
    status, free, free_rate = free_value(k, p, t, w)
    if status != 0:
        return status
    d_dot = offset_rate(v, s_a, s_b)
    if length < 1e-12:
        if abs(free) > 1e-12 or k[FORCE] != 0 or k[DAMPER] != 0:
            return 1
        return _at_zero_length(want, p, c, d, d_dot, s_a, s_b, r, K, w)
    u = scale(1.0 / length, d)
    rate = dot(u, d_dot)
    status, elastic, slope, energy, viscous, viscous_slope = characteristic(want, k, p, 24, length - free, rate, w)
    if status != 0:
        return status
    force = elastic + viscous
    f = scale(force, u)
    if want & RESIDUAL:
        put_pair(r, f, s_a, s_b)
    if want & MATRIX:
        # r = F ∇ℓ:  ∂r/∂q = F ∂(∇ℓ)/∂q + ∇ℓ ∂F/∂q, between points F/ℓ (I − uuᵀ) + K uuᵀ   FTG (5.3), (5.22)
        P = line_projector(u, length)
        add_line_stiffness(K, 12, mscale(c[0] * force, P), scale(c[0], f), s_a, s_b)
        gradient = at(w, _GRADIENT)
        change = at(w, _CHANGE)
        for i in range(24):
            gradient[i] = 0.0
        put_pair(gradient, u, s_a, s_b)
        # ∂ℓ̇/∂q at fixed velocities: the line turns, ḋᵀ ∂u/∂d = (P ḋ)ᵀ, and so do the arms,
        # u·(ω × (δθ × s)) = s × (u × ω) · δθ
        turn = c[0] * viscous_slope
        direct = c[0] * slope + c[1] * viscous_slope
        put_pair(change, add(scale(direct, u), scale(turn, mv(P, d_dot))), s_a, s_b)
        put(change, 3, scale(-turn, cross(s_a, cross(u, vec(v, 3)))))
        put(change, 9, scale(turn, cross(s_b, cross(u, vec(v, 9)))))
        put_outer(K, 12, gradient, change)
    if want & OUTPUT:
        w[0] = length
        w[1] = length - free
        w[2] = rate
        w[3] = force
        w[4] = energy
    if want & ENERGY:
        w[0] = 0.0
        w[1] = 0.0
        w[2] = energy
        w[3] = viscous * rate
        w[4] = -elastic * free_rate  # FTG (9.10)
    return 0


def _at_zero_length(want, p, c, d, d_dot, s_a, s_b, r, K, w):
    """The limit ℓ → 0 for ℓ₀ = 0: f = k d + d ḋ, isotropic, as the line points where the ends move."""
    stiffness = p[24]
    damping = p[25]
    f = add(scale(stiffness, d), scale(damping, d_dot))
    if want & RESIDUAL:
        put_pair(r, f, s_a, s_b)
    if want & MATRIX:
        add_line_stiffness(K, 12, diagonal(c[0] * stiffness + c[1] * damping), scale(c[0], f), s_a, s_b)
    if want & OUTPUT:
        w[0] = 0.0
        w[1] = 0.0
        w[2] = norm(d_dot)
        w[3] = norm(f)
        w[4] = 0.0
    if want & ENERGY:
        w[0] = 0.0
        w[1] = 0.0
        w[2] = 0.0
        w[3] = damping * dot(d_dot, d_dot)
        w[4] = 0.0
    return 0


class AxialSpring(Declaration):
    """A spring and damper along the line between two points.

    Force (tension positive) = stiffness·(ℓ − free length) + force(ℓ − free length) + damping·ℓ̇ + damper(ℓ̇).
    The free length is the initial length if left out. Signals: length, deflection [m], rate [m/s], force [N].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b")
    noun: ClassVar[str] = "spring"
    type: Literal["axial_spring"] = "axial_spring"
    name: str = Field(description="Unique name of the spring.", min_length=1, pattern=r"^[^.\s][^.]*$")
    a: MarkerRef = Field(description="End on the first body (or ground).")
    b: MarkerRef = Field(description="End on the second body.")
    stiffness: quantity("stiffness") = Field(0.0, description="Stiffness [N/m].")  # type: ignore[valid-type]
    damping: quantity("damping") = Field(0.0, description="Damping coefficient [N s/m].")  # type: ignore[valid-type]
    force: function_of("length", "force") | None = Field(  # type: ignore[valid-type]
        None, description="Further spring force [N] as a function of deflection [m]."
    )
    damper: function_of("velocity", "force") | None = Field(  # type: ignore[valid-type]
        None, description="Further damping force [N] as a function of rate [m/s]."
    )
    free_length: function_of("time", "length") | None = Field(  # type: ignore[valid-type]
        None, description="Stress-free length [m], may be a function of time."
    )

    @field_validator("free_length")
    @classmethod
    def _no_less_than_zero(cls, function: Any) -> Any:
        if function is not None and (least := least_known(function))[0] < 0:
            raise ValueError(
                f"it is {least[0]:g} m at t = {least[1]:g} s; a length is not negative, for preload use force"
            )
        return function

    def elements(self, a: Site, b: Site, length: Any, python: bool = False) -> list[Element]:
        """Its law; `length` is the measured initial length as a function, used where no free length is given."""
        free = self.free_length if self.free_length is not None else length
        packed = Parameters(python)
        packed.numbers(a.p_NM, a.R_NM, b.p_NM, b.R_NM)
        pack(packed, self.stiffness, self.damping, self.force, self.damper, free)
        return [Element(self.name, axial_spring, (a.node, b.node), **packed.packed())]
