"""Consistent start: positions assembled, velocities projected, accelerations and multipliers solved for.

All three use the constraints' gradient B. Positions and velocities are moved as little as possible, in a metric W that
takes lengths in parts of the model's size:

    [ W  Bᵀ ] [ δ ]   [  0 ]
    [ B  0  ] [ μ ] = [ −Φ ]        (Φ̇ for velocities)

Accelerations and multipliers solve the equations of motion with Φ̈ = 0 at the given position and velocity.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.engine.diagnose import describe_failure
from flexor.engine.inertia import support_all
from flexor.engine.linear.rows import MatrixRows
from flexor.engine.memory import OK, READING
from flexor.engine.relays import by_coordinates
from flexor.engine.system import System
from flexor.engine.transitions import ROUNDS
from flexor.errors import AssemblyError, SingularError
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, SWITCH, VELOCITY_LEVEL, Term
from flexor.law.face import AT_REST
from flexor.spatial import exp_so3

MOST_SWEEPS = 30
"""Iterations for accelerations that readings depend on."""
SETTLED, STALLED = 1e-13, 1e-9
"""Corrections that are none, and those that are rounding if they do not fall any more, as a part of what is corrected."""


def _evaluate(system: System, want: int, cK: float, cC: float, cM: float) -> None:
    status = system.evaluate(want, cK, cC, cM)
    if status != OK:
        raise describe_failure(system, status)


def constraints_left(system: System, level: int = 0) -> tuple[np.ndarray, MatrixRows, np.ndarray]:
    """Values of the active constraints at a level, their gradient, and their equations."""
    phi, rows = open_constraints(system, level)
    return phi, _gradient(system, rows), rows


def _gradient(system: System, rows: np.ndarray) -> MatrixRows:
    """That of constraints whose values have just been asked for."""
    return by_coordinates(system, rows, system.coordinates)


def open_constraints(system: System, level: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Values of the active constraints at a level, and their equations."""
    c = {0: (1.0, 0.0, 0.0), VELOCITY_LEVEL: (0.0, 1.0, 0.0)}[level]
    _evaluate(system, RESIDUAL | MATRIX | level, *c)
    rows = system.constraints
    if level == 0:
        rows = rows[~np.isin(rows, system.equations.nonholonomic())]
    return system.memory.residual[rows].copy(), rows


def _sizes(system: System) -> np.ndarray:
    """Diagonal of W for the coordinates that have equations (locked ones left out): 1/L² for lengths, 1 for angles."""
    return system.memory.norm_weight[system.is_coordinate]


def masses_of(system: System) -> np.ndarray:
    """Masses and inertias of these coordinates."""
    weights = np.ones(system.equations.pattern.n)
    nodes, rows = system.node_rows
    chosen = [system.mechanism.nodes[i] for i in nodes]
    values = np.array([node.weights for node in chosen]).reshape(-1, 2)
    values[:, 0] = np.maximum(values[:, 0], 1e-6)
    values[:, 1] = np.maximum(values[:, 1], 1e-6 * values[:, 0])
    weights[rows] = np.repeat(values, 3, axis=1)
    return weights[system.is_coordinate]


def _least_move(W: np.ndarray, B: MatrixRows, phi: np.ndarray) -> np.ndarray:
    """Smallest δ in the metric W with B δ = −Φ."""
    m, n = B.shape
    if n == 0:
        return np.zeros(0)
    from scipy import sparse  # takes long to load, and few models need it
    from scipy.sparse.linalg import splu

    regularisation = np.full(m, -1e-13 / max(float(np.max(W)), 1e-300))
    row, column = np.repeat(np.arange(n, n + m), np.diff(B.indptr)), B.indices
    diagonal = np.arange(n + m)
    places = np.concatenate([diagonal, row, column]), np.concatenate([diagonal, column, row])
    values = np.concatenate([W, regularisation, B.data, B.data])
    system = sparse.csc_array((values, places), shape=(n + m, n + m))
    factors = splu(system)
    rhs = np.concatenate([np.zeros(len(W)), -phi])
    solution = factors.solve(rhs)
    solution += factors.solve(rhs - system @ solution)
    return solution[: len(W)]


def _spread(system: System, values: np.ndarray) -> np.ndarray:
    """Values of the coordinates with equations, put back into a vector of all equations."""
    full = np.zeros(system.equations.pattern.n)
    full[system.is_coordinate] = values
    return full


NEARLY = 1e-5
"""Constraints count as nearly closed, in parts of the model's size and in rad."""


