"""Where functions jump or have corners."""

import pytest

import flexor as fx
from flexor.functions.kinks import kinks


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (fx.step(0, 0.1, at=2), [(2, 0, 0.1)]),
        (fx.step(0, 0.1, at=2, width=0.01), []),
        (fx.ramp(0, 3, over=2, start=1, smooth="linear"), [(1, 1, 1.5), (3, 1, -1.5)]),
        *[(fx.ramp(0, 3, over=2, start=1, smooth=shape), []) for shape in ("cosine", "cubic", "quintic")],
        (fx.table([0, 1, 2, 3], [0, 1, 0, 0]), [(1, 1, -2), (2, 1, 1)]),
        (fx.table([0, 1, 2, 3], [0, 1, 0, 1], extrapolation="linear", kind="cubic"), []),
        (fx.table([0, 1, 2, 3, 4], [0, 1, 1, 0, 0], kind="akima", extrapolation="periodic"), []),
        (fx.sine(0.5, frequency=1, start=1), [(1, 1, 3.141592653589793)]),
        (fx.ramp(0, 1, over=1) + 2 * fx.step(0, 1, at=3), [(3, 0, 2)]),
        (fx.ramp(0, 1e-12, over=1e-6, start=1e3, smooth="linear"), [(1e3, 1, 1e-6), (1000.000001, 1, -1e-6)]),
    ],
)
def test_jumps_and_corners(function, expected):
    found = kinks(function)
    assert [(kink.x, kink.order) for kink in found] == [(x, order) for x, order, _ in expected]
    assert [kink.by for kink in found] == pytest.approx([by for *_, by in expected], rel=1e-4)


def test_only_jumps_if_asked():
    assert kinks(fx.ramp(0, 3, over=2, smooth="linear"), order=0) == ()
    assert len(kinks(fx.step(0, 3, at=2), order=0)) == 1
