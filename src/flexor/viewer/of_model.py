"""The scene of a model as it stands at the start."""

from __future__ import annotations

import warnings

import numpy as np

from flexor.model import Model
from flexor.viewer.bodies import Bodies
from flexor.viewer.buffers import Buffers
from flexor.viewer.items import items_of
from flexor.viewer.rows import Layout
from flexor.viewer.scene import Scene, box_of, header, up_of


def scene_of_model(model: Model) -> Scene:
    """Its bodies where its joints put them, loops closed; mistakes are told as warnings."""
    buffers, notes = Buffers(), list[str]()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = model.check(raise_errors=False)
    bodies = Bodies(model, buffers, notes, placement=report.placement)
    poses = bodies.placement.poses
    parts = [picture.still(poses[name]) for name, picture in zip(bodies.number, bodies.pictures)]
    offsets = [int(n) for n in np.cumsum([0, *map(len, parts)])[:-1]]
    row = np.concatenate(parts)[None].astype(np.float32)
    items, _ = items_of(bodies, Layout(), notes)
    box, size = box_of(bodies.pictures, row, offsets)
    told = header(
        "model",
        model.name,
        summary=[
            ["model", model.name],
            *([["about", model.description]] if model.description else []),
            ["gravity", f"{', '.join(f'{g:.4g}' for g in model.gravity)} m/s²"],
            ["bodies", str(len(bodies.items))],
            ["other items", str(len(items))],
        ],
        warnings=[{"text": str(each), "time": None} for each in (*report.problems, *report.warnings)],
        notes=notes,
        times={"buffer": buffers.add(np.zeros(1), "f8")["buffer"], "count": 1},
        frames={"count": 1, "width": row.shape[1]},
        box=box,
        up=up_of(model.gravity),
        glyph_size=size,
        bodies=[picture.shifted(offset) for picture, offset in zip(bodies.pictures, offsets)],
        items=items,
    )
    return Scene(told, buffers, lambda first, count: row[first : first + count])
