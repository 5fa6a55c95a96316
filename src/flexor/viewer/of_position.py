"""The scene of an equilibrium, or of one moment of a run: a run of one row."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np

from flexor.results.bodies import one_row
from flexor.results.position import Position
from flexor.viewer.of_run import recorded_scene
from flexor.viewer.scene import Scene


class OneRow:
    """The signals of a position as recorded rows (`flexor.viewer.rows.NamedRows`)."""

    def __init__(self, position: Position) -> None:
        self._values = one_row({name: value for name, value in position.signals.items() if name != "time"})
        self.names = tuple(name for name in self._values if name != "time")
        self.units = {"time": "s", **position.units}

    def __len__(self) -> int:
        return 1

    def __getitem__(self, name: str) -> np.ndarray:
        return self._values[name]

    def __contains__(self, name: str) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def rows(self, first: int, count: int) -> np.ndarray:
        return np.array([[self._values[name][0] for name in ("time", *self.names)]])[first : first + count]

    def blocks(self, table: str, rows: int | None = None) -> Iterator[np.ndarray]:
        yield self.rows(0, 1)


def scene_of_position(position: Position) -> Scene:
    """Where the mechanism rests, with its forces, its deformation and stress."""
    name = position.model.name
    summary = [["equilibrium of", name], ["iterations", str(position.iterations)]]
    rows = OneRow(position)
    scene = recorded_scene(rows, position.model, False, [], name=name, summary=summary)
    values = [float(rows[each["name"]][0]) for each in scene.header["signals"]]
    return dataclasses.replace(scene, header={**scene.header, "values": values, "plots": []})
