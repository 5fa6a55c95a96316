"""Trees that several processes share, here played by threads: every number is that of one process alone."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pytest

import flexor as fx
from benchmarks.nets_flexor import net_model
from benchmarks.rigid_chain_flexor import chain_model
from benchmarks.tree import four_bars
from flexor import hierarchy
from flexor.errors import FileError, LawError, SolveError
from flexor.hierarchy.memory import MATRICES, MOTION, VECTORS
from flexor.hierarchy.partners import CutOff, Partners
from flexor.hierarchy.share import branches, work_of
from flexor.hierarchy.stepper import Tree
from tests.hierarchy.mechanisms import moving, random_model
from tests.hierarchy.test_each_item import four_bar
from tests.laws.flexible import rod

pytestmark = pytest.mark.filterwarnings("ignore:.*redundant")
PATIENCE = 60  # s


class Played:
    """A team of threads."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.barrier = threading.Barrier(size)
        self.told: list[object] = [None] * size

    def member(self, rank: int) -> Member:
        return Member(self, rank)


class Member:
    def __init__(self, team: Played, rank: int) -> None:
        self.team, self.rank, self.size = team, rank, team.size

    def all(self, own: object) -> list:
        try:
            self.team.barrier.wait(PATIENCE)
            self.team.told[self.rank] = own
            self.team.barrier.wait(PATIENCE)
            found = list(self.team.told)
            self.team.barrier.wait(PATIENCE)
        except threading.BrokenBarrierError:
            raise CutOff("another rank died") from None
        return found

    def gather(self, own: np.ndarray, found: np.ndarray, counts: Sequence[int]) -> None:
        parts = self.all(own.copy())
        assert [len(part) for part in parts] == list(counts)
        found[:] = np.concatenate(parts)

    def texts(self, own: str) -> list[str]:
        return self.all(own)


class Kept:
    """Rows of a run."""

    def __init__(self) -> None:
        self.found: list[np.ndarray] = []
        self.end = ""

    def open(self, columns, meta) -> None:
        self.names = [name for name, _ in columns]

    def rows(self, rows) -> None:
        self.found.append(rows.copy())

    def history(self, steps) -> None: ...

    def checkpoint(self, state) -> None: ...

    def close(self, status: str, message: str) -> None:
        self.end = status


