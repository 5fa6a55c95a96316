"""Friction in joints: sticking, sliding, what is between, and the load that it comes from."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.errors import LawError, ModelError, SolveError
from flexor.joints import JOINTS, Joint
from flexor.model.check import check

G = 9.81
QUIET = {"show": False}


def block_on_slope(slope: float, coefficient: float, rate: float = 0.0, axis: int = 1, **more: object) -> fx.Model:
    """A block of 2 kg on a slope that falls in the direction of x; axis: sign of the slide's own axis along it."""
    block = fx.RigidBody("block", mass=2, inertia=0.1)
    down = np.array([np.cos(slope), 0, -np.sin(slope)])
    slide = fx.Prismatic("slide", fx.ground, block, axis=axis * down, start_rate=rate)
    return fx.Model("slope", [block, slide, fx.Friction("dry", "slide", coefficient, **more)], gravity=(0, 0, -G))


@pytest.mark.parametrize("axis", [1, -1])
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_a_block_slides_down_a_steep_slope(axis: int, rate: float) -> None:
    """a = g (sin α − μ cos α): 3.205859 m/s² at 30° with μ = 0.2 (reference coulomb_block)."""
    slope, mu = np.radians(30), 0.2
    run = block_on_slope(slope, mu, axis * rate, axis).dynamics(until=1, step=0.01, **QUIET)
    a = G * (np.sin(slope) - mu * np.cos(slope))
    assert a == pytest.approx(3.205859, abs=1e-6)
    assert axis * run["slide.displacement"][-1] == pytest.approx(rate + 0.5 * a, rel=1e-12)
    assert axis * run["dry.force"][-1] == pytest.approx(-mu * 2 * G * np.cos(slope), rel=1e-9)
    lost = mu * 2 * G * np.cos(slope) * (rate + 0.5 * a)
    assert run["energy.dissipated"][-1] == pytest.approx(lost, rel=1e-9)
    np.testing.assert_allclose(run["energy.check_sum"], run["energy.check_sum"][0], rtol=0, atol=1e-11)


@pytest.mark.parametrize("rate", [2.0, -2.0])
@pytest.mark.parametrize("step", [0.01, 0.07])
def test_a_sliding_block_comes_to_rest(rate: float, step: float) -> None:
    """It stops after v²/(2 μ g) = 0.679579 m in v/(μ g) = 0.679579 s (reference coulomb_block), whatever the step."""
    run = block_on_slope(0.0, 0.3, rate).dynamics(until=1.4, step=step, **QUIET)
    assert run["slide.displacement"][-1] == pytest.approx(np.sign(rate) * 0.679579, abs=1e-6)
    assert run["slide.displacement"][-1] == pytest.approx(np.sign(rate) * 4 / (0.6 * G), abs=1e-12)
    changes = run.history["transitions"]
    assert changes.sum() == 1
    assert run.history["time"][changes > 0] == pytest.approx(2 / (0.3 * G), abs=1e-8)
    assert run["dry.sticks"][-1] == 1.0
    assert abs(run["slide.displacement_rate"][-1]) < 1e-8
    assert run["energy.dissipated"][-1] == pytest.approx(4.0, rel=1e-9)
    assert "1 transition," in run.summary()


@pytest.mark.parametrize("axis", [1, -1])
def test_a_block_rests_on_a_flat_slope_for_a_thousand_seconds(axis: int) -> None:
    """Below the friction angle, tan 30° = 0.577 < 0.6: it bends its asperities, and never creeps."""
    run = block_on_slope(np.radians(30), 0.6, axis=axis).dynamics(until=1000, step=1.0, **QUIET)
    s = run["slide.displacement"]
    assert np.abs(s).max() < 1e-12
    assert s[-1] == pytest.approx(s[1], abs=1e-15)
    assert np.all(run["dry.sticks"] == 1.0)
    assert axis * run["dry.force"][-1] == pytest.approx(-2 * G * 0.5, rel=1e-9)


def test_going_up_a_slope_it_turns_round_or_stays() -> None:
    """v² = 2 g s (sin α + μ cos α) on its way up; then it stays, or slides back with g (sin α − μ cos α)."""
    slope, speed = np.radians(30), 3.0
    for mu in (0.3, 0.7):
        up = G * (np.sin(slope) + mu * np.cos(slope))
        run = block_on_slope(slope, mu, -speed).dynamics(until=1.5, step=0.013, **QUIET)
        top, later = speed / up, max(G * (np.sin(slope) - mu * np.cos(slope)), 0.0)
        assert run["slide.displacement"][-1] == pytest.approx(
            -(speed**2) / (2 * up) + 0.5 * later * (1.5 - top) ** 2, abs=2e-6
        )
        assert run["dry.sticks"][-1] == (later == 0.0)
        assert run["energy.check_sum"][-1] == pytest.approx(run["energy.check_sum"][0], abs=1e-8)


