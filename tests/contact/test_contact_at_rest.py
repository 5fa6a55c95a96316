"""Surfaces that lie on each other already, and surfaces that turn."""

import numpy as np
import pytest

import flexor as fx

RADIUS, MASS = 0.05, 2.0


def pressed(restitution: float) -> fx.Model:
    """A steel ball on a plate, pressed by 120 N in all."""
    ball = fx.RigidBody(
        "ball", MASS, 0.4 * MASS * RADIUS**2, position=(0, 0, RADIUS - 2e-7), shapes=[fx.Sphere(RADIUS)]
    )
    law = fx.Hertz("steel", restitution=restitution)
    items = [
        ball,
        fx.Prismatic("up", fx.ground, ball, axis="z"),
        fx.Contact("plate", fx.ground.surface(fx.Plane()), ball, law),
        fx.PointForce("push", ball, direction="-z", force=100),
    ]
    return fx.Model("pressed", items, gravity=(0, 0, -9.81))


@pytest.mark.parametrize("e", [0.99, 0.9, 0.7])
def test_vibrations_about_rest_keep_the_coefficient_of_restitution(e: float) -> None:
    """From swing to swing, as impacts do: ζ = −ln e/√(π² + ln² e)."""
    found = pressed(e).modes(1, complex=True)
    wanted = -np.log(e) / np.hypot(np.pi, np.log(e))
    assert found.damping[0] == pytest.approx(wanted, rel=2e-3)


def test_without_loss_they_have_no_damping() -> None:
    assert abs(pressed(1.0).modes(1, complex=True).damping[0]) < 1e-9


def cradle(gap: float, e: float) -> np.ndarray:
    """Velocities of three steel balls after the first has met the second at 1 m/s."""
    r, m = 0.02, 0.2
    balls = [
        fx.RigidBody(
            f"ball{i}",
            m,
            0.4 * m * r**2,
            position=(i * (2 * r + gap) - (1e-4 if i == 0 else 0), 0, 0),
            velocity=(1.0 if i == 0 else 0.0, 0, 0),
            shapes=[fx.Sphere(r)],
        )
        for i in range(3)
    ]
    law = fx.Hertz("steel", restitution=e)
    hits = [fx.Contact(f"hit{i}", balls[i], balls[i + 1], law) for i in range(2)]
    run = fx.Model("cradle", [*balls, *hits]).dynamics(until=1e-3, step=1e-4, show=False)
    return np.array([run[f"ball{i}.velocity_x"][-1] for i in range(3)])


def test_a_blow_through_balls_that_touch_loses_as_much_as_one_through_a_gap() -> None:
    """By the same law with χ = d/v of the first impact, integrated by itself: (−0.0393, 0.1433, 0.8960)."""
    close = cradle(0.0, 0.9)
    np.testing.assert_allclose(close, BLOW, atol=0.02)
    assert close.sum() == pytest.approx(1.0, abs=1e-6)
    assert cradle(1e-4, 0.9)[2] == pytest.approx((0.5 * 1.9) ** 2, abs=2e-3)  # two impacts, one after the other


def blow() -> np.ndarray:
    from scipy.integrate import solve_ivp

    from flexor.contact.laws.normal import exact_dissipation

    r, m, d = 0.02, 0.2, exact_dissipation(0.9)
    K = 4 / 3 * 210e9 / (2 * 0.91) * np.sqrt(r / 2)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        a = np.zeros(3)
        for i in range(2):
            depth = y[i] - y[i + 1] + 2 * r
            if depth > 0:
                force = max(K * depth**1.5 * (1 + d * (y[3 + i] - y[4 + i])), 0.0)
                a[i] -= force / m
                a[i + 1] += force / m
        return np.concatenate([y[3:], a])

    start = np.array([-1e-6, 2 * r, 4 * r, 1.0, 0.0, 0.0])
    return solve_ivp(rates, (0, 4e-4), start, rtol=1e-9, atol=1e-13, max_step=1e-6).y[3:, -1]


BLOW = blow()


@pytest.mark.parametrize("first", [True, False])
def test_a_paddle_meets_a_ball_in_either_order(first: bool) -> None:
    """A plane that turns is met where it comes, whichever of both is named first; all energy is kept."""
    paddle = fx.RigidBody("paddle", 3, 0.4, angular_velocity=(0, 0, 10), position=(0, 0, 0))
    ball = fx.RigidBody("ball", 0.1, 4e-5, position=(0.5, 0.3, 0), shapes=[fx.Sphere(0.02)])
    ends = [ball, paddle.surface(fx.Plane(normal=(0, 1, 0)))]
    hit = fx.Contact("hit", *(ends if first else ends[::-1]), fx.Penalty("1e7 N/m"))
    model = fx.Model("swing", [paddle, fx.Revolute("axle", fx.ground, paddle, axis="z"), ball, hit])
    run = model.dynamics(until=0.1, step="5 ms", show=False)
    energy = run["energy.kinetic"].values
    assert np.linalg.norm([run["ball.velocity_x"][-1], run["ball.velocity_y"][-1]]) > 5
    assert energy[-1] == pytest.approx(energy[0], rel=2e-3)


