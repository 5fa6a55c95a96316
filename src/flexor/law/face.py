"""What the author of a law sees: what is wanted, its parameters, the state now, and where the answer goes.

    @law(Spring, outputs=(("force", "N"),))
    def spring(want, p, now, out):
        f = p.stiffness * (now.x[0] - p.length)
        out.r[0] += f

The engine calls a law through one C signature (`flexor.law.signature`); the groups here are made of its arguments in a function that
the law's own is inlined into, and cost nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from flexor.law.primitives import Words, at, duals
from flexor.law.record import Record, integer, number, numbers

RESIDUAL = 1
MATRIX = 2
OUTPUT = 4
ENERGY = 8
COMMIT = 16
VELOCITY_LEVEL = 32
ACCELERATION_LEVEL = 64
TRANSITION = 128
SWITCH = 256
ERROR = 512
LENGTH = 1024
"""What is wanted of a law, as bits."""

AT_REST, INTEGRATED = 0.0, 1.0
"""What states of first order do, by `Coefficients.states`: ẋ = 0, or x follows from its begin by the step's formulas."""

TOUCH = 1e-8
"""Margins below which a transition is due, see `flexor.law.law`."""


class Count(Record):
    """How many coordinates a term has."""

    nodes = integer("nodes")
    scalars = integer("scalars")
    multipliers = integer("multipliers")


class Coefficients(Record):
    """What multiplies the derivatives in the matrix K = K ∂r/∂q + C ∂r/∂v + M ∂r/∂a, and what all laws share."""

    K = number("of ∂r/∂q")
    C = number("of ∂r/∂v")
    M = number("of ∂r/∂a")
    step = number("length of the step", "s")
    gravity = numbers(3, "acceleration of gravity", "m/s²")
    load = number("factor of applied loads, raised by statics")
    turning = number("1: ω and ω̇ of nodes with own axes turn with δθ in K")
    states = number(
        "what states of control blocks do: AT_REST, or INTEGRATED over the step; at an instant they are held"
    )
    leak = number("rate with which states at rest go back to where they were, if nothing else tells them", "1/s")
    words = numbers(11, "all of these, the c of a law", over="K")


class State(NamedTuple):
    """The state of a term's coordinates.

    n      how many there are
    h      history, changed only under COMMIT
    t      time [s]
    c      coefficients of the matrix, gravity, load
    x, R   per node: position (3), orientation (9, row by row, node axes → global)
    v, a   per node: velocity and proper acceleration (a − g), 6 each: linear, angular, global axes
    s      per scalar: value, rate, second rate
    lam    multipliers
    """

    n: Count
    h: Record
    t: float
    c: Coefficients
    x: Words
    R: Words
    v: Words
    a: Words
    s: Words
    lam: Words


class Answer(NamedTuple):
    """Where a law puts its answer.

    r   residual, zero at first; rows: 6 per node, 1 per scalar, 1 per multiplier
    K   its matrix, row by row, zero at first
    w   scratch; takes signals under OUTPUT; under ENERGY energies and powers, zero at first: a law that has none says nothing
    """

    r: Words
    K: Words
    w: Words


class Plain(Record):
    """Parameters or history without names."""


