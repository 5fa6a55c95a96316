"""A mesh with supports and loads, declared: what users check before they reduce."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from pydantic import ConfigDict, Field, field_validator

from flexor.declaration import Declaration
from flexor.elements.assembly import FeModel, assemble
from flexor.elements.loads import Load
from flexor.mesh.mesh import Mesh
from flexor.mesh.select import Selection
from flexor.reduce.full import NaturalModes, StaticSolution, natural_modes, statics


class MeshStudy(Declaration):
    """Linear statics and natural modes of a whole mesh."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    noun: ClassVar[str] = "study"
    positional: ClassVar[tuple[str, ...]] = ("mesh",)
    mesh: Mesh = Field(description="The mesh, or the path of its file.")
    fix: tuple[Selection, ...] = Field((), description="Nodes to hold in all directions, besides the mesh's supports.")
    loads: tuple[Load, ...] = Field((), description="Point loads, pressures, tractions, gravity, centrifugal loads.")
    lumped: bool = Field(False, description="Lumped instead of consistent masses.")

    @field_validator("mesh", mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        if isinstance(value, Mesh):
            return value
        from flexor.io import read_mesh

        return read_mesh(value)

    def model(self) -> FeModel:
        """The assembled model with all supports."""
        held = [(int(node), tuple(range(6))) for chosen in self.fix for node in chosen.nodes(self.mesh)]
        return assemble(replace(self.mesh, fixed=(*self.mesh.fixed, *held)), lumped=self.lumped)

    def statics(self) -> StaticSolution:
        """Displacements and stress under the loads."""
        return statics(self.model(), self.loads)

    def modes(self, count: int = 10) -> NaturalModes:
        """The lowest natural modes."""
        return natural_modes(self.model(), count)

    @staticmethod
    def largest_displacement(found: StaticSolution) -> float:
        """[m]"""
        return float(np.linalg.norm(found.nodal[:, :3], axis=1).max(initial=0.0))
