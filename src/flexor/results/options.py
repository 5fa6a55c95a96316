"""What an analysis may be asked: its true signature and the meaning of each option, for `help()` and the manual.

`model.dynamics(until, step, *, file, …, error, output, …)`: some options belong to the results, the others to the solver.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Collection
from typing import Any, get_type_hints

from pydantic.fields import FieldInfo

from flexor.declaration import taken
from flexor.results import analyses
from flexor.results.arguments import OF_MOTION, solver_of
from flexor.solve.settings import DynamicsSettings

ANALYSES = (
    "dynamics",
    "prepare",
    "statics",
    "modes",
    "campbell",
    "frequency_response",
    "spectral_response",
    "state_space",
    "harmonic_motion",
    "harmonic_balance",
    "kinematics",
)
INTERNAL = ("model", "sink", "progress", "restart", "settings", "stepper", "exchange")
"""Parameters of solvers that are not for the user."""
REFUSED = {"prepare": ("accuracy", "solver", "stabilise", "coordinates", "threads")}
"""Settings that an analysis refuses, by name: those of other solvers, and of runs with several step lengths."""
COMMON = {
    "path": "the file.",
    "format": "kind of the file, if neither its suffix nor its content tells.",
    "count": "how many modes, from the lowest frequency.",
    "axis": 'direction of the axis, e.g. "z".',
    "about": "a point of the axis of rotation [m].",
    "time": "at which functions of time are taken [s].",
    "tolerance": "largest force left over, relative to the forces that act.",
    "file": "results file to write, readable at any moment; without it the results stay in memory.",
    "overwrite": "whether existing results may be replaced; files that are no results never are.",
    "compress": "smaller file by about a sixth, slower to write.",
    "digits": "significant digits of the signals that are kept, others are rounded away (times are not); with 7 a file is less than half as large.",
    "show": "None for a progress bar on a terminal (elsewhere a line every few seconds), False for none.",
    "record": "names of the objects to record; all if left out.",
    "python": "the laws run as plain Python instead of being compiled, to look for a mistake in one of your own.",
}
"""Options of the same meaning in several places, told here where a docstring does not."""
_Parameter = inspect.Parameter


def signature(analysis: str) -> inspect.Signature:
    """Of a method of `Model`, with the type of every option and of what it returns."""
    hints, hints_of_solver = _hints(analysis), get_type_hints(solver_of(analysis))
    asked = inspect.signature(getattr(analyses, analysis)).parameters
    found = {name: each for name, each in asked.items() if name != "model" and each.kind is not each.VAR_KEYWORD}
    if analysis in OF_MOTION:
        for name, field in _settings(analysis):
            default = _Parameter.empty if field.is_required() else field.default
            found.setdefault(name, _Parameter(name, _Parameter.KEYWORD_ONLY, default=default))
            hints.setdefault(name, hints_of_solver.get(name, taken(DynamicsSettings, name)))
    for name, each in inspect.signature(solver_of(analysis)).parameters.items():
        if name not in INTERNAL:
            found.setdefault(name, each.replace(kind=_Parameter.KEYWORD_ONLY))
            hints.setdefault(name, hints_of_solver[name])
    first = _Parameter("self", _Parameter.POSITIONAL_OR_KEYWORD)
    typed = [each.replace(annotation=hints[name]) for name, each in found.items()]
    return inspect.Signature([first, *typed], return_annotation=hints["return"])


def _settings(analysis: str) -> list[tuple[str, FieldInfo]]:
    """Those of `DynamicsSettings` that an analysis takes."""
    refused = REFUSED.get(analysis, ())
    return [(name, field) for name, field in DynamicsSettings.model_fields.items() if name not in refused]


def description(analysis: str) -> str:
    """What it does, and every option."""
    parts = [inspect.getdoc(getattr(analyses, analysis)) or ""]
    if analysis in OF_MOTION:
        told = [f"    {name}: {field.description}" for name, field in _settings(analysis)]
        parts.append("Settings:\n\n" + "\n".join(told))
    else:
        parts.append(inspect.getdoc(solver_of(analysis)) or "")
    said = "\n\n".join(parts)
    names = set(signature(analysis).parameters)
    missing = [f"{name}: {text}" for name, text in COMMON.items() if name in names - set(meanings(said, names))]
    return "\n".join([said, "", *missing])


_NAMED = re.compile(r"(?:\A|\n|\s{2,})\s*((?:\w+, )*\w+): ")


def meanings(text: str, names: Collection[str]) -> dict[str, str]:
    """What a docstring says about each of these parameters: `name: text`, several of them apart by three blanks or a line."""
    found: dict[str, str] = {}
    for paragraph in re.split(r"\n\s*\n", text):
        marks = [mark for mark in _NAMED.finditer(paragraph) if set(mark[1].split(", ")) <= set(names)]
        ends = [*(mark.start() for mark in marks), len(paragraph)][1:]
        for mark, end in zip(marks, ends, strict=bool(marks)):
            for name in mark[1].split(", "):
                found[name] = " ".join(paragraph[mark.end() : end].split())
    return found


def _hints(analysis: str) -> dict[str, Any]:
    """Types of the arguments of an analysis; those that only some of them have are loaded for these alone."""
    if analysis in (*OF_MOTION, "kinematics"):
        return get_type_hints(getattr(analyses, analysis))
    from flexor.results.mode_shapes import ModeShapes
    from flexor.results.position import Position
    from flexor.results.vibration import Vibration
    from flexor.solve.frequency.inputs import Amplitude  # loads frequency response
    from flexor.solve.frequency.time_signals import Given  # loads frequency response

    names = {each.__name__: each for each in (ModeShapes, Position, Vibration)} | {
        "Amplitude": Amplitude,
        "Given": Given,
    }
    return get_type_hints(getattr(analyses, analysis), localns=names)
