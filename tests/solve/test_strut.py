"""The load of a reduced body beside its buckling load counts everything that acts on it: pressure, weight, acceleration."""

import re
import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar

LENGTH, WIDTH, HEIGHT = 1.0, 20e-3, 5e-3
AREA = WIDTH * HEIGHT
MESH = bar(LENGTH, WIDTH, HEIGHT, (20, 1, 1), element="hex20")
STEEL = fx.Isotropic("210 GPa", 0.3, 7850)
BENDING = 210e9 * WIDTH * HEIGHT**3 / 12
HINGED, CLAMPED, HEAVY = np.pi**2 * BENDING / LENGTH**2, np.pi**2 / 4 * BENDING / LENGTH**2, 7.837 * BENDING / LENGTH**2
"""Buckling loads: Euler on two hinges and clamped at one end [N], Greenhill's weight of a column on its foot [N]."""

BOTH = pytest.mark.parametrize("formulation", ["floating", "superelement"])
SHARES = pytest.mark.parametrize("share", [-0.5, 0.05, 0.15, 0.5, 1.0])


def column(formulation: str) -> fx.FlexibleBody:
    return fx.FlexibleBody(
        "column", mesh=MESH, material=STEEL, interfaces={"root": "x_min", "tip": "x_max"}, formulation=formulation,
        reduction=fx.CraigBampton(modes=6),
    )  # fmt: skip


def pressed(force: float, at: float = LENGTH, name: str = "pressure", **how) -> fx.MeshLoad:
    """A force on an end face, as pressure."""
    where = fx.plane(at=(at, 0, 0), normal="x")
    return fx.MeshLoad(name, "column", fx.Pressure(on=where, pressure=force / AREA), **how)


def on_hinges(body: fx.FlexibleBody) -> list:
    car = fx.RigidBody("car", mass=1e-3, inertia=1e-6)
    return [
        body, car, fx.Revolute("a", fx.ground, body["root"], axis="y"), fx.Revolute("b", car, body["tip"], axis="y"),
        fx.Prismatic("guide", fx.ground.at(LENGTH, 0, 0), car, axis="x"),
    ]  # fmt: skip


def clamped(body: fx.FlexibleBody) -> list:
    return [body, fx.Fixed("clamp", fx.ground, body["root"])]


def told(ask) -> float:
    """The share of the buckling load that a warning tells, positive for compression; 0 if nothing is said."""
    with warnings.catch_warnings(record=True) as all_said:
        warnings.simplefilter("always")
        ask()
    said = [str(each.message) for each in all_said if each.category is fx.BeyondLinear]
    if not said:
        return 0.0
    found = re.search(r"body 'column': it stands under (compression|tension) of (\d+) % of the load at which", said[0])
    assert found is not None, said
    return float(found[2]) / 100 * (1 if found[1] == "compression" else -1)


def as_told(share: float) -> object:
    """Shares up to a tenth are not told."""
    return pytest.approx(share if abs(share) > 0.1 else 0.0, abs=0.015)


@BOTH
@SHARES
def test_pressure_on_the_end_of_a_hinged_column(formulation: str, share: float) -> None:
    model = fx.Model("column", [*on_hinges(column(formulation)), pressed(share * HINGED)])
    assert told(lambda: model.modes(1)) == as_told(share)


@BOTH
@SHARES
def test_pressure_on_the_end_of_a_clamped_column(formulation: str, share: float) -> None:
    model = fx.Model("column", [*clamped(column(formulation)), pressed(share * CLAMPED)])
    assert told(model.statics) == as_told(share)


def test_the_warning_says_how_loads_on_the_mesh_are_counted() -> None:
    model = fx.Model("column", [*clamped(column("floating")), pressed(0.5 * CLAMPED)])
    with pytest.warns(
        fx.BeyondLinear, match="as it is held here, if loads on its mesh keep their direction, which softens it"
    ):
        model.modes(1)


@BOTH
def test_pressure_on_both_ends_needs_no_joint(formulation: str) -> None:
    body = column(formulation)
    loads = [pressed(0.4 * HINGED, 0.0, "one"), pressed(0.4 * HINGED, LENGTH, "other")]
    assert told(lambda: fx.Model("column", [*on_hinges(body), *loads]).modes(1)) == as_told(0.4)


@BOTH
def test_pressure_and_a_force_that_holds_it(formulation: str) -> None:
    """What the pressure puts on the node of its face is no load beside it."""
    body = column(formulation)
    loads = [pressed(HINGED), fx.PointForce("hold", body["tip"], direction="x", force=0.7 * HINGED)]
    assert told(lambda: fx.Model("column", [*on_hinges(body), *loads]).modes(1)) == as_told(0.3)


