"""Newton's method for the balance of harmonics, at one frequency and along a curve over frequency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.engine.memory import MULTIPLIER
from flexor.errors import FlexorError, SolveError
from flexor.solve.periodic.cycle import Cycle, Matrices

ITERATIONS = 14
TOLERANCE = 3e-6
"""Of the last correction, relative to the motion of its kind; the error is about its square, as the method is quadratic."""
SHARE = 0.25
"""Weight of amplitudes beside frequency in the length of a curve."""
LARGEST = 1.5
"""Rotation [rad] that a correction may have."""


@dataclass(frozen=True)
class CurvePoint:
    """A periodic motion: coefficients X (size, n) at ω [rad/s], and the direction in which the curve goes on."""

    X: np.ndarray
    omega: float
    matrices: Matrices | None
    tangent: tuple[np.ndarray, float] | None = None
    iterations: int = 0


class NoConvergence(SolveError):
    """Newton's method has not converged."""


class CurveMeasure:
    """Sizes of motions: each kind of unknown (translation, rotation, modes, …) is measured by the largest amplitude it has had."""

    def __init__(self, cycle: Cycle) -> None:
        self.kinds = [np.flatnonzero(cycle.kinds == kind) for kind in np.unique(cycle.kinds)]
        self.own = [bool(cycle.kinds[some[0]] < MULTIPLIER) for some in self.kinds]
        self.size = np.zeros(cycle.n)

    def see(self, X: np.ndarray) -> None:
        for some in self.kinds:
            self.size[some] = max(float(np.abs(X[:, some]).max()), float(self.size[some[0]]))

    def relative(self, dX: np.ndarray, X: np.ndarray) -> float:
        """The largest change of all kinds of coordinates, relative to the motion of that kind."""
        worst = 0.0
        for some, own in zip(self.kinds, self.own, strict=True):
            if own:
                moved = max(float(np.abs(X[:, some]).max()), 1e-6 * float(self.size[some[0]]), 1e-30)
                worst = max(worst, float(np.abs(dX[:, some]).max()) / moved)
        return worst

    def weights(self, shape: tuple[int, int]) -> np.ndarray:
        """Of the coefficients in the length of a curve: coordinates by their size, all else not at all."""
        w = np.zeros(shape[1])
        for some, own in zip(self.kinds, self.own, strict=True):
            if own and self.size[some[0]] > 0:
                w[some] = SHARE / self.size[some[0]]
        return np.broadcast_to(w, shape)


def solve(A: sparse.csc_array, right: np.ndarray) -> np.ndarray:
    """A x = right with rows and columns of like size, refined once."""
    size = np.sqrt(np.maximum(abs(A).max(axis=0).toarray().ravel(), abs(A).max(axis=1).toarray().ravel()))
    size[size == 0] = 1.0
    d = sparse.dia_array((1 / size[None], [0]), shape=A.shape)
    scaled = sparse.csc_array(d @ A @ d)
    right = right.reshape(len(size), -1)
    for shift in (0.0, 1e-12, 1e-8):
        try:
            lu = splu(scaled + shift * sparse.eye_array(len(size), format="csc") if shift else scaled)
        except RuntimeError:  # singular
            continue
        x = lu.solve(right / size[:, None])
        x = x + lu.solve(right / size[:, None] - scaled @ x)
        if np.all(np.isfinite(x)):
            return np.asarray(x / size[:, None])
    raise NoConvergence("the balance of harmonics is singular")


def at_frequency(cycle: Cycle, measure: CurveMeasure, X: np.ndarray, omega: float, share: float = 1.0) -> CurvePoint:
    """The periodic motion at a frequency [rad/s] near X.   share: of the inputs."""
    for i in range(ITERATIONS):
        F, matrices = _linearised(cycle, X, omega, share)
        dX = -solve(matrices.balanced(cycle.fourier, omega), F.ravel()).reshape(X.shape)
        X = X + _bounded(cycle, dX)
        if measure.relative(dX, X) < TOLERANCE:
            return CurvePoint(X, omega, matrices, iterations=i + 1)
    raise NoConvergence(f"no periodic motion was found at {omega / (2 * np.pi):.6g} Hz")


