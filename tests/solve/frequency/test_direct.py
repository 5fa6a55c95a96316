"""Direct frequency response against closed forms, against long harmonic runs, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

import flexor as fx
from flexor.solve.frequency.inputs import read_inputs

HZ = np.array([0.3, 1.0, 2.9, 3.2, 7.0, 40.0])
W = 2 * np.pi * HZ
M, K, C = 2.0, 800.0, 3.0


def oscillator(force=0.0, **more) -> fx.Model:
    mass = fx.PointMass("mass", M, position=(1, 0, 0))
    spring = fx.AxialSpring("spring", fx.ground, mass, stiffness=K, damping=C, free_length=1.0)
    return fx.Model("one", [mass, spring, fx.PointForce("push", mass, direction="x", force=force)], **more)


def sledge(**motion) -> fx.Model:
    """A table on a rail, moved by a motor, and a mass behind it on a second rail."""
    table = fx.RigidBody("table", mass=5.0, inertia=(1, 1, 1))
    cart = fx.RigidBody("cart", mass=M, inertia=(1, 1, 1), position=(1, 0, 0))
    enforcement = motion.pop("enforcement", "auto")
    rail = fx.Prismatic("rail", fx.ground, table, axis="x", enforcement=enforcement)
    second = fx.Prismatic("second", table.at(1, 0, 0), cart, axis="x", enforcement=motion.pop("behind", "auto"))
    spring = fx.JointSpring("spring", "second", stiffness=K, damping=C)
    return fx.Model(
        "base", [table, cart, rail, second, spring, fx.Motor("motor", "rail", enforcement=enforcement, **motion)]
    )


def test_one_degree_of_freedom():
    got = oscillator(force=5.0).frequency_response(
        HZ, "push", ["mass.position_x", "mass.velocity_x", "mass.acceleration_x", "spring.force"]
    )
    H = 1 / (K + 1j * W * C - W**2 * M)
    for name, expected in (
        ("mass.position_x", H),
        ("mass.velocity_x", 1j * W * H),
        ("mass.acceleration_x", -(W**2) * H),
        ("spring.force", (K + 1j * W * C) * H),
    ):
        np.testing.assert_allclose(got[name], expected, rtol=1e-12)
    assert got.unit("mass.position_x", "push.force") == "m/N"
    assert "at most" in str(got)


def test_two_degrees_of_freedom_with_constraints():
    """Carts on rails, forces on both at once with amplitude and phase, and the reaction of a joint as output."""
    a = fx.RigidBody("a", mass=2.0, inertia=(1, 1, 1))
    b = fx.RigidBody("b", mass=1.0, inertia=(1, 1, 1), position=(1, 0, 0))
    items = [
        a, b, fx.Prismatic("ra", fx.ground, a, axis="x"), fx.Prismatic("rb", fx.ground.at(1, 0, 0), b, axis="x"),
        fx.JointSpring("sa", "ra", stiffness=500.0, damping=2.0),
        fx.AxialSpring("ab", a, b, stiffness=300.0, damping=1.0, free_length=1.0),
        fx.PointForce("fa", a, direction="x", force=0), fx.PointForce("fb", b, direction=(1, 1, 0), force=0),
    ]  # fmt: skip
    got = fx.Model("two", items).frequency_response(
        HZ,
        {"fa.force": "3 N", "fb.force": (2, "90 deg")},
        ["ra.displacement", "rb.displacement", "rb.force_x", "rb.force_y", "rb.force_z"],
    )
    mass, damping = np.diag([2.0, 1.0]), np.array([[3.0, -1], [-1, 1]])
    stiffness = np.array([[800.0, -300], [-300, 300]])
    for i, w in enumerate(W):
        H = np.linalg.inv(stiffness + 1j * w * damping - w**2 * mass) @ np.diag([1.0, np.sqrt(0.5)])
        np.testing.assert_allclose(got.values[i, :2], H, rtol=1e-11)
        np.testing.assert_allclose(got.total[i, :2], H @ [3.0, 2.0j], rtol=1e-11)
        np.testing.assert_allclose(np.linalg.norm(got.values[i, 2:], axis=0), [0, np.sqrt(0.5)], atol=1e-11)


@pytest.mark.parametrize(
    ("enforcement", "behind"),
    [("auto", "auto"), ("elimination", "auto"), ("auto", "elimination"), ("elimination", "elimination")],
)
@pytest.mark.parametrize(("field", "order"), [("position", 0), ("speed", 1), ("acceleration", 2)])
def test_base_motion_by_a_motor(field, order, enforcement, behind):
    """u of the table gives q = M ω² u / (K + iωC − ω²M) of the cart beside it; by speed u = v/(iω), by acceleration −a/ω².
    A cart whose own joint is eliminated too feels the table by its inertia alone."""
    model = sledge(**{field: 0.0}, enforcement=enforcement, behind=behind)
    got = model.frequency_response(
        HZ, f"motor.{field}", ["second.displacement", "cart.acceleration_x", "rail.displacement"]
    )
    u = (1j * W) ** -order
    q = M * W**2 / (K + 1j * W * C - W**2 * M) * u
    np.testing.assert_allclose(got["rail.displacement"], u, rtol=1e-11)
    np.testing.assert_allclose(got["second.displacement"], q, rtol=1e-10)
    np.testing.assert_allclose(got["cart.acceleration_x"], -(W**2) * (u + q), rtol=1e-10)


def test_the_force_that_base_motion_takes():
    got = sledge(position=0.0).frequency_response(HZ, "motor", "motor.force")
    q = M * W**2 / (K + 1j * W * C - W**2 * M)
    np.testing.assert_allclose(got["motor.force"], -(W**2) * (5.0 + M * (1 + q)), rtol=1e-10)
    assert got.input_units == ("m",)


@pytest.mark.parametrize(("given", "order"), [("displacement", 0), ("velocity", 1), ("acceleration", 2)])
def test_base_motion_by_a_shaker(given, order):
    """Turned by angle_z about the vertical of a pendulum's pivot, and moved along x."""
    base = fx.RigidBody("base", mass=1.0, inertia=(1, 1, 1))
    bob = fx.RigidBody("bob", mass=1.0, inertia=(1, 1, 1), position=(0, 0, -0.5))
    spring = fx.Bushing("spring", base.at(0, 0, -0.5), bob, stiffness=(400.0, 500.0, 600.0, 700.0, 800.0, 900.0))
    shaker = fx.PrescribedMotion("shaker", base, given=given, x=0, y=0, z=0, angle_x=0, angle_y=0, angle_z=0)
    got = fx.Model("shaker", [base, bob, spring, shaker]).frequency_response(HZ, "shaker.x", "bob.position_x")
    np.testing.assert_allclose(got["bob.position_x"], 400 / (400 - W**2) * (1j * W) ** -order, rtol=1e-9)