def with_face(function: Callable, parameters: type[Record], history: type[Record], apart: bool = False) -> Callable:
    """The law in its C signature; `function` is the author's, of the four groups.

    apart: compile it once more for the residual alone, without what it keeps for the matrix. Of all that is asked of a law that is the
    most frequent by far.
    """

    def called(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        now = State(Count(n), history(h), t, Coefficients(c), x, R, v, a, s, lam)
        return function(want, parameters(p), now, Answer(r, K, w))

    def residual_apart(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        now = State(Count(n), history(h), t, Coefficients(c), x, R, v, a, s, lam)
        if want == RESIDUAL:
            return function(RESIDUAL, parameters(p), now, Answer(r, K, w))
        return function(want, parameters(p), now, Answer(r, K, w))

    return named_as(function, residual_apart if apart else called)


def named_as(function: Callable, called: Callable) -> Callable:
    """`called`, with name and docstring of the author's function."""
    called.__name__ = function.__name__
    called.__qualname__ = function.__qualname__
    called.__doc__ = function.__doc__
    called.__module__ = function.__module__
    return called


def dual_floats(nodes: int, scalars: int, multipliers: int, scratch: int) -> int:
    """Scratch that a law with a tangent by dual numbers needs behind its own."""
    size = 6 * nodes + scalars + multipliers
    return 2 * (24 * nodes + 3 * scalars + multipliers + size + scratch)


def with_duals(function: Callable, scratch: int, of_duals: Callable | None = None) -> Callable:
    """The law in its C signature; `function`, of the same signature, gives the residual only, its matrix comes from dual numbers.

    For each coordinate in turn, its value, rate and second rate are moved by cK, cC and cM times ε, a rotation by the spin
    δR = skew(e) R; the ε parts of the residual are a column of K. Rows of constraints at velocity or acceleration level carry only what
    belongs to their level: they take a second round, with the other two left out.

    of_duals: what to ask for the residual of dual numbers, if not the same function.
    """
    residual_of = of_duals or function

    def called(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        if not want & MATRIX:
            return function(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)
        count = Count(n)
        coefficients = Coefficients(c)
        nodes, scalars, multipliers = count.nodes, count.scalars, count.multipliers
        size = 6 * nodes + scalars + multipliers
        X = at(w, scratch)
        Q = at(X, 6 * nodes)
        V = at(Q, 18 * nodes)
        A = at(V, 12 * nodes)
        S = at(A, 12 * nodes)
        L = at(S, 6 * scalars)
        residual = at(L, 2 * multipliers)
        inner = at(residual, 2 * size)
        widen(3 * nodes, x, X)
        widen(9 * nodes, R, Q)
        widen(6 * nodes, v, V)
        widen(6 * nodes, a, A)
        widen(3 * scalars, s, S)
        widen(multipliers, lam, L)
        level = want & (VELOCITY_LEVEL | ACCELERATION_LEVEL)
        free = 6 * nodes + scalars
        for turn in range(size if level == 0 or multipliers == 0 else size + free):
            column = turn if turn < size else turn - size
            whole = turn < size
            cK = coefficients.K if whole else 0.0
            cC = coefficients.C if whole or want & VELOCITY_LEVEL else 0.0
            cM = coefficients.M if whole or want & ACCELERATION_LEVEL else 0.0
            seed(column, nodes, scalars, cK, cC, cM, R, X, Q, V, A, S, L, 1.0)
            for i in range(2 * size):
                residual[i] = 0.0
            status = residual_of(
                want & ~MATRIX | RESIDUAL, n, k, p, h, t, c, duals(X), duals(Q), duals(V), duals(A), duals(S), duals(L),
                duals(residual), K, duals(inner),
            )  # fmt: skip
            if status != 0:
                return status
            for i in range(0 if whole else free, size):
                K[i * size + column] = residual[2 * i + 1]
            seed(column, nodes, scalars, cK, cC, cM, R, X, Q, V, A, S, L, 0.0)
        if want & RESIDUAL:
            for i in range(size):
                r[i] = residual[2 * i]
        return 0

    return named_as(function, called)


def while_it_acts(function: Callable, with_matrix: Callable) -> Callable:
    """A law that has no matrix where it has no residual, as a contact that does not touch: dual numbers are spared there."""

    def called(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        if not want & MATRIX:
            return with_matrix(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)
        status = function(want & ~MATRIX | RESIDUAL, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)
        count = Count(n)
        acts = False
        for i in range(6 * count.nodes + count.scalars + count.multipliers):
            acts = acts or r[i] != 0.0
            r[i] = 0.0
        if status != 0 or not acts:
            return status
        return with_matrix(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)

    return named_as(function, called)


def widen(n, floats, pairs):
    """Floats → dual numbers without ε part."""
    for i in range(n):
        pairs[2 * i] = floats[i]
        pairs[2 * i + 1] = 0.0


def seed(column, nodes, scalars, cK, cC, cM, R, X, Q, V, A, S, L, factor):
    """Set the ε parts for a unit (factor 1) of a coordinate, or take them away (factor 0)."""
    if column < 6 * nodes:
        node = column // 6
        j = column - 6 * node
        V[2 * column + 1] = factor * cC
        A[2 * column + 1] = factor * cM
        if j < 3:
            X[2 * (3 * node + j) + 1] = factor * cK
        else:
            o = 9 * node
            e, f, g = j - 3, (j - 2) % 3, (j - 1) % 3  # δR = skew(e) R: row f = −row g of R, row g = row f of R
            for i in range(3):
                Q[2 * (o + 3 * e + i) + 1] = 0.0
                Q[2 * (o + 3 * f + i) + 1] = -factor * cK * R[o + 3 * g + i]
                Q[2 * (o + 3 * g + i) + 1] = factor * cK * R[o + 3 * f + i]
    elif column < 6 * nodes + scalars:
        o = 3 * (column - 6 * nodes)
        S[2 * o + 1] = factor * cK
        S[2 * o + 3] = factor * cC
        S[2 * o + 5] = factor * cM
    else:
        L[2 * (column - 6 * nodes - scalars) + 1] = factor


def level_coefficient(want, c):
    """Factor of ∂Φ/∂q in the matrix rows of constraints: that of K, C or M by the level asked for.

    c: `now.c`, or the plain array of it.
    """
    coefficients = Coefficients(c)
    if want & ACCELERATION_LEVEL:
        return coefficients.M
    if want & VELOCITY_LEVEL:
        return coefficients.C
    return coefficients.K


class EnergyAnswer(Record):
    """What a law has put into w under ENERGY."""

    kinetic = number("kinetic energy", "J")
    potential = number("potential energy", "J")
    strain = number("strain energy", "J")
    lost = number("power that it dissipates", "W")
    input = number("power that it puts in", "W")


def put_energies(w, kinetic, potential, strain, dissipated, supplied):
    """Answer to ENERGY, in the order of `EnergyAnswer`: three energies [J], dissipated and supplied power [W]."""
    w[0] = kinetic
    w[1] = potential
    w[2] = strain
    w[3] = dissipated
    w[4] = supplied