@pytest.mark.parametrize("spin", [0.0, 600.0, 5000.0])
def test_a_bullet_that_spins_does_not_pass_through(spin: float) -> None:
    """Named first, so that the plate goes round it as it sees it."""
    bullet = fx.RigidBody(
        "bullet",
        0.01,
        1e-7,
        position=(0, 0, 0.3),
        velocity=(0, 0, -500),
        angular_velocity=(spin, 0, 0),
        shapes=[fx.Sphere(2e-3)],
    )
    plate = fx.ground.surface(fx.Box(0.2, 0.2, 1e-3))
    hit = fx.Contact("hit", bullet, plate, fx.Penalty("1e9 N/m"))
    run = fx.Model("shot", [bullet, hit]).dynamics(until=2e-3, step="1 ms", show=False)
    assert run["bullet.velocity_z"][-1] == pytest.approx(500, rel=1e-2)


def bouncing(mass: float = 1.0) -> fx.Model:
    ball = fx.RigidBody("ball", mass, 1e-3 * mass, position=(0, 0, 1.05), shapes=[fx.Sphere(0.05)])
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), ball, fx.Penalty(1e8, restitution=0.7))
    return fx.Model("bounce", [ball, floor], gravity=(0, 0, -9.81))


def test_accuracy_is_kept_through_an_impact() -> None:
    """At 1 s, after one impact: 0.2754568 m by SciPy, rtol 1e-11, with χ = d/v of the speed of free fall."""
    run = bouncing().dynamics(until=1.0, accuracy=1e-5, record=["ball"], show=False)
    assert run["ball.position_z"][-1] == pytest.approx(0.2754568, abs=1.05e-5)
    coarse = bouncing().dynamics(until=1.0, step="10 ms", record=["ball"], show=False)
    fine = bouncing().dynamics(until=1.0, step="10 ms", impact_steps=160, record=["ball"], show=False)
    off = [abs(each["ball.position_z"][-1] - 0.2754568) for each in (coarse, fine)]
    assert off[1] < 0.2 * off[0]


def test_an_impact_may_be_far_shorter_than_the_step() -> None:
    """10 mg on a stiffness of 1e8 N/m: 1 µs, in steps of 0.1 s."""
    run = bouncing(1e-5).dynamics(until=0.5, step="0.1 s", show=False)
    after = 0.7 * (2 * 9.81) ** 0.5 - 9.81 * (0.5 - (2 / 9.81) ** 0.5)
    assert run["ball.velocity_z"][-1] == pytest.approx(after, rel=1e-2)


@pytest.mark.parametrize("shape", [fx.Torus(0.04, 0.01), fx.Cone(0.04, 0.08)])
@pytest.mark.filterwarnings("error")
def test_what_falls_aslant_comes_to_lie_level(shape):
    """As it passes its level its rim touches on the other side, so that points of contact leap: no step is made short for that, and nothing is left to tell."""
    fallen = fx.RigidBody("b", 0.5, (5e-4, 5e-4, 8e-4), shapes=[shape], position=(0, 0, 0.12), orientation={"axis": "x", "angle": "35 deg"})  # fmt: skip
    floor = fx.Contact("c", fx.ground.surface(fx.Plane()), fallen, fx.Penalty(1e6, restitution=0.3), friction=0.3)
    run = fx.Model("fall", [fallen, floor], gravity=(0, 0, -9.81)).dynamics(until=0.7, step=2e-3, show=False)
    height = 0.01 if isinstance(shape, fx.Torus) else 0.04
    assert run["b.position_z"][-1] == pytest.approx(height - 0.5 * 9.81 / 4e6, abs=1e-9)
    assert run["c.normal_force"][-1] == pytest.approx(0.5 * 9.81, rel=1e-6)
    assert min(run.history["step_size"]) > 1e-10


@pytest.mark.parametrize("direction", ["x", "y"])
def test_rolling_resistance_holds_in_equilibrium_and_in_modes(direction: str) -> None:
    """A ball of 1 kg on a plane: asperities that bend by micro_turn hold it like a spring of ρ N/micro_turn about the point of contact, I + m R² there."""
    radius, arm, weight = 0.05, 1e-3, 9.81
    ball = fx.RigidBody("b", 1, 1e-3, position=(0, 0, radius - weight / 1e7), shapes=[fx.Sphere(radius)])
    friction = fx.ContactFriction(0.3, rolling=arm, micro_turn=1e-4)
    floor = fx.Contact("c", fx.ground.surface(fx.Plane()), ball, fx.Penalty(1e7), friction=friction)
    push = fx.PointForce("f", ball, direction=direction, force=0.1)  # less than ρ N/R = 0.196 N
    rest = fx.Model("held", [ball, floor, push], gravity=(0, 0, -weight)).statics()
    stiffness = arm * weight / 1e-4
    turned = rest["b.position"]["xyz".index(direction)] / radius
    assert turned == pytest.approx(0.1 * radius / stiffness, rel=0.02)  # besides, asperities stretch by μ N x/ε = 0.1 N
    modes = fx.Model("held", [ball, floor], gravity=(0, 0, -weight)).modes(3)
    assert modes.frequencies[1] == pytest.approx((stiffness / 3.5e-3) ** 0.5 / (2 * np.pi), rel=5e-3)


