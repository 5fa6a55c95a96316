"""Words for what cannot be: which constraints or stated values contradict each other, and how far they are apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse.linalg import lsqr

from flexor.errors import AssemblyError, Problem
from flexor.model.dead_centres import at_dead_centre
from flexor.model.equations import STATED
from flexor.model.givens import AGREE, Given, Motion
from flexor.model.least_moves import largest
from flexor.model.loops import Loops, Rows

NAMED = 5
"""How many of the values and constraints that take part are named."""
FAMILY = 50
"""Constraints up to which those that hold a driver alone are told from others that take part."""


def cannot_close(loops: Loops, motion: Motion) -> AssemblyError:
    """The constraints alone contradict each other."""
    rows = loops.position_rows(motion)
    off = np.where(rows.kind != STATED, np.abs(rows.off()), 0.0)
    order = np.argsort(-off)[:NAMED]
    return AssemblyError(
        f"the mechanism cannot be assembled: constraints stay open by up to {off.max():.3g} of its size, "
        f"{loops.size:.3g} m",
        worst=[(loops.position_name(int(i)), float(rows.r[i] / rows.scale[i])) for i in order if off[i] > 0],
        causes=[
            "positions or joint points that no motion of the bodies can bring together; check lengths",
            "joint axes that contradict each other; check directions",
            "the start is too far from an assembled position; give joints a start near it",
        ],
    )


def cannot_move(
    drivers: Sequence[str],
    holders: Sequence[str],
    what: str,
    worst: Sequence[tuple[str, float]],
    time: float | None = None,
) -> AssemblyError:
    """Constraints that ask for different motions.

    drivers: names of the items that prescribe a motion.   holders: of those that do not permit it.
    what: "positions", "velocities" or "accelerations", which do not exist.   worst: rows that stay open.
    """
    named = [[f"'{name}'" for name in names] for names in (drivers, holders)]
    fix = "leave out one of them, or free the motion in a joint"
    if len(drivers) == 1 and holders:
        said = (
            f"'{drivers[0]}' cannot move what it drives: {_listed(named[1])} hold{'s' if len(holders) == 1 else ''} it"
        )
        fix = f"leave out '{drivers[0]}', or the joint that locks the motion"
    else:
        said = _listed([*named[0], *named[1]]) + " contradict each other"
    return AssemblyError(
        f"{said}; no {what} satisfy all of them",
        time=time,
        worst=worst,
        causes=[
            f"constraints that hold the same motion in different ways; {fix}",
            "a dead centre, where the mechanism can go on in several ways or in none; start elsewhere, or give all start rates",
        ],
    )


def driven_against(loops: Loops, rows: Rows, driving: np.ndarray) -> AssemblyError:
    """Constraints that no velocities meet. driving: rows that prescribe a motion; all others are met, they as nearly as it gets.

    What holds a driver carries a force at that minimum; of several that do, those are named that would hold it alone, and its
    own joint only if there is nothing else.
    """
    held = np.flatnonzero((rows.kind != STATED) & ~driving)
    off = np.where(driving, rows.r, 0.0)
    against = driving & (np.abs(off) > 1e-3 * largest(off))
    found = _holding(rows, against, off)
    drivers = list(dict.fromkeys(loops.owners[rows.owner[i]].name for i in np.flatnonzero(against)))
    joints = [owner.joint for owner in loops.owners if owner.name in drivers and hasattr(owner, "joint")]
    for term in sorted(found, key=lambda term: loops.owners[term].name not in joints):  # their own joints first
        others = held[np.isin(rows.owner[held], [other for other in found if other != term])]
        if len(found) <= FAMILY and _held_by(rows, others, against, off):
            found.remove(term)
    holders = list(dict.fromkeys(loops.owners[term].name for term in sorted(found)))
    holders = [name for name in holders if name not in joints] or holders
    order = np.flatnonzero(against)[np.argsort(-np.abs(off[against]), kind="stable")][:NAMED]
    return cannot_move(
        drivers, holders, "velocities", [(loops.velocity_name(int(i)), float(off[i] / rows.scale[i])) for i in order]
    )


def _held_by(rows: Rows, others: np.ndarray, against: np.ndarray, off: np.ndarray) -> bool:
    """Whether these constraints alone keep drivers from what they ask: forces μ balance what they pull with, Gᵀr + Bᵀμ = 0."""
    pull = rows.J[against].T @ off[against]
    if not len(others):
        return largest(pull) <= 1e-9 * largest(off)
    forces = lsqr(rows.J[others].T.tocsr(), -pull, atol=1e-12, btol=1e-12)[0]
    return largest(rows.J[others].T @ forces + pull) <= 1e-6 * largest(pull)


def _listed(names: list[str]) -> str:
    """'a', 'b' and 'c'; beyond six the number of the rest."""
    if len(names) > 6:
        return ", ".join(names[:6]) + f" and {len(names) - 6} more"
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def not_fitting(loops: Loops, motion: Motion, part: int) -> Problem:
    """A loop whose joints repeat each other but do not quite fit, told at the last of them."""
    frames = loops.frames(motion)
    gap, tilt = loops.table.gaps(frames, loops.table.variables(frames)[0])
    off = np.where(loops.joint_part == part, np.maximum(gap / loops.size, tilt), 0.0)
    around = np.flatnonzero(off > 1e-3 * off.max())
    joints = [loops.table.joints[i] for i in around]
    last = joints[-1]
    names = ", ".join(f"'{joint.name}'" for joint in joints[:NAMED])
    more = f" and {len(joints) - NAMED} more" if len(joints) > NAMED else ""
    apart = [
        f"{total:.2g} {unit}"
        for total, unit, least in ((gap[around].sum(), "m", 1e-12 * loops.size), (tilt[around].sum(), "rad", 1e-12))
        if total > least
    ]
    return Problem(
        last.called(last.name),
        f"its loop does not close by about {' and '.join(apart)}, summed over the joints {names}{more}",
        "they hold the same motion several times over and do not quite fit; what follows from the others is left out",
        "give points and axes with more digits, or take joints that leave more free, as Spherical and Cylindrical",
    )


def nearly_met(loops: Loops, givens: Sequence[Given], rows: Rows, least: float) -> list[Problem]:
    """Stated values that are met only to the digits they were given with, since others contradict them in the next.

    least: what counts as met, in parts of the model's size.
    """
    off = np.abs(rows.off())
    found = []
    for i, given in enumerate(givens):
        far = largest(off[(rows.kind == STATED) & (rows.owner == i)])
        if far > least:
            far *= loops.size if given.unit.startswith("m") else 1.0
            what = f"{given.field} asks for {given.told(given.value)}, it begins {far:.2g} {given.unit} off that"
            why = "other values contradict it beyond the digits it was given with"
            found.append(Problem(given.where, what, why, "give more digits, or leave out one of them"))
    return found


def turned_over(askew: dict[str, float]) -> AssemblyError:
    """The constraints are met with frames of joints turned against each other."""
    fix = "draw the bodies nearer to the position that is meant, or give the orientation of one of them"
    return AssemblyError(
        Problem(
            where,
            f"its loop closes only with its frames turned by {np.degrees(angle):.4g} deg against each other",
            "that is the wrong way round",
            fix,
        )
        for where, angle in askew.items()
    )


def contradiction(
    loops: Loops,
    givens: Sequence[Given],
    motion: Motion,
    rows: Rows,
    evaluate: Callable[[Motion], Rows],
    without: Callable[[int], Motion | None],
) -> AssemblyError:
    """What is stated cannot be met; one problem for each value that takes part.

    motion: the constraints met, the stated values as nearly as it gets, with its rows.
    without: the motion that leaves out one of the stated values and meets all others.
    """
    off = rows.off()
    weight = np.array([largest(off[(rows.kind == STATED) & (rows.owner == i)]) for i in range(len(givens))])
    chosen = [int(i) for i in np.argsort(-weight)[:NAMED] if weight[i] > 1e-3 * weight.max()]
    holding = [loops.called(term) for term in _holding(rows, rows.kind == STATED, off)]
    problems = []
    for i in chosen:
        given = givens[i]
        others = [
            f"{givens[j].where} ({givens[j].field})" for j in chosen if j != i and givens[j].item is not given.item
        ]
        own = [
            f"its {givens[j].field}" for j in chosen if givens[j].item is given.item and givens[j].field != given.field
        ]
        what = f"{given.field} asks for {given.told(given.value)}"
        against = list(dict.fromkeys([*own, *others])) or [name for name in holding if name != given.where]
        alone = without(i)
        fits = alone is not None and _determined(evaluate(alone), i)
        if alone is not None and fits:
            what += f", everything else for {given.told(given.near(alone))}"
            fix = "leave out or correct one of them"
        else:
            what += f", the nearest that fits is {given.told(given.near(motion))}"
            fix = "leave out some of them: they state more than is free to choose" if own or others else "correct it"
        why = "it contradicts " + ", ".join(against[:NAMED]) if against else "the joints do not permit it"
        if fits and not own and not others and givens is loops.velocities and at_dead_centre(loops, motion, 0):
            why = "it stands at its dead centre, where the others hold it: " + ", ".join(against[:NAMED])
        problems.append(Problem(given.where, what, why, fix))
    return AssemblyError(problems)


def _determined(rows: Rows, number: int) -> bool:
    """Whether all but one of the stated values are met, and leave it no choice: its gradient follows from theirs."""
    own = (rows.kind == STATED) & (rows.owner == number)
    if largest(rows.off()[~own]) >= AGREE:
        return False
    rest = rows.J[~own].T.tocsr()
    for gradient in rows.J[own].toarray():
        share = lsqr(rest, gradient, atol=1e-12, btol=1e-12)[0]
        if largest(rest @ share - gradient) > 1e-8 * largest(gradient):  # at a limit it only nearly does
            return False
    return True


def _holding(rows: Rows, against: np.ndarray, off: np.ndarray) -> list[int]:
    """Terms that keep rows from being met: those with forces at the minimum, Gᵀr + Bᵀμ = 0, the largest first."""
    bound = np.flatnonzero((rows.kind != STATED) & ~against)
    pull = rows.J[against].T @ off[against]
    if not largest(pull) > 1e-9 * largest(off):
        return []
    forces = np.abs(lsqr(rows.J[bound].T.tocsr(), -pull, atol=1e-12, btol=1e-12)[0])
    found: dict[int, float] = {}
    for i, force in zip(bound, forces):
        found[int(rows.owner[i])] = max(found.get(int(rows.owner[i]), 0.0), float(force))
    most = max(found.values(), default=0.0)
    order = sorted(found, key=lambda term: -found[term])
    return [term for term in order if found[term] > 1e-3 * most > 0]
