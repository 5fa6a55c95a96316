"""What the user stated about the start, as equations on the bodies: they are met, not weighed.

joint start, start_rate           q = q₀,  q̇ = q̇₀                      of each joint variable
body position, velocity           x + R p = x₀,  v + ω × R p = v₀        of the body's origin, p from its node
body orientation, angular_velocity   log(R R₀ᵀ) = 0,  ω = ω₀
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies import Body
from flexor.coordinates.between import Between
from flexor.coordinates.measure import wrap
from flexor.joints import Joint
from flexor.model.surroundings import Surroundings
from flexor.spatial import log_so3, quaternion_to_matrix, skew

AGREE = 1e-6
"""Stated values that contradict each other by less than this agree; they are met in the mean."""


@dataclass
class Motion:
    """Nodes of the bodies, the ground first: positions (n, 3), orientations (n, 3, 3), velocities (n, 6)."""

    x: np.ndarray
    R: np.ndarray
    v: np.ndarray

    def copy(self) -> Motion:
        return Motion(self.x.copy(), self.R.copy(), self.v.copy())


@dataclass(frozen=True)
class Given:
    """One stated value: the item and field it stands in, and what it says in the user's words."""

    item: Any
    field: str
    value: np.ndarray
    unit: str

    @property
    def where(self) -> str:
        return self.item.called(self.item.name)

    def told(self, value: np.ndarray) -> str:
        """A value of this kind, as it is written in messages."""
        numbers = ", ".join(f"{number + 0.0:.9g}" for number in np.round(np.ravel(value), 12))
        return f"({numbers}) {self.unit}" if np.size(value) > 1 else f"{numbers} {self.unit}"

    def measured(self, motion: Motion) -> np.ndarray:
        """What it is in this motion."""
        raise NotImplementedError

    def off(self, motion: Motion) -> np.ndarray:
        """How far this motion is from what is stated."""
        return self.measured(motion) - self.value

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes that it depends on."""
        raise NotImplementedError

    def gradient(self, motion: Motion) -> np.ndarray:
        """∂off/∂(x, θ) of its nodes, six columns each; the same for ∂/∂v."""
        raise NotImplementedError


@dataclass(frozen=True)
class GivenVariable(Given):
    """A joint variable or its rate."""

    variable: str
    between: Between
    ends: tuple[int, int]
    rate: bool

    def _state(self, motion: Motion) -> tuple[list[float], list[float], list[float]]:
        nodes = list(self.ends)
        return motion.x[nodes].ravel().tolist(), motion.R[nodes].ravel().tolist(), motion.v[nodes].ravel().tolist()

    def measured(self, motion: Motion) -> np.ndarray:
        found = self.between.value_and_rate(*self._state(motion))
        return np.array([found[int(self.rate)]])

    def off(self, motion: Motion) -> np.ndarray:
        off = self.measured(motion) - self.value
        return np.array([wrap(float(off[0]))]) if self.between.turns and not self.rate else off

    @property
    def nodes(self) -> tuple[int, ...]:
        return self.ends

    def gradient(self, motion: Motion) -> np.ndarray:
        x, R, _ = self._state(motion)
        return self.between.gradient(x, R)[None]

    def told(self, value: np.ndarray) -> str:
        said = super().told(value)
        return f"{self.variable} = {said}" if len(self.item.variables) > 1 else said


@dataclass(frozen=True)
class GivenPoint(Given):
    """Where the origin of a body is, or its velocity."""

    node: int
    p_NO: np.ndarray
    rate: bool

    def measured(self, motion: Motion) -> np.ndarray:
        arm = motion.R[self.node] @ self.p_NO
        v, omega = motion.v[self.node, :3], motion.v[self.node, 3:]
        return v + np.cross(omega, arm) if self.rate else motion.x[self.node] + arm

    @property
    def nodes(self) -> tuple[int, ...]:
        return (self.node,)

    def gradient(self, motion: Motion) -> np.ndarray:
        return np.hstack([np.eye(3), -skew(motion.R[self.node] @ self.p_NO)])


@dataclass(frozen=True)
class GivenTurn(Given):
    """The orientation of a body, as a quaternion, or its angular velocity."""

    node: int
    rate: bool

    def measured(self, motion: Motion) -> np.ndarray:
        if self.rate:
            return motion.v[self.node, 3:]
        return np.asarray(log_so3(motion.R[self.node]))

    def off(self, motion: Motion) -> np.ndarray:
        if self.rate:
            return self.measured(motion) - self.value
        return np.asarray(log_so3(motion.R[self.node] @ quaternion_to_matrix(self.value).T))

    @property
    def nodes(self) -> tuple[int, ...]:
        return (self.node,)

    def gradient(self, motion: Motion) -> np.ndarray:
        return np.hstack([np.zeros((3, 3)), np.eye(3)])

    def told(self, value: np.ndarray) -> str:
        if not self.rate and len(value) == 4:
            value = log_so3(quaternion_to_matrix(value))
        return super().told(value)


def stated_positions(
    items: Sequence[Any], around: Surroundings, nodes: Mapping[str, tuple[int, np.ndarray]]
) -> list[Given]:
    """Positions, orientations and joint variables; nodes: number and p_NO of each body."""
    found: list[Given] = []
    for item in items:
        if isinstance(item, Joint) and item.start is not None:
            found += _variables(item, around, "start", item.start)
        elif isinstance(item, Body):
            node, p_NO = nodes[item.name]
            if item.position is not None:
                found.append(GivenPoint(item, "position", np.array(item.position), "m", node, p_NO, False))
            if item.orientation is not None and 3 not in item.locked:
                found.append(GivenTurn(item, "orientation", np.array(item.orientation), "rad", node, False))
    return found


def stated_velocities(
    items: Sequence[Any], around: Surroundings, nodes: Mapping[str, tuple[int, np.ndarray]]
) -> list[Given]:
    """Velocities, angular velocities and rates of joint variables."""
    found: list[Given] = []
    for item in items:
        if isinstance(item, Joint) and item.start_rate is not None:
            found += _variables(item, around, "start_rate", item.start_rate)
        elif isinstance(item, Body):
            node, p_NO = nodes[item.name]
            if item.velocity is not None:
                found.append(GivenPoint(item, "velocity", np.array(item.velocity), "m/s", node, p_NO, True))
            if item.angular_velocity is not None and 3 not in item.locked:
                omega = np.array(item.angular_velocity)
                found.append(GivenTurn(item, "angular_velocity", omega, "rad/s", node, True))
    return found


def _variables(joint: Joint, around: Surroundings, field: str, values: Sequence[float]) -> list[Given]:
    a, b = around.ends(joint)
    rate = field == "start_rate"
    found: list[Given] = []
    for variable, unit, value, measure in zip(joint.variables, joint.units, values, joint.free.measures, strict=True):
        between, of = Between(measure, a, b), np.array([value])
        unit = f"{unit}/s" if rate else unit
        found.append(GivenVariable(joint, field, of, unit, variable, between, (a.node, b.node), rate))
    return found
