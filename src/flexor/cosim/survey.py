"""What all components of a meta-model have at their interfaces: told by the meta-model, by Flexor models themselves, or asked for."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from flexor.cosim.component.flexor_model import markers_of
from flexor.cosim.component.fmu import is_mapping
from flexor.cosim.component.mobility import at_start
from flexor.cosim.meta_model import MetaModel, SubModel
from flexor.cosim.preflight import Inertia
from flexor.cosim.probe import probe as ask
from flexor.cosim.tlm.fit import misfits
from flexor.errors import FlexorError, Problem
from flexor.mistakes import suggestion
from flexor.model import Model


@dataclass(frozen=True)
class Survey:
    """What was found, by component.interface."""

    inertias: dict[str, Inertia] = field(default_factory=dict)
    starts: dict[str, list[float]] = field(default_factory=dict)
    """Samples at the start, without waves, of Flexor models."""
    problems: list[Problem] = field(default_factory=list)
    """Flexor models that could not take part."""


def survey(model: MetaModel, folder: Path, probe: bool, tell: Callable[[str], None]) -> Survey:
    """As far as it can be found.   probe: whether foreign programs are started for a test."""
    found = Survey()
    for sub in model.sub_models:
        if _is_flexor(sub, folder):
            try:
                _of_flexor(sub, folder, found)
            except FlexorError as error:
                found.problems.append(Problem(sub.called(sub.name), f"its model cannot be used: {error}"))
        elif all(point.mass is not None for point in sub.interface_points):
            continue
        elif probe and sub.start_command:
            try:
                with tempfile.TemporaryDirectory() as out:
                    found.inertias.update(ask(model, sub.name, folder, Path(out)))
            except FlexorError as error:
                tell(f"component '{sub.name}': its mass could not be found: {error}")
        else:
            tell(f"component '{sub.name}': its mass is not known; declare Mass at its interface points")
    found.problems.extend(misfits(model, found.starts))
    return found


def _is_flexor(sub: SubModel, folder: Path) -> bool:
    flexor = sub.model_file is not None and "flexor" in sub.start_command and "component" in sub.start_command.split()
    return flexor and not is_mapping(_file(sub, folder))


def _file(sub: SubModel, folder: Path) -> Path:
    assert sub.model_file is not None
    return folder / sub.model_file


def _of_flexor(sub: SubModel, folder: Path, found: Survey) -> None:
    words = shlex.split(sub.start_command)
    given = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--interface"]
    markers = dict(each.split("=", 1) for each in given if "=" in each)
    part = Model.load(_file(sub, folder))
    known = markers_of(part)
    for point in sub.interface_points:
        marker, where = markers.get(point.name, point.name), sub.called(sub.name)
        if marker not in known:
            fix = suggestion(marker, known, "it has")
            found.problems.append(Problem(where, f"its model has no body or marker '{marker}'", "", fix))
        elif point.dimensions != 3:
            what, why = f"its interface '{point.name}' has one dimension", "markers of a Flexor model move in space"
            found.problems.append(Problem(where, what, why, "make it one of three dimensions"))
        else:
            inertia, start = at_start(part, marker)
            found.inertias[f"{sub.name}.{point.name}"] = inertia
            found.starts[f"{sub.name}.{point.name}"] = start
