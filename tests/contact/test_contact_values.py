"""Values of contacts that follow from closed forms: spinning, signals of sliding, Stribeck's friction, creep of smooth friction, lines on a side that deforms."""

import numpy as np
import pytest

import flexor as fx

G = 9.81


def ball(r=0.05, m=1.0, K=1e7, **about):
    """A solid sphere that is pressed into z = 0 by its own weight."""
    return fx.RigidBody("ball", m, 0.4 * m * r**2, position=(0, 0, r - m * G / K), shapes=[fx.Sphere(r)], **about)


def block(K=1e6, slope=0.0, **about):
    """2 kg on four corners, as deep as it rests on a stiffness of K at each; its centre of mass is in the face below, so that friction does not tilt it."""
    low = -2 * G * np.cos(slope) / (4 * K)
    return fx.RigidBody("block", 2.0, 0.01, position=(0, 0, low), shapes=[fx.Box(0.2, 0.2, 0.02, at=(0, 0, 0.01))], **about)  # fmt: skip


def on_floor(body, K, friction, *more, gravity=(0.0, 0.0, -G)):
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), body, fx.Penalty(K), friction=friction)
    return fx.Model("floor", [body, floor, *more], gravity=gravity)


@pytest.mark.parametrize("spin", [20.0, -20.0])
def test_a_ball_that_spins_is_braked_by_its_resistance(spin):
    """ω = ω₀ − μ_s N t/I and no further than to rest, after I ω₀/(μ_s N); what it loses is ½ I ω₀²."""
    r, m, arm = 0.05, 1.0, 2e-3
    inertia = 0.4 * m * r**2
    stops = inertia * abs(spin) / (arm * m * G)
    rub = fx.ContactFriction(0.3, spinning=arm)
    run = on_floor(ball(r, m, angular_velocity=(0, 0, spin)), 1e7, rub).dynamics(until=1.5 * stops, step=stops / 400, show=False)  # fmt: skip
    expected = spin * np.maximum(1 - run.time / stops, 0)
    a_step = abs(spin) / 400
    np.testing.assert_allclose(run["ball.angular_velocity_z"].values, expected, atol=1.2 * a_step)
    assert abs(run["ball.angular_velocity_z"][-1]) < 1e-6 * abs(spin)
    assert run["energy.dissipated"][-1] == pytest.approx(0.5 * inertia * spin**2, rel=5e-3)
    assert np.abs(run["ball.position"].values[:, :2]).max() < 1e-9


def test_a_can_that_spins_on_its_end_is_braked_at_its_rim():
    """A flat end stands on places of its rim: μ N r, and not the ⅔ μ N r of an even pressure; I = ½ m r²."""
    r, m, mu, spin, K = 0.04, 1.2, 0.25, 30.0, 1e6
    inertia = 0.5 * m * r**2
    can = fx.RigidBody("can", m, (inertia, inertia, inertia), position=(0, 0, 0.03 - m * G / (4 * K)), angular_velocity=(0, 0, spin), shapes=[fx.Cylinder(r, 0.06)])  # fmt: skip
    stops = inertia * spin / (mu * m * G * r)
    run = on_floor(can, K, mu).dynamics(until=1.2 * stops, step=stops / 200, show=False)
    np.testing.assert_allclose(run["can.angular_velocity_z"].values, spin * np.maximum(1 - run.time / stops, 0), atol=2e-3 * spin)  # fmt: skip
    assert run["floor.friction_force"][0] == pytest.approx(mu * m * G, rel=1e-6)  # all places together


def test_signals_of_a_block_that_slides():
    """v = v₀ − μ g t along its way: slip is v, the friction force μ N, and the power that is lost μ N v, all of what it loses of its energy."""
    mu, v = 0.3, 2.0
    run = on_floor(block(velocity=(0.6 * v, -0.8 * v, 0)), 1e6, mu).dynamics(until=0.5, step=5e-3, show=False)
    speed = v - mu * G * run.time
    np.testing.assert_allclose(run["floor.slip"].values, speed, rtol=1e-6)
    np.testing.assert_allclose(run["floor.friction_force"].values, mu * 2 * G, rtol=1e-6)
    np.testing.assert_allclose(run["floor.power"].values, mu * 2 * G * speed, rtol=1e-6)
    for axis, share in (("x", 0.6), ("y", -0.8)):
        np.testing.assert_allclose(run[f"floor.force_{axis}"].values, -share * mu * 2 * G, rtol=1e-6)
    lost = np.trapezoid(run["floor.power"].values, run.time)
    assert run["energy.dissipated"][-1] == pytest.approx(lost, rel=1e-4)


@pytest.mark.parametrize(
    "more", [{"micro_slip": 1e-6}, {"model": "smooth", "smooth_speed": 0.02}], ids=["stick", "smooth"]
)
def test_static_friction_is_larger(more):
    """μ(v) N, μ(v) = μ (1 + s exp(−(v/v_s)²)), at all the speeds of a block that comes to rest; times tanh(v/v_r) where it is smooth."""
    mu, s, slow = 0.2, 0.5, 0.3
    rub = fx.ContactFriction(mu, stribeck=s, slip_speed=slow, **more)
    run = on_floor(block(velocity=(1, 0, 0)), 1e6, rub).dynamics(until=0.42, step=2e-3, show=False)
    v = run["floor.slip"].values
    assert v[0] > 3 * slow
    assert v[-1] < 0.5 * slow
    share = np.tanh(v / 0.02) if "model" in more else 1.0
    expected = mu * (1 + s * np.exp(-((v / slow) ** 2))) * 2 * G * share
    np.testing.assert_allclose(run["floor.friction_force"].values, expected, rtol=1e-6)


