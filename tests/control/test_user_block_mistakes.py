"""Mistakes in the equations of the user's own blocks are told, compiled or not."""

from __future__ import annotations

import pytest

import flexor as fx


def raises(p, t, x, u, dx, y):
    if t > 0.05:
        raise ValueError("too late")
    y[0] = u[0]


def sets_nothing(p, t, x, u, dx, y):
    pass


def sets_no_rate(p, t, x, u, dx, y):
    y[0] = x[0]


def reads_beyond(p, t, x, u, dx, y):
    y[0] = p[3] * u[0]


def takes_two(p, t):
    pass


def knows_not(p, t, x, u, dx, y):
    y[0] = unknown_thing * u[0]  # noqa: F821


def is_no_number(p, t, x, u, dx, y):
    y[0] = float("nan")


def divides(p, t, x, u, dx, y):
    """Right wherever it is used, not at zero."""
    y[0] = 1.0 / u[0]


@pytest.mark.parametrize(
    ("written", "states", "told"),
    [
        (raises, 0, "raises an exception.*compiled=False"),
        (sets_nothing, 0, r"does not set y\[0\]"),
        (sets_no_rate, 1, r"does not set dx\[0\]"),
        (reads_beyond, 0, "IndexError"),
        (takes_two, 0, "TypeError"),
        (knows_not, 0, "NameError.*unknown_thing"),
    ],
)
def test_compiled(written, states, told):
    with pytest.raises(fx.ModelError, match=f"block 'own'.*{told}"):
        fx.UserBlock("own", written, inputs=["1 + t"], states=states)


@pytest.mark.parametrize(
    ("written", "states", "told"),
    [
        (raises, 0, "too late"),
        (sets_nothing, 0, r"does not set y\[0\]"),
        (sets_no_rate, 1, r"does not set dx\[0\]"),
        (is_no_number, 0, r"y\[0\]"),
    ],
)
def test_plain_python(written, states, told):
    own = fx.UserBlock("own", written, inputs=["1 + t"], states=states, compiled=False)
    with pytest.raises(fx.SolveError, match=f"'own'.*{told}"):
        fx.Model("own", [own]).dynamics(until=0.1, step=0.01, show=False)


def test_what_cannot_be_tried_at_zero_is_taken():
    run = fx.Model("own", [fx.UserBlock("own", divides, inputs=["1 + t"])]).dynamics(until=0.1, step=0.01, show=False)
    assert run["own.value"].values[-1] == pytest.approx(1 / 1.1)
