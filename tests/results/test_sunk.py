"""Contacts so soft that bodies go through each other are told."""

import warnings

import pytest

import flexor as fx
from flexor.results.sunk import SunkContact


def on_floor(stiffness: float) -> fx.Model:
    ball = fx.RigidBody("ball", mass=1, inertia=1e-3, position=(0, 0, 0.06), shapes=[fx.Sphere("50 mm")])
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), ball, fx.Penalty(stiffness))
    return fx.Model("m", [ball, floor], gravity=(0, 0, -9.81))


def test_a_ball_that_sinks_into_the_floor_is_told() -> None:
    """W/k = 0.98 m, of a ball of 0.1 m."""
    said = r"contact 'floor': its surfaces overlapped by 0.981 m, about half of the thickness or more of .* 0.1 m.* a stiffer law"
    with pytest.warns(SunkContact, match=said):
        on_floor(10).statics()
    with pytest.warns(SunkContact, match="contact 'floor'"):
        on_floor(10).dynamics(until=0.5, step=0.01, show=False)


def test_a_bullet_that_is_stopped_within_a_sheet_is_told() -> None:
    """What would go 1.6 mm deep, v √(m/k), into a sheet of 1 mm: beyond its middle the other side is nearer, and no overlap is told to be deeper than 0.5 mm."""
    bullet = fx.RigidBody("bullet", 0.01, 1e-6, position=(0, 0, 0.1), velocity=(0, 0, -500), shapes=[fx.Sphere("4 mm")])
    hit = fx.Contact("hit", fx.ground.surface(fx.Cylinder("0.3 m", "1 mm")), bullet, fx.Penalty(1e9))
    needle = fx.Revolved(fx.Profile([(0, -0.01), (0.004, 0), (0.004, 0.01)], kind="lines"))
    pin = fx.RigidBody("pin", 0.01, 1e-6, position=(0.013, 0.017, 0.1), velocity=(0, 0, -500), shapes=[needle])
    stab = fx.Contact("stab", fx.ground.surface(fx.Box("0.5 m", "0.5 m", "1 mm")), pin, fx.Penalty(1e9))
    for model, name in ((fx.Model("m", [bullet, hit]), "hit"), (fx.Model("m", [pin, stab]), "stab")):
        with pytest.warns(SunkContact, match=f"contact '{name}'"):
            model.dynamics(until=2e-3, step=1e-3, show=False)


def test_many_that_sink_are_told() -> None:
    model = on_floor(10)
    many = fx.Contacts("grains", [model["ball"]], fx.Penalty(10), walls=[fx.ground.surface(fx.Plane())])
    with pytest.warns(SunkContact, match="contact 'grains'"):
        fx.Model("m", [model["ball"], many], gravity=(0, 0, -9.81)).dynamics(
            until=0.5, output=0.01, solver="explicit", show=False
        )


def test_what_hardly_yields_is_not_told() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        on_floor(1e5).statics()
        on_floor(1e5).dynamics(until=0.2, step=0.01, record="ball", show=False)


def test_a_flat_sheet_of_triangles_has_no_thickness() -> None:
    """A road: W/k = 9.8 µm."""
    road = fx.Triangles(points=[(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)], triangles=[(0, 1, 2), (0, 2, 3)])
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0.3, 0.2, 0.05), shapes=[fx.Sphere("50 mm")])
    contact = fx.Contact("road", fx.ground.surface(road), ball, fx.Penalty("1e6 N/m"))
    with warnings.catch_warnings():
        warnings.simplefilter("error", SunkContact)
        run = fx.Model("m", [ball, contact], gravity=(0, 0, -9.81)).dynamics(until=0.05, step=1e-3, show=False)
    assert 9.81e-6 < run["road.deepest"].values[-1] < 2.1 * 9.81e-6