@pytest.mark.parametrize(("share", "slides"), [(0.99, False), (1.01, True)])
def test_a_block_breaks_loose_at_its_static_friction(share, slides):
    """Pushed by 0.99 and 1.01 of μ (1 + s) N."""
    mu, s = 0.2, 0.5
    rub = fx.ContactFriction(mu, stribeck=s, slip_speed=0.1)
    push = fx.PointForce("push", body := block(), direction="x", force=fx.Ramp(0, share * mu * (1 + s) * 2 * G, over=0.1))  # fmt: skip
    run = on_floor(body, 1e6, rub, push).dynamics(until=0.4, step=2e-3, show=False)
    assert run["floor.sticks"][-1] == (0 if slides else 1)
    assert (run["block.position_x"][-1] > 1e-3) == slides
    assert slides or run["block.position_x"][-1] < 1.1e-6


def test_smooth_friction_creeps():
    """On a slope below the friction angle μ N tanh(v/v_r) = m g sin α: v = v_r artanh(tan α/μ) (39.7)."""
    mu, slow, alpha = 0.5, 0.01, np.radians(20)
    rub = fx.ContactFriction(mu, model="smooth", smooth_speed=slow)
    gravity = (G * np.sin(alpha), 0, -G * np.cos(alpha))
    run = on_floor(block(slope=alpha), 1e6, rub, gravity=gravity).dynamics(until=0.3, step=1e-3, show=False)
    assert run["block.velocity_x"][-1] == pytest.approx(slow * np.arctanh(np.tan(alpha) / mu), rel=1e-6)


@pytest.mark.parametrize("slices", [1, 4])
@pytest.mark.filterwarnings("ignore::flexor.DoubtfulModel")  # few modes, held at a point, pressed in at the start
def test_a_line_on_a_side_of_a_body_that_deforms(slices):
    """A straight roller of hardly any modes is pressed on a plane: Palmgren's δ = 1.36 (N/E*)^0.9/ℓ^0.8 (39.5), however it is cut."""
    steel, r, length, load = fx.Isotropic("210 GPa", 0.3, density=7800), 0.02, 0.03, 2000.0
    modulus = steel.young / (2 * (1 - steel.poisson**2))
    depth = 1.36 * (load / modulus) ** 0.9 / length**0.8
    stiff = steel.replace(young=1e4 * steel.young)
    roller = fx.ShapeBody(
        "roller", fx.Cylinder(r, length), stiff, orders=(1, 2, 1), markers={"axle": (0, 0, 0)},
        position=(0, 0, r - depth), orientation={"axis": "x", "angle": "90 deg"},
    )  # fmt: skip
    items = [
        roller,
        fx.Contact("line", fx.ground.surface(fx.Plane()), roller.surface("outer", slices=slices), fx.HertzLine(steel, length, slices=slices)),
        fx.PointForce("push", roller["axle"], direction=(0, 0, -1), force=load),
        fx.Prismatic("guide", fx.ground.at(0, 0, r - depth), roller["axle"], axis="z"),
    ]  # fmt: skip
    found = fx.Model("roller", items).statics()
    assert found["line.normal_force"] == pytest.approx(load, rel=1e-9)
    assert -found["line.gap"] == pytest.approx(depth, rel=1e-6)


def test_slices_of_a_line_belong_to_the_side_of_a_body_that_deforms():
    """There those of the law would do nothing: refused, but where both are the same or the law's are left out."""
    roller = fx.ShapeBody("roller", fx.Cylinder(0.02, 0.03), "steel", orders=(1, 2, 1))
    plane = fx.ground.surface(fx.Plane())
    for side, law in ((0, 16), (8, 16)):
        with pytest.raises(fx.ModelError, match=r"contact 'c': its law has slices: 16, which do nothing on a side .* surface\('outer', slices=16\)"):  # fmt: skip
            fx.Contact("c", plane, roller.surface("outer", slices=side), fx.HertzLine("steel", 0.03, slices=law))
    fx.Contact("c", plane, roller.surface("outer", slices=16), fx.HertzLine("steel", 0.03, slices=16))
    fx.Contact("c", plane, roller.surface("outer", slices=8), fx.HertzLine("steel", 0.03).replace(restitution=0.5))


def test_numbers_in_other_units_are_told():
    """GPa as Pa, an angle as a coefficient; a coefficient with a unit is refused."""
    ball = fx.RigidBody("ball", 1, 1e-3, position=(0, 0, 0.0501), shapes=[fx.Sphere(0.05)])
    soft = fx.Contact("c", fx.ground.surface(fx.Plane()), ball, fx.Hertz(fx.Isotropic(210, 0.3, density=7850)))
    rough = fx.Contact("c", fx.ground.surface(fx.Plane()), ball, fx.Penalty(1e6), friction=30)
    for contact, words in ((soft, "210 GPa"), (rough, "tangent of the angle")):
        assert words in str(fx.Model("m", [ball, contact]).check())
    right = fx.Contact("c", fx.ground.surface(fx.Plane()), ball, fx.Hertz("steel"), friction=0.3)
    assert "GPa" not in str(fx.Model("m", [ball, right]).check())
    with pytest.raises(fx.ModelError, match="plain number"):
        fx.Contact("c", fx.ground.surface(fx.Plane()), ball, fx.Penalty(1e6), friction="30 deg")
