"""The scene of a run: every recorded row as poses, coordinates and forces, with its signals, warnings and statistics."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from flexor.model import Model
from flexor.model.joint_state import GROUND
from flexor.results.run import Run
from flexor.viewer.bodies import Bodies
from flexor.viewer.buffers import Buffers
from flexor.viewer.items import items_of
from flexor.viewer.picture import POSE, Picture, header_of, recorded_pose
from flexor.viewer.primitive import primitive
from flexor.viewer.rows import BLOCK, Layout, NamedRows, window_of
from flexor.viewer.scene import Scene, box_of, header, up_of
from flexor.viewer.solver_signals import with_solver_signals
from flexor.viewer.story import Story, model_of, status_of

SAMPLED = 60
"""Rows at which the extent of the motion is looked at."""


def scene_of_run(run: Run, story: Story | None = None) -> Scene:
    """While more rows come, what needs all of them is left out. story: what is known of the run, if it is followed."""
    status = status_of(run)
    model, why = model_of(run)
    notes = [f"the model cannot be read again, so that only recorded frames are shown: {why}"] if why else []
    told = (story or Story(run, model)).told(status)
    name = str(model.name if model is not None else run.file.name if run.file else "run")
    scene = recorded_scene(run, model, status == "running", notes, name=name, status=status, **told)
    return with_solver_signals(scene, run)


def recorded_scene(run: NamedRows, model: Model | None, growing: bool, notes: list[str], **told: Any) -> Scene:
    """The scene of recorded rows. told: what the header says of them beside."""
    buffers, layout = Buffers(), Layout()
    items: list[dict[str, Any]] = []
    arrows: list[dict[str, Any]] = []
    if model is None:
        pictures = _frames_alone(run)
    else:
        bodies = Bodies(model, buffers, notes, run, growing)
        pictures = bodies.pictures
    offsets = [layout.add(each.width, each.moving) for each in pictures]
    if model is not None:
        items, arrows = items_of(bodies, layout, notes)
        if not growing:
            _measure(run, arrows)
    frames = _Frames(run, layout)
    rows = len(run)
    chosen = np.unique(np.linspace(0, rows - 1, min(SAMPLED, rows)).astype(int))
    box, size = box_of(pictures, frames.some(chosen) if rows else np.zeros((0, 0)), offsets)
    times = buffers.later((rows,), lambda: np.asarray(run["time"])[:rows], "f8")
    head = header(
        "run",
        **told,
        notes=notes,
        times={"buffer": times["buffer"], "count": rows},
        frames={"count": rows, "width": layout.width},
        box=box,
        up=up_of((0.0, 0.0, 0.0) if model is None else model.gravity),
        glyph_size=size,
        bodies=[picture.shifted(offset) for picture, offset in zip(pictures, offsets)],
        items=items,
        arrows=arrows,
        signals=signals_of(run),
        plots=plots_of(run, items),
    )
    return Scene(head, buffers, frames, lambda name: _signal(run, name))


class _Frames:
    """Rows of a run, computed in blocks; the last blocks are kept."""

    KEPT = 64

    def __init__(self, run: NamedRows, layout: Layout) -> None:
        self._run, self._layout = run, layout
        self._blocks: dict[int, np.ndarray] = {}

    def __call__(self, first: int, count: int) -> np.ndarray:
        first = max(first, 0)
        last = min(first + max(count, 0), len(self._run))
        if last <= first:
            return np.zeros((0, self._layout.width), dtype=np.float32)
        numbers = range(first // BLOCK, (last - 1) // BLOCK + 1)
        found = np.concatenate([self._block(number) for number in numbers])
        begin = numbers[0] * BLOCK
        return found[first - begin : last - begin]

    def some(self, rows: np.ndarray) -> np.ndarray:
        """Single rows."""
        return np.concatenate([self._layout.rows(window_of(self._run, int(row), 1)) for row in rows])

    def _block(self, number: int) -> np.ndarray:
        found = self._blocks.get(number)
        if found is not None and len(found) == BLOCK:
            return found
        found = self._layout.rows(window_of(self._run, number * BLOCK, BLOCK))
        while len(self._blocks) >= self.KEPT:
            self._blocks.pop(next(iter(self._blocks)))
        self._blocks[number] = found
        return found


def _frames_alone(run: NamedRows) -> list[Picture]:
    """What can be shown of a run without its model: a small ball at every recorded frame."""
    ground = header_of(GROUND, "ground", 0, pose=-1)
    found = [Picture(ground, 0, lambda window: np.zeros((len(window), 0)), lambda _: np.zeros(0), np.zeros((0, 3)))]
    names = [name.removesuffix(".position_x") for name in run.names if name.endswith(".position_x")]
    for name in (name for name in names if f"{name}.orientation_w" in run.units):
        shape = [primitive("sphere", (0.6,), relative=True, derived=True)]
        head = header_of(name, "rigid", len(found) - 1, shapes=shape)
        found.append(Picture(head, POSE, partial(recorded_pose, name), _unplaced, np.zeros((1, 3))))
    return found


def _unplaced(_: object) -> np.ndarray:
    return np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


def _measure(run: NamedRows, arrows: list[dict[str, Any]]) -> None:
    """The largest size of every force that is drawn, in one pass over the rows."""
    column = {name: i for i, name in enumerate(("time", *run.names))}
    parts = []
    for arrow in arrows:
        name = arrow["name"]
        parts.append([column[each] for each in ([name] if name in column else [f"{name}_{axis}" for axis in "xyz"])])
        arrow["largest"] = 0.0
    for block in run.blocks("signals") if arrows else ():
        for arrow, columns in zip(arrows, parts):
            size = np.linalg.norm(block[:, columns], axis=1)
            arrow["largest"] = float(np.max(size[np.isfinite(size)], initial=arrow["largest"]))


def plots_of(run: NamedRows, items: list[dict[str, Any]]) -> list[list[str]]:
    """Signals to begin with: what motors exert, else what joints measure, one panel each."""
    for group, wanted in (
        ("motors", (".torque", ".force")),
        ("joints", (".angle", ".displacement")),
        ("forces", (".force",)),
    ):
        own = [name for item in items if item["group"] == group for name in item["signals"] if name.endswith(wanted)]
        if own:
            return [own[:3]]
    heights = [name for name in run.names if name.endswith(".position_z")]
    return [heights[:3]] if heights else []


def signals_of(run: NamedRows) -> list[dict[str, str]]:
    """Every recorded column."""
    found = []
    for name in run.names:
        owner, _, quantity = name.rpartition(".")
        found.append({"name": name, "unit": run.units[name], "quantity": quantity, "owner": owner})
    return found


def _signal(run: NamedRows, name: str) -> np.ndarray:
    values = np.asarray(run[name])
    return np.asarray(values if values.ndim == 1 else np.linalg.norm(values, axis=1), dtype=np.float64)
