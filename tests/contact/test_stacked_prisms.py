"""Curved prisms that stand and lie on each other and on boxes, along parallel axes."""

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach import pair_of
from flexor.contact.approach.lines.along import line_at
from flexor.spatial import exp_so3
from tests.contact.test_approach import Meeting

G, M = 9.81, 2.0
CAM = fx.Profile([(0.5, 0), (0, 0.4), (-0.45, 0), (0, -0.5)], closed=True)
STADIUM = fx.Profile([(0.2, -0.2), (0.4, 0), (0.2, 0.2), (0, 0.2), (-0.2, 0.2), (-0.4, 0), (-0.2, -0.2), (0, -0.2)], kind="arcs", closed=True)  # fmt: skip
ROUND = fx.Profile.circle(0.4)
BOX = fx.Box(2, 2, 0.6, at=(0, 0, -0.3))
LYING = {"axis": "x", "angle": "90 deg"}


def square(half):
    return fx.Profile([(-half, -half), (half, -half), (half, half), (-half, half)], kind="lines", closed=True)


def below(profile):
    return fx.Extruded(profile, 0.6, at=(0, 0, -0.3))


BEAN = fx.Profile([(0.6, 0), (0.4, 0.4), (0, 0.24), (-0.4, 0.4), (-0.6, 0), (0, -0.4)], closed=True)
SCENES = {
    "equal beans": (below(BEAN), BEAN, (0, 0, 0.3), None),
    "a bean on a box": (BOX, BEAN, (0.05, 0.02, 0.3), None),
    "equal cams": (below(CAM), CAM, (0, 0, 0.3), None),
    "nearly equal cams": (below(CAM), CAM, (1e-5, 0, 0.3), None),
    "shifted cams": (below(CAM), CAM, (0.05, 0.02, 0.3), None),
    "equal discs, dropped": (below(ROUND), ROUND, (0, 0, 0.31), None),
    "crossed stadia": (below(STADIUM), STADIUM, (0, 0, 0.3), {"axis": "z", "angle": "90 deg"}),
    "turned stadia": (below(STADIUM), STADIUM, (0.001, 0, 0.3), {"axis": "z", "angle": "1 deg"}),
    "a cam on a box": (BOX, CAM, (0.05, 0.02, 0.3), None),
    "a cam on a smaller square": (below(square(0.35)), CAM, (0.05, 0.02, 0.3), None),
    "a stadium that lies": (BOX, STADIUM, (0, 0, 0.2), LYING),
    "a disc that lies": (BOX, ROUND, (0, 0, 0.4), LYING),
    "a stadium that lies on a prism": (below(square(0.5)), STADIUM, (0, 0, 0.2), LYING),
}


@pytest.mark.parametrize("scene", SCENES)
def test_curved_prisms_stand_and_lie(scene):
    """They carry their weight and stay where they are, at rest, in statics and in time."""
    low, profile, at, turn = SCENES[scene]
    turned = {"orientation": turn} if turn else {}
    top = fx.RigidBody(
        "top", mass=M, inertia=(0.2, 0.2, 0.3), position=at, shapes=[fx.Extruded(profile, 0.6)], **turned
    )
    contact = fx.Contact("c", fx.ground.surface(low), top, fx.Penalty(1e6, restitution=0.3), friction=0.3)
    model = fx.Model("stack", [top, contact], gravity=(0, 0, -G))
    if scene != "equal beans":  # hundreds of coinciding edges: statics find no equilibrium, and say so
        assert model.statics()["c.normal_force"] == pytest.approx(M * G, rel=1e-4 if profile is BEAN else 1e-6)
    run = model.dynamics(until=0.25, step=2e-3, show=False)
    assert run["c.normal_force"][-1] == pytest.approx(M * G, rel=1e-2)
    height = 0.3 if turn is not LYING else at[2]
    assert -2e-5 < run["top.position_z"][-1] - height < 0.0
    assert np.linalg.norm(run["top.position"].values[-1, :2] - at[:2]) < 1e-5
    assert np.abs(run["top.angular_velocity"].values[-1]).max() < 1e-4


@pytest.mark.parametrize("depth", [1e-6, 1e-3, 0.05])
@pytest.mark.parametrize("profile", [CAM, STADIUM, ROUND])
def test_equal_prisms_are_as_deep_as_their_ends(profile, depth):
    """However their contours coincide; and beside each other as their contours are."""
    meeting = Meeting(fx.Extruded(profile, 0.6), fx.Extruded(profile, 0.6))
    for shift in (0.0, 1e-9, 1e-5):
        g, n, _ = meeting.nearest((shift, 0.0, 0.6 - depth), np.eye(3))
        assert g == pytest.approx(-depth, rel=1e-6)
        np.testing.assert_allclose(n, (0, 0, 1), atol=1e-9)
    x = profile.trace.points[:, 0]
    g, n, _ = meeting.nearest((np.ptp(x) - depth, 0.0, 0.01), np.eye(3))
    assert g == pytest.approx(-depth, rel=1e-2, abs=1e-4)
    np.testing.assert_allclose(n, (1, 0, 0), atol=0.1)


