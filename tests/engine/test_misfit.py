"""Loops whose joints repeat each other but do not quite fit: drawings have six to nine digits."""

import warnings

import numpy as np
import pytest

import flexor as fx


def four_bar(off_plane=0.0, tilt=0.0, **main):
    """Hinges on four parallel axes, the last one off the plane of the others [m], or tilted [rad]."""
    crank = fx.RigidBody("crank", 1.0, 1e-3, center_of_mass=(0.1, 0, 0))
    coupler = fx.RigidBody("coupler", 1.0, 1e-2, center_of_mass=(0.25, 0, 0))
    rocker = fx.RigidBody("rocker", 1.0, 1e-2, center_of_mass=(0.2, 0, 0))
    axis = (np.sin(tilt), 0, np.cos(tilt))
    items = [
        crank, coupler, rocker,
        fx.Revolute("A", fx.ground, crank, axis="z", start="60 deg", **main),
        fx.Revolute("B", crank.at(0.2, 0, 0), coupler, axis="z"),
        fx.Revolute("C", coupler.at(0.5, 0, 0), rocker.at(0.4, 0, 0), axis="z"),
        fx.Revolute("D", fx.ground.at(0.45, 0, off_plane), rocker, axis=axis),
    ]  # fmt: skip
    return fx.Model("four-bar", items, gravity=(0, -9.81, 0))


def run(model):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = model.dynamics(until=0.2, step=2e-3, show=False)
    return found, " ".join(str(each.message) for each in told)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"off_plane": 1e-10}, "D: point z by 1e-10"),
        ({"off_plane": 5e-7}, "D: point z by 5e-07"),
        ({"tilt": 1e-8}, "D: axes y⊥z by 9.7e-09"),
        ({"tilt": 1e-6}, "D: axes y⊥z by 9.7e-07"),
    ],
)
def test_a_plane_loop_of_hinges_that_is_not_quite_plane_moves_like_a_plane_one(fields, said):
    plane, _ = run(four_bar(start_rate=3))
    found, told = run(four_bar(start_rate=3, **fields))
    assert found["A.angle"].values[0] == pytest.approx(np.pi / 3, abs=1e-11)
    assert found["A.angle_rate"].values[0] == pytest.approx(3, rel=1e-9)
    np.testing.assert_allclose(found["A.angle"].values, plane["A.angle"].values, atol=1e-8)
    assert "joint 'D': its loop does not close by about" in told
    assert "they do not quite fit and stay open: " in told
    assert said in told


@pytest.mark.parametrize("fields", [{"off_plane": 1e-4}, {"tilt": 1e-4}])
def test_a_larger_misfit_is_refused(fields):
    with pytest.raises(fx.AssemblyError, match="cannot be assembled"):
        four_bar(**fields).check()
