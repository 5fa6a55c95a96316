"""The model: bodies, joints, motors and forces under one name, the same object in Python and in a file."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MethodType
from typing import Any, ClassVar, Self, cast

from pydantic import ConfigDict, Field, PrivateAttr, field_validator, model_validator

from flexor.bodies import Body, MarkerRef
from flexor.declaration import Acceleration, Declaration, Item, has
from flexor.errors import ComponentError, ModelError, Problem
from flexor.mistakes import suggestion
from flexor.model.check import FIT_TOLERANCE, check
from flexor.model.component import AnyMember, Component, Instance, with_files
from flexor.model.expand import expand, found_marker, needs_expansion
from flexor.model.items import IN_PYTHON
from flexor.model.override import overridden
from flexor.model.report import Report
from flexor.shown import counted, in_short, table

MOST_ITEMS = 60
"""Lines of a printed model."""


def _about(item: Item) -> str:
    """Where an item attaches; of a body what it weighs or is made of."""
    refs = [
        str(getattr(item, key)) for key in ("a", "b", "on", "joint", "body") if getattr(item, key, None) is not None
    ]
    told = [" – ".join(refs)] if refs else []
    for key in ("mass", "mesh", "reduced_body", "section", "material"):
        if (not refs or key == "mass") and getattr(item, key, None) is not None:
            told.append(f"{key} {item.shown(key)}")
    return ", ".join(told)


class Analysis:
    """A method that computes; `help()` shows the options of the analysis itself, which are found when first asked for."""

    def __init__(self, method: Callable[..., object]) -> None:
        self.method = method

    def __get__(self, model: Model | None, owner: type[Model] | None = None) -> Callable[..., object]:
        method: Callable[..., object] = self._described if model is None else MethodType(self._described, model)
        return method

    @cached_property
    def _described(self) -> Callable[..., object]:
        options = importlib.import_module("flexor.results.options")
        method = functools.wraps(self.method)(lambda *args, **settings: self.method(*args, **settings))
        setattr(method, "__signature__", options.signature(self.method.__name__))  # noqa: B010
        method.__doc__ = options.description(self.method.__name__)
        return method


class Reports(dict[float, Report]):
    """What checks of a model found, by their tolerance: a model does not change, nor do its mistakes. It is no part of what the model is."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Reports)

    def __deepcopy__(self, memo: object) -> Reports:
        return Reports()

    __hash__ = None  # type: ignore[assignment]


class UnknownItem(ModelError, KeyError):
    """The model has no item of that name."""


