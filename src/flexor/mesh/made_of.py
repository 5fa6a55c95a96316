"""A mesh made of one material and one section: what files of bare meshes (Gmsh) lack, or to be tried instead."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from pydantic import TypeAdapter, ValidationError

from flexor.errors import ModelError, Problem
from flexor.materials.material import Material
from flexor.mesh.mesh import Block, Mesh
from flexor.mesh.section import BEAM_SECTIONS, SHELL_SECTIONS, Section
from flexor.mesh.spring_section import BushSection, RotationalSpringSection, SpringSection
from flexor.mistakes import problems_of

_ONE = ("material", "section")
"""Names under which they stand in the mesh."""
_SORTS: dict[str, tuple[type, ...]] = {
    "shell": SHELL_SECTIONS,
    "beam": BEAM_SECTIONS,
    "bush": (BushSection,),
    "spring": (SpringSection,),
    "rotational_spring": (RotationalSpringSection,),
}
"""Sections that fit a kind of element, by its name without the number of nodes."""


def made_of(mesh: Mesh, material: Material | str | None = None, section: Section | None = None) -> Mesh:
    """The mesh with one material for all elements that take one, and one section for those that it fits.

    material: e.g. Steel(), "steel" or Isotropic(…);  section: ShellSection(thickness), a Laminate, Circle(…), …
    What is left out stays as the mesh says. A section that fits no element is refused.
    """
    if material is not None:
        blocks = tuple(replace(b, material=_ONE[0]) if _takes_material(b) else b for b in mesh.blocks)
        mesh = replace(mesh, blocks=blocks, materials={_ONE[0]: as_material(material)})
    if section is None:
        return mesh
    section = cast("Section", _as(TypeAdapter(Section), section, "section"))
    fitting = [_takes_section(block, section) for block in mesh.blocks]
    if not any(fitting):
        kinds = ", ".join(sorted({block.element for block in mesh.blocks})) or "no"
        what = f"a {type(section).__name__} fits none of its elements"
        raise ModelError(Problem("mesh", what, f"it has {kinds} elements", "leave the section out, or choose another"))
    blocks = tuple(replace(b, section=_ONE[1]) if fits else b for b, fits in zip(mesh.blocks, fitting))
    return replace(mesh, blocks=blocks, sections={**mesh.sections, _ONE[1]: section})


def as_material(given: Material | str | Mapping[str, object]) -> Material:
    """What a user may write for a material, "steel" too, as the declaration."""
    return cast("Material", _as(TypeAdapter(Material), given, "material"))


def _as(adapter: TypeAdapter, given: object, what: str) -> object:
    try:
        return adapter.validate_python(given)
    except ValidationError as error:
        raise ModelError(problems_of(error, what, None)) from None


def _takes_material(block: Block) -> bool:
    """Springs and bushings take their stiffness from a section alone."""
    return block.element != "bush" and "spring" not in block.element


def _takes_section(block: Block, section: Section) -> bool:
    return isinstance(section, _SORTS.get(block.element.rstrip("0123456789"), ()))
