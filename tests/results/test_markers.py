"""Markers of rigid bodies as signals, and measures between two: against closed forms and differences over time."""

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.results import Run, UnknownSignal
from flexor.results.marker_motion import MarkerMotion, seen_from
from flexor.spatial import euler_to_matrix, exp_so3, matrix_to_quaternion, quaternion_to_matrix

QUARTER = {"axis": "z", "angle": "90 deg"}
TOP = fx.RigidBody(
    "top",
    mass=2.0,
    inertia=(0.02, 0.03, 0.04),
    center_of_mass=(0.1, 0.02, 0),
    position=(0, 0, 0),
    angular_velocity=(1.0, 2.0, 5.0),
    markers={"rim": fx.Marker((0.3, -0.1, 0.2), QUARTER), "foot": (0, 0, 0)},
)
BALL = fx.PointMass("ball", mass=1.0, position=(2, 0, 0), velocity=(0, 3.0, 0))
MODEL = fx.Model("top", [TOP, BALL, fx.Spherical("pivot", fx.ground, TOP)], gravity=(0, 0, -9.81))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    file = tmp_path_factory.mktemp("run") / "top.flexor.h5"
    kept = MODEL.dynamics(until="0.5 s", step="1 ms", file=file, show=False)
    return {"fresh": kept, "file": Run(file)}


@pytest.fixture(params=["fresh", "file"])
def run(request, runs):
    return runs[request.param]


def rate(values, time):
    return np.gradient(values, time, axis=0, edge_order=2)


def test_position_and_its_rates(run):
    R = quaternion_to_matrix(run["top.orientation"].values)
    x = run["top.rim.position"]
    np.testing.assert_allclose(x, run["top.position"] + R @ [0.3, -0.1, 0.2], atol=1e-14)
    v, a = run["top.rim.velocity"], run["top.rim.acceleration"]
    assert (x.unit, v.unit, a.unit, x.name) == ("m", "m/s", "m/s²", "top.rim.position")
    middle = slice(2, -2)
    np.testing.assert_allclose(rate(x.values, run.time)[middle], v[middle], atol=2e-4 * np.abs(v).max())
    np.testing.assert_allclose(rate(v.values, run.time)[middle], a[middle], atol=5e-4 * np.abs(a).max())
    np.testing.assert_array_equal(run["top.rim.velocity_y"], v[:, 1])


def test_orientation_of_the_marker_is_its_own(run):
    R = quaternion_to_matrix(run["top.rim.orientation"].values)
    body = quaternion_to_matrix(run["top.orientation"].values)
    np.testing.assert_allclose(R, body @ [[0, -1, 0], [1, 0, 0], [0, 0, 1]], atol=1e-14)
    np.testing.assert_array_equal(run["top.rim.angular_velocity"], run["top.angular_velocity"])
    jumps = np.abs(np.diff(run["top.rim.orientation"].values, axis=0)).max()
    assert jumps < 0.02


@pytest.mark.parametrize("sequence", ["zyx", "zxz", "xyz"])
def test_euler_angles_in_a_chosen_order(run, sequence):
    angles = run[f"top.rim.euler_{sequence}"]
    assert angles.unit == "rad"
    np.testing.assert_allclose(
        euler_to_matrix(angles.values, sequence), quaternion_to_matrix(run["top.rim.orientation"].values), atol=1e-12
    )
    np.testing.assert_array_equal(run[f"top.rim.euler_{sequence}_2"], angles[:, 1])
    assert run[f"top.euler_{sequence}"].shape == angles.shape  # of the body itself


def test_euler_angles_go_on_after_a_turn():
    spin = fx.RigidBody("disc", mass=1, inertia=1, angular_velocity=(0, 0, 10.0))
    run = fx.Model("disc", [spin]).dynamics(until="2 s", step="10 ms", show=False)
    np.testing.assert_allclose(run["disc.euler_zyx_1"], 10 * run.time, atol=1e-6)


