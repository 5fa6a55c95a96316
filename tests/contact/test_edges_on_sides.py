"""Edges, corners and borders in contacts with sides that deform: curvatures at the start, forces in impacts, faces of the same width."""

import math

import numpy as np
import pytest

import flexor as fx
from flexor.contact.deformable.beginning import beginning
from flexor.contact.deformable.deforming_solid import beyond
from flexor.contact.deformable.moving_pair import frame_of, pair_on
from flexor.contact.deformable.pair_contact import pair_beginning, paired, start_of
from flexor.mesh.generate import bar
from flexor.spatial import Pose, exp_so3

STEEL = fx.Steel()
EDGE, CORNER = exp_so3(np.array([0, np.radians(30), 0])), exp_so3(np.array([0.7, 0.2, 0])) @ exp_so3(np.array([0, 0.5, 0]))  # fmt: skip
BOX, CYLINDER = fx.Box(0.02, 0.02, 0.02), fx.Cylinder(0.01, 0.03)
CONE = fx.Cone(0.02, 0.03, top=0)
TETRAHEDRON = fx.Triangles(
    [(0, 0, -0.02), (0.02, 0, 0), (-0.01, 0.016, 0), (-0.01, -0.016, 0)], [(0, 2, 1), (0, 3, 2), (0, 1, 3), (1, 2, 3)]
)


def plate(kind, **about):
    """100 × 100 × 20 mm, its upper face at z = 10 mm, held from below."""
    about = {"interfaces": {"root": "z_min"}, "position": (0, 0, 0), **about}
    if kind == "shape":
        return fx.ShapeBody("plate", fx.Box(0.1, 0.1, 0.02, at=(0.05, 0, 0)), STEEL, orders=(2, 2, 1), **about)
    mesh = bar(0.1, 0.1, 0.02, (4, 4, 1), element="hex8", material=STEEL)
    if kind == "full_mesh":
        return fx.FlexibleBody("plate", mesh, formulation=kind, **about)
    return fx.FlexibleBody("plate", mesh, reduction=fx.CraigBampton(modes=2), formulation=kind, **about)


def orientation(R):
    angle = math.acos((np.trace(R) - 1) / 2)
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return {"axis": tuple(axis), "angle": angle} if angle > 0 else {"axis": "z", "angle": 0.0}


def started(kind, solid, R):
    body = plate(kind)
    pair = pair_on("c", body, body.surface("z_max").shape, solid)
    X = Pose(np.array([0.052, 0.003, 0.05]), R).inverse() @ Pose(frame_of(body)[1], np.eye(3))
    return beginning(pair, solid, X)


@pytest.mark.parametrize("kind", ["shape", "floating"])
def test_curvatures_of_edges_and_corners_are_infinite(kind):
    """Along a straight edge of a box none, at its corners and the tip of a tetrahedron both; the rim of a cylinder is curved by sin α / r along itself."""
    assert started(kind, BOX, EDGE).curvatures() == (math.inf, pytest.approx(0, abs=1e-9))
    assert started("shape", CYLINDER, EDGE).curvatures() == (
        math.inf,
        pytest.approx(math.sin(math.radians(30)) / 0.01, rel=1e-4),
    )
    assert started(kind, BOX, CORNER).curvatures() == (math.inf, math.inf)
    assert started(kind, TETRAHEDRON, np.eye(3)).curvatures() == (math.inf, math.inf)


def test_curvature_of_a_small_ball_far_away_is_its_own():
    assert started("shape", fx.Sphere(1e-5), np.eye(3)).curvatures() == pytest.approx((1e5, 1e5), rel=1e-6)


@pytest.mark.parametrize("kind", ["superelement", "floating", "full_mesh", "shape"])
def test_models_with_edges_over_a_side_are_checked(kind):
    """Nothing is refused."""
    body = plate(kind)
    for solid in (BOX, CONE, TETRAHEDRON, CYLINDER):
        for R in (np.eye(3), EDGE, CORNER):
            above = fx.RigidBody("b", 0.05, 2e-5, position=(0.052, 0.003, 0.05), orientation=orientation(R), shapes=[solid])  # fmt: skip
            touch = fx.Contact("touch", above, body.surface("z_max"), fx.Penalty(2e4))
            fx.Model("m", [body, above, touch]).check()


def test_hertz_needs_the_rounding_of_an_edge():
    body = plate("shape")
    above = fx.RigidBody("b", 0.05, 2e-5, position=(0.052, 0.003, 0.05), orientation=orientation(CORNER), shapes=[BOX])

    def model(law):
        return fx.Model("m", [body, above, fx.Contact("touch", above, body.surface("z_max"), law)])

    with pytest.raises(fx.ModelError, match="an edge or a corner touches"):
        model(fx.Hertz("steel")).check()
    model(fx.Hertz("steel", radius="1 mm")).check()


