"""A dynamic run that starts from rest under its loads: positions of the equilibrium, velocities as they were given."""

from __future__ import annotations

import warnings

import numpy as np

from flexor.bodies import Body
from flexor.engine.initial import project_velocities
from flexor.engine.system import System
from flexor.joints import Joint
from flexor.model import Model
from flexor.solve.prepare import compile_model
from flexor.solve.state import adopt
from flexor.solve.statics import Equilibrium, statics


def settle(system: System, model: Model) -> None:
    """Bring a compiled model to its static equilibrium at t = 0; its velocities are those that the model gives.

    What acts `at_rest` only holds it there, and is not in the compiled model: it is released as the run begins.   FTG 7.8
    """
    rest = statics(model, python=system.python)
    before = system.copy("x", "R", "v", "s")
    adopt(system, rest.state, motion=False)
    if not np.any(before["v"]) and not np.any(before["s"][1::3]):
        project_velocities(system)  # motors may move
        return
    from_drawing = any(item.prescribes and item.drive is None for item in model.items)
    if from_drawing or any(item.flexible for item in model.items if isinstance(item, Body)):
        _carry(system, before)
    else:
        with warnings.catch_warnings():  # all has been told of the model itself
            warnings.simplefilter("ignore")
            there = compile_model(_moved(model, rest), symmetric=system.symmetric, python=system.python)
        system.memory.v[:] = there.memory.v
        system.memory.s[1::3] = there.memory.s[1::3]
    project_velocities(system)


def _moved(model: Model, rest: Equilibrium) -> Model:
    """The model declared where it rests, so that given velocities belong to that position."""
    items = []
    by_sensors = any(
        item.drive is not None and item.drive.by_sensors for item in model.items
    )  # of variables as they are
    for item in model.items:
        if isinstance(item, Body):
            item = item.replace(position=tuple(np.ravel(rest[f"{item.name}.position"])), **_orientation(item, rest))
        elif isinstance(item, Joint) and (item.start is not None or (by_sensors and item.variables)):
            item = item.replace(start=tuple(rest[f"{item.name}.{variable}"] for variable in item.variables))
        items.append(item)
    return model.replace(items=tuple(items))


def _orientation(body: Body, rest: Equilibrium) -> dict[str, object]:
    turns = "orientation" in type(body).model_fields and f"{body.name}.orientation_w" in rest.signals
    return {"orientation": tuple(np.ravel(rest[f"{body.name}.orientation"]))} if turns else {}


def _carry(system: System, before: dict[str, np.ndarray]) -> None:
    """Every body keeps the velocity of its middle and its spin; its nodes have moved by Δx, hence v += ω × (Δx − mean Δx)."""
    nodes = system.mechanism.nodes
    origin = np.array([node.p_NO for node in nodes])
    x, R = system.nodes("x"), system.memory.R.reshape(-1, 3, 3)
    x0, R0 = before["x"].reshape(-1, 3), before["R"].reshape(-1, 3, 3)
    moved = x - x0 + np.einsum("nij,nj->ni", R - R0, origin)
    v = system.nodes("v")
    owners = np.array([system.mechanism.owner(node.name) for node in nodes])
    for owner in np.unique(owners[1:]):
        own = np.flatnonzero(owners == owner)
        v[own, :3] += np.cross(v[own, 3:], (x - x0)[own] - moved[own].mean(axis=0))
