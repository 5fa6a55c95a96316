"""Nothing that is given is dropped in silence: a field changes what its item does, is refused, or is told of by the check of the model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

import numpy as np
import pytest

from flexor.bodies import Body
from flexor.errors import ModelError
from flexor.functions.samples import CUBIC, RISING
from flexor.joints import Joint
from flexor.law import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL, Term
from tests.laws.calls import call
from tests.laws.random_states import random_state
from tests.laws.samples import MECHANISM, REGISTERED, Sample, samples_of
from tests.laws.states import State
from tests.laws.test_calls import MIXED, answers_count

ELSEWHERE = {
    "a", "b", "on", "at", "joint", "variable", "along", "of", "seen_from", "nut", "carrier", "input", "output", "markers", "shapes",
    "position", "orientation", "velocity", "angular_velocity", "center_of_mass", "start", "start_rate", "enforcement", "relaxed",
}  # fmt: skip
"""Fields that tell to what an item belongs, how it looks, and where it stands and moves at the start."""
ANY = (
    0.37, 1.7, 2.5, True, (0.3, -0.5, 0.8), (0.7, 0.4), (17, 40), "0.4 + 0.3*t", (3.0, 2.0, 1.0, 0.4, 0.5, 0.6), {"x": CUBIC, "ry": RISING},
    {"above": 0.3, "below": -0.3}, {"force_above": 1e-9, "deflection_above": 1e-9, "deflection_below": -1e-9},
    {"force": 3, "deflection": 0.5}, {"at": -40, "stiffness": 3}, {"at": 40, "stiffness": 3},
)  # fmt: skip
"""Values, of which some fit every field."""
STOPS = {"lower_stop", "upper_stop"}
WANTED = (RESIDUAL | MATRIX, RESIDUAL | VELOCITY_LEVEL, OUTPUT, ENERGY, COMMIT)


def words(annotation: Any) -> list[Any]:
    """What a field takes of a list of words."""
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [word for part in get_args(annotation) for word in words(part)]


def values(kind: Any, name: str) -> list[Any]:
    """To try in a field; another value than its default each."""
    field = kind.model_fields[name]
    tried = [*words(field.annotation), *ANY]
    return [value for value in tried if value != field.get_default(call_default_factory=True)]


def optional(kind: Any) -> list[str]:
    return [name for name, field in kind.model_fields.items() if not field.is_required() and name not in ELSEWHERE | {"type"}]  # fmt: skip


def changed(sample: Sample, name: str, value: Any) -> Sample | None:
    """The sample with another value in a field; None if it is refused."""
    try:
        return replace(sample, declaration=sample.declaration.replace(**{name: value}))
    except ModelError:
        return None


def bare(sample: Sample) -> Sample:
    """The sample with as little as it can be."""
    for name in optional(type(sample.declaration)):
        field = type(sample.declaration).model_fields[name]
        sample = changed(sample, name, field.get_default(call_default_factory=True)) or sample
    return sample


def bases(kind: Any) -> list[Sample]:
    """Its samples, the barest of them, and that with one more field each."""
    samples = samples_of(kind)
    least = bare(samples[0])
    more = []
    for name in optional(kind):
        found = (changed(least, name, value) for value in values(kind, name))
        more.append(next((one for one in found if one is not None), least))
    return list({repr(each.declaration): each for each in (*samples, least, *more)}.values())


def states(term: Term) -> Iterator[State]:
    """At random, at rest, and far off."""
    for seed in range(3):
        state = random_state(term, seed)
        yield state
        yield replace(state, x=30 * state.x)
    yield replace(state, v=1e-9 * state.v)


def answers(term: Term) -> Iterator[tuple[np.ndarray, ...]]:
    for state in states(term):
        for want in WANTED:
            answer = call(term, state, want, MIXED)
            if answer.status:
                yield (np.array([answer.status]),) * 5
                continue
            yield np.array([answer.status]), answer.r, answer.K, answer.h, answer.w[: answers_count(term, want)]


def same(one: Sample, other: Sample) -> bool:
    """Whether both do the same, in all states that are tried."""
    ours, theirs = one.terms(), other.terms()
    if len(ours) != len(theirs):
        return False
    for mine, its in zip(ours, theirs):
        if mine.law.name != its.law.name or mine.rows != its.rows or mine.outputs != its.outputs:
            return False
        for answer, another in zip(answers(mine), answers(its)):
            if not all(np.array_equal(a, b) for a, b in zip(answer, another, strict=True)):
                return False
    return True


def told(sample: Sample, name: str) -> bool:
    """Whether the check of a model says something about the field, or that all of it does nothing."""
    item = sample.declaration
    doubts = [] if isinstance(item, Body) else item.doubts((0.0, 0.0, -9.81))
    joint = MECHANISM.get(getattr(item, "joint", ""))
    if joint is not None and item.objections(joint):
        return True
    return any(name in (each.field, *each.what.replace(".", " ").split()) or "no force" in each.what for each in doubts)


KINDS = [
    kind for kind in REGISTERED if not issubclass(kind, Joint)
]  # what a joint locks are its rows, its axes those of its sites


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_field_acts_or_is_told_of(kind):
    seen, idle = set(), []
    for base in bases(kind):
        given = {key for key, _ in base.declaration.__repr_args__()}
        for name in optional(kind):
            if name in given or (name in STOPS and given & STOPS):  # only one of two stops is reached
                seen |= {name} & given
                continue
            tried = [each for value in values(kind, name) if (each := changed(base, name, value)) is not None]
            seen |= {name} if tried else set()
            if len(tried) == 1 and unsaid(kind, name):
                continue
            if tried and not any(told(each, name) or not same(base, each) for each in tried):
                idle.append(f"{name} = {getattr(tried[0].declaration, name)!r} in {base.declaration!r}")
    assert not idle, "\n".join(idle)
    assert seen == set(optional(kind)), "no value fits; add one to ANY"


def unsaid(kind: Any, name: str) -> bool:
    """Whether one of its words is what it means if it is left out."""
    field = kind.model_fields[name]
    return field.default is None and bool(words(field.annotation))
