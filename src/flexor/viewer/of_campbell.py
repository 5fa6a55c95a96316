"""The scene of a Campbell diagram: its lines, and the shape at every point of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.errors import FlexorError
from flexor.results.mode_shapes import ModeShapes
from flexor.solve.campbell import Campbell
from flexor.viewer.mode_rows import mode_header, rows_of_modes
from flexor.viewer.of_modes import stage_modes
from flexor.viewer.scene import Scene


def scene_of_campbell(diagram: Campbell) -> Scene:
    """Modes by speed, then by line: the shape of line j at speed k is number k · lines + j."""
    every = [ModeShapes(diagram.model, diagram.modes(k)) for k in range(len(diagram.speeds))]
    scene, moves, rest = stage_modes(diagram.model, every)
    rows = rows_of_modes(moves, rest)
    speeds, lines = diagram.frequencies.shape
    critical, warned = _critical(diagram)
    told = {
        **scene.header,
        "kind": "campbell",
        "summary": [["model", diagram.model.name], *critical],
        "warnings": [*scene.header["warnings"], *warned],
        "modes": [
            mode_header(*_point(diagram, k, j), most=every[k].moves_most[j])
            for k in range(speeds)
            for j in range(lines)
        ],
        "campbell": {
            "speeds": diagram.speeds.tolist(),
            "unit": "rad/s",
            "frame": diagram.frame,
            "frequencies": diagram.frequencies.T.tolist(),
            "damping": diagram.damping.T.tolist(),
            "names": [f"mode {j + 1}, {sense}" for j, sense in enumerate(diagram.senses())],
            "modes": np.arange(speeds * lines).reshape(speeds, lines).T.tolist(),
        },
        "frames": {"count": len(rows), "width": rows.shape[1]},
    }
    return Scene(told, scene.buffers, lambda first, count: rows[first : first + count])


def _point(diagram: Campbell, k: int, j: int) -> tuple[float, float, str, str]:
    kind = f"{diagram.speeds[k] * 30 / np.pi:.5g} rpm"
    sense = diagram.senses_of(j)[k]
    return float(diagram.frequencies[k, j]), float(diagram.damping[k, j]), kind, sense


def _critical(diagram: Campbell) -> tuple[list[list[Any]], list[dict[str, Any]]]:
    """Critical speeds in words; what kept them from being found as a warning, while all speeds of the diagram are shown."""
    try:
        what, _, found = diagram.critical_told(diagram.unbalance).partition(": ")
    except FlexorError as error:
        return [["critical speeds", "not found, see the warnings"]], [{"text": str(error), "time": None}]
    return [[what, found]], []
