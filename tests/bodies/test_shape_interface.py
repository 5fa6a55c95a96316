"""Sides of bodies of shape functions as interfaces."""

import re

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.shape_body.mean_motion import mean_motion

LENGTH, WIDTH, HEIGHT, FORCE, YOUNG = 0.2, 0.05, 0.04, 1000.0, 210e9


def box(orders: tuple[int, int, int], **more: object) -> fx.ShapeBody:
    geometry = fx.Box(LENGTH, WIDTH, HEIGHT, at=(LENGTH / 2, 0, 0))
    return fx.ShapeBody("b", geometry, "steel", orders=orders, position=(0, 0, 0), **more)


def test_a_cantilever_on_its_end_face_converges() -> None:
    """Timoshenko: F L³/3EI + F L/κGA; held at a point it is 1.2 to 6 times too soft, the more the higher its orders."""
    bending = FORCE * LENGTH**3 / 3 / (YOUNG * WIDTH * HEIGHT**3 / 12)
    shear = FORCE * LENGTH / (5 / 6 * WIDTH * HEIGHT * YOUNG / 2.6)
    sag = []
    for orders in ((4, 2, 2), (4, 3, 3), (6, 4, 4)):
        body = box(orders, interfaces={"root": "x_min", "tip": "x_max"})
        push = fx.PointForce("push", body["tip"], direction="-z", force=FORCE)
        rest = fx.Model("cantilever", [body, fx.Fixed("held", fx.ground, body["root"]), push]).statics()
        sag.append(-rest["b.tip.position"][2] / (bending + shear))
    np.testing.assert_allclose(sag, 1.0, atol=6e-3)
    assert abs(sag[2] - sag[1]) < 2e-4


def test_a_rigid_motion_of_a_side_is_its_own() -> None:
    """t + θ × x of every side, whatever its form; found by putting it in for the shapes."""
    body = fx.ShapeBody("r", fx.HollowCylinder(0.04, 0.06, 0.03, at=(0.1, 0, 0.2)), "steel", orders=(2, 3, 2))
    field = body.made.field
    for side, at in (("outer", (0.1, 0, 0.2)), ("inner", (0.1, 0, 0.2)), ("end", (0.1, 0, 0.215))):
        found = mean_motion("r", field, side)
        np.testing.assert_allclose(found.center, at, atol=1e-12)
        # modes against the mean over many points of the side, taken by itself
        phi = 2 * np.pi * (np.arange(4000) + 0.5) / 4000
        if side == "end":
            r = np.sqrt(np.linspace(0.04**2, 0.06**2, 4001)[:-1] + (0.06**2 - 0.04**2) / 8000)
            phi, z = np.arange(4000) * np.pi * (3 - 5**0.5), np.full(4000, 0.015)
        else:
            r, z = np.full(4000, 0.06 if side == "outer" else 0.04), 0.03 * ((np.arange(4000) * 0.6180339887) % 1 - 0.5)
        places = np.stack([0.1 + r * np.cos(phi), r * np.sin(phi), 0.2 + z], axis=1)
        mean = field.displacement(places).mean(axis=0)
        np.testing.assert_allclose(found.motion[:3], mean, atol=5e-3 * np.abs(field.displacement(places)).max())


def test_a_joint_at_a_point_is_told() -> None:
    body = box((6, 4, 4), markers={"root": (0, 0, 0)})
    report = fx.Model("m", [body, fx.Fixed("held", fx.ground, body["root"])]).check()
    (said,) = [str(problem) for problem in report.warnings]
    assert "joint 'held'" in said
    assert "yields 2.5 times" in said
    assert "x_min" in said
    slender = fx.ShapeBody("s", fx.Box(1, 0.02, 0.02), "steel", orders=(6, 2, 2), markers={"end": (-0.5, 0, 0)})
    assert not fx.Model("m", [slender, fx.Fixed("held", fx.ground, slender["end"])]).check().warnings


def test_what_is_no_side_is_refused() -> None:
    with pytest.raises(fx.ModelError, match=r"no side 'left'.*x_min"):
        fx.Model("m", [box((2, 2, 2), interfaces={"root": "left"})]).statics()
    with pytest.raises(fx.ModelError, match="'root' is an interface and a marker"):
        box((2, 2, 2), interfaces={"root": "x_min"}, markers={"root": (0, 0, 0)})


def test_few_modes_keep_the_static_shapes_of_interfaces() -> None:
    sag = []
    for up_to in (None, "2 kHz"):
        body = box((4, 3, 3), interfaces={"root": "x_min", "tip": "x_max"}, up_to=up_to)
        push = fx.PointForce("push", body["tip"], direction="-z", force=FORCE)
        rest = fx.Model("cantilever", [body, fx.Fixed("held", fx.ground, body["root"]), push]).statics()
        sag.append(rest["b.tip.position"][2])
    assert sag[1] == pytest.approx(sag[0], rel=1e-6)


