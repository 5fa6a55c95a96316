"""The matrix of a law by dual numbers of its own residual: exact to rounding."""

from __future__ import annotations

import numpy as np

from flexor.law import ACCELERATION_LEVEL, RESIDUAL, VELOCITY_LEVEL, Term
from flexor.law.dual import Dual
from flexor.spatial import skew
from tests.laws.calls import ORDER, matrix, memory
from tests.laws.random_states import equations
from tests.laws.states import State

Coefficients = tuple[float, float, float]
MIXED = (0.7, -1.3, 0.4)


def matrix_by_duals(term: Term, state: State, c: Coefficients, level: int = 0) -> np.ndarray:
    """cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a, and ∂r/∂λ in the columns of multipliers; in plain Python."""
    return np.array([_column(term, state, c, level, j) for j in range(term.size)]).T


def expected_matrix(term: Term, state: State, c: Coefficients, level: int = 0) -> np.ndarray:
    """The matrix that a law owes: constraint rows carry only the derivative that belongs to their level (docs/theory 2),
    those that bind velocities alone also what their position level has of both."""
    K = matrix_by_duals(term, state, c, level)
    if term.rows:
        own = {0: 0, VELOCITY_LEVEL: 1, ACCELERATION_LEVEL: 2}[level]
        only = tuple(factor if i == own else 0.0 for i, factor in enumerate(c))
        free = term.size - len(term.rows)
        holonomic = term.size if level else term.size - term.nonholonomic
        K[free:holonomic] = matrix_by_duals(term, state, only, level)[free:holonomic]  # type: ignore[arg-type]
    return K


def assert_tangent(term: Term, state: State, c: Coefficients = MIXED, level: int = 0) -> None:
    """Compare the law's own matrix with that by dual numbers, relative to its largest entry."""
    there = equations(term)
    K, expected = (f(term, state, c, level)[np.ix_(there, there)] for f in (matrix, expected_matrix))
    scale = np.abs(expected).max()
    np.testing.assert_allclose(K, expected, rtol=0, atol=1e-12 * scale, err_msg=f"{term.law.name}, level {level}")


def _column(term: Term, state: State, c: Coefficients, level: int, j: int) -> list[float]:
    slopes = {name: np.zeros(array.size) for name, array in memory(term, state, c).items()}
    nodes, scalars = len(term.nodes), len(term.scalars)
    if j < 6 * nodes:
        node, dof = divmod(j, 6)
        slopes["v"][j], slopes["a"][j] = c[1], c[2]
        if dof < 3:
            slopes["x"][3 * node + dof] = c[0]
        else:
            spin = c[0] * skew(np.eye(3)[dof - 3])  # R ← exp(δθ) R
            slopes["R"][9 * node : 9 * node + 9] = (spin @ state.R[node]).ravel()
            if state.turning:
                for name, rate in (("v", state.v), ("a", state.a)):
                    slopes[name][6 * node + 3 : 6 * node + 6] += spin @ rate[node, 3:]
    elif j < 6 * nodes + scalars:
        slopes["s"][3 * (j - 6 * nodes) : 3 * (j - 6 * nodes) + 3] = c
    else:
        slopes["lam"][j - 6 * nodes - scalars] = 1.0
    arrays = memory(term, state, c)
    for name in ("x", "R", "v", "a", "s", "lam", "r", "w"):
        arrays[name] = np.array([Dual(*each) for each in zip(arrays[name], slopes[name])] or [None])[
            : arrays[name].size
        ]
    status = term.law.function(RESIDUAL | level, *[state.t if name == "t" else arrays[name] for name in ORDER])
    assert status == 0, term.law.errors.get(status, status)
    return [entry.b for entry in arrays["r"]]
