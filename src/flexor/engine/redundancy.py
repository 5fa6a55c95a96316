"""Constraints that follow from others: found from the gradient B of all constraints, switched off, and watched.

Whether rows of B depend on each other is a matter of geometry alone; masses play no part in it.

A row that follows from others must say the same as they do, in position, velocity and acceleration. Where it does not
(a motor on a hinge that another joint locks), the motion asked for does not exist, which is an error and no redundancy.
"""

from __future__ import annotations

import numpy as np

from flexor.engine.diagnose import describe_failure
from flexor.engine.linear.rows import MatrixRows
from flexor.engine.memory import GENERALISED, NOT_FINITE, OK, ROTATION, TRANSLATION
from flexor.engine.rank import dependent_rows
from flexor.engine.relays import by_coordinates
from flexor.engine.system import System
from flexor.errors import AssemblyError, LawError, SolveError
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, VELOCITY_LEVEL

AGREE = 1e-4
"""Rate or acceleration of a row that was left out, relative to what it adds up, from which on it contradicts the others."""

ROUNDING = 1e-11
"""Opening of a row that was left out, relative to the model's size, beyond which it is no rounding."""

_LEVELS = {
    0: ((1.0, 0.0, 0.0), "positions"),
    VELOCITY_LEVEL: ((0.0, 1.0, 0.0), "velocities"),
    ACCELERATION_LEVEL: ((0.0, 0.0, 1.0), "accelerations"),
}


def find_redundant(system: System) -> list[int]:
    """Switch off constraints that follow from the others; returns their equations."""
    if not np.any(system.is_constraint):
        system.lock([])
        return system.dropped
    B, rows, columns = gradient(system)
    scaled = _scaled(system, B, columns)
    _, block = np.unique(system.equations.pattern.identity["block"][columns], return_inverse=True)
    found = dependent_rows(scaled, block, 2 * block + (system.memory.norm_kind[columns] == ROTATION))
    system.lock([int(rows[i]) for i in found], _sizes(system, B.chosen(found), columns))
    off = np.isin(system.multiplier_rows, system.dropped)
    for lam in (system.memory.lam, system.memory.lam0, system.memory.lam_old):
        lam[off] = 0.0
    return system.dropped


def check_levels(system: System) -> None:
    """Refuse laws whose constraint rows bind something at one level and nothing at another: rows that a user's law fills with Φ
    when it is asked for Φ̇ or Φ̈ have no gradient by velocities or accelerations, as if they said nothing. Flexor's own laws do not."""
    if not np.any(system.is_constraint) or all(law.of_flexor for law in system.laws):
        return
    sizes = {}
    try:
        for level, (c, _) in _LEVELS.items():
            B, rows, _ = gradient(system, level, c)
            sizes[level] = largest_of_rows(B)
    except SolveError:  # a law that cannot be evaluated where it is drawn may be so when the mechanism is closed
        return
    binding = np.max(list(sizes.values()), axis=0)
    # of a symmetric matrix the mean of B and of the transpose of Bᵀ is known: half of it is left where the rows say nothing
    idle_share = np.where(system.symmetric & ~_binding_velocities(system, rows), 0.75, 1e-14)
    for level, name, rate in ((VELOCITY_LEVEL, "VELOCITY_LEVEL", "Φ̇"), (ACCELERATION_LEVEL, "ACCELERATION_LEVEL", "Φ̈")):
        idle = rows[(sizes[level] <= idle_share * binding) & (binding > 0.0)]
        if len(idle):
            named = [system.equations.name(int(equation)) for equation in idle]
            item = named[0].partition(":")[0]
            raise LawError(
                f"'{item}': its constraint rows {', '.join(n.partition(': ')[2] or n for n in named[:5])} do not depend on "
                f"{_LEVELS[level][1]}",
                causes=[
                    f"the law puts Φ there whatever it is asked for; under {name} these rows take {rate}, and their matrix "
                    "∂Φ/∂q times level_coefficient(want, c)"
                ],
            )


def _binding_velocities(system: System, rows: np.ndarray) -> np.ndarray:
    """Which of these equations bind velocities alone, so that at the level of positions they depend on these otherwise."""
    found = np.zeros(system.equations.pattern.n, dtype=bool)
    for i, term in enumerate(system.mechanism.terms):
        if some := max(term.nonholonomic, term.from_start):
            end = int(system.terms["lam_eq"][i]) + term.n_multipliers
            found[end - some : end] = True
    return found[rows]