@pytest.mark.parametrize(
    "geometry", [fx.Cylinder(1e-4, 1.0), fx.HollowCylinder(0.99995, 1.00005, 0.1), fx.Box(1, 1, 1e-5)]
)
def test_what_is_too_thin_is_refused(geometry: object) -> None:
    with pytest.raises(fx.ModelError, match="too thin for shape functions"):
        _ = fx.ShapeBody("thin", geometry, "steel", orders=(2, 4, 2)).made


def test_what_is_nearly_too_thin_is_told() -> None:
    """A ring of a thousandth of its radius: both bending modes of two waves should be the same, and 0.1 % above those of a thin ring."""
    ring = fx.ShapeBody("ring", fx.HollowCylinder(0.9995, 1.0005, 0.1), "steel", orders=(2, 4, 2))
    (said,) = [str(problem) for problem in fx.Model("m", [ring]).check().warnings if "thin" in str(problem)]
    assert "uncertain by 1.4 %" in said


def test_parts_with_steps_are_told_how_stiff_they_are() -> None:
    """Radius 10, 20, 10 mm: 19 % above beam theory with axial order 10; told is that within a factor of two or so."""
    profile = [(0, -0.5), (0.01, -0.5), (0.01, -0.2), (0.02, -0.2), (0.02, 0.2), (0.01, 0.2), (0.01, 0.5), (0, 0.5)]
    shaft = fx.ShapeBody("shaft", fx.TurnedPart(profile), "steel", orders=(2, 2, 10))
    (said,) = [str(problem) for problem in fx.Model("m", [shaft]).check().warnings]
    assert "lowest frequency may be some 38 % too high" in said


def test_a_column_on_interfaces_softens_until_it_buckles() -> None:
    """Euler: π² E I/4L² of a column that is clamped at its foot; told of what leaves it out, and found by stiffening."""
    long, wide, high = 0.5, 0.03, 0.02
    euler = np.pi**2 * YOUNG * wide * high**3 / 12 / (4 * long**2)
    geometry = fx.Box(long, wide, high, at=(long / 2, 0, 0))
    free = fx.ShapeBody("b", geometry, "steel", orders=(5, 2, 2), interfaces={"foot": "x_min", "tip": "x_max"})
    held = fx.Fixed("held", fx.ground, free["foot"])

    def column(body: fx.ShapeBody, share: float) -> fx.Model:
        return fx.Model("m", [body, held, fx.PointForce("push", body["tip"], direction="-x", force=share * euler)])

    with pytest.warns(fx.BeyondLinear, match="7[123] % of the load at which it buckles"):
        column(free, 0.72).statics()
    stiffened = free.replace(stiffening=True)
    assert column(stiffened, 0.98).modes(1).frequencies[0] > 0 > column(stiffened, 1.02).modes(1).frequencies[0]


def test_a_bore_is_held_at_the_origin() -> None:
    """The middle of a side of a body about the origin is the origin, without rounding."""
    disc = fx.ShapeBody("d", fx.HollowCylinder(0.02, 0.15, 0.01), "steel", orders=(3, 1, 2),
                        interfaces={"bore": "inner"}, position=(0, 0, 0))  # fmt: skip
    assert not disc.made.points.any()
    assert not fx.Model("m", [disc, fx.Fixed("held", fx.ground, disc["bore"])]).check().warnings


@pytest.mark.parametrize(
    ("geometry", "orders", "better"),
    [
        (fx.Box(0.5, 0.02, 0.03), (1, 1, 1), "from 3264 to 507 Hz with orders \\(2, 2, 2\\)"),
        (fx.Box(0.5, 0.02, 0.03), (2, 2, 2), "from 507 to 426.5 Hz with orders \\(4, 4, 4\\)"),
        (fx.HollowCylinder(0.1485, 0.1515, 0.012), (1, 4, 1), "from 96.98 to 85.02 Hz with orders \\(2, 4, 2\\)"),
    ],
)
def test_orders_that_are_too_low_are_told(geometry: object, orders: tuple[int, int, int], better: str) -> None:
    """Bending of a free beam: 427.6 Hz by Euler and Bernoulli; of a ring in two waves: 85.0 Hz by Hoppe."""
    low = fx.ShapeBody("b", geometry, "steel", orders=orders)
    (said,) = [str(problem) for problem in fx.Model("m", [low]).check().warnings]
    assert re.search(better, said), said


@pytest.mark.parametrize(
    ("geometry", "orders"),
    [(fx.Box(0.5, 0.02, 0.03), (4, 3, 3)), (fx.HollowCylinder(0.1485, 0.1515, 0.012), (2, 4, 2)), (fx.Cylinder(0.02, 0.8), (2, 1, 4))],
)  # fmt: skip
def test_orders_that_are_high_enough_are_not_told(geometry: object, orders: tuple[int, int, int]) -> None:
    assert not fx.Model("m", [fx.ShapeBody("b", geometry, "steel", orders=orders)]).check().warnings


def test_sizes_in_millimetres_are_told() -> None:
    body = fx.ShapeBody("b", fx.Box(200, 50, 40), "steel", orders=(4, 3, 3))
    (said,) = [str(problem) for problem in fx.Model("m", [body]).check().warnings]
    assert "200 m long" in said
    assert "write units: 20 mm" in said
