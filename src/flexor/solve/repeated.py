"""A model that is checked, lowered and compiled once, and run many times, with other numbers too.

What stays is all that follows from which items there are and how they are connected: nodes, equations, the pattern of the matrix
and its symbolic analysis, compiled laws and kernels. Other numbers are written into the same memory. That the mechanism is the same is
looked at term by term; what would change it is refused. Other forces, and other inertias of what begins at rest, leave the begin as it is: nothing is
made ready again for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from flexor.bodies import Body, FlexibleBody, PointMass, RigidBody, ShapeBody
from flexor.declaration import Item
from flexor.engine.inertia import light_blocks
from flexor.engine.snapshot import Snapshot
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.forces import AxialSpring, Bushing, GlobalSpring, JointSpring, PointForce, PointTorque
from flexor.joints import Joint
from flexor.law import Term
from flexor.model import Model
from flexor.model.lower import lower
from flexor.model.mechanism import Mechanism, Node
from flexor.model.report import Report
from flexor.solve.dynamics import Sink, apply_settings, bring_to_start, integrate, prepare
from flexor.solve.prepare import make_ready, tell_doubts
from flexor.solve.seen_loads import SeenLoads
from flexor.solve.settings import DynamicsSettings
from flexor.solve.state import StartState
from flexor.threads import one_thread

INITIAL = frozenset(("position", "orientation", "velocity", "angular_velocity", "start", "start_rate"))
"""Fields of bodies and joints that tell where they start; the mechanism is put together anew for others."""
OF_BODIES = {
    RigidBody: frozenset(("mass", "inertia")),
    PointMass: frozenset(("mass",)),
    FlexibleBody: frozenset(("stiffness_scale", "mass_scale", "damping")),
    ShapeBody: frozenset(("damping",)),
}
"""Further fields of bodies that may be other ones, by kind."""

FORCES = (AxialSpring, JointSpring, GlobalSpring, Bushing, PointForce, PointTorque)
"""Items without inertia, which no constraint asks."""


class RepeatedRuns:
    """The system of a model, brought back to its begin for each run."""

    def __init__(self, model: Model, chosen: DynamicsSettings, python: bool = False) -> None:
        if chosen.solver != "implicit":
            why, fix = (
                f"the {chosen.solver} solver has a system of its own",
                f'use model.dynamics(…, solver="{chosen.solver}")',
            )
            raise ModelError(Problem("prepare", f"solver = {chosen.solver!r}", why, fix))
        self.model, self.chosen, self._python = model, chosen, python
        self._system = prepare(model, chosen, python=python)
        self._own, self._placement, self._jolts = self._system.mechanism, model.check().placement, self._system.jolts
        """The mechanism of the model itself, where it starts, and what jolts in it."""
        self._present: Model | None = model
        """The model whose numbers the system has; None after a failure."""
        self._begin, self._ready_made = Snapshot(self._system), (model, self._own)
        """How it begins, and what it was made ready with: other forces and inertias leave that as it is."""
        self._checked: Report | None = None
        """What was found in that model, if it was checked anew."""

    @one_thread
    def run(
        self,
        model: Model,
        sink: Sink,
        progress: Callable[[float, int, int, float], None] | None = None,
        start: Literal["consistent", "zero", "equilibrium"] | StartState = "consistent",
    ) -> System:
        """The motion of a model that differs from the prepared one in numbers alone."""
        system = self._ready(model)
        system.jolts = self._jolts if self._checked is None else tell_doubts(self._checked, self.chosen.until)
        bring_to_start(system, model, self.chosen, start)
        return integrate(system, self.chosen, sink, progress, None, SeenLoads(model))

    def _ready(self, model: Model) -> System:
        """The system at the begin of a run of a model."""
        system = self._system
        if model is self._present and self._begin.restore():
            return system
        if system.matrix != self._begin.matrix:  # the last run had to take another factorisation
            self._system = system = prepare(self.model, self.chosen, python=self._python)
        checked = None
        if model is self.model:
            mechanism = self._own
        else:
            checked = model.check() if starts_otherwise(self.model, model) else None
            placement = self._placement if checked is None else checked.placement
            known = self._known_terms(model) if checked is None else {}
            mechanism = lower(model, placement=placement, begin=placement, known=known)
            if known:  # and bodies, too
                own = self._own
                mechanism = replace(mechanism, nodes=own.nodes, scalars=own.scalars, followers=own.followers)
            refuse_other_equations(self._own, mechanism)
        self._present = None
        if checked is not None or self._checked is not None or not self._rewritten(model, mechanism):
            system.refill(mechanism)
            make_ready(system)
            apply_settings(system, self.chosen)
            self._begin, self._ready_made, self._checked = Snapshot(system), (model, mechanism), checked
        system.bodies, system.watched = tuple(item for item in model.items if isinstance(item, Body)), None
        self._present = model
        return system

    def _known_terms(self, model: Model) -> dict[str, list[Term]]:
        """Terms of the items that are those of the prepared model; none where others may depend on what is another one."""
        changed = [new for old, new in zip(self.model.items, model.items, strict=True) if old is not new]
        if any(isinstance(each, Body) for each in changed) or any(term.readings for term in self._own.terms):
            return {}
        if model.gravity != self.model.gravity:  # contacts know how much all bodies weigh
            return {}
        names, found = {each.name for each in changed}, dict[str, list[Term]]()
        for term in self._own.terms:
            if (owner := self._own.owner(term.name)) not in names:
                found.setdefault(owner, []).append(term)
        return found

    def _rewritten(self, model: Model, mechanism: Mechanism) -> bool:
        """Whether the system is at its begin with the numbers of a mechanism that begins as the one before, nothing being made ready anew."""
        system, (before, ready) = self._system, self._ready_made
        if before.gravity != model.gravity or not begins_alike(ready, mechanism) or not self._begin.restore():
            return False
        pairs = zip(before.items, model.items, strict=True)
        if all(old is new or isinstance(old, FORCES) or old == new for old, new in pairs):
            return system.rewrite(mechanism)
        still = not any(scalar.rate for scalar in ready.scalars) and not any(node.v.any() for node in ready.nodes)
        if (
            not still or system.solver.n_supporting or not system.rewrite(mechanism)
        ):  # inertia makes velocities consistent
            return False
        return not light_blocks(system) and self._begin.restore()


def begins_alike(ready: Mechanism, mechanism: Mechanism) -> bool:
    """Whether two mechanisms with the same equations have the same constraints, and stand and move alike at the begin."""
    if ready is mechanism:
        return True
    pairs = [(old, new) for old, new in zip(ready.terms, mechanism.terms, strict=True) if old is not new]
    if any(term.readings for term in ready.terms) or any(
        old.history != new.history or old.clocks != new.clocks for old, new in pairs
    ):
        return False
    bound = [(old.words(), new.words()) for old, new in pairs if old.rows]
    if not all(np.array_equal(old, new) for old, new in bound) or ready.scalars != mechanism.scalars:
        return False
    return ready.nodes is mechanism.nodes or all(
        old is new or _stands_alike(old, new) for old, new in zip(ready.nodes, mechanism.nodes, strict=True)
    )


def _stands_alike(old: Node, new: Node) -> bool:
    return all(np.array_equal(getattr(old, each), getattr(new, each)) for each in ("x", "R", "v", "p_NO"))


def starts_otherwise(prepared: Model, model: Model) -> bool:
    """Whether the mechanism has to be checked and put together anew; ModelError for fields that cannot be other ones once a model is prepared."""
    problems, anew = [], False
    for old, new in zip(prepared.items, model.items, strict=True):
        if old is new or old == new:
            continue
        fields = [name for name in type(old).model_fields if getattr(old, name) != getattr(new, name)]
        anew = anew or _checked_anew(old, fields)
        problems += [
            _fixed(old, name, "it decides which equations there are") for name in fields if not _free(old, name)
        ]
    if problems:
        raise ModelError(problems)
    return anew


def _free(item: Item, field: str) -> bool:
    """Whether a field may be another one: of bodies and joints where they start, and OF_BODIES; of all others what they do."""
    if isinstance(item, Body):
        return field in INITIAL or any(isinstance(item, kind) and field in free for kind, free in OF_BODIES.items())
    return field in INITIAL if isinstance(item, Joint) else True


def _checked_anew(item: Item, fields: list[str]) -> bool:
    """Whether the model is to be checked anew: other values of these fields, or of what binds bodies or drives them, let the mechanism
    start elsewhere, and what flexible bodies are made of may not fit."""
    bound = (
        isinstance(item, FlexibleBody | ShapeBody)
        or bool(item.binds or item.prescribes)
        or item.drive is not None
        or (item.line is not None and item.line.prescribed)
    )
    return bound or any(field in INITIAL for field in fields)


def _fixed(item: Item, field: str, why: str) -> Problem:
    what = f"{field} cannot be another one in a prepared model" if field else "it cannot be so in a prepared model"
    return Problem(item.called(item.name), what, why, "prepare the changed model: model.with_values({…}).prepare(…)")


def refuse_other_equations(prepared: Mechanism, mechanism: Mechanism) -> None:
    """ModelError where other numbers make another mechanism: a spring that now yields, a body that lost its mass."""
    found: list[str] = []
    if prepared.nodes is not mechanism.nodes and (
        [_shape_of_node(each) for each in prepared.nodes] != [_shape_of_node(each) for each in mechanism.nodes]
    ):
        pairs = zip(prepared.nodes, mechanism.nodes, strict=False)
        found += [old.name for old, new in pairs if _shape_of_node(old) != _shape_of_node(new)] or ["the model"]
    if [each.name for each in prepared.scalars] != [each.name for each in mechanism.scalars]:
        found += [each.name for each in mechanism.scalars if each not in prepared.scalars] or ["the model"]
    if len(prepared.terms) != len(mechanism.terms) or len(prepared.followers) != len(mechanism.followers):
        names = {each.name for each in prepared.terms} ^ {each.name for each in mechanism.terms}
        found += sorted(names) or ["the model"]
    pairs_of_terms = zip(prepared.terms, mechanism.terms, strict=False)
    found += [
        new.name
        for old, new in pairs_of_terms
        if not found and old is not new and _shape_of_term(old) != _shape_of_term(new)
    ]
    if found:
        why = "with these values it has other equations, or another law"
        fix = "prepare the changed model: model.with_values({…}).prepare(…)"
        names_told = dict.fromkeys(mechanism.owner(name) for name in found)
        raise ModelError([Problem(f"'{name}'", "it cannot be so in a prepared model", why, fix) for name in names_told])


def _shape_of_node(node: Any) -> tuple[object, ...]:
    return node.name, node.locked, node.own_axes, node.weights[0] > 0, node.weights[1] > 0


def _shape_of_term(term: Any) -> tuple[object, ...]:
    words = None if term.parameters is None else len(term.parameters.words)
    floats = np.size(term.floats), words, len(term.history)
    return (term.name, id(term.law), term.nodes, term.scalars, term.rows, term.ints, floats, term.outputs, term.readings,
            term.reads, term.workspace, term.counts, term.drives, term.nonholonomic, term.from_start,
            term.borrows, term.number)  # fmt: skip
