"""What the user stated about the start, as equations on the bodies: they are met, not weighed.

joint start, start_rate           q = q₀,  q̇ = q̇₀                      of each joint variable
body position, velocity           x + R p = x₀,  v + ω × R p = v₀        of the body's origin, p from its node
body orientation, angular_velocity   log(R R₀ᵀ) = 0,  ω = ω₀
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flexor.bodies import Body
from flexor.declaration import Item
from flexor.joints import Joint
from flexor.joints.batches import variable_rows
from flexor.model.joint_table import JointTable
from flexor.spatial import log_so3, quaternion_to_matrix

AGREE = 1e-6
"""Stated values that contradict each other by more than this do not agree, however they are rounded."""
EXACT = 1e-9
"""How exact a stated value is at most, in parts of the model's size and in rad."""
ROUND = 4
"""Digits of a number that is meant as it stands, not rounded."""


@dataclass
class Motion:
    """Nodes of the bodies, the ground first: positions (n, 3), orientations (n, 3, 3), velocities (n, 6)."""

    x: np.ndarray
    R: np.ndarray
    v: np.ndarray

    def of(self, nodes: np.ndarray) -> np.ndarray:
        """Velocities of the nodes (m, k) of some rows, six numbers each (m, 6 k)."""
        return self.v[nodes].reshape(len(nodes), -1)

    def taking(self, other: Motion, nodes: np.ndarray) -> Motion:
        """With some nodes (a mask) as in the other motion."""
        chosen = nodes[:, None]
        return Motion(
            np.where(chosen, other.x, self.x),
            np.where(chosen[..., None], other.R, self.R),
            np.where(chosen, other.v, self.v),
        )


@dataclass(frozen=True)
class Given:
    """One stated value: the item and field it stands in, and what it says in the user's words."""

    item: Item
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

    def near(self, motion: Motion) -> np.ndarray:
        """The same, angles in the turn of the stated value."""
        return self.measured(motion)


def rounding(givens: Sequence[Given], size: float) -> np.ndarray:
    """By how much what is stated may be rounded, in parts of the model's size and in rad, row by row."""
    found: list[float] = []
    for given in givens:
        if given.field in ("position", "orientation"):
            found += [AGREE] * 3  # of bodies between joints whose points and axes are rounded as well
        elif given.unit == "rad":
            found += [max(_last_digit(v), np.radians(_last_digit(np.degrees(v)))) for v in given.value]
        else:
            found += [_last_digit(v) / size for v in given.value]
    return np.clip(np.array(found), EXACT, AGREE)


def _last_digit(value: float) -> float:
    """Half a unit of the last digit of a number; zero for one of few digits."""
    mantissa, exponent = f"{abs(value):.11e}".split("e")
    digits = len(mantissa.rstrip("0").rstrip(".").replace(".", ""))
    return 0.5 * 10.0 ** (int(exponent) - digits + 1) if digits > ROUND else 0.0


@dataclass(frozen=True)
class GivenVariable(Given):
    """A joint variable or its rate; row: its number in the table."""

    variable: str
    table: JointTable
    row: int
    rate: bool

    def measured(self, motion: Motion) -> np.ndarray:
        rows = np.array([self.row])
        of = self.table.variable_of[rows]
        frames = self.table.markers.frames(motion.x, motion.R)
        q, gradient = variable_rows(frames, of, self.table.measures[rows])
        return gradient[0] @ motion.of(self.table.markers.nodes(of))[0] if self.rate else q

    def near(self, motion: Motion) -> np.ndarray:
        found = self.measured(motion)
        if self.unit != "rad":
            return found
        return found + 2 * np.pi * np.round((self.value - found) / (2 * np.pi))

    def told(self, value: np.ndarray) -> str:
        said = super().told(value)
        return f"{self.variable} = {said}" if isinstance(self.item, Joint) and len(self.item.variables) > 1 else said


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


@dataclass(frozen=True)
class GivenTurn(Given):
    """The orientation of a body, as a quaternion, or its angular velocity."""

    node: int
    rate: bool

    def measured(self, motion: Motion) -> np.ndarray:
        return motion.v[self.node, 3:] if self.rate else np.asarray(log_so3(motion.R[self.node]))

    def told(self, value: np.ndarray) -> str:
        if not self.rate and len(value) == 4:
            value = log_so3(quaternion_to_matrix(value))
        return super().told(value)


def given_at_start(
    items: Sequence[Item], table: JointTable, nodes: Mapping[str, tuple[int, np.ndarray]], rate: bool
) -> list[Given]:
    """Positions, orientations and joint variables, or their rates; nodes: number and p_NO of each body."""
    start, place, turn = (
        ("start_rate", "velocity", "angular_velocity") if rate else ("start", "position", "orientation")
    )
    per = "/s" if rate else ""
    found: list[Given] = []
    away = {(body, field) for item in items for body, fields in item.displaces.items() for field in fields}
    for item in items:
        if isinstance(item, Joint) and getattr(item, start) is not None:
            found += _variables(item, table, start, getattr(item, start))
        elif isinstance(item, Body):
            node, p_NO = nodes[item.name]
            if (value := getattr(item, place)) is not None and (item.name, place) not in away:
                found.append(GivenPoint(item, place, np.array(value), f"m{per}", node, p_NO, rate))
            left = 3 not in item.locked and (item.name, turn) not in away
            if (value := getattr(item, turn)) is not None and left:
                found.append(GivenTurn(item, turn, np.array(value), f"rad{per}", node, rate))
    return found


def _variables(joint: Joint, table: JointTable, field: str, values: Sequence[float]) -> list[Given]:
    rate, first = field == "start_rate", int(table.first[table.number[joint.name]])
    found: list[Given] = []
    for i, (variable, unit, value) in enumerate(zip(joint.variables, joint.units, values, strict=True)):
        unit = f"{unit}/s" if rate else unit
        found.append(GivenVariable(joint, field, np.array([value]), unit, variable, table, first + i, rate))
    return found
