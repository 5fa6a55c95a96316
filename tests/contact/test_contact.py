"""Contact of surfaces: closed forms of forces, impacts and friction; the laws are tested in `tests/laws`."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

G = 9.81


def ball(name="ball", radius=0.05, mass=1.0, **at):
    """A solid sphere."""
    return fx.RigidBody(name, mass, 0.4 * mass * radius**2, shapes=[fx.Sphere(radius)], **at)


def on_floor(body, law, gravity=G, **more):
    """A body over a plane z = 0."""
    contact = fx.Contact("floor", fx.ground.surface(fx.Plane()), body, law, **more)
    return fx.Model("floor", gravity=(0, 0, -gravity), items=[body, contact])


def test_hertz_of_two_spheres():
    """F = 4/3 E* √R δ^1.5 = 586 080.586 N: E 20 000 MPa, ν 0.3, radii 50 mm, 4 mm nearer (code_aster SSNV104)."""
    material = fx.Isotropic("20000 MPa", 0.3)
    one = fx.RigidBody("one", 1.0, 1.0, shapes=[fx.Sphere(0.05)])
    two = one.replace(name="two")
    held = [fx.Fixed("left", fx.ground, one), fx.Fixed("right", fx.ground.at(0.096, 0, 0), two)]
    model = fx.Model("spheres", items=[one, two, *held, fx.Contact("touch", one, two, fx.Hertz(material))])
    with pytest.warns(
        fx.DoubtfulModel, match="overlap by 0.004 m at the start; it begins with a force of 5.86e\\+05 N"
    ):
        found = model.statics()
    assert found["touch.normal_force"] == pytest.approx(586080.586, rel=1e-6)
    assert found["touch.gap"] == pytest.approx(-0.004, rel=1e-9)
    assert found["touch.point"] == pytest.approx((0.048, 0, 0), abs=1e-12)


def test_hertz_impact():
    """Deepest approach (15 m v²/(16 E* √R))^0.4 and duration 2.9432 δ/v (Johnson 1985, 11.1), with steps far longer than that."""
    m, v, r = 0.3, 2.0, 0.05
    steel = fx.Steel()
    E = steel.young / (2 * (1 - steel.poisson**2))
    deepest = (15 * m * v**2 / (16 * E * np.sqrt(r))) ** 0.4
    duration = 2.9432 * deepest / v
    drop = ball(radius=r, mass=m, position=(0, 0, r + 0.01), velocity=(0, 0, -v))
    run = on_floor(drop, fx.Hertz(steel), gravity=0).dynamics(until=0.02, step=1e-3, show=False)
    assert duration < 0.2 * 1e-3
    assert run["floor.deepest"][-1] == pytest.approx(deepest, rel=3e-3)
    # it comes back to where it was after the time for way and impact, with its speed
    late = run.time[-1] - 0.01 / v - duration
    assert run["ball.position_z"][-1] - r == pytest.approx(v * late, rel=2e-3)
    assert run["ball.velocity_z"][-1] == pytest.approx(v, rel=2e-3)


def test_bouncing_ball():
    """Impact times and rebound speeds of a ball that falls 1 m, e = 0.7 (Modelica Reference FMUs, BouncingBall)."""
    times = [0.4515236409857, 1.083656738365754, 1.52614990653177, 1.835895124247982]
    speeds = [3.100612842649, 2.17042898985431, 1.519300292898, 1.06351020502861]
    drop = ball(position=(0, 0, 1.05))
    run = on_floor(drop, fx.Penalty(1e9, restitution=0.7)).dynamics(until=2.0, step=5e-3, impact_steps=100, show=False)
    t, z, v = run.time, run["ball.position_z"].values - 0.05, run["ball.velocity_z"].values
    ends = [*times[1:], 2.05]
    for begin, end, speed in zip(times, ends, speeds, strict=True):
        flies = (t > begin + 1e-3) & (t < end - 1e-3)
        s = t[flies] - begin
        np.testing.assert_allclose(v[flies], speed - G * s, atol=4e-3 * speeds[0])
        np.testing.assert_allclose(z[flies], speed * s - 0.5 * G * s**2, atol=2e-3)


PUBLISHED = {
    "hunt_crossley": lambda e, v: 3 * (1 - e) / (2 * v),  # Hunt & Crossley, J. Appl. Mech. 42 (1975) 440
    "lankarani_nikravesh": lambda e, v: 3 * (1 - e**2) / (4 * v),  # Lankarani & Nikravesh, J. Mech. Design 112 (1990) 369
    "flores": lambda e, v: 8 * (1 - e) / (5 * e * v),  # Flores et al., Multibody Syst. Dyn. 25 (2011) 357
}  # fmt: skip
"""χ of N = K δⁿ (1 + χ δ̇), by the coefficient of restitution and the speed at which surfaces meet, as published."""


@pytest.mark.parametrize("exponent", [1.0, 1.5])
@pytest.mark.parametrize("dissipation", ["exact", *PUBLISHED])
def test_every_dissipation_leaves_its_part_of_the_speed(dissipation, exponent):
    """Impact of m δ̈ = −K δⁿ (1 + χ δ̇) by SciPy: speed of the rebound, force over depth on the way in and out. The exact law: e v, whatever n.

    The published ones leave 0.71, 0.76 and 0.58 of the speed where 0.6 is asked for (theory 39).
    """
    asked, v, K = 0.6, 3.0, 1e7
    law = fx.Penalty(K, exponent=exponent, restitution=asked, dissipation=dissipation)
    drop = ball(position=(0, 0, 0.05 + 1e-6), velocity=(0, 0, -v))
    until = 1.5e-3 if exponent == 1 else 8e-3
    run = on_floor(drop, law, gravity=0).dynamics(until=until, step=until / 300, impact_steps=200, show=False)
    left = run["ball.velocity_z"][-1] / v
    assert run["floor.gap"][-1] > 0
    assert run["energy.dissipated"][-1] == pytest.approx(0.5 * v**2 * (1 - left**2), rel=1e-3)
    if dissipation == "exact":
        assert left == pytest.approx(asked, rel=2e-4)
        return

    chi = PUBLISHED[dissipation](asked, v)

    def force(y):
        return K * np.maximum(y[0], 0) ** exponent * (1 + chi * y[1])

    def parted(_t, y):
        return y[0] + 1e-15

    parted.terminal, parted.direction = True, -1
    impact = solve_ivp(lambda _t, y: (y[1], -force(y)), (0, until), (0, v), rtol=1e-10, atol=1e-14, events=parted, dense_output=True)  # fmt: skip
    assert left == pytest.approx(-impact.y[1, -1] / v, rel=2e-4)
    assert left == pytest.approx({"hunt_crossley": 0.71, "lankarani_nikravesh": 0.76, "flores": 0.58}[dissipation], abs=5e-3)  # fmt: skip

    expected = impact.sol(np.linspace(0, impact.t[-1], 4001))
    deepest = np.argmax(expected[0])
    depth, speed, N = -run["floor.gap"].values, -run["ball.velocity_z"].values, run["floor.normal_force"].values
    for way, by_depth in ((speed > 0, expected[:, : deepest + 1]), (speed <= 0, expected[:, :deepest:-1])):
        at = way & (depth > 0) & (depth < 0.97 * expected[0, deepest])
        assert at.sum() > 20
        np.testing.assert_allclose(N[at], np.interp(depth[at], by_depth[0], force(by_depth)), atol=1e-3 * N.max())


def test_a_bullet_does_not_pass_through_a_sheet():
    """500 m/s against 1 mm at steps of 1 ms, in which it flies half a metre: it stops or bounces, and momentum is kept."""
    bullet = ball("bullet", 0.004, 0.008, position=(-0.3, 0.001, 0), velocity=(500, 0, 0))
    sheet = fx.RigidBody("sheet", 0.5, 1e-3, shapes=[fx.Box(0.001, 0.2, 0.2)])
    hit = fx.Contact("hit", sheet, bullet, fx.Penalty(1e8, restitution=0.5))
    run = fx.Model("shot", items=[bullet, sheet, hit]).dynamics(until=2e-3, step=1e-3, show=False)
    p = 0.008 * run["bullet.velocity_x"].values + 0.5 * run["sheet.velocity_x"].values
    assert p == pytest.approx(np.full(3, 4.0), rel=1e-9)
    assert run["hit.deepest"][-1] > 1e-4
    away = run["sheet.velocity_x"][-1] - run["bullet.velocity_x"][-1]
    assert away == pytest.approx(0.5 * 500, rel=0.02)


def block(**more):
    return fx.RigidBody("block", 2.0, (0.01, 0.01, 0.01), shapes=[fx.Box(0.2, 0.2, 0.02)], **more)


@pytest.mark.parametrize(
    ("position", "velocity"),
    [
        ((0, 0, -0.0035), (0, 0, 50)),
        ((0, 0, -0.0035 + 1e-12), (0, 0, 50)),
        ((0.08879, -0.193626, -0.354132), (-27.616, 41.4743, 86.702)),  # a step ends where it has sunk in by 1 nm
    ],
    ids=["touches at the start", "overlaps by a trifle", "has just met at the end of a step"],
)
def test_a_bullet_that_touches_already_does_not_pass_through(position, velocity):
    ball = fx.RigidBody("b", mass=0.01, inertia=1e-6, position=position, velocity=velocity, shapes=[fx.Sphere(0.003)])
    hit = fx.Contact("c", fx.ground.surface(fx.Box(2, 2, 0.001)), ball, fx.Penalty(1e10, restitution=1))
    run = fx.Model("bullet", [ball, hit]).dynamics(until=0.01, step="1 ms", show=False)
    assert run["b.velocity_z"][-1] == pytest.approx(-velocity[2], rel=2e-3)
    assert run["b.velocity_x"][-1] == pytest.approx(velocity[0], abs=1e-6)
    assert run["c.deepest"][-1] == pytest.approx(velocity[2] * (0.01 / 1e10) ** 0.5, rel=1e-2)  # ½ m v² = ½ k δ²


@pytest.mark.parametrize("gap", [0.0415, 0.0643, 0.0887, 0.1123])
def test_flat_ends_that_fly_through_each_other_in_a_step_meet(gap):
    """The base of a cone on the tip of another one, as fast as ten times their length a step: along their common axis they part with e v. From the place on where they touch, flat ends
    are told by other places than before; the way to it must end before a rounding error beyond it."""
    cone = fx.Cone(0.004, 0.02, top=0.0005)
    low = fx.RigidBody("low", 0.01, 1e-6, velocity=(0, 0, 50), shapes=[cone])
    high = fx.RigidBody("high", 0.01, 1e-6, position=(0, 0, 0.02 + gap), velocity=(0, 0, -50), shapes=[cone])
    hit = fx.Contact("hit", low, high, fx.Penalty(1e9, restitution=0.5))
    run = fx.Model("cones", [low, high, hit]).dynamics(until=3e-3, step=1e-3, show=False)
    assert run["high.velocity_z"][-1] - run["low.velocity_z"][-1] == pytest.approx(50, rel=0.01)


@pytest.mark.parametrize("speed", [20, 500])
@pytest.mark.parametrize("block", [fx.Cylinder(0.3, 0.1), fx.Cone(0.3, 0.1, top=0.2)])
def test_a_turned_point_does_not_pass_through_a_flat_end(block, speed):
    """A needle on the end of a cylinder or cone, beside its axis: e v, as on a plane, and no energy from the wall, which is far away."""
    needle = fx.Revolved(fx.Profile([(0, -0.01), (0.004, 0), (0.004, 0.01)], kind="lines"))
    bullet = fx.RigidBody("bullet", 0.01, 1e-6, position=(0.013, 0.017, 0.1), velocity=(0, 0, -speed), shapes=[needle])
    hit = fx.Contact("hit", fx.ground.surface(block), bullet, fx.Penalty(1e9, restitution=0.5))
    run = fx.Model("shot", [bullet, hit]).dynamics(until=4e-3, step=1e-3, show=False)
    assert run["bullet.velocity_z"][-1] == pytest.approx(0.5 * speed, rel=0.01)


def test_a_block_slides_to_rest_and_stays():
    """v₀ = 2 m/s, μ = 0.3: it stops after v₀/(μ g) = 0.679579 s and v₀²/(2 μ g) = 0.679579 m, and nothing creeps."""
    slider = block(position=(0, 0, 0.01 - 2 * G / 4e6), velocity=(2, 0, 0))
    run = on_floor(slider, fx.Penalty(1e6), friction=0.3).dynamics(until=1.0, step=5e-3, show=False)
    t, x, v = run.time, run["block.position_x"].values, run["block.velocity_x"].values
    moving = t < 0.66
    np.testing.assert_allclose(v[moving], 2 - 0.3 * G * t[moving], atol=4e-3)
    assert x[-1] == pytest.approx(0.679579, rel=2e-3)
    assert np.abs(v[t > 0.72]).max() < 1e-4
    assert np.ptp(x[t > 0.8]) < 1e-7
    assert run["floor.sticks"][-1] == 1
    assert run["energy.dissipated"][-1] == pytest.approx(0.5 * 2 * 4, rel=5e-3)


def test_a_block_on_an_incline():
    """30°, μ = 0.2: g (sin − μ cos) = 3.205859 m/s²; with μ = 0.6 > tan 30° it stays."""
    for mu, acceleration in ((0.2, 3.205859), (0.6, 0.0)):
        slider = block(position=(0, 0, 0.01 - 2 * G * np.cos(np.pi / 6) / 4e6))
        floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), slider, fx.Penalty(1e6), friction=mu)
        gravity = (G * np.sin(np.pi / 6), 0, -G * np.cos(np.pi / 6))
        run = fx.Model("incline", gravity=gravity, items=[slider, floor]).dynamics(until=0.5, step=5e-3, show=False)
        assert run["block.position_x"][-1] == pytest.approx(0.5 * acceleration * 0.25, rel=2e-3, abs=1e-4)


@pytest.mark.parametrize(("mu", "slips"), [(0.4, False), (0.05, True)])
def test_a_sphere_on_an_incline_rolls_or_slips(mu, slips):
    """It rolls with ⁵⁄₇ g sin α as long as tan α ≤ ⁷⁄₂ μ, else slides with g (sin α − μ cos α) and turns with ⁵⁄₂ μ g cos α/r."""
    alpha, r = np.radians(20), 0.05
    rolling = ball(radius=r, position=(0, 0, r - G * np.cos(alpha) / 1e7))
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), rolling, fx.Penalty(1e7), friction=mu)
    gravity = (G * np.sin(alpha), 0, -G * np.cos(alpha))
    run = fx.Model("incline", gravity=gravity, items=[rolling, floor]).dynamics(until=0.5, step=1e-3, show=False)
    a = G * (np.sin(alpha) - mu * np.cos(alpha)) if slips else 5 / 7 * G * np.sin(alpha)
    turns = 2.5 * mu * G * np.cos(alpha) / r if slips else a / r
    assert run["ball.velocity_x"][-1] == pytest.approx(a * 0.5, rel=2e-3)
    assert run["ball.angular_velocity_y"][-1] == pytest.approx(turns * 0.5, rel=2e-3)
    assert run["floor.sticks"][-1] == (0 if slips else 1)


def test_a_bowl_slides_and_then_rolls():
    """Thrown without spin it slides for ²⁄₇ v₀/(μ g), and rolls from there on with ⁵⁄₇ v₀."""
    r, v, mu = 0.1, 3.0, 0.2
    bowl = ball(radius=r, mass=5.0, position=(0, 0, r - 5 * G / 1e7), velocity=(v, 0, 0))
    run = on_floor(bowl, fx.Penalty(1e7), friction=mu).dynamics(until=0.8, step=2e-3, show=False)
    end = 2 / 7 * v / (mu * G)
    t, x = run.time, run["ball.velocity_x"].values
    slides = t < end - 0.01
    np.testing.assert_allclose(x[slides], v - mu * G * t[slides], atol=2e-3 * v)
    np.testing.assert_allclose(x[t > end + 0.02], 5 / 7 * v, rtol=2e-3)
    assert run["ball.angular_velocity_y"][-1] * r == pytest.approx(run["ball.velocity_x"][-1], rel=1e-3)


def test_rolling_resistance_stops_a_ball():
    """A moment ρ N slows a rolling ball by ⁵⁄₇ g ρ/r."""
    r, v, arm = 0.1, 1.0, 0.004
    bowl = ball(radius=r, position=(0, 0, r - G / 1e7), velocity=(v, 0, 0), angular_velocity=(0, v / r, 0))
    rub = fx.ContactFriction(0.5, rolling=arm)
    run = on_floor(bowl, fx.Penalty(1e7), friction=rub).dynamics(until=1.0, step=5e-3, show=False)
    assert run["ball.velocity_x"][-1] == pytest.approx(v - 5 / 7 * G * arm / r, rel=3e-3)


def test_newtons_cradle():
    """Five balls in a row, small gaps: one comes, one leaves; momentum and energy are kept."""
    r, v = 0.02, 1.0
    balls = [
        ball(f"b{i}", r, 0.1, position=(i * (2 * r + 1e-4), 0, 0), velocity=(v * (i == 0), 0, 0)) for i in range(5)
    ]
    contacts = [fx.Contact(f"c{i}", balls[i], balls[i + 1], fx.Hertz(fx.Steel())) for i in range(4)]
    run = fx.Model("cradle", items=[*balls, *contacts]).dynamics(until=2e-3, step=1e-4, show=False)
    speeds = [run[f"b{i}.velocity_x"][-1] for i in range(5)]
    assert sum(speeds) == pytest.approx(v, rel=1e-9)
    assert speeds == pytest.approx([0, 0, 0, 0, v], abs=6e-3)


def test_billiard_balls_exchange_spin_by_friction():
    """A ball with top spin hits another one in the middle: the blow passes the speed on, friction μ J lifts both and turns them alike.

    Along the line of centres J = m v; slipping all the time the tangential impulse is μ J (|slip| = ω r > 2·⁷⁄₂ μ v).
    """
    r, m, v, spin, mu = 0.03, 0.17, 1.0, 200.0, 0.1
    one = ball("one", r, m, velocity=(v, 0, 0), angular_velocity=(0, spin, 0))
    two = ball("two", r, m, position=(2 * r + 1e-4, 0, 0))
    hit = fx.Contact("hit", one, two, fx.Hertz(fx.Steel()), friction=mu)
    run = fx.Model("billiard", items=[one, two, hit]).dynamics(until=1e-3, step=1e-4, show=False)
    assert run["two.velocity_x"][-1] == pytest.approx(v, rel=3e-3)
    assert run["one.velocity_x"][-1] == pytest.approx(0, abs=3e-3)
    # the front of one moves down with ω r: it is pushed up, two is pushed down
    assert run["one.velocity_z"][-1] == pytest.approx(mu * v, rel=5e-3)
    assert run["two.velocity_z"][-1] == pytest.approx(-mu * v, rel=5e-3)
    change = mu * v * m * r / (0.4 * m * r**2)
    assert run["one.angular_velocity_y"][-1] == pytest.approx(spin - change, rel=1e-4)
    assert run["two.angular_velocity_y"][-1] == pytest.approx(-change, rel=5e-3)


def test_a_block_on_three_points():
    """Statics: each carries its part of the weight by the levers, and sinks by that over the stiffness."""
    feet = {"front": (0.3, 0.0), "left": (-0.2, 0.25), "right": (-0.2, -0.15)}
    table = fx.RigidBody("table", 10.0, 1.0, position=(0, 0, 0.5))
    balls = [
        fx.Contact(
            name,
            fx.ground.surface(fx.Plane()),
            table.at(x, y, -0.45).surface(fx.Sphere(0.05)),
            fx.Penalty(1e6),
            friction=0.5,
        )
        for name, (x, y) in feet.items()
    ]
    found = fx.Model("table", gravity=(0, 0, -G), items=[table, *balls]).statics()
    A = np.array([[1, x, y] for x, y in feet.values()]).T
    expected = np.linalg.solve(A, [10 * G, 0, 0])
    assert [found[f"{name}.normal_force"] for name in feet] == pytest.approx(expected, rel=1e-3)


def test_what_is_not_seen_of_two_shapes_is_told():
    """Triangulated surfaces see everything of slots, boxes and balls. Cylinders do so on convex triangles, on those with a dent one place of their rims."""
    points, faces = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    dent = fx.Triangles([*points, (0.02, 0.02, 0.02)], [*faces[:3], (1, 2, 4), (2, 3, 4), (3, 1, 4)])
    dented = fx.RigidBody("stone", 1.0, 0.01, position=(0, 0, 1), shapes=[dent])
    stone = fx.RigidBody("stone", 1.0, 0.01, position=(0, 0, 1), shapes=[fx.Triangles(points, faces)])
    slot = fx.Extruded(fx.Profile.circle(2.0), 3.0, inside=True)
    for shape in (slot, fx.Box(0.2, 0.2, 0.2), fx.Sphere(0.1)):
        other = fx.RigidBody("other", 1.0, 0.01, shapes=[shape])
        model = fx.Model("stones", items=[stone, other, fx.Contact("touch", stone, other, fx.Penalty(1e5))])
        assert "not seen" not in str(model.check())
        can = fx.RigidBody("can", 1.0, 0.01, shapes=[fx.Cylinder(0.1, 0.2)])
        found = str(fx.Model("can", [can, other, fx.Contact("c", can, other, fx.Penalty(1e5))]).check())
        assert "touches triangles" not in found
    for law, words in (
        (fx.Penalty(1e5), "with its wall and the nearest place of its rims"),
        (fx.Hertz("steel", radius=0.1), "with one place of its wall and rims"),
    ):
        found = str(fx.Model("can", [dented, can, fx.Contact("c", can, dented, law)]).check())
        assert f"its cylinder touches triangles {words}" in found
        assert "touches triangles" not in str(fx.Model("can", [stone, can, fx.Contact("c", can, stone, law)]).check())


def test_a_penalty_has_the_unit_of_a_spring() -> None:
    with pytest.raises(fx.ModelError, match="stiffness is measured in N/m"):
        fx.Penalty("1e8 Pa")
    assert fx.Penalty("1e5 N/mm").stiffness == 1e8
    with pytest.raises(
        fx.ModelError, match=r"stiffness = '1e5 N/mm': .* exponent 1.5; this stiffness is measured in N/m\^1.5"
    ):
        fx.Penalty("1e5 N/mm", exponent=1.5)
    assert fx.Penalty("1 N/mm^1.5", exponent=1.5).stiffness == pytest.approx(1e4 * 10**0.5)
    with pytest.raises(fx.ModelError, match="stiffness = '1 foo': unit 'foo' is unknown"):
        fx.Penalty("1 foo")


def test_two_contacts_of_the_same_surfaces_are_told() -> None:
    one, floor, law = ball("one", 0.1, 1.0), fx.ground.surface(fx.Plane()), fx.Penalty(1e5)
    for second in (fx.Contact("d", floor, one, law), fx.Contact("d", one, floor, law)):
        (said,) = fx.Model("m", [one, fx.Contact("c", floor, one, law), second]).check().warnings[:1]
        assert "contact 'd': contact 'c' has the same two surfaces" in str(said)
    other = fx.Contact("d", fx.ground.surface(fx.Plane("x")), one, law)
    report = fx.Model("m", [one, fx.Contact("c", floor, one, law), other]).check()
    assert "same two surfaces" not in str(report)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"model": "smooth"}, "smooth_speed is missing.*smooth_speed: 0.01 m/s"),
        ({"smooth_speed": 0.1}, "smooth_speed has no effect with model: stick; leave it out"),
    ],
)
def test_a_speed_of_smooth_friction_that_is_missing_or_idle_is_told_as_such(fields, says):
    with pytest.raises(fx.ModelError, match=says):
        fx.ContactFriction(0.1, **fields)


def test_a_body_that_deforms_is_touched_on_a_side_that_is_named() -> None:
    block = fx.ShapeBody("block", fx.Box(0.2, 0.2, 0.1), "steel", orders=(1, 1, 1), up_to="1 kHz", position=(0, 0, 0))
    above = ball(position=(0, 0, 0.11))
    found = fx.Model("m", [block, above, fx.Contact("c", block, above, fx.Penalty(1e6))]).check(raise_errors=False)
    assert "body 'block' deforms, and none of its sides is named" in str(found)
    with pytest.raises(fx.ModelError, match="'ball': surface\\('outer'\\) names a side; only bodies that deform have"):
        above.surface("outer")


def test_an_stl_file_in_millimetres_is_told(tmp_path) -> None:
    """It has no units; a part of 400 m is probably one of 400 mm."""
    corners = [(0, 0, 0), (400, 0, 0), (0, 400, 0), (0, 0, 400)]
    faces = [[corners[i] for i in face] for face in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))]
    lines = [f"vertex {x} {y} {z}" for face in faces for x, y, z in face]
    loops = ["facet normal 0 0 0\nouter loop\n" + "\n".join(lines[3 * i : 3 * i + 3]) for i in range(4)]
    file = tmp_path / "part.stl"
    file.write_text("solid part\n" + "".join(f"{loop}\nendloop\nendfacet\n" for loop in loops) + "endsolid part\n")
    above = ball(position=(0, 0, -0.06))
    for scale, told in ((1.0, True), (1e-3, False)):
        contact = fx.Contact("c", fx.ground.surface(fx.Stl(str(file), scale=scale)), above, fx.Penalty(1e6))
        found = str(fx.Model("m", [above, contact]).check())
        assert ("m large; an STL file has no units" in found) == told