@pytest.mark.parametrize(("kind", "solid", "R", "tip"), [
    ("shape", BOX, CORNER, None),
    ("superelement", CONE, EDGE, (0.02, 0, -0.015)),
])  # fmt: skip
def test_a_guided_body_bounces_off_with_its_edge(kind, solid, R, tip):
    """On a plate that hardly yields: the highest force is v √(k m), and it leaves as fast as it came."""
    k, m, v = 2e4, 0.05, 0.2
    corners = 0.01 * np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    low = R @ np.array(tip) if tip else min(corners @ R.T, key=lambda x: x[2])
    at = np.array([0.052, 0.003, 0.0101]) - low
    body = plate(kind)
    above = fx.RigidBody("b", m, 2e-5, position=tuple(at), velocity=(0, 0, -v), orientation=orientation(R), shapes=[solid])  # fmt: skip
    items = [
        body,
        above,
        fx.Fixed("floor", fx.ground.at(0.05, 0, -0.01), body["root"]),
        fx.Prismatic("guide", fx.ground.at(*at), above, axis="z"),
        fx.Contact("touch", above, body.surface("z_max"), fx.Penalty(k)),
    ]
    run = fx.Model("m", items).dynamics(until=0.02, step=2e-4, show=False)
    assert run["touch.normal_force"].max() == pytest.approx(v * np.sqrt(k * m), rel=5e-3)
    assert run["b.velocity_z"][-1] == pytest.approx(v, rel=5e-3)


def test_the_distance_beyond_a_border_is_continuous_with_its_gradient():
    """Over all of the strip and around it, by differences; beside it the distance from the border."""
    random, strip = np.random.default_rng(2), 0.1
    n = np.array([0.0, 0.6, 0.8])
    for _ in range(200):
        r = random.normal(size=3) * random.choice([0.02, 0.06, 0.2])
        d, normal, steep, _ = beyond(tuple(n), tuple(r), strip)
        slopes = [
            (beyond(tuple(n), tuple(r + s), strip)[0] - beyond(tuple(n), tuple(r - s), strip)[0]) / 2e-7
            for s in 1e-7 * np.eye(3)
        ]
        np.testing.assert_allclose(slopes, steep * np.array(normal), atol=1e-5)
        across = np.linalg.norm(r - (n @ r) * n)
        if across < strip / 2:
            assert d == pytest.approx(n @ r, rel=1e-12)
        if across > strip:
            assert d == pytest.approx(np.linalg.norm(r), rel=1e-12)


def cantilever(kind, name, z):
    ends = {"root": "x_min", "tip": "x_max"}
    about = {"interfaces": ends, "position": (0, 0, z)}
    if kind == "shape":
        return fx.ShapeBody(name, fx.Box(0.3, 0.02, 0.01, at=(0.15, 0, 0)), STEEL, orders=(4, 1, 1), **about)
    mesh = bar(0.3, 0.02, 0.01, (6, 1, 1), element="hex20", material=STEEL)
    return fx.FlexibleBody(name, mesh, reduction=fx.CraigBampton(modes=2), **about)


@pytest.mark.parametrize("lower", ["shape", "superelement"])
def test_a_cantilever_on_another_of_the_same_width(lower):
    """The nodes of one lie on the border of the other, or on its nodes: both share the force as they yield."""
    force, gap = 100.0, 1e-7
    a, b = cantilever(lower, "low", 0.0), cantilever("superelement", "up", 0.01 + gap)
    items = [
        a,
        b,
        fx.Fixed("fix_low", fx.ground, a["root"]),
        fx.Fixed("fix_up", fx.ground.at(0, 0, 0.01 + gap), b["root"]),
        fx.PointForce("push", b["tip"], direction="-z", force=force),
        fx.Contact("touch", a.surface("z_max"), b.surface("z_min"), fx.Penalty(1e8)),
    ]
    found = fx.Model("two", items).statics()
    sunk = found["up.tip.position_z"] - 0.01 - gap
    below = fx.Model("alone", [a, items[2], fx.PointForce("push", a["tip"], direction="-z", force=force)]).statics()[
        "low.tip.position_z"
    ]
    above = fx.Model("alone", [b, items[3], items[4]]).statics()["up.tip.position_z"] - 0.01 - gap
    assert sunk == pytest.approx(below * above / (below + above), rel=2e-3)
    assert found["low.tip.position_z"] == pytest.approx(sunk, abs=1e-5)
    assert found["fix_low.force_z"] + found["fix_up.force_z"] == pytest.approx(force, rel=1e-6)
    assert found["touch.force_z"] == pytest.approx(found["fix_low.force_z"], rel=1e-3)


def test_nodes_over_nodes_touch_faces():
    """A foot on an inner edge or node of a flat skin is on its face: no curvature, whatever lies there."""
    a, b = cantilever("superelement", "low", 0.0), cantilever("superelement", "up", 0.01 + 1e-4)
    touch = fx.Contact("c", a.surface("skin"), b.surface("skin"), fx.Penalty(1e8))
    one, moving, touched = paired(touch, (a, b), (touch.shape_a, touch.shape_b))
    poses = Pose(np.zeros(3), np.eye(3)), Pose(np.array([0, 0, 0.01 + 1e-4]), np.eye(3))
    start = pair_beginning(moving, touched, start_of((a, b), one, poses))
    assert start.gap == pytest.approx(1e-4, rel=1e-6)
    assert start.curvatures() == pytest.approx((0.0, 0.0), abs=1e-9)
    fx.Model("m", [a, b, touch]).check()
