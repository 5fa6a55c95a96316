"""A rotor that turns at one radian per second in supports that rest, of a model as it is declared."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.bodies import Body
from flexor.declaration import _direction
from flexor.engine.initial import project_velocities
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.joints.joint import Joint
from flexor.mistakes import suggestion
from flexor.model import Model
from flexor.solve.prepare import compile_model
from flexor.solve.rotation import SteadyRotation, spin_of
from flexor.solve.state import StartState, adopt
from flexor.spatial import direction
from flexor.units import Triple
from flexor.warning import warn


class GravityLeftOut(UserWarning):
    """Gravity across the axis of a rotor was left out."""


def unit_axis(axis: str | Triple | None) -> np.ndarray:
    if axis is None:
        fix = 'give axis="z", or rotor="…" where a rotor turns in supports that rest'
        raise ModelError(Problem("campbell", "the axis of rotation is missing", "", fix))
    try:
        return direction(_direction(axis))
    except ValueError as error:
        raise ModelError(Problem("campbell", f"axis: {error}")) from None


def rotor_at_unit_speed(
    model: Model, name: str, axis: str | Triple | None, python: bool, start: StartState | None
) -> tuple[System, SteadyRotation]:
    """The model with its rotor at 1 rad/s and all else at rest."""
    if name not in model:
        fix = suggestion(name, [item.name for item in model.items if isinstance(item, Joint | Body)], "there are")
        raise ModelError(Problem(f"rotor '{name}'", "there is no such joint or body", "", fix))
    chosen = model[name]
    items, driven = [], False
    for item in model.items:
        if isinstance(item, Body):
            item = _still(item, ("velocity", "angular_velocity"))
            if item.name == name:
                item = item.replace(angular_velocity=tuple(unit_axis(axis)))
        elif isinstance(item, Joint):
            # angles of eliminated joints are no vectors, so that turning them would change the equations
            item = _still(item, ("start_rate",)).replace(enforcement="multipliers")
            if item.name == name:
                item = item.replace(start_rate=_angle_rate(item))
        elif item.drive is not None and item.drive.joint == name:
            item, driven = item.replace(speed=1.0, position=None, acceleration=None), True
        items.append(item)
    if not isinstance(chosen, Joint | Body):
        raise ModelError(
            Problem(f"rotor '{name}'", "it is neither a joint nor a body", "", "name the joint it turns in")
        )
    system = compile_model(model.replace(items=tuple(items)), symmetric=False, python=python)
    if start is not None:
        adopt(system, start, motion=False)
        project_velocities(system)
    base = spin_of(system, name, free=not driven)
    gravity = system.gravity
    along = base.axis * (base.axis @ gravity)
    if np.linalg.norm(gravity - along) > 1e-9 * np.linalg.norm(gravity):
        text = f"gravity across the axis of '{name}' is left out: seen from the rotor it goes round"
        warn(text, GravityLeftOut)
        system.gravity = along
        system.share_loads(1.0)
    return system, base


def _still(item: Any, fields: tuple[str, ...]) -> Any:
    """A declaration without its initial velocities."""
    given = [name for name in fields if getattr(item, name, None) is not None]
    return item.replace(**dict.fromkeys(given)) if given else item


def _angle_rate(joint: Any) -> tuple[float, ...]:
    if len(joint.rotations) != 1:
        what = f"its rotations are {', '.join(joint.variables[len(joint.translations) :]) or 'none'}"
        raise ModelError(
            Problem(f"rotor '{joint.name}'", what, "a rotor turns about one axis", "name a revolute joint")
        )
    return (*(0.0 for _ in joint.translations), 1.0)
