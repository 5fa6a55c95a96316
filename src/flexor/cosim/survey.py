"""What all components of a meta-model have at their interfaces: told by the meta-model, by Flexor models themselves, or asked for."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from flexor.cosim.component.mobility import inertias
from flexor.cosim.meta_model import MetaModel, SubModel
from flexor.cosim.preflight import Inertia
from flexor.cosim.probe import probe as ask
from flexor.errors import FlexorError
from flexor.model import Model


def survey(model: MetaModel, folder: Path, probe: bool, tell: Callable[[str], None]) -> dict[str, Inertia]:
    """Inertia by component.interface, as far as it can be found.   probe: whether foreign programs are started for a test."""
    found: dict[str, Inertia] = {}
    for sub in model.sub_models:
        if all(point.mass is not None for point in sub.interface_points):
            continue
        try:
            if _is_flexor(sub):
                found |= _of_flexor(sub, folder)
            elif probe and sub.start_command:
                with tempfile.TemporaryDirectory() as out:
                    found |= ask(model, sub.name, folder, Path(out))
            else:
                tell(f"component '{sub.name}': its mass is not known; declare Mass at its interface points")
        except FlexorError as error:
            tell(f"component '{sub.name}': its mass could not be found: {error}")
    return found


def _is_flexor(sub: SubModel) -> bool:
    return sub.model_file is not None and "flexor" in sub.start_command and "component" in sub.start_command.split()


def _of_flexor(sub: SubModel, folder: Path) -> dict[str, Inertia]:
    assert sub.model_file is not None
    words = sub.start_command.split()
    given = [words[i + 1] for i, word in enumerate(words[:-1]) if word == "--interface"]
    markers = dict(each.split("=", 1) for each in given if "=" in each)
    points = {point.name: markers.get(point.name, point.name) for point in sub.interface_points}
    known = inertias(Model.load(folder / sub.model_file), set(points.values()))
    return {f"{sub.name}.{name}": known[marker] for name, marker in points.items()}
