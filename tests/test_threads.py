"""Threads of linear algebra are few while an analysis runs, and as before when it ends."""

from __future__ import annotations

import inspect
import subprocess
import sys
import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import flexor as fx
from flexor import solve, threads
from flexor.threads import FEW, LARGE, few_threads


def most() -> int:
    return max(pool["num_threads"] for pool in threadpool_info() if pool["internal_api"] == "openblas")


pytestmark = pytest.mark.skipif(
    not any(pool["internal_api"] == "openblas" for pool in threadpool_info()),
    reason="NumPy is linked with another library",
)


@pytest.fixture(autouse=True)
def alone(monkeypatch):
    """As if nothing else had ever run in this process."""
    monkeypatch.setattr(threads, "_blocks", [])
    monkeypatch.setattr(threads, "_limiters", [])
    monkeypatch.setattr(threads, "_in_force", 0)


@pytest.fixture
def eight():
    """As on a machine with eight cores."""
    with threadpool_limits(8):
        if most() != 8:
            pytest.skip("this OpenBLAS takes no eight threads")
        yield


def test_limits(eight):
    with few_threads():
        assert most() == 1
        with few_threads(LARGE):  # a large part of it
            assert most() == FEW
            with few_threads(LARGE + 1):
                assert most() == FEW
        assert most() == 1
    assert most() == 8


def test_errors_leave_nothing_behind(eight):
    with pytest.raises(ZeroDivisionError), few_threads():
        _ = 1 / 0
    assert most() == 8
    assert threads._in_force == 0


def test_blocks_in_several_threads():
    """Whichever ends first, the limit holds until the last one has ended, and nothing is left behind."""
    for first, second in ((0, 1), (1, 0)):
        blocks = [few_threads(), few_threads()]
        entered = [threading.Thread(target=block.__enter__) for block in blocks]
        left = [threading.Thread(target=block.__exit__, args=(None, None, None)) for block in blocks]
        for thread, limit in ((entered[0], 1), (entered[1], 1), (left[first], 1), (left[second], 0)):
            thread.start()
            thread.join()
            assert threads._in_force == limit


def test_a_limit_of_the_user_is_not_raised():
    with threadpool_limits(1), few_threads(LARGE):
        assert most() == 1


def test_analyses_run_with_one_thread(eight):
    seen = []

    def spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
        seen.append(most())
        for i in range(3):
            r[i] += 100.0 * x[i]
        return 0

    body = fx.PointMass("body", 1)
    model = fx.Model("m", [body, fx.UserLaw("spring", spring, on=(body,))])
    rail = fx.RigidBody("rail", 1, 1)
    driven = fx.Model(
        "d",
        [
            rail,
            fx.Prismatic("slide", fx.ground, rail, axis="x"),
            fx.Motor("drive", "slide", position=fx.ramp(0, 1, over=1)),
            fx.UserLaw("spring", spring, on=(rail,)),
        ],
    )
    for analysis in (
        model.modes,
        model.statics,
        lambda: model.dynamics(until=0.002, step=0.001, show=False),
        lambda: driven.kinematics(until=0.2, step=0.1, show=False),
    ):
        seen.clear()
        analysis()
        assert set(seen) == {1}
    assert most() == 8


def test_analyses_keep_their_signatures():
    for analysis in (solve.modes, solve.statics, solve.campbell):
        assert "model" in inspect.signature(analysis).parameters


def test_nothing_is_loaded_before_it_is_needed():
    code = "import flexor, flexor.threads, sys; sys.exit('threadpoolctl' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_libraries_are_looked_for_when_modules_were_loaded_only(monkeypatch):
    threads._pools.cache_clear()
    for _ in range(3):
        with few_threads(), few_threads(LARGE):
            pass
    assert threads._pools.cache_info().misses == 1
    monkeypatch.setitem(sys.modules, "a_module_that_brings_a_library", sys)
    with few_threads():
        pass
    assert threads._pools.cache_info().misses == 2
