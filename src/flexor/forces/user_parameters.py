"""From what the user gives by name to the record of a law's parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np

from flexor.bodies.marker import MarkerRef, Site
from flexor.coordinates.frames import Frame
from flexor.errors import ModelError, Problem, UnitError
from flexor.functions import Function
from flexor.functions.any_function import as_function
from flexor.functions.call import Call
from flexor.functions.call import packed as packed_call
from flexor.law import Law
from flexor.law.record import Field, Packed, Record
from flexor.units import Measured, Quantity, measured


def check_names(record: type[Record], given: list[str], markers: int) -> None:
    """Refuse what the record does not have or lacks; its frames are the markers."""
    title = record.__name__
    frames = sum(field.record is Frame for field in record.FIELDS)
    if frames and frames != markers:
        raise ValueError(f"its {title} has {frames} frames, but on names {markers} markers; name one for each")
    wanted = {field.name: field for field in record.FIELDS if field.record is not Frame}
    unknown = [name for name in given if name not in wanted]
    if unknown:
        raise ValueError(f"its {title} has no '{unknown[0]}'; it has {', '.join(wanted) or 'nothing'}")
    missing = [f"{name} ({field.words})" for name, field in wanted.items() if name not in given]
    if missing:
        raise ValueError(f"its {title} needs parameters={{…}} with {', '.join(missing)}")


def check_places(name: str, record: type[Record], refs: tuple[MarkerRef, ...], sites: tuple[Site, ...]) -> None:
    """Refuse points beside the nodes, and axes of their own, where the record has no frames to tell the law of them."""
    if any(field.record is Frame for field in record.FIELDS):
        return
    for ref, site in zip(refs, sites, strict=True):
        asked = ref.at is not None or ref.marker is not None or ref.orientation is not None
        if asked and (np.any(site.p_NM) or not np.array_equal(site.R_NM, np.eye(3))):
            what = f"its law would not know of {ref}: its {record.__name__} has no frames"
            fix = f"add a = nested(Frame, …) to {record.__name__} for each marker, or put it on {ref.body}"
            raise ModelError(Problem(f"user law '{name}'", what, "it would act at the node instead", fix))


def check_memory(law: Law, given: int) -> None:
    """Refuse initial values that are not those of the law's history."""
    words, told = (0, "nothing") if law.history is None else (law.history.WORDS, "; ".join(law.history.described()))
    if given != words:
        raise ValueError(f"its law remembers {told}; give history with {words} values, not {given}")


def packed(record: type[Record], values: Mapping[str, object], markers: list[tuple[np.ndarray, np.ndarray]]) -> Packed:
    """The record with the user's values; its frames are the markers (position and axes in the node) in order."""
    frames = iter(markers)
    filled: dict[str, object] = {}
    for field in record.FIELDS:
        if field.record is Frame:
            p, R = next(frames)
            filled[field.name] = Frame.pack(p=p, R=R)
            continue
        try:
            filled[field.name] = _value(field, values[field.name])
        except (ValueError, TypeError) as error:
            raise ValueError(f"parameter {field.name} ({field.words}): {error}") from error
    return record.pack(**filled)


def _value(field: Field, value: object) -> Packed | np.ndarray:
    """What `Record.pack` takes: functions packed, values with units in SI. What is packed already stays as it is."""
    if isinstance(value, Packed):
        return value
    if field.record is Call:
        return packed_call(None if value is None else as_function(cast("Function | Quantity", value)))
    if field.record is not None:
        return packed(field.record, cast("Mapping[str, object]", value), [])
    numbers = np.array([_number(field, each) for each in np.ravel(np.array(value, dtype=object))], dtype=float)
    if field.fixed is not None and len(numbers) != field.fixed:
        raise ValueError(f"it takes {field.fixed} numbers, not {len(numbers)}")
    return numbers


def _number(field: Field, value: Quantity) -> float:
    found = measured(value)
    if isinstance(found, Measured) and field.unit:
        unit = measured(f"1 {field.unit}")
        problem = unit.dimension.refusal(found.text) if isinstance(unit, Measured) else None
        if problem is not None:
            raise UnitError(problem)
    return float(found)
