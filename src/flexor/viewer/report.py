"""A report: one file that opens from disk, offline, with the 3-D view, plots, summary, warnings and statistics in it."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.files import as_path
from flexor.io.replaceable import unwritable
from flexor.results.names import matching, unknown
from flexor.viewer.json_text import json_in_page
from flexor.viewer.page import NAMED, report_page
from flexor.viewer.scene import Scene

FRAMES = 600
"""Rows that a report holds, if not told otherwise."""
SIGNALS = 24
"""Signals that a report holds beside the energies and what is plotted first, if not told otherwise."""
WHAT = "report"
SAME = ("energy.", "solver.")
"""Signals that every report of a run holds."""


def write_report(
    scene: Scene, file: str | Path, *, signals: Sequence[str] | None = None, frames: int = FRAMES, stress: bool = True
) -> Path:
    """Write the report of a scene.

    signals: names or patterns of those that can be plotted, shown at first, too; some telling ones if left out, ["*"] for all.
    frames: rows at most; of a longer run every n-th is taken, which the page says.
    stress: whether it holds the stress of flexible bodies, two thirds of what their meshes need.
    """
    path = as_path(file, WHAT)
    text = report_text(scene, signals=signals, frames=frames, stress=stress)
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise unwritable(path, WHAT, error) from None
    return path


def report_text(
    scene: Scene, *, signals: Sequence[str] | None = None, frames: int = FRAMES, stress: bool = True
) -> str:
    """The report as HTML."""
    if frames < 2:
        raise ModelError(Problem(WHAT, f"frames = {frames} shows no motion", "", "give 2 or more"))
    head, rows = _thinned(scene.header, frames)
    head, chosen = _with_signals(head, signals)
    left_out = set[int]() if stress else _fields(head)
    if left_out:
        head = {**head, "bodies": [_without_fields(body) for body in head["bodies"]]}
        head["notes"] = [*head["notes"], "this report was written without stress"]
    blocks = [_block("flexor-header", json_in_page(head), "application/json")]
    for number in sorted({*range(len(scene.buffers))} - left_out):
        data = scene.buffers.data(number)
        if scene.header["times"] is not None and number == scene.header["times"]["buffer"]:
            data = np.frombuffer(data, "<f8")[rows].astype("<f8").tobytes() if len(rows) else data
        blocks.append(_packed(f"buffer-{number}", data))
    blocks.append(_packed("frames", _frames(scene, rows)))
    for number, name in enumerate(chosen):
        values = np.asarray(scene.signal(name), dtype="<f8")
        blocks.append(_packed(f"signal-{number}", values[rows].astype("<f8").tobytes()))
    return report_page(f"{head['name']}{NAMED}", "\n".join(blocks))


def _fields(header: dict[str, Any]) -> set[int]:
    """Numbers of the buffers that hold stress."""
    meshes = [body["mesh"] for body in header["bodies"] if body["mesh"]]
    return {field["shapes"]["buffer"] for mesh in meshes for field in mesh["fields"] if _moves(field)}


def _moves(field: dict[str, Any]) -> bool:
    """Whether a field, as stress, changes over time; maps of damage do not."""
    return field["constant"] is None


def _without_fields(body: dict[str, Any]) -> dict[str, Any]:
    if not body["mesh"]:
        return body
    return {**body, "mesh": {**body["mesh"], "fields": [each for each in body["mesh"]["fields"] if not _moves(each)]}}


def _thinned(header: dict[str, Any], most: int) -> tuple[dict[str, Any], np.ndarray]:
    """The header of fewer rows, and which these are: evenly spread, the first and the last among them."""
    count = int(header["frames"]["count"])
    if header["kind"] != "run" or count <= most:
        return dict(header), np.arange(count)
    rows = np.unique(np.round(np.linspace(0, count - 1, most)).astype(int))
    note = f"this report holds {len(rows)} of {count} recorded rows; flexor report --frames {count} holds all"
    told = {"frames": {**header["frames"], "count": len(rows)}, "times": {**header["times"], "count": len(rows)}}
    return {**header, **told, "notes": [*header["notes"], note]}, rows


def _with_signals(header: dict[str, Any], wanted: Sequence[str] | None) -> tuple[dict[str, Any], list[str]]:
    """The header with the signals that the report holds; UnknownSignal for a name that is none."""
    every = [each["name"] for each in header["signals"]]
    shown = header["plots"]
    if wanted is None:
        first = [name for panel in shown for name in panel]
        own = [name for item in header["items"] for name in item["signals"]]
        chosen = dict.fromkeys([*first, *own][: SIGNALS + len(first)])
    else:
        found = [_named(every, each) for each in wanted]
        for name, matched in zip(wanted, found):
            if not matched or any(each not in every for each in matched):
                raise unknown(name, every, "this run")
        chosen = dict.fromkeys(name for matched in found for name in matched)
        shown = [matched[:6] for matched in found][:4]
    chosen.update(dict.fromkeys(name for name in every if name.startswith(SAME)))
    kept = [each for each in header["signals"] if each["name"] in chosen]
    names = [each["name"] for each in kept]
    told = {**header, "signals": kept, "plots": shown}
    if header["values"] is not None:
        told["values"] = [value for each, value in zip(header["signals"], header["values"]) if each["name"] in chosen]
    if len(names) < len(every):
        note = f"this report holds {len(names)} of {len(every)} signals; flexor report --signals '*' holds all"
        told["notes"] = [*header["notes"], note]
        told["items"] = [{**item, "signals": [n for n in item["signals"] if n in chosen]} for item in header["items"]]
    return told, names


def _named(every: list[str], name: str) -> list[str]:
    """Columns of a name, of a vector, or of a pattern."""
    if "*" in name or "?" in name:
        return matching(every, name)
    parts = [f"{name}_{axis}" for axis in "wxyz" if f"{name}_{axis}" in every]
    return [name] if name in every or len(parts) < 3 else parts


def _frames(scene: Scene, rows: np.ndarray) -> bytes:
    """The chosen rows, read in blocks."""
    width = int(scene.header["frames"]["width"])
    found = np.zeros((len(rows), width), dtype="<f4")
    size = max(1, (1 << 22) // max(width, 1))
    last = int(rows[-1]) + 1 if len(rows) else 0
    for first in range(0, last, size):
        block = scene.frames(first, min(size, last - first))
        inside = (rows >= first) & (rows < first + len(block))
        found[inside] = block[rows[inside] - first]
    return found.tobytes()


def _packed(id: str, data: bytes) -> str:
    text = base64.b64encode(gzip.compress(data, 6, mtime=0)).decode()
    return _block(id, text, "application/octet-stream;base64")


def _block(id: str, text: str, kind: str) -> str:
    return f'<script id="{id}" type="{kind}">{text}</script>'
