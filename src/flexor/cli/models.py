"""Model files as the commands see them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import flexor as fx
from flexor.errors import ModelError, Problem


def load(file: Path) -> fx.Model:
    """The model in a file; ModelError with every mistake if it cannot be computed."""
    return fx.Model.load(file)


def examine(file: Path) -> tuple[Sequence[Problem], Sequence[Problem]]:
    """All mistakes and all warnings in a model file."""
    from flexor.model.file import read

    try:
        return (), read(file)[1].warnings
    except ModelError as error:
        return error.problems, ()


def facts(model: fx.Model) -> dict[str, object]:
    """A model in a few words: its name, gravity, and the names of its items by kind."""
    told: dict[str, object] = {"name": model.name, "gravity": list(model.gravity), "items": names_by_kind(model)}
    return {**told, "components": components(model)} if model.source else told


def components(model: fx.Model) -> dict[str, str]:
    """The instances of components in a model, also those inside others, by dotted names, and what each is an instance of."""
    found: dict[str, str] = {}

    def look(members: Sequence[object], within: str) -> None:
        for item in members:
            if isinstance(item, fx.Instance):
                found[f"{within}{item.name}"] = item.use.name
                look(item.use.items, f"{within}{item.name}.")

    look(model.source, "")
    return found


def names_by_kind(model: fx.Model) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for item in model.items:
        kinds.setdefault(item.type, []).append(item.name)
    return kinds