def test_center_of_mass(run):
    """It accelerates as all forces say: weight and the reaction of the pivot."""
    force = run["pivot.force"].values  # on the top, in the axes of the ground
    expected = force / 2.0 + [0, 0, -9.81]
    np.testing.assert_allclose(run["top.center_of_mass.acceleration"], expected, atol=1e-4 * np.abs(expected).max())


def test_between_two_markers(run):
    seen = run.between("top.rim", "ball")
    d = run["ball.position"] - run["top.rim.position"]
    np.testing.assert_allclose(seen.distance, np.linalg.norm(d, axis=1))
    R = quaternion_to_matrix(run["top.rim.orientation"].values)
    np.testing.assert_allclose(seen.position, np.einsum("tji,tj->ti", R, d), atol=1e-13)
    middle = slice(2, -2)
    for first, second in (("distance", "distance_rate"), ("position", "velocity"), ("velocity", "acceleration")):
        values, rates = getattr(seen, first), getattr(seen, second)
        np.testing.assert_allclose(
            rate(values.values, run.time)[middle], rates[middle], atol=1e-3 * np.abs(rates).max(), err_msg=second
        )
    assert (seen.position.unit, seen.velocity.unit) == ("m", "m/s")
    assert repr(seen).startswith("ball seen from top.rim: distance 1.")
    fixed = run.between("top.foot", "top.rim")
    np.testing.assert_allclose(fixed.position, np.tile([0.3, -0.1, 0.2], (len(run), 1)), atol=1e-14)
    np.testing.assert_allclose(fixed.velocity, 0, atol=1e-13)
    np.testing.assert_allclose(fixed.acceleration, 0, atol=1e-12)
    np.testing.assert_allclose(fixed.euler("zyx"), np.tile([np.pi / 2, 0, 0], (len(run), 1)), atol=1e-13)
    np.testing.assert_allclose(fixed.angle, np.pi / 2)
    np.testing.assert_allclose(
        run.between(fx.ground, TOP.at(0.3, -0.1, 0.2)).position, run["top.rim.position"], atol=1e-14
    )


def test_relative_motion_of_two_turning_frames():
    """Exact motions x(t), R(t) = exp(t ψ̃); what is seen is differentiated in closed form by small differences."""
    rng = np.random.default_rng(3)
    h = 1e-5
    t = h * np.arange(-2, 3)

    def made():
        c = rng.standard_normal((3, 3))
        psi = rng.standard_normal(3)
        x, v, a = (
            c[0] + t[:, None] * c[1] + t[:, None] ** 2 * c[2],
            c[1] + 2 * t[:, None] * c[2],
            np.tile(2 * c[2], (5, 1)),
        )
        return MarkerMotion(t, x, exp_so3(t[:, None] * psi), v, np.tile(psi, (5, 1)), a, np.zeros((5, 3)))

    a, b = made(), made()
    seen = seen_from(a, b)
    np.testing.assert_allclose((seen.position[3] - seen.position[1]) / (2 * h), seen.velocity[2], atol=1e-8)
    np.testing.assert_allclose((seen.velocity[3] - seen.velocity[1]) / (2 * h), seen.acceleration[2], atol=1e-8)
    w = (seen.angular_velocity[3] - seen.angular_velocity[1]) / (2 * h)
    np.testing.assert_allclose(w, seen.angular_acceleration[2], atol=1e-8)