def along_curve(cycle: Cycle, measure: CurveMeasure, before: CurvePoint, step: float, scale: float) -> CurvePoint:
    """The point at a distance along the curve: F(X, ω) = 0, and the tangent's plane at that distance.

    scale: of ω, in the length of the curve.
    """
    assert before.tangent is not None
    t, t_omega = before.tangent
    w = measure.weights(t.shape) ** 2
    X, omega = before.X + step * t, before.omega + step * t_omega
    row = np.append((w * t).ravel(), t_omega / scale**2)
    for i in range(ITERATIONS):
        F, matrices = _linearised(cycle, X, omega)
        A = _bordered(cycle, matrices, X, omega, row)
        off = float(np.sum(w * t * (X - before.X))) + t_omega / scale**2 * (omega - before.omega) - step
        delta = -solve(A, np.append(F.ravel(), off))[:, 0]
        dX, d_omega = _bounded(cycle, delta[:-1].reshape(X.shape)), float(delta[-1])
        X, omega = X + dX, omega + d_omega
        if omega <= 0:
            break
        if measure.relative(dX, X) < TOLERANCE and abs(d_omega) < TOLERANCE * omega:
            return with_tangent(cycle, measure, CurvePoint(X, omega, matrices, iterations=i + 1), before.tangent, scale)
    raise NoConvergence(f"the curve could not be followed beyond {before.omega / (2 * np.pi):.6g} Hz")


def with_tangent(
    cycle: Cycle, measure: CurveMeasure, point: CurvePoint, towards: tuple[np.ndarray, float], scale: float
) -> CurvePoint:
    """The point with its tangent of length one, in the direction that is nearer to `towards`."""
    w = measure.weights(point.X.shape) ** 2
    row = np.append((w * towards[0]).ravel(), towards[1] / scale**2)
    assert point.matrices is not None
    A = _bordered(cycle, point.matrices, point.X, point.omega, row)
    right = np.zeros(len(row))
    right[-1] = 1.0
    t = solve(A, right)[:, 0]
    found = CurvePoint(
        point.X, point.omega, point.matrices, (t[:-1].reshape(point.X.shape), float(t[-1])), point.iterations
    )
    return measured(measure, found, scale)


def measured(measure: CurveMeasure, point: CurvePoint, scale: float) -> CurvePoint:
    """The point with its tangent of length one by the sizes that are known now."""
    assert point.tangent is not None
    dX, d_omega = point.tangent
    length = float(np.sqrt(np.sum(measure.weights(dX.shape) ** 2 * dX**2) + (d_omega / scale) ** 2))
    return CurvePoint(point.X, point.omega, point.matrices, (dX / length, d_omega / length), point.iterations)


def _bordered(cycle: Cycle, matrices: Matrices, X: np.ndarray, omega: float, row: np.ndarray) -> sparse.csc_array:
    J = matrices.balanced(cycle.fourier, omega)
    column = cycle.by_frequency(X, omega, matrices).ravel()
    return sparse.csc_array(
        sparse.block_array([[J, column[:, None]], [sparse.csr_array(row[None, :-1]), np.array([[row[-1]]])]])
    )


def _linearised(cycle: Cycle, X: np.ndarray, omega: float, share: float = 1.0) -> tuple[np.ndarray, Matrices]:
    try:
        return cycle.linearised(X, omega, share)
    except NoConvergence:
        raise
    except FlexorError as error:  # a law has refused a state on the way
        raise NoConvergence(str(error)) from error


def _bounded(cycle: Cycle, dX: np.ndarray) -> np.ndarray:
    """A correction that turns nothing by more than LARGEST."""
    turns = cycle.turning
    most = float(np.abs(dX[:, turns]).max(initial=0.0))
    return dX * min(1.0, LARGEST / most) if most > 0 else dX
