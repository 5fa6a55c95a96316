"""Files of components: `use: suspension.yaml`, seen from the folder of the file that says so.

A component is sought beside the file that names it, then in the folders of libraries. It has to lie in the folder of the model, or below, or in one of these:
a model from elsewhere reads no other files. Libraries are named by who loads the model, `Model.load(path, libraries=["parts"])`, or in the
environment variable FLEXOR_LIBRARIES.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from flexor.declaration import Item
from flexor.errors import MOST_SHOWN, ComponentError, FileError, Problem
from flexor.mistakes import problems_of, suggestion
from flexor.model.component import Component, Instance, Place
from flexor.model.file import given_twice, item_of, listed, model_files, text_of
from flexor.model.markup import Document, read_markup

VARIABLE = "FLEXOR_LIBRARIES"


class Library:
    """Reads components, each file once.   folders: of libraries, beside those of FLEXOR_LIBRARIES.   root: folder of the model."""

    def __init__(self, folders: Sequence[str | Path] = (), root: str | Path | None = None) -> None:
        named = [each for each in os.environ.get(VARIABLE, "").split(os.pathsep) if each]
        self.folders = [Path(each).expanduser() for each in (*folders, *named)]
        self.root = root
        self._made: dict[Path, Component | None] = {}
        self._reading: list[Path] = []

    def read(self, use: str, folder: Path) -> Component:
        """The component in a file, seen from a folder; ComponentError with all mistakes in it."""
        try:
            component = self._of_file(self.find(use, folder))
        except FileError as error:
            raise ComponentError(error.problems) from None
        assert component is not None  # a first reading tells its mistakes
        return component

    def find(self, use: str, folder: Path) -> Path:
        """The file that is meant; FileError if it is not there, or not where components may be."""
        allowed = [Path(each).resolve() for each in (self.root or folder, *self.folders)]
        outside = None
        for base in (folder, *self.folders):
            try:
                file = (base / use).resolve()
                there = file.is_file()
            except (OSError, ValueError):  # a loop of links, a NUL
                continue
            if not any(file.is_relative_to(each) for each in allowed):
                outside = file
            elif there:
                return base / use
        if outside is not None:
            why = "components are read from the folder of the model and from libraries only"
            fix = (
                f'copy it there, or allow its folder: Model.load(…, libraries=["{outside.parent.name}"]) or {VARIABLE}'
            )
            raise FileError(Problem(f"use: {use}", "leads out of the folder", why, fix))
        fix = suggestion(use, model_files(folder), "there are") or "check name and folder"
        raise FileError(Problem(f"use: {use}", "there is no such file", "", fix))

    def instance(
        self,
        entry: Mapping[str, Any],
        path: tuple[str | int, ...],
        document: Document,
        context: dict[str, Any],
        most: int,
    ) -> Instance | list[Problem]:
        """An instance that stands in a file, or what is wrong with it and with its component."""
        use = entry.get("use")
        called = Instance.called(entry.get("name"))
        made: Component | None
        try:
            if isinstance(use, str):
                made = self._of_file(self.find(use, Path(context["folder"])))
            elif isinstance(use, dict):
                made = self._of_entry(document, (*path, "use"), context)
            else:
                what = "use is missing" if use is None else "use is neither a file nor a component"
                fix = "name the file of its component: use: corner.yaml"
                return [Problem(called, what, "", fix, document.at((*path, "use")))]
        except ComponentError as error:
            return list(error.problems)
        except FileError as error:
            at = document.at((*path, "use"))
            return [Problem(called, f"{p.where} {p.what}", p.why, p.fix, p.source or at) for p in error.problems]
        if made is None:
            return []  # told before
        try:
            return Instance.model_validate({**entry, "use": made}, context=context)
        except ValidationError as error:
            return problems_of(error, called, Instance, lambda field: document.at((*path, *field)), most)

    def _of_file(self, file: Path) -> Component | None:
        """None: its mistakes were told before."""
        known = file.resolve()
        if known in self._reading:
            ring = " → ".join(each.name for each in [*self._reading[self._reading.index(known) :], known])
            raise FileError(
                Problem(f"use: {file.name}", "it uses itself", ring, "let one of them do without the other")
            )
        if known not in self._made:
            self._made[known] = None
            self._reading.append(known)
            try:
                text, kind = text_of(file, "component file")
                document = read_markup(text, str(file), json_text=kind == "json")
                made = self._of_entry(document, (), {"folder": file.parent, "library": self}, str(file))
            finally:
                self._reading.pop()
            self._made[known] = made
        return self._made[known]

    def _of_entry(
        self, document: Document, at: tuple[str | int, ...], context: dict[str, Any], file: str = ""
    ) -> Component:
        """The component that stands at a place of a document."""
        data: Any = document.root.data
        for part in at:
            data = data[part]
        if not isinstance(data, dict):
            why, fix = "a component begins with its name", "write name: corner, then ports: and items:"
            raise ComponentError(Problem(file, "it is no component", why, fix, document.at(at)))
        problems = given_twice(document) if not at else []
        called = Component.called(data.get("name"))
        header = {key: value for key, value in data.items() if key != "items"}
        if "gravity" in header:
            header.pop("gravity")
            why, fix = "gravity is that of the model", "leave it out"
            problems.append(Problem(called, "it has a gravity of its own", why, fix, document.at((*at, "gravity"))))
        try:
            Component.model_validate({**header, "items": ()}, context=context)
        except ValidationError as error:
            problems += problems_of(error, called, Component, lambda field: document.at((*at, *field)))
        items: list[Item] = []
        places: dict[str, Place] = {"": lambda field: document.at((*at, *field))}
        for path, entry in self._entries(data, at, document, called, problems):
            found = item_of(entry, path, document, context, MOST_SHOWN - len(problems))
            if isinstance(found, Item):
                items.append(found)
                places.setdefault(found.name, _place(document, path))
            else:
                problems += found
                if not found:
                    raise ComponentError(problems) if problems else _Told
        if problems:
            raise ComponentError(problems)
        return Component.model_validate({**header, "items": items}, context=context).of_file(file, places)

    def _entries(
        self, data: dict[str, Any], at: tuple[str | int, ...], document: Document, called: str, problems: list[Problem]
    ) -> Iterator[tuple[tuple[str | int, ...], object]]:
        given = data.get("items")
        if not listed(given):
            what, fix = "items is no list", "write each item as - type: …"
            problems.append(Problem(called, what, "", fix, document.at((*at, "items"))))
            return
        yield from (((*at, "items", number), entry) for number, entry in enumerate(given or ()))


_Told = ComponentError([])
"""A component that uses one whose mistakes were told before."""


def _place(document: Document, path: tuple[str | int, ...]) -> Place:
    return lambda field: document.at((*path, *field))
