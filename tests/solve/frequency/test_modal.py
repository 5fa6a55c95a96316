"""Modal frequency response against the direct one, and what is told of modes that are left out or coupled."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.solve.frequency.modal import TruncatedModes

ROUND = fx.Circle(0.02)
HZ = np.array([3.0, 11.0, 35.0, 90.0, 160.0, 400.0, 0.0])


def beam(damping=1e-5, held=True, divisions=4, section=ROUND, **more) -> fx.Model:
    piece = fx.Beam(
        "b", points=[(0, 0, 0), (0.8, 0, 0)], section=section, material=fx.Steel(), divisions=divisions, damping=damping,
    )  # fmt: skip
    items = [piece, fx.PointForce("tap", piece["end"], direction=(1, 2, 3), force=0)]
    if held:
        items.append(fx.Fixed("clamp", fx.ground, piece["start"], **more))
    return fx.Model("beam", items)


def relative(a: fx.Model, b) -> float:
    return float((np.abs(a.values - b.values) / np.abs(b.values).max(axis=1, keepdims=True)).max())


@pytest.mark.parametrize("enforcement", ["elimination", "multipliers"])
@pytest.mark.parametrize("structural", [0.0, 0.03])
def test_all_modes_are_the_direct_response(enforcement, structural):
    """With damping proportional to stiffness the modes are uncoupled."""
    model = beam(enforcement=enforcement)
    outputs = ["b.end.position_y", "b.end.velocity_z", "b.end.acceleration_x"]
    options = {"structural_damping": structural}
    direct = model.frequency_response(HZ, "tap", outputs, method="direct", **options)
    modal = model.frequency_response(HZ, "tap", outputs, method="modal", modes=1000, **options)
    assert "all 24 modes" in modal.method
    assert "uncoupled" in modal.method
    for name in outputs:
        off = np.abs(modal[name] - direct[name]) / np.abs(direct[name]).max()
        assert off.max() < 1e-10


def test_all_modes_of_what_is_free():
    """Free motions are among the modes."""
    outputs = ["b.end.position_y", "b.start.acceleration_z"]
    direct, modal = (
        beam(held=False).frequency_response(HZ[:-1], "tap", outputs, method=how, modes=count)
        for how, count in (("direct", None), ("modal", 1000))
    )
    assert "all 30 modes" in modal.method
    np.testing.assert_allclose(modal.values, direct.values, rtol=1e-9)


def test_modes_that_are_left_out_are_told():
    """The static correction serves at low frequencies, whichever free motions are left out, but not near the first bending at 287 Hz."""
    with pytest.warns(TruncatedModes):
        got = beam(held=False).frequency_response([3.0, 250.0], "tap", "b.end.position_y", modes=3)
    assert "the lowest 3 modes" in got.method


def test_base_motion_and_reactions():
    """Driven by position, speed and acceleration; the force of the motor as an output."""
    table = fx.RigidBody("table", mass=5.0, inertia=(1, 1, 1))
    for given in ("position", "speed", "acceleration"):
        model = beam(held=False).with_item(
            table, fx.Prismatic("rail", fx.ground, table, axis="y"), fx.Fixed("clamp", table, "b.start"),
            fx.Motor("motor", "rail", **{given: 0.0}),
        )  # fmt: skip
        inputs, outputs = [f"motor.{given}", "tap.force"], ["b.end.position_y", "motor.force"]
        direct = model.frequency_response(HZ[:-1], inputs, outputs, method="direct")
        for count, limit in ((1000, 1e-9), (None, 0.02)):
            modal = model.frequency_response(HZ[:-1], inputs, outputs, method="modal", modes=count)
            off = np.abs(modal.values - direct.values) / np.abs(direct.values).max(axis=0)
            assert off.max() < limit


def test_static_correction():
    """Four modes of bending tell nothing of tension; the static answer does."""
    hertz = np.array([1.0, 5.0, 12.0])
    direct = beam().frequency_response(hertz, "tap", "b.end.position_x", method="direct")
    modal = beam().frequency_response(hertz, "tap", "b.end.position_x", modes=4)
    assert "lowest 4 modes" in modal.method
    assert "1 static correction;" in modal.method
    np.testing.assert_allclose(modal.values, direct.values, rtol=2e-4)


def test_coupled_by_a_damper():
    """A damper at the end couples modes; they are solved together, and the share is told. (Bending the two ways differs in frequency, so that its modes are defined.)"""
    flat = fx.Rectangle(0.04, 0.03)
    model = beam(damping=1e-6, section=flat).with_item(
        fx.AxialSpring("d", fx.ground.at(0.8, 0, 1), "b.end", damping=60.0)
    )
    direct = model.frequency_response(HZ, "tap", "b.end.position_z", method="direct")
    modal = model.frequency_response(HZ, "tap", "b.end.position_z", method="modal", modes=1000)
    assert "solved together" in modal.method
    assert "coupled by damping by up to 96 %" in modal.method
    np.testing.assert_allclose(modal.values, direct.values, rtol=1e-8)


def test_gyroscopic_terms_are_counted():
    """In axes that turn along, Coriolis terms couple modes."""
    model = beam(enforcement="multipliers")
    options = {"angular_velocity": (0, 0, 40.0)}
    direct = model.frequency_response(HZ, "tap", "b.end.position_y", method="direct", **options)
    modal = model.frequency_response(HZ, "tap", "b.end.position_y", method="modal", modes=1000, **options)
    assert "gyroscopic terms" in modal.method
    np.testing.assert_allclose(modal.values, direct.values, rtol=1e-7)


def test_damping_ratios_of_modes():
    """ζ in place of the model's damping: two carts, whose modes and ratios are known."""
    a, b = fx.PointMass("a", 1.0, position=(1, 0, 0)), fx.PointMass("b", 1.0, position=(2, 0, 0))
    items = [
        a, b, fx.AxialSpring("left", fx.ground, a, stiffness=100.0, free_length=1.0),
        fx.AxialSpring("mid", a, b, stiffness=60.0, damping=5.0, free_length=1.0),
        fx.AxialSpring("right", b, fx.ground.at(3, 0, 0), stiffness=100.0, free_length=1.0),
        fx.PointForce("push", a, direction="x", force=0),
    ]  # fmt: skip
    hertz = np.array([0.5, 1.4, 1.59, 2.4, 5.0])
    s = 2j * np.pi * hertz
    one, two = 10.0, np.sqrt(220.0)  # ω of (1, 1)/√2 and (1, −1)/√2
    for given, (z1, z2) in ((0.02, (0.02, 0.02)), ((0.02, 0.05), (0.02, 0.05)), (fx.ModalDamping(0.03), (0.03, 0.03))):
        got = fx.Model("carts", items).frequency_response(
            hertz, "push", ["a.position_x", "b.position_x"], modal_damping=given
        )
        first, second = (0.5 / (s**2 + 2 * z * w * s + w**2) for z, w in ((z1, one), (z2, two)))
        if not isinstance(given, tuple):  # among the modes are free motions across, so that numbers shift
            np.testing.assert_allclose(got["a.position_x"], first + second, rtol=1e-9)
            np.testing.assert_allclose(got["b.position_x"], first - second, rtol=1e-9)
        assert "in place of the model's damping" in got.method