MASS, SPRING, BELT, MU, STATIC, SLIP = 1.0, 100.0, 0.1, 0.3, 0.5, 0.05


def mass_on_a_belt(sign: float = 1.0, **more: object) -> fx.Model:
    """A mass on a belt at constant speed, held back by a spring."""
    belt, mass = fx.RigidBody("belt", mass=1, inertia=0.1), fx.RigidBody("mass", mass=MASS, inertia=0.1)
    return fx.Model(
        "belt",
        [
            belt,
            mass,
            fx.Prismatic("drive", fx.ground, belt, axis="x", start_rate=sign * BELT),
            fx.Motor("motor", "drive", speed=sign * BELT),
            fx.Prismatic("contact", belt, mass, axis="x", start_rate=0.0),
            fx.AxialSpring("spring", fx.ground.at(-10, 0, 0), mass, stiffness=SPRING, free_length=10),
            fx.Friction("rubs", "contact", MU, stribeck=STATIC, slip_speed=SLIP, micro_slip="1 nm", **more),
        ],
        gravity=(0, -G, 0),
    )


def on_the_belt(until: float) -> tuple[float, float, list[float]]:
    """Position, velocity and times of the transitions, by another integrator with events: it sticks until k x = L(0), slides with
    L(|r|) as long as |r| grows, r = ẋ − v_belt, then with L(max |r|) until r = 0."""

    def limit(v: float) -> float:
        return MU * MASS * G * (1 + STATIC * np.exp(-((v / SLIP) ** 2)))

    accuracy = {"rtol": 1e-12, "atol": 1e-14, "method": "DOP853"}
    t, x, times = 0.0, 0.0, []
    while True:
        release = t + (limit(0.0) / SPRING - x) / BELT
        if release >= until:
            return x + BELT * (until - t), BELT, times
        times.append(release)

        def faster(_: float, y: np.ndarray) -> list[float]:
            return [y[1], (limit(abs(y[1] - BELT)) - SPRING * y[0]) / MASS]

        def turns(t: float, y: np.ndarray) -> float:
            return faster(t, y)[1] + 1e-30

        turns.terminal, turns.direction = True, 1
        found = solve_ivp(faster, (release, until), [limit(0.0) / SPRING, BELT], events=turns, **accuracy)
        if found.t[-1] >= until:
            return found.y[0, -1], found.y[1, -1], times
        low = limit(abs(found.y[1, -1] - BELT))

        def slower(_: float, y: np.ndarray, low: float = low) -> list[float]:
            return [y[1], (low - SPRING * y[0]) / MASS]

        def stops(_: float, y: np.ndarray) -> float:
            return y[1] - BELT

        stops.terminal, stops.direction = True, 1
        found = solve_ivp(slower, (found.t[-1], until), found.y[:, -1], events=stops, **accuracy)
        if found.t[-1] >= until:
            return found.y[0, -1], found.y[1, -1], times
        t, x = found.t[-1], found.y[0, -1]
        times.append(t)


@pytest.mark.parametrize("until", [0.6, 1.25, 2.0])
def test_stick_slip_on_a_belt(until: float) -> None:
    """Of second order through all transitions: errors fall four times as the step is halved."""
    x, v, times = on_the_belt(until)
    errors = []
    for step in (0.01, 0.005, 0.0025):
        run = mass_on_a_belt().dynamics(until=until, step=step, **QUIET)
        errors.append([run["mass.position_x"][-1] - x, run["mass.velocity_x"][-1] - v])
        changed = run.history["transitions"] > 0
        assert run.history["time"][changed] == pytest.approx(times, abs=4 * step**2)
        np.testing.assert_allclose(run["energy.check_sum"], run["energy.check_sum"][0], rtol=0, atol=2.0 * step**2)
    coarse, middle, fine = np.abs(errors)[:, 0]
    assert fine < 3e-6
    assert coarse / middle == pytest.approx(4, rel=0.15)
    assert middle / fine == pytest.approx(4, rel=0.1)


