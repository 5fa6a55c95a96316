"""Preparation grows with the number of bodies, not with its square: counted in calls of functions, never in seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

import flexor as fx
from benchmarks.nets_flexor import grid_model
from flexor.model.placement import _connected
from flexor.solve.dynamics import prepare
from flexor.solve.settings import DynamicsSettings

SETTINGS = DynamicsSettings(until=0.01, step=0.001)


def chain(n: int, placed: bool = True) -> fx.Model:
    """Links on hinges, placed by the user or along the joints from one to the next."""
    items: list[fx.RigidBody | fx.Revolute] = []
    before = fx.ground.at(0, 0, 0)
    for i in range(n):
        place = {"position": (i + 0.5, 0, 0)} if placed else {}
        link = fx.RigidBody(f"link{i}", 1.0, (0.01, 0.02, 0.02), **place)
        start = {} if placed else {"start": ("5 deg",), "start_rate": (0.1,)}
        items += [link, fx.Revolute(f"joint{i}", before, link.at(-0.5, 0, 0), axis="z" if i % 2 else "y", **start)]
        before = link.at(0.5, 0, 0)
    return fx.Model("chain", items, gravity=(0, 0, -9.81))


def pairs(n: int) -> fx.Model:
    """Two bodies on a hinge each, which nothing connects with the ground or with others."""
    items: list[fx.RigidBody | fx.Revolute] = []
    for i in range(n // 2):
        a, b = (fx.RigidBody(f"{name}{i}", 1.0, (0.01, 0.02, 0.02)) for name in "ab")
        items += [a, b, fx.Revolute(f"joint{i}", a.at(0.5, 0, 0), b.at(-0.5, 0, 0), axis="z", start_rate=(1.0,))]
    return fx.Model("pairs", items)


def calls_of(work: Callable[[], object]) -> int:
    """How many functions are called meanwhile, those written in C included."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_what_is_connected():
    model = pairs(6).with_item(fx.Revolute("between", "b0", "a2", axis="x"))
    found = _connected([item for item in model.items if isinstance(item, fx.Revolute)])
    group, joints = found["a0"]
    assert group == {"a0", "b0", "a2", "b2"}
    assert [joint.name for joint in joints] == ["joint0", "joint2", "between"]
    assert found["a1"][0] == {"a1", "b1"}


@pytest.mark.parametrize(
    ("make", "small", "bodies"),
    [
        (chain, 40, lambda n: n),
        (lambda n: chain(n, placed=False), 40, lambda n: n),
        (pairs, 120, lambda n: n),
        (grid_model, 3, lambda n: n**3),
    ],
    ids=["chain", "chain placed by its joints", "pairs", "grid"],
)
@pytest.mark.filterwarnings("ignore::flexor.DoubtfulModel")
def test_calls_grow_with_the_number_of_bodies(make, small, bodies):
    large = 2 * small if bodies(2) == 2 else small + 2
    models = [make(n) for n in (small, large)]
    prepare(make(small), SETTINGS)  # what is done once in a process
    few, many = (calls_of(lambda model=model: prepare(model, SETTINGS)) for model in models)
    assert many / few < 1.15 * bodies(large) / bodies(small)


def test_a_model_is_checked_once(monkeypatch):
    """Neither a check before nor further runs repeat it; a changed model is checked again."""
    from flexor.model import model as models

    found = []
    check = models.check
    monkeypatch.setattr(models, "check", lambda *args, **options: found.append(1) or check(*args, **options))
    made = chain(3)
    made.check()
    prepare(made, SETTINGS)
    prepare(made, SETTINGS)
    assert len(found) == 1
    assert made.replace(gravity=(0, 0, 0)).check().ok
    assert len(found) == 2