def test_a_box_that_sticks_out_touches_a_cam_with_its_edge():
    """Twice as long as the cam, its edge along its axis: told as of a box that is shorter than it."""
    cam, turn = fx.Extruded(CAM, 0.6), np.array([[1, -1, 0], [1, 1, 0], [0, 0, np.sqrt(2)]]) / np.sqrt(2)
    found = [Meeting(cam, fx.Box(0.6, 0.6, length)).nearest((0.05, 0.8, 0.0), turn)[0] for length in (0.4, 1.2)]
    assert found[1] == pytest.approx(found[0], rel=1e-9)
    assert found[0] < 0.0


@pytest.mark.parametrize("turn", [0.0, 0.05, 0.0982, 0.15, 0.3])
def test_every_crossing_of_borders_is_a_place(turn):
    """Of a disc that sticks out beyond the sides of a hexagon, and by 1 mm beyond those of a square: at  ± arccos(h/r)  beside the normals of the sides, h away."""
    R = exp_so3(np.array([0, 0, turn]))
    angles = np.arange(6) * np.pi / 3
    hexagon = fx.Profile([(float(0.38 / np.cos(np.pi / 6) * np.cos(t)), float(0.38 / np.cos(np.pi / 6) * np.sin(t))) for t in angles], kind="lines", closed=True)  # fmt: skip
    for solid, away, normals in (
        (fx.Extruded(hexagon, 0.6), 0.38, angles + np.pi / 6),
        (fx.Box(0.798, 0.798, 0.6), 0.399, np.arange(4) * np.pi / 2),
    ):
        meeting = Meeting(solid, fx.Extruded(ROUND, 0.6))
        found = [meeting((0, 0, 0.6 - 1e-6), R, k) for k in range(meeting.pair.places)]
        told = np.array([x[:2] for g, _, x in found if g < 0.0])
        aside = np.arccos(away / 0.4)
        for angle in (*(normals - aside), *(normals + aside)):
            off = told - 0.4 * np.array([np.cos(angle), np.sin(angle)])
            assert np.sum(np.linalg.norm(off, axis=1) < 1e-6) == 1


def crossings():
    """Poses of a line across an edge of the stadium: normals and directions off the edge [deg]."""
    return [(tilt, angle) for tilt in (20, 40, 70) for angle in (15, 50, 75, 90, 110)]


@pytest.mark.parametrize("other", ["cylinder", "cone"])
def test_walls_cross_straight_edges_of_ends(other):
    """The wall is as deep as it is pushed in, at the place where it crosses, also with the ends of lines that share the law."""
    stadium = fx.Extruded(fx.Profile([(0.1 * x, 0.1 * y) for x, y in STADIUM.points], kind="arcs", closed=True), 0.04)
    slope = 0.0 if other == "cylinder" else np.arctan2(0.01, 0.05)
    solid, r = (fx.Cylinder(0.02, 0.05), 0.02) if other == "cylinder" else (fx.Cone(0.02, 0.05, top=0.01), 0.015)
    meeting = Meeting(stadium, solid)
    meeting.pair = pair_of(stadium, solid, 0, True)
    depth, edge = 2e-4, np.array([1.0, 0, 0])
    for tilt, angle in np.radians(crossings()):
        n = np.array([0, -np.cos(tilt), np.sin(tilt)])
        way = np.cos(angle) * edge + np.sin(angle) * np.cross(n, edge)
        axis = np.cos(slope) * way - np.sin(slope) * n
        across = np.cross(axis, (0, 0, 1))
        across /= np.linalg.norm(across)
        R = np.column_stack([across, np.cross(axis, across), axis])
        for x in (-0.0128, -0.0108, -0.0103, 0.0, 0.005, 0.015):
            foot = np.array([x, -0.02, 0.02]) - depth * n
            p = foot + n * r / np.cos(slope) + axis * r * np.tan(slope)
            told = list(line_at(meeting.pair.function)(*meeting.sizes, tuple(p), tuple(R.ravel()), 0))
            told += [meeting(p, R, k) for k in range(3, meeting.pair.places)]
            g, _, at = min(told, key=lambda found: found[0])
            assert g == pytest.approx(-depth, rel=1e-6)
            np.testing.assert_allclose(at, foot + 0.5 * depth * n, atol=1e-7)