@BOTH
@SHARES
def test_own_weight_on_a_foot(formulation: str, share: float) -> None:
    g = share * HEAVY / (7850 * AREA * LENGTH)
    weight = fx.Model("column", clamped(column(formulation)), gravity=(-g, 0, 0))
    assert told(weight.statics) == as_told(share)
    carried = fx.MeshLoad("weight", "column", fx.Gravity((-g, 0, 0)))
    assert told(fx.Model("column", [*clamped(column(formulation)), carried]).statics) == as_told(share)


@BOTH
def test_a_column_that_is_pushed_along_bears_its_inertia(formulation: str) -> None:
    body = column(formulation)
    push = pressed(0.5 * HEAVY, 0.0, factor=fx.ramp(0, 1, over=0.1))
    model = fx.Model("column", [body, fx.Prismatic("rail", fx.ground, body["root"], axis="x"), push])
    assert told(lambda: model.dynamics(until=0.2, step=1e-3, show=False)) == as_told(0.5)


@BOTH
def test_a_load_that_grows_is_told_at_its_largest(formulation: str) -> None:
    pulse = "0.5 - 0.5*cos(20*pi*t)"  # back to nothing at 0.1 s
    model = fx.Model("column", [*on_hinges(column(formulation)), pressed(0.5 * HINGED, factor=pulse)])
    assert told(lambda: model.dynamics(until=0.1, step=1e-3, show=False)) == pytest.approx(0.5, abs=0.1)


@BOTH
@pytest.mark.parametrize("by", ["pressure", "force"])
def test_a_load_that_comes_late_and_goes_again_is_told(formulation: str, by: str) -> None:
    """After 900 quiet steps, within 100; looks at the bodies are far between while nothing grows."""
    pulse = "(t > 0.9)*(t < 1)*(0.5 - 0.5*cos(20*pi*(t - 0.9)))"
    items = on_hinges(column(formulation))
    if by == "pressure":
        push: fx.MeshLoad | fx.PointForce = pressed(0.5 * HINGED, factor=pulse)
    else:
        push = fx.PointForce("push", "car", direction="x", force=f"{-0.5 * HINGED}*{pulse}")
    model = fx.Model("column", [*items, push])
    assert told(lambda: model.dynamics(until=1.1, step=1e-3, show=False)) == pytest.approx(0.5, abs=0.1)


# -- a deep strip tips over: Prandtl's load 4.013 √(EI GJ)/L², 1.005 of it by its mesh of beams -------------------------------

THIN, DEEP, ALLOY = 0.002, 0.05, fx.Isotropic(70e9, 0.3, 2700.0)
TWIST = 70e9 / 2.6 * DEEP * THIN**3 / 3 * (1 - 0.63 * THIN / DEEP)
PRANDTL = 4.013 * np.sqrt(70e9 * DEEP * THIN**3 / 12 * TWIST) / LENGTH**2


def deep(share: float, modes: int, **how) -> fx.Model:
    mesh = bar(LENGTH, THIN, DEEP, (16, 1, 1), element="beam2", material=ALLOY)
    ends = {"root": "x_min", "tip": "x_max"}
    body = fx.FlexibleBody("column", mesh, interfaces=ends, reduction=fx.CraigBampton(modes=modes), **how)
    load = fx.PointForce("load", body["tip"], force=-share * PRANDTL, direction="z")
    return fx.Model("strip", [*clamped(body), load])


@BOTH
@pytest.mark.parametrize("modes", [2, 12])
def test_what_tips_over_is_not_said_to_be_pulled(formulation: str, modes: int) -> None:
    """Its shapes need not know how it tips over: two component modes alone put the load 37 % too high."""
    with pytest.warns(fx.BeyondLinear, match="which soften some of its motions and stiffen others") as said:
        deep(0.8, modes, formulation=formulation).modes(1)
    found = re.search(r"it stands under loads of (\d+) % of the load at which it buckles", str(said[0].message))
    assert found is not None
    assert float(found[1]) / 100 == pytest.approx(0.8 / 1.005, abs=0.02)


def test_a_stiffened_body_whose_modes_do_not_know_how_it_buckles_is_told() -> None:
    how = {"formulation": "floating", "stiffening": True}
    with pytest.warns(fx.BeyondLinear, match="by its modes, .* Give its reduction more modes") as said:
        assert deep(1.2, 4, **how).modes(1).frequencies[0] > 0  # it stands, by its modes
    right, known = (float(each) / 100 for each in re.findall(r"of (\d+) % ", str(said[0].message)))
    assert right == pytest.approx(1.2 / 1.005, abs=0.04)
    assert known == pytest.approx(1.2 / 1.372, abs=0.01)
    with warnings.catch_warnings():
        warnings.simplefilter("error", fx.BeyondLinear)
        assert deep(1.2, 12, **how).modes(1).frequencies[0] < 0
        deep(0.05, 4, **how).modes(1)
