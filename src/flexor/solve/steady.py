"""An equilibrium that is kept in motion: a round rotor spins in its place, a vehicle rolls on."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from flexor.bodies import Body
from flexor.declaration import Item
from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.errors import SolveError
from flexor.functions import Function
from flexor.joints import Joint
from flexor.model import Model
from flexor.model.mechanism import Mechanism
from flexor.solve.begin import a_little_later
from flexor.solve.rotation import SteadyRotation, steady_rotation
from flexor.solve.settled import settle
from flexor.solve.statics import find_equilibrium
from flexor.warning import warn


class VelocitiesLeftOut(UserWarning):
    """Modes about an equilibrium at rest of a model that is given velocities."""


STEADY = 1e-6
"""Change of velocities, relative to what a turn by one radian makes, of a motion that is steady."""


def moves(system: System) -> bool:
    """Whether anything moves."""
    return bool(np.abs(system.memory.v).max(initial=0.0) > 1e-9 or np.any(system.memory.s[1::3]))


def gives_velocities(model: Model | Mechanism) -> bool:
    """Whether bodies or joints are declared with velocities, or a motor turns what is flexible; those of a mechanism are not judged."""
    if isinstance(model, Mechanism):
        return False
    if any(item.flexible for item in model.items if isinstance(item, Body)) and any(map(_drives, model.items)):
        return True
    names = ("velocity", "angular_velocity", "start_rate")
    given = [getattr(item, name, None) for item in model.items if isinstance(item, Body | Joint) for name in names]
    return any(np.any(np.asarray(value, dtype=float)) for value in given if value is not None)


def _drives(item: Item) -> bool:
    """Whether it moves something at t = 0 by a prescribed position, or its rate."""
    for field, given in item.prescribes.items():
        function = getattr(item, field)
        if isinstance(function, Function) and given < 2:
            return bool((function(0.0) if given else function.derivative(0.0)) != 0.0)
    return False


def settled_in_motion(system: System, model: Model, goes_on: Callable[[System], bool]) -> bool:
    """Bring a model to its equilibrium, with its given velocities if it is kept with them; else warn, and leave it moving.

    goes_on: whether the coefficients of small motions stay. Whether the velocities are kept.
    """
    given = system.nodes("v").copy()
    try:
        with warnings.catch_warnings():  # all has been told of the model itself
            warnings.simplefilter("ignore")
            settle(system, model)
            spin = _flexible_spin(system)
            if spin is not None:  # the rotor is strained by its spin
                find_equilibrium(system, rotation=spin)
                steady = goes_on(system)
            else:
                solve_accelerations(system)
                steady = _steady(system)
                rate = rate_of(system)
                if steady and rate > 0.0:
                    with a_little_later(system, 0.05 / rate):
                        steady = _steady(system)
    except SolveError:
        steady = False
    if steady:
        return True
    moving = np.flatnonzero(np.abs(given).max(axis=1) > 1e-9)
    names = [system.mechanism.owner(system.mechanism.nodes[i].name) for i in moving]
    names = list(dict.fromkeys(name for name in names if name))
    told = ", ".join(f"'{name}'" for name in names[:4]) + (" …" if len(names) > 4 else "")
    warn(
        f"velocities given for {told} are left out: with them the equilibrium is not kept, and these are modes about rest. "
        'What helps: at="start" for the state at t = 0, campbell for a rotor, angular_velocity= if all turns together',
        VelocitiesLeftOut,
    )
    return False


def _flexible_spin(system: System) -> SteadyRotation | None:
    """The rotation of a model with flexible bodies, if all that moves turns about one axis, and gravity does not act across it."""
    if not any(body.flexible for body in system.bodies):
        return None
    spin, gravity = steady_rotation(system), np.array(system.mechanism.gravity)
    if spin is None or np.linalg.norm(np.cross(spin.axis, gravity)) > 1e-9 * np.linalg.norm(gravity):
        return None
    return replace(spin, free=all(not term.drives for term in system.mechanism.terms))


def _steady(system: System) -> bool:
    """Whether all goes on as it is: spins stay, and points go straight on or round with their spin, v̇ = ω × v.

    What follows by joints that are eliminated counts, too: a motor may lead it without any unknown.
    """
    v, a = (system.nodes(name) for name in ("v", "a"))
    length, rate = float(system.run.length_scale), rate_of(system)
    off = np.abs(a[:, :3] - np.cross(v[:, 3:], v[:, :3])).max(initial=0.0) / length, np.abs(a[:, 3:]).max(initial=0.0)
    straight = np.abs(a[:, :3]).max(initial=0.0) / length
    return bool(max(min(off[0], straight), off[1]) <= STEADY * rate**2)


def rate_of(system: System) -> float:
    """How fast the mechanism turns, or goes by its own size [1/s]."""
    v, length = system.nodes("v"), float(system.run.length_scale)
    rate = max(np.abs(v[:, 3:]).max(initial=0.0), np.abs(v[:, :3]).max(initial=0.0) / length)
    return float(max(rate, np.abs(system.memory.s[1::3]).max(initial=0.0) if system.mechanism.followers else 0.0))
