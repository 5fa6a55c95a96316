"""What has been read of an Abaqus or CalculiX deck, and its lookups by number and name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from flexor.io.abaqus.keywords import Keyword
from flexor.io.abaqus.sets import NamedSets
from flexor.io.deck_loads import DeckLoads
from flexor.io.draft import Draft, Place
from flexor.io.file_text import wrong
from flexor.io.number_table import integer, real
from flexor.materials import Material
from flexor.mesh.mesh import AverageLink, NodalMass, RigidLink
from flexor.mesh.section import Section

if TYPE_CHECKING:
    from flexor.io.abaqus.orientation import Orientation
    from flexor.io.abaqus.sections import Use


@dataclass
class GivenMaterial:
    """What *ELASTIC, *DENSITY, *DAMPING say of a material, in units of the file.

    elastic: type of the constants, their values, and where they stand.
    """

    name: str
    place: Place
    elastic: tuple[str, list[float], Place] | None = None
    density: float = 0.0
    damping: float = 0.0


@dataclass
class Deck:
    """The deck while it is being read."""

    draft: Draft
    node_sets: NamedSets = field(default_factory=lambda: NamedSets("node"))
    element_sets: NamedSets = field(default_factory=lambda: NamedSets("element"))
    sets_of_elements: list[tuple[str, str, str, Keyword]] = field(default_factory=list)
    """Node sets that are given as the nodes of elements: name, scope, element set, keyword."""
    surfaces: dict[str, Keyword] = field(default_factory=dict)
    materials: dict[str, GivenMaterial] = field(default_factory=dict)
    """By upper-case name: what *ELASTIC, *DENSITY, … say."""
    material: GivenMaterial | None = None
    """The one that *ELASTIC, … belong to."""
    made_materials: dict[str, Material] = field(default_factory=dict)
    """By name as written, in SI."""
    orientations: dict[str, Orientation] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    """Section keywords: which elements are made of what."""
    sections: dict[str, Section] = field(default_factory=dict)
    point_elements: dict[str, list[tuple[int, int, Place]]] = field(default_factory=dict)
    """MASS, ROTARYI: (element, node, place)."""
    beam_points: dict[int, int] = field(default_factory=dict)
    """Element → third node that says where a beam's first section axis points."""
    transformed: set[int] = field(default_factory=set)
    """Positions of nodes whose components are in axes of their own (*TRANSFORM)."""
    rigid_links: list[RigidLink] = field(default_factory=list)
    average_links: list[AverageLink] = field(default_factory=list)
    masses: list[NodalMass] = field(default_factory=list)
    fixed: dict[int, set[int]] = field(default_factory=dict)
    retained: dict[int, set[int]] = field(default_factory=dict)
    loads: DeckLoads = field(default_factory=DeckLoads)
    """Distributed ones."""
    step: int = 0
    """Number of the step whose supports and loads are taken; those of earlier ones hold on."""
    supports_of: int = 0
    """Last step whose supports were read."""
    forces: dict[tuple[int, int], tuple[int, float]] = field(default_factory=dict)
    """Node and component → the step that gives the force last, and its value [N, N m]."""
    distributed_of: int = 0
    """Last step whose distributed loads were read."""
    coupling: tuple[Keyword, int] | None = None
    """The *COUPLING that *KINEMATIC or *DISTRIBUTING belong to: reference node, nodes, weights."""
    left_out: list[np.ndarray] = field(default_factory=list)
    """Numbers of elements of kinds that Flexor does not have."""
    instance: str = ""
    node_offset: int = 0
    """Added to numbers of the assembly's own nodes, which may repeat those of the part."""
    title: str = ""

    def number_or_name(self, text: str, keyword: Keyword) -> int | str:
        """A number, with the assembly's offset where it applies, or the name of a set."""
        text = text.strip('"')
        prefix = f"{self.instance}.".upper()
        of_instance = bool(self.instance) and text.upper().startswith(prefix)
        if of_instance:
            text = text[len(prefix) :]
        try:
            number = integer(text)
        except ValueError:
            return text
        own = keyword.scope == "assembly" and "INSTANCE" not in keyword.options and not of_instance
        return number + self.node_offset if own else number

    def nodes(self, text: str, keyword: Keyword, place: Place) -> np.ndarray:
        """Positions of the node or the nodes of the set that a field names."""
        named = self.number_or_name(text, keyword)
        what = f"*{keyword.name}"
        if isinstance(named, int):
            return self.draft.index([named], what, place)
        return self.draft.index(self.node_sets.numbers(named, keyword.scope, place, self.draft.node_ids), what, place)

    def node(self, text: str, keyword: Keyword, place: Place) -> int:
        """Position of the one node that a field names by number or by a set of one node."""
        found = self.nodes(text, keyword, place)
        if len(found) != 1:
            what = f"*{keyword.name}: {text!r} stands for {len(found)} nodes"
            raise wrong(*place, what, "one is needed", "name a single node")
        return int(found[0])

    def element_numbers(self, text: str, keyword: Keyword, place: Place) -> np.ndarray:
        """Numbers of the element or the elements of the set that a field names."""
        named = self.number_or_name(text, keyword)
        if isinstance(named, int):
            return np.array([named])
        return self.element_sets.numbers(named, keyword.scope, place, self.all_elements)

    @property
    def all_elements(self) -> np.ndarray:
        """Numbers of all elements of the file, also of those that were left out."""
        return np.concatenate([self.draft.elements.ids, *self.left_out])


def reals(fields: list[str], place: Place, what: str, least: int = 0) -> list[float]:
    """Numbers of a data line; blanks are 0."""
    try:
        values = [real(each) if each else 0.0 for each in fields]
    except ValueError as error:
        raise wrong(*place, f"{what}: {error}", fix="correct the line") from None
    if len(values) < least:
        why = f"{len(values)} values where {least} are needed"
        raise wrong(*place, f"{what} is incomplete", why, "the file may be cut off: export it again")
    return values


def whole(text: str, place: Place, what: str) -> int:
    """A whole number of a data line."""
    try:
        return integer(text)
    except ValueError as error:
        raise wrong(*place, f"{what}: {error}", fix="correct the line") from None
