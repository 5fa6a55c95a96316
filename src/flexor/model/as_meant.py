"""An item of a file that has mistakes, as it was probably meant: so that the mistakes of others are found in the same pass."""

from __future__ import annotations

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from flexor.declaration import Item
from flexor.mistakes import nearest
from flexor.model.items import KINDS

_ROUNDS = 4
_NEEDED = {"mass": 1.0}
"""Values for what is missing and concerns nobody else."""
_NAMING = ("name", "type", "markers", "points", "divisions")
"""Fields that say what others may refer to: wrong ones are not left out, or others would be blamed for it."""


def as_meant(entry: object, context: dict[str, object]) -> Item | None:
    """The item with its misspelt type and keys corrected and its wrong values left out; None if that is not enough.

    It stands for the item where others refer to it: its name, its markers, the variables of a joint.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str):
        return None
    kind = "" if entry.get("type") == "instance" else nearest(str(entry.get("type")), KINDS)
    if not kind or kind in ("flexible_body", "user_law"):  # a mesh is not read on a guess
        return None
    data = {**entry, "type": kind}
    for _ in range(_ROUNDS):
        try:
            return KINDS[kind].model_validate(data, context=context)
        except ValidationError as error:
            if not all(_mended(data, KINDS[kind], each) for each in error.errors(include_url=False)):
                return None
    return None


def _mended(data: dict[str, object], cls: type[Item], error: ErrorDetails) -> bool:
    """Change what an error complains about; whether that was possible."""
    key = str(error["loc"][0]) if error["loc"] else ""
    if key in _NEEDED and error["type"] == "missing":
        data[key] = _NEEDED[key]
        return True
    if key not in data or key in _NAMING:
        return False
    value = data.pop(key)
    near = nearest(str(key), [name for name in cls.model_fields if name not in data])
    if error["type"] == "extra_forbidden" and near:
        data[near] = value
    return True
