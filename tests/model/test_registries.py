"""What a folder defines, its list has: a line that is missing in its `__init__`, or stands below the list, is named."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

import pytest

from flexor import bodies, contact, control, forces, joints, transmissions
from flexor.declaration import Item, answers, has, told_by

LISTS = {
    bodies: bodies.BODIES,
    joints: (*joints.JOINTS, *joints.DRIVERS),
    forces: (*forces.FORCES, forces.UserLaw),
    contact: contact.CONTACTS,
    transmissions: transmissions.TRANSMISSIONS,
    control: (*control.CONTROLS, control.UserBlock),
}


def items_of(folder):
    """All items that its files define and that have a type in model files."""
    for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        for kind in vars(importlib.import_module(found.name)).values():
            own = inspect.isclass(kind) and issubclass(kind, Item) and kind.__module__ == found.name
            if own and "type" in kind.model_fields:
                yield kind


@pytest.mark.parametrize("folder", LISTS, ids=lambda folder: folder.__name__)
def test_every_item_of_a_folder_is_listed(folder):
    for kind in items_of(folder):
        assert kind in LISTS[folder], (
            f"{kind.__name__} of {kind.__module__} is not listed: give it a line in {folder.__name__.replace('.', '/')}/__init__.py, "
            "above the lists at its end"
        )
        assert getattr(folder, kind.__name__) is kind


def test_an_item_that_is_not_listed_would_be_found(monkeypatch):
    monkeypatch.setitem(LISTS, joints, joints.JOINTS)
    with pytest.raises(AssertionError, match=r"Friction of flexor.joints.friction is not listed: .* above the lists"):
        test_every_item_of_a_folder_is_listed(joints)


@pytest.mark.parametrize("kind", [kind for kinds in LISTS.values() for kind in kinds], ids=lambda kind: kind.__name__)
def test_what_a_kind_has_is_what_its_items_have(kind):
    """Asked of the kind, once, instead of each item: fields and properties, whatever their values."""
    item = kind.model_construct(**dict.fromkeys(kind.model_fields))
    for name in ("a", "b", "on", "at", "joint", "along", "variable", "variables", "markers", "files", "no_such_field"):
        own = name in item.__dict__ or any(name in each.__dict__ for each in kind.__mro__)
        assert has(kind, name) == own
        if not own:
            assert told_by(item, name, "nothing") == "nothing"


def test_a_kind_that_says_nothing_is_not_asked():
    class Quiet(Item):
        pass

    class Doubtful(Quiet):
        def doubts(self, gravity):
            return []

    assert not answers(Quiet, "doubts")
    assert answers(Doubtful, "doubts")
    assert not answers(Doubtful, "misplaced")
