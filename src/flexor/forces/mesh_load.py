"""Load on the mesh of a flexible body: pressure, traction, forces at nodes, in time."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from flexor.declaration import Item
from flexor.dotted import NAME
from flexor.elements.assembly.loads import Load
from flexor.functions import AnyFunction, Constant, function_of
from flexor.joints.surroundings import Carrier, Surroundings
from flexor.law import Term


class MeshLoad(Item):
    """Loads on faces or nodes of a flexible body, which turn with it, times a function of time.

    fx.MeshLoad("gas", "piston", fx.Pressure(on=fx.plane(at=(0, 0, 0.1), normal="z"), pressure="60 bar"), factor=...)

    Signals: factor, power [W] (of a full mesh factor alone; its work is in energy.input).
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "body", "load", "factor")
    noun: ClassVar[str] = "load"
    type: Literal["mesh_load"] = "mesh_load"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "gas",
            "body": "strut",
            "load": {
                "type": "pressure",
                "on": {"type": "plane", "at": (0.4, 0, 0), "normal": "x"},
                "pressure": "2 bar",
            },
            "factor": "sin(3*t)",
        },
    )
    name: str = Field(description="Unique name of the load.", min_length=1, pattern=NAME)
    body: str = Field(description="Name of the flexible body.")
    load: Load | Annotated[tuple[Load, ...], Field(min_length=1)] = Field(
        description="Pressure, traction, point loads … on its mesh, in its axes."
    )
    factor: Annotated[AnyFunction, function_of("time", "dimensionless")] = Field(
        Constant(1.0), description="What it is multiplied by, a number or a function of time."
    )

    @property
    def in_memory(self) -> bool:
        """Whether a pressure is a Python function, which a file cannot carry."""
        return any(callable(getattr(load, "pressure", None)) for load in self.loads)

    @property
    def loads(self) -> tuple[Load, ...]:
        """What it consists of."""
        return self.load if isinstance(self.load, tuple) else (self.load,)

    def terms(self, around: Surroundings) -> list[Term]:
        """What the body's formulation makes of it."""
        return self.on_body(around.carrier)

    def on_body(self, carrier: Carrier) -> list[Term]:
        """Its terms on a flexible body."""
        return list(carrier.body.realisation.load(self.name, self.loads, self.factor, carrier.node, carrier.scalar))
