"""Fatigue damage on the flexible bodies of a scene, as fields to choose beside stress."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue import Damage
from flexor.viewer.buffers import Buffers
from flexor.viewer.scene import Scene

DAMAGE, RANGE = "fatigue damage", "fatigue stress range"
FAINTEST = 1e-12
"""Damages below this part of the largest look alike, those without any among them."""


def with_damage(scene: Scene, damages: Sequence[Damage]) -> Scene:
    """The scene with the maps of damages (one per body): log₁₀ C and log₁₀ of the life, and the largest corrected range [Pa]."""
    if not damages:
        return scene
    bodies, seen = list(scene.header["bodies"]), set[str]()
    for damage in damages:
        stress = _stress(damage)
        name = stress.history.reduced.name
        number = next((k for k, body in enumerate(bodies) if body["name"] == name), None)
        if number is None or bodies[number]["mesh"] is None or not bodies[number]["mesh"]["modes"]:
            shown = ", ".join(body["name"] for body in bodies if body["mesh"]) or "none"
            raise ModelError(
                Problem("view", f"there is no flexible body '{name}'", f"bodies with a mesh: {shown}", "give its run")
            )
        if name in seen:
            raise ModelError(
                Problem("view", f"there are two damages of '{name}'", "each body has one map", "add them up: a + b")
            )
        seen.add(name)
        mesh = bodies[number]["mesh"]
        bodies[number] = {
            **bodies[number],
            "mesh": {**mesh, "fields": [*mesh["fields"], *_fields(damage, mesh, scene.buffers)]},
        }
    return Scene({**scene.header, "bodies": bodies}, scene.buffers, scene.frames, scene.signal)


def _stress(damage: Damage) -> Any:
    stress = damage.source.stress if isinstance(damage, Damage) else None
    if stress is None or stress.place != "nodes":
        what = f"{damage!r:.60} is no map of a body"
        raise ModelError(Problem("view", what, "only damage at its nodes is one", 'give run.damage("rod", …)'))
    return stress


def _fields(damage: Damage, mesh: dict[str, Any], buffers: Buffers) -> list[dict[str, Any]]:
    ids = np.asarray(_stress(damage).history.reduced.node_ids)
    order = np.argsort(ids)
    rows = order[np.searchsorted(ids, buffers.array(mesh["nodes"]), sorter=order)]
    values, ranges = np.nan_to_num(damage.values[rows]), np.nan_to_num(damage.largest[rows])
    note = "; ".join(" ".join(line.split()) for line in str(damage.method).splitlines())
    found = [_field(RANGE, "Pa", {"largest_range": ranges}, mesh, buffers, note)]
    most = float(np.nanmax(damage.values))
    if most > 0:
        decades = np.log10(np.maximum(values, FAINTEST * most))
        both = {"log10_damage": decades, "log10_life": -decades}
        found.insert(0, _field(DAMAGE, "", both, mesh, buffers, note))
    return found


def _field(
    name: str, unit: str, parts: dict[str, np.ndarray], mesh: dict[str, Any], buffers: Buffers, note: str
) -> dict[str, Any]:
    """A field that does not change over time."""
    constant = np.stack(list(parts.values()), axis=1)
    shape = (int(mesh["modes"]), *constant.shape)
    shapes = buffers.later(shape, lambda: np.zeros(shape, dtype=np.float32))
    return {"name": name, "unit": unit, "components": list(parts), "shapes": shapes, "constant": buffers.add(constant), "note": note}  # fmt: skip
