"""Modes and Campbell diagrams of flexible rotors: every formulation sees the same shaft, from rest."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar
from flexor.solve.mode_doubts import MovingState

STEEL = fx.Steel()
SPEED = 300.0
BENT = [215.02, 215.17, 588.86, 589.41]
"""Frequencies [Hz] at that speed of the shaft between bearings that hold slopes, as its whole mesh gives them in a Campbell diagram."""
KINDS = ("superelement", "floating")


def part(length, width, count, kind, modes, element):
    reduction = {} if kind == "full_mesh" else {"reduction": fx.CraigBampton(modes)}
    mesh = bar(length, width, width, (count, 2, 2), element=element, material=STEEL)
    return fx.FlexibleBody("b", mesh=mesh, interfaces={"a": "x_min", "b": "x_max"}, formulation=kind, **reduction)


def between_bearings(kind, end=None, **rate):
    b = part(1.0, 0.04, 10, kind, 8, "hex20")
    far = end(b) if end else fx.Cylindrical("q", fx.ground.at(1, 0, 0), b["b"], axis="x")
    return fx.Model("s", [b, fx.Revolute("r", fx.ground, b["a"], axis="x", **rate), far])


def overhung(kind, gravity=(0, 0, 0), **rate):
    if kind == "beam":
        ends, circle = [(0, 0, 0), (0.5, 0, 0)], fx.Circle(radius=0.01)
        b = fx.Beam("b", points=ends, section=circle, material=STEEL, divisions=4)
        near, far = b["start"], b["end"]
    else:
        b = part(0.5, 0.02, 8, kind, 6, "hex8")
        near, far = b["a"], b["b"]
    disc = fx.RigidBody("d", mass=10, inertia=(0.1, 0.06, 0.06))
    joints = fx.Revolute("r", fx.ground, near, axis="x", **rate), fx.Fixed("f", far, disc)
    return fx.Model("s", [b, disc, *joints], gravity=gravity)


@pytest.mark.parametrize("kind", KINDS)
def test_a_shaft_whirls_though_its_modes_alone_move(kind):
    found = between_bearings(kind).campbell([0, SPEED, 1500], 4, rotor="r")
    np.testing.assert_allclose(found.frequencies[1], BENT, rtol=1e-3)
    assert found.frame == "inertial"
    assert found.senses() == ["backward", "forward"] * 2
    np.testing.assert_allclose(found.critical()[-1] * 30 / np.pi, 12917, rtol=1e-3)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("at", ["start", "equilibrium"])
def test_modes_keep_the_spin_of_a_flexible_shaft(kind, at):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = between_bearings(kind, start_rate=SPEED).modes(5, at=at)
    np.testing.assert_allclose(found.frequencies[1:], BENT, rtol=1e-3)
    assert not found.unstable.any()
    assert found.rigid.sum() == 1
    assert np.all(found.whirl[1:] * [-1, 1, -1, 1] > 0.99)


@pytest.mark.parametrize("kind", KINDS)
def test_a_shaft_on_a_bearing_that_leaves_slopes(kind):
    line = lambda b: fx.PointOnLine("q", fx.ground.at(1, 0, 0), b["b"], axis="x")  # noqa: E731
    found = between_bearings(kind, line, start_rate=SPEED).modes(3, at="start")
    np.testing.assert_allclose(found.frequencies[1:], [147.27, 147.42], rtol=1e-3)


@pytest.mark.parametrize("kind", ["superelement", "floating", "full_mesh"])
def test_every_formulation_tells_an_overhung_disc_alike(kind):
    found = overhung(kind).campbell([0, SPEED], 4, rotor="r")
    np.testing.assert_allclose(found.frequencies[1], [10.6078, 14.6455, 70.373, 140.943], rtol=1e-4)
    assert found.senses() == ["backward", "forward"] * 2


@pytest.mark.parametrize("kind", ["beam", *KINDS])
def test_modes_of_an_overhung_disc_are_those_of_the_campbell_diagram(kind):
    diagram = overhung(kind).campbell([0, SPEED], 4, rotor="r")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for at in ("equilibrium", "start"):
            found = overhung(kind, start_rate=SPEED).modes(5, at=at)
            np.testing.assert_allclose(found.frequencies[1:], diagram.frequencies[1], rtol=2e-4)


@pytest.mark.parametrize("kind", ["beam", *KINDS])
def test_a_motor_spins_a_rotor_as_a_start_rate_does(kind):
    model = overhung(kind).with_item(fx.Motor("drive", "r", speed=SPEED))
    diagram = model.campbell([0, SPEED], 4, rotor="r")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = model.modes(4)
    np.testing.assert_allclose(found.frequencies, diagram.frequencies[1], rtol=2e-4)
    assert found.frequencies[1] > 1.1 * found.frequencies[0]


@pytest.mark.parametrize("kind", KINDS)
def test_a_shaft_that_is_free_to_spin_sags_under_its_weight(kind):
    """The tip of a cantilever with a mass at its end: F L³/3EI + q L⁴/8EI, a little less with its ends tied to rigid faces."""
    b = part(0.8, 0.04, 8, kind, 10, "hex20")
    disc = fx.RigidBody("d", mass=10, inertia=(0.2, 0.12, 0.12))
    joints = fx.Revolute("r", fx.ground, b["a"], axis="x"), fx.Fixed("f", b["b"], disc)
    model = fx.Model("s", [b, disc, *joints], gravity=(0, -9.81, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sag = -model.statics()["d.position_y"]
        assert model.modes(2).rigid.tolist() == [True, False]
    EI, q = 2.1e11 * 0.04**4 / 12, 7850 * 0.04**2 * 9.81
    assert sag == pytest.approx(98.1 * 0.8**3 / (3 * EI) + q * 0.8**4 / (8 * EI), rel=2e-2)


@pytest.mark.parametrize("kind", KINDS)
def test_two_shafts_of_different_speeds_beside_each_other(kind):
    model = overhung(kind, start_rate=SPEED)
    b, disc = (model[name].replace(name=f"{name}2", position=(x, 1, 0)) for name, x in (("b", 0.0), ("d", 0.5)))
    joints = fx.Revolute("r2", fx.ground.at(0, 1, 0), b["a"], axis="x", start_rate=-200.0), fx.Fixed("f2", b["b"], disc)
    both = model.with_item(b, disc, *joints)
    apart = [overhung(kind, start_rate=rate).modes(5, at="start").frequencies[1:] for rate in (SPEED, 200.0)]
    found = both.modes(10, at="start")
    np.testing.assert_allclose(found.frequencies[2:], np.sort(np.concatenate(apart)), rtol=1e-6)
    with pytest.warns(fx.VelocitiesLeftOut):  # there is no frame that turns with both
        both.modes(4)


@pytest.mark.parametrize("kind", KINDS)
def test_a_flat_shaft_that_spins_is_told_to_be_left_at_rest_or_frozen(kind):
    mesh = bar(1.0, 0.04, 0.03, (10, 2, 2), element="hex20", material=STEEL)
    round_one = between_bearings(kind, start_rate=SPEED)
    flat = round_one.replace(items=(round_one["b"].replace(mesh=mesh), *round_one.items[1:]))
    with pytest.warns(fx.VelocitiesLeftOut, match="campbell"):
        flat.modes(3)
    with pytest.warns(MovingState, match="campbell"):
        flat.modes(3, at="start")


def test_a_whole_mesh_that_spins_is_told_to_be_left_at_rest_or_frozen():
    with pytest.warns(fx.VelocitiesLeftOut, match="'b', 'd'.*campbell"):
        overhung("full_mesh", start_rate=SPEED).modes(3)
    with pytest.warns(MovingState, match="campbell"):
        overhung("full_mesh", start_rate=SPEED).modes(3, at="start")


@pytest.mark.parametrize("kind", ["beam", "full_mesh", *KINDS])
def test_the_rate_of_a_flexible_pendulum_is_told_to_be_left_out(kind):
    pendulum = overhung(kind, gravity=(9.81, 0, 0))
    swinging = pendulum.replace(
        items=tuple(i.replace(axis="z", start_rate=1.0) if i.name == "r" else i for i in pendulum.items)
    )
    with pytest.warns(fx.VelocitiesLeftOut, match="'b', 'd'"):
        swinging.modes(2)


@pytest.mark.parametrize("kind", ["beam", *KINDS])
def test_a_motor_spins_a_flexible_rotor_as_a_start_rate_does(kind):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        free = overhung(kind, start_rate=SPEED).modes(5)
        driven = overhung(kind).with_item(fx.Motor("drive", "r", speed=SPEED)).modes(5)
    bent = [f for f, rigid in zip(free.frequencies, free.rigid) if not rigid][:2]
    np.testing.assert_allclose(driven.frequencies[:2], bent, rtol=1e-6)
    assert bent[1] > 1.3 * bent[0]  # split by the spin of the disc
