"""A curve of periodic motions over frequency, followed by its arc length, around folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from flexor.errors import SolveError
from flexor.solve.periodic.cycle import Cycle
from flexor.solve.periodic.newton import (
    CurveMeasure,
    CurvePoint,
    NoConvergence,
    along_curve,
    at_frequency,
    measured,
    with_tangent,
)

FAST, SLOW = 4, 7
"""Iterations up to which steps become longer, and from which on shorter."""
BEND = 0.9
"""Cosine of the angle between two tangents, below which a step was too long for the curve."""
KINK = 0.02
"""Of a step, in parts of the longest one, from which on a bend is one of the curve: of forces with kinks it has kinks itself."""
SMALLEST = 1e-6
"""Of a step, in parts of the longest one."""


@dataclass(frozen=True)
class FollowedCurve:
    """points in the order of the curve;  judged: what each was told to be;  folds: which of them are folds;  complete: whether the far end
    was reached."""

    points: tuple[CurvePoint, ...]
    judged: tuple[float, ...]
    folds: tuple[int, ...]
    complete: bool


def first_point(cycle: Cycle, measure: CurveMeasure, omega: float) -> CurvePoint:
    """The motion at a frequency from rest; where Newton's method fails, inputs are raised bit by bit."""
    X, share, step = np.zeros((cycle.fourier.size, cycle.n)), 0.0, 1.0
    while True:
        try:
            point = at_frequency(cycle, measure, X, omega, min(1.0, share + step))
        except NoConvergence as error:
            step *= 0.5
            if step < 1.0 / 64:
                raise SolveError(
                    f"harmonic balance: no periodic motion was found at {omega / (2 * np.pi):.6g} Hz ({error})",
                    causes=[
                        "begin at a frequency farther from resonances",
                        "more harmonics or samples, where forces are not smooth",
                        "at='start', where the equilibrium is not unique, as within a clearance",
                    ],
                ) from None
            continue
        share = min(1.0, share + step)
        X = point.X
        measure.see(X)
        if share >= 1.0:
            return point


def follow(
    cycle: Cycle, begin: float, end: float, step: float, most: int, judge: Callable[[CurvePoint], float]
) -> FollowedCurve:
    """From one frequency [rad/s] to another.   step: longest, in parts of their distance.   most: points.
    judge: what is told of a point by its matrices, which are not kept."""
    measure, scale = CurveMeasure(cycle), abs(end - begin)
    way = np.sign(end - begin)
    point = first_point(cycle, measure, begin)
    point = with_tangent(cycle, measure, point, (np.zeros_like(point.X), float(way)), scale)
    points: list[CurvePoint] = []
    judged: list[float] = []

    def keep(new: CurvePoint) -> CurvePoint:
        judged.append(judge(new))
        points.append(replace(new, matrices=None))
        return points[-1]

    point, length = keep(point), step
    folds: list[int] = []
    while len(points) < most:
        try:
            new = along_curve(cycle, measure, point, length, scale)
            assert new.tangent is not None
            assert point.tangent is not None
            w = measure.weights(new.X.shape) ** 2
            bend = np.sum(w * new.tangent[0] * point.tangent[0]) + new.tangent[1] * point.tangent[1] / scale**2
        except NoConvergence:
            bend, new = -1.0, point
        if bend < (BEND if length > KINK * step else 0.0):
            if length <= SMALLEST * step:
                break
            length *= 0.5
            continue
        assert new.tangent is not None
        assert point.tangent is not None
        if way * (new.omega - end) >= 0 and new.tangent[1] * way > 0:
            share = (end - point.omega) / (new.omega - point.omega)
            last = at_frequency(cycle, measure, point.X + share * (new.X - point.X), end)
            keep(with_tangent(cycle, measure, last, new.tangent, scale))
            return FollowedCurve(tuple(points), tuple(judged), tuple(folds), True)
        if new.tangent[1] * point.tangent[1] < 0:
            fold = _fold(cycle, measure, point, new, length, scale)
            if fold is not None:
                folds.append(len(points))
                keep(fold)
        measure.see(new.X)
        point = measured(measure, keep(new), scale)
        if way * (new.omega - begin) < 0:  # it has come back
            break
        if new.iterations <= FAST and bend > 0.5 * (1 + BEND):
            length = min(1.5 * length, step)
        elif new.iterations >= SLOW:
            length *= 0.6
    return FollowedCurve(tuple(points), tuple(judged), tuple(folds), False)


def _fold(
    cycle: Cycle, measure: CurveMeasure, a: CurvePoint, b: CurvePoint, length: float, scale: float
) -> CurvePoint | None:
    """Where the curve turns back between two of its points, by dω/ds = 0 (Illinois)."""
    assert a.tangent is not None
    assert b.tangent is not None
    low, high, f_low, f_high = 0.0, length, a.tangent[1], b.tangent[1]
    found = None
    for _ in range(12):
        at = (low * f_high - high * f_low) / (f_high - f_low)
        try:
            found = along_curve(cycle, measure, a, at, scale)
        except NoConvergence:
            return found
        assert found.tangent is not None
        f = found.tangent[1]
        if abs(f) < 1e-7 * scale:
            break
        if f * f_low > 0:
            low, f_low, f_high = at, f, 0.5 * f_high
        else:
            high, f_high, f_low = at, f, 0.5 * f_low
    return found
