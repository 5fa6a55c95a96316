"""A sound model with one of each kind of item, made from their first samples: listed is tested."""

from pathlib import Path
from typing import Any

import flexor as fx
from flexor.bodies import BODIES, MarkerRef
from flexor.joints import JOINTS, Joint
from flexor.model import ITEMS
from tests.laws.samples import MECHANISM, declared

PLACES = {"crank": ((0, 0, 0), (0.1, 0, 0)), "rod": ((0.8, 0, 0), (0.5, 0, 0))}
"""Bodies that samples attach to: where they are, and where their marker tip is on them."""


def _body(kind: Any) -> Any:
    mesh = kind.samples[0].get("mesh")
    return declared(kind, **({"mesh": str(Path(__file__).with_name(mesh))} if mesh else {}))


def _chain() -> list[Any]:
    """Links one after the other from the ground, with a joint of each kind between them."""
    called = {type(joint): {"name": name} for name, joint in reversed(MECHANISM.items())}
    items: list[Any] = []
    before = fx.ground.at(1, 0, 0)
    for i, kind in enumerate(kind for kind in JOINTS if issubclass(kind, Joint)):
        link = fx.RigidBody(f"link {i}", 1.0 + i, 0.1, center_of_mass=(0.1, 0.2, 0.3))
        items += [link, declared(kind, a=before, b=link, **called.get(kind, {}))]
        before = link.at(0.1, 0, 0)
    return items


def _with_bodies(kind: Any) -> list[Any]:
    """The item, and bodies of its own where it attaches to some."""
    item = declared(kind)
    bodies = {}
    for field in kind.model_fields:
        value = getattr(item, field)
        refs = value if isinstance(value, tuple) else (value,)
        if not refs or not all(isinstance(ref, MarkerRef) for ref in refs):
            continue
        moved = []
        for ref in refs:
            if ref.body == "ground":
                moved.append(ref)
                continue
            own = f"{ref.body} of {item.name}"
            position, tip = PLACES[ref.body]
            bodies[own] = fx.RigidBody(own, 1.2, (0.1, 0.2, 0.25), position=position, markers={"tip": tip})
            moved.append(ref.replace(body=own))
        item = item.replace(**{field: tuple(moved) if isinstance(value, tuple) else moved[0]})
    return [*bodies.values(), *_with_joints(item)]


def _with_joints(item: Any) -> list[Any]:
    """The item, and joints of its own, each with a body, where it couples variables of some."""
    added: dict[str, list[Any]] = {}
    for each in item.couples:
        own = f"{each.joint} of {item.name}"
        part = fx.RigidBody(f"part in {own}", 1.3, (0.1, 0.2, 0.25))
        joint = MECHANISM[each.joint].replace(name=own, a=fx.ground.at(0, len(added), 2), b=part.at(0, 0, 0))
        added[each.joint] = [part, joint.replace(start=None, start_rate=None)]

    def renamed(name: str) -> str:
        joint, dot, variable = name.partition(".")
        return f"{joint} of {item.name}{dot}{variable}"

    for field in {each.field for each in item.couples}:
        named = getattr(item, field)
        item = item.replace(
            **{field: renamed(named) if isinstance(named, str) else {renamed(name): w for name, w in named.items()}}
        )
    return [*(each for pair in added.values() for each in pair), item]


ONE_OF_EACH = fx.Model(
    "one of each",
    gravity=(0, 0, -9.81),
    items=[
        *map(_body, BODIES),
        fx.Fixed("root", fx.ground.at(0, 3, 0), "fin.start"),
        *_chain(),
        *(item for kind in ITEMS if not issubclass(kind, (*BODIES, Joint)) for item in _with_bodies(kind)),
    ],
)