def test_structural_damping():
    eta = 0.05
    expected = 1 / (K * (1 + 1j * eta) + 1j * W * C - W**2 * M)
    for given in (eta, {"spring": eta}):
        got = oscillator().frequency_response(HZ, "push", "mass.position_x", structural_damping=given)
        np.testing.assert_allclose(got["mass.position_x"], expected, rtol=1e-12)


def test_feedback_by_a_sensor_is_part_of_it():
    """A force of −40 times the velocity, and of −1.5 times the acceleration, damps and weighs."""
    mass = fx.PointMass("mass", M, position=(1, 0, 0))
    items = [
        mass, fx.AxialSpring("spring", fx.ground, mass, stiffness=K, damping=C, free_length=1.0),
        fx.Sensor("v", "mass.velocity_x"), fx.Sensor("a", "mass.acceleration_x"),
        fx.PointForce("push", mass, direction="x", force=0), fx.PointForce("back", mass, direction="x", force="-40*v - 1.5*a"),
    ]  # fmt: skip
    got = fx.Model("loop", items).frequency_response(HZ, "push")
    H = 1 / (K + 1j * W * (C + 40) - W**2 * (M + 1.5))
    np.testing.assert_allclose(got["v"], 1j * W * H, rtol=1e-11)


def test_a_long_harmonic_run_has_this_amplitude_and_phase():
    """A pendulum that hangs at an angle under a steady force, with a superposed harmonic one."""

    def model(force):
        arm = fx.RigidBody("arm", mass=1.0, inertia=(0.02, 0.02, 0.02), center_of_mass=(0, -0.4, 0))
        pin = fx.Revolute("pin", fx.ground, arm, axis="z")
        items = [
            arm,
            pin,
            fx.JointSpring("d", "pin", damping=0.4),
            fx.PointForce("wind", arm.at(0, -0.5, 0), direction="x", force=force),
        ]
        return fx.Model("pendulum", items, gravity=(0, -9.81, 0))

    hertz, amplitude = 0.8, 1e-3
    got = model(2.0).frequency_response([hertz], "wind", ["pin.angle", "pin.force_y"])
    run = model(fx.sine(amplitude, frequency=hertz) + 2.0).dynamics("16 s", "2 ms", start="equilibrium", show=False)
    late = run.time > 16 - 2 / hertz + 1e-9
    wave = np.column_stack(
        [np.exp(2j * np.pi * hertz * run.time[late]).imag, np.exp(2j * np.pi * hertz * run.time[late]).real]
    )
    for name in ("pin.angle", "pin.force_y"):
        y = np.asarray(run[name])[late]
        (a, b, _), *_ = np.linalg.lstsq(np.column_stack([wave, np.ones(late.sum())]), y, rcond=None)
        assert abs((a + 1j * b) / amplitude / got[name][0] - 1) < 3e-4


