"""What structural elements need beside their nodes: a section of the right sort, and a material."""

from __future__ import annotations

from typing import TypeVar

from flexor.elements.element import Properties
from flexor.errors import ModelError, Problem
from flexor.materials import Material

S = TypeVar("S")


def section_of(name: str, p: Properties, sorts: tuple[type[S], ...]) -> S:
    """The section of the elements called `name`; refused if it is missing or of another sort."""
    if isinstance(p.section, sorts):
        return p.section
    what = "they have no section" if p.section is None else f"their section is a {type(p.section).__name__}"
    fix = "give one with section=, one of " + ", ".join(sort.__name__ for sort in sorts)
    fix += ' (command line: --thickness "2 mm")' if name.startswith("shell") else ""
    raise ModelError(Problem(f"{name} elements", what, "it does not tell their stiffness", fix))


def material_of(name: str, p: Properties) -> Material:
    """The material of the elements called `name`; refused if there is none."""
    if p.material is None:
        fix = "give one with material=, e.g. material=Steel() (command line: --material steel)"
        raise ModelError(Problem(f"{name} elements", "they have no material", "their stiffness depends on it", fix))
    return p.material
