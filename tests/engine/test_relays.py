"""Long chains of eliminated joints, cut by relays: the same equations, the same motion, and work that grows with the number of joints."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.equations import Equations
from flexor.engine.initial import constraints_left
from flexor.engine.relays import PIECE, relays_of
from flexor.engine.system import System
from flexor.law import MATRIX, RESIDUAL
from flexor.model.lower import lower
from flexor.spatial import exp_so3

LINK = (0.02, 0.08, 0.08)


def chain(n, flying=False, **given):
    """n links on hinges with changing axes, hung from the ground or from a body that flies."""
    links = [fx.RigidBody(f"link{i}", 1.0 + 0.1 * i, LINK, position=(i + 0.5, 0, 0)) for i in range(n)]
    base = fx.RigidBody("base", 5.0, (1, 2, 3), position=(-1, 0, 0))
    ends = [base.at(1, 0, 0) if flying else fx.ground.at(0, 0, 0), *(link.at(0.5, 0, 0) for link in links)]
    axes = ("y", "z", (1, 1, 0))
    joints = [
        fx.Revolute(
            f"joint{i}", ends[i], link.at(-0.5, 0, 0), axis=axes[i % 3], **{"enforcement": "elimination", **given}
        )
        for i, link in enumerate(links)
    ]
    return [*([base] if flying else []), *links, *joints]


def tree(n=14, flying=True):
    """The chain with a branch of two kinds of joints, a spring across and a ball that has a rotation vector."""
    items = chain(n, flying)
    middle, tip = (items[int(flying) + i] for i in (n // 2, n - 1))
    arm = fx.RigidBody("arm", 0.7, LINK, position=(n / 2 + 0.5, 0, 1))
    hand = fx.RigidBody("hand", 0.5, LINK, position=(n / 2 + 0.5, 0, 2))
    return [
        *items, arm, hand,
        fx.Universal("shoulder", middle.at(0, 0, 0.5), arm.at(0, 0, -0.5), enforcement="elimination"),
        fx.Spherical("wrist", arm.at(0, 0, 0.5), hand.at(0, 0, -0.5), enforcement="elimination"),
        fx.AxialSpring("spring", hand, tip, stiffness=40.0, damping=0.5),
    ]  # fmt: skip


def mechanism(items):
    return lower(fx.Model("chain", items, gravity=(0, 0, -9.81)))


def systems(items, python=False):
    """The same mechanism without relays and with them, in any position and motion."""
    made = mechanism(items)
    found = [System(made, symmetric=False, python=python, relays=relays) for relays in ((), relays_of(made, 3, 5))]
    draw = np.random.default_rng(2).standard_normal
    scalars, free = 0.4 * draw(3 * len(made.scalars)), list(range(1, len(made.nodes)))
    x, turn, v, a = draw((len(free), 3)), draw((len(free), 3)), draw((len(free), 6)), draw((len(free), 6))
    for system in found:
        system.memory.s[:] = scalars
        system.nodes("x")[1:], system.nodes("v")[1:], system.nodes("a")[1:] = x, v, a
        system.memory.R.reshape(-1, 3, 3)[1:] = exp_so3(turn)
        system.call("follow")
        system.memory.proper[:] = system.memory.a
    return found


def order(system):
    """Equations of the coordinates in an order that relays do not change: free nodes, then scalars."""
    return np.concatenate([system.node_rows[1].ravel(), system.memory.scalar_eq])


@pytest.mark.parametrize("python", [False, True])
@pytest.mark.parametrize("flying", [False, True])
def test_a_newton_step_is_that_of_the_whole_condensed_matrix(flying, python):
    plain, cut = systems(tree(9 if python else 14, flying), python)
    assert not plain.equations.relays
    assert len(cut.equations.relays) > 1
    for c in ((0.3, 0.2, 1.0), (0.0, 0.0, 1.0)):
        steps = []
        for system in (plain, cut):
            assert system.evaluate(RESIDUAL | MATRIX, *c) == 0
            residual = system.memory.residual.copy()
            assert system.solver.factor() == 0
            right = -residual
            assert system.solver.solve(right) == 0
            steps.append((residual[order(system)], right[order(system)], residual))
        (r, dq, _), (r_cut, dq_cut, whole) = steps
        np.testing.assert_allclose(r_cut, r, rtol=1e-11, atol=1e-11 * np.abs(r).max())
        np.testing.assert_allclose(dq_cut, dq, rtol=1e-8, atol=1e-9 * np.abs(dq).max())
        others = np.setdiff1d(np.arange(len(whole)), order(cut))
        np.testing.assert_array_equal(whole[others], 0.0)  # all of it has been carried inwards


def signals(items, monkeypatch=None, **given):
    if monkeypatch is not None:
        monkeypatch.setattr("flexor.solve.prepare.relays_of", lambda made: ())
    run = fx.Model("chain", items, gravity=(0, 0, -9.81)).dynamics(until=0.2, step=2e-3, **given)
    return {name: np.array(run[name]) for name in run.names}


def test_runs_record_the_same_motion_reactions_and_energies(monkeypatch):
    assert relays_of(mechanism(tree()))
    cut = signals(tree(), tolerances=fx.Tolerances(acceleration=1e-10))
    plain = signals(tree(), monkeypatch, tolerances=fx.Tolerances(acceleration=1e-10))
    assert cut.keys() == plain.keys()
    for name, values in plain.items():
        np.testing.assert_allclose(cut[name], values, atol=1e-6 * max(1.0, np.abs(values).max()), err_msg=name)


def test_the_motion_is_that_of_multipliers():
    tips = []
    for enforcement in ("elimination", "multipliers"):
        items = chain(18, enforcement=enforcement)
        run = fx.Model("chain", items, gravity=(0, 0, -9.81)).dynamics(until=0.3, step=1e-3, record="link17")
        tips.append(np.array([run[f"link17.position_{axis}"][-1] for axis in "xyz"]))
    assert np.linalg.norm(tips[0] - tips[1]) < 2e-6
    assert abs(tips[0][2]) > 0.3


def work(n, relays=True):
    """Multiplications of a factorisation, entries of the matrix and of all condensed ones, for a chain of n joints."""
    made = mechanism(chain(n))
    equations = Equations(made, relays_of(made) if relays else ())
    columns = equations.pattern.columns[:-1]
    factor = int((columns["size"] * (columns["own"] + columns["below"]) ** 2).sum())
    condensed = sum(len(c) ** 2 for c in [*equations.condensed.values(), *equations.follower_columns])
    return np.array([factor, equations.pattern.mirror, condensed])


def test_work_grows_with_the_number_of_joints():
    first, second, third = (work(n) for n in (30, 60, 120))
    np.testing.assert_allclose(third - second, 2 * (second - first), rtol=0.05)  # a line
    assert 20 * third[2] < work(120, relays=False)[2]


def test_short_chains_have_none():
    assert relays_of(mechanism(chain(12))) == ()
    relays = relays_of(mechanism(chain(24)))
    assert relays == tuple(range(PIECE - 1, 23, PIECE))


def test_a_body_without_inertia_about_an_axis_is_none():
    items = chain(24)
    thin = items[5].replace(inertia=(0, 0.08, 0.08))
    relays = relays_of(mechanism([*items[:5], thin, *items[6:]]))
    assert 5 not in relays
    assert {2, 6} <= set(relays)


def closed(n=18):
    """The chain, its end on a stay, a motor on a joint, a bar between two links, and what reads and pushes."""
    items = chain(n)
    return [
        *items,
        fx.Distance("stay", fx.ground.at(n / 2, 0, 6), items[n - 1].at(0.5, 0, 0)),
        fx.Distance("bar", items[3].at(0, 0.3, 0.5), items[n - 4].at(0, -0.3, -0.5)),
        fx.Motor("drive", joint="joint6", speed=0.3),
        fx.Sensor("height", "link9.position_z"),
        fx.PointForce("push", items[8], direction="z", force="-20*height"),
    ]


def test_gradients_of_constraints_are_those_of_the_whole_condensed_matrix():
    plain, cut = systems(closed())
    assert len(cut.equations.relays) > 1
    found = []
    for system in (plain, cut):
        phi, B, rows = constraints_left(system)
        names = [system.equations.name(int(row)) for row in rows]
        dense = np.zeros((len(rows), system.equations.pattern.n))
        dense[:, system.coordinates] = B.csr.toarray()
        found.append((np.array(phi)[np.argsort(names)], dense[np.argsort(names)][:, order(system)]))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(found[1][1], found[0][1], atol=1e-11 * np.abs(found[0][1]).max())


def test_chains_that_constraints_hold_move_alike(monkeypatch):
    tight = fx.Tolerances(acceleration=1e-10)
    cut = signals(closed(), tolerances=tight)
    plain = signals(closed(), monkeypatch, tolerances=tight)
    for name, values in plain.items():
        np.testing.assert_allclose(cut[name], values, atol=1e-6 * max(1.0, np.abs(values).max()), err_msg=name)


def test_chains_that_end_in_a_flexible_body_have_none():
    items = chain(16)
    beam = fx.Beam("beam", [(16, 0, 0), (17, 0, 0)], {"type": "circle", "radius": "20 mm"}, material=fx.Steel())
    weld = fx.Fixed("weld", items[15].at(0.5, 0, 0), beam["start"], enforcement="elimination")
    assert relays_of(mechanism([*items, beam, weld])) == ()