def test_a_long_run_of_a_bent_beam_on_a_shaker():
    """A thin strip that hangs down by a third of its length is shaken at its root, by 0.1 mm at 2 Hz and a tenth of that at 9 Hz."""
    slow, fast, amplitude = 2.0, 9.0, 1e-4

    def model(motion):
        strip = fx.Beam(
            "s", points=[(0, 0, 0), (1, 0, 0)], section=fx.Rectangle(0.02, 0.005), material=fx.Isotropic(2.5e9, 0.3, 2000.0),
            divisions=4, damping=0.1, up="z",
        )  # fmt: skip
        shaker = fx.PrescribedMotion("shaker", strip["start"], x=0, y=0, z=motion, angle_x=0, angle_y=0, angle_z=0)
        return fx.Model("strip", [strip, shaker], gravity=(0, 0, -9.81))

    outputs = ["s.end.position_z", "s.end.position_x"]
    got = model(0.0).frequency_response([slow, fast], "shaker.z", outputs)
    motion = fx.sine(amplitude, frequency=slow) + fx.sine(0.1 * amplitude, frequency=fast)
    run = model(motion).dynamics("7 s", "1 ms", start="equilibrium", show=False)
    assert float(run["s.end.position_z"].values[0]) < -0.3
    late = run.time > 6 + 1e-9  # whole periods of both
    waves = np.exp(2j * np.pi * np.outer(run.time[late], [slow, fast]))
    for name in outputs:
        y = np.asarray(run[name])[late]
        fit = np.linalg.lstsq(np.column_stack([waves.imag, waves.real, np.ones(late.sum())]), y, rcond=None)[0]
        found = (fit[:2] + 1j * fit[2:4]) / (amplitude * np.array([1.0, 0.1]))
        np.testing.assert_allclose(found, got[name], rtol=2e-3)