def together(size: int, work: Callable[[Partners], None]) -> list[BaseException | None]:
    """Let so many partners work; what each of them raised."""
    team = Played(size)
    raised: list[BaseException | None] = [None] * size

    def one(rank: int) -> None:
        partners = Partners(team.member(rank))
        try:
            work(partners)
            partners.leave()
        except BaseException as error:
            raised[rank] = error
            partners.leave(str(error))

    threads = [threading.Thread(target=one, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(4 * PATIENCE)
        assert not thread.is_alive()
    return raised


def runs_of(model: fx.Model, size: int, **settings) -> list[np.ndarray]:
    """Rows of a run as each of several processes finds them; of one alone where size is 0."""
    kept = [Kept() for _ in range(max(size, 1))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if not size:
            hierarchy.dynamics(model, sink=kept[0], solver="tree", **settings)
        else:
            raised = together(
                size,
                lambda partners: hierarchy.dynamics(
                    model, sink=kept[partners.rank], solver="tree", partners=partners, **settings
                ),
            )
            assert raised == [None] * size
    return [np.concatenate(each.found) for each in kept]


def loops_with_springs() -> fx.Model:
    """Redundant loops; springs and dampers between bodies that lie far apart in the tree, and a sensor that drives a force."""
    row = four_bars(12)
    bodies = [item for item in row.items if isinstance(item, fx.RigidBody)]
    springs = [
        fx.AxialSpring(f"s{i}", bodies[i].at(0.5, 0, 0), bodies[-1 - i].at(0.2, 0, 0), stiffness=300, damping=5)
        for i in range(3)
    ]
    return row.replace(items=[*row.items, *springs])


def led_from_afar() -> fx.Model:
    """A ring of eight links; a torque on one of them by the angle of a hinge on the other side."""
    n = 8
    turns = 2 * np.pi * np.arange(n) / n
    links = [
        fx.RigidBody(
            f"link{i}", 1.0, 0.05, position=(np.cos(a), np.sin(a), 0), orientation={"axis": "z", "angle": float(a)}
        )
        for i, a in enumerate(turns)
    ]
    half = np.pi / n
    pins = [
        fx.Spherical(f"pin{i}", links[i - 1], links[i], at=(np.cos(a - half), np.sin(a - half), 0))
        for i, a in enumerate(turns)
    ]
    holder = fx.Revolute("holder", fx.ground, links[0], at=(1, 0, 0), axis="y")
    seen = fx.Sensor("seen", "link4.position_z")
    push = fx.PointForce("push", links[6], direction="z", force=fx.Expression("3 - 20*seen"))
    return fx.Model("ring", [*links, *pins, holder, seen, push], gravity=(0, 0, -9.81))


MODELS = {
    "loops": loops_with_springs,
    "net": lambda: net_model(3),
    "random": lambda: random_model(5, 8, 2, 2),
    "floating": lambda: four_bar(rod(formulation="floating")),
    "led": led_from_afar,
}

CASES = [
    ("loops", {"until": 0.03, "step": 1e-3}),
    ("loops", {"until": 0.05, "error": 1e-7, "output": 0.01}),
    ("net", {"until": 0.01, "step": 1e-3}),
    ("random", {"until": 0.01, "step": 1e-3, "coordinates": "all"}),
    ("floating", {"until": 0.002, "step": 1e-4}),
    ("led", {"until": 0.02, "step": 1e-3}),
]
"""A model and how it is run."""


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize(("name", "settings"), CASES)
def test_rows_are_those_of_one_process(name: str, settings: dict, size: int) -> None:
    model = MODELS[name]()
    (alone,) = runs_of(model, 0, **settings)
    for rows in runs_of(model, size, **settings):
        assert np.array_equal(rows, alone)


def test_only_borders_are_told() -> None:
    """Per evaluation of accelerations: D and r of the branches' borders, and the bodies there."""
    told: dict[int, set[int]] = {}

    def work(partners: Partners) -> None:
        tree = Tree(moving(four_bars(200)), minimal=False)
        partners.attach(tree)
        for what, plan in partners._plans.items():
            told.setdefault(what, set()).add(max(plan.counts))
        tree.accelerate()

    assert together(2, work) == [None, None]
    bodies, pieces = 2, 8  # at a border, and branches at most
    assert max(told[MATRICES]) <= pieces * ((6 * bodies) ** 2 + 6 * bodies) + 2
    assert max(told[VECTORS]) <= pieces * 6 * bodies
    assert max(told[MOTION]) <= pieces * 6 * bodies


def test_work_is_divided_evenly() -> None:
    for model, count in ((chain_model(100), 3), (four_bars(100), 4), (net_model(6), 2)):
        subsystems = Tree(moving(model), minimal=False).subsystems
        roots = branches(subsystems, count)
        loads = [sum(work_of(subsystems)[first_of(subsystems, root) : root + 1].sum() for root in own) for own in roots]
        assert max(loads) < 1.3 * sum(loads) / count
        assert len([root for own in roots for root in own]) <= 4 * count


def first_of(subsystems: np.ndarray, root: int) -> int:
    while subsystems["left"][root] >= 0:
        root = min(int(subsystems["left"][root]), int(subsystems["right"][root]))
    return root


def test_more_processes_than_bodies() -> None:
    settings = {"until": 0.003, "step": 1e-3}
    (alone,) = runs_of(four_bars(2), 0, **settings)
    assert all(np.array_equal(rows, alone) for rows in runs_of(four_bars(2), 5, **settings))


def test_who_fails_ends_the_run_of_all_with_its_reason() -> None:
    """One process cannot even read the model; the others hear why."""

    def work(partners: Partners) -> None:
        if partners.rank == 1:
            raise FileError("model.yaml is not there")
        hierarchy.dynamics(four_bars(6), 0.01, 1e-3, sink=Kept(), solver="tree", partners=partners)

    raised = together(3, work)
    for rank in (0, 2):
        assert isinstance(raised[rank], SolveError)
        assert "rank 1: model.yaml is not there" in str(raised[rank])


def test_a_process_that_stops_between_steps_ends_the_run_of_all() -> None:
    def work(partners: Partners) -> None:
        def progress(time: float, *_: object) -> None:
            if partners.rank == 0:
                raise OSError("disk full")

        hierarchy.dynamics(
            four_bars(6), 10.0, 1e-3, sink=Kept(), solver="tree", partners=partners, progress=progress, output=1.0
        )

    raised = together(2, work)
    assert isinstance(raised[0], OSError)
    assert "rank 0: disk full" in str(raised[1])


def test_who_is_cut_off_keeps_what_there_is() -> None:
    kept = Kept()

    def work(partners: Partners) -> None:
        def progress(time: float, *_: object) -> None:
            if partners.rank == 1:
                partners.team.team.barrier.abort()  # it dies

        sink = kept if partners.rank == 0 else Kept()
        hierarchy.dynamics(four_bars(6), 10.0, 1e-3, sink=sink, solver="tree", partners=partners, progress=progress)

    raised = together(2, work)
    assert isinstance(raised[0], CutOff)
    assert kept.end == "failed"
    rows = np.concatenate(kept.found)
    assert len(rows) > 1
    assert np.isfinite(rows).all()


def test_a_law_that_fails_in_one_process_is_named_by_all() -> None:
    row = four_bars(12)
    last = [item for item in row.items if isinstance(item, fx.RigidBody)][-1]
    push = fx.PointForce("short", last, direction="y", force=fx.Expression("sqrt(0.0035 - t)"))
    model = row.replace(items=[*row.items, push])
    raised = together(2, lambda partners: runs(model, partners))
    assert [type(error) for error in raised] == [LawError, LawError]
    assert all("'short'" in str(error) for error in raised)


def runs(model: fx.Model, partners: Partners) -> None:
    hierarchy.dynamics(model, 0.01, 1e-3, sink=Kept(), solver="tree", partners=partners)
