"""How declarations are shown, a short table of what was given; and values over time, in a line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from pydantic import BaseModel

LONGEST = 90
MOST_VALUES = 8


def given(declaration: BaseModel) -> Iterator[tuple[str, object]]:
    """(field, value) of all that is not its default, without the type."""
    for name, field in type(declaration).model_fields.items():
        if name != "type" and (field.is_required() or getattr(declaration, name) != field.get_default()):
            yield name, getattr(declaration, name)


def in_short(value: object) -> str:
    """A value in a line: numbers with six digits, names of what a table holds, at most LONGEST signs."""
    if isinstance(value, float):
        text = f"{value:.6g}"
    elif isinstance(value, Mapping):
        text = ", ".join(map(str, value))
    elif isinstance(value, list | tuple) and len(value) > MOST_VALUES:
        text = f"{', '.join(map(in_short, value[:3]))}, … ({len(value)} of them)"
    elif isinstance(value, list | tuple):
        text = f"({', '.join(map(in_short, value))})"
    else:
        text = str(value) if "\n" not in str(value) else repr(value)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def counted(number: int, what: str) -> str:
    """`1 item`, `3 items`"""
    return f"{number} {what}{'' if number == 1 else 'es' if what.endswith('ss') else 's'}"


def table(title: str, rows: list[tuple[str, str]]) -> str:
    """A title, and a line for each row, in two columns."""
    width = max((len(name) for name, _ in rows), default=0)
    return "\n".join([title, *(f"  {name:{width}}  {text}".rstrip() for name, text in rows)])


def over_time(name: str, values: np.ndarray, time: np.ndarray, unit: str) -> str:
    """Values over time in one line: how many, when, and between what bounds."""
    if len(values) == 0:
        return f"{name}: no values"
    if len(values) == 1 and values.size <= 12:  # of a position: the numbers themselves
        return f"{name}: {', '.join(number(value) for value in values.ravel())} {unit}".rstrip()
    of = f" × {values.shape[1]}" if values.ndim > 1 else ""
    spans = f"{number(time[0])} … {number(time[-1])} s"
    return f"{name}: {len(values)} values{of}, {spans}, {number(values.min())} … {number(values.max())} {unit}".rstrip()


def number(value: float) -> str:
    """Three digits, or all before the point."""
    text = f"{value:.0f}" if 1e3 <= abs(value) < 1e6 else f"{value:.3g}"
    return text.replace("-", "−")
