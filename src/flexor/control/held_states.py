"""States that blocks without any in time have in small motions: those of a rational function in place of a delay.

In a step and at an instant they are zero and mean nothing; at rest and for small motions 0 = ẋ − A x − B u, y = C x + D u.
"""

from __future__ import annotations

from flexor.control.linear_block import LinearEquations
from flexor.control.realisation import StateMatrices
from flexor.law.record import Packed


def packed(linear: StateMatrices) -> Packed:
    """As `LinearEquations`."""
    q, m = linear.D.shape
    return LinearEquations.pack(
        states=linear.states, inputs=m, outputs=q, A=linear.A, B=linear.B, C=linear.C, D=linear.D
    )


def rests(p, lam, r):
    """Rows of one output y, states x and one input u, which are one behind the other among the unknowns.   p: `LinearEquations`"""
    n = p.states
    u = lam[1 + n]
    y = p.D[0] * u
    for i in range(n):
        rate = p.B[i] * u
        for j in range(n):
            rate += p.A[i * n + j] * lam[1 + j]
        r[1 + i] = -rate
        y += p.C[i] * lam[1 + i]
    r[0] = lam[0] - y


def moves(p, lam, r, y):
    """Rows over a step, or at an instant, where the output is y."""
    r[0] = lam[0] - y
    for i in range(p.states):
        r[1 + i] = lam[1 + i] + 0.0


def rows(linear: StateMatrices) -> tuple[str, ...]:
    """Names of the rows."""
    return ("value", *(f"state {i + 1}" for i in range(linear.states)))


def rates(linear: StateMatrices) -> tuple[tuple[int, int, float], ...]:
    """As `Term.rates`."""
    return tuple((1 + i, 1 + i, 1.0) for i in range(linear.states))
