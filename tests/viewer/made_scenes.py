"""Scenes of given names and values, without a model behind them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from flexor.viewer.buffers import Buffers
from flexor.viewer.scene import Scene, header
from flexor.viewer.server import View
from flexor.viewer.stage import Stage
from tests.viewer.browser import page_at


def ground() -> dict[str, Any]:
    body = {"name": "ground", "kind": "ground", "color": "#888888", "pose": -1, "mesh": None, "beam": None}
    return {**body, "shapes": [], "properties": [], "markers": []}


def made_scene(kind: str, times: list[float], signals: dict[str, np.ndarray], **fields: Any) -> Scene:
    """A scene of given names and values."""
    buffers = Buffers()
    number = buffers.add(np.array(times), "f8")["buffer"]
    told = [{"name": name, "unit": "rad", "quantity": "", "owner": name.partition(".")[0]} for name in signals]
    fields = {"frames": {"count": len(times), "width": 0}, **fields}
    made = header(kind, "made", times={"buffer": number, "count": len(times)}, signals=told, **fields)
    rows = np.zeros((made["frames"]["count"], 0), dtype=np.float32)
    return Scene(made, buffers, lambda first, count: rows[first : first + count], signals.__getitem__)


def crowd() -> Scene:
    times = np.linspace(0, 1, 11)
    names = [f"joint_{i}" for i in range(5000)]
    items = [
        {"name": name, "type": "Revolute", "group": "joints", "ends": [], "glyph": [], "properties": [], "signals": []}
        for name in names
    ]
    warnings = [{"text": "the spring bottoms out", "time": 0.25}, {"text": "of no time", "time": None}]
    signals = {f"{name}.angle": np.sin(times) for name in names}
    return made_scene(
        "run", times.tolist(), signals, bodies=[ground()], items=items, warnings=warnings, cutbacks=[0.3, 0.7]
    )


@contextmanager
def made_page(chromium: Any, scene: Scene) -> Iterator[Any]:
    view = View(Stage([lambda: scene], ["made"])).start()
    try:
        with page_at(chromium, view.url) as page:
            yield page
    finally:
        view.close()
