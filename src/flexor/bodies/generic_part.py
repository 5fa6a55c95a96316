"""Generic part: a mass on a rigid spider with a spring at the end of every leg.   FTG A.16

The legs go from the centre of mass c to the markers X_k = c + e_k. The springs resist what the markers move against it,

    D_k z = z_k − [[1, −ê_k], [0, 1]] u,    u = [u_c; θ_c],    energy ½ Σ |D_k z|² weighed by (k_t, k_r)

and the centre is in equilibrium with them: u = B z. FTG (A.28) lacks the minus sign of B = −k₂₂⁻¹k₂₁, with which (A.29) and
(A.30) are right. The mass moves as the field S(x) z = u_c + θ_c × (x − c).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import pi
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.bodies.attachment import carrying_node
from flexor.bodies.body import Parts, Start
from flexor.bodies.rigid_body import RigidBody
from flexor.bodies.superelement.term import superelement_parameters, superelement_term
from flexor.declaration import Frequency, RotationalStiffness, Stiffness, Time
from flexor.errors import ModelError, Problem
from flexor.reduce.nodal_inertia import nodal_inertia
from flexor.spatial import skew

SPRING_FREQUENCY = 100.0
"""The springs get so little inertia of their own that they swing this many times faster than the mass on one of them."""


class GenericPart(RigidBody):
    """A part of known mass and unknown shape: nearly rigid, or with a spring of given stiffness at every marker.

    Joints, forces and springs attach to its markers. Left out, the stiffnesses are those with which the mass on one
    spring has the given frequency, so that the part is almost rigid. More legs make it stiffer; long legs lower the
    frequency of swaying about one marker, where the mass has the inertia J + m e².

    Signals: position and orientation of its frame and of every marker (link.left.position), its energies [J].
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "mass", "inertia")
    type: Literal["generic_part"] = "generic_part"  # type: ignore[assignment]
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "link",
            "mass": 2.0,
            "inertia": (0.1, 0.2, 0.25, 0.02, 0.0, -0.01),
            "center_of_mass": (0.4, 0.1, 0.0),
            "markers": {"left": (0, 0, 0), "right": (1, 0, 0), "top": (0.5, 0.4, 0.1)},
            "translational_stiffness": "5 N/mm",
            "rotational_stiffness": 70,
            "damping": 1e-3,
            "position": (0, 4, 0),
        },
    )
    translational_stiffness: Stiffness | None = Field(
        None, description="Stiffness of every spring against translation [N/m]; from the frequency if left out.", gt=0
    )
    rotational_stiffness: RotationalStiffness | None = Field(
        None, description="Stiffness of every spring against rotation [N m/rad]; from the frequency if left out.", gt=0
    )
    frequency: Frequency = Field(
        1e4, description="Frequency of the mass on one spring [Hz], where stiffness is left out.", gt=0
    )
    damping: Time = Field(0.0, description="Damping of the springs: time β in D = β K [s].", ge=0)

    @model_validator(mode="after")
    def _with_legs(self) -> GenericPart:
        if not self.markers:
            raise ValueError(
                "it has no markers; joints attach to them, e.g. markers: {left: [0, 0, 0], right: [1, 0, 0]}"
            )
        if not self.mass > 0:
            raise ValueError("it has no mass; give it one, or declare a rigid_body")
        if self.rotational_stiffness is None and not self._turning_inertia > 0:
            raise ValueError("nothing tells its rotational stiffness; give it inertia, or rotational_stiffness")
        both = self.translational_stiffness is not None and self.rotational_stiffness is not None
        if both and self.frequency != GenericPart.model_fields["frequency"].default:
            raise ValueError("frequency has no effect; both stiffnesses are given, leave it out or one of them")
        return self

    @property
    def flexible(self) -> bool:
        return True

    def rigid(self) -> RigidBody:
        """The undeformed part."""
        return RigidBody(**{key: getattr(self, key) for key in RigidBody.model_fields if key != "type"})

    @property
    def points(self) -> np.ndarray:
        """(c, 3) markers in the body's axes [m]."""
        return np.array([marker.at for marker in self.markers.values()], dtype=float)

    @property
    def _legs(self) -> np.ndarray:
        return self.points - np.array(self.center_of_mass)

    @property
    def _turning_inertia(self) -> float:
        """Mean principal moment of inertia; of a point mass, that about the markers [kg m²]."""
        return float(np.trace(self.inertia_matrix)) / 3 or self.mass * float(np.mean(np.sum(self._legs**2, axis=1)))

    @property
    def stiffness(self) -> tuple[float, float]:
        """k_t [N/m] and k_r [N m/rad] of every spring.

        k_t = (2πf)² m   FTG (A.31),   k_r = (2πf)² ⅓ tr J. The sum in FTG (A.32) runs over the products of inertia
        too: it would change with the axes and may vanish.
        """
        square = (2 * pi * self.frequency) ** 2
        k_t, k_r = self.translational_stiffness, self.rotational_stiffness
        return (
            square * self.mass if k_t is None else k_t,
            square * self._turning_inertia if k_r is None else k_r,
        )

    @cached_property
    def condensed(self) -> Condensed:
        """The part without its centre: B, K and the mass."""
        return condensed(self.mass, np.array(self.center_of_mass), self.inertia_matrix, self.points, *self.stiffness)

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        def refuse(what: str, why: str, fix: str) -> ModelError:
            return ModelError(Problem(f"generic part '{self.name}'", what, why, fix))

        size = float(np.abs(self._legs).max())
        return carrying_node(list(self.markers), self.points, size, marker, p_BM, refuse)

    def parts(self, start: Start) -> Parts:
        c, made = len(self.markers), self.condensed
        share = np.diag(made.M).reshape(c, 2, 3).mean(axis=2)
        nodes = tuple(
            start.at(f"{self.name}.{marker}", point, weights=tuple(map(float, weights)), placed=self.placed)
            for marker, point, weights in zip(self.markers, self.points, share)
        )
        parameters = superelement_parameters(
            self.points,
            made.K,
            made.M,
            D=self.damping * made.K,
            inertia=nodal_inertia(made.M, self.points, made.field),
            mass=self.mass,
            center=np.array(self.center_of_mass),
            momentum=self.mass * made.B[:3],
            name=self.name,
        )
        numbers = range(start.node, start.node + c)
        center = np.array(self.center_of_mass)
        return Parts(nodes, (superelement_term(self.name, numbers, (), parameters, center, start.X_WB),))


