"""Flexible body: a finite-element model, reduced to a few coordinates, in large motion."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from pydantic import Field, PlainSerializer, ValidationInfo, field_validator, model_validator

from flexor.bodies.deformable_body import DeformableBody
from flexor.errors import FlexorError
from flexor.materials.material import Material
from flexor.mesh.mesh import Mesh
from flexor.mesh.section import Section
from flexor.mesh.select import Selection
from flexor.reduce.damping import Damping
from flexor.reduce.interface import Interface, as_interface
from flexor.reduce.methods import CraigBampton, Method

if TYPE_CHECKING:
    from flexor.bodies.formulations import FormulationClass
    from flexor.reduce.reduced import ReducedBody

IN_MEMORY = "(in memory)"
OF_THE_MESH = ("material", "section", "interfaces", "reduction", "units", "ignore_supports")
"""Fields that say how a mesh becomes a reduced body."""


def _as_path(value: object) -> str | None:
    return value if value is None or isinstance(value, str) else IN_MEMORY


if TYPE_CHECKING:
    MeshSource = str | Mesh | None
    ReducedSource = str | ReducedBody | None
else:
    MeshSource = ReducedSource = Annotated[Any, PlainSerializer(_as_path, return_type=str | None)]
"""Field types: a file, or an object in memory, which a file cannot name."""


class FlexibleBody(DeformableBody):
    """A part that deforms: a mesh, or a body reduced before, with interfaces where joints attach.

    `formulation` chooses how it moves, and nothing else of the model changes with it:
    superelement: carried by its connection nodes, co-rotated (the default);   floating: a moving frame and free modes;
    full_mesh: every element of the mesh co-rotated by itself, for small meshes;   rigid: mass and geometry only.

    Signals: position and orientation of its frame, of every interface and marker (rod.big.position), its modes
    (rod.mode_1) and its energies [J]; a full mesh has its nodes (rod.node_12.position) instead of the latter two.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "mesh")
    type: Literal["flexible_body"] = "flexible_body"
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "strut",
            "mesh": "strut.inp",
            "material": "aluminium",
            "interfaces": {
                "foot": {"type": "plane", "at": (0, 0, 0), "normal": "x"},
                "head": {"type": "plane", "at": (0.4, 0, 0), "normal": "x"},
            },
            "reduction": {"type": "craig_bampton", "modes": 2},
            "damping": {"type": "rayleigh", "alpha": 0, "beta": 1e-5},
            "position": (0, 2, 0),
        },
    )
    mesh: MeshSource = Field(None, description="Mesh file (.inp, .bdf, .nas, .dat, .msh).")
    reduced_body: ReducedSource = Field(
        None,
        description="File of a body reduced before (flexor reduce), instead of a mesh. It carries material, interfaces and "
        "reduction already.",
    )
    material: Material | None = Field(None, description="Material of all elements, instead of what the mesh says.")
    section: Section | None = Field(None, description="Section of all shells or beams, instead of what the mesh says.")
    interfaces: dict[str, Interface] = Field({}, description="Where joints attach, by name.")
    reduction: Method = Field(CraigBampton(modes=20), description="How it is reduced.")
    damping: Damping | None = Field(
        None, description="Its damping; that of the material, or of the reduced body, if left out."
    )
    formulation: Literal["superelement", "floating", "full_mesh", "rigid"] = Field(
        "superelement", description="How it moves."
    )
    frame: Literal["average", "triangle"] = Field(
        "average", description="How the frame of a superelement follows: mass-weighted average, or largest triangle."
    )
    inertia: Literal["consistent", "nodal"] = Field(
        "consistent", description="Inertia of a superelement: with all centrifugal and gyroscopic terms, or nodal."
    )
    stiffening: bool = Field(
        False,
        description="Geometric stiffening of a floating body: tension stiffens it, compression softens it until it buckles. "
        "A superelement does not know it; a full mesh has it by nature, with or without this.",
    )
    stiffness_scale: float = Field(1.0, description="Factor on its stiffness.", gt=0)
    mass_scale: float = Field(1.0, description="Factor on its mass.", gt=0)
    units: str = Field("SI", description="Units of the mesh file: SI or mm-t-s.")
    ignore_supports: bool = Field(False, description="Leave out supports that the mesh has, instead of refusing it.")
    ignore_loads: bool = Field(False, description="Leave out loads that the mesh has without a warning.")

    @field_validator("interfaces", mode="before", json_schema_input_type=dict[str, Interface | Selection])
    @classmethod
    def _as_interfaces(cls, value: object) -> dict[str, Interface]:
        if not isinstance(value, Mapping):
            raise ValueError(
                "it is no table of interfaces; write {big: {type: cylinder, at: [0, 0, 0], radius: 18 mm}}"
            )
        try:
            return {str(name): as_interface(str(name), what) for name, what in value.items()}
        except FlexorError as error:
            raise ValueError(str(error)) from None

    @field_validator("mesh", "reduced_body", mode="before", json_schema_input_type=str | None)
    @classmethod
    def _in_folder(cls, value: object, info: ValidationInfo) -> object:
        folder = Path((info.context or {}).get("folder", "."))
        if isinstance(value, Path):
            value = str(value)
        if isinstance(value, str):
            return value if folder == Path(".") or value == IN_MEMORY else str(folder / value)  # absolute ones stay
        if value is not None and not (isinstance(value, Mesh) or hasattr(value, "invariants")):
            raise ValueError(f"{type(value).__name__} is neither a file nor a mesh; write the path of a file")
        return value

    @model_validator(mode="after")
    def _one_source(self) -> FlexibleBody:
        if (self.mesh is None) == (self.reduced_body is None):
            raise ValueError("it needs one source: mesh (a mesh file), or reduced_body (a file made by flexor reduce)")
        fields = type(self).model_fields
        given = [key for key in OF_THE_MESH if getattr(self, key) != fields[key].get_default()]
        if self.reduced_body is not None and given:
            listed = " and ".join(given)
            raise ValueError(
                f"{listed} cannot be given beside reduced_body; the file carries its own already: leave out {listed}, or "
                "reduce the mesh anew"
            )
        return self

    @property
    def in_memory(self) -> bool:
        """Whether its mesh or reduced body is an object that a file cannot name."""
        return not all(isinstance(value, str | None) for value in (self.mesh, self.reduced_body))

    # -- what it is made of ----------------------------------------------------------------------------------

    @property
    def formulation_class(self) -> FormulationClass:
        """The class that knows how it moves."""
        from flexor.bodies.formulations import FORMULATIONS  # loads SciPy

        return FORMULATIONS[self.formulation]

    @cached_property
    def reduced(self) -> ReducedBody:
        """The reduced body; computed on first use, or taken from the cache of reduced bodies."""
        from flexor.bodies.reduced_part import reduced_part  # loads SciPy

        return reduced_part(self)