def test_the_other_way_is_the_mirror_image() -> None:
    runs = [mass_on_a_belt(sign).dynamics(until=1.3, step=0.005, **QUIET) for sign in (1.0, -1.0)]
    np.testing.assert_allclose(runs[0]["mass.position_x"], -runs[1]["mass.position_x"], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "choice",
    [{"step": 0.005, "integrator": fx.HHT(-0.1)}, {"error": 1e-7, "output": 0.01}, {"step": 0.005, "newton": "full"}],
    ids=["weighted forces", "error control", "full Newton"],
)
def test_stick_slip_with_other_settings(choice: dict[str, object]) -> None:
    x, _, times = on_the_belt(1.25)
    run = mass_on_a_belt().dynamics(until=1.25, **choice, **QUIET)
    assert run["mass.position_x"][-1] == pytest.approx(x, abs=3e-5)
    assert run.history["time"][run.history["transitions"] > 0] == pytest.approx(times, abs=2e-4)
    assert run.history["cut_backs"].sum() == 0


def test_a_run_goes_on_bit_by_bit(tmp_path) -> None:
    model = mass_on_a_belt()
    whole = model.dynamics(until=1.25, step=0.005, **QUIET)
    for until in (0.3, 0.5, 0.92):  # sticking, sliding, just stuck
        part = model.dynamics(until=until, step=0.005, file=tmp_path / f"{until}.h5", **QUIET)
        rest = part.continue_until(1.25)
        np.testing.assert_array_equal(rest["mass.position_x"], whole["mass.position_x"])
        np.testing.assert_array_equal(rest["rubs.sticks"], whole["rubs.sticks"])


def pendulum(swing: float, radius: float = 0.02, mu: float = 0.2, axis: float = 1.0, **more: object) -> fx.Model:
    """1 kg on a light rod of 1 m, in a bearing."""
    bob = fx.RigidBody("bob", mass=1, inertia=1e-9, markers={"pin": (0, 1, 0)})
    pin = fx.Revolute("pin", fx.ground, "bob.pin", axis=(0, 0, axis), start=axis * swing)
    return fx.Model(
        "pendulum", [bob, pin, fx.Friction("bearing", "pin", mu, radius=radius, **more)], gravity=(0, -G, 0)
    )


@pytest.mark.parametrize("axis", [1.0, -1.0])
def test_amplitude_of_a_pendulum_with_a_given_load(axis: float) -> None:
    """Constant friction torque T: each half swing loses 2 T/(m g l) of small amplitudes; exactly cos a − cos b = T (a + b)/(m g l)."""
    torque, a = 0.02 * 0.2 * 30.0, 1.0
    run = pendulum(a, axis=axis, load="30 N").dynamics(until=12, step=0.002, **QUIET)
    q, rate = axis * run["pin.angle"], axis * run["pin.angle_rate"]
    turning = np.flatnonzero((rate[1:-1] * rate[2:] <= 0) & (np.abs(q[1:-1]) > 0.05))
    found = [np.abs(q[max(i - 2, 0) : i + 4]).max() for i in turning]
    for b in found[:8]:
        assert np.cos(b) - np.cos(a) == pytest.approx(torque * (a + b) / G, rel=2e-4)
        a = b
    assert len(found) >= 8


def test_a_pendulum_rests_within_its_friction() -> None:
    """It comes to rest where m g l sin q < T, and stays there."""
    run = pendulum(0.5, radius=0.05, mu=0.5).dynamics(until=60, step=0.01, **QUIET)
    q = run["pin.angle"]
    assert run["bearing.sticks"][-1] == 1.0
    assert 0 < abs(q[-1]) <= 0.05 * 0.5
    assert np.ptp(q[run.time > 50]) < 1e-9


def test_the_bearing_of_a_turning_pendulum_carries_its_centrifugal_force() -> None:
    """F_e = √(F_x² + F_y²) as it is at the same instant: m (g cos q + l q̇²) and the tangential part, over several turns."""
    mu, radius, rate = 0.3, 0.05, 12.0

    def motion(_: float, y: np.ndarray) -> list[float]:
        # q̈ = −g sin q − sign μ r N,  N² = (g cos q + q̇²)² + (q̈ + g sin q)²  =>  N = R/√(1 − (μ r)²)
        along = (G * np.cos(y[0]) + y[1] ** 2) / np.sqrt(1 - (mu * radius) ** 2)
        return [y[1], -G * np.sin(y[0]) - mu * radius * abs(along) * np.sign(y[1])]

    exact = solve_ivp(motion, (0, 2), [0.0, rate], rtol=1e-11, atol=1e-12).y[:, -1]
    model = pendulum(0.0, radius, mu)
    model = model.replace(items=[item.replace(start_rate=rate) if item.name == "pin" else item for item in model.items])
    errors = []
    for step in (0.004, 0.002):
        run = model.dynamics(until=2, step=step, **QUIET)
        errors.append(abs(run["pin.angle"][-1] - exact[0]))
    assert run["pin.angle"][-1] > 4 * np.pi
    assert errors[1] < 2e-3
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.2)


