"""From a model to a system that is ready to run."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from flexor.bodies import Body
from flexor.engine.inertia import support_light
from flexor.engine.initial import assemble_positions, project_velocities
from flexor.engine.redundancy import check_agreement, find_redundant
from flexor.engine.system import System
from flexor.errors import SolveError
from flexor.forces import MeshLoad
from flexor.law import VELOCITY_LEVEL
from flexor.model.mechanism import Mechanism
from flexor.spatial import Pose, shift_twist
from flexor.warning import warn


class DoubtfulModel(UserWarning):
    """The model can be computed, but may not be what was meant; `model.check()` says the same."""


class RedundantConstraints(UserWarning):
    """Some constraints follow from others; the motion is unaffected, single reactions are not unique."""


def compile_model(
    model: Any,
    *,
    symmetric: bool = True,
    python: bool = False,
    project: bool = True,
    settle: Callable[[System], Any] | None = None,
    agreement: bool = True,
) -> System:
    """Check, lower and compile a model (or a Mechanism), assemble it and make its velocities consistent.

    settle: brings the mechanism with its flexible bodies taken as rigid to a position that is a good start.
    agreement: refuse redundant constraints that ask for other velocities than the rest.
    """
    if isinstance(model, Mechanism):
        mechanism = model
    else:
        from flexor.model.lower import lower

        report = model.check()
        for doubt in report.warnings:
            warn(str(doubt), DoubtfulModel)
        placement = report.placement
        if settle is not None:
            placement = _settled(model, python, placement, settle)
        mechanism = lower(model, python=python, placement=placement)
    if not python:
        _announce()
    symmetric = symmetric and all(element.law.symmetric for element in mechanism.elements)
    system = System(mechanism, symmetric=symmetric, python=python)
    system.bodies = tuple(item for item in getattr(model, "items", ()) if isinstance(item, Body))
    if project:
        assemble_positions(system)
        redundant = find_redundant(system)
        if redundant:
            assemble_positions(system)
        project_velocities(system)
        if agreement:
            check_agreement(system, VELOCITY_LEVEL)
        if redundant:
            _warn(system, redundant)
    support_light(system)
    for name in ("x", "R", "v", "s"):
        system.put({f"{name}0": getattr(system.memory, name)})
    return system


def _settled(model: Any, python: bool, placement: Any, settle: Callable[[System], Any]) -> Any:
    """Where the bodies start if some of them are flexible: settled as if they were rigid, so that none is strained."""
    from flexor.model.lower import lower
    from flexor.model.placement import moved

    bodies = [item for item in model.items if isinstance(item, Body)]
    if not any(body.flexible for body in bodies):
        return placement
    kept = [item for item in model.items if not isinstance(item, MeshLoad)]
    rigid = model.replace(items=tuple(item.rigid() if isinstance(item, Body) else item for item in kept))
    mechanism = lower(rigid, python=python, placement=placement)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RedundantConstraints)
        system = compile_model(mechanism, python=python, symmetric=False, agreement=False)
    try:
        settle(system)
    except SolveError:
        return placement
    poses, twists = {}, {}
    R = system.memory.R.reshape(-1, 3, 3)
    for number, body in enumerate(bodies, start=1):
        arm = R[number] @ mechanism.nodes[number].p_NO
        v = system.nodes("v")[number]
        poses[body.name] = Pose(system.nodes("x")[number] + arm, R[number].copy())
        twists[body.name] = shift_twist(v, arm)
    return moved(placement, model.items, poses, twists)


def _warn(system: System, redundant: list[int]) -> None:
    names = ", ".join(system.equations.name(equation) for equation in redundant[:8])
    more = f" and {len(redundant) - 8} more" if len(redundant) > 8 else ""
    warn(
        f"{len(redundant)} redundant constraint{'s' if len(redundant) > 1 else ''} left out: {names}{more}; "
        "the motion is unaffected, but reactions in these joints are not unique",
        RedundantConstraints,
    )


_announced = False


def _announce() -> None:
    """One line while the engine is compiled for the first time on a machine."""
    global _announced
    if _announced:
        return
    _announced = True
    import sys

    from flexor.law.compile import on_compile

    said: list[str] = []

    def report(name: str) -> None:
        if not said:
            said.append(name)
            print("compiling the engine (once; later runs start at once) …", file=sys.stderr, flush=True)

    on_compile(report)
