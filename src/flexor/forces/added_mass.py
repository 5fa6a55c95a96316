"""Mass and inertia added at a marker of any body.   FTG 7.6 (additional masses), (9.7), (9.8)"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from flexor.bodies.marker import MarkerRef
from flexor.bodies.rigid_body import Moments, as_moments, moment_matrix, refuse_unphysical
from flexor.declaration import Item, Mass
from flexor.dotted import NAME
from flexor.joints.surroundings import Surroundings
from flexor.law import ENERGY, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import put_energies
from flexor.law.record import Record, number, numbers
from flexor.law.tuples import add, cross, dot, mat, mtv, mv, put, scale, sub, vec


class Carried(Record):
    """Parameters of an added mass."""

    mass = number("mass", "kg")
    inertia = numbers(9, "J_N about its own centre of mass, in axes of the node", "kg m²")
    p_NM = numbers(3, "where it is, in axes of the node", "m")
    start = numbers(3, "initial position, where its potential energy is zero", "m")


@law(Carried, outputs=(("kinetic_energy", "J"), ("potential_energy", "J")))
def carried_mass(want, p, now, out):
    """f = m (ẍ + α × s + ω × (ω × s) − g),   r = (f, s × f + J α + ω × J ω)   with s = R p_NM, J = R J_N Rᵀ"""
    R = mat(now.R, 0)
    s = mv(R, vec(p.p_NM, 0))
    omega, alpha = vec(now.v, 3), vec(now.a, 3)
    J_N = mat(p.inertia, 0)
    omega_N = mtv(R, omega)
    L_N = mv(J_N, omega_N)
    if want & RESIDUAL:
        a = add(vec(now.a, 0), add(cross(alpha, s), cross(omega, cross(omega, s))))
        f = scale(p.mass, a)
        put(out.r, 0, f)
        put(out.r, 3, add(cross(s, f), mv(R, add(mv(J_N, mtv(R, alpha)), cross(omega_N, L_N)))))
    if want & (ENERGY | OUTPUT):
        v = add(vec(now.v, 0), cross(omega, s))
        kinetic = 0.5 * (p.mass * dot(v, v) + dot(omega_N, L_N))  # FTG (9.7)
        potential = -p.mass * dot(vec(now.c.gravity, 0), sub(add(vec(now.x, 0), s), vec(p.start, 0)))
        put_energies(out.w, kinetic, potential, 0.0, 0.0, 0.0)
    return 0


class AddedMass(Item):
    """A mass, with or without inertia of its own, fixed to a point of a body, rigid or flexible.

    It has weight and takes part in all analyses; the body's own mass and centre of mass are still those declared for it.

    Signals: kinetic_energy, potential_energy [J].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "on", "mass", "inertia")
    noun: ClassVar[str] = "added mass"
    type: Literal["added_mass"] = "added_mass"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"name": "ballast", "on": "crank.tip", "mass": "300 g"},
        {"on": {"body": "crank", "at": (0.1, 0, 0)}, "mass": 0.7, "inertia": (0.3, 0.4, 0.5, 0.05, -0.02, 0.1)},
        {"on": "crank", "mass": 0, "inertia": "0.2 kg*m^2"},
    )
    name: str = Field(description="Unique name of the mass.", min_length=1, pattern=NAME)
    on: MarkerRef = Field(description="The body and point that carries it: its centre of mass.")
    mass: Mass = Field(0.0, description="Mass [kg].", ge=0)
    inertia: tuple[float, ...] = Field(
        (0.0, 0.0, 0.0),
        description="Its inertia about its own centre of mass, in the marker's axes [kg m²]: xx, yy, zz (, xy, xz, yz).",
    )

    @field_validator("inertia", mode="before", json_schema_input_type=Moments)
    @classmethod
    def _as_moments(cls, value: object) -> tuple[float, ...]:
        return as_moments(value)

    @model_validator(mode="after")
    def _something(self) -> AddedMass:
        refuse_unphysical(self.inertia)
        if self.mass == 0 and not any(self.inertia):
            raise ValueError("it has neither mass nor inertia; give one of them, or leave it out")
        return self

    @property
    def adds_inertia(self) -> tuple[float, np.ndarray]:
        return self.mass, moment_matrix(self.inertia)

    @property
    def needs_orientation(self) -> bool:
        return any(self.inertia)

    def terms(self, around: Surroundings) -> list[Term]:
        site = around.site
        J = site.R_NM @ moment_matrix(self.inertia) @ site.R_NM.T
        parameters = Carried.pack(mass=self.mass, inertia=J, p_NM=site.p_NM, start=around.drawn.x[1])
        return [Term(self.name, carried_mass, (site.node,), parameters=parameters)]