@pytest.mark.parametrize("direction", [1.0, -1.0])
def test_two_bearings_carry_a_bending_moment(direction: float) -> None:
    """A shaft with an overhung weight W at c beside the middle of two bearings a apart: each carries W (½ ± c/a), and a thrust P counts Y P."""
    W, c, a, P, Y, mu, radius = 2 * G, 0.3, 0.4, 5.0, 1.5, 0.25, 0.03
    disc = fx.RigidBody("disc", mass=2, inertia=(0.1, 0.1, 0.05), center_of_mass=(0, 0, c))
    pin = fx.Revolute("pin", fx.ground, disc, axis="z", start_rate=direction * 3.0)
    push = fx.PointForce("push", disc, direction="z", force=P)
    rubs = fx.Friction("rubs", "pin", mu, radius=radius, load="bearing", span=a, factor=Y)
    run = fx.Model("shaft", [disc, pin, push, rubs], gravity=(0, -G, 0)).dynamics(until=0.2, step=0.01, **QUIET)
    F_e = W * abs(0.5 - c / a) + W * abs(0.5 + c / a) + Y * P
    np.testing.assert_allclose(run["rubs.load"], F_e, rtol=1e-9)
    np.testing.assert_allclose(run["rubs.torque"], -direction * mu * radius * F_e, rtol=1e-9)
    assert run["pin.angle_rate"][-1] == pytest.approx(direction * (3.0 - mu * radius * F_e / 0.05 * 0.2), rel=1e-9)


@pytest.mark.parametrize("spin", [4.0, -4.0])
def test_moments_about_both_axes_across(spin: float) -> None:
    """A weight aside the axis of a standing shaft: M_x and M_y with F_x, F_y from its centrifugal force. By statics of two supports."""
    m, e, c, a, mu, radius = 2.0, 0.2, 0.35, 0.5, 0.2, 0.02
    rotor = fx.RigidBody("rotor", mass=m, inertia=0.1, center_of_mass=(e, 0, c))
    pin = fx.Revolute("pin", fx.ground, rotor, axis="z", start_rate=spin)
    rubs = fx.Friction("rubs", "pin", mu, radius=radius, load="bearing", span=a)
    run = fx.Model("rotor", [rotor, pin, rubs], gravity=(0, 0, -G)).dynamics(until=1.2, step=0.002, **QUIET)
    i = 400
    w, alpha = run["pin.angle_rate"][i], run["rotor.angular_acceleration_z"][i]
    # in turning axes: force on the rotor F = m (−e ω², e α, g); of the supports at ± a/2: their sum, and moments about the middle
    F = m * np.array([-e * w**2, e * alpha])
    M = np.cross([e, 0, c], m * np.array([-e * w**2, e * alpha, G]))
    couple = np.array([M[1], -M[0]]) / a
    assert run["rubs.load"][i] == pytest.approx(
        np.linalg.norm(F / 2 + couple) + np.linalg.norm(F / 2 - couple), rel=1e-5
    )


@pytest.mark.parametrize("offset", [0.2, -0.2])
def test_a_guide_with_a_key(offset: float) -> None:
    """A slide along z, pushed across by F at a lever about its axis: the key takes M_z/R, the guide what is left."""
    F, R, Y, mu = 7.0, 0.1, 2.0, 0.1
    carriage = fx.RigidBody("carriage", mass=3, inertia=0.1)
    slide = fx.Prismatic("slide", fx.ground, carriage, axis="z", start_rate=1.0)
    push = fx.PointForce("push", carriage.at(0, offset, 0), direction="x", force=F)
    rubs = fx.Friction("rubs", "slide", mu, load="guide", key=R, factor=Y)
    run = fx.Model("guide", [carriage, slide, push, rubs]).dynamics(until=0.1, step=0.01, **QUIET)
    M = F * offset  # the joint holds against −F at the middle and +F offset about z
    f, m = np.array([run["slide.force_x"][0], run["slide.force_y"][0]]), run["slide.torque_z"][0]
    assert m == pytest.approx(M, rel=1e-9)
    load = np.hypot(f[1], f[0] - m / R) + Y * abs(m) / R
    np.testing.assert_allclose(run["rubs.load"], load, rtol=1e-9)
    assert run["slide.displacement_rate"][-1] == pytest.approx(1 - mu * load / 3 * 0.1, rel=1e-9)