def test_resonances_of_a_flexible_body_are_its_modes():
    beam = fx.Beam("b", points=[(0, 0, 0), (0.5, 0, 0)], section=fx.Circle(0.01), material=fx.Steel(), divisions=6)
    items = [
        beam,
        fx.Fixed("weld", fx.ground, beam["start"]),
        fx.PointForce("tap", beam["end"], direction="y", force=0),
    ]
    model = fx.Model("cantilever", items)
    found = model.modes(6).frequencies
    got = model.frequency_response(found[:1] * [0.999, 1.0, 1.001], "tap", "b.end.position_y", structural_damping=1e-4)
    beside, there, above = np.abs(got["b.end.position_y"])
    assert there > 10 * max(beside, above)
    static = model.frequency_response([0.0], "tap", "b.end.position_y")["b.end.position_y"][0]
    inertia = np.pi / 4 * 0.01**4
    assert static.imag == 0
    assert abs(static.real / (0.5**3 / (3 * 2.1e11 * inertia)) - 1) < 0.02


def test_about_a_steady_rotation():
    """A mass on a radial spring that turns: K − mΩ² along the radius, Coriolis across it."""
    hub = fx.RigidBody("mass", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(1, 0, 0))
    spring = fx.Bushing("spring", fx.ground.at(1, 0, 0), hub, stiffness=(900.0, 1600.0, 1e6, 1e4, 1e4, 1e4))
    model = fx.Model("rotor", [hub, spring, fx.PointForce("push", hub, direction="x", force=0, follows=True)])
    got = model.frequency_response(HZ, "push", ["mass.position_x", "mass.position_y"], angular_velocity=(0, 0, 10.0))
    values = np.array([linalg.solve(_turning(w), [1, 0]) for w in W])
    np.testing.assert_allclose(got.values[:, :, 0], values, rtol=1e-6)


def _turning(w: float) -> np.ndarray:
    return np.array([[900 - 100 - w**2, -2j * w * 10], [2j * w * 10, 1600 - 100 - w**2]])


def test_results_are_written_and_drawn(tmp_path):
    got = oscillator().frequency_response(HZ, "push", "mass.position_x")
    with np.load(got.to_npz(tmp_path / "h.npz")) as kept:
        np.testing.assert_array_equal(kept["values"], got.values)
    got.to_npz(tmp_path / "h.npz")  # in its place
    got.plot_bode(tmp_path / "bode.png")
    got.plot_nyquist(tmp_path / "nyquist.png")
    assert (tmp_path / "bode.png").stat().st_size > 1000
    assert (tmp_path / "nyquist.png").stat().st_size > 1000


def test_curves_can_be_told_apart(tmp_path):
    """Frequencies in equal ratios are drawn so; what has different units stands in planes of its own."""
    outputs = ["mass.position_x", "mass.acceleration_x"]
    steps, ratios = (oscillator().frequency_response(f, "push", outputs) for f in (HZ, np.geomspace(0.1, 100, 9)))
    assert [ax.get_xscale() for ax in steps.plot_bode(tmp_path / "bode.png").axes] == ["linear", "linear"]
    assert [ax.get_xscale() for ax in ratios.plot_bode(tmp_path / "bode.png").axes] == ["log", "log"]
    planes = ratios.plot_nyquist(tmp_path / "nyquist.png").axes
    assert [[text.get_text().partition(" ")[0] for text in ax.get_legend().get_texts()] for ax in planes] == [
        ["mass.position_x"],
        ["mass.acceleration_x"],
    ]


def test_one_frequency_of_any_kind():
    expected = oscillator().frequency_response([5.0], "push", "mass.position_x").values
    for given in (5, "5 Hz", np.array(5.0), np.float64(5), ["300 rpm"], np.array([5])):
        np.testing.assert_array_equal(
            oscillator().frequency_response(given, "push", "mass.position_x").values, expected
        )


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"inputs": "pull.force"}, "no such item"),
        ({"inputs": "push.direction"}, "push.force"),
        ({"inputs": []}, "no input"),
        ({"inputs": 5}, "by their names"),
        ({"inputs": ["push.force", "push.force"]}, "twice"),
        ({"inputs": {"push.force": (1, 2, 3)}}, "has 3 parts"),
        ({"inputs": {"push.force": complex("nan")}}, "no finite number"),
        ({"outputs": 5}, "nor sensors"),
        ({"outputs": ["mass.position_x", 5]}, "nor sensors"),
        ({"frequencies": None}, "no list of frequencies"),
        ({"frequencies": [[1.0, 2.0], [3.0, 4.0]]}, "no list of frequencies"),
        ({"inputs": ["push", "push.force"]}, "twice"),
        ({"outputs": []}, "no output"),
        ({"outputs": ["mass.position_u"]}, "did you mean 'mass.position"),
        ({"frequencies": [-1.0]}, "negative"),
        ({"frequencies": []}, "no frequency"),
        ({"structural_damping": -0.1}, "negative"),
        ({"structural_damping": {"sprung": 0.1}}, "did you mean 'spring'"),
    ],
)
def test_bad_input_is_refused(change, told):
    with pytest.raises(fx.ModelError, match=told):
        oscillator().frequency_response(**{"frequencies": HZ, "inputs": "push", "outputs": "mass.position_x", **change})


