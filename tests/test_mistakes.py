"""What pydantic finds wrong is told in an engineer's words: what is expected, and an example."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError

LINE = [(0, 0, 0), (1, 0, 0)]


def body(**fields):
    return fx.FlexibleBody("arm", "arm.inp", **fields)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: body(reduction="craig"),
            "body 'arm': reduction = 'craig' does not fit; it takes craig_bampton, guyan, response_modes, free_interface, "
            "krylov or modal, write e.g. CraigBampton(modes=…), in a file {type: craig_bampton, modes: …}",
        ),
        (
            lambda: body(reduction="krilov"),
            "write e.g. Krylov(frequencies=…), in a file {type: krylov, frequencies: …}",
        ),
        (lambda: body(reduction=fx.Guyan), "reduction = Guyan does not fit; it takes craig_bampton"),
        (lambda: body(damping=0.01), "damping = 0.01 does not fit; it takes rayleigh or modal, write e.g. Rayleigh("),
        (lambda: body(damping={"beta": 1}), "damping has no type; it must say what it is, add type: rayleigh or modal"),
        (
            lambda: body(material=np.ones(3)),
            "it takes isotropic or orthotropic, write e.g. Isotropic(young=…, poisson=…)",
        ),
        (lambda: body(material="stel"), "material = 'stel' is no known material; did you mean 'steel'?"),
        (lambda: body(material="oak"), "is no known material; known are steel, aluminium, or write its constants"),
        (lambda: body(stiffening="root"), "stiffening = 'root' is neither true nor false"),
        (lambda: body(interfaces={"tip": []}), "interface 'tip': nodes.ids has no entries; give 1 or more"),
        (
            lambda: body(interfaces={"tip": 1.5}),
            "interface 'tip': nodes = 1.5 selects no nodes; write a selection, e.g.",
        ),
        (lambda: fx.Interface((0.1, 0, 0)), "interface: nodes selects no nodes; write a selection"),
        (lambda: fx.Interface(True), "interface: nodes = True selects no nodes"),
        (
            lambda: fx.Beam("b", LINE, 0.01, "steel"),
            "section = 0.01 does not fit; it takes rectangle, circle, tube, i, box",
        ),
        (lambda: fx.Beam("b", LINE[:1], fx.Circle(0.01), "steel"), "points has 1 entry; give 2 or more"),
        (
            lambda: fx.RigidBody("b", 1, shapes=["box"]),
            "shapes.0 = 'box' does not fit; it takes box, cylinder, sphere, plane, torus, cone, revolved or …",
        ),
        (
            lambda: fx.RigidBody("b", 1, markers={"a": 5}),
            "markers.a = 5 does not fit; it takes marker, write e.g. Marker(",
        ),
        (lambda: fx.Model("m", [42]), "items.0 = 42 does not fit; it takes rigid_body, point_mass"),
    ],
)
def test_a_value_of_the_wrong_kind(make, says):
    with pytest.raises(ModelError) as caught:
        make()
    assert says in str(caught.value)
    assert len(caught.value.problems) == 1
    assert "valid dictionary" not in str(caught.value)


def test_one_load_or_several_is_one_mistake():
    with pytest.raises(ModelError) as caught:
        fx.MeshLoad("l", "arm", 5)
    (problem,) = caught.value.problems
    assert problem.what == "load = 5 does not fit"
    assert problem.why == "it takes point_load, pressure, traction, gravity or centrifugal"


def test_in_a_file_it_has_its_line():
    text = "name: m\nitems:\n- type: flexible_body\n  name: arm\n  mesh: arm.inp\n  reduction: craig\n"
    with pytest.raises(ModelError, match=r"reduction = 'craig' does not fit.*\(line 6\)"):
        fx.Model.from_yaml(text)


SURFACES = """
name: m
items:
- {type: rigid_body, name: ball, mass: 1, inertia: 1}
- type: contact
  name: floor
  a:
    on: ground
    shape:
      type: cylinder
      radius: -5 mm
      lenght: 3
  b: ball
  shape_b:
    type: side
    sied: outer
  law: {type: penalty, stiffness: 1e6}
- type: contacts
  name: grains
  surfaces:
  - on: ball
    shape:
      type: box
      x: -1
      y: 1
      z: 1
  walls:
  - on: ground
    shape:
      type: plan
  law: {type: penalty, stiffness: 1e6}
""".lstrip()


def test_shapes_of_surfaces_are_told_where_they_are_written():
    """By the kind of surface that was meant, under the name and in the line where it stands."""
    with pytest.raises(ModelError) as error:
        fx.Model.from_yaml(SURFACES)
    assert [str(problem) for problem in error.value.problems] == [
        "contact 'floor': a.shape.radius = -0.005 should be greater than 0  (line 10)",
        "contact 'floor': unknown key 'a.shape.lenght'; did you mean 'length'?  (line 11)",
        "contact 'floor': unknown key 'shape_b.sied'; did you mean 'side'?  (line 15)",
        "contact 'grains': surfaces.0.shape.x = -1.0 should be greater than 0  (line 23)",
        "contact 'grains': walls.0.shape: type 'plan' is unknown; did you mean 'plane'?  (line 28)",
    ]


def test_node_numbers_are_a_selection():
    numbers = (fx.Interface([12]), fx.Interface(12), fx.Interface(np.array([12])), fx.Interface((12,)))
    assert {each.nodes.ids for each in numbers} == {(12,)}


def test_lists_and_types_are_told_once():
    with pytest.raises(fx.ModelError) as caught:
        fx.Contacts("c", surfaces="ball", law=fx.Penalty(1))
    assert "surfaces = 'ball' is no list; write it in brackets: [ball]" in str(caught.value)
    with pytest.raises(fx.ModelError) as caught:
        fx.Contact("c", {"on": "ground", "shape": {"type": "plain"}}, "ball", fx.Penalty(1))
    assert str(caught.value) == "contact 'c': shape_a: type 'plain' is unknown; did you mean 'plane'?"


@pytest.mark.parametrize("orders", [(2, 2), (2.5, 2, 2), ((2, 2, 2), (2, 2, 2)), 3])
def test_orders_are_three_whole_numbers(orders):
    with pytest.raises(fx.ModelError) as caught:
        fx.ShapeBody("s", fx.Box(1, 1, 1), "steel", orders=orders)
    (problem,) = caught.value.problems
    assert "should be three whole numbers" in str(problem)
