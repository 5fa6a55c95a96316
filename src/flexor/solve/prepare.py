"""From a model to a system that is ready to run."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from dataclasses import replace

from flexor.bodies import Body
from flexor.collection import rarely_collected
from flexor.contact.contacts import MOST_PAIRS, ManySurfaces
from flexor.engine.inertia import support_light
from flexor.engine.initial import assemble_positions, guess_readings, nearly_closed, project_velocities
from flexor.engine.redundancy import (
    check_agreement,
    check_closed,
    check_levels,
    degrees_of_freedom,
    find_redundant,
    follows_from,
    misfits,
    nearly_redundant,
)
from flexor.engine.relays import relays_of
from flexor.engine.system import System
from flexor.errors import MOST_SHOWN, ModelError, Problem, SolveError
from flexor.forces import LineLoad, MeshLoad
from flexor.joints import Joint
from flexor.law import VELOCITY_LEVEL
from flexor.law.compile import on_compile
from flexor.model import Model
from flexor.model.lower import lower
from flexor.model.mechanism import Mechanism
from flexor.model.placement import Placement, moved
from flexor.model.report import Report
from flexor.solve.turns import angles_of
from flexor.spatial import Pose, shift_twist
from flexor.warning import warn


class DoubtfulModel(UserWarning):
    """The model can be computed, but may not be what was meant; `model.check()` says the same."""


class RedundantConstraints(UserWarning):
    """Some constraints follow from others; the motion is unaffected, single reactions are not unique."""


@rarely_collected
def compile_model(
    model: Model | Mechanism,
    *,
    symmetric: bool = True,
    python: bool = False,
    project: bool = True,
    settle: Callable[[System], object] | None = None,
    agreement: bool = True,
    until: float = 0.0,
    relays: bool = False,
    all_kept: bool = False,
    many: bool = False,
) -> System:
    """Check, lower and compile a model (or a Mechanism), assemble it and make its velocities consistent.

    settle: brings the mechanism with its flexible bodies taken as rigid to a position that is a good start.
    agreement: refuse redundant constraints that ask for other velocities than the rest.
    until: end of the motion that is to be computed [s], if it is one; doubts about what comes later are not told.
    relays: cut long chains of eliminated joints (`flexor.engine.relays`), where the matrix is only solved with.
    all_kept: what computes the motion keeps redundant constraints, and finds the smallest forces of them.
    many: what computes it finds the pairs of many surfaces itself.
    """
    jolts: tuple[str, ...] = ()
    if isinstance(model, Mechanism):
        mechanism = model
    else:
        report = model.check()
        jolts = tell_doubts(report, until)
        placement = report.placement
        if settle is not None:
            placement = _settled(model, python, placement, settle)
        mechanism = lower(model, placement=placement, begin=report.placement)
    mechanism = _found_by_solver(mechanism) if many else _pair_by_pair(mechanism)
    if not python:
        _announce()
    symmetric = symmetric and all(term.law.symmetric and not term.reads for term in mechanism.terms)
    cuts = relays_of(mechanism) if relays else ()
    system = System(mechanism, symmetric=symmetric, python=python, relays=cuts)
    system.jolts = jolts
    items = getattr(model, "items", ())
    system.bodies = tuple(item for item in items if isinstance(item, Body))
    system.mesh_loads = tuple(item for item in items if isinstance(item, MeshLoad))
    make_ready(system, project, agreement, all_kept)
    return system


def tell_doubts(report: Report, until: float) -> tuple[str, ...]:
    """Warn of what is doubtful in a model before a time [s], of as many as problems are listed; the names of what jolts until then."""
    doubts = [doubt for doubt in report.warnings if doubt.since < until]
    for doubt in doubts[:MOST_SHOWN]:
        warn(str(doubt), DoubtfulModel)
    if (more := len(doubts) - MOST_SHOWN) > 0:
        warn(f"… and {more} more doubts about the model; model.check().warnings has them all", DoubtfulModel)
    return tuple(doubt.where for doubt in doubts if doubt.since > 0)


def _found_by_solver(mechanism: Mechanism) -> Mechanism:
    """Contacts among many surfaces only add up what the solver finds."""
    terms = tuple(each.many.tally if isinstance(each.many, ManySurfaces) else each for each in mechanism.terms)
    return replace(mechanism, terms=terms)


def _pair_by_pair(mechanism: Mechanism) -> Mechanism:
    """The mechanism, refused if it has contacts among more surfaces than every two of them can be looked at."""
    found = [each.many for each in mechanism.terms if isinstance(each.many, ManySurfaces) and not each.many.few]
    if found:
        why = f"every two of them would be looked at in every iteration; this is done for {MOST_PAIRS} pairs at most"
        fix = 'ask model.dynamics(…, solver="explicit"), which finds those that are near; or leave surfaces out'
        raise ModelError(
            [
                Problem(f"contacts '{each.name}'", f"there are {each.n_pairs} pairs of surfaces", why, fix)
                for each in found
            ]
        )
    return mechanism


def make_ready(system: System, project: bool = True, agreement: bool = True, all_kept: bool = False) -> None:
    """Assemble a system, leave out redundant constraints, and make its velocities consistent; see `compile_model`."""
    guess_readings(system)
    if project:
        check_levels(system)
        if not nearly_closed(system):
            assemble_positions(system)
        redundant = find_redundant(system)
        assemble_positions(system)
        check_closed(system)
        project_velocities(system)
        if agreement:
            check_agreement(system, VELOCITY_LEVEL)
        if redundant:
            _refuse_circles(system, redundant)
            _warn(system, redundant, all_kept)
    support_light(system)
    for name in ("x", "R", "v", "s"):
        system.put({f"{name}0": getattr(system.memory, name)})


def _settled(
    model: Model, python: bool, placement: Placement | None, settle: Callable[[System], object]
) -> Placement | None:
    """Where the bodies start if some of them are flexible: settled as if they were rigid, so that none is strained."""
    bodies = [item for item in model.items if isinstance(item, Body)]
    if placement is None or not any(body.flexible for body in bodies):
        return placement
    kept = [item for item in model.items if not isinstance(item, MeshLoad | LineLoad)]
    rigid = model.replace(items=tuple(item.rigid() if isinstance(item, Body) else item for item in kept))
    try:
        mechanism = lower(rigid, placement=placement)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RedundantConstraints)
            system = compile_model(mechanism, python=python, symmetric=False, agreement=False)
        settle(system)
    except (SolveError, ModelError):  # it may have to bend, or sensors read what a rigid body does not have: its strain
        return placement
    poses, twists = {}, {}
    R = system.memory.R.reshape(-1, 3, 3)
    for number, body in enumerate(bodies, start=1):
        arm = R[number] @ mechanism.nodes[number].p_NO
        v = system.nodes("v")[number]
        poses[body.name] = Pose(system.nodes("x")[number] + arm, R[number].copy())
        twists[body.name] = shift_twist(v, arm)
    angles = angles_of(system)
    joints = {
        item.name: (state := placement.joints[item.name]).at(
            tuple(angles.get(f"{item.name}.{v}", q) for v, q in zip(item.variables, state.values))
        )
        for item in model.items
        if isinstance(item, Joint)
    }  # with the turns that they have made
    return moved(replace(placement, joints=joints), model.items, poses, twists)


def _refuse_circles(system: System, redundant: list[int]) -> None:
    """Motors that follow sensors act on their own joint alone: one that asks for what follows from others cannot be left out."""
    led = {
        int(system.terms["lam_eq"][i]) + row: term.name
        for i, term in enumerate(system.mechanism.terms)
        if term.drives and not term.law.symmetric
        for row in range(term.n_multipliers)
    }
    for equation in redundant if led else ():
        names = dict.fromkeys(led[each] for each in (equation, *follows_from(system, equation)) if each in led)
        if names:
            told = " and ".join(f"'{name}'" for name in names)
            what = "it follows sensors" if len(names) == 1 else "they follow sensors"
            why = "what is asked of the joint follows from other constraints, or from each other in a circle, so that no unique force does it"
            raise ModelError(
                Problem(f"motor {told}", what, why, "let one of them follow something else, or by another gain")
            )


def _warn(system: System, redundant: list[int], all_kept: bool) -> None:
    names = ", ".join(system.equations.name(equation) for equation in redundant[:8])
    more = f" and {len(redundant) - 8} more" if len(redundant) > 8 else ""
    open_by = [f"{system.equations.name(equation)} by {value:.2g}" for equation, value in misfits(system)[:8]]
    gaps = f"; they do not quite fit and stay open: {', '.join(open_by)} (m or rad)" if open_by else ""
    forces = _forces_of_all(system, redundant) if all_kept else "reactions in these joints are not unique"
    effect = _locked(system) or f"the motion is unaffected, but {forces}"
    done = "kept" if all_kept else "left out"
    warn(
        f"{len(redundant)} redundant constraint{'s' if len(redundant) > 1 else ''} {done}: {names}{more}; {effect}{gaps}",
        RedundantConstraints,
    )


def _forces_of_all(system: System, redundant: list[int]) -> str:
    """Whose forces are not determined where all constraints are kept, and which ones are found."""
    rows = [each for equation in redundant[:3] for each in (equation, *follows_from(system, equation))]
    joints = list(dict.fromkeys(system.equations.name(row).partition(":")[0] for row in rows))
    named = ", ".join(f"'{joint}'" for joint in joints[:8])
    more = " and others" if len(joints) > 8 or len(redundant) > 3 else ""
    return (
        f"forces in the joints of these loops ({named}{more}) are not determined by it: the tree solver finds the smallest ones within each "
        "subsystem, the implicit solver others, with none in what it leaves out. Give joints their real freedom, or flexible bodies, "
        "where these forces matter"
    )


def _locked(system: System) -> str:
    """What is to be told where constraints that repeat each other only nearly leave nothing free to move."""
    freedoms = degrees_of_freedom(system)
    if freedoms or any(term.drives for term in system.mechanism.terms):
        return ""
    nearly = nearly_redundant(system)
    if not nearly:
        return "nothing is left free to move, and reactions in these joints are not unique"
    names = ", ".join(f"'{system.equations.name(equation)}'" for equation in nearly[:4])
    return (
        f"nothing is left free to move: mobility falls from {len(nearly)} to 0, since {names} "
        f"{'repeat' if len(nearly) > 1 else 'repeats'} others only nearly. Check axes that are meant to be parallel, points to coincide"
    )


_announced = False


def _announce() -> None:
    """One line while the engine is compiled for the first time on a machine."""
    global _announced
    if _announced:
        return
    _announced = True
    said: list[str] = []

    def report(name: str) -> None:
        if not said:
            said.append(name)
            print(
                "compiling what this model needs (once; later runs of its kinds of parts start at once) …",
                file=sys.stderr,
                flush=True,
            )

    on_compile(report)
