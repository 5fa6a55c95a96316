"""The ratio of two wheels, with the sign that follows from where they are and how their axes point."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.joints.surroundings import Variable

BELTS = ("open", "crossed")
PARALLEL = 1e-6
"""Sine of the angle up to which axes are parallel."""


def sense(where: str, kind: str, first: Variable, second: Variable, housing: Collection[str]) -> float:
    """±1: the sense in which the second wheel turns by its joint's angle where the first turns by its own.

    where: the transmission, for messages.   kind: "external", "internal", "bevel", or "open", "crossed" of belts.   housing: bodies that the wheels turn in.

    Rims move alike where they touch: external wheels turn against each other, internal ones alike, both about axes that point the same
    way. Bevel wheels stand around the point in which their axes meet, and turn against each other if both axes point away from it.
    """
    if first.axis is None or second.axis is None:
        raise _unclear(where, kind, "the axis of one of its joints turns with other angles")
    e_1, e_2 = forward(first, housing) * first.axis, forward(second, housing) * second.axis
    sine = np.cross(e_1, e_2)
    parallel = float(np.linalg.norm(sine)) < PARALLEL
    if kind != "bevel":
        if not parallel:
            angle = np.degrees(np.arcsin(min(1.0, float(np.linalg.norm(sine)))))
            fix = "take mesh: bevel if they meet in a point, else "
            raise _unclear(where, kind, f"its axes are at {angle:.4g} deg", fix)
        alike = float(np.sign(e_1 @ e_2))
        return alike if kind in ("internal", "open") else -alike
    if parallel:
        raise _unclear(where, kind, "its axes are parallel", "take mesh: external or internal, or ")
    sides = _sides([first.frame.p, second.frame.p], e_1, e_2)
    if sides is None:
        why = "one of its joints is in the point where the axes meet, or they do not meet"
        raise _unclear(where, kind, why, "put the joints where the wheels are, or ")
    return -float(np.prod(sides))


def on_axis(first: Variable, second: Variable) -> bool:
    """Whether two joints turn about one line."""
    if first.axis is None or second.axis is None:
        return False
    between = second.frame.p - first.frame.p
    off = float(np.linalg.norm(between - (between @ first.axis) * first.axis))
    tilt = float(np.linalg.norm(np.cross(first.axis, second.axis)))
    return tilt < PARALLEL and off <= 1e-6 * (1.0 + float(np.linalg.norm(between)))


def shared(*variables: Variable) -> set[str]:
    """Bodies that all of these joints stand on."""
    return set.intersection(*({each.joint.a.body, each.joint.b.body} for each in variables))


def forward(wheel: Variable, housing: Collection[str]) -> float:
    """1 if the angle of a joint is that of its wheel in the housing, −1 if it is that of the housing seen from the wheel."""
    return -1.0 if wheel.joint.b.body in housing and wheel.joint.a.body not in housing else 1.0


def _sides(points: Sequence[np.ndarray], e_1: np.ndarray, e_2: np.ndarray) -> list[float] | None:
    """On which side of the common point each joint is, along its axis."""
    between = points[1] - points[0]
    size = float(np.linalg.norm(between))
    normal = np.cross(e_1, e_2)
    if size == 0.0 or abs(between @ normal) > 1e-3 * size * np.linalg.norm(normal):
        return None
    # p₁ + s₁ e₁ = p₂ + s₂ e₂
    s = np.linalg.lstsq(np.stack([e_1, -e_2], axis=1), between, rcond=None)[0]
    return None if np.any(np.abs(s) < 1e-6 * size) else [float(-np.sign(each)) for each in s]


def _unclear(where: str, kind: str, why: str, fix: str = "") -> ModelError:
    if kind in BELTS:
        what, fix = (
            "its wheels cannot turn by one belt",
            "let the axes be parallel, or take a coupling with a weight of each angle",
        )
    else:
        what, fix = "the sense of rotation does not follow from teeth", f"{fix}give ratio, with its sign"
    return ModelError(Problem(where, what, why, fix))
