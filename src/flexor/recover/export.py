"""The moving, deforming body with its stress as a series of VTU files for ParaView."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import numpy as np

from flexor.errors import FileError, ModelError, Problem
from flexor.io.vtu import write_pvd, write_vtu
from flexor.mistakes import suggestion
from flexor.recover.history import BodyHistory
from flexor.recover.lost_stress import warn_of_lost_stress
from flexor.recover.measures import MEASURES, measure_of
from flexor.recover.sites import mesh_of, sites_of

FIELDS = ("displacement", "rotation", "stress", "strain", *MEASURES, *(f"strain_{name}" for name in MEASURES))
"""Fields that can be written: vectors, tensors of six components, and measures of stress and strain."""


class VtuOptions(TypedDict, total=False):
    """Options of `export_vtu`."""

    every: int
    fields: Sequence[str]
    exaggeration: float
    moving: bool
    surface: str
    relative_to: str | None


def export_vtu(
    history: BodyHistory,
    folder: str | Path,
    *,
    every: int = 1,
    fields: Sequence[str] = ("displacement", "von_mises"),
    exaggeration: float = 1.0,
    moving: bool = True,
    surface: str = "top",
    relative_to: str | None = None,
) -> Path:
    """Write every n-th recorded row as a VTU file and a .pvd that plays them; returns its path.

    fields: names of `FIELDS`; displacement and rotation against the body frame in its axes, not exaggerated.
    exaggeration: factor of the deformation shown.   moving: in global axes; else in those of the body.
    surface: of shells.   relative_to: an interface that takes the place of the body frame in all this.
    """
    for name in fields:
        if name not in FIELDS:
            raise ModelError(
                Problem("export", f"there is no field '{name}'", "", suggestion(name, FIELDS, "there are"))
            )
    if every < 1:
        raise ModelError(Problem("export", f"every = {every} writes nothing", "it counts rows", "1, 2, …"))
    reduced, mesh = history.reduced, mesh_of(history.reduced)
    wanted = {_quantity(name) for name in fields} - {""}
    if wanted:
        warn_of_lost_stress(history)
    sites = {quantity: sites_of(history, quantity, "nodes", surface) for quantity in wanted}
    folder = Path(folder)
    files: list[Path] = []
    times: list[float] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for row in range(0, len(history), every):
            u, z = history.deformed(row, relative_to), history.z[row]
            tensors = {}
            for quantity, places in sites.items():
                tensors[quantity] = np.full((places.count, 6), np.nan)
                tensors[quantity][places.rows] = places.modes.field(z)
            data = {name: _values(name, u, tensors) for name in fields}
            still = reduced.nodes + exaggeration * u[:, :3]
            points = history.points(row, exaggeration, relative_to) if moving else still
            file = folder / f"{file_name(reduced.name)}_{len(files):05d}.vtu"
            files.append(write_vtu(file, mesh, data, displacement=points - mesh.points))
            times.append(float(history.times[row]))
        return write_pvd(folder / f"{file_name(reduced.name)}.pvd", times, files)
    except OSError as error:
        fix = "choose another folder or free some space"
        raise FileError(Problem(str(folder), "cannot be written", str(error.strerror), fix)) from None


def _quantity(field: str) -> str:
    if field in ("displacement", "rotation"):
        return ""
    return "strain" if field.startswith("strain") else "stress"


def _values(field: str, u: np.ndarray, tensors: dict[str, np.ndarray]) -> np.ndarray:
    if field in ("displacement", "rotation"):
        return u[:, :3] if field == "displacement" else u[:, 3:]
    quantity = _quantity(field)
    tensor = tensors[quantity]
    return tensor if field == quantity else measure_of(field.removeprefix("strain_"), quantity)(tensor)


def file_name(body: str) -> str:
    """A name of a file for a body."""
    return "".join(c if c.isalnum() or c in "-_" else "_" for c in body) or "body"
