"""Rigid body: six degrees of freedom at its centre of mass."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from flexor.bodies.body import Body
from flexor.declaration import LARGEST, Mass, Point, bounded, quantity
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import put_energies
from flexor.law.record import Packed, Record, integer, number, numbers
from flexor.law.tuples import (
    add,
    cross,
    dot,
    madd,
    mat,
    mm,
    mm_skew,
    mmt,
    mscale,
    msub,
    mtv,
    mv,
    put,
    put_mat,
    scale,
    skew,
    skew2,
    skew_mm,
    sub,
    vec,
)
from flexor.units import si

Inertia = Annotated[float, quantity("inertia")]


class Inertial(Record):
    """Parameters of a rigid body."""

    mass = number("mass", "kg")
    inertia = numbers(6, "J_B about the centre of mass: xx, yy, zz, xy, xz, yz", "kg m²")
    start = numbers(3, "initial position of the centre of mass, where its potential energy is zero", "m")
    point = integer("1: a particle, which does not turn")


@law(Inertial, tangent="own", outputs=(("kinetic_energy", "J"), ("potential_energy", "J")))
def rigid_body(want, p, now, out):
    """m (v̇ − g) = f,   J ω̇ + ω × J ω = m_c   with J = R J_B Rᵀ about the centre of mass."""
    m, j = p.mass, p.inertia
    J_B = (j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2])
    R_WB = mat(now.R, 0)
    omega = vec(now.v, 3)
    alpha = vec(now.a, 3)
    if want & RESIDUAL:
        put(out.r, 0, scale(m, vec(now.a, 0)))
        if p.point == 0:  # particles are many
            omega_B = mtv(R_WB, omega)
            L_B = mv(J_B, omega_B)
            torque_B = add(mv(J_B, mtv(R_WB, alpha)), cross(omega_B, L_B))
            put(out.r, 3, mv(R_WB, torque_B))
    if want & MATRIX:
        m_c = now.c.M * m
        out.K[0] += m_c
        out.K[7] += m_c
        out.K[14] += m_c
    if want & MATRIX and p.point == 0:
        c = now.c
        J = mmt(mm(R_WB, J_B), R_WB)
        L = mv(J, omega)
        W = skew_mm(omega, J)  # ω̃ J
        damping = msub(W, skew(L))
        # δ(J u) = δθ × J u − J (δθ × u) = (J ũ − (J u)~) δθ, for u = α and, behind ω ×, for u = ω
        turning = msub(mm_skew(J, alpha), skew(mv(J, alpha)))
        stiffness = madd(turning, msub(mm_skew(W, omega), skew2(omega, L)))
        put_mat(out.K, 6, 3, 3, madd(mscale(c.M, J), madd(mscale(c.C, damping), mscale(c.K, stiffness))))
    if want & (ENERGY | OUTPUT):
        omega_B = mtv(R_WB, omega)
        velocity = vec(now.v, 0)
        kinetic = 0.5 * (m * dot(velocity, velocity) + dot(omega_B, mv(J_B, omega_B)))  # FTG (9.7)
        # FTG (9.8), sign corrected: U = −m gᵀ Δx
        potential = -m * dot(vec(now.c.gravity, 0), sub(vec(now.x, 0), vec(p.start, 0)))
        put_energies(out.w, kinetic, potential, 0.0, 0.0, 0.0)
    return 0


_Three = tuple[float | str, float | str, float | str]
_Six = tuple[float | str, float | str, float | str, float | str, float | str, float | str]
Moments = float | str | _Three | _Six | tuple[_Three, _Three, _Three]
"""What may be written for the inertia."""


def as_moments(value: object) -> tuple[float, ...]:
    """What was written for an inertia as 3 or 6 numbers [kg m²]: xx, yy, zz (, xy, xz, yz)."""
    if type(value) is tuple and len(value) in (3, 6) and all(type(v) is float and abs(v) <= LARGEST for v in value):
        return value
    if isinstance(value, int | float | str):
        value = [value] * 3
    numbers = list(value) if isinstance(value, Iterable) and hasattr(value, "__len__") else []
    if [len(row) for row in numbers if hasattr(row, "__len__") and not isinstance(row, str)] == [3, 3, 3]:
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = numbers
        if si([xy, xz, yz], "inertia") != si([yx, zx, zy], "inertia"):
            raise ValueError("its matrix is not symmetric; xy must equal yx, and so on")
        numbers = [xx, yy, zz, xy, xz, yz]
    if len(numbers) not in (3, 6):
        raise ValueError("it needs 3 or 6 numbers (xx, yy, zz, xy, xz, yz) or a 3×3 matrix; e.g. [1, 2, 3]")
    return tuple(bounded(si(number, "inertia")) for number in numbers)


@lru_cache(maxsize=1024)
def moment_matrix(inertia: tuple[float, ...]) -> np.ndarray:
    """The matrix of 3 or 6 moments; nobody can write to it, as bodies that are alike share it."""
    xx, yy, zz, xy, xz, yz = (*inertia, 0.0, 0.0, 0.0)[:6]
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    matrix.setflags(write=False)
    return matrix


def principal_moments(inertia: Sequence[float]) -> list[float]:
    """Of 3 or 6 moments, the least first."""
    if not any(inertia[3:]):
        return sorted(inertia[:3])
    found: list[float] = np.linalg.eigvalsh(moment_matrix(tuple(inertia))).tolist()
    return found


def refuse_unphysical(inertia: Sequence[float]) -> None:
    """ValueError for moments that no body has."""
    moments = principal_moments(inertia)
    if moments[0] < -1e-9 * max(abs(moments[2]), 1e-300) or moments[2] > (moments[0] + moments[1]) * (1 + 1e-6) + 1e-30:
        raise ValueError(
            f"the inertia is not physical: principal moments {', '.join(f'{m:.4g}' for m in moments)} kg m² "
            "must be non-negative and none larger than the sum of the other two; "
            "check signs, units and the reference point"
        )


class RigidBody(Body):
    """A rigid body. Inertia is about the centre of mass, in the body's axes."""

    positional: ClassVar[tuple[str, ...]] = ("name", "mass", "inertia")
    type: Literal["rigid_body"] = "rigid_body"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "crank",
            "mass": "800 g",
            "inertia": (0.5, 0.7, 0.6, 0.1, -0.2, 0.05),
            "center_of_mass": ("30 mm", 0.1, -0.2),
            "markers": {"tip": (0.1, 0, 0)},
            "shapes": ({"type": "box", "x": 0.1, "y": 0.2, "z": 0.3},),
        },
        {
            "name": "disc",
            "mass": 1.7,
            "inertia": (0.4, 0.6, 0.8),
            "position": (1, 2, 3),
            "orientation": {"axis": "z", "angle": "30 deg"},
            "angular_velocity": (0, 0, "3000 rpm"),
        },
    )
    mass: Mass = Field(description="Mass [kg].", ge=0)
    inertia: tuple[float, ...] = Field(
        (0.0, 0.0, 0.0),
        description="Inertia about the centre of mass [kg m²]: xx, yy, zz (, xy, xz, yz), the entries of its matrix, "
        "xy = −∫ x y dm.",
    )
    center_of_mass: Point = Field((0.0, 0.0, 0.0), description="Centre of mass in the body's axes [m].")

    @field_validator("inertia", mode="before", json_schema_input_type=Moments)
    @classmethod
    def _as_moments(cls, value: object) -> tuple[float, ...]:
        return as_moments(value)

    @model_validator(mode="after")
    def _physical(self) -> RigidBody:
        refuse_unphysical(self.inertia)
        if self.mass == 0 and any(self.inertia):
            raise ValueError("it has rotational inertia but no mass; give it a mass")
        return self

    @property
    def inertia_matrix(self) -> np.ndarray:
        return moment_matrix(self.inertia)

    @property
    def mass_and_inertia(self) -> tuple[float, np.ndarray]:
        return self.mass, self.inertia_matrix

    @property
    def node_offset(self) -> tuple[float, float, float]:
        return self.center_of_mass

    @property
    def weights(self) -> tuple[float, float]:
        return (self.mass, sum(self.inertia[:3]) / 3)

    def terms(self, node: int, x0: np.ndarray) -> list[Term]:
        words = _not_placed(self.mass, self.inertia).words.copy()
        words[_START] = x0
        return [Term(self.name, rigid_body, (node,), parameters=Packed(words))]


@lru_cache(maxsize=1024)
def _not_placed(mass: float, inertia: tuple[float, ...]) -> Packed:
    """Parameters of bodies that are alike but for where they start."""
    return Inertial.pack(mass=mass, inertia=(*inertia, 0.0, 0.0, 0.0)[:6], start=np.zeros(3), point=0)


_START = slice(Inertial.start.offset, Inertial.start.offset + 3)  # type: ignore[attr-defined]