class Model(Declaration):
    """A mechanism, declared item by item.

    The ground is always there. Gravity is zero unless it is given: (0, 0, -9.81) pulls along −z.
    """

    model_config = ConfigDict(ignored_types=(Analysis,))
    positional: ClassVar[tuple[str, ...]] = ("name", "items")
    name: str = Field(description="Name of the model, used for its result files.", min_length=1)
    description: str = Field("", description="What it is about, in a sentence or two.")
    gravity: Acceleration = Field(
        (0.0, 0.0, 0.0), description="Acceleration of gravity, global [m/s²]; none if left out."
    )
    items: tuple[AnyMember, ...] = Field(
        (), description="Bodies, joints, motors, forces and instances of components, in any order."
    )
    at_rest: tuple[AnyMember, ...] = Field(
        (),
        description="Joints, motors, springs and loads that act only while an equilibrium is sought, by statics or as the start of a "
        "run, and are gone as soon as it moves.",
    )

    _source: tuple[Item, ...] = PrivateAttr(())
    _checked: Reports = PrivateAttr(default_factory=lambda: Reports())

    @model_validator(mode="after")
    def _expand(self) -> Self:
        """Components become their items; attachments are found by dotted names."""
        if not needs_expansion((*self.items, *self.at_rest)):
            return self
        given = self.items
        found = expand((*given, *self.at_rest))
        if found.problems and any(isinstance(item, Instance) for item in given):
            raise ComponentError(found.problems)
        count = sum(origin < len(given) for origin in found.origin)
        self.__dict__["items"], self.__dict__["at_rest"] = tuple(found.items[:count]), tuple(found.items[count:])
        if any(isinstance(item, Instance) for item in given):
            self._source = given
        return self

    @property
    def source(self) -> tuple[Item, ...]:
        """Where there are components: the items as they were given, with instances; `items` are then those of all components, by dotted names."""
        return self._source

    @property
    def members(self) -> tuple[Item, ...]:
        """The items as they were given, with instances of components."""
        return self.source or self.items

    @field_validator("at_rest")
    @classmethod
    def _no_bodies(cls, items: tuple[Item, ...]) -> tuple[Item, ...]:
        for item in items:
            if isinstance(item, Body | Instance):
                raise ValueError(f"{item.called(item.name)} cannot come and go; put it among the items")
        return items

    # ---- looking at it

    def __repr__(self) -> str:
        return f"model '{self.name}': {counted(len(self.items), 'item')}"

    def __str__(self) -> str:
        """Its items, one in a line, with what they attach to."""
        pulled = [f"gravity {in_short(self.gravity)} m/s²"] if any(self.gravity) else []
        rows = [(f"{item.type.replace('_', ' ')} '{item.name}'", _about(item)) for item in self.items[:MOST_ITEMS]]
        held = [(f"at rest: {item.type.replace('_', ' ')} '{item.name}'", _about(item)) for item in self.at_rest]
        rest = len(self.items) - len(rows)
        more = [(f"and {rest} more", "")] if rest > 0 else []
        return table(", ".join([repr(self), *pulled]), [*rows, *more, *held])

    def __getitem__(self, name: str) -> Any:
        """The item of this name; raises UnknownItem, a KeyError, if there is none."""
        for item in (*self.items, *self.source):
            if item.name == name:
                return item
        fix = suggestion(str(name), [item.name for item in self.items], "its items are")
        raise UnknownItem(Problem(f"model '{self.name}'", f"it has no item {name!r}", "", fix))

    def __contains__(self, name: str) -> bool:
        return any(item.name == name for item in (*self.items, *self.source))

    @property
    def ports(self) -> dict[str, MarkerRef]:
        """Ports of the components in it, by dotted names, and the markers that they are."""
        return expand(self.source).ports

    def marker(self, ref: MarkerRef) -> MarkerRef:
        """An attachment by the body that it is on, where components make its name longer: front_left.arm.tip, or a port, front_left.hub."""
        bodies = {item.name for item in self.items if isinstance(item, Body)}
        return ref if ref.body in bodies or ref.marker is None else found_marker(ref, self.ports, bodies)

    def check(self, raise_errors: bool = True, tolerance: float = FIT_TOLERANCE) -> Report:
        """Look for mistakes, all of them at once, and raise ModelError if there are any.

        raise_errors=False only returns the report. Points of a joint count as meeting if they are no
        further apart than `tolerance` times the size of the model.
        """
        if tolerance not in self._checked or any(has(type(item), "files") for item in self.items):  # files may change
            self._checked[tolerance] = self._check(tolerance)
        report = self._checked[tolerance]
        if raise_errors:
            report.raise_errors()
        return report

    def _check(self, tolerance: float) -> Report:
        places = expand(self.source).places if self.source else []

        def source(number: int, path: tuple[str | int, ...]) -> str:
            return places[number](path) if number < len(places) else ""

        report = check(list(enumerate(self.items)), source, tolerance=tolerance, gravity=self.gravity)
        if self.at_rest:
            held = check(list(enumerate(self.resting().items)), source, tolerance=tolerance, gravity=self.gravity)
            report = report.with_resting(held, self.at_rest)
        return report

    # ---- changing it

    def with_item(self, *items: Declaration) -> Self:
        """A model with these items added; one of the same name is replaced where it stands."""
        new: dict[str, Item] = {}
        for item in items:
            if not isinstance(item, Item) or not isinstance(item, (*IN_PYTHON, Instance)):
                what = f"a {item.__name__ if isinstance(item, type) else type(item).__name__} is no item of a model"
                fix = "write e.g. with_item(RigidBody('arm', mass=1)), several separated by commas"
                raise ModelError(
                    Problem(f"model '{self.name}'", what, "items are bodies, joints, motors and forces", fix)
                )
            if item.name in new:
                raise ModelError(Problem(item.called(item.name), "it is given twice", "", "give each item once"))
            new[item.name] = item
        kept = [new.pop(item.name, item) for item in self._holding(list(new))]
        return self.replace(items=(*kept, *new.values()))

    def with_values(self, values: Mapping[str, object]) -> Self:
        """A model with other values of fields, by dotted names: {"front_left.spring.stiffness": "30 kN/m"}; parameters of components, and gravity, too."""
        own = {} if "gravity" in self else {name: value for name, value in values.items() if name == "gravity"}
        values = {name: value for name, value in values.items() if name not in own}
        whole = Component.model_construct(name=self.name, items=self.members, ports={}, parameters={})
        try:
            items = overridden(whole, values)
        except ModelError as error:
            where = f"model '{self.name}'"
            raise ModelError([Problem(where, f"{p.where}: {p.what}", p.why, p.fix) for p in error.problems]) from None
        return self.replace(items=items, **own)

    def _holding(self, names: Collection[str]) -> tuple[Item, ...]:
        """The members; all items one by one where an item inside a component is named."""
        inside = {item.name for item in self.items} - {item.name for item in self.members}
        return self.items if inside & {*names} else self.members

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """As pydantic has it; with other items it is no longer the model that the components were given to."""
        found = super().model_copy(update=update, deep=deep)
        if update and "items" in update:
            found._source = ()
        found._checked = Reports()
        return found

    def replace(self, **changes: object) -> Self:
        """The same model with some fields changed, validated again."""
        return super().replace(**{"items": self.members, **changes})

    def without(self, *names: str) -> Self:
        """A model without the items of these names."""
        for name in names:
            self[name]
        return self.replace(items=tuple(item for item in self._holding(names) if item.name not in names))

    def resting(self) -> Self:
        """The model as it is while an equilibrium is sought: what acts `at_rest` only stands among its items."""
        return self.replace(items=(*self.items, *self.at_rest), at_rest=()) if self.at_rest else self

    # ---- files

    def with_files(self, change: Callable[[str], str]) -> Self:
        """A model whose items name their mesh files by other paths; components stand in it with all their items."""
        return self.replace(items=with_files(self.members, change))

    @classmethod
    def load(cls, path: str | Path, libraries: Sequence[str | Path] = ()) -> Self:
        """Read a model from a .yaml or .json file and check it; every mistake is reported with its line.

        libraries: folders from which it may use components, beside its own and those named in FLEXOR_LIBRARIES.
        """
        from flexor.model.file import read

        return cast("Self", read(path, libraries)[0])

    @classmethod
    def from_text(cls, text: str, format: str = "yaml", folder: str | Path = ".") -> Self:
        """The model written in a text, "yaml" or "json"; files that it names are sought in `folder`."""
        from flexor.model.file import read_text

        return cast("Self", read_text(text, format, folder=folder)[0])

    def save(self, path: str | Path, *, overwrite: bool = False) -> Path:
        """Write the model to a .yaml or .json file.

        A file of a model of this name is replaced; one of another model, or with comments that would be lost, only if
        `overwrite` is true.
        """
        from flexor.model.file import write

        laws = [item.name for item in self.items if item.type == "user_law"]
        if laws:
            why, fix = "a file cannot carry code", "keep this model in Python"
            raise ModelError([Problem(f"user law '{name}'", "it cannot be saved", why, fix) for name in laws])
        kept = [item for item in self.resting().items if getattr(item, "in_memory", False)]
        mesh = ("its mesh is an object in memory", "write the mesh or the reduced body to a file and name that")
        pressure = ("its pressure is a Python function", "write it as a formula in x, y, z")
        if kept:
            raise ModelError(
                [
                    Problem(item.called(item.name), "it cannot be saved", *(pressure if item.noun == "load" else mesh))
                    for item in kept
                ]
            )

        return write(self, path, overwrite=overwrite)

    def to_yaml(self) -> str:
        """The model as YAML text."""
        return self.to_text("yaml")

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """The model written in a YAML text."""
        return cls.from_text(text, "yaml")

    def to_text(self, format: str = "yaml") -> str:
        """The model as text, "yaml" or "json"; values that are defaults are left out. Components stand in it with their items."""
        from flexor.model.file import write_text

        return write_text(self.with_files(str) if self.source else self, format)

    @classmethod
    def schema(cls) -> dict[str, object]:  # type: ignore[override]
        """JSON Schema of model files: an editor that knows it completes and checks while one types."""
        return {"$schema": "https://json-schema.org/draft/2020-12/schema", **cls.model_json_schema()}

    # ---- computing

    @Analysis
    def dynamics(self, *args: object, **settings: object) -> object:
        """Motion over time; see `flexor.results.analyses.dynamics` for the settings."""
        return self._compute("dynamics", *args, **settings)

    @Analysis
    def prepare(self, *args: object, **settings: object) -> object:
        """The model made ready for many runs; see `flexor.results.analyses.prepare`."""
        return self._compute("prepare", *args, **settings)

    @Analysis
    def statics(self, *args: object, **settings: object) -> object:
        """Position of equilibrium, at rest or in steady rotation; see `flexor.results.analyses.statics`."""
        return self._compute("statics", *args, **settings)

    @Analysis
    def modes(self, *args: object, **settings: object) -> object:
        """Natural frequencies and mode shapes; see `flexor.results.analyses.modes`."""
        return self._compute("modes", *args, **settings)

    @Analysis
    def campbell(self, *args: object, **settings: object) -> object:
        """Natural frequencies over the speed of a rotation; see `flexor.results.analyses.campbell`."""
        return self._compute("campbell", *args, **settings)

    @Analysis
    def frequency_response(self, *args: object, **settings: object) -> object:
        """Response to harmonic loads and motions; see `flexor.results.analyses.frequency_response`."""
        return self._compute("frequency_response", *args, **settings)

    @Analysis
    def spectral_response(self, *args: object, **settings: object) -> object:
        """Response to signals over time by way of the frequency domain; see `flexor.results.analyses.spectral_response`."""
        return self._compute("spectral_response", *args, **settings)

    @Analysis
    def state_space(self, *args: object, **settings: object) -> object:
        """Matrices A, B, C, D for the design of controllers; see `flexor.results.analyses.state_space`."""
        return self._compute("state_space", *args, **settings)

    @Analysis
    def harmonic_motion(self, *args: object, **settings: object) -> object:
        """Motion and stress of flexible bodies under harmonic loads; see `flexor.results.analyses.harmonic_motion`."""
        return self._compute("harmonic_motion", *args, **settings)

    @Analysis
    def harmonic_balance(self, *args: object, **settings: object) -> object:
        """Periodic motions of the nonlinear model over frequency; see `flexor.results.analyses.harmonic_balance`."""
        return self._compute("harmonic_balance", *args, **settings)

    @Analysis
    def kinematics(self, *args: object, **settings: object) -> object:
        """Motion of a fully driven mechanism; see `flexor.results.analyses.kinematics`."""
        return self._compute("kinematics", *args, **settings)

    def _compute(self, what: str, *args: object, **settings: object) -> object:
        function = getattr(importlib.import_module("flexor.results.analyses"), what)
        importlib.import_module("flexor.results.arguments").check_arguments(what, function, args, settings)
        return function(self, *args, **settings)