NEARLY = 0.05
"""What is left of an entry, relative to the largest seen, up to which constraints repeat each other nearly."""


def nearly_redundant(system: System) -> list[int]:
    """Active constraints that follow from the others but for a small part: axes some degrees from parallel."""
    B, rows, columns = gradient(system)
    _, block = np.unique(system.equations.pattern.identity["block"][columns], return_inverse=True)
    part = 2 * block + (system.memory.norm_kind[columns] == ROTATION)
    found = dependent_rows(_scaled(system, B, columns), block, part, NEARLY)
    more = len(found) - len(system.dropped)
    return [int(rows[i]) for i in found if int(rows[i]) not in system.dropped][:more] if more > 0 else []


def degrees_of_freedom(system: System) -> int:
    """Coordinates minus independent constraints."""
    return len(system.coordinates) - len(system.constraints)


def choice(system: System) -> tuple[list[int], np.ndarray]:
    """The switched-off constraints and what their opening is measured by: `system.lock(*choice)` takes them again."""
    return list(system.dropped), _row_sizes(system).copy()


def measure_opening(system: System) -> None:
    """Set what the opening of the switched-off constraints is measured by, for a choice that was loaded from a file."""
    B, rows, columns = gradient(system)
    chosen = _places(rows, system.dropped)
    system.lock(system.dropped, _sizes(system, B.chosen(chosen), columns))


def judged_here(system: System) -> bool:
    """Judge in the present position which constraints follow from the others; whether they are others than before.

    In the drawing it may have been one more, or one less, than where the mechanism settles or starts from.
    """
    before = list(system.dropped)
    return find_redundant(system) != before


def choose_anew(system: System) -> bool:
    """Where a switched-off constraint has opened, others are the redundant ones now; returns whether there are others.

    An error if the same ones are: then they contradict the rest.
    """
    if not system.dropped or np.all(np.abs(left_open(system)) <= _allowed(system)):
        return False
    if not judged_here(system):
        check_closed(system)
    return True


def left_open(system: System, level: int = 0) -> np.ndarray:
    """Values of the switched-off constraints at a level: Φ, Φ̇ or Φ̈."""
    locked = int(system.run.n_locked)
    system.run.n_locked = 0
    try:
        status = system.evaluate(RESIDUAL | level, *_LEVELS[level][0])
    finally:
        system.run.n_locked = locked
    if status != OK:
        raise describe_failure(system, status)
    values: np.ndarray = system.memory.residual[system.dropped].copy()
    if level == 0:
        values[np.isin(system.dropped, system.equations.nonholonomic())] = 0.0  # these bind velocities only
    return values


def check_agreement(system: System, level: int) -> None:
    """Refuse a state whose velocities or accelerations contradict a constraint that was left out as redundant."""
    if not system.dropped:
        return
    values = left_open(system, level)
    B, rows, columns = gradient(system)
    chosen = _places(rows, system.dropped)
    moving = _in_equations(system, "v" if level == VELOCITY_LEVEL else "a", level)
    redundant = B.csr[chosen]
    summands = np.asarray(abs(redundant) @ np.abs(moving[columns])).ravel()
    given = np.abs(values - redundant @ moving[columns])  # by functions of time, and by what moves already
    worst = np.abs(values) - AGREE * (summands + given)
    rounding = 1e-9 * max(1.0, float(system.run.length_scale)) + _by_misfit(system, level)
    wrong = np.flatnonzero((worst > 0.0) & (np.abs(values) > rounding))
    if len(wrong):
        raise contradiction(system, {system.dropped[i]: float(values[i]) for i in wrong}, _LEVELS[level][1])


def check_closed(system: System) -> None:
    """Refuse a position in which a constraint that was left out as redundant has opened."""
    values = left_open(system) if system.dropped else np.zeros(0)
    wrong = np.flatnonzero(np.abs(values) > _allowed(system))
    if len(wrong):
        raise contradiction(system, {system.dropped[i]: float(values[i]) for i in wrong}, _LEVELS[0][1])


