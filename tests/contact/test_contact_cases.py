"""Mechanisms with contact, against closed forms, invariants and independent integration."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import flexor as fx

G = 9.81


def ball(name, radius, mass, **at):
    """A solid sphere."""
    return fx.RigidBody(name, mass, 0.4 * mass * radius**2, shapes=[fx.Sphere(radius)], **at)


def test_a_row_of_balls_that_touch():
    """One hits seven that lie in contact: the blow runs through all of them at once, and several leave. Against `solve_ivp` with N = K δ^1.5.

    Contacts at rest which a blow runs through are followed as closely as the blow needs, not as their own speed would.
    """
    r, m, n = 0.02, 0.1, 8
    law = fx.Penalty(1e9, exponent=1.5)
    balls = [ball(f"b{i}", r, m, position=(2 * r * i - (1e-4 if i == 0 else 0), 0, 0), velocity=(1.0 * (i == 0), 0, 0)) for i in range(n)]  # fmt: skip
    contacts = [fx.Contact(f"c{i}", balls[i], balls[i + 1], law) for i in range(n - 1)]
    run = fx.Model("row", [*balls, *contacts]).dynamics(until=1.5e-3, step=1e-4, show=False)

    def rates(_t, y):
        x, v = np.split(y, 2)
        force = law.stiffness * np.maximum(x[:-1] - x[1:], 0.0) ** 1.5
        return np.concatenate([v, (np.append(0.0, force) - np.append(force, 0.0)) / m])

    begin = np.concatenate([[-1e-4], np.zeros(n - 1), [1.0], np.zeros(n - 1)])
    expected = solve_ivp(rates, (0, 1.5e-3), begin, rtol=1e-9, atol=1e-12, max_step=1e-5).y[n:, -1]
    found = [run[f"b{i}.velocity_x"][-1] for i in range(n)]
    assert found == pytest.approx(expected, abs=2e-3)
    assert len(run.history["step_size"]) < 350


def test_what_slides_at_the_start_rubs_at_once():
    """A block under its own weight, thrown with 2 m/s: −μ g from the first instant on, without a step in which it would not rub."""
    block = fx.RigidBody("block", 2.0, 0.01, position=(0, 0, 0.01 - 2 * G / 4e6), velocity=(2, 0, 0), shapes=[fx.Box(0.2, 0.2, 0.02)])  # fmt: skip
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), block, fx.Penalty(1e6), friction=0.3)
    run = fx.Model("thrown", gravity=(0, 0, -G), items=[block, floor]).dynamics(until=0.02, step=5e-3, show=False)
    assert run["floor.friction_force"].values == pytest.approx(0.3 * 2 * G, rel=1e-6)
    assert run["block.acceleration_x"][0] == pytest.approx(-0.3 * G, rel=1e-9)
    assert run["floor.sticks"][0] == 0
    np.testing.assert_allclose(run["block.velocity_x"].values, 2 - 0.3 * G * run.time, atol=1e-8)


@pytest.mark.parametrize("speed", [-3.0, 3.0])
def test_what_spins_or_rolls_at_the_start_is_resisted_at_once(speed):
    """I ω̇ = −ρ m g sign ω of a ball that spins upright; one that rolls, with I + m r² about the point that it rolls on."""
    m, r, arm = 1.0, 0.05, 1e-3
    rub = fx.ContactFriction(0.5, rolling=arm, spinning=arm)
    for spin, roll in ((speed, 0.0), (0.0, speed)):
        rolling = ball(
            "ball", r, m, position=(0, 0, r - m * G / 1e7), velocity=(r * roll, 0, 0), angular_velocity=(0, roll, spin)
        )
        floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), rolling, fx.Penalty(1e7), friction=rub)
        run = fx.Model("turns", gravity=(0, 0, -G), items=[rolling, floor]).dynamics(until=0.02, step=5e-3, show=False)
        inertia = 0.4 * m * r**2 + (m * r**2 if roll else 0.0)
        signal = run["ball.angular_velocity_y" if roll else "ball.angular_velocity_z"].values
        rate = -np.sign(speed) * arm * m * G / inertia
        np.testing.assert_allclose(signal, speed + rate * run.time, rtol=1e-4)


@pytest.mark.parametrize(("share", "slips"), [(0.97, True), (1.03, False)])
def test_a_sphere_on_an_incline_changes_from_rolling_to_slipping(share, slips):
    """At μ = ²⁄₇ tan α; ⁵⁄₇ g sin α is its acceleration while it rolls, g (sin α − μ cos α) with little of a difference beyond."""
    alpha, r = np.radians(30), 0.05
    mu = share * 2 / 7 * np.tan(alpha)
    rub = fx.ContactFriction(mu, micro_slip=1e-9)
    rolling = ball("ball", r, 1.0, position=(0, 0, r - G * np.cos(alpha) / 1e7))
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), rolling, fx.Penalty(1e7), friction=rub)
    gravity = (G * np.sin(alpha), 0, -G * np.cos(alpha))
    run = fx.Model("incline", gravity=gravity, items=[rolling, floor]).dynamics(until=0.3, step=1e-3, show=False)
    a = G * (np.sin(alpha) - mu * np.cos(alpha)) if slips else 5 / 7 * G * np.sin(alpha)
    assert run["ball.velocity_x"][-1] == pytest.approx(a * 0.3, rel=1e-3)
    slip = run["ball.velocity_x"][-1] - r * run["ball.angular_velocity_y"][-1]
    expected = a - 2.5 * mu * G * np.cos(alpha) if slips else 0.0
    assert slip == pytest.approx(0.3 * expected, abs=2e-4)
    assert run["floor.sticks"][-1] == (0 if slips else 1)


def test_billiard_balls_roll_after_they_slid():
    """A rolling ball hits another one on a table: right after the blow one keeps its spin, two has none; friction makes one roll with ²⁄₇ v, two with ⁵⁄₇ v."""
    r, m, v, mu = 0.03, 0.17, 1.0, 0.2
    height = r - m * G / 1e6
    one = ball("one", r, m, position=(0, 0, height), velocity=(v, 0, 0), angular_velocity=(0, v / r, 0))
    two = ball("two", r, m, position=(2 * r + 5e-3, 0, height))
    table = [fx.Contact(f"under_{b.name}", fx.ground.surface(fx.Plane()), b, fx.Penalty(1e6), friction=mu) for b in (one, two)]  # fmt: skip
    hit = fx.Contact("hit", one, two, fx.Penalty(1e7))
    run = fx.Model("billiard", gravity=(0, 0, -G), items=[one, two, *table, hit]).dynamics(until=0.25, step=1e-3, show=False)  # fmt: skip
    t, begin, ends = run.time, 5e-3 / v, 2 / 7 * v / (mu * G)
    slides = (t > begin + 5e-3) & (t < begin + ends - 0.01)
    s = t[slides] - begin
    np.testing.assert_allclose(run["one.velocity_x"].values[slides], mu * G * s, atol=5e-3)
    np.testing.assert_allclose(run["two.velocity_x"].values[slides], v - mu * G * s, atol=5e-3)
    for name, part in (("one", 2 / 7), ("two", 5 / 7)):
        assert run[f"{name}.velocity_x"][-1] == pytest.approx(part * v, rel=5e-3)
        assert run[f"{name}.angular_velocity_y"][-1] * r == pytest.approx(part * v, rel=5e-3)


@pytest.mark.parametrize("share", [0.9, 0.99, 1.01])
def test_a_table_on_three_points_tips_over(share):
    """Pushed at the height h above its feet it tips about the line of two of them at F h = m g d, d their distance from the weight.

    Below, the third foot carries (m g d − F h)/ℓ, ℓ its distance from that line; beyond, there is no equilibrium, and it lifts.
    """
    m, h, d, radius = 10.0, 0.5, 0.2, 0.05
    table = fx.RigidBody("table", m, 1.0, position=(0, 0, h - 3e-5))
    feet = [(0.4, 0.0), (-d, 0.25), (-d, -0.25)]
    law = fx.Penalty(1e6, damping=10.0)
    contacts = [
        fx.Contact(f"foot{i}", fx.ground.surface(fx.Plane()), table.at(x, y, radius - h).surface(fx.Sphere(radius)), law, friction=0.9)
        for i, (x, y) in enumerate(feet)
    ]  # fmt: skip
    force = share * m * G * d / h
    push = fx.PointForce("push", table, direction=(-1, 0, 0), force=fx.Ramp(0, force, over=0.2) if share > 1 else force)
    model = fx.Model("table", gravity=(0, 0, -G), items=[table, *contacts, push])
    if share < 1:
        found = model.statics()
        assert found["foot0.normal_force"] == pytest.approx((1 - share) * m * G * d / (0.4 + d), abs=0.01)
        return
    run = model.dynamics(until=1.0, step=2e-3, show=False)
    gap = run["foot0.gap"].values
    assert gap[run.time < 0.15].max() < 0
    assert gap[-1] > 5e-3
    assert run["foot1.normal_force"][-1] + run["foot2.normal_force"][-1] == pytest.approx(m * G, rel=0.05)


def test_a_tippe_top_turns_over():
    """A ball whose centre of mass is a beside its own: Jellett's −L·s, s from the centre of mass to the floor, stays whatever friction does, which presses in s.

    So upside down it spins with ω₀ (R cos θ₀ − a)/(R + a). To rise by 2a takes the energy of a spin of 42 rad/s; a slower one stays below.
    """
    R, a, m, tilt, K = 0.02, 0.004, 0.02, 0.4, 1e5
    inertia = 0.4 * m * R**2
    n = np.array([0.0, -np.sin(tilt), np.cos(tilt)])
    rub = fx.ContactFriction(0.3, model="smooth", smooth_speed=0.2)
    for spin, until in ((120.0, 2.2), (30.0, 0.5)):
        at = np.array([0, 0, R - m * G / K]) - a * n
        orientation = (np.cos(tilt / 2), np.sin(tilt / 2), 0, 0)
        top = fx.RigidBody("top", m, inertia, position=at, orientation=orientation, angular_velocity=spin * n, shapes=[fx.Sphere(R, at=(0, 0, a))])  # fmt: skip
        floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), top, fx.Penalty(K), friction=rub)
        run = fx.Model("tippe top", gravity=(0, 0, -G), items=[top, floor]).dynamics(until=until, step=5e-4, show=False)
        w, x, y, z = run["top.orientation"].values.T
        axis = np.column_stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x**2 + y**2)])
        L = inertia * run["top.angular_velocity"].values
        jellett = np.sum(L * (R * np.array([0, 0, 1]) - a * axis), axis=1)
        np.testing.assert_allclose(jellett, jellett[0], rtol=3e-4)
        if spin < 42:
            assert axis[:, 2].min() > 0.5
        else:
            assert axis[-1, 2] < -0.95
            assert run["top.position_z"][-1] > R + 0.95 * a
            assert run["top.angular_velocity_z"][-1] == pytest.approx(spin * (R * np.cos(tilt) - a) / (R + a), rel=0.02)
        assert run["energy.dissipated"][-1] > 0
        assert np.ptp(run["energy.check_sum"].values) < 1e-3 * run["energy.kinetic"][0]


def test_dominoes():
    """A row of five: the first one hits the second after the time that its turn about the front edge takes (a quadrature); then the wave.

    When each has turned by 20° is told by MuJoCo 4.0 with the same friction at steps of 10 µs and a stiff contact (solref 0.3 ms).
    """
    height, thick, wide, pitch, speed, K = 48e-3, 7.5e-3, 24e-3, 25e-3, 3.0, 1e5
    m = 1000 * height * thick * wide
    inertia = (m / 12 * (wide**2 + height**2), m / 12 * (thick**2 + height**2), m / 12 * (thick**2 + wide**2))
    stones = [
        fx.RigidBody(f"d{i}", m, inertia, position=(i * pitch, 0, height / 2 - m * G / (4 * K)), shapes=[fx.Box(thick, wide, height)],
                     velocity=(speed * height / 2, 0, speed * thick / 2) if i == 0 else (0, 0, 0), angular_velocity=(0, speed * (i == 0), 0))
        for i in range(5)
    ]  # fmt: skip
    law = fx.Penalty(K, restitution=0.3)
    floor = [fx.Contact(f"f{i}", fx.ground.surface(fx.Plane()), stone, law, friction=0.5) for i, stone in enumerate(stones)]  # fmt: skip
    hits = [fx.Contact(f"c{i}", stones[i], stones[i + 1], law, friction=0.2) for i in range(4)]
    run = fx.Model("dominoes", gravity=(0, 0, -G), items=[*stones, *floor, *hits]).dynamics(until=0.4, step=5e-4, show=False)  # fmt: skip

    about_edge = inertia[1] + m * (thick**2 + height**2) / 4

    def rise(theta):
        return height / 2 * np.cos(theta) + thick / 2 * np.sin(theta)

    meets = quad(lambda theta: 1 / np.sqrt(speed**2 + 2 * m * G * (rise(0) - rise(theta)) / about_edge), 0, np.arcsin((pitch - thick) / height))[0]  # fmt: skip
    assert run.time[np.argmax(run["c0.deepest"].values > 0)] == pytest.approx(meets, abs=6e-4)
    expected = [0.180161, 0.287110, 0.344033, 0.385359]
    for i, when in enumerate(expected):
        w, _, y, _ = run[f"d{i}.orientation"].values.T
        assert np.interp(np.radians(20), 2 * np.arctan2(y, w), run.time) == pytest.approx(when, rel=3e-3)


def involute(base, begin, end, behind):
    """A cam with a flank that unwinds from a circle between two angles, closed by lines through `behind` (angle, part of its reach)."""
    t = np.linspace(begin, end, 25)
    flank = base * np.column_stack([np.cos(t) + t * np.sin(t), np.sin(t) - t * np.cos(t)])
    reach, at = np.linalg.norm(flank[-1]), np.arctan2(flank[-1, 1], flank[-1, 0])
    back = behind[1] * reach * np.array([np.cos(at + behind[0]), np.sin(at + behind[0])])
    points = [*flank, (flank[-1] + back) / 2, back, (back + flank[0]) / 2]
    return fx.Extruded(fx.Profile([tuple(map(float, p)) for p in points], kind="arcs", closed=True), 0.01)


def test_involute_cams_keep_their_ratio():
    """Flanks that unwind from circles of 40 and 60 mm turn as these, −2/3, at any centre distance; their force is M/r_b, as constant as the load M."""
    base, distance, load, speed, K = (40e-3, 60e-3), 110e-3, 6.0, 2.0, 2e7
    gamma = np.arccos(sum(base) / distance)  # of the line of action
    roll = [0.35, (distance * np.sin(gamma) - 0.35 * base[0]) / base[1]]
    one = fx.RigidBody("one", 0.5, 1e-3, shapes=[involute(base[0], 0.2, 1.0, (1.2, 0.5))])
    two = fx.RigidBody("two", 0.5, 1e-3, shapes=[involute(base[1], 0.05, 0.75, (1.2, 0.5))])
    sunk = load / base[1] / K / base[1]
    items = [
        one, two,
        fx.Revolute("axle", fx.ground, one, axis="z", start=gamma - roll[0]),
        fx.Revolute("shaft", fx.ground.at(distance, 0, 0), two, axis="z", start=np.pi + gamma - roll[1] - sunk),
        fx.Motor("drive", joint="axle", speed=-speed),
        fx.PointTorque("load", two, direction="z", torque=-load),
        fx.Contact("flanks", one, two, fx.Penalty(K, damping=10.0)),
    ]  # fmt: skip
    turned = speed * base[0] / base[1]
    items[1] = two.replace(angular_velocity=(0, 0, turned))
    run = fx.Model("cams", items).dynamics(until=0.25, step=1e-3, show=False)
    angle = run["shaft.angle"].values - run["shaft.angle"][0]
    later = run.time > 0.02
    np.testing.assert_allclose(angle, turned * run.time, atol=5e-6)
    np.testing.assert_allclose(run["flanks.normal_force"].values[later], load / base[1], rtol=5e-3)
    np.testing.assert_allclose(run["drive.torque"].values[later], -load * base[0] / base[1], rtol=5e-3)
    way = np.ptp(run["flanks.point_x"].values), np.ptp(run["flanks.point_y"].values)
    assert np.hypot(*way) > 0.01  # the point of contact has moved over the flank


@pytest.mark.parametrize("analysis", ["statics", "dynamics"])
def test_a_chain_hangs_on_a_hook(analysis):
    """Rings, each through the next: every contact carries the weight of all below, of a hundred at rest to eight digits; twenty that fall by a micrometre each come to rest."""
    n, ring, wire = 100 if analysis == "statics" else 20, 0.015, 0.003
    m = 7850 * 2 * np.pi**2 * ring * wire**2
    across, along = m * (0.5 * ring**2 + 5 / 8 * wire**2), m * (ring**2 + 0.75 * wire**2)
    links, contacts, above = [], [], fx.ground.surface(fx.Torus(ring, wire, axis="x"))
    for i in range(n):
        axis, inertia = ("y", (across, along, across)) if i % 2 == 0 else ("x", (along, across, across))
        at = (0, 0, -(i + 1) * (2 * (ring - wire) + 1e-6))
        links.append(fx.RigidBody(f"link{i}", m, inertia, position=at, shapes=[fx.Torus(ring, wire, axis=axis)]))
        contacts.append(fx.Contact(f"c{i}", above, links[-1], fx.Penalty(1e7, restitution=0.5), friction=0.3))
        above = links[-1]
    chain = fx.Model("chain", gravity=(0, 0, -G), items=[*links, *contacts])
    if analysis == "statics":
        found = chain.statics()
        forces = [found[f"c{i}.normal_force"] for i in range(n)]
    else:
        run = chain.dynamics(until=0.4, step=1e-3, show=False)
        forces = [run[f"c{i}.normal_force"][-1] for i in range(n)]
        assert np.abs(run[f"link{n - 1}.velocity"].values[-1]).max() < 1e-6
    assert forces == pytest.approx(m * G * np.arange(n, 0, -1), rel=2e-8 if analysis == "statics" else 1e-6)


def test_degenerate_models_are_refused_or_have_a_normal():
    """A body on itself, no radius, centres that coincide: refused in words, or answered with a defined direction; never NaN."""
    one = ball("one", 0.1, 1.0)
    for a, b in ((one, one), (one.surface(fx.Sphere(0.1)), one.at(0.3, 0, 0).surface(fx.Sphere(0.1)))):
        with pytest.raises(fx.ModelError, match="contact 'c': it connects body 'one' with itself"):
            fx.Model("itself", [one, fx.Contact("c", a, b, fx.Penalty(1e5))]).check()
    for shape in (lambda: fx.Sphere(0), lambda: fx.Torus(0.1, 0), lambda: fx.Cylinder(0, 1), lambda: fx.Cone(0, 1, top=0)):  # fmt: skip
        with pytest.raises(fx.ModelError, match=r"greater than 0|radii are zero"):
            shape()
    two = one.replace(name="two")
    model = fx.Model("coincident", [one, two, fx.Contact("c", one, two, fx.Penalty(1e5))])
    assert "overlap by 0.2 m at the start" in str(model.check())
    with pytest.warns(fx.DoubtfulModel):
        run = model.dynamics(until=0.01, step=1e-3, show=False)
    np.testing.assert_allclose(run["one.position"].values, -run["two.position"].values, atol=1e-12)
    assert abs(run["one.velocity_z"][-1]) == pytest.approx(np.sqrt(1e5 * 0.2**2 / 2), rel=2e-3)  # ½ K δ² in both


def test_open_prisms_that_are_tilted_are_told():
    """They touch other prisms at one height: what their ends hide is named; balls see all, and closed ones are seen at any angle."""
    profile = fx.Profile([(0.1, 0), (0, 0.1), (-0.1, 0), (0, -0.1)], kind="lines", closed=True)
    road = fx.Extruded(fx.Profile([(-1, 0), (0, 0.1), (1, 0)], kind="lines"), 0.2)
    for shape, other_one, angle, told in (
        (road, fx.Extruded(profile, 0.3), 10, True), (road, fx.Extruded(profile, 0.3), 0.5, False), (road, fx.Sphere(0.1), 10, False),
        (fx.Extruded(profile, 0.2), fx.Extruded(profile, 0.3), 10, False), (fx.Extruded(profile, 0.2), fx.Box(0.2, 0.2, 0.2), 10, False),
    ):  # fmt: skip
        half = np.radians(angle / 2)
        cam = fx.RigidBody("cam", 1.0, 0.01, shapes=[shape])
        other = fx.RigidBody("other", 1.0, 0.01, position=(0, 0.5, 0), orientation=(np.cos(half), np.sin(half), 0, 0), shapes=[other_one])  # fmt: skip
        for ends in ((cam, other), (other, cam)):
            found = str(fx.Model("cams", [cam, other, fx.Contact("c", *ends, fx.Penalty(1e5))]).check())
            assert ("contact 'c': the axis of its open prism is 10° off" in found) == told
            assert ("overlap by 0.0174 m unseen" in found) == told


@pytest.mark.parametrize("cam_first", [True, False])
def test_a_cam_that_holds_its_follower_needs_no_short_steps(cam_first):
    """An eccentric disc turns below a flat follower, F = F₀ + k s − m e ω² cos ωt: pressed more than a penalty of 1 mm/s follows at rest, and no impact.

    In the axes of the disc the normal turns while ġ stays next to zero: steps of 20 ns before.
    """
    radius, e, w, m, k, preload = 0.03, 4e-3, 300.0, 0.2, 8e3, 120.0
    cam = fx.RigidBody("cam", 1, 1e-3, shapes=[fx.Cylinder(radius, 0.02, at=(0, e, 0))])
    follower = fx.RigidBody(
        "follower", m, 1e-4, position=(0, radius + e, 0), velocity=(0, 0, 0), shapes=[fx.Plane("-y")]
    )
    ends = (cam, follower) if cam_first else (follower, cam)
    items = [
        cam,
        follower,
        fx.Revolute("shaft", fx.ground, cam, axis="z", start_rate=w),
        fx.Motor("drive", joint="shaft", speed=w),
        fx.Prismatic("guide", fx.ground.at(0, radius + e, 0), follower, axis="y"),
        fx.JointSpring("spring", "guide", stiffness=k, free=-preload / k),
        fx.Contact("touch", *ends, fx.Penalty("2e7 N/m", restitution=0.1)),
    ]
    turn = 2 * np.pi / w
    run = fx.Model("cam", items).dynamics(until=turn, step=turn / 720, show=False)
    angle = w * run.time
    expected = preload + k * e * (np.cos(angle) - 1) - m * e * w**2 * np.cos(angle)
    settled = run.time > 0.2 * turn
    np.testing.assert_allclose(run["touch.normal_force"].values[settled], expected[settled], atol=0.03 * expected.max())
    assert len(run.history["step_size"]) < 1000
