"""Givens that make no sense are refused or told, never dropped; many mistakes at once are told in bounded time and length."""

from __future__ import annotations

import math
import re

import pytest

import flexor as fx
from flexor.errors import MOST_SHOWN, FlexorError, ModelError
from flexor.io import read_mesh

ARM = fx.RigidBody("arm", mass=1.2, inertia=(0.01, 0.01, 0.01))
PIN = fx.Revolute("pin", fx.ground, ARM, axis="z")
MODEL = fx.Model("m", [ARM, PIN], gravity=(0, -9.81, 0))
AT = ARM.at(0.1, 0, 0)
INERTIA = (1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: fx.AxialSpring("s", "ground", AT, stiffness=1, free_length=-1),
            "free_length = -1 is -1 m at t = 0 s; a length is not negative",
        ),
        (
            lambda: fx.AxialSpring("s", "ground", AT, stiffness=1, free_length=fx.ramp(1, -0.5, over=2)),
            "free_length is -0.5 m at t = 2 s; a length is not negative, for preload use force",
        ),
        (lambda: fx.Distance("d", "ground", AT, length=-1), "a rod has a length greater than zero"),
        (lambda: fx.Distance("d", "ground", AT, length=0), "a rod has a length greater than zero"),
        (lambda: fx.MeshLoad("g", "rod", ()), "load has no entries; give 1 or more"),
        (lambda: fx.Rayleigh(alpha="5 rad/s"), "rate is measured in 1/s"),
        (lambda: fx.ModalDamping(-0.1), "ratio"),
        (lambda: fx.ModalDamping(()), "ratio"),
        (lambda: fx.RigidBody("a", 1e308), "mass = 1e+308 is beyond ±1e+100; no real thing is that large"),
        (lambda: fx.RigidBody("a", 1, inertia=(1e308, 1e308, 1e308)), "is beyond ±1e+100"),
        (lambda: fx.RigidBody("a", 1, INERTIA, center_of_mass=(1e308, 0, 0)), "is beyond ±1e+100"),
        (lambda: fx.RigidBody("a", 1, INERTIA, position=(1e308, 0, 0)), "is beyond ±1e+100"),
        (lambda: fx.RigidBody("a", 1, INERTIA, velocity=(0, -1e308, 0)), "is beyond ±1e+100"),
        (lambda: fx.Revolute("p", fx.ground, ARM, start=1e200), "is beyond ±1e+100"),
        (lambda: fx.PointForce("f", ARM, direction=(1e300, 0, 0), force=1), "is beyond ±1e+100"),
        (lambda: fx.PointForce("f", ARM, direction="x", force=1e300), "is beyond ±1e+100"),
        (lambda: fx.Model("m", [ARM], gravity=(0, 0, 1e308)), "is beyond ±1e+100"),
    ],
)
def test_refused_where_it_is_declared(make, says):
    with pytest.raises(ModelError) as caught:
        make()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("item", "says"),
    [
        (
            fx.AxialSpring("s", "ground", AT, stiffness=0),
            "spring 's': it exerts no force; stiffness, damping, force and damper are",
        ),
        (fx.AxialSpring("s", "ground", AT), "it exerts no force"),
        (fx.JointSpring("s", "pin", free=1), "it exerts no force"),
        (fx.AxialSpring("s", "ground", AT, force=0), "it exerts no force"),
        (fx.JointSpring("s", "pin", damping=0), "it exerts no force"),
        (
            fx.AxialSpring("s", "ground", AT, damping=1, free_length=1),
            "free_length has no effect; there is neither stiffness",
        ),
        (fx.JointSpring("s", "pin", damper="2*t", free=1), "free has no effect"),
    ],
)
def test_warnings_of_what_has_no_effect(item, says):
    report = MODEL.with_item(item).check()
    assert says in str(report)
    assert len(report.warnings) == 1


def test_springs_that_do_something_are_not_warned_of():
    for spring in [
        fx.AxialSpring("s", "ground", AT, stiffness=1, free_length=0),
        fx.AxialSpring("s", "ground", AT, damping=1),
        fx.AxialSpring("s", "ground", AT, force="x^3", free_length=0.2),
        fx.JointSpring("s", "pin", stiffness=1, free="5 deg"),
    ]:
        assert str(MODEL.with_item(spring).check()) == "no problems"