def misfits(system: System) -> list[tuple[int, float]]:
    """The switched-off constraints that are open beyond rounding, the widest first: they do not quite fit the others."""
    if not system.dropped:
        return []
    values = np.abs(left_open(system))
    relative = values / _row_sizes(system)
    return [(system.dropped[i], float(values[i])) for i in np.argsort(-relative) if relative[i] > ROUNDING]


def _by_misfit(system: System, level: int) -> np.ndarray:
    """How fast the switched-off constraints may change where they do not quite fit: a part of how fast the bodies move."""
    sizes = _row_sizes(system)
    part = float((np.abs(left_open(system)) / sizes).max())
    length, v = float(system.run.length_scale), np.abs(system.nodes("v"))
    fast = max(float(v[:, :3].max()) / length, float(v[:, 3:].max()))
    if level == ACCELERATION_LEVEL:
        a = np.abs(system.nodes("a"))
        fast = max(fast**2, float(a[:, :3].max()) / length, float(a[:, 3:].max()))
    return 10.0 * part * fast * sizes if part > 1e-13 else np.zeros_like(sizes)


def opening(system: System) -> AssemblyError:
    """The error for a motion that would open a constraint left out as redundant, by more than its tolerance.

    The state may be that before the step, where nothing is open yet. Then rates or accelerations tell what contradicts, or
    what prescribes a motion from now on.
    """
    values = left_open(system)
    if np.all(np.abs(values) < 0.5 * _allowed(system)):
        for level in (VELOCITY_LEVEL, ACCELERATION_LEVEL):
            try:
                check_agreement(system, level)
            except AssemblyError as error:
                return error
        driven = driven_constraints(system, ahead=float(system.run.max_step))
        related = [e for e in system.dropped if e in driven or driven & set(follows_from(system, e))]
        if related:
            return contradiction(system, dict.fromkeys(related, 0.0), _LEVELS[0][1], driven)
    nearest = np.argsort(-np.abs(values) / _allowed(system))[:5]
    return contradiction(system, {system.dropped[i]: float(values[i]) for i in nearest}, _LEVELS[0][1])


def _allowed(system: System) -> np.ndarray:
    """By how much each of the switched-off constraints may be open."""
    allowed: np.ndarray = system.run.dropped_tolerance * _row_sizes(system)
    return allowed


def _row_sizes(system: System) -> np.ndarray:
    """What the opening of each of the switched-off constraints is measured by [m or rad]."""
    sizes = system.memory.locked_size
    own: np.ndarray = sizes[len(sizes) - len(system.dropped) :]
    return own


def contradiction(system: System, opened: dict[int, float], what: str, driven: set[int] | None = None) -> AssemblyError:
    """The error for constraints that follow from others but ask for something else, with the names of all of them.

    driven: the constraints that prescribe a motion; those that do now if left out.
    """
    names = system.equations.name
    worst = max(opened, key=lambda equation: abs(opened[equation]))
    least = 1e-3 * abs(opened[worst])
    family = [worst, *follows_from(system, worst)]
    block = system.equations.pattern.identity["block"]
    items = list(dict.fromkeys(system.equations.names[number][0] for number in sorted(block[family])))
    driven = driven_constraints(system) if driven is None else driven
    driving = {system.equations.names[block[equation]][0] for equation in family if equation in driven}
    time, begin = float(system.run.time), float(system.run.start_time)
    from flexor.model.contradiction import cannot_move  # loads SciPy

    return cannot_move(
        [item for item in items if item in driving],
        [item for item in items if item not in driving],
        what,
        [(names(e), v) for e, v in sorted(opened.items(), key=lambda pair: -abs(pair[1])) if abs(v) > least][:5],
        time if time > begin else None,
    )


def gradient(
    system: System, level: int = ACCELERATION_LEVEL, c: tuple[float, float, float] = (0.0, 0.0, 1.0)
) -> tuple[MatrixRows, np.ndarray, np.ndarray]:
    """B of all constraints, switched off or not, in the order of the model; their equations, and those of the coordinates."""
    status = system.evaluate(RESIDUAL | MATRIX | level, *c)
    if status != OK:
        raise describe_failure(system, status)
    rows, columns = np.flatnonzero(system.is_constraint), system.coordinates
    identity = system.equations.pattern.identity
    rows = rows[np.lexsort((identity["row"][rows], identity["block"][rows]))]
    B = by_coordinates(system, rows, columns)
    if not np.all(np.isfinite(B.data)):
        raise describe_failure(system, NOT_FINITE)
    return B, rows, columns