def test_without_load_nothing_rubs() -> None:
    """A rod that floats through its sleeve, then is pressed on it, once it has come to move."""
    block = fx.RigidBody("block", mass=2, inertia=0.1)
    slide = fx.Prismatic("slide", fx.ground, block, axis="x")
    push = fx.PointForce("push", block, direction="x", force=fx.step(4.0, 0.0, at=0.5))
    press = fx.PointForce("press", block, direction="y", force=fx.step(0.0, 10.0, at=1.0))
    model = fx.Model("sleeve", [block, slide, push, press, fx.Friction("rubs", "slide", 0.2)])
    run = model.dynamics(until=3, step=0.01, **QUIET)
    assert run["slide.displacement_rate"][90] == pytest.approx(1.0, abs=0.011)  # the jump falls on a step
    # at 1 m/s until t = 1 s, then − μ F/m = −1 m/s² to rest
    assert run["slide.displacement"][-1] == pytest.approx(0.25 + 0.5 + 0.5, abs=0.02)
    assert run["rubs.sticks"][-1] == 1.0


@pytest.mark.parametrize("variable", ["angle_z", "angle_y", "angle_x"])
def test_friction_on_a_ball(variable: str) -> None:
    """A ball that turns about one axis loses its spin by μ R F: F is the force across that axis."""
    axis = "zyx".index(variable[-1])
    rate = np.eye(3)[axis] * 2.0
    force = np.eye(3)[(2 - axis + 1) % 3] * 6.0
    body = fx.RigidBody("body", mass=1, inertia=0.2)
    ball = fx.Spherical("ball", fx.ground, body, start_rate=tuple(rate))
    push = fx.PointForce("push", body, direction=tuple(force), force=6.0)
    rubs = fx.Friction("rubs", "ball", 0.3, variable=variable, radius=0.05)
    run = fx.Model("ball", [body, ball, push, rubs]).dynamics(until=0.5, step=0.01, **QUIET)
    assert run[f"ball.{variable}_rate"][-1] == pytest.approx(2.0 - 0.3 * 0.05 * 6.0 / 0.2 * 0.5, rel=1e-6)


def test_on_flexible_bodies() -> None:
    """A slider at the end of a stiff clamped beam, and a stiff beam that slides on the ground, stop as rigid ones do."""
    section = fx.StiffnessSection((1e8, 1e8, 1e8, 1e6, 1e6, 1e6), 20.0, (1e-2, 1e-2, 1e-2))
    beam = fx.Beam("beam", [(0, 0, 0), (1, 0, 0)], section, divisions=2)
    block = fx.RigidBody("block", mass=2, inertia=0.1, position=(1, 0, 0))
    clamp, rubs = fx.Fixed("clamp", fx.ground, "beam.start"), fx.Friction("rubs", "slide", 0.3)
    carried = [beam, clamp, block, fx.Prismatic("slide", "beam.end", block, axis="y", start_rate=1.0), rubs]
    sliding = [beam, fx.Prismatic("slide", fx.ground, "beam.start", axis="y", start_rate=1.0), rubs]
    for items in (carried, sliding):
        model = fx.Model("flexible", items, gravity=(0, 0, -G))
        run = model.dynamics(until=0.5, step=0.002, start="equilibrium", **QUIET)
        assert run["slide.displacement"][-1] == pytest.approx(1 / (0.6 * G), rel=5e-3)
        assert run["rubs.sticks"][-1] == 1.0


def test_wrong_friction_is_refused() -> None:
    block = fx.RigidBody("block", mass=2, inertia=0.1)
    slide = fx.Prismatic("slide", fx.ground, block, axis="x")
    pin = fx.Revolute("slide", fx.ground, block, axis="x")

    def complaint(joint: fx.Joint, **fields: object) -> str:
        with pytest.raises(ModelError) as caught:
            fx.Model("wrong", [block, joint, fx.Friction("rubs", "slide", **fields)]).dynamics(0.1, 0.1, **QUIET)
        return str(caught.value)

    assert "has no variable 'angle'" in complaint(slide, coefficient=0.1, variable="angle")
    assert "it has displacement" in complaint(slide, coefficient=0.1, variable="angle")
    assert "radius" in complaint(pin, coefficient=0.1)
    assert "leave it out" in complaint(slide, coefficient=0.1, radius=0.1)
    assert "use load: radial or guide" in complaint(slide, coefficient=0.1, load="bearing", span=0.1)
    assert "belong together" in complaint(slide, coefficient=0.1, load="guide")
    assert "belong together" in complaint(slide, coefficient=0.1, stribeck=0.5)
    assert "coefficient = -0.1 is negative" in complaint(slide, coefficient=-0.1)
    assert "its load is negative" in complaint(slide, coefficient=0.1, load=-5)
    assert "smooth_speed" in complaint(slide, coefficient=0.1, model="tanh")
    assert "no effect" in complaint(slide, coefficient=0.1, model="tanh", smooth_speed=0.1, micro_slip=1e-3)
    assert "N·s/m" in complaint(slide, viscous="2 N*m*s/rad") or "damping" in complaint(slide, viscous="2 N*m*s/rad")
    assert "give the load" in complaint(slide.replace(enforcement="elimination"), coefficient=0.1)
    assert "binds nothing" in complaint(fx.Free("slide", fx.ground, block), coefficient=0.1, variable="x")
    sleeve = fx.Cylindrical("slide", fx.ground, block, locked="angle")
    assert "has no variable 'angle'" in complaint(sleeve, coefficient=0.1, variable="angle", radius=0.1)
    quiet = fx.Model("idle", [block, slide, fx.Friction("rubs", "slide")]).check()
    assert "exerts no force" in str(quiet.warnings)