@pytest.mark.parametrize("name", ["a\nb", "a\x00", "a "])
def test_names_of_items(name):
    with pytest.raises(ModelError, match=r"its name '.*' (has a control sign|begins or ends with a blank)"):
        fx.Model("m", [fx.RigidBody(name, 1, INERTIA)]).check()


@pytest.mark.parametrize(("name", "says"), [("", "is empty"), (" ", "is empty"), ("\t1", "begins or ends")])
def test_names_of_markers(name, says):
    report = fx.Model("m", [fx.RigidBody("b", 1, INERTIA, markers={name: (0, 0, 1)})]).check(raise_errors=False)
    assert f"body 'b': its marker {name!r} {says}" in str(report)


@pytest.mark.parametrize("count", [0, -3, 1.5, math.nan, "x", True, None])
def test_counts_of_modes(count):
    study = fx.MeshStudy(read_mesh("tests/model/strut.inp"))
    for analysis in (MODEL.modes, lambda n: MODEL.campbell([1], n, axis="z"), study.modes):
        with pytest.raises(ModelError, match=r"count = .* is no whole number from 1 on; write e\.g\. count=10"):
            analysis(count)


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: MODEL.modes(at="strat"), "modes: at = 'strat' is unknown; did you mean 'start'?"),
        (lambda: MODEL.statics(load_steps=0), "load_steps = 0 is no whole number"),
        (lambda: MODEL.statics(tolerance=0), "tolerance = 0 is not greater than 0"),
    ],
)
def test_options_of_analyses(ask, says):
    with pytest.raises(ModelError) as caught:
        ask()
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            lambda: MODEL.with_item(5),
            "model 'm': a int is no item of a model; items are bodies, joints, motors and forces",
        ),
        (lambda: MODEL.with_item(None), "a NoneType is no item"),
        (lambda: MODEL.with_item(fx.RigidBody), "a RigidBody is no item"),
        (lambda: MODEL.with_item([ARM]), "a list is no item"),
        (lambda: MODEL.with_item(AT), "a MarkerRef is no item"),
        (lambda: MODEL.with_item(fx.PointMass("q", 1), fx.PointMass("q", 2)), "body 'q': it is given twice"),
        (lambda: MODEL.without("nope"), "model 'm': it has no item 'nope'; its items are arm, pin"),
        (lambda: MODEL.without("amr"), "did you mean 'arm'?"),
        (lambda: MODEL.without(5), "it has no item 5"),
        (lambda: MODEL.without(ARM), "it has no item"),
        (lambda: MODEL["nope"], "it has no item 'nope'"),
    ],
)
def test_changes_of_a_model(change, says):
    with pytest.raises(FlexorError) as caught:
        change()
    assert says in str(caught.value)


def test_an_unknown_item_is_a_key_error():
    with pytest.raises(KeyError):
        MODEL["nope"]


def test_a_class_in_place_of_an_item_is_told_so():
    with pytest.raises(ModelError, match="a RigidBody is no item"):
        MODEL.with_item(fx.RigidBody)


@pytest.mark.parametrize(
    "text",
    [
        "name: m\nitems:\n- type: rigid_body\n  name: a\n" + "".join(f"  key{i}: {i}\n" for i in range(20_000)),
        "name: m\n" + "".join(f"key{i}: {i}\n" for i in range(20_000)),
        "name: m\nitems:\n" + "".join(f"- {{type: rigid_bod, name: n{i}}}\n" for i in range(20_000)),
        "name: m\nitems:\n" + "".join(f"- {{type: rigid_body, name: n{i}, mas: 1}}\n" for i in range(20_000)),
        "name: m\nitems:\n" + "".join(f"- {{type: point_mass, name: n, mass: {i}}}\n" for i in range(1, 5_000)),
    ],
    ids=["keys of an item", "keys of the model", "types", "items", "names"],
)
def test_many_mistakes_are_told_shortly(text):
    """Fifty mistakes in words, the others counted: each word costs a search for what was meant."""
    with pytest.raises(ModelError) as caught:
        fx.Model.from_yaml(text)
    said = str(caught.value)
    assert len(said.splitlines()) <= MOST_SHOWN + 3
    assert len(said) < 20_000
    assert re.search(r"(it has \d+ mistakes|… and \d+) more", said.splitlines()[-1])