def test_too_few_modes_are_told():
    model = beam(divisions=8)
    with pytest.warns(TruncatedModes, match=r"more \(modes=4\)"):
        model.frequency_response(np.linspace(300, 900, 5), "tap", "b.end.position_z", modes=2)
    with pytest.warns(TruncatedModes, match=r"more \(modes=4\)"):
        model.frequency_response(np.linspace(300, 900, 5), "tap", "b.end.position_z", modes=2, modal_damping=0.02)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        got = model.frequency_response(np.linspace(300, 900, 5), "tap", "b.end.position_z", modal_damping=0.02)
        assert "off the direct response by" in got.method
        got = model.frequency_response(np.linspace(300, 900, 5), "tap", "b.end.position_z", method="modal")
    assert "off the direct response by" in got.method


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"method": "modes"}, "method"),
        ({"method": "direct", "modes": 3}, "has no modes"),
        ({"method": "sweep", "modal_damping": 0.1}, "has no modes"),
        ({"modal_damping": -0.1}, "modal_damping"),
        ({"modal_damping": []}, "empty"),
        ({"modes": 0}, "modes"),
    ],
)
def test_bad_input(options, told):
    with pytest.raises(fx.ModelError, match=told):
        beam().frequency_response(HZ, "tap", "b.end.position_z", **options)


def test_ratios_are_compared_with_the_same_ratios():
    """The ratios that stiffness-proportional damping gives, βω/2: the same response, and the same comparison."""
    model, hertz = beam(damping=1e-5), np.linspace(20, 300, 9)
    own = model.frequency_response(hertz, "tap", "b.end.position_z", method="modal", modes=10)
    ratios = 0.5e-5 * 2 * np.pi * model.modes(10).frequencies
    given = model.frequency_response(hertz, "tap", "b.end.position_z", modes=10, modal_damping=ratios)
    size = np.abs(own.values).max()
    np.testing.assert_allclose(given.values, own.values, rtol=0, atol=1e-5 * size)  # corrections are not damped then
    off = [float(each.method.partition("response by ")[2].partition(" %")[0]) for each in (own, given)]
    assert off[0] == pytest.approx(off[1], rel=0.1)


def test_rolling_has_no_modal_response():
    disc = fx.RigidBody("disc", mass=1.0, inertia=(0.1, 0.2, 0.1), position=(0, 0, 0.3))
    items = [
        disc, fx.RollingDisc("roll", disc, radius=0.3, axis="y"), fx.PointForce("push", disc, direction="x", force=0),
    ]  # fmt: skip
    model = fx.Model("wheel", items, gravity=(0, 0, -9.81))
    with pytest.raises(fx.ModelError, match="velocities"):
        model.frequency_response([1.0, 2.0], "push", "disc.position_x", method="modal", at="start")
