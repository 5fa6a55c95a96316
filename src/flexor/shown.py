"""How declarations are shown: a short table of what was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