def largest_of_rows(B: MatrixRows, columns: np.ndarray | None = None) -> np.ndarray:
    """The largest magnitude in each row, among these columns (a mask); 0 if there is none."""
    row, found = B.row, np.zeros(B.shape[0])
    kept = slice(None) if columns is None else columns[B.indices]
    np.maximum.at(found, row[kept], np.abs(B.data[kept]))
    return found


def _places(rows: np.ndarray, equations: list[int]) -> np.ndarray:
    """Where the equations stand among the rows."""
    order = np.argsort(rows)
    found: np.ndarray = order[np.searchsorted(rows[order], equations)]
    return found


def _scaled(system: System, B: MatrixRows, columns: np.ndarray) -> MatrixRows:
    """B with rotations as displacements at the model's size, modes of a body as large as its largest, rows of length one."""
    kinds, block = system.memory.norm_kind[columns], system.equations.pattern.identity["block"][columns]
    modal = np.zeros(int(block.max(initial=-1)) + 1)
    modes = kinds[B.indices] == GENERALISED
    np.maximum.at(modal, block[B.indices[modes]], np.abs(B.data[modes]))
    unit = np.where(kinds == ROTATION, float(system.run.length_scale), 1.0)
    unit = np.where(kinds == GENERALISED, np.where(modal > 0.0, modal, 1.0)[block], unit)
    values = B.data / unit[B.indices]
    row = B.row
    norm = np.sqrt(np.bincount(row, values**2, minlength=B.shape[0]))
    values /= np.where(norm > 0.0, norm, 1.0)[row]
    return MatrixRows(values, B.indices, B.indptr, B.shape)


def _sizes(system: System, B: MatrixRows, columns: np.ndarray) -> np.ndarray:
    """Largest change of a constraint by a displacement of the model's size or, without any, by a rotation of 1 rad."""
    kinds = system.memory.norm_kind[columns]
    length = float(system.run.length_scale)
    straight, other = (largest_of_rows(B, kinds == k) for k in (TRANSLATION, ROTATION))
    found: np.ndarray = np.where(straight > 0.0, straight * length, np.where(other > 0.0, other, length))
    return found


def _in_equations(system: System, name: str, level: int) -> np.ndarray:
    """Velocities or accelerations of nodes and scalars in equation order."""
    vector = np.zeros(system.equations.pattern.n)
    nodes, rows = system.node_rows
    vector[rows] = system.nodes(name)[nodes]
    vector[system.memory.scalar_eq] = system.memory.s[1 if level == VELOCITY_LEVEL else 2 :: 3]
    return vector


def follows_from(system: System, equation: int) -> list[int]:
    """The active constraints that a switched-off one is a combination of."""
    B, rows, columns = gradient(system)
    scaled = _scaled(system, B, columns).csr
    active = np.flatnonzero(~np.isin(rows, system.dropped))
    target = scaled[_places(rows, [equation])].toarray().ravel()
    from scipy.sparse.linalg import lsmr  # takes long to load, and few models need it

    share = np.abs(lsmr(scaled[active].T, target, atol=1e-12, btol=1e-12)[0])
    return [int(rows[active[i]]) for i in np.flatnonzero(share > 1e-3 * share.max(initial=1e-300))]


def driven_constraints(system: System, ahead: float = 0.0) -> set[int]:
    """Constraints that prescribe a motion now, or a time [s] ahead: they ask for a rate or an acceleration of what stands still."""
    keep = system.copy("v", "a", "proper", "s")
    system.zero("v", "a", "proper")
    system.memory.s[1::3] = system.memory.s[2::3] = 0.0
    locked, now = int(system.run.n_locked), float(system.run.time)
    system.run.n_locked, system.run.time = 0, now + ahead
    found: set[int] = set()
    try:
        if system.mechanism.followers:
            system.call("follow")
        for level in (VELOCITY_LEVEL, ACCELERATION_LEVEL):
            if system.evaluate(RESIDUAL | level, *_LEVELS[level][0]) == OK:
                given = np.abs(system.memory.residual) > 1e-12
                found |= set(np.flatnonzero(given & system.is_constraint).tolist())
    finally:
        system.run.n_locked, system.run.time = locked, now
        system.put(keep)
        if system.mechanism.followers:
            system.call("follow")
    return found
