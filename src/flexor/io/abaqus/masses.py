"""*MASS and *ROTARY INERTIA of MASS and ROTARYI elements."""

from __future__ import annotations

import numpy as np

from flexor.io.abaqus.deck import Deck, reals
from flexor.io.abaqus.keywords import Keyword
from flexor.io.file_text import wrong
from flexor.mesh.mesh import NodalMass


def mass(deck: Deck, keyword: Keyword) -> None:
    """*MASS, ELSET: the mass of each point element."""
    for place, fields in keyword.rows():
        value = reals(fields, place, "*MASS", 1)[0] * deck.draft.units.mass
        _at_points(deck, keyword, "MASS", np.diag([value] * 3 + [0.0] * 3))
        return
    raise wrong(*keyword.place, "*MASS has no value", fix="the file may be cut off: export it again")


def rotary_inertia(deck: Deck, keyword: Keyword) -> None:
    """*ROTARY INERTIA, ELSET: I11, I22, I33, I12, I13, I23 about the node, entries of the inertia tensor."""
    for place, fields in keyword.rows():
        I = [*reals(fields, place, "*ROTARY INERTIA", 1), 0.0, 0.0, 0.0, 0.0, 0.0][:6]
        tensor = np.array([[I[0], I[3], I[4]], [I[3], I[1], I[5]], [I[4], I[5], I[2]]]) * deck.draft.units.inertia
        if any(I[3:]):
            why = "products of inertia are taken as entries of the tensor, −∫ρ x y dV"
            deck.draft.note("*ROTARY INERTIA", why, place, severity="harmless")
        name = keyword.options.get("ORIENTATION", "").upper()
        matrix = np.zeros((6, 6))
        if name:
            if name not in deck.orientations:
                raise wrong(*place, f"orientation {name!r} does not exist", fix="define it or correct the name")
            R = deck.orientations[name].at(np.zeros((1, 3)))[0]
            tensor = R @ tensor @ R.T
        matrix[3:, 3:] = tensor
        _at_points(deck, keyword, "ROTARYI", matrix)
        return
    raise wrong(*keyword.place, "*ROTARY INERTIA has no values", fix="the file may be cut off: export it again")


def _at_points(deck: Deck, keyword: Keyword, kind: str, matrix: np.ndarray) -> None:
    wanted = set(deck.element_numbers(keyword.option("ELSET", "the elements"), keyword, keyword.place).tolist())
    for element, node, place in deck.point_elements.get(kind, ()):
        if element in wanted:
            at = int(deck.draft.index([node], f"element {element}", place)[0])
            deck.masses.append(NodalMass(at, matrix, element))


KEYWORDS = {"MASS": mass, "ROTARY INERTIA": rotary_inertia}
