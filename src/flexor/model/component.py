"""Component: a reusable part of a model with named ports and parameters; Instance: where a model, or another component, uses it.

A model with instances is expanded when it is made (`flexor.model.expand`): its items are those of all components, by dotted names. What computes knows
nothing of components.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, Union, cast

from pydantic import (
    Field,
    PrivateAttr,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_serializer,
    field_validator,
    model_serializer,
)

from flexor.bodies import MarkerRef
from flexor.declaration import Declaration, Item, Point, Rotation
from flexor.model.items import IN_PYTHON
from flexor.model.one_of import OneOf

Place = Callable[[tuple[str | int, ...]], str]
"""File and line of a field of an item, by the path of the field."""

PLAIN = r"^[^.\s][^.]*$"
"""Pattern of a name without dots."""


class Instance(Item):
    """A component in its place: all its items stand in the model, called by the name of the instance and a dot: front_left.spring.

    Without position and orientation the component stands as it was drawn; with one of them all that it has in global axes
    counts from there. Ports are attached to by name, front_left["hub"] or front_left.hub in a file.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "use")
    noun: ClassVar[str] = "component"
    type: Literal["instance"] = "instance"
    name: str = Field(description="Unique name of the instance.", min_length=1, pattern=PLAIN)
    use: Component = Field(
        description="The component; in a file the name of its file, seen from the folder of this one."
    )
    position: Point | None = Field(None, description="Where the origin of the component is, global [m].")
    orientation: Rotation | None = Field(None, description="How its axes are turned.")
    values: dict[str, Any] = Field(
        {},
        description="Parameters of the component, or fields inside it, that have other values here: {spring.stiffness: 30 kN/m}.",
    )

    @field_validator("use", mode="before", json_schema_input_type=Union[str, "Component"])
    @classmethod
    def _from_file(cls, given: object, info: ValidationInfo) -> object:
        if not isinstance(given, str | Path):
            return given
        from flexor.model.library import Library

        folder = Path((info.context or {}).get("folder", "."))
        return Library().read(str(given), folder)

    @model_serializer(mode="wrap")
    def _file_or_contents(self, write: SerializerFunctionWrapHandler) -> object:
        data = {"type": self.type, **write(self)}
        return {**data, "use": self.use.file} if self.use.file else data

    def __getitem__(self, port: str) -> MarkerRef:
        """One of the ports of the component, or a marker inside it: front_left["arm.tip"]."""
        return MarkerRef(body=self.name, marker=port)

    @property
    def files(self) -> dict[str, Any]:
        """Files that its items name."""
        return {path: mark for item in self.use.items for path, mark in getattr(item, "files", {}).items()}


if TYPE_CHECKING:
    AnyMember = Item
else:
    AnyMember = Annotated[Union[(*IN_PYTHON, Instance)], OneOf((*IN_PYTHON, Instance))]


class Component(Declaration):
    """A reusable part of a model: bodies, joints, forces and other components, with named ports and parameters.

    It is complete by itself: every field has a value, and a parameter names the fields that it changes.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "items")
    name: str = Field(description="What it is called.", min_length=1)
    description: str = Field("", description="What it is about, in a sentence or two.")
    items: tuple[AnyMember, ...] = Field(
        (), description="Bodies, joints, motors, forces and instances of other components."
    )
    ports: dict[str, MarkerRef] = Field(
        {}, description="Where others attach to it, by name: {hub: wheel.centre, top: strut.top}."
    )
    parameters: dict[str, tuple[str, ...]] = Field(
        {}, description="Values to choose, by name, each with the fields that it sets: {stiffness: spring.stiffness}."
    )
    _file: str = PrivateAttr("")
    _places: dict[str, Place] = PrivateAttr(default_factory=dict)

    @field_validator("parameters", mode="before", json_schema_input_type=dict[str, str | tuple[str, ...]])
    @classmethod
    def _one_field(cls, given: object) -> object:
        if not isinstance(given, dict):
            return given
        return {name: (fields,) if isinstance(fields, str) else fields for name, fields in given.items()}

    @field_serializer("parameters")
    def _short(self, parameters: dict[str, tuple[str, ...]]) -> dict[str, str | list[str]]:
        return {name: fields[0] if len(fields) == 1 else list(fields) for name, fields in parameters.items()}

    def __eq__(self, other: object) -> bool:
        """Whether it is the same, wherever it was read from."""
        return isinstance(other, Component) and self._contents == other._contents

    def __hash__(self) -> int:
        return hash((self.name, self.items))

    @property
    def _contents(self) -> tuple[object, ...]:
        return (self.name, self.description, self.items, self.ports, self.parameters)

    def at(self, item: str, field: tuple[str | int, ...]) -> str:
        """File and line of a field of one of its items; nothing of a component that is made in Python."""
        place = self._places.get(item)
        return "" if place is None else place(field)

    @property
    def file(self) -> str:
        """The file that it was read from; empty of one that is made in Python, or changed."""
        return self._file

    def of_file(self, file: str, places: dict[str, Place]) -> Self:
        """The same component, as one that stands in a file. places: lines of its items, by their names."""
        found = self.model_copy()
        found._file, found._places = file, places
        return found

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a component from a .yaml or .json file."""
        from flexor.model.library import Library

        path = Path(path)
        return cast("Self", Library([path.parent]).read(path.name, path.parent))

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the component to a .yaml or .json file; an existing file is replaced only if `overwrite` is true."""
        from flexor.model.file import write_component

        return write_component(self, path, overwrite=overwrite)


Instance.model_rebuild()
Instance.__pydantic_init_subclass__()  # its signature, now that its fields are known


def with_files(
    members: tuple[Item, ...], change: Callable[[str], str], kept: Callable[[str], str] = lambda file: ""
) -> tuple[Item, ...]:
    """Items that name their mesh files by other paths.

    kept: another path of the file of a component; where it is empty, the component stands there with its items in the place of its file.
    """
    found: list[Item] = []
    for item in members:
        if isinstance(item, Instance):
            file = kept(item.use.file) if item.use.file else ""
            items = item.use.items if file else with_files(item.use.items, change, kept)
            found.append(item.replace(use=item.use.replace(items=items).of_file(file, {})))
            continue
        named = {key: getattr(item, key, None) for key in ("mesh", "reduced_body")}
        named = {key: change(value) for key, value in named.items() if isinstance(value, str)}
        found.append(item.replace(**named) if named else item)
    return tuple(found)