def test_a_load_that_becomes_negative_is_refused() -> None:
    """As a constant is: with the time where that is known beforehand, else in the run; max and abs say what is meant."""
    with pytest.raises(ModelError, match=r"negative at t = 0\.05 s"):
        block_on_slope(0.0, 0.3, 1.0, load=fx.table([0, 0.05, 0.1], [1, -1, 1]))
    with pytest.raises(LawError, match=r"load has become negative.*max\(x, 0\)"):
        block_on_slope(0.0, 0.3, 1.0, load="10 - 1000*t").dynamics(until=0.1, step=0.01, **QUIET)
    sensor = fx.Sensor("way", "slide.displacement")
    model = block_on_slope(0.0, 0.3, 1.0, load=fx.polynomial(10, -200, sensor="way"))
    with pytest.raises(LawError, match="load has become negative"):
        model.replace(items=[*model.items, sensor]).dynamics(until=0.1, step=0.01, **QUIET)
    parted = block_on_slope(0.0, 0.3, 1.0, load="max(10 - 1000*t, 0)").dynamics(until=0.1, step=0.01, **QUIET)
    assert parted["dry.load"][-1] == 0
    either = block_on_slope(0.0, 0.3, 1.0, load="abs(10 - 1000*t)").dynamics(until=0.1, step=0.01, **QUIET)
    assert either["dry.load"][-1] == pytest.approx(90)


@pytest.mark.parametrize("kind", [kind for kind in JOINTS if issubclass(kind, Joint)], ids=lambda kind: kind.__name__)
def test_no_variable_of_any_joint_has_a_load_that_is_always_zero(kind: type[Joint]) -> None:
    """With the default load, and with each other one, it is either refused or not zero under forces and torques about all axes."""
    for variable in kind.variables:
        for load in ({}, {"load": "axial"}, {"load": "bearing", "span": 0.1}, {"load": "guide", "key": 0.1}):
            body = fx.RigidBody("body", mass=1, inertia=(0.1, 0.12, 0.15))
            turns = variable not in kind.variables[: len(kind.translations)]
            rubs = fx.Friction("rubs", "joint", 0.1, variable=variable, **load, **({"radius": 0.01} if turns else {}))
            push = fx.PointForce("push", body.at(0.1, 0.2, 0.3), direction=(1, 2, 3), force=20)
            twist = fx.PointTorque("twist", body, direction=(3, -1, 2), torque=5)
            joint = kind("joint", fx.ground, body, start=[0.2 + 0.1 * i for i in range(len(kind.variables))])
            model = fx.Model("loaded", [body, joint, push, twist, rubs])
            report = check(list(enumerate(model.items)))
            refused = str(report.problems)
            if report.problems:
                assert "use load" in refused or "give the load" in refused, (variable, load)
            else:
                assert model.dynamics(until=1e-3, step=1e-3, **QUIET)["rubs.load"][0] > 0.1, (variable, load)


def test_a_turntable_rubs_by_its_weight() -> None:
    """Under a planar joint the table turns with friction of a thrust bearing, µ r m g."""
    table = fx.RigidBody("table", mass=2, inertia=0.01)
    floor = fx.Planar("floor", fx.ground, table, axis="z", start_rate=(1, 0, 5))
    rubs = fx.Friction("rubs", "floor", 0.3, variable="angle", radius=0.05, load="axial")
    run = fx.Model("table", [table, floor, rubs], gravity=(0, 0, -G)).dynamics(until=0.1, step=0.01, **QUIET)
    assert run["rubs.torque"][-1] == pytest.approx(-0.3 * 0.05 * 2 * G, rel=1e-9)
    assert run["floor.angle_rate"][-1] == pytest.approx(5 - 0.3 * 0.05 * 2 * G / 0.01 * 0.1, rel=1e-9)
    with pytest.raises(ModelError, match="use load: bearing or axial"):
        fx.Model("table", [table, floor, rubs.replace(load="radial")]).check()


