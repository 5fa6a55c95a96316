"""Contact that moves over bodies that deform: closed forms of rings, beams and moving loads; momentum, energy, tangents, search, refusals."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.side import Side
from flexor.contact.deformable.beginning import beginning
from flexor.contact.deformable.facets import Facets, foot
from flexor.contact.deformable.local_yielding import local_yielding
from flexor.contact.deformable.moving_pair import pair_on
from flexor.contact.deformable.rigid_partner import MovingRecord
from flexor.law import COMMIT
from flexor.law.face import INTEGRATED
from flexor.law.law import by_duals
from flexor.mesh.generate import bar
from flexor.model.lower import lower
from flexor.spatial import Pose, exp_so3, quaternion_to_matrix
from tests.laws.calls import call, matrix, outputs, residual
from tests.laws.states import COORDINATES, VELOCITIES, State, perturbed, slope_and_error

RUBBER = fx.Isotropic(young="200 MPa", poisson=0.3, density=1000)
UPRIGHT = {"axis": "x", "angle": "90 deg"}


def hoop(orders=(1, 2, 1), **about):
    """A ring that stands on z = 0."""
    about = {"position": (0, 0, 0.1), "orientation": UPRIGHT, "up_to": "1 kHz", **about}
    return fx.ShapeBody("ring", fx.HollowCylinder(0.08, 0.1, 0.05), RUBBER, orders=orders, **about)


def slab(divisions=(8, 4, 1), element="hex8", modes=6, **about):
    """A plate of 400 × 100 × 20 mm, from x = 0 on."""
    mesh = bar(0.4, 0.1, 0.02, divisions=divisions, element=element, material=RUBBER)
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.4, 0, 0), normal="x")}
    about = {"interfaces": ends, "reduction": fx.CraigBampton(modes=modes), "formulation": "floating", **about}
    return fx.FlexibleBody("slab", mesh, **about)


def term_of(model, name="touch"):
    return next(term for term in lower(model).terms if term.name == name)


def ball(x, y=0.0, z=0.05, **about):
    about = {"shapes": [fx.Sphere(0.04)], **about}
    return fx.RigidBody("ball", 0.5, 3e-4, position=(x, y, z), **about)


RUB = {"coefficient": 0.3, "micro_slip": 1.0}
PUSH = fx.Penalty(1e5)
SCENES = {
    "shape functions on a ball": (
        lambda: [hoop(), fx.Contact("touch", fx.ground.surface(fx.Sphere(0.05)), hoop().surface("outer"), PUSH, friction=RUB)],
        (0.003, 0.002, 0.148),
    ),
    "slices in a bore": (
        lambda: [
            hoop(),
            fx.Contact(
                "touch",
                hoop().surface("outer", slices=2),
                fx.ground.surface(fx.Cylinder(0.11, 1.0, axis="y", at=(0, 0, 0.11), inside=True)),
                PUSH,
                friction=RUB,
            ),
        ],
        (0.001, 0.0, 0.098),
    ),
    "skin on a ball": (
        lambda: [slab(), fx.Contact("touch", fx.ground.surface(fx.Sphere(0.04, at=(0.163, 0.013, -0.0495))), slab().surface("skin"), PUSH, friction=RUB)],
        (0.2, 0.0, 0.0),
    ),
    "nodes on a plane": (
        lambda: [slab((3, 1, 1)), fx.Contact("touch", fx.ground.surface(fx.Plane(at=(0, 0, -0.0099))), slab((3, 1, 1)).surface("skin"), PUSH, friction=RUB)],
        (0.2, 0.0, 0.0),
    ),
    "nodes on a box": (
        lambda: [slab((3, 1, 1)), fx.Contact("touch", fx.ground.surface(fx.Box(0.3, 0.2, 0.1, at=(0.1, 0, -0.0599))), slab((3, 1, 1)).surface("skin"), PUSH, friction=RUB)],
        (0.2, 0.0, 0.0),
    ),
    "skin on a cone": (
        lambda: [slab(), fx.Contact("touch", fx.ground.surface(fx.Cone(0.05, 0.2, top=0.03, axis="y", at=(0.163, 0.0, -0.0495))), slab().surface("skin"), PUSH, friction=RUB)],
        (0.2, 0.0, 0.0),
    ),
    **{
        f"skin on a rim {name}": (
            lambda at=at: [slab(), fx.Contact("touch", fx.ground.surface(fx.Cylinder(0.02, 0.1, axis=(0.9063, 0, -0.4226), at=at)), slab().surface("skin"), PUSH, friction=RUB)],
            (0.2, 0.0, 0.0),
        )
        for name, at in (("within a triangle", (0.163, 0.013, -0.052)), ("over an edge", (0.163, 0.0503, -0.0508)))
    },
    **{
        f"shape functions on {name}": (
            lambda solid=solid: [hoop(), fx.Contact("touch", fx.ground.surface(solid), hoop().surface("outer"), PUSH, friction=RUB)],
            (0.003, 0.002, high),
        )
        for name, solid, high in (
            ("the edge of a box", fx.Box(0.5, 0.1, 0.1, orientation={"axis": "x", "angle": "45 deg"}), 0.05 * 2**0.5 + 0.099),
            ("a cone", fx.Cone(0.05, 0.2, top=0.03, axis="x"), 0.138),
            ("a barrel", fx.Revolved(fx.Profile([(0.03, -0.05), (0.045, 0.0), (0.03, 0.05)], kind="arcs"), axis="x"), 0.143),
            ("a cam", fx.Extruded(fx.Profile([(0.05, 0), (0, 0.04), (-0.045, 0), (0, -0.05)], closed=True), 0.4, orientation={"axis": "y", "angle": "90 deg"}), 0.144),
            ("the corner of a tetrahedron", fx.Triangles(((0, 0, 0.05), (0.05, 0, -0.02), (-0.04, 0.05, -0.02), (-0.04, -0.05, -0.02)), ((0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2))), 0.149),
        )
    },
}  # fmt: skip


def scene(kind, states, rub=None):
    """A term that touches, in a state at random."""
    items, place = SCENES[kind]
    made = (
        items()
        if rub is None
        else [each.replace(friction=rub) if isinstance(each, fx.Contact) else each for each in items()]
    )
    term = term_of(fx.Model("m", made))
    random = np.random.default_rng(3)
    m = len(term.scalars)
    tilt = exp_so3(0.02 * random.normal(size=3)) @ (
        exp_so3(np.array([np.pi / 2, 0, 0])) if "skin" not in kind and "nodes" not in kind else np.eye(3)
    )
    s = np.zeros((m, 3))
    s[:, 0], s[:, 1] = 3e-6 * random.normal(size=m), 0.01 * random.normal(size=m)
    x, R = np.array([(0.0, 0.0, 0.0), place]), np.array([np.eye(3), tilt])
    state = State(x, R, 0.3 * random.normal(size=(2, 6)), np.zeros((2, 6)), s, np.zeros(0), np.array(term.history), 0.02, np.zeros(3))  # fmt: skip
    state = replace(state, states=states)
    return term, replace(state, h=call(term, replace(state, t=0.0), COMMIT).h)


@pytest.mark.parametrize("states", [0.0, INTEGRATED], ids=["at rest", "in a step"])
@pytest.mark.parametrize("kind", SCENES)
def test_tangents_are_exact_and_forces_balance(kind, states):
    """Against differences, of nodes and modes; action and reaction, with their moments, are one wrench."""
    term, state = scene(kind, states)
    r = residual(term, state)
    assert outputs(term, state)[0] > 0.1
    force, moment = r[:3] + r[6:9], np.cross(state.x[1], r[6:9]) + r[3:6] + r[9:12]
    np.testing.assert_allclose(np.concatenate([force, moment]), 0, atol=1e-10 * np.abs(r).max())
    some = [1, 2, 4, 5, 6, 8, 9, 10, 12, 12 + len(term.scalars) // 2, 11 + len(term.scalars)]
    for c, what in (((1.0, 0.0, 0.0), COORDINATES), ((0.0, 1.0, 0.0), VELOCITIES)):
        K = matrix(term, state, c)
        found = [slope_and_error(lambda d, j=j, w=what: residual(term, perturbed(state, w, j, d)), 1e-6) for j in some]
        slopes, errors = np.array(found)[:, 0].T, np.array(found)[:, 1].T
        np.testing.assert_allclose(K[:, some], slopes, rtol=0, atol=1e-7 * np.abs(K).max() + 10 * errors.max())


def test_tangent_is_that_of_dual_numbers_through_the_whole_law():
    """The few directions and their sums over modes against each coordinate in turn, search included; so sensors have the derivatives of signals."""
    term, state = scene("skin on a ball", INTEGRATED)
    c = (0.7, 0.2, 0.0)
    whole = replace(term, law=by_duals(term.law), scratch=max(term.scratch, term.law.scratch))
    K = matrix(term, state, c)
    np.testing.assert_allclose(matrix(whole, state, c), K, rtol=0, atol=1e-10 * np.abs(K).max())


def test_without_friction_forces_have_a_potential():
    """The tangent in the modes, and between them and the nodes, is symmetric to rounding: the gap is least at the point, so that its motion does no work."""
    term, state = scene("skin on a ball", 0.0, rub={"coefficient": 0.0})
    K = matrix(term, state, (1.0, 0.0, 0.0))
    assert term.law.symmetric
    np.testing.assert_allclose(K[12:], K[:, 12:].T, rtol=0, atol=1e-13 * np.abs(K).max())


def test_a_bullet_is_noticed():
    """In one step it would be far beyond the plate, which is hit all the same, and throws it back."""
    bullet = ball(0.2, 0.01, 0.35, velocity=(0, 0, -100.0), shapes=[fx.Sphere(0.01)]).replace(
        mass=0.01, inertia=(1e-6,) * 3
    )
    hit = fx.Contact("touch", bullet, slab().surface("skin"), fx.Penalty(1e7))
    run = fx.Model("shot", [slab(position=(0, 0, 0)), bullet, hit]).dynamics(until=0.005, step=1e-3, show=False)
    assert run["ball.velocity_z"][-1] > 50.0


def test_ring_between_plates():
    """A thin ring is flattened by (π/4 − 2/π) F R³/(E I) between opposite forces (Timoshenko, Strength of Materials I)."""
    young, wide, thick, R, force, k = 2e9, 0.02, 0.004, 0.1, 10.0, 1e5
    material = fx.Isotropic(young=young, poisson=0.0, density=1000)
    high = 2 * R + thick
    tube = fx.HollowCylinder(R - thick / 2, R + thick / 2, wide)
    ring = fx.ShapeBody("ring", tube, material, orders=(2, 6, 1), position=(0, 0, high / 2), orientation=UPRIGHT)
    top = fx.RigidBody("top", 1.0, 1e-2, position=(0, 0, high))
    items = [
        ring,
        top,
        fx.Prismatic("guide", fx.ground.at(0, 0, high), top, axis="z"),
        fx.Contact("floor", fx.ground.surface(fx.Plane()), ring.surface("outer", slices=2), fx.Penalty(k), friction=0.3),
        fx.Contact("roof", ring.surface("outer", slices=2), top.surface(fx.Plane(normal="-z")), fx.Penalty(k), friction=0.3),
        fx.PointForce("push", top, direction="z", force=-force),
    ]  # fmt: skip
    found = fx.Model("flattened", items).statics()
    flatter = (np.pi / 4 - 2 / np.pi) * force * R**3 / (young * wide * thick**3 / 12)
    assert high - found["top.position_z"] - 2 * force / k == pytest.approx(flatter, rel=2.5e-3)
    assert found["floor.normal_force"] == pytest.approx(force, rel=1e-9)
    assert found["roof.force"] == pytest.approx((0, force, 0), abs=1e-6)  # on the plate, in the axes of the ring


def test_ball_crosses_a_simply_supported_beam():
    """Deflection of the middle under a moving force: Σ 2P/(μ L) sin(nπ/2) (sin Ωt − Ω/ω sin ωt)/(ω² − Ω²)  (Frýba 1972, 1.13)."""
    L, h, young, density, v, P, k = 1.0, 0.02, 2e11, 7800.0, 10.0, 20.0, 1e5
    material = fx.Isotropic(young=young, poisson=0.0, density=density)
    marks = {"left": (-L / 2, 0, 0), "right": (L / 2, 0, 0), "middle": (0, 0, 0)}
    beam = fx.ShapeBody(
        "beam", fx.Box(L, h, h), material, orders=(9, 1, 1), markers=marks, up_to="3 kHz", position=(0, 0, 0)
    )
    at = (-L / 2, 0, h / 2 + 0.01 - P / k)
    rider = fx.RigidBody("ball", 0.01, 1e-7, position=at, velocity=(v, 0, 0), shapes=[fx.Sphere(0.01)])
    items = [
        beam,
        rider,
        fx.Revolute("pin", fx.ground.at(-L / 2, 0, 0), beam["left"], axis="y"),
        fx.PointOnLine("roller", fx.ground.at(L / 2, 0, 0), beam["right"], axis="x"),
        fx.Contact("touch", rider, beam.surface("z_max"), fx.Penalty(k, damping=3.0, rest_speed=0.1)),
        fx.PointForce("push", rider, direction="z", force=-P),
    ]
    run = fx.Model("moving load", items).dynamics(until=0.95 * L / v, step=L / v / 300, show=False)
    t, n = run.time, np.arange(1, 30)[:, None]
    EI, mu = young * h**4 / 12, density * h * h
    own, forced = (n * np.pi / L) ** 2 * np.sqrt(EI / mu), n * np.pi * v / L
    down = (
        2
        * P
        / (mu * L)
        * np.sin(n * np.pi / 2)
        * (np.sin(forced * t) - forced / own * np.sin(own * t))
        / (own**2 - forced**2)
    )
    np.testing.assert_allclose(
        run["beam.middle.position_z"].values, -down.sum(axis=0), atol=0.01 * np.abs(down.sum(axis=0)).max()
    )
    assert run["touch.point_x"][-1] == pytest.approx(0.0, abs=1e-4)  # it is below the ball, wherever that is


def test_momentum_and_energy_when_a_ball_hits_a_free_plate():
    """The skin of a mesh: nothing is lost of momentum, angular momentum and energy, though the ball hits between nodes, off the middle."""
    plate = slab(position=(0, 0, 0))
    hammer = ball(0.287, 0.021, 0.0505, velocity=(0.3, 0.1, -1.0))
    model = fx.Model(
        "hit", [plate, hammer, fx.Contact("touch", hammer, plate.surface("skin"), fx.Penalty(1e5, rest_speed=0.1))]
    )
    run = model.dynamics(until=0.02, step=1e-4, show=False)
    assert run["touch.deepest"][-1] > 1e-3
    assert run["touch.normal_force"][-1] == 0.0
    properties = plate.made.mass_properties

    def momentum(row):
        """Linear, and angular about the origin; the frame of the plate is at its centre of mass, where its modes have none."""
        signals = ("position", "velocity", "angular_velocity")
        x, v, w = (np.array([run[f"ball.{what}_{c}"][row] for c in "xyz"]) for what in signals)
        x_b, v_b, w_b = (np.array([run[f"slab.{what}_{c}"][row] for c in "xyz"]) for what in signals)
        R = quaternion_to_matrix([run[f"slab.orientation_{c}"][row] for c in "wxyz"])
        arm = R @ properties.com
        linear = properties.mass * (v_b + np.cross(w_b, arm))
        spin = R @ properties.inertia @ R.T @ w_b
        return 0.5 * v + linear, np.cross(x, 0.5 * v) + 3e-4 * w + np.cross(x_b + arm, linear) + spin

    (p, L), (p_end, L_end) = momentum(0), momentum(-1)
    np.testing.assert_allclose(p_end, p, atol=1e-8 * np.abs(p).max())
    np.testing.assert_allclose(
        L_end, L, atol=0.01 * np.abs(L).max()
    )  # the inertia of the deformed plate is a little different
    assert np.ptp(run["energy.check_sum"].values) < 1e-3 * run["energy.kinetic"][0]


def test_skin_of_a_superelement_has_an_exact_tangent():
    """Forces on its connection nodes and modes by way of the frame that they carry: balanced, with the slopes of differences."""
    body = slab(formulation="superelement", modes=3, divisions=(6, 2, 1))
    solid = fx.ground.surface(fx.Sphere(0.04, at=(0.163, 0.013, -0.0495)))
    term = term_of(fx.Model("m", [body, fx.Contact("touch", solid, body.surface("skin"), PUSH, friction=RUB)]))
    random = np.random.default_rng(0)
    tilt = exp_so3(0.01 * random.normal(size=3))
    x = np.array([(0, 0, 0), (0, 0, 0), (0.4, 0, 0)]) + 1e-4 * np.array([[0], [1], [1]]) * random.normal(size=(3, 3))
    R = np.array([np.eye(3), *(exp_so3(0.01 * random.normal(size=3)) @ tilt for _ in range(2))])
    s = np.zeros((3, 3))
    s[:, 0], s[:, 1] = 1e-5 * random.normal(size=3), 0.01 * random.normal(size=3)
    state = State(x, R, 0.3 * random.normal(size=(3, 6)), np.zeros((3, 6)), s, np.zeros(0), np.array(term.history), 0.02, np.zeros(3), states=INTEGRATED)  # fmt: skip
    state = replace(state, h=call(term, replace(state, t=0.0), COMMIT).h)
    r = residual(term, state)[:18].reshape(3, 6)
    assert outputs(term, state)[0] > 1.0
    moments = (np.cross(x, r[:, :3]) + r[:, 3:]).sum(axis=0)
    np.testing.assert_allclose(np.concatenate([r[:, :3].sum(axis=0), moments]), 0, atol=1e-10 * np.abs(r).max())
    K = matrix(term, state, (1.0, 0.0, 0.0))
    some = [2, 4, 6, 8, 10, 15, 17, 19]
    found = [slope_and_error(lambda d, j=j: residual(term, perturbed(state, COORDINATES, j, d)), 1e-6) for j in some]
    np.testing.assert_allclose(K[:, some], np.array(found)[:, 0].T, rtol=0, atol=1e-9 * np.abs(K).max())


def test_superelement_and_floating_body_give_way_alike():
    """A ball is pressed on a cantilever, and hits a free plate: both formulations have the same coordinates, in another frame."""
    rest, speed = [], []
    for formulation in ("floating", "superelement"):
        plate, pressed = slab(formulation=formulation), ball(0.287, 0.021, 0.05)
        touch = fx.Contact("touch", pressed, plate.surface("skin"), fx.Penalty(1e5, rest_speed=0.1))
        items = [
            fx.Fixed("clamp", fx.ground, plate["left"]),
            fx.Prismatic("guide", fx.ground.at(0.287, 0.021, 0.05), pressed, axis="z"),
            fx.PointForce("push", pressed, direction="z", force=-2.0),
        ]
        rest.append(fx.Model("pressed", [plate, pressed, touch, *items]).statics()["ball.position_z"])
        thrown = ball(0.287, 0.021, 0.0505, velocity=(0.3, 0.1, -1.0))
        run = fx.Model("hit", [slab(formulation=formulation, position=(0, 0, 0)), thrown, touch]).dynamics(
            until=0.01, step=1e-4, show=False
        )
        speed.append(run["ball.velocity_z"][-1])
    assert 0.05 - rest[0] > 1e-3
    assert rest[1] == pytest.approx(rest[0], abs=1e-4 * (0.05 - rest[0]))
    assert speed[1] == pytest.approx(speed[0], rel=1e-3)


def test_search_finds_the_nearest_triangle():
    """From wherever it begins, after a step the point is the nearest of the whole skin: against all triangles, one by one."""
    plate = slab(divisions=(7, 3, 2))
    model = fx.Model("m", [plate, ball(0.2), fx.Contact("touch", ball(0.2), plate.surface("skin"), PUSH)])
    term = term_of(model)
    p = Facets(MovingRecord(term.words(python=True)).surface)
    X, corners = np.asarray(p.X).reshape(-1, 3), np.asarray(p.corners).astype(int).reshape(-1, 3)
    random = np.random.default_rng(0)
    for _ in range(8):
        z = random.uniform((-0.05, -0.1, -0.06), (0.45, 0.1, 0.06))
        state = State(
            np.array([z, (0.2, 0, 0)]), np.array([np.eye(3)] * 2), np.zeros((2, 6)), np.zeros((2, 6)),
            np.zeros((len(term.scalars), 3)), np.zeros(0), np.array(term.history), 0.02, np.zeros(3),
        )  # fmt: skip
        away = min(
            np.linalg.norm(a + s * (b - a) + t * (c - a) - (z - (0.2, 0, 0)))
            for a, b, c in X[corners]
            for s, t, _ in [foot(tuple(a), tuple(b - a), tuple(c - a), tuple(z - (0.2, 0, 0)))]
        )
        found = call(term, state, COMMIT).h
        assert outputs(term, replace(state, h=found))[5] == pytest.approx(away - 0.04, abs=1e-12)


def test_force_moves_smoothly_over_shape_functions_and_over_edges_of_a_skin():
    """The gap under a ball that moves straight over a bent body: of shape functions as smooth as they are, of facets without jumps, with a bend at edges."""

    def gaps(body, side):
        touch = fx.Contact("touch", fx.ground.surface(fx.Sphere(0.04)), body.surface(side), PUSH)
        term = term_of(fx.Model("m", [body, touch]))
        s = np.zeros((len(term.scalars), 3))
        s[0, 0] = 2e-3
        h, found = np.array(term.history), []
        for x in np.linspace(-0.06, 0.06, 37):
            place = np.array([(0, 0, 0), (x, 0, -0.049)])
            state = State(place, np.array([np.eye(3)] * 2), np.zeros((2, 6)), np.zeros((2, 6)), s, np.zeros(0), h, 0.02, np.zeros(3))  # fmt: skip
            h = call(term, state, COMMIT).h
            found.append(outputs(term, replace(state, h=h))[5])
        return np.array(found)

    block = fx.ShapeBody("slab", fx.Box(0.4, 0.1, 0.02), RUBBER, orders=(5, 1, 1))
    smooth = np.diff(gaps(block, "z_max"), 2)
    facets = np.diff(gaps(slab(divisions=(8, 2, 1)), "skin"), 2)
    assert np.abs(np.diff(smooth)).max() < 0.1 * np.abs(smooth).max()
    assert np.abs(np.diff(facets)).max() > 0.9 * np.abs(facets).max()
    assert np.abs(facets).max() < 2e-4  # slopes change, the gap does not jump


def test_what_the_modes_leave_out_is_told():
    """The residual flexibility is what a static solution of the whole mesh has beyond the modes; it falls as modes are added."""
    solid, X = fx.Sphere(0.04), Pose(np.array([0.0, 0.0, -0.05]))
    found = []
    for modes in (1, 10, 40):
        body = slab(modes=modes)
        found.append(local_yielding(body, beginning(pair_on("c", body, Side("skin"), solid), solid, X)))
    assert found[0].whole == pytest.approx(found[2].whole, rel=1e-9)
    assert found[0].share < found[1].share < found[2].share < 1.0
    few = fx.Model(
        "few",
        [slab(modes=1), ball(0.2), fx.Contact("touch", ball(0.2), slab(modes=1).surface("skin"), fx.Penalty(1e8))],
    )
    said = str(few.check())
    assert "the modes of 'slab' take" in said
    assert f"leave out {found[0].missing:.3g} m/N" in said
    soft = fx.Model(
        "soft",
        [slab(modes=1), ball(0.2), fx.Contact("touch", ball(0.2), slab(modes=1).surface("skin"), fx.Penalty(1e3))],
    )
    assert "take" not in str(soft.check())
    block = fx.ShapeBody("slab", fx.Box(0.4, 0.1, 0.02), RUBBER, orders=(5, 2, 2), up_to="40 Hz", position=(0, 0, 0))
    lies = fx.Model("m", [block, ball(0.0), fx.Contact("touch", ball(0.0), block.surface("z_max"), fx.Penalty(1e8))])
    assert "the modes of 'slab' take" in str(lies.check())


def test_what_cannot_touch_is_refused_in_words():
    ring, plate = hoop(), slab()
    plane = fx.ground.surface(fx.Plane())
    cases = {
        "it has no side 'top'": [ring, fx.Contact("c", plane, ring.surface("top"), PUSH)],
        "moves as rigid": [slab(formulation="rigid"), fx.Contact("c", plane, plate.surface("skin"), PUSH)],
        "has geometric stiffening": [hoop(stiffening=True), fx.Contact("c", plane, ring.surface("outer"), PUSH)],
        "does not deform, so that it has no side": [
            ball(0.0),
            fx.Contact("c", plane, {"on": "ball", "shape": {"type": "side", "side": "outer"}}, PUSH),
        ],
        "the mesh has no node set 'lid'": [plate, fx.Contact("c", plane, plate.surface("lid"), PUSH)],
        "slices are for bodies of shape functions": [plate, fx.Contact("c", plane, plate.surface("skin", slices=3), PUSH)],
        "Hertz's law is of one point": [plate, fx.Contact("c", plane, plate.surface("skin"), fx.Hertz("steel"))],
        "touch along a line, or a face; one point": [ring, fx.Contact("c", plane, ring.surface("outer"), PUSH)],
        "overlap by 0.1 m at the start": [hoop(position=(0, 0, 0)), fx.Contact("c", plane, ring.surface("outer", slices=1), PUSH)],
    }  # fmt: skip
    for words, items in cases.items():
        assert words in _said(items)


def _said(items):
    """What the check of a model says, whether it refuses it or not."""
    try:
        return str(fx.Model("m", items).check())
    except fx.ModelError as error:
        return str(error)


def test_files_and_signals(tmp_path):
    """Sides are written and read; a sensor may read the force, and feed it back with its derivatives."""
    ring = hoop(position=(0, 0, 0.0999))
    touch = fx.Contact("touch", fx.ground.surface(fx.Plane()), ring.surface("outer", slices=2), PUSH)
    model = fx.Model("m", [ring, touch], gravity=(0, 0, -9.81))
    model.save(tmp_path / "m.yaml")
    assert fx.Model.load(tmp_path / "m.yaml") == model
    assert "side: outer" in (tmp_path / "m.yaml").read_text()
    group = slab().surface(fx.plane(at=(0, 0, 0.01), normal="z"))
    again = fx.Contact("touch", fx.ground.surface(fx.Sphere(0.1)), group, PUSH)
    assert fx.Contact.model_validate(again.model_dump(mode="json")) == again


@pytest.mark.parametrize("off", [0.0, 1e-9, 1e-4, 1e-3, 4e-3])
def test_a_ball_near_the_axis_of_an_end(off):
    """On the axis the angle has no direction: the nearest point, and Hertz's stiffness, are found there as elsewhere."""
    steel = fx.Isotropic(2.1e11, 0.3, density=7800)
    disc = fx.ShapeBody("disc", fx.Cylinder(0.1, 0.05), steel, orders=(2, 3, 2), position=(0, 0, 0))
    ball = fx.RigidBody(
        "ball", 1, 1e-3, position=(off, 0, 0.055 + 1e-5), velocity=(-0.1, 0.02, 0), shapes=[fx.Sphere(0.03)]
    )
    model = fx.Model("disc", [disc, ball, fx.Contact("touch", ball, disc.surface("end"), fx.Hertz(steel))])
    run = model.dynamics(until=0.08, step=1e-3, show=False)
    assert np.abs(run["touch.gap"].values - 1e-5).max() < 1e-9
    stiffness = MovingRecord(term_of(model).parameters.words).stiffness.K
    assert stiffness == pytest.approx(4 / 3 * 2.1e11 / 2 / 0.91 * 0.03**0.5, rel=1e-6)