def nearly_closed(system: System) -> bool:
    """Whether the position will do to tell which constraints follow from others; those may not quite fit."""
    _update_followers(system)
    phi, _ = open_constraints(system)
    return float(np.abs(phi).max(initial=0.0)) <= NEARLY * min(1.0, float(system.run.length_scale))


def assemble_positions(system: System, tolerance: float = 1e-12, largest_move: float | None = None) -> float:
    """Close all constraints by the smallest move; returns the largest displacement [m]."""
    scale = system.run.length_scale
    before = system.nodes("x").copy()
    _update_followers(system)
    phi, rows = open_constraints(system)
    best = np.inf
    for _ in range(60):
        size = float(np.abs(phi).max(initial=0.0))
        if size <= tolerance * max(1.0, scale):
            break
        if size < 1e-9 * scale and size > 0.5 * best:
            break  # rounding level reached
        best = min(best, size)
        delta = _least_move(_sizes(system), _gradient(system, rows), phi)
        limit = 0.3 * max(scale, 1e-9)
        factor = min(1.0, limit / max(float(np.abs(delta).max(initial=0.0)), 1e-300))
        move(system, _spread(system, factor * delta))
        phi, rows = open_constraints(system)
    size = float(np.abs(phi).max(initial=0.0))
    if size > 1e-8 * max(1.0, scale):
        order = np.argsort(-np.abs(phi))[:5]
        worst = [(system.equations.name(int(rows[i])), float(phi[i])) for i in order]
        raise AssemblyError(
            f"the mechanism cannot be assembled: constraints stay open by up to {size:.3g}",
            worst=worst,
            causes=[
                "positions or joint points that no motion of the bodies can bring together; check lengths",
                "joint axes that contradict each other; check directions",
                "the start is too far from an assembled position; give bodies a better position",
            ],
        )
    moved = float(np.abs(system.nodes("x") - before).max(initial=0.0))
    if largest_move is not None and moved > largest_move:
        raise AssemblyError(
            f"assembly had to move bodies by up to {moved:.3g} m, more than allowed ({largest_move:.3g} m)"
        )
    return moved


def move(system: System, delta: np.ndarray) -> None:
    """Displace the independent coordinates by a vector in equation order: x += δx, R ← exp(δθ) R, s += δs."""
    x, R = system.nodes("x"), system.memory.R.reshape(-1, 3, 3)
    nodes, rows = system.node_rows
    x[nodes] += delta[rows[:, :3]]
    R[nodes] = exp_so3(delta[rows[:, 3:]]) @ R[nodes]
    if len(system.memory.scalar_eq):
        system.memory.s[0::3] += delta[system.memory.scalar_eq]
    _update_followers(system)


def _update_followers(system: System) -> None:
    if system.mechanism.followers:
        system.call("follow")


def singular_start(system: System) -> SingularError:
    block, row = system.solver.bad_pivot[:2]
    equation = system.equations.equation(block, row)
    name = system.equations.name(equation)
    if system.memory.norm_kind[equation] == READING:
        lack, causes = "is not determined", []
    elif system.equations.multiplier[block]:
        lack = "cannot be told from other constraints"
        causes = [
            "masses that differ by more than ten orders of magnitude; check units",
            "a position close to a singular one",
        ]
    else:
        lack = "has no inertia"
        causes = [
            "a body without mass or rotational inertia that its joints leave free; give it mass and inertia",
            "a body given as point-like but able to turn; use a point mass",
        ]
    return SingularError(
        f"the equations of motion have no unique solution at the start: '{name}' {lack}",
        causes=[*feedback_causes(system), *causes],
    )


def feedback_causes(system: System) -> list[str]:
    """What may be wrong with sensors where equations are singular."""
    terms = system.mechanism.terms
    loop = algebraic_loop(terms)
    if loop:
        way = " → ".join([*loop, loop[0]])
        return [
            f"an algebraic loop without a solution of its own, {way}: what goes round it comes back as it went, a gain of one; take "
            "another gain, or put a lag into it (RealPole, TimeDelay)"
        ]
    used = {name for term in terms for name, _ in term.reads}
    # readings of the model's own, as of a function of several sensors, have a dot in their names
    sensors = [f"'{term.name}'" for term in terms if term.readings and term.name in used and "." not in term.name]
    if not sensors:
        return []
    several = f"sensors {', '.join(sensors[:4])}" if len(sensors) > 1 else f"sensor {sensors[0]}"
    return [
        f"feedback by {several} that just makes up for what it reads: a force of an acceleration with a gain as large as the mass, "
        "or of itself with a gain of one; take another gain"
    ]


