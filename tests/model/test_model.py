"""The model as an object: lookup, changes, schema, and the way to a computation."""

import functools
import json

import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.model import KINDS
from flexor.results import analyses
from tests.model.examples import ONE_OF_EACH

ARM = fx.RigidBody("arm", 1.0, 0.1)
MODEL = fx.Model("m", [ARM, fx.Revolute("pin", fx.ground, ARM, axis="z")])


def test_lookup():
    assert MODEL["arm"] is ARM
    assert "pin" in MODEL
    assert "pim" not in MODEL
    with pytest.raises(KeyError, match="model 'm': it has no item 'pim'; did you mean 'pin'"):
        MODEL["pim"]


def test_changes_make_new_models():
    spring = fx.JointSpring("spring", "pin", stiffness=2)
    heavier = ARM.replace(mass=5.0)
    changed = MODEL.with_item(heavier, spring)
    assert [item.name for item in changed.items] == ["arm", "pin", "spring"]
    assert changed["arm"].mass == 5.0
    assert MODEL["arm"].mass == 1.0
    assert changed.without("spring").with_item(ARM) == MODEL
    assert MODEL.without("arm", "pin").items == ()
    with pytest.raises(KeyError, match="no item 'nothing'"):
        MODEL.without("nothing")


def test_frozen():
    with pytest.raises(ValueError, match="frozen"):
        MODEL.name = "other"


def test_no_gravity_unless_given():
    assert MODEL.gravity == (0.0, 0.0, 0.0)
    assert fx.Model("m", gravity=(0, 0, "-9.81 m/s^2")).gravity == (0.0, 0.0, -9.81)


def test_items_may_be_dictionaries():
    assert fx.Model("m", [{"type": "rigid_body", "name": "arm", "mass": 1.0, "inertia": 0.1}]).items == (ARM,)
    with pytest.raises(ModelError, match=r"model 'm': items\.0: type 'rigid' is unknown; did you mean 'rigid_body'\?"):
        fx.Model("m", [{"type": "rigid"}])
    with pytest.raises(ModelError, match=r"model 'm': unknown key 'items\.0\.mas'; did you mean 'mass'\?"):
        fx.Model("m", [{"type": "rigid_body", "name": "arm", "mas": 1.0}])
    with pytest.raises(ModelError, match=r"items\.0 = ground does not fit; it takes rigid_body"):
        fx.Model("m", [fx.ground])


def test_marker_references():
    crank = fx.RigidBody("crank", 1, 1, markers={"tip": ("80 mm", 0, 0)})
    assert crank.at("80 mm", 0, 0) == fx.MarkerRef("crank", at=(0.08, 0, 0))
    assert crank.at(z="1 in").at == (0.0, 0.0, 0.0254)
    assert str(crank.at("80 mm", 0, 0)) == "crank at (0.08, 0.0, 0.0)"
    joint = fx.Revolute("pin", fx.ground, crank["tip"])
    assert joint == fx.Revolute("pin", "ground", "crank.tip")
    assert joint.b.model_dump() == "crank.tip"
    assert fx.Revolute("pin", fx.ground, crank).b == fx.MarkerRef("crank")
    assert crank.at(0, 0, 0, orientation={"axis": "z", "angle": "180 deg"}).orientation == pytest.approx((0, 0, 0, 1))
    with pytest.raises(ModelError, match="kg is not a unit of this dimension"):
        crank.at("80 kg", 0, 0)


def test_units_in_every_quantity():
    shape = fx.Cylinder("5 mm", "2 in")
    assert (shape.radius, shape.length) == (0.005, 0.0508)
    arm = fx.RigidBody("a", "500 g", "2 kg*cm^2", velocity=("36 km/h", 0, 0), angular_velocity=(0, 0, "60 rpm"))
    assert arm.mass == 0.5
    assert arm.inertia == pytest.approx((2e-4,) * 3)
    assert arm.velocity == (10.0, 0.0, 0.0)
    assert arm.angular_velocity[2] == pytest.approx(6.283185307179586)
    joint = fx.Cylindrical("c", "a", "b", start=("5 mm", "180 deg"), start_rate=("1 mm/s", "60 rpm"))
    assert joint.start == pytest.approx((0.005, 3.141592653589793))
    assert joint.start_rate == pytest.approx((0.001, 6.283185307179586))
    spring = fx.AxialSpring("s", "a", "b", stiffness="20 N/mm", damping="1 kN*s/m", free_length="300 mm")
    assert (spring.stiffness, spring.damping, spring.free_length.value) == (20e3, 1e3, 0.3)


def test_the_schema_knows_every_item_and_accepts_what_the_writer_writes():
    schema = fx.Model.schema()
    kinds = {definition["properties"]["type"]["const"] for definition in schema["$defs"].values()
             if "type" in definition.get("properties", {})}  # fmt: skip
    assert set(KINDS) <= kinds
    assert json.loads(json.dumps(schema)) == schema
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(ONE_OF_EACH.to_text("json")), schema)
    for bad in ({"mas": 1}, {"mass": []}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"name": "m", "items": [{"type": "rigid_body", "name": "a", "mass": 1, **bad}]}, schema)


def test_the_schema_admits_units_and_short_forms():
    schema = fx.Model.schema()["$defs"]

    def kinds(definition):
        return {each.get("type") for each in definition.get("anyOf", [definition])}

    assert kinds(schema["RigidBody"]["properties"]["mass"]) == {"number", "string"}
    assert {"string", "array"} <= kinds(schema["Revolute"]["properties"]["axis"])
    assert "string" in kinds(schema["MarkerRef"])
    assert "array" in kinds(schema["Marker"])
    assert schema["Revolute"]["properties"]["axis"]["description"].startswith("Axis, in the axes of marker A")


@pytest.mark.parametrize(
    ("what", "args", "settings"),
    [
        ("dynamics", (1.0,), {"step": 1e-3, "show": False, "record": ["pin"]}),
        ("statics", (), {"time": 0.1, "load_steps": 2}),
        ("modes", (4,), {"at": "start", "complex": True}),
        ("kinematics", (1.0,), {"step": 1e-3, "show": False}),
    ],
)
def test_computations_are_passed_on_with_all_arguments(monkeypatch, what, args, settings):
    """To the function of the same name, whose signature says what may be given."""
    calls = []

    @functools.wraps(getattr(analyses, what))
    def computation(*args, **settings):
        calls.append((args, settings))
        return "a run"

    monkeypatch.setattr(analyses, what, computation)
    assert getattr(MODEL, what)(*args, **settings) == "a run"
    assert calls == [((MODEL, *args), settings)]
    with pytest.raises(fx.ModelError, match="unknown option 'stepp'"):
        getattr(MODEL, what)(*args, **settings, stepp=1)
    assert len(calls) == 1