@dataclass(frozen=True, eq=False)
class MassPoints:
    """Masses m_a (a,) at x_a (a, 3) that move by S_a z, S (a, 3, N), and their inertia invariants."""

    masses: np.ndarray
    x: np.ndarray
    S: np.ndarray

    @property
    def M(self) -> np.ndarray:
        """Σ m SᵀS"""
        return np.einsum("a,akr,aks->rs", self.masses, self.S, self.S)

    @property
    def centrifugal(self) -> np.ndarray:
        """(3, 3, N) Σ m Sᵀ (eᵢ × (eⱼ × x))"""
        return np.einsum("a,akr,ijkl,al->ijr", self.masses, self.S, TWICE, self.x)

    @property
    def gyroscopic(self) -> np.ndarray:
        """(3, N, N) Σ m Sᵀ (eᵢ × S)"""
        return np.einsum("a,akr,ikl,als->irs", self.masses, self.S, HATS, self.S)

    @property
    def softening(self) -> np.ndarray:
        """(3, 3, N, N) Σ m Sᵀ (eᵢ × (eⱼ × S))"""
        return np.einsum("a,akr,ijkl,als->ijrs", self.masses, self.S, TWICE, self.S)

    @property
    def position_products(self) -> np.ndarray:
        """(3, 3, N) Σ m xᵢ Sⱼ"""
        return np.einsum("a,ai,ajr->ijr", self.masses, self.x, self.S)


HATS = np.array([skew(e) for e in np.eye(3)])
TWICE = np.einsum("ikm,jml->ijkl", HATS, HATS)


@dataclass(frozen=True, eq=False)
class Condensed:
    """A generic part in the motions of its markers: B (6, N), K and M (N, N), and the field of its mass."""

    B: np.ndarray
    K: np.ndarray
    M: np.ndarray
    field: MassPoints


def condensed(mass: float, center: np.ndarray, J: np.ndarray, points: np.ndarray, k_t: float, k_r: float) -> Condensed:
    """The spider with its springs, the centre of mass in equilibrium.   FTG (A.23)–(A.30)"""
    c, N = len(points), 6 * len(points)
    k = np.repeat([k_t, k_r], 3)
    legs = np.tile(np.eye(6), (c, 1, 1))
    legs[:, :3, 3:] = [-skew(e) for e in points - center]  # motion of the end of a leg with the centre
    k_21 = -np.concatenate([leg.T * k for leg in legs], axis=1)
    k_22 = sum((leg.T * k) @ leg for leg in legs)
    B = -np.linalg.solve(k_22, k_21)  # (A.28)
    springs = np.eye(N) - legs.reshape(N, 6) @ B
    K = (springs.T * np.tile(k, c)) @ springs  # (A.29)
    field = _six_masses(mass, center, J, B)
    # (A.30) has rank 6. K over a very high frequency squared adds nothing to motions without strain.
    M = field.M + K * (mass / (SPRING_FREQUENCY**2 * k_t))
    return Condensed(B, 0.5 * (K + K.T), 0.5 * (M + M.T), field)


def _six_masses(mass: float, center: np.ndarray, J: np.ndarray, B: np.ndarray) -> MassPoints:
    """The rigid mass as six equal ones, in pairs on its principal axes: same mass, centre and inertia."""
    spread, axes = np.linalg.eigh(0.5 * np.trace(J) * np.eye(3) - J)  # ∫ρ y yᵀ
    arms = (axes * np.sqrt(3 * np.maximum(spread, 0.0) / mass)).T
    arms = np.concatenate([arms, -arms])
    S = np.array([B[:3] - skew(y) @ B[3:] for y in arms])
    return MassPoints(np.full(6, mass / 6), center + arms, S)