def algebraic_loop(terms: Sequence[Term]) -> list[str]:
    """Names of blocks that depend on each other in a circle, without a body or a sensor among them; none if there are no such."""
    blocks = [term for term in terms if term.readings and not term.nodes and not term.scalars]
    number = {term.name: i for i, term in enumerate(blocks)}
    reads = {term.name: [name for name, _ in term.reads if name in number] for term in blocks}
    seen: set[str] = set()
    for begin in reads:
        chain: list[str] = []
        way = [(begin, iter(reads[begin]))] if begin not in seen else []
        while way:
            name, others = way[-1]
            chain = [each for each, _ in way]
            seen.add(name)
            other = next(others, None)
            if other is None:
                way.pop()
            elif other in chain:
                names = chain[chain.index(other) :]
                return [each for each in names if "." not in each][::-1] or names
            elif other not in seen:
                way.append((other, iter(reads[other])))
    return []


def project_velocities(system: System) -> float:
    """Make the velocities satisfy Φ̇ = 0 by the smallest change; returns the largest change."""
    _update_followers(system)
    phi, rows = open_constraints(system, VELOCITY_LEVEL)
    largest = 0.0
    for _ in range(2):
        if not len(phi) or float(np.abs(phi).max()) < 1e-14:
            break
        delta = _spread(system, _least_move(_sizes(system), _gradient(system, rows), phi))
        system.add_nodal("v", delta)
        if len(system.memory.scalar_eq):
            system.memory.s[1::3] += delta[system.memory.scalar_eq]
        largest = max(largest, float(np.abs(delta).max(initial=0.0)))
        _update_followers(system)
        phi, rows = open_constraints(system, VELOCITY_LEVEL)
    return largest


def along_constraints(system: System, values: np.ndarray) -> np.ndarray:
    """The smallest velocities δ, by inertia, that the constraints see like the given ones (all in equation order): B δ = B values.

    The factors are those of accelerations, in this state or one nearby; then the second sweep makes up for the difference.
    """
    by_blocks = system.for_accelerations
    if not by_blocks:
        want = RESIDUAL | MATRIX | ACCELERATION_LEVEL
        _evaluate(system, want, 0.0, 0.0, 1.0)
        by_blocks = _factor(system, want)
    wanted, found, increment = _seen(system, values), np.zeros_like(values), system.memory.increment
    for _ in range(2):
        increment[:] = np.where(system.is_constraint, wanted - _seen(system, found), 0.0)
        system.solver.solve(increment)
        found += np.where(system.is_coordinate, increment, 0.0)
    if not by_blocks:
        system.solver.use_blocks()
    return found


def _seen(system: System, values: np.ndarray) -> np.ndarray:
    """Φ̇ of all constraints with velocities (in equation order) added to those there are."""
    keep = system.copy("v", "s")
    system.add_nodal("v", values)
    system.memory.s[1::3] += values[system.memory.scalar_eq]
    _update_followers(system)
    _evaluate(system, RESIDUAL | VELOCITY_LEVEL, 0.0, 1.0, 0.0)
    system.put(keep)
    _update_followers(system)
    return system.memory.residual.copy()


def free_velocities(system: System, values: np.ndarray) -> np.ndarray:
    """What the active constraints permit of velocities (in equation order) given in parts of the model's size and in rad."""
    own = system.is_coordinate
    _, B, _ = constraints_left(system, VELOCITY_LEVEL)
    W = _sizes(system)
    begin = values[own] / np.sqrt(np.where(W > 0.0, W, 1.0))
    return _spread(system, begin + _least_move(W, B, B.csr @ begin) if B.shape[0] else begin)


def solve_accelerations(system: System, near: bool = False) -> None:
    """Accelerations and multipliers of the present position and velocity: M a + Bᵀ λ = f, Φ̈ = 0.

    near: those at hand, and their factors, are of a state nearby.
    """
    reads = system.reads
    near = near and system.for_accelerations
    system.for_accelerations = not (reads or system.solver.pivoted) and _by_sweeps(system, near)
    if not system.for_accelerations:
        _by_newton(system, reads)
    system.memory.pseudo[:] = system.memory.a
    system.memory.s_pseudo[:] = system.memory.s[2::3]
    system.run.factored = 0


def _by_sweeps(system: System, near: bool) -> bool:
    """Compiled, with forces that do not depend on readings; False where the matrix cannot be factorised as it is."""
    if not near:
        system.zero("a", "pseudo", "s_pseudo", "lam")
        system.memory.s[2::3] = 0.0
    options = system.solver.numbers
    drop, options.drop = int(options.drop), 0
    system.run.near = int(near)
    system.memory.coefficients.states = AT_REST
    status = system.call("accelerate")
    options.drop = drop
    return status == OK