@pytest.mark.parametrize("model", [{}, {"model": "tanh", "smooth_speed": 0.01}], ids=["sticks", "smooth"])
@pytest.mark.parametrize("variable", ["angle_z", "angle_y", "angle_x"])
def test_a_ball_whose_angles_come_to_their_singularity_says_so(variable: str, model: dict[str, object]) -> None:
    """An arm falls from the x axis through the vertical, where the middle angle is 90°."""
    arm = fx.RigidBody("arm", mass=1, inertia=0.01)
    ball = fx.Spherical("ball", fx.ground, arm.at(-0.3, 0, 0))
    rubs = fx.Friction("rubs", ball, 0.1, variable=variable, radius=0.01, **model)
    with pytest.raises(LawError, match=r"'rubs': the middle angle of its joint .* within 1° of 90°"):
        fx.Model("falls", [arm, ball, rubs], gravity=(0, 0, -G)).dynamics(until=1, step=0.005, **QUIET)


def test_an_eliminated_joint_with_a_given_load() -> None:
    model = block_on_slope(0.0, 0.3, 2.0, load=2 * G)
    items = [i.replace(enforcement="elimination") if i.name == "slide" else i for i in model.items]
    runs = [each.dynamics(until=1, step=0.01, **QUIET) for each in (model, model.replace(items=items))]
    for run in runs:
        assert run["slide.displacement"][-1] == pytest.approx(4 / (0.6 * G), abs=1e-9)


def test_at_rest_it_holds_like_its_asperities() -> None:
    """Statics: held where it is drawn, or no equilibrium; modes: the block vibrates on its asperities, κ = μ m g/ε."""
    model = block_on_slope(np.radians(30), 0.6)
    rest = model.statics()
    assert rest["slide.displacement"] == pytest.approx(2 * G * 0.5 / (0.6 * 2 * G / 1e-6), rel=1e-6)
    assert rest["dry.force"] == pytest.approx(-G, rel=1e-9)
    with pytest.raises(SolveError):
        block_on_slope(np.radians(30), 0.5).statics()
    omega = 2 * np.pi * model.modes(1).frequencies[0]
    assert omega == pytest.approx(np.sqrt(0.6 * G / 1e-6), rel=1e-6)
    run = model.dynamics(until=0.1, step=0.01, start="equilibrium", **QUIET)
    assert np.ptp(run["slide.displacement"]) < 1e-12


def test_a_spring_pulls_a_block_until_friction_holds_it() -> None:
    """Statics from a stretched spring: it yields until k x = μ m g is left."""
    model = block_on_slope(0.0, 0.3)
    spring = fx.JointSpring("spring", "slide", stiffness=100, free=0.5)
    rest = model.replace(items=[*model.items, spring]).statics()
    assert 100 * (0.5 - rest["slide.displacement"]) == pytest.approx(0.3 * 2 * G, rel=1e-6)


def test_modes_while_it_slides_by_a_reaction_are_refused() -> None:
    run = block_on_slope(0.0, 0.3, 2.0).dynamics(until=0.1, step=0.01, **QUIET)
    with pytest.raises(SolveError, match="depends on the reaction"):
        run.model.modes(1, start=run)


