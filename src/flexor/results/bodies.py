"""Bodies that deform in results: their deformation, stress and section forces over time, from the recorded signals."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies import Beam, DeformableBody
from flexor.errors import FileError, ModelError, Problem
from flexor.io.file_mark import FileMark, difference
from flexor.mistakes import suggestion

if TYPE_CHECKING:
    from flexor.model import Model
    from flexor.recover import BodyHistory, LineForces, SectionForces
    from flexor.recover.from_signals import Signals


FAINT = 1e-6
"""Deformation, in parts of the largest, that tells nothing but rounding."""


def refuse_no_gauge(gauge: object) -> None:
    """ModelError for what is no strain gauge."""
    from flexor.recover import StrainGauge  # loads recovery

    if not isinstance(gauge, StrainGauge):
        what, why = f"{gauge!r:.60} is no strain gauge", "it says where and in which direction strain is read"
        fix = 'write e.g. fx.StrainGauge("g", "rod", at=(0.1, 0, 0), direction="x")'
        raise ModelError(Problem("gauge", what, why, fix))


def body_history(model: Model, signals: Signals, name: str, told: set[str]) -> BodyHistory:
    """What recovery needs of a flexible body: its frame and coordinates at all recorded times.

    In every formulation: a rigid one has neither displacement nor stress, a whole mesh the strain of each element.
    signals: a Run, or values by name, "time" among them.   told: bodies about which a warning was given.
    """
    from flexor.recover import history_of_body  # loads recovery

    return history_of_body(_flexible(model, name), signals, model.gravity, told)


def files_of(model: Model) -> dict[str, FileMark]:
    """Marks of the files that its flexible bodies were made of, as they were when they were read."""
    return {path: mark for item in model.items for path, mark in getattr(item, "files", {}).items()}


def functions_in_motion(history: BodyHistory, threshold: float) -> tuple[str, ...]:
    """Names of the shape functions that its deformation needs at any time.   NAK 7.5, trial simulation"""
    from flexor.bodies.shape_body.characteristic_set import needed  # loads SciPy
    from flexor.bodies.shape_body.shaped import ShapedBody  # loads SciPy

    reduced = history.reduced
    if not isinstance(reduced, ShapedBody):
        what, why = "it is no body of shape functions", "others have modes of a mesh"
        raise ModelError(Problem(f"body '{reduced.name}'", what, why, "leave out modes of a mesh by its reduction"))
    if not 0 < threshold < 1:
        what, why = f"threshold = {threshold:g} is no share", "it is the part of a deformation that may be lost"
        raise ModelError(Problem(f"body '{reduced.name}'", what, why, "give one between 0 and 1, e.g. 0.01"))
    size = np.linalg.norm(history.z, axis=1)
    moved = size > FAINT * size.max(initial=0.0)
    if not moved.any():
        what, why = "the trial did not deform it", "functions are needed for deformations"
        raise ModelError(Problem(f"body '{reduced.name}'", what, why, "load it in the trial as in the run to come"))
    used = needed(reduced.states @ history.z[moved].T, threshold)
    return tuple(name for name, own in zip(reduced.names, used) if own)


def refuse_changed(files: Mapping[str, tuple[int, int] | list[int]], run: str) -> None:
    """FileError if a mesh or reduced body is not what the run was computed with. files: length and check-sum by path."""
    problems = []
    for path, (length, checksum) in files.items():
        try:
            differs = difference(Path(path), FileMark(length, checksum))
        except OSError:
            continue  # that it is not there is said by who reads it
        if differs:
            what, why = f"is not the file that {run} was computed with", f"{differs}: its stress would be another"
            fix = "restore the file, or run the model again; fx.Run(file, verify=False) takes the file as it is now"
            problems.append(Problem(path, what, why, fix))
    if problems:
        raise FileError(problems)


def forces_in_sections(model: Model, signals: Signals, name: str, told: set[str]) -> LineForces | SectionForces:
    """Of a beam (`fx.Beam`), or of the beam elements in the mesh of a flexible body."""
    from flexor.recover import line_forces, section_forces  # loads recovery
    from flexor.recover.beam_line import held_nodes  # loads recovery

    if name in model and isinstance(model[name], Beam):
        beam = model[name]
        return line_forces(beam, signals, held_nodes(beam, model.items))
    return section_forces(body_history(model, signals, name, told))


def one_row(signals: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Signals of one position as a history of one row."""
    return {"time": np.zeros(1), **{name: np.array([value]) for name, value in signals.items()}}


def _flexible(model: Model, name: str) -> DeformableBody:
    if name in model and isinstance(model[name], Beam):
        from flexor.recover.beam_line import SIGNALS  # loads recovery

        what, why = "a beam has no mesh in which stress is recovered", "it has section forces"
        fix = f"""section_forces("{name}").at("120 mm"), or signals such as "{name}.element 1.{SIGNALS[0]}\""""
        raise ModelError(Problem(f"beam '{name}'", what, why, f"{fix}, …{', …'.join(SIGNALS[1:])}"))
    known = {item.name: item for item in model.items if isinstance(item, DeformableBody)}
    if not isinstance(name, str) or name not in known:
        what = "it does not deform" if name in model else "there is no such body"
        fix = suggestion(name, known, "flexible bodies are") or "the model has no flexible body"
        raise ModelError(Problem(f"body '{name}'", what, "", fix))
    return known[name]
