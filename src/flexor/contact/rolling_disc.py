"""A thin disc that rolls on a fixed plane without slipping: one holonomic and two nonholonomic constraints.

With the plane's unit normal n, the disc's axis u and radius ρ, s = n·u, q = √(1 − s²),

    d = −(n − s u)/q            from the centre to the lowest point of the rim
    Φ = n · (x + ρ d − p)       height of that point above the plane, zero
    e_i · (v + ρ ω × d) = 0     no slip of the material point there, along both directions e_i of the plane
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.bodies.marker import MarkerRef
from flexor.declaration import Direction, Item, Length, Point
from flexor.dotted import NAME
from flexor.joints.surroundings import Surroundings
from flexor.law import ACCELERATION_LEVEL, GROUND, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, Term, law
from flexor.law.dual import asin, sqrt
from flexor.law.face import level_coefficient
from flexor.law.record import Record, number, numbers
from flexor.law.tuples import (
    add,
    column,
    cross,
    dot,
    madd,
    mat,
    mm,
    mscale,
    mtv,
    mv,
    outer,
    put,
    put_col,
    put_mat,
    put_row,
    scale,
    skew,
    sub,
    vec,
)  # fmt: skip
from flexor.spatial import triad


class Rolling(Record):
    """Parameters of the law."""

    p_NM = numbers(3, "centre of the rim, in axes of the node", "m")
    axis = numbers(3, "axis of the disc, in axes of the node")
    radius = number("ρ", "m")
    plane = numbers(9, "axes e₁, e₂, n of the plane as columns")
    point = numbers(3, "a point of the plane", "m")


def _lowest(n, u, s, q):
    """d"""
    return scale(-1.0 / q, sub(n, scale(s, u)))


def _turning(n, u, d, s, q):
    """∂d/∂θ of the disc: (u nᵀ + s I)/q + (s/q²) d nᵀ, times ∂u/∂θ = −ũ"""
    D = madd(outer(scale(1.0 / q, u), n), outer(scale(s / (q * q), d), n))
    f = s / q
    D = madd(D, (f, 0.0, 0.0, 0.0, f, 0.0, 0.0, 0.0, f))
    return mscale(-1.0, mm(D, skew(u)))


@law(
    Rolling,
    tangent="own",
    errors={1: "the disc lies flat on the plane; it has no lowest point"},
    outputs=(("normal_force", "N"), ("force_x", "N"), ("force_y", "N"), ("lean", "rad")),
    symmetric=False,
)
def rolling_disc(want, p, now, out):
    """Nodes: ground, disc."""
    v, a, lam, r, w = now.v, now.a, now.lam, out.r, out.w
    R_d = mat(now.R, 9)
    plane = mat(p.plane, 0)
    normal = column(plane, 2)
    rho = p.radius
    arm = mv(R_d, vec(p.p_NM, 0))
    u = mv(R_d, vec(p.axis, 0))
    sine = dot(normal, u)
    q2 = 1.0 - sine * sine
    if q2 < 1e-10:
        return 1
    q = sqrt(q2)
    d = _lowest(normal, u, sine, q)
    lever = add(arm, scale(rho, d))  # from the node to the point of contact
    omega = vec(v, 9)
    f = mv(plane, (lam[1], lam[2], lam[0]))  # the ground exerts −f on the disc
    D = _turning(normal, u, d, sine, q)
    if want & RESIDUAL:
        put(r, 6, f)
        put(r, 9, cross(lever, f))
        velocity = add(vec(v, 6), cross(omega, lever))
        if want & ACCELERATION_LEVEL:
            # d/dt of v + ω × (arm + ρ d): the arm turns with the disc, d by its own rule
            lever_rate = add(cross(omega, arm), scale(rho, mv(D, omega)))
            acceleration = sub(add(vec(a, 6), add(cross(vec(a, 9), lever), cross(omega, lever_rate))), vec(a, 0))
            for i in range(3):
                r[12 + i] = dot(column(plane, (i + 2) % 3), acceleration)
        else:
            for i in range(3):
                r[12 + i] = dot(column(plane, (i + 2) % 3), velocity)
            if not want & VELOCITY_LEVEL:
                r[12] = dot(normal, sub(add(vec(now.x, 3), lever), vec(p.point, 0)))
    if want & MATRIX:
        _matrix(want, now.c, plane, f, lever, arm, rho, D, omega, out.K)
    if want & OUTPUT:
        w[0] = -lam[0]
        w[1] = -lam[1]
        w[2] = -lam[2]
        w[3] = asin(sine)
    return 0


def _matrix(want, c, plane, f, lever, arm, rho, D, omega, K):
    # δlever = δθ × arm + ρ D δθ
    turn = madd(mscale(-1.0, skew(arm)), mscale(rho, D))
    put_mat(K, 15, 9, 9, mscale(-c.K, mm(skew(f), turn)))
    own = level_coefficient(want, c)
    slip = c.M if want & ACCELERATION_LEVEL else c.C
    for i in range(3):
        e = column(plane, (i + 2) % 3)
        moment = cross(lever, e)
        factor = own if i == 0 else slip
        put_row(K, 15, 12 + i, 6, scale(factor, e))
        put_row(K, 15, 12 + i, 9, scale(factor, moment))
        if i > 0 and not want & (VELOCITY_LEVEL | ACCELERATION_LEVEL):
            put_row(K, 15, 12 + i, 9, scale(c.K, mtv(turn, cross(e, omega))))  # e·(ω × δlever)
        put_col(K, 15, 6, 12 + i, e)
        put_col(K, 15, 9, 12 + i, moment)


class RollingDisc(Item):
    """A thin wheel that rolls on a fixed plane without slipping.

    Signals: normal_force, force_x, force_y [N] of the plane on the disc (in the plane's axes), lean [rad].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "on")
    type: Literal["rolling_disc"] = "rolling_disc"
    noun: ClassVar[str] = "rolling disc"
    one_way: ClassVar[bool] = True
    binds: ClassVar[tuple[str, ...]] = ("height", "slip x", "slip y")
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "wheel", "on": "crank.tip", "radius": "300 mm"},
        {"on": "crank", "radius": 0.4, "axis": (0.1, 1, 0.2), "normal": (0.1, 0.2, 1), "point": (0, 0, 0.1)},
    )
    name: str = Field(description="Unique name of the contact.", min_length=1, pattern=NAME)
    on: MarkerRef = Field(description="The wheel, at the centre of its rim.")
    radius: Length = Field(description="Radius of the rim [m].", gt=0)
    axis: Direction = Field((0.0, 1.0, 0.0), description="Axis of the wheel, in the marker's axes.")
    normal: Direction = Field((0.0, 0.0, 1.0), description="Normal of the plane, global.")
    point: Point = Field((0.0, 0.0, 0.0), description="A point of the plane, global [m].")

    @property
    def in_space(self) -> dict[str, Literal["point", "direction"]]:
        return {"normal": "direction", "point": "point"}

    def terms(self, around: Surroundings) -> list[Term]:
        site = around.site
        axis = site.R_NM @ (np.array(self.axis) / np.linalg.norm(self.axis))
        parameters = Rolling.pack(
            p_NM=site.p_NM, axis=axis, radius=self.radius, plane=triad(self.normal), point=self.point
        )
        nodes = (GROUND, site.node)
        return [Term(self.name, rolling_disc, nodes, rows=self.binds, nonholonomic=2, parameters=parameters)]