def _by_newton(system: System, reads: bool) -> None:
    """With every remedy for a matrix that cannot be factorised; reads: forces depend on readings, in whichever way."""
    system.zero("a", "pseudo", "s_pseudo", "lam")
    system.memory.s[2::3] = 0.0
    scalar_eq = system.memory.scalar_eq
    by_blocks = True
    last = np.inf
    guess_readings(system)
    for sweep in range(MOST_SWEEPS if reads else 3):
        _update_followers(system)
        set_proper(system)
        want = RESIDUAL | ACCELERATION_LEVEL | (MATRIX if sweep == 0 or reads else 0)
        _evaluate(system, want, 0.0, 0.0, 1.0)
        increment = system.memory.increment
        increment[:] = -system.memory.residual
        if sweep == 0 or reads:
            by_blocks = _factor(system, want)
        system.solver.solve(increment)
        system.add_nodal("a", increment)
        if len(scalar_eq):
            system.memory.s[2::3] += increment[scalar_eq]
        system.memory.lam[:] += increment[system.multiplier_rows]
        if not reads:
            continue
        change = float(np.abs(increment).max(initial=0.0)) / _largest(system)
        if sweep > 1 and (change <= SETTLED or (change <= STALLED and change >= 0.3 * last)):
            break
        last = change
    else:
        if reads:
            raise _no_reading(system)
    _update_followers(system)
    set_proper(system)
    if not by_blocks:
        system.solver.use_blocks()


def guess_readings(system: System) -> None:
    """Readings from what they read, one behind the other: 1/u, √u and the like have no value at u = 0, where all would begin."""
    terms = system.mechanism.terms
    number = {term.name: i for i, term in enumerate(terms) if term.readings}
    if not number:
        return
    _update_followers(system)
    set_proper(system)
    c = system.memory.coefficients
    c.K, c.C, c.M, c.turning = 0.0, 0.0, 1.0, 0.0
    seen: set[int] = set()
    for begin in number.values():
        way = [begin]
        while way:
            i = way[-1]
            seen.add(i)
            before = next((j for name, _ in terms[i].reads if (j := number.get(name, i)) not in seen), None)
            if before is not None:
                way.append(before)
                continue
            way.pop()
            for _ in range(2):  # outputs follow from states
                system.run.want, system.run.error_term = RESIDUAL | ACCELERATION_LEVEL, i
                system.call("guess")


def decide_regimes(system: System) -> None:
    """Let laws with regimes (friction: sticks, slides) choose theirs, and solve for the accelerations in them."""
    system.memory.coefficients.step = system.run.next_step
    system.run.rounds = 0
    for _ in range(ROUNDS):
        system.run.want = SWITCH | ACCELERATION_LEVEL
        if not system.run.n_transitions or not system.call("switch"):
            return
        solve_accelerations(system)


def _largest(system: System) -> float:
    """The largest of accelerations, multipliers and readings."""
    memory = system.memory
    return max(1e-3, *(float(np.abs(values).max(initial=0.0)) for values in (memory.a, memory.s[2::3], memory.lam)))


def _no_reading(system: System) -> AssemblyError:
    names = [term.name for term in system.mechanism.terms if term.readings or term.reads]
    listed = ", ".join(f"'{name}'" for name in names[:5])
    return AssemblyError(
        f"readings {listed} and the forces that depend on them have no values that agree",
        causes=[
            "a force fed back by more than it changes what is read, e.g. a gain of 1 or more on a reaction or an acceleration",
            "friction so large that what slides would jam, the reaction growing with the friction that it causes",
        ],
    )


def _factor(system: System, want: int) -> bool:
    """Factorise the evaluated matrix; whether by blocks, if need be with the support of all constraints, or else pivoted.

    No constraint may be left out here: those that follow from others have been switched off before.
    """
    options = system.solver.numbers
    drop, options.drop = int(options.drop), 0
    by_blocks = not system.solver.pivoted
    try:
        if system.solver.factor() == OK:
            return True
        if by_blocks and support_all(system):
            _evaluate(system, want, 0.0, 0.0, 1.0)
            if system.solver.factor() == OK:
                return True
        if by_blocks:
            system.solver.use_pivoted()
            _evaluate(system, want, 0.0, 0.0, 1.0)
            if system.solver.factor() == OK:
                return False
            system.solver.use_blocks()
        raise singular_start(system)
    finally:
        options.drop = drop


def set_proper(system: System) -> None:
    """Accelerations without gravity, from those of the nodes."""
    proper = system.nodes("proper")
    proper[:] = system.nodes("a")
    proper[:, :3] -= system.memory.coefficients.gravity
