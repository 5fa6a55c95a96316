"""Distance rod: keeps two points at a given distance, which may be a function of time."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator

from flexor.bodies.marker import MarkerRef, Site
from flexor.declaration import Declaration
from flexor.functions import ERRORS, OUT_SIZE, function_of
from flexor.functions.measure import least_known
from flexor.joints.frames import arm_a, arm_b, offset, offset_acceleration, offset_rate, put_pair
from flexor.law import (
    ACCELERATION_LEVEL,
    ENERGY,
    MATRIX,
    OUTPUT,
    RESIDUAL,
    VELOCITY_LEVEL,
    Element,
    law,
    level_coefficient,
)
from flexor.law.parameters import Parameters
from flexor.law.primitives import at, call_function
from flexor.law.tuples import (
    cross,
    diagonal,
    dot,
    mm_skew,
    mscale,
    msub,
    neg,
    norm,
    outer,
    put_col,
    put_mat,
    scale,
    skew2,
    skew_mm,
)


def add_line_stiffness(K, n, D, f, s_a, s_b):
    """K += ∂/∂q of a force pair f along the line between the points A and B.

    D = ∂f/∂d, d = p_B − p_A; rows (x_a, θ_a, x_b, θ_b) hold (−f, −s_a × f, f, s_b × f).
    """
    # δd = δx_b − s̃_b δθ_b − δx_a + s̃_a δθ_a, so with G = ∂d/∂q: K = Gᵀ D G + moments of f on turning arms
    DA = mm_skew(D, s_a)
    DB = mm_skew(D, s_b)
    put_mat(K, n, 6, 6, D)
    put_mat(K, n, 6, 9, mscale(-1.0, DB))
    put_mat(K, n, 6, 0, mscale(-1.0, D))
    put_mat(K, n, 6, 3, DA)
    put_mat(K, n, 0, 6, mscale(-1.0, D))
    put_mat(K, n, 0, 9, DB)
    put_mat(K, n, 0, 0, D)
    put_mat(K, n, 0, 3, mscale(-1.0, DA))
    AD = skew_mm(s_a, D)
    BD = skew_mm(s_b, D)
    put_mat(K, n, 9, 6, BD)
    put_mat(K, n, 9, 9, msub(skew2(f, s_b), mm_skew(BD, s_b)))
    put_mat(K, n, 9, 0, mscale(-1.0, BD))
    put_mat(K, n, 9, 3, mm_skew(BD, s_a))
    put_mat(K, n, 3, 6, mscale(-1.0, AD))
    put_mat(K, n, 3, 9, mm_skew(AD, s_b))
    put_mat(K, n, 3, 0, AD)
    put_mat(K, n, 3, 3, msub(mscale(-1.0, skew2(f, s_a)), mm_skew(AD, s_a)))


def line_projector(u, length):
    """∂u/∂d = (I − u uᵀ)/ℓ for the unit vector u along d."""
    return mscale(1.0 / length, msub(diagonal(1.0), outer(u, u)))


@law(
    errors={1: "its ends coincide; the rod has no direction", 2: "its length must stay positive", **ERRORS},
    outputs=(("length", "m"), ("length_rate", "m/s"), ("force", "N")),
    scratch=OUT_SIZE,
)
def distance(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Φ = |d| − ℓ(t);  k: length function (2);  p: two markers (orientations unused)"""
    s_a = arm_a(R, p)
    s_b = arm_b(R, p)
    d = offset(x, s_a, s_b)
    length = norm(d)
    if length < 1e-12:
        return 1
    u = scale(1.0 / length, d)
    f = scale(lam[0], u)
    status = call_function(k[0], at(p, k[1]), t, w)
    if status != 0:
        return status
    target, target_rate, target_acceleration = w[0], w[1], w[2]
    if target <= 0.0:
        return 2
    d_dot = offset_rate(v, s_a, s_b)
    length_rate = dot(u, d_dot)
    if want & RESIDUAL:
        put_pair(r, f, s_a, s_b)
        if want & ACCELERATION_LEVEL:
            transverse = dot(d_dot, d_dot) - length_rate * length_rate
            r[12] = dot(u, offset_acceleration(v, a, s_a, s_b)) + transverse / length - target_acceleration
        elif want & VELOCITY_LEVEL:
            r[12] = length_rate - target_rate
        else:
            r[12] = length - target
    if want & MATRIX:
        cL = level_coefficient(want, c)
        put_pair(at(K, 12 * 13), scale(cL, u), s_a, s_b)
        put_col(K, 13, 0, 12, neg(u))
        put_col(K, 13, 3, 12, neg(cross(s_a, u)))
        put_col(K, 13, 6, 12, u)
        put_col(K, 13, 9, 12, cross(s_b, u))
        add_line_stiffness(K, 13, mscale(c[0] * lam[0], line_projector(u, length)), scale(c[0], f), s_a, s_b)
    if want & OUTPUT:
        w[0] = length
        w[1] = length_rate
        w[2] = -lam[0]
    if want & ENERGY:
        for i in range(4):
            w[i] = 0.0
        w[4] = -lam[0] * target_rate
    return 0


class Distance(Declaration):
    """A massless rod with ball joints at both ends. `length` is kept as measured at the start if left out.

    Signals: length [m], length_rate [m/s], force [N] (compression positive).
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "a", "b", "length")
    noun: ClassVar[str] = "joint"
    type: Literal["distance"] = "distance"
    variables: ClassVar[tuple[str, ...]] = ()
    name: str = Field(description="Unique name of the rod.", min_length=1, pattern=r"^[^.\s][^.]*$")
    a: MarkerRef = Field(description="End on the first body (or ground).")
    b: MarkerRef = Field(description="End on the second body.")
    length: function_of("time", "length") | None = Field(  # type: ignore[valid-type]
        None, description="Length [m], a number or a function of time."
    )

    @field_validator("length")
    @classmethod
    def _more_than_zero(cls, function: Any) -> Any:
        if function is not None and (least := least_known(function))[0] <= 0:
            raise ValueError(f"it is {least[0]:g} m at t = {least[1]:g} s; a rod has a length greater than zero")
        return function

    def elements(self, a: Site, b: Site, length: Any, python: bool = False) -> list[Element]:
        """Its law; `length` is the measured initial length as a function, used where none is given."""
        packed = Parameters(python).function(self.length if self.length is not None else length)
        packed.numbers(a.p_NM, a.R_NM, b.p_NM, b.R_NM)
        return [Element(self.name, distance, (a.node, b.node), rows=("length",), **packed.packed())]
