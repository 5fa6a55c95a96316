"""Contacts among many surfaces: the same as single ones, in every solver that knows them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import flexor as fx
from flexor.explicit.stepper import ExplicitStepper
from flexor.viewer.of_run import scene_of_run
from tests.explicit.grains import ball, box, lattice, pile

RUBS = fx.ContactFriction(0.4, model="smooth", smooth_speed=0.2, rolling="0.1 mm", spinning="0.2 mm", smooth_spin=5)
STICKS = fx.ContactFriction(0.3, rolling="0.05 mm")


def single(bodies: list[Any], walls: list[Any], law: Any, friction: Any) -> list[fx.Contact]:
    """A contact for every two of them, walls first."""
    found = [fx.Contact(f"{b.name} on {a.name}", a, b, law, friction=friction) for b, a in combinations(bodies, 2)]
    return found + [
        fx.Contact(f"{b.name} on wall {k}", wall, b, law, friction=friction)
        for b in bodies
        for k, wall in enumerate(walls)
    ]


def crowd() -> tuple[list[Any], list[Any]]:
    """Balls, one of them aside of its node, that overlap each other and what is around them, all in motion."""
    random = np.random.default_rng(5)
    shapes = [fx.Sphere("20 mm"), fx.Sphere("15 mm", at=("4 mm", 0, "-3 mm")), fx.Sphere("12 mm"), fx.Sphere("18 mm")]
    places = [(0, 0, 0.019), (0.031, 0.002, 0.02), (0.002, 0.031, 0.011), (0.034, 0.031, 0.025)]
    bodies = [
        fx.RigidBody(
            f"part{i}",
            0.1,
            (2e-5, 3e-5, 4e-5),
            position=place,
            velocity=random.normal(size=3) * 0.1,
            angular_velocity=random.normal(size=3),
            shapes=[shape],
        )
        for i, (shape, place) in enumerate(zip(shapes, places, strict=True))
    ]
    block = fx.Box("20 mm", "90 mm", "60 mm", at=(-0.029, 0.01, 0.02))
    can = fx.Cylinder("50 mm", "200 mm", axis="z", inside=True, at=(0.012, 0.012, 0))
    return bodies, [fx.ground.surface(shape) for shape in (fx.Plane(), block, can)]


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_forces_are_those_of_single_contacts():
    """Accelerations of balls that overlap, slide and spin, among each other, on a plane, a block and in a can: single, every pair as one term, found by the explicit solver."""
    bodies, walls = crowd()
    law, once = fx.Penalty(2e4, exponent=1.3, damping=3.0), {"until": 1e-6, "step": 1e-6, "show": False}
    contacts = fx.Contacts("all", bodies, law, friction=RUBS, walls=walls)
    apart = fx.Model("apart", [*bodies, *single(bodies, walls, law, RUBS)]).dynamics(**once)
    together = fx.Model("together", [*bodies, contacts])
    for run in (together.dynamics(**once), together.dynamics(solver="explicit", **once)):
        for body in bodies:
            for name in ("acceleration", "angular_acceleration"):
                signal = f"{body.name}.{name}"
                one, other = run[signal].values[0], apart[signal].values[0]
                np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9 * np.abs(other).max(), err_msg=signal)
        names = [item.name for item in single(bodies, walls, law, RUBS)]
        for signal in ("normal_force", "friction_force", "power"):
            total = sum(apart[f"{name}.{signal}"].values[0] for name in names)
            assert run[f"all.{signal}"].values[0] == pytest.approx(total, rel=1e-9), signal
        assert run["all.touching"].values[0] == sum(apart[f"{name}.normal_force"].values[0] > 0 for name in names) >= 4
        assert run["all.deepest"].values[0] == pytest.approx(max(apart[f"{name}.deepest"].values[0] for name in names))
        assert run["energy.strain"].values[0] == pytest.approx(apart["energy.strain"].values[0], rel=1e-9)


def test_a_small_pile_settles_as_with_single_contacts():
    """Restitution and true sticking: over the first impacts the same steps and the same motion to rounding, which then grows; explicit steps come to it."""
    places, width = lattice(6, 2)
    balls = [ball(i, place) for i, place in enumerate(places)]
    law, walls = fx.Penalty(2e4, restitution=0.7, rest_speed=0.05), box(width)
    friction = STICKS.replace(micro_slip="10 um")
    apart = fx.Model("apart", [*balls, *single(balls, walls, law, friction)], gravity=(1, 0.5, -9.81))
    grains = fx.Contacts("grains", balls, law, friction=friction, walls=walls)
    together = fx.Model("together", [*balls, grains], gravity=(1, 0.5, -9.81))
    times = {"until": 0.06, "output": 1e-3, "show": False}
    one, other = apart.dynamics(step=2e-4, **times), together.dynamics(step=2e-4, **times)
    explicit = together.dynamics(step=2e-6, solver="explicit", **times)
    steps, others = one.history["step_size"], other.history["step_size"]
    assert len(steps) > 200
    assert abs(len(steps) - len(others)) <= 2
    np.testing.assert_allclose(steps[:400], others[:400], rtol=1e-5)
    assert other["grains.touching"].values.max() >= 3
    for i in range(6):
        np.testing.assert_allclose(one[f"b{i}.position"][:40], other[f"b{i}.position"][:40], atol=1e-10)
        np.testing.assert_allclose(explicit[f"b{i}.position"][:40], other[f"b{i}.position"][:40], atol=3e-5)
    lost = explicit["energy.dissipated"].values[-1]
    assert other["energy.dissipated"].values[-1] == pytest.approx(lost, rel=0.02)
    assert np.abs(explicit["energy.check_sum"].values).max() < 1e-3 * lost


def test_hertz_takes_the_radii_of_each_pair():
    """K = 4/3 E* √R with 1/R of both radii; on a plane that of the ball."""
    radii = (5e-3, 8e-3)
    law = fx.Hertz(fx.Isotropic(young="1 MPa", poisson=0.3))
    balls = [
        fx.RigidBody("small", 1.0, (1e-5,) * 3, position=(0, 0, 4.9e-3), shapes=[fx.Sphere(radii[0])]),
        fx.RigidBody("large", 1.0, (1e-5,) * 3, position=(0, 0, 17.7e-3), shapes=[fx.Sphere(radii[1])]),
    ]
    model = fx.Model("two", [*balls, fx.Contacts("both", balls, law, walls=[fx.ground.surface(fx.Plane())])])
    run = model.dynamics(until=1e-7, step=1e-7, show=False, solver="explicit")
    modulus = 1e6 / (1 - 0.3**2) / 2
    between = 4 / 3 * modulus * np.sqrt(1 / (1 / radii[0] + 1 / radii[1])) * 2e-4**1.5
    floor = 4 / 3 * modulus * np.sqrt(radii[0]) * 1e-4**1.5
    assert run["large.acceleration"].values[0, 2] == pytest.approx(between, rel=1e-7)
    assert run["small.acceleration"].values[0, 2] == pytest.approx(floor - between, rel=1e-7)


def slope(*others: fx.RigidBody) -> fx.Run:
    """A block on a slope below its angle of friction."""
    block = fx.RigidBody("block", 0.05, (1e-5,) * 3, position=(0, 0, 0.00999), shapes=[fx.Box(0.04, 0.04, 0.02)])
    friction, law = fx.ContactFriction(0.5, micro_slip="20 um"), fx.Penalty(1e4, damping=20)
    contacts = fx.Contacts("all", [block, *others], law, friction=friction, walls=[fx.ground.surface(fx.Plane())])
    steep = np.radians(20)
    gravity = (9.81 * np.sin(steep), 0, -9.81 * np.cos(steep))
    return fx.Model("slope", [block, *others, contacts], gravity=gravity).dynamics(
        until=0.1, step=1e-4, output=0.01, show=False, solver="explicit"
    )


def test_sticking_outlives_searches_for_pairs(monkeypatch):
    """A block does not creep, though a ball that flies past has pairs searched again and again."""
    alone = slope()["block.position"].values
    made: list[ExplicitStepper] = []
    whole = ExplicitStepper.__init__

    def note(self: ExplicitStepper, *given: Any) -> None:
        whole(self, *given)
        made.append(self)

    monkeypatch.setattr(ExplicitStepper, "__init__", note)
    flier = fx.RigidBody(
        "flier", 1e-3, (1e-8,) * 3, position=(0.2, 0, 0.2), velocity=(3, 0, 0), shapes=[fx.Sphere(5e-3)]
    )
    run = slope(flier)
    assert made[0].numbers.searches > 50
    assert run["all.sticking"].values[-1] == 1
    np.testing.assert_allclose(run["block.position"].values, alone, atol=1e-12)
    assert 1e-5 < alone[-1, 0] < 4e-5


def test_a_run_that_is_interrupted_goes_on_as_if_it_had_not(tmp_path, monkeypatch):
    model = pile(27, 3, friction=STICKS.replace(micro_slip="10 um"))
    settings = {"step": 2e-5, "output": 1e-3, "show": False, "solver": "explicit"}
    whole = model.dynamics(until=0.03, **settings)
    steps, calls = ExplicitStepper.loop, []

    def strike(self: ExplicitStepper) -> int:
        calls.append(1)
        if len(calls) > 30:
            raise KeyboardInterrupt
        self.system.run.steps_max = 20
        return steps(self)

    with monkeypatch.context() as patch:
        patch.setattr(ExplicitStepper, "loop", strike)
        half = model.dynamics(until=0.03, file=tmp_path / "pile.h5", **settings)
    assert half.status == "interrupted"
    assert 0.003 < half.time[-1] < 0.025
    rest = fx.Run(tmp_path / "pile.h5").continue_until(0.03, show=False)
    assert whole["grains.sticking"].values.max() > 0
    for signal in ("b3.position", "b20.orientation", "grains.normal_force", "grains.deepest", "energy.dissipated"):
        np.testing.assert_allclose(rest[signal].values, whole[signal].values, rtol=1e-9, atol=1e-12, err_msg=signal)


def test_steps_are_chosen_where_only_rows_are_asked_for():
    """A ball bounces as high as the restitution lets it, without a step from the user; in free flight steps are as long as rows."""
    one = ball(0, (0, 0, 0.055))
    law = fx.Penalty(2e4, restitution=0.8, rest_speed=0.01)
    drop = fx.Contacts("drop", [one], law, walls=[fx.ground.surface(fx.Plane())])
    run = fx.Model("drop", [one, drop], gravity=(0, 0, -9.81)).dynamics(
        until=0.25, output=1e-3, show=False, solver="explicit"
    )
    z, t = run["b0.position"].values[:, 2], run.time
    assert z[t > 0.12].max() - 5e-3 == pytest.approx(0.8**2 * 0.05, rel=0.015)
    assert run.history["step_size"].max() == pytest.approx(1e-3)
    assert run["drop.deepest"].values[-1] == pytest.approx(np.sqrt(2 * 9.81 * 0.05 * 1.3e-3 / 2e4), rel=0.15)


def test_balls_on_each_other_come_to_rest_with_steps_of_its_own_choice():
    """Rows are far between, and losses at low speed heavy: steps are shortened before surfaces meet, also where gravity alone brings them together."""
    balls = [ball(0, (0, 0, 0.02)), ball(1, (0, 0, 0.04))]
    law, floor = fx.Penalty(2e4, restitution=0.5), fx.ground.surface(fx.Plane())
    stack = fx.Contacts("stack", balls, law, friction=0.3, walls=[floor])
    run = fx.Model("stack", [*balls, stack], gravity=(0, 0, -9.81)).dynamics(
        until=0.2, output=5e-3, show=False, solver="explicit"
    )
    weight = 1.3e-3 * 9.81
    depths = 2 * weight / 2e4, weight / 2e4
    assert run["b0.position"].values[-1, 2] == pytest.approx(5e-3 - depths[0], abs=1e-8)
    assert run["b1.position"].values[-1, 2] == pytest.approx(15e-3 - depths[0] - depths[1], abs=1e-8)
    assert np.ptp(run["energy.check_sum"].values) < 0.02 * run["energy.dissipated"].values[-1]


def test_nothing_flies_through_a_thin_sheet():
    """A ball at 500 m/s against a sheet of 1 mm, with rows of 1 ms."""
    bullet = ball(0, (-0.1, 0, 0), velocity=(500, 0, 0))
    sheet = fx.ground.surface(fx.Box("1 mm", "0.4 m", "0.4 m"))
    hits = fx.Contacts("hits", [bullet], fx.Penalty(1e9), walls=[sheet])
    run = fx.Model("bullet", [bullet, hits]).dynamics(until=2e-3, output=1e-3, show=False, solver="explicit")
    assert run["b0.velocity"].values[-1, 0] == pytest.approx(-500, rel=0.01)


def test_many_more_pairs_are_left_to_the_explicit_solver():
    model = pile(40, 4)
    for ask in (model.statics, model.modes, lambda: model.dynamics(until=0.1, step=1e-3, show=False)):
        with pytest.raises(fx.ModelError, match=r"contacts 'grains': there are 980 pairs(?s:.*)solver=\"explicit\""):
            ask()


def test_statics_finds_where_a_ball_comes_to_rest():
    one = ball(0, (0, 0, 6e-3))
    rest = fx.Contacts("rest", [one], fx.Penalty(2e4), walls=[fx.ground.surface(fx.Plane())])
    hold = [fx.Prismatic("way", fx.ground.at(0, 0, 6e-3), one, axis="z")]
    found = fx.Model("rest", [one, rest, *hold], gravity=(0, 0, -9.81)).statics()
    assert found["b0.position"][2] == pytest.approx(5e-3 - 1.3e-3 * 9.81 / 2e4, rel=1e-9)


def test_the_check_tells_what_overlaps_and_what_cannot_touch():
    balls = [ball(0, (0, 0, 5e-3)), ball(1, (6e-3, 0, 5e-3)), ball(2, (0, 9.5e-3, 5e-3))]
    law = fx.Penalty(2e4)
    report = fx.Model("deep", [*balls, fx.Contacts("grains", balls, law)]).check()
    assert "of 2 pairs that overlap at the start, 'b0' and 'b1' do so most: its surfaces overlap by 0.004 m" in str(
        report
    )
    bare = fx.RigidBody("bare", 1.0, (1.0, 1.0, 1.0))
    two = [fx.ground.surface(fx.Plane()), fx.ground.surface(fx.Plane((1, 0, 0)))]
    block = fx.RigidBody("block", 1.0, (1.0, 1.0, 1.0), position=(1, 0, 0), shapes=[fx.Box(0.1, 0.1, 0.1)])
    for bodies, surfaces, own, what in (
        ([*balls, bare], [*balls, bare], law, "surface 'bare' has no shape"),
        ([balls[0]], [balls[0], *two], law, "a plane cannot touch a plane"),
        ([balls[0], block], [balls[0], block], fx.Hertz(fx.Steel()), "Hertz's law with a box"),
    ):
        with pytest.raises(fx.ModelError, match=what):
            fx.Model("wrong", [*bodies, fx.Contacts("grains", surfaces, own)]).check()
    with pytest.raises(fx.ModelError, match="there is one surface alone"):
        fx.Contacts("grains", [balls[0]], law)
    with pytest.raises(fx.ModelError, match="all surfaces are on 'b0', which does not touch itself"):
        fx.Contacts("grains", [balls[0], balls[0].surface(fx.Sphere("1 mm", at=("9 mm", 0, 0)))], law)


def test_a_model_of_many_is_the_same_from_its_file(tmp_path):
    model = pile(3, 2, friction=0.3)
    model.save(tmp_path / "pile.yaml")
    again = fx.Model.load(tmp_path / "pile.yaml")
    assert again == model
    text = "\n".join(
        [
            "name: pile",
            "items:",
            *(f"- {{type: rigid_body, name: b{i}, mass: 1, inertia: 1, position: [{i}, 0, 1]}}" for i in (0, 1)),
            "- type: contacts",
            "  name: grains",
            "  surfaces: [{on: b0, shape: {type: sphere, radius: 10 mm}}, {on: b1, shape: {type: sphere, radius: 20 mm}}]",
            "  walls: [{on: ground, shape: {type: plane}}]",
            "  law: {type: penalty, stiffness: 1e5}",
            "  friction: 0.3",
        ]
    )
    (tmp_path / "short.yaml").write_text(text)
    grains = fx.Model.load(tmp_path / "short.yaml")["grains"]
    assert [shape.type for shape in grains.shapes] == ["sphere", "sphere", "plane"]
    assert grains.friction.coefficient == 0.3


def test_runs_are_shown_and_kept_in_files(tmp_path):
    """Balls move in the viewer as in the rows that a file keeps; walls stand where they are declared."""
    model = pile(8, 2)
    run = model.dynamics(until=0.02, step=5e-5, output=1e-3, show=False, solver="explicit", file=tmp_path / "pile.h5")
    kept = fx.Run(tmp_path / "pile.h5")
    np.testing.assert_array_equal(kept["b5.position"], run["b5.position"])
    assert kept.settings["solver"] == "explicit"
    scene = scene_of_run(kept)
    (item,) = (item for item in scene.header["items"] if item["name"] == "grains")
    assert len(item["glyph"]) == 5
    assert kept["grains.normal_force"].unit == "N"


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"output": 1e-2, "solver": "explicit"}])
def test_a_plane_that_turns_sweeps_what_is_far_from_its_body(settings):
    """A heavy body turns with 1 rad/s; 10 m away its plane, which starts 0.45 m below a ball, hits it with 10 m/s."""
    wheel = fx.RigidBody("wheel", 1e6, 1e9, position=(0, 0, 0), angular_velocity=(0, -1, 0))
    hit = fx.RigidBody("hit", 1, 1e-3, position=(10, 0, 0.5), shapes=[fx.Sphere("50 mm")])
    sweep = fx.Contacts("sweep", [hit], fx.Penalty(1e5), walls=[wheel.surface(fx.Plane())])
    run = fx.Model("sweep", [wheel, hit, sweep]).dynamics(until=0.2, show=False, **settings)
    assert abs(run["hit.velocity_z"][-1] - 20) < 0.1


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"output": 1e-3, "solver": "explicit"}])
def test_the_deepest_overlap_is_remembered_when_they_have_parted(settings):
    """Two balls of 1 kg meet with 2 m/s, δ = v √(m/2k), and are far apart in the end."""
    a, b = (
        fx.RigidBody(n, 1, 1e-3, position=(x, 0, 0), velocity=(v, 0, 0), shapes=[fx.Sphere("50 mm")])
        for n, x, v in (("a", 0, 1), ("b", 0.11, -1))
    )
    run = fx.Model("meet", [a, b, fx.Contacts("c", [a, b], fx.Penalty(1e6))]).dynamics(
        until=0.1, show=False, **settings
    )
    deepest = run["c.deepest"].values
    assert abs(deepest[-1] / (2 * np.sqrt(0.5 / 1e6)) - 1) < 0.01
    assert np.all(np.diff(deepest) >= 0)


def test_one_hollow_surface_is_no_two():
    """A shell with balls in it, all of which may touch each other."""
    shell = fx.RigidBody("shell", 1, 1e-2, position=(0, 0, 0))
    balls = [ball(i, (0.02 * i, 0, 0)) for i in range(2)]
    inside = fx.Contacts("inside", [shell.surface(fx.Sphere("0.2 m", inside=True)), *balls], fx.Penalty(1e4))
    assert not fx.Model("shell", [shell, *balls, inside]).check().problems


@pytest.mark.parametrize("settings", [{"output": 1e-3}, {"step": 1e-3}])
@pytest.mark.parametrize("restitution", [1.0, 0.6, 0.1])
@pytest.mark.parametrize(
    "law",
    [
        lambda e: fx.Penalty(1e6, restitution=e),
        lambda e: fx.Penalty(1e8, exponent=1.5, restitution=e),
        lambda e: fx.Penalty(1e12, exponent=3, restitution=e),
        lambda e: fx.Hertz(fx.Steel(), restitution=e),
    ],
)
@pytest.mark.filterwarnings("ignore::flexor.explicit.stepper.ShortenedSteps")
@pytest.mark.filterwarnings("ignore::flexor.solve.balance.EnergyDrift")
def test_explicit_steps_that_begin_where_surfaces_just_touch(law, restitution, settings):
    """However soft a law is there: chosen steps resolve the impact, given ones stay stable."""
    hit = fx.RigidBody("hit", 1, 1e-3, position=(0, 0, 0.06), velocity=(0, 0, -2), shapes=[fx.Sphere("50 mm")])
    floor = fx.Contacts("floor", [hit], law(restitution), walls=[fx.ground.surface(fx.Plane())])
    run = fx.Model("drop", [hit, floor]).dynamics(until=0.03, show=False, solver="explicit", **settings)
    left = run["hit.velocity_z"][-1] / 2
    assert abs(left / restitution - 1) < (0.005 if "output" in settings else 0.25)


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 0.0])
@pytest.mark.parametrize(("settings", "tolerance"), [({"output": "1 ms"}, 0.005), ({"step": "0.1 ms"}, 0.05)])
@pytest.mark.filterwarnings("ignore::flexor.explicit.stepper.ShortenedSteps")
def test_explicit_impacts_of_stiff_surfaces_gain_nothing(gap, settings, tolerance):
    """10 g on 1 GN/m: an impact of 10 µs, also where the surfaces touch at the start without a force."""
    hit = fx.RigidBody("hit", 0.01, 4e-8, position=(0, 0, 0.003 + gap), velocity=(0, 0, -1), shapes=[fx.Sphere("3 mm")])
    floor = fx.Contacts("floor", [hit], fx.Penalty(1e9, restitution=1), walls=[fx.ground.surface(fx.Plane())])
    run = fx.Model("drop", [hit, floor]).dynamics(until=0.006, show=False, solver="explicit", **settings)
    assert run["hit.velocity_z"][-1] == pytest.approx(1, rel=tolerance)


@pytest.mark.parametrize("settings", [{"step": 1e-3}, {"output": 1e-3, "solver": "explicit"}])
def test_what_slides_at_the_start_rubs_from_its_first_instant_on(settings):
    """A block of 2 kg with 1 m/s on a plane, μ = 0.3."""
    block = fx.RigidBody(
        "block",
        2,
        (3e-3, 2e-3, 4e-3),
        position=(0, 0, 0.05 - 2 * 9.81 / 4e5),
        velocity=(1, 0, 0),
        shapes=[fx.Box(0.1, 0.1, 0.1)],
    )
    rub = fx.ContactFriction(0.3, micro_slip="50 um")
    floor = fx.Contacts("floor", [block], fx.Penalty(1e5), friction=rub, walls=[fx.ground.surface(fx.Plane())])
    run = fx.Model("slide", [block, floor], gravity=(0, 0, -9.81)).dynamics(until=5e-3, show=False, **settings)
    assert abs(run["floor.friction_force"][0] / (0.3 * 2 * 9.81) - 1) < 1e-6


@pytest.mark.parametrize("settings", [{"step": 1e-4}, {"output": 1e-4, "solver": "explicit"}])
@pytest.mark.filterwarnings("ignore::flexor.solve.prepare.DoubtfulModel")
def test_what_is_hollow_holds_what_got_outside(settings):
    """All around a hollow ball there is wall, however far: a ball 0.5 m out of it is pressed back with k δ."""
    out = fx.RigidBody("out", 1, 1e-3, position=(0.8, 0, 0), shapes=[fx.Sphere("50 mm")])
    held = fx.Contacts("held", [out], fx.Penalty(1e4), walls=[fx.ground.surface(fx.Sphere("0.3 m", inside=True))])
    model = fx.Model("outside", [out, held])
    assert "overlap by 0.55 m" in str(model.check())
    run = model.dynamics(until=0.02, show=False, **settings)
    assert run["out.position_x"][-1] == pytest.approx(0.25 + 0.55 * (np.pi / 2 - 2), abs=5e-3)  # ω = 100 1/s


def test_a_surface_that_is_there_twice_is_refused() -> None:
    """It would be pressed twice as hard."""
    one, law, floor = ball(1, (0, 0, 0)), fx.Penalty(1e5), fx.ground.surface(fx.Plane())
    with pytest.raises(fx.ModelError, match="surface 'b1' is there twice"):
        fx.Contacts("grains", [one, one], law, walls=[floor])
    with pytest.raises(fx.ModelError, match="surface 'ground' is there twice"):
        fx.Contacts("grains", [one], law, walls=[floor, floor])
    assert len(fx.Contacts("grains", [one], law, walls=[floor, fx.ground.surface(fx.Plane("x"))]).walls) == 2
