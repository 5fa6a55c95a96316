"""Pressure over sides of bodies that deform: even where it must be, its integral the normal force, its trail where and when something passed."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.contact.deformable.depths import BelowRigid
from flexor.mesh.generate import bar

SOFT = fx.Isotropic("200 MPa", 0.0, density=1000)
LENGTH, DEEP, FORCE = 0.04, 0.02, 200.0
EVEN = FORCE / LENGTH**2
TOP, FLOOR = fx.plane(at=(0, 0, DEEP / 2), normal="z"), fx.plane(at=(0, 0, -DEEP / 2), normal="z")
STIFF = fx.Penalty(1e9)


def block(name="pad", element="hex8", divisions=(4, 4, 2), **about):
    mesh = bar(LENGTH, LENGTH, DEEP, divisions=divisions, element=element, material=SOFT)
    return fx.FlexibleBody(
        name, mesh, **{"formulation": "full_mesh", "interfaces": {"floor": FLOOR}, "position": (0, 0, 0), **about}
    )


def shaped(**about):
    about = {"orders": (2, 2, 4), "position": (LENGTH / 2, 0, 0), "interfaces": {"floor": "z_min"}, **about}
    return fx.ShapeBody("pad", fx.Box(LENGTH, LENGTH, DEEP), SOFT, **about)


def bedded(body, at=-DEEP / 2):
    return fx.Fixed("bed", fx.ground.at(LENGTH / 2, 0, at), body["floor"])


def pressed(body, side, law=STIFF):
    """A flat lid is pressed on a block without lateral strain."""
    lid = fx.RigidBody("lid", 1.0, 1e-3, position=(LENGTH / 2, 0, DEEP / 2), shapes=[fx.Plane((0, 0, -1))])
    guide = fx.Prismatic("guide", fx.ground.at(LENGTH / 2, 0, DEEP / 2), lid, axis="z")
    push = fx.PointForce("push", lid, direction="z", force=-FORCE)
    return fx.Model("m", [body, lid, bedded(body), guide, push, fx.Contact("touch", lid, side, law)]).statics()


@pytest.mark.parametrize(
    ("element", "error"), [("hex8", 1e-3), ("tet4", 2e-3), ("wedge6", 2e-3), ("hex20", 0.02), ("tet10", 1e-3)]
)
def test_an_even_pressure(element, error, tmp_path):
    """A bar pressed by a flat lid: F/A at every node, whatever the elements, on borders and corners, too."""
    body = block(element=element)
    found = pressed(body, body.surface(TOP))
    shown = found.pressure_map("touch")
    assert shown.pressure == pytest.approx(EVEN, rel=error)
    assert shown.force == pytest.approx(found["touch.normal_force"], rel=1e-12)
    assert shown.areas.sum() == pytest.approx(LENGTH**2, rel=1e-9)
    assert set(shown.points[:, 2]) == {DEEP / 2}
    assert shown.surface == "b"
    assert shown.body == "pad"
    nodes = body.mesh.points[np.searchsorted(body.mesh.node_ids, shown.numbers)]
    np.testing.assert_allclose(shown.points, nodes)
    table = shown.to_csv(tmp_path / "map.csv").read_text().splitlines()
    assert table[0] == "node,area [m²],x [m],y [m],z [m],pressure [Pa],time [s]"
    assert len(table) == 1 + len(shown.points)
    assert shown.to_csv(tmp_path / "map.csv").exists()  # written over
    assert "pressure" in shown.to_vtu(tmp_path / "map.vtu").read_bytes().decode("latin-1")
    shown.plot(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000


def test_formulations_and_points_of_shape_functions():
    """Modes are pressed unevenly; nodes and points share the normal force, and stand for the whole side."""
    reduced = block(formulation="superelement", reduction=fx.CraigBampton(modes=12))
    series = shaped()
    for body, side, count in (
        (reduced, reduced.surface(TOP), 25),
        (reduced.replace(formulation="floating"), reduced.surface(TOP), 25),
        (series, series.surface("z_max", points=5), 25),
    ):
        found = pressed(body, side, fx.Penalty(1e7))
        shown = found.pressure_map("touch", surface="b")
        assert len(shown.points) == count
        assert shown.force == pytest.approx(found["touch.normal_force"], rel=1e-12)
        assert shown.areas.sum() == pytest.approx(LENGTH**2, rel=1e-6)
        assert shown.pressure == pytest.approx(EVEN, rel=0.6)
        assert np.sort(shown.points[:, 2]) == pytest.approx(DEEP / 2, abs=1e-9)
    low = shown.areas.min()  # of a corner
    assert low == pytest.approx(LENGTH**2 / 64, rel=1e-6)


def test_the_end_of_a_ring():
    """Points of a ring stand for rings of their own, whose widths are halves at both borders."""
    ring = fx.ShapeBody("ring", fx.HollowCylinder(0.01, 0.02, 0.03), SOFT, orders=(2, 2, 2), up_to="20 kHz", position=(0, 0, 0.015))  # fmt: skip
    touch = fx.Contact(
        "touch", fx.ground.surface(fx.Plane()), ring.surface("start", points=8), fx.Penalty(1e6), friction=0.3
    )
    run = fx.Model("m", [ring, touch], gravity=(0, 0, -9.81)).dynamics(until=0.01, step=1e-3, show=False)
    shown = run.pressure_map("touch", time=0.01)
    assert shown.areas.sum() == pytest.approx(np.pi * (0.02**2 - 0.01**2), rel=1e-9)
    r = np.hypot(*shown.points.T[:2])
    inner = np.isclose(r, 0.01)
    assert inner.sum() == 8
    width = 0.01 / 7 / 2
    assert shown.areas[inner] == pytest.approx(np.pi * ((0.01 + width) ** 2 - 0.01**2) / 8, rel=1e-6)
    assert shown.force == pytest.approx(run["touch.normal_force"][-1], rel=1e-12)
    assert run.pressure_map("touch").force >= shown.force


def test_two_sides():
    """A block on another one: even where both are meshes; on shape functions the same force, at nodes of the upper one."""
    upper = block("upper", interfaces={"roof": TOP}, position=(0, 0, DEEP))
    press = fx.RigidBody("press", 1.0, 1e-3, position=(LENGTH / 2, 0, 1.5 * DEEP))
    for low, name in (
        (block(), "touch"),
        (block(formulation="superelement", reduction=fx.CraigBampton(modes=12)), "touch"),
        (shaped(), "z_max"),
    ):
        side = low.surface(TOP if name == "touch" else "z_max")
        items = [
            low,
            upper,
            press,
            bedded(low),
            fx.Fixed("glue", press, upper["roof"]),
            fx.Prismatic("guide", fx.ground.at(LENGTH / 2, 0, 1.5 * DEEP), press, axis="z"),
            fx.PointForce("push", press, direction="z", force=-FORCE),
            fx.Contact("touch", side, upper.surface(FLOOR), fx.Penalty(1e8)),
        ]
        found = fx.Model("m", items).statics()
        shown = found.pressure_map("touch")
        assert shown.body == "upper"
        assert shown.force == pytest.approx(found["touch.normal_force"], rel=1e-12)
        assert shown.pressure == pytest.approx(EVEN, rel=0.25 if name == "z_max" else 4e-3)
        with pytest.raises(fx.ModelError, match=r'surface a has no map.*those of b, \'upper\'.*surface="b"'):
            found.pressure_map("touch", "a")


@pytest.fixture(scope="module")
def rolling():
    """A ball is pulled over a block, pressed by its weight."""
    body = block(divisions=(8, 2, 1), damping=fx.Rayleigh(beta=1e-3))
    ball = fx.RigidBody(
        "ball", 1.0, 1e-3, position=(0.3 * LENGTH, 0, 0.5 * DEEP + 0.0499), velocity=(0.5, 0, 0), shapes=[fx.Sphere(0.05)]
    )  # fmt: skip
    frame = fx.RigidBody("frame", 0.1, 1e-4, position=(0.3 * LENGTH, 0, 0.06), velocity=(0.5, 0, 0))
    items = [
        body,
        ball,
        frame,
        bedded(body),
        fx.Prismatic("along", fx.ground.at(0.3 * LENGTH, 0, 0.06), frame, axis="x"),
        fx.Prismatic("down", frame, ball, axis="z"),
        fx.Contact("touch", body.surface(TOP, every_node=True), ball, fx.Penalty(1e6, rest_speed=1.0)),
    ]
    return fx.Model("m", items, gravity=(0, 0, -50.0)).dynamics(until=0.03, step=1e-3, show=False)


def test_the_trail_of_a_ball(rolling):
    trail = rolling.pressure_map("touch")
    assert trail.surface == "a"
    assert trail.time is None
    track = (trail.pressure > 0.2 * trail.peak) & (np.abs(trail.points[:, 1]) < 1e-9)
    order = np.argsort(trail.points[track, 0])
    assert track.sum() >= 4
    assert np.all(np.diff(trail.times[track][order]) >= 0)
    assert np.ptp(trail.times[track]) > 0.01
    assert np.isnan(trail.times).any()
    now = rolling.pressure_map("touch", time=trail.peak_time)
    assert now.peak == trail.peak
    assert now.peak_number == trail.peak_number
    np.testing.assert_array_equal(now.peak_point, trail.peak_point)
    assert now.force == pytest.approx(rolling["touch.normal_force"].at(trail.peak_time), rel=1e-12)
    reached = 0.3 * LENGTH + 0.5 * trail.peak_time
    assert now.points[:, 0] @ (now.pressure * now.areas) / now.force == pytest.approx(reached, abs=0.1 * LENGTH)
    assert "up to" in repr(trail)


def test_what_is_not_asked_again_is_not_missed(rolling):
    """Points far away are passed over from row to row: what is found is that of each row alone."""
    touched = rolling.time[rolling["touch.normal_force"].values > 0]
    highest = np.max([rolling.pressure_map("touch", time=t).pressure for t in touched], axis=0)
    np.testing.assert_allclose(rolling.pressure_map("touch").pressure, highest, rtol=1e-12)


def test_what_has_no_share_of_the_surface_is_refused(rolling):
    body = block()
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(LENGTH / 2, 0, DEEP / 2 + 0.0499), shapes=[fx.Sphere(0.05)])
    soft = [body, ball, bedded(body), fx.Contact("touch", ball, body.surface(TOP), fx.Penalty(1e5))]
    run = fx.Model("m", soft).dynamics(until=1e-4, step=1e-4, show=False)
    with pytest.raises(fx.ModelError, match=r"of 'pad' touches with the point that is nearest.*every_node=True"):
        run.pressure_map("touch")
    ring = fx.ShapeBody("ring", fx.HollowCylinder(0.04, 0.05, 0.03), SOFT, orders=(1, 2, 1), up_to="5 kHz", position=(0, 0, 0.0499), orientation={"axis": "x", "angle": "90 deg"})  # fmt: skip
    touch = fx.Contact("touch", fx.ground.surface(fx.Plane()), ring.surface("outer", slices=2), fx.Penalty(1e5))
    rolled = fx.Model("m", [ring, touch]).dynamics(until=1e-4, step=1e-4, show=False)
    with pytest.raises(fx.ModelError, match=r"'outer' of 'ring' touches with slices.*points=8"):
        rolled.pressure_map("touch")
    with pytest.raises(fx.ModelError, match="leave out coupled"):
        rolling.pressure_map("touch", coupled=True)
    with pytest.raises(fx.ModelError, match="surface b has no map"):
        rolling.pressure_map("touch", "b")


def test_depths_are_those_of_the_run(rolling):
    """The stiffness times all depths, found from the recorded motion, is the recorded force."""
    body, below = rolling.body("pad"), BelowRigid(fx.Sphere(0.05))
    nodes = rolling.model["pad"].mesh.points[:, 2] == DEEP / 2
    for row in (5, 12, 25):
        z = body.points(row)[: len(nodes)][nodes] - rolling["ball.position"][row]
        force = rolling["touch.normal_force"][row]
        assert 1e6 * below.depths(z).sum() == pytest.approx(force, rel=1e-9)


def test_depths_that_are_lost_in_rounding_are_told(rolling, tmp_path):
    """Of few digits depths are noise, which is told."""
    exact = rolling.model.dynamics(until=2e-3, step=1e-3, file=tmp_path / "exact.h5", show=False)
    coarse = rolling.model.dynamics(until=2e-3, step=1e-3, file=tmp_path / "coarse.h5", digits=4, show=False)
    assert exact.pressure_map("touch").force > 0
    with pytest.warns(fx.CoarsePressure, match="recorded to 4 digits"):
        coarse.pressure_map("touch")


@pytest.mark.slow
def test_hertz():
    """A rigid ball on a block of 5832 hex8, four elements across the radius of contact: pressure of Hertz at every node well within it."""
    x = np.concatenate([[0.0], np.cumsum(0.8e-3 * 1.6 ** np.maximum(np.arange(9) - 5, 0))])
    deep, n = x[-1], len(x) - 1
    rubber = fx.Isotropic("200 MPa", 0.3, density=1000)
    mesh = bar(2 * deep, 2 * deep, deep, divisions=(2 * n, 2 * n, n), element="hex8", material=rubber)
    k = np.rint((mesh.points - mesh.points.min(axis=0)) / (deep / n)).astype(int)
    along = np.concatenate([-x[::-1], x[1:]])
    mesh = replace(mesh, points=np.column_stack([along[k[:, 0]], along[k[:, 1]], -x[::-1][k[:, 2]]]))
    R, force = 0.1, 100.0
    body = fx.FlexibleBody(
        "pad", mesh, formulation="full_mesh", interfaces={"floor": fx.plane(at=(0, 0, -deep), normal="z")}
    )
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, R), shapes=[fx.Sphere(R)])
    items = [
        body,
        ball,
        fx.Fixed("bed", fx.ground.at(0, 0, -deep), body["floor"]),
        fx.Prismatic("guide", fx.ground.at(0, 0, R), ball, axis="z"),
        fx.PointForce("push", ball, direction="z", force=-force),
        fx.Contact("touch", ball, body.surface(fx.plane(at=(0, 0, 0), normal="z"), every_node=True), fx.Penalty(1e7)),
    ]
    found = fx.Model("hertz", items).statics()
    shown = found.pressure_map("touch")
    a = (3 * force * R * (1 - 0.3**2) / (4 * 2e8)) ** (1 / 3)  # Hertz 1882
    highest = 1.5 * force / (np.pi * a**2)
    r = np.hypot(*shown.points.T[:2])
    assert shown.peak == pytest.approx(highest, rel=0.015)
    assert shown.peak_point == pytest.approx((0, 0, 0), abs=1e-9)
    within = r < 0.8 * a
    assert within.sum() == 37
    np.testing.assert_allclose(shown.pressure[within], highest * np.sqrt(1 - (r[within] / a) ** 2), atol=0.03 * highest)
    assert shown.pressure[r > 1.4 * a].max() == 0
    assert shown.force == pytest.approx(found["touch.normal_force"], rel=1e-12)
