"""Axial spring-damper between two points.   FTG (5.2), (5.3), (5.20)–(5.22)"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from flexor.bodies.marker import MarkerRef, Site
from flexor.declaration import Declaration, quantity
from flexor.forces.characteristic import characteristic, free_value, pack
from flexor.functions import AnyFunction
from flexor.joints.distance import add_line_stiffness, line_projector
from flexor.joints.frames import arm_a, arm_b, offset, offset_rate
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Element, law
from flexor.law.parameters import Parameters
from flexor.law.tuples import (
    cross, dot, madd, mm, mscale, mv, neg, norm, outer, put, put_mat, scale, skew, vec,
)  # fmt: skip


@law(
    errors={1: "its ends coincide; the spring has no direction"},
    outputs=(("length", "m"), ("deflection", "m"), ("rate", "m/s"), ("force", "N"), ("strain_energy", "J")),
    scratch=64,
)
def axial_spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """f = k (ℓ − ℓ₀) + f(ℓ − ℓ₀) + d ℓ̇ + g(ℓ̇), tension positive;  k: characteristic;  p: two markers, k, d"""
    s_a = arm_a(R, p)
    s_b = arm_b(R, p)
    d = offset(x, s_a, s_b)
    length = norm(d)
    free, free_rate = free_value(k, 0, p, t, w)
    d_dot = offset_rate(v, s_a, s_b)
    if length < 1e-12:
        # a spring of no free length at zero length pulls nowhere; any other has lost its direction
        if abs(free) > 1e-12 or k[0] != 0:
            return 1
        return _at_zero_length(want, k, p, c, d_dot, s_a, s_b, r, K, w)
    u = scale(1.0 / length, d)
    rate = dot(u, d_dot)
    elastic, slope, energy, viscous, viscous_slope = characteristic(k, 0, p, 24, length - free, rate, w)
    force = elastic + viscous
    f = scale(force, u)
    if want & RESIDUAL:
        put(r, 0, neg(f))
        put(r, 3, neg(cross(s_a, f)))
        put(r, 6, f)
        put(r, 9, cross(s_b, f))
    if want & MATRIX:
        cK, cC = c[0], c[1]
        P = line_projector(u, length)
        U = outer(u, u)
        # ∂f/∂d = (K uuᵀ + F/ℓ (I − uuᵀ))   FTG (5.3); the damper turns with the line: ∂ℓ̇/∂d = ḋᵀ(I − uuᵀ)/ℓ
        D = madd(mscale(slope, U), mscale(force, P))
        turn = outer(u, mv(P, d_dot))
        add_line_stiffness(K, 12, mscale(cK, madd(D, mscale(viscous_slope, turn))), scale(cK, f), s_a, s_b)
        # ∂ℓ̇/∂θ at fixed velocities: the arms turn, ∂ḋ/∂θ_b δθ_b = ω_b × (δθ_b × s_b)
        G_b = mscale(cK * viscous_slope, mm(U, mm(skew(vec(v, 9)), mscale(-1.0, skew(s_b)))))
        G_a = mscale(cK * viscous_slope, mm(U, mm(skew(vec(v, 3)), skew(s_a))))
        _add_columns(K, G_a, 3, s_a, s_b)
        _add_columns(K, G_b, 9, s_a, s_b)
        add_line_stiffness(K, 12, mscale(cC * viscous_slope, U), (0.0, 0.0, 0.0), s_a, s_b)
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


def _add_columns(K, G, j, s_a, s_b):
    """K[:, j:j+3] += moments and forces of the force change G δθ on the pair."""
    put_mat(K, 12, 0, j, mscale(-1.0, G))
    put_mat(K, 12, 3, j, mscale(-1.0, mm(skew(s_a), G)))
    put_mat(K, 12, 6, j, G)
    put_mat(K, 12, 9, j, mm(skew(s_b), G))


def _at_zero_length(want, k, p, c, d_dot, s_a, s_b, r, K, w):
    """The limit ℓ → 0 for ℓ₀ = 0: f = k d + d ḋ, isotropic."""
    f = scale(p[25], d_dot)
    if want & RESIDUAL:
        put(r, 0, neg(f))
        put(r, 3, neg(cross(s_a, f)))
        put(r, 6, f)
        put(r, 9, cross(s_b, f))
    if want & MATRIX:
        coefficient = c[0] * p[24] + c[1] * p[25]
        D = (coefficient, 0.0, 0.0, 0.0, coefficient, 0.0, 0.0, 0.0, coefficient)
        add_line_stiffness(K, 12, D, scale(c[0], f), s_a, s_b)
    if want & (OUTPUT | ENERGY):
        for i in range(5):
            w[i] = 0.0
    if want & ENERGY:
        w[3] = dot(f, d_dot)
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
    force: AnyFunction | None = Field(None, description="Further spring force [N] as a function of deflection [m].")
    damper: AnyFunction | None = Field(None, description="Further damping force [N] as a function of rate [m/s].")
    free_length: AnyFunction | None = Field(None, description="Stress-free length [m], may be a function of time.")

    def elements(self, a: Site, b: Site, python: bool = False, length: Any = None) -> list[Element]:
        """Its law; `length` is the measured initial length as a function, used where no free length is given."""
        free = self.free_length if self.free_length is not None else length
        packed = Parameters(python)
        packed.numbers(a.p_NM, a.R_NM, b.p_NM, b.R_NM)
        pack(packed, self.stiffness, self.damping, self.force, self.damper, free)
        return [Element(self.name, axial_spring, (a.node, b.node), **packed.packed())]
