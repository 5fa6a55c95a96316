"""A mesh with supports and loads, declared: what users check before they reduce."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import ConfigDict, Field, field_validator

from flexor.declaration import Declaration
from flexor.elements.assembly.loads import Load, loads_of
from flexor.elements.assembly.model import FeModel, assemble
from flexor.errors import ModelError, Problem
from flexor.io.read_mesh import read_mesh
from flexor.materials.material import Material
from flexor.mesh.mesh import Mesh
from flexor.mesh.note import warn_of
from flexor.mesh.section import Section
from flexor.mesh.select import Selection
from flexor.reduce.full import NaturalModes, StaticSolution, natural_modes, statics


class MeshStudy(Declaration):
    """Linear statics and natural modes of a whole mesh."""

    model_config = ConfigDict(arbitrary_types_allowed=True)
    noun: ClassVar[str] = "study"
    positional: ClassVar[tuple[str, ...]] = ("mesh",)
    mesh: Mesh = Field(description="The mesh, or the path of its file.")
    fix: tuple[Selection, ...] = Field((), description="Nodes to hold in all directions, besides the mesh's supports.")
    loads: tuple[Load, ...] = Field((), description="Point loads, pressures, …, besides the mesh's own loads.")
    ignore_loads: bool = Field(False, description="Leave out the loads that the mesh's file holds.")
    material: Material | None = Field(None, description="Material of all elements, instead of what the mesh says.")
    section: Section | None = Field(None, description="Section of all shells or beams, instead of what the mesh says.")
    lumped: bool = Field(False, description="Lumped instead of consistent masses.")

    @field_validator("mesh", mode="before")
    @classmethod
    def _read(cls, value: Mesh | str | Path) -> Mesh:
        if isinstance(value, Mesh):
            return value
        return read_mesh(value)

    def model(self) -> FeModel:
        """The assembled model with all supports."""
        held = [(int(node), tuple(range(6))) for chosen in self.fix for node in chosen.nodes(self.mesh)]
        whole = replace(self.mesh, fixed=(*self.mesh.fixed, *held))
        return assemble(whole, lumped=self.lumped, material=self.material, section=self.section)

    @property
    def all_loads(self) -> tuple[Load, ...]:
        """Those of the mesh, unless they are ignored, and those given here."""
        return (*(() if self.ignore_loads else loads_of(self.mesh)), *self.loads)

    def statics(self) -> StaticSolution:
        """Displacements and stress under the loads; refused if there are none, or if none of the file could be read."""
        if not self.ignore_loads:
            warn_of(self.mesh.notes, "the loads of the mesh", "loads")
        for chosen in self.fix:
            chosen.nodes(self.mesh)  # says what is wrong with it
        if not self.all_loads:
            why = "neither the mesh holds loads that were read nor are any given, so that nothing would move"
            raise ModelError(
                Problem(
                    "study",
                    "there are no loads",
                    why,
                    "give some: loads=[fx.Gravity()], or --load gravity:gravity=0,0,-9.81",
                )
            )
        return statics(self.model(), self.all_loads)

    def modes(self, count: int = 10) -> NaturalModes:
        """The lowest natural modes."""
        return natural_modes(self.model(), count)

    @staticmethod
    def largest_displacement(found: StaticSolution) -> float:
        """[m]"""
        return float(np.linalg.norm(found.nodal[:, :3], axis=1).max(initial=0.0))