@pytest.mark.parametrize("method", ["auto", "direct", "modal", "sweep"])
def test_what_is_driven_throughout(method):
    """A pendulum that a motor holds: the torque is that of inertia and weight, at all frequencies and at none."""
    arm = fx.RigidBody("arm", mass=1.0, inertia=(0.02, 0.02, 0.02), center_of_mass=(0, -0.4, 0))
    items = [arm, fx.Revolute("pin", fx.ground, arm, axis="z"), fx.Motor("motor", "pin", position=0.0)]
    hertz = np.linspace(0.0, 9.0, 100)
    got = fx.Model("held", items, gravity=(0, -9.81, 0)).frequency_response(
        hertz, "motor", ["pin.angle", "motor.torque"], method=method
    )
    np.testing.assert_allclose(got["pin.angle"], 1.0, atol=1e-12)
    torque = 9.81 * 0.4 - (2 * np.pi * hertz) ** 2 * (0.02 + 0.4**2)
    np.testing.assert_allclose(got["motor.torque"], torque, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("method", ["auto", "direct", "modal", "sweep"])
def test_at_rest_alone(method):
    got = sledge(position=0.0).frequency_response([0.0], "motor", ["cart.position_x", "spring.force"], method=method)
    np.testing.assert_allclose(got.values[0, :, 0], [1.0, 0.0], atol=1e-12)


def test_what_has_no_response_is_refused():
    mass = fx.PointMass("mass", M)
    free = fx.Model("free", [mass, fx.PointForce("push", mass, direction="x", force=0)])
    with pytest.raises(fx.SolveError, match="begin above it"):
        free.frequency_response([0.0], "push", "mass.position_x")
    with pytest.raises(fx.ModelError, match="0 Hz"):
        sledge(speed=0.0).frequency_response([0.0], "motor", "cart.position_x")


def test_amplitudes_of_motors_have_the_unit_of_their_joint():
    """An angle along a hinge, a length along a slide; another unit is refused."""
    arm, slide = fx.RigidBody("arm", 1, 0.1), fx.RigidBody("slide", 1, 0.1, position=(1, 0, 0))
    model = fx.Model(
        "driven",
        [
            arm,
            slide,
            fx.Revolute("pin", fx.ground, arm, axis="z"),
            fx.Prismatic("guide", fx.ground.at(1, 0, 0), slide, axis="x"),
            fx.Motor("turn", joint="pin", position=0),
            fx.Motor("push", joint="guide", position=0),
        ],
    )
    turned, pushed = read_inputs(model, {"turn.position": "2 deg", "push.position": ("3 mm", "90 deg")})
    assert turned.amplitude == pytest.approx(np.deg2rad(2))
    assert pushed.amplitude == pytest.approx(3e-3j)
    with pytest.raises(fx.ModelError, match="deg"):
        read_inputs(model, {"push.position": "2 deg"})


def test_more_than_critical_damping_is_told():
    with pytest.warns(fx.DoubtfulModel, match=r"modal_damping = 2 is beyond the critical damping of 1.*2 % is 0.02"):
        oscillator().frequency_response(HZ, "push", "mass.position_x", modal_damping=2)