def test_friction_by_sensors() -> None:
    """A coefficient that grows with the way, μ = 0.1 + s: ½ v² = g (0.1 s + ½ s²) to rest."""
    model = block_on_slope(0.0, fx.polynomial(0.1, 1.0, sensor="way"), 1.0)
    way, force = fx.Sensor("way", "slide.displacement"), fx.Sensor("rub", "dry.force")
    run = model.replace(items=[*model.items, way, force]).dynamics(until=1.5, step=0.005, **QUIET)
    expected = -0.1 + np.sqrt(0.01 + 1 / G)
    assert run["slide.displacement"][-1] == pytest.approx(expected, rel=1e-4)
    np.testing.assert_allclose(run["rub.value"], run["dry.force"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("model", ["tanh", "ramp"])
def test_smooth_friction_is_nearly_the_same_while_it_slides(model: str) -> None:
    run = block_on_slope(0.0, 0.3, 2.0, model=model, smooth_speed="1 mm/s").dynamics(until=1, step=0.002, **QUIET)
    assert run["slide.displacement"][-1] == pytest.approx(4 / (0.6 * G), abs=5e-4)
    slow = block_on_slope(np.radians(20), 0.6, model=model, smooth_speed="1 mm/s").dynamics(until=1, step=0.01, **QUIET)
    assert 1e-4 < slow["slide.displacement"][-1] < 1e-3  # it creeps


def test_viscous_friction_alone() -> None:
    run = block_on_slope(0.0, 0.0, 2.0, viscous="3 N*s/m").dynamics(until=1, step=0.005, **QUIET)
    assert run["slide.displacement_rate"][-1] == pytest.approx(2 * np.exp(-1.5), rel=1e-5)


@pytest.mark.parametrize("torque", [0.3, 6.0])
def test_in_all_joints_of_a_closed_loop(torque: float) -> None:
    """A parallelogram with friction in its four joints: at rest the forces that hold it are not unique, and it still holds; if it moves,
    each turns by the same angle: 4 T |φ̇| is lost, I φ̈ = m g l cos φ − 4 T."""
    left, right = (fx.RigidBody(n, mass=1e-4, inertia=1e-4, position=(0, y, 0)) for n, y in (("left", 0), ("right", 1)))
    rod = fx.RigidBody("rod", mass=2, inertia=0.1, position=(1, 0.5, 0))
    joints = [
        fx.Revolute("a", fx.ground.at(0, 0, 0), left, axis="z"),
        fx.Revolute("b", fx.ground.at(0, 1, 0), right, axis="z"),
        fx.Revolute("c", left.at(1, 0, 0), rod.at(0, -0.5, 0), axis="z"),
        fx.Revolute("d", right.at(1, 0, 0), rod.at(0, 0.5, 0), axis="z"),
    ]
    rubs = [fx.Friction(f"f{i}", joint, prestress=torque) for i, joint in enumerate("abcd")]
    model = fx.Model("loop", [left, right, rod, *joints, *rubs], gravity=(0, -G, 0))
    with pytest.warns(UserWarning, match="redundant"):
        run = model.dynamics(until=0.3, step=0.005, **QUIET)
    if torque == 6.0:
        assert np.abs(run["a.angle"]).max() < 1e-5
        assert all(run[f"f{i}.sticks"][-1] == 1 for i in range(4))
        return
    exact = solve_ivp(
        lambda _, y: [y[1], -G * np.cos(y[0]) + 4 * torque / 2], (0, 0.3), [0, 0], rtol=1e-10, atol=1e-12
    ).y[0, -1]
    assert run["a.angle"][-1] == pytest.approx(exact, rel=1e-3)
    assert run["energy.dissipated"][-1] == pytest.approx(4 * torque * abs(exact), rel=1e-3)


def test_in_all_joints_of_a_chain() -> None:
    """Many transitions, several at a time: nothing is cut back, and energy is accounted for."""
    links = [fx.RigidBody(f"l{i}", mass=1, inertia=0.1, position=(i + 0.5, 0, 0)) for i in range(4)]
    before = [fx.ground.at(0, 0, 0), *(link.at(0.5, 0, 0) for link in links)]
    joints = [fx.Revolute(f"j{i}", before[i], link.at(-0.5, 0, 0), axis="y") for i, link in enumerate(links)]
    rubs = [fx.Friction(f"f{i}", f"j{i}", 0.4, radius=0.15, stribeck=0.5, slip_speed=0.1) for i in range(len(links))]
    model = fx.Model("chain", [*links, *joints, *rubs], gravity=(0, 0, -G))
    run = model.dynamics(until=5, step=0.005, **QUIET)
    assert 40 < run.history["transitions"].sum() < 200
    assert run.history["cut_backs"].sum() == 0
    assert np.ptp(run["energy.check_sum"]) < 1e-3 * run["energy.dissipated"][-1]


@pytest.mark.parametrize("step", [1e-3, 0.7e-3])
def test_it_sticks_where_a_motor_has_stopped(step: float) -> None:
    """Also where the last step before was a little too far, and back."""
    wheel = fx.RigidBody("wheel", mass=1, inertia=0.1)
    pin = fx.Revolute("pin", fx.ground, wheel)
    seal = fx.Friction("seal", pin, prestress=1.0)
    motor = fx.Motor("motor", pin, position=fx.ramp(0, 2, over=1, start=0.1))
    run = fx.Model("stops", [wheel, pin, seal, motor]).dynamics(until=1.2, step=step, show=False)
    moves, stands = (run.time > 0.11) & (run.time < 1.09), run.time > 1.102
    assert np.all(run["seal.sticks"].values[moves] == 0)
    assert np.all(run["seal.sticks"].values[stands] == 1)
    assert run["motor.torque"].values[stands] == pytest.approx(-run["seal.torque"].values[stands], abs=1e-9)
