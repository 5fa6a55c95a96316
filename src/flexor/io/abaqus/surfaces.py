"""*SURFACE: faces of elements or lists of nodes, as the nodes on them with the share of each."""

from __future__ import annotations

import numpy as np

from flexor.elements import Element, by_name
from flexor.elements.assembly.shares import Shares, shares_on_edges, shares_on_faces
from flexor.io.abaqus.deck import Deck, reals
from flexor.io.abaqus.keywords import Keyword
from flexor.io.draft import Place
from flexor.io.file_text import wrong

_CORNERS = {
    "tet": ((0, 1, 2), (0, 3, 1), (1, 3, 2), (2, 3, 0)),
    "wedge": ((0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)),
    "hex": ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (1, 5, 6, 2), (2, 6, 7, 3), (3, 7, 4, 0)),
}
"""Corners of the faces S1, S2, … of solids."""


def surface_nodes(deck: Deck, name: str, place: Place) -> np.ndarray:
    """Positions of the nodes on a surface, in ascending order."""
    return _read(deck, name, place)[0]


def surface_shares(deck: Deck, name: str, place: Place) -> tuple[np.ndarray, Shares]:
    """The nodes on a surface and what each contributes to the average over it: of element faces in the way that the
    elements take tractions, of beams by length; of a surface of nodes what it says (1 if nothing)."""
    nodes, weights, faces = _read(deck, name, place)
    if weights is None:
        lines = [each for each in faces if each.shape[1] == 2]
        faces = [each for each in faces if each.shape[1] > 2]
        points = deck.draft.points
        return nodes, shares_on_faces(points, nodes, faces) if faces else shares_on_edges(points, nodes, lines)
    X = deck.draft.points[nodes]
    levers = weights[:, None] * (X - weights @ X / (weights.sum() or 1.0))
    return nodes, Shares(weights, levers, "number")


def _read(deck: Deck, name: str, place: Place) -> tuple[np.ndarray, np.ndarray | None, list[np.ndarray]]:
    """Nodes; their weights, if it is a surface of nodes; its faces, if it is one of elements."""
    keyword = deck.surfaces.get(name.upper())
    if keyword is None:
        if deck.node_sets.has(name, ""):  # CalculiX takes the name of a node set as well
            nodes = deck.draft.index(deck.node_sets.numbers(name, "", place, deck.draft.node_ids), name, place)
            return nodes, np.ones(len(nodes)), []
        raise wrong(*place, f"surface {name!r} does not exist", fix="define it or correct the name")
    touched = np.zeros(len(deck.draft.points), dtype=bool)
    if keyword.options.get("TYPE", "ELEMENT").upper() == "NODE":
        weights = np.zeros(len(touched))
        for where, fields in keyword.rows():
            nodes = deck.nodes(fields[0], keyword, where)
            weights[nodes] = reals(fields[1:2], where, "*SURFACE")[0] if fields[1:2] else 1.0
            touched[nodes] = True
        return np.flatnonzero(touched), weights[touched], []
    rows = keyword.rows()
    faces = [each for where, fields in rows for each in element_faces(deck, *_named(fields), keyword, where)]
    for each in faces:
        touched[each] = True
    return np.flatnonzero(touched), None, faces


def surface_faces(deck: Deck, name: str, place: Place) -> list[np.ndarray]:
    """(m, k) positions of the nodes of the faces of a surface, normals outward (of shells on their side SNEG too)."""
    keyword = deck.surfaces.get(name.upper().removeprefix(f"{deck.instance}.".upper()))
    if keyword is None or keyword.options.get("TYPE", "ELEMENT").upper() != "ELEMENT":
        why = "no surface of element faces has that name"
        raise wrong(*place, f"there are no faces of {name!r}", why, "define it by *SURFACE, TYPE=ELEMENT")
    return [
        faces
        for where, fields in keyword.rows()
        for faces in element_faces(deck, *_named(fields), keyword, where)
        if faces.shape[1] > 2
    ]


def _named(fields: list[str]) -> tuple[str, str]:
    """Element or set, and face, of a data line."""
    return fields[0], fields[1].upper() if len(fields) > 1 else ""


def element_faces(deck: Deck, named: str, face: str, keyword: Keyword, place: Place) -> list[np.ndarray]:
    """(m, k) positions of the nodes of the face S1, S2, … of an element or of those of a set; all outer faces without
    a label; all nodes of shells and beams."""
    found = []
    for batch, rows in deck.draft.batches_of(deck.element_numbers(named, keyword, place)):
        labelled = _of_label(by_name[batch.kind], face, keyword, place)
        found += [deck.draft.nodes.find(batch.nodes[rows][:, list(nodes)]) for nodes in labelled]
    return _outer(found) if not face else found


def _of_label(kind: type[Element], face: str, keyword: Keyword, place: Place) -> list[tuple[int, ...]]:
    """Local nodes of the face S1, S2, …; all faces without a label; all nodes of shells and beams, of the side SNEG
    in reverse."""
    shape = kind.name.rstrip("0123456789")
    if shape not in _CORNERS:
        return [tuple(range(kind.n_nodes))[:: -1 if face == "SNEG" else 1]]
    if not face:
        return list(kind.faces)
    number = int(face[1:]) if face[:1] == "S" and face[1:].isdecimal() and len(face) < 4 else 0
    if not 1 <= number <= len(_CORNERS[shape]):
        what = f"*{keyword.name}: elements of kind {kind.name} have no face {face!r}"
        raise wrong(*place, what, fix=f"S1 … S{len(_CORNERS[shape])}")
    corners = set(_CORNERS[shape][number - 1])
    return [nodes for nodes in kind.faces if corners <= set(nodes)]


def _outer(faces: list[np.ndarray]) -> list[np.ndarray]:
    """Those faces that belong to one element only."""
    found = []
    for size in sorted({each.shape[1] for each in faces}):
        alike = np.concatenate([each for each in faces if each.shape[1] == size])
        _, first, count = np.unique(np.sort(alike, axis=1), axis=0, return_index=True, return_counts=True)
        found.append(alike[first[count == 1]])
    return found
