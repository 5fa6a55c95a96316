"""What is printed of a model and its items: what was given, in a few lines."""

import pydoc

import pytest

import flexor as fx
from tests.model.examples import ONE_OF_EACH

BEAM = fx.Beam("mast", ((0, 0, 0), (1, 0, 0)), fx.Circle("10 mm"), "steel", divisions=2)
CRANK = fx.RigidBody("crank", "1.2 kg", (1, 1, 1), markers={"pin": (0.1, 0, 0)})


def test_an_item_shows_what_was_given():
    assert str(CRANK).splitlines() == [
        "rigid body 'crank'",
        "  markers  pin",
        "  mass     1.2 kg",
        "  inertia  (1, 1, 1) kg m²",
    ]
    assert len(repr(BEAM)) < 250
    assert str(fx.PointForce("p", "crank.pin", direction="z", force=3)).splitlines()[1] == "  on         crank.pin"


@pytest.mark.parametrize("item", ONE_OF_EACH.items, ids=lambda item: item.name)
def test_every_item_is_shown_in_short_lines(item):
    assert item.name in repr(item)
    assert all(len(line) < 120 for line in str(item).splitlines())


def test_a_declaration_is_written_as_it_is_called():
    names = {name: getattr(fx, name) for name in fx.__all__}
    for item in (BEAM, CRANK, fx.Circle("10 mm"), fx.ramp(0, 5, over=1)):
        assert eval(repr(item), names) == item


def test_a_model_shows_its_items():
    model = fx.Model("m", [BEAM, CRANK, fx.Fixed("f", fx.ground, BEAM["start"])], gravity=(0, 0, -9.81))
    first, *items = str(model).splitlines()
    assert first == "model 'm': 3 items, gravity (0, 0, -9.81) m/s²"
    assert items[1].split() == ["rigid", "body", "'crank'", "mass", "1.2", "kg"]
    assert items[2].endswith("ground – mast.start")
    assert repr(model) == "model 'm': 3 items"
    many = fx.Model("m", [CRANK.replace(name=f"crank {i}") for i in range(100)])
    assert str(many).splitlines()[-1] == "  and 40 more"


def test_long_tables_are_counted():
    assert "(3000 of them)" in str(fx.table(range(3000), range(3000)))


def test_help_is_about_the_thing_itself():
    text = pydoc.render_doc(fx.RigidBody)
    assert "pydantic.main.BaseModel:" not in text
    assert text.count("\n") < 300
    assert "center_of_mass: Centre of mass in the body's axes [m]." in text