EDGES = 0.03
"""Half the distance between two edges on which something rests [m]."""


def boxes():
    return [fx.Box(0.1, 0.4, 0.1, at=(s * (EDGES + 0.05), 0, -0.05)) for s in (-1, 1)]


def prisms():
    outlines = [[(s * x, z) for x, z in ((0.03, -0.1), (0.13, -0.1), (0.13, 0), (0.03, 0))] for s in (-1, 1)]
    upright = {"axis": "x", "angle": "90 deg"}
    return [fx.Extruded(fx.Profile(line, kind="lines", closed=True), 0.4, orientation=upright) for line in outlines]


@pytest.mark.parametrize("gap", [1e-3, 1e-4, 1e-5, 0.0, -1e-5, -1e-4])
@pytest.mark.parametrize(
    ("shape", "edges"),
    [(fx.Sphere(0.05), boxes), (fx.Cylinder(0.05, 0.1, axis="y"), boxes), (fx.Cylinder(0.05, 0.1, axis="y"), prisms)],
)
def test_what_lies_between_two_edges_finds_rest_from_any_gap(shape, edges, gap):
    """N = m g/(2 sin φ), φ the slope from an edge to the middle. The deeper it is, the flatter the edges push: Newton's steps from there throw
    it out, and back into the same depth for ever, unless each that turns back goes half as far."""
    body = fx.RigidBody("body", 2.0, (4e-3, 2.5e-3, 4e-3), position=(0, 0, 0.04 + gap), shapes=[shape])
    law = fx.Penalty("1e6 N/m", restitution=0.3)
    contacts = [fx.Contact(f"on_{i}", fx.ground.surface(edge), body, law) for i, edge in enumerate(edges())]
    rest = fx.Model("between", [body, *contacts], gravity=(0, 0, -9.81)).statics()
    z = rest["body.position_z"]
    for contact in contacts:
        expected = 2.0 * 9.81 * np.hypot(EDGES, z) / (2 * z)
        assert rest[f"{contact.name}.normal_force"] == pytest.approx(expected, rel=1e-7)
    assert 0.05 - np.hypot(EDGES, z) == pytest.approx(expected / 1e6, rel=0.51)  # half of it where two places carry


@pytest.mark.parametrize("overlap", [1e-5, 1e-6, 1e-7])
@pytest.mark.parametrize("toward", [0.0, 30.0, 90.0])
@pytest.mark.parametrize("shape", [fx.Cylinder(0.03, 0.04, axis="z"), fx.Cone(0.03, 0.04, top=0.02)])
@pytest.mark.parametrize("ground", [fx.Box(1, 1, 0.1, at=(0, 0, -0.05)), fx.Plane()])
def test_a_can_on_a_slope_is_held_by_friction(ground, shape, toward, overlap):
    """N = m g cos α, T = m g sin α, down the slope in any direction. As it begins to tilt its lowest points go round the rim; friction must be that
    of the material where they are, or nothing resists its spin and none is found."""
    slope, along = 0.3, np.radians(toward)
    can = fx.RigidBody("can", 1.0, 1e-3, position=(0, 0, 0.02 - overlap), shapes=[shape])
    contact = fx.Contact("on", fx.ground.surface(ground), can, fx.Penalty("1e6 N/m", restitution=0.3), friction=0.5)
    down = np.array([np.sin(slope) * np.cos(along), np.sin(slope) * np.sin(along), -np.cos(slope)])
    rest = fx.Model("slope", [can, contact], gravity=9.81 * down).statics()
    assert rest["on.normal_force"] == pytest.approx(9.81 * np.cos(slope), rel=1e-8)
    assert rest["on.friction_force"] == pytest.approx(9.81 * np.sin(slope), rel=1e-8)


@pytest.mark.parametrize("begin", [-1e-4 + 1e-6, -1e-4, -1e-4 - 1e-7, 0.0])
def test_a_ball_in_a_socket_that_may_spin_finds_its_rest(begin):
    """Nothing resists its spin, and its forces are known to rounding of the radii of both: from a gap, from touching and from an overlap."""
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, begin), shapes=[fx.Sphere(0.02)])
    bed = fx.Contact("bed", fx.ground.surface(fx.Sphere(0.0201, inside=True)), ball, fx.Penalty(1e6))
    rest = fx.Model("socket", [ball, bed], gravity=(0, 0, -9.81)).statics()
    assert rest["bed.normal_force"] == pytest.approx(9.81, rel=1e-9)
    assert rest["ball.position"] == pytest.approx((0, 0, -1e-4 - 9.81e-6), abs=1e-12)