def test_statics_answer_to_the_same_names():
    arm = fx.RigidBody("arm", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
    model = fx.Model("rest", [arm, fx.Revolute("pin", fx.ground, arm, axis="z")], gravity=(0, -9.81, 0))
    rest = model.statics()
    np.testing.assert_allclose(rest["arm.tip.position"], [0, -1, 0], atol=1e-7)
    np.testing.assert_allclose(rest["arm.center_of_mass.position_y"], -0.5, atol=1e-7)
    assert rest["arm.tip.euler_zyx"] == pytest.approx([-np.pi / 2, 0, 0], abs=1e-7)
    assert rest.between("ground", "arm.tip").distance == pytest.approx(1.0)
    assert "arm.tip.position" in rest
    assert "arm.top.position" not in rest
    assert rest.find("tip")[0] == "arm.tip.position"
    assert rest.find("pin.force_?") == [f"pin.force_{axis}" for axis in "xyz"]
    with pytest.raises(UnknownSignal, match=r"'arm.positon': is not in this position; did you mean arm.position"):
        rest["arm.positon"]


def test_markers_are_found_plotted_and_exported(run, tmp_path):
    assert "top.rim.position" in run
    assert run.find("RIM") == [f"top.rim.{what}" for what in (
        "position", "orientation", "velocity", "angular_velocity", "acceleration", "angular_acceleration"
    )]  # fmt: skip
    assert "ball.position_x" in run.find("ball")
    assert run.find("rim.*") == []
    run.plot("top.rim.velocity", "top.rim.euler_zyx", file=tmp_path / "a.png")
    path = run.to_csv(tmp_path / "a.csv", ["ball.position_x", "top.rim.position", "top.rim.euler_zyx"])
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    assert head == (
        "time [s],ball.position_x [m],top.rim.position_x [m],top.rim.position_y [m],top.rim.position_z [m],"
        "top.rim.euler_zyx_1 [rad],top.rim.euler_zyx_2 [rad],top.rim.euler_zyx_3 [rad]"
    )
    np.testing.assert_array_equal(np.array(rows[-1].split(","), dtype=float)[2:5], run["top.rim.position"][-1])


def test_what_is_not_there_is_told(run):
    with pytest.raises(UnknownSignal, match=r"signal 'top.rin.position': is not in this run"):
        run["top.rin.position"]
    with pytest.raises(UnknownSignal):
        run["top.rim.euler_zzx"]
    with pytest.raises(ModelError, match=r"'top' has no marker 'rin'; did you mean 'rim'"):
        run.between("top.rin", "ball")
    with pytest.raises(ModelError, match="there is no body 'bal'"):
        run.between("top", "bal")


def test_a_body_that_was_not_recorded_is_told():
    run = MODEL.dynamics(until="5 ms", step="1 ms", record=("ball",), show=False)
    assert "top.rim.position" not in run
    with pytest.raises(ModelError, match="the motion of 'top' was not recorded"):
        run.between("top.rim", "ball")


def test_quaternions_of_markers(run):
    R = quaternion_to_matrix(run["top.rim.orientation"].values)
    q = matrix_to_quaternion(R)
    np.testing.assert_allclose(np.abs(np.einsum("ti,ti->t", q, run["top.rim.orientation"].values)), 1, atol=1e-12)


def test_markers_of_bodies_that_deform_have_euler_angles_and_typos_are_guessed():
    beam = fx.Beam("arm", ((0, 0, 0), (1, 0, 0)), fx.Circle(0.01), "steel", divisions=2)
    fore = fx.RigidBody("fore", 1, (1, 1, 1), position=(1, 0, 0), markers={"tool": (0.5, 0, 0)})
    joints = [fx.Revolute("root", fx.ground, beam["start"], axis="z", start_rate=3), fx.Fixed("tip", beam["end"], fore)]
    run = fx.Model("m", [beam, fore, *joints]).dynamics(until="2 ms", step="1 ms")
    np.testing.assert_allclose(run["arm.end.euler_zyx_1"], run["fore.euler_zyx_1"], atol=1e-12)
    assert run["arm.end.euler_zyx"].values.shape == (3, 3)
    with pytest.raises(UnknownSignal, match=r"did you mean fore\.tool\.position"):
        run["fore.tool.positon"]
    with pytest.raises(UnknownSignal, match=r"did you mean fore\.tool\.position"):
        run.at("1 ms")["fore.tool.positon"]
    with pytest.raises(fx.ModelError) as error:
        run.at("0.5004 s")
    assert str(error.value).startswith("run in memory: finished, 3 rows of")
    assert len(str(error.value).splitlines()) == 1
