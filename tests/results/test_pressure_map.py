"""Pressure maps of contacts: the integral is the normal force, the peak that of Hertz, the patch where and as large as it must be."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.contact.laws.ellipse import point_contact

STEEL = fx.Steel()
E = STEEL.young / (2 * (1 - STEEL.poisson**2))
BALL, GROOVE, RING = 5e-3, 5.2e-3, 20e-3


def run_of(items, until=2e-3, step=1e-3, **model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fx.DoubtfulModel)  # they overlap at the start
        return fx.Model("contact", items, **model).dynamics(until=until, step=step, show=False)


def held(a, b, at, law):
    body = fx.RigidBody("body", 1.0, 1e-3, position=at, shapes=[b])
    return [
        body,
        fx.Fixed("held", fx.ground.at(*at), body),
        fx.Contact("touch", fx.ground.surface(a), body, law),
    ]


@pytest.fixture(scope="module")
def in_groove():
    depth = 3e-6
    angle = np.radians(170)  # the patch lies across the end of the angle's range
    at = (RING + (GROOVE - BALL + depth)) * np.array([np.cos(angle), np.sin(angle), 0])
    race = fx.Torus(RING, GROOVE, inside=True)
    return run_of(held(race, fx.Sphere(BALL), tuple(at.tolist()), fx.Hertz(STEEL))), depth


@pytest.mark.parametrize("surface", ["a", "b"])
def test_an_ellipse(in_groove, surface):
    run, depth = in_groove
    K, alpha, beta = point_contact(E, 1 / BALL - 1 / GROOVE, 1 / BALL - 1 / (RING + GROOVE))
    N = K * depth**1.5
    a, b = alpha * N ** (1 / 3), beta * N ** (1 / 3)
    found = run.pressure_map("touch", surface, time=0, grid=(120, 120))
    assert found.time == 0
    assert found.peak == pytest.approx(1.5 * N / (np.pi * a * b), rel=1e-3)
    assert found.force == pytest.approx(N, rel=4e-3)
    pressed = found.pressure > 0
    size = np.ptp(found.points[pressed], axis=0)
    assert size.max() == pytest.approx(2 * a, rel=0.03)
    middle = np.array([np.cos(np.radians(170)), np.sin(np.radians(170)), 0])
    middle *= RING + GROOVE if surface == "a" else BALL
    assert found.points[pressed].mean(axis=0) == pytest.approx(middle, abs=0.02 * a)
    assert "up to" in repr(found)


def test_the_highest_of_a_run_is_a_trail():
    """A ball that rolls along a groove leaves a trail without gaps, though it moves by many patches from row to row."""
    ball = fx.RigidBody(
        "ball", 0.004, 4e-8, position=(RING + GROOVE - BALL, 0, 0), velocity=(0, 2, 0), shapes=[fx.Sphere(BALL)]
    )
    race = fx.ground.surface(fx.Torus(RING, GROOVE, inside=True))
    run = run_of([ball, fx.Contact("race", race, ball, fx.Hertz(STEEL, restitution=0.3))], 5e-3, 2e-4)
    found = run.pressure_map("race", grid=(300, 60))
    assert found.time is None
    assert found.peak == pytest.approx(run["race.pressure"].values.max(), rel=1e-6)
    touched = run["race.normal_force"].values > 0
    way = np.arctan2(run["ball.position_y"].values, run["ball.position_x"].values)[touched]
    inside = (found.s > way.min()) & (found.s < way.max())
    assert inside.sum() > 100
    assert np.all(found.pressure[inside].max(axis=1) > 0.2 * found.peak)


def test_slices_of_a_roller(tmp_path):
    """Each slice has its own half ellipse across the line; the integral is the force, the highest at the edge that is pressed most."""
    R, L, depth, tilt = 0.01, 0.016, 3e-6, 1e-4
    plane = fx.Plane((-np.sin(tilt), 0, np.cos(tilt)))
    run = run_of(
        held(plane, fx.Cylinder(R, L, axis="x"), (0, 0, R - depth), fx.HertzLine(STEEL, L, slices=16)), until=1e-3
    )
    for surface in "ab":
        found = run.pressure_map("touch", surface, time=0, grid=(161, 161))
        assert found.force == pytest.approx(run["touch.normal_force"][0], rel=0.01)
        assert found.peak == pytest.approx(run["touch.pressure"][0], rel=1e-3)
        highest = found.points.reshape(-1, 3)[np.argmax(found.pressure)]
        assert abs(highest[0]) > 0.4 * L
    spread = run.pressure_map("touch", "a", time=0, grid=(161, 161), coupled=True)
    assert spread.force == pytest.approx(run["touch.normal_force"][0], rel=0.01)
    assert spread.peak > 1.05 * found.peak
    table = found.to_csv(tmp_path / "map.csv").read_text().splitlines()
    assert table[0] == "angle [rad],height [m],x [m],y [m],z [m],pressure [Pa]"
    assert len(table) == 1 + 161**2
    assert "pressure" in found.to_vtu(tmp_path / "map.vtu").read_bytes().decode("latin-1")
    found.plot(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 5000


def test_what_has_no_pressure_is_refused_in_words(in_groove):
    run, _ = in_groove
    for wrong, message in (
        (("tuch",), "there is no such contact.*touch"),
        (("touch", "c"), "surface 'c' is unknown"),
        (("touch", "a", "3 s"), "the run goes from 0 to 0.002 s"),
        (("touch", "a", None, (1, 5)), r"grid \(1, 5\) cannot be used"),
    ):
        with pytest.raises(fx.ModelError, match=message):
            run.pressure_map(*wrong)
    with pytest.raises(fx.ModelError, match="coupled=True asks for slices"):
        run.pressure_map("touch", coupled=True)
    soft = run_of(held(fx.Plane(), fx.Sphere(0.05), (0, 0, 0.05 - 1e-5), fx.Penalty(1e6)))
    with pytest.raises(fx.ModelError, match=r"its law is penalty, which knows no pressure.*hertz"):
        soft.pressure_map("touch")
    apart = run_of(held(fx.Plane(), fx.Sphere(0.05), (0, 0, 0.051), fx.Hertz(STEEL)))
    with pytest.raises(fx.ModelError, match="do not touch at any recorded time"):
        apart.pressure_map("touch")


def test_contacts_among_many_bodies_have_no_map():
    """They tell sums over all pairs; that there is such an item is not denied."""
    balls = [fx.RigidBody(f"b{i}", 1.0, 1e-3, position=(0, 0, 0.11 * i), shapes=[fx.Sphere(0.05)]) for i in range(2)]
    many = fx.Contacts("many", balls, fx.Hertz(STEEL))
    run = fx.Model("pile", [*balls, many]).dynamics(until=1e-4, step=1e-4, show=False)
    with pytest.raises(fx.ModelError, match=r"it is an fx.Contacts, which has no map.*fx.Contact of their own"):
        run.pressure_map("many")


def test_a_box_is_mapped_on_what_it_touches():
    run = run_of(held(fx.Box(0.1, 0.1, 0.1), fx.Sphere(0.02), (0, 0, 0.07 - 1e-6), fx.Hertz(STEEL)))
    with pytest.raises(fx.ModelError, match=r'a box, which has no two parameters.*surface="b"'):
        run.pressure_map("touch", "a")
    assert run.pressure_map("touch", "b", time=0).force == pytest.approx(run["touch.normal_force"][0], rel=0.01)


def test_an_edge_without_a_pressure_is_told():
    """A ball slides over the edge of a block, on which Hertz's theory has no answer: its stiffness stays, its pressure is not known."""
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0.045, 0, 0.07), velocity=(1, 0, 0), shapes=[fx.Sphere(0.02)])
    block = fx.ground.surface(fx.Box(0.1, 0.1, 0.1))
    run = run_of([ball, fx.Contact("touch", block, ball, fx.Hertz(STEEL))], 0.012, 5e-4, gravity=(0, 0, -100.0))
    over = run["ball.position_x"].values > 0.051
    assert run["touch.normal_force"].values[over].max() > 1
    assert run["touch.pressure"].values[over].max() == 0
    with pytest.warns(fx.PressureUnknown, match="N act at an edge, a corner or a flat"):
        run.pressure_map("touch", "b")