def test_a_face_that_lies_on_a_plane_is_told():
    for side, slices in (("z_min", 0), ("z_min", 4)):
        block = fx.ShapeBody("block", fx.Box(0.2, 0.15, 0.1), RUBBER, orders=(2, 2, 2), position=(0, 0, 0.05))
        on = fx.Contact("on", fx.ground.surface(fx.Plane()), block.surface(side, slices=slices), PUSH)
        assert "its surfaces touch over a face" in str(fx.Model("flat", [block, on]).check())
    tilted = block.replace(orientation={"axis": "x", "angle": 0.3}, position=(0, 0, 0.2))
    assert "over a face" not in str(fx.Model("tilted", [tilted, on]).check())


@pytest.mark.parametrize("turned", [False, True])
def test_a_face_lies_flat_with_its_points(turned):
    """A block of shape functions falls flat on a plane that pulls it sideways: it rests, sticks, and presses with its weight; a disc does with its end."""
    if turned:
        geometry, side, volume = fx.Cylinder(0.1, 0.1), "start", np.pi * 0.1**2 * 0.1
    else:
        geometry, side, volume = fx.Box(0.2, 0.15, 0.1), "z_min", 0.2 * 0.15 * 0.1
    block = fx.ShapeBody(
        "b", geometry, fx.Isotropic("70 GPa", 0.3, density=2700), orders=(2, 2, 2), position=(0, 0, 0.051)
    )
    on = fx.Contact("c", fx.ground.surface(fx.Plane()), block.surface(side, points=3), fx.Penalty(1e6, restitution=0.3), friction=0.3)  # fmt: skip
    model = fx.Model("flat", [block, on], gravity=(1, 0, -9.81))
    assert "face" not in str(model.check())
    run = model.dynamics(until=0.2, step=1e-3, show=False)
    mass = 2700 * volume
    assert run["c.normal_force"][-1] == pytest.approx(9.81 * mass, rel=1e-3)
    assert run["c.friction_force"][-1] == pytest.approx(mass, rel=1e-2)
    assert run["c.sticks"][-1] == 1
    assert run["c.gap"][-1] == pytest.approx(-9.81 * mass / 1e6, rel=0.2)
    with pytest.raises(fx.ModelError, match="one of both"):
        block.surface(side, slices=2, points=2)
