"""Abaqus and CalculiX input files (.inp) to a mesh."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexor.io import axes
from flexor.io.abaqus import couplings, masses, materials, nodes_elements, orientation, sections
from flexor.io.abaqus.deck import Deck
from flexor.io.abaqus.keywords import Keyword, read_keywords
from flexor.io.abaqus.loads import KEYWORDS as LOADS
from flexor.io.abaqus.loads import acting
from flexor.io.abaqus.parts import flatten, placement
from flexor.io.abaqus.sections import Use
from flexor.io.abaqus.steps import number_steps, unread
from flexor.io.abaqus.surfaces import surface_faces, surface_nodes
from flexor.io.deck_loads import merged
from flexor.io.draft import Draft
from flexor.io.file_text import wrong
from flexor.io.file_units import FileUnits
from flexor.materials import Isotropic
from flexor.mesh.mesh import Block, Mesh

_FIRST = {**nodes_elements.KEYWORDS, **materials.KEYWORDS, **orientation.KEYWORDS}
_SECOND = {**sections.KEYWORDS, **masses.KEYWORDS, **couplings.KEYWORDS, **LOADS}
_GENERATING = ("NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM", "PARAMETER")


def read_abaqus(path: Path, units: FileUnits) -> Mesh:
    """The mesh of a deck with supports and loads of its first static step; what is not taken is listed in `notes`."""
    found, unended = read_keywords(path)
    keywords, instance = flatten(found)
    deck = Deck(Draft(path, units), step=number_steps(keywords))
    for place in unended:
        deck.draft.note(
            "end of file", "the last line has no line end; the file may be cut off", place, severity="approximate"
        )
    if instance is not None:
        deck.instance = instance.options.get("NAME", "")
    for keyword in keywords:
        _note_unused(deck, keyword)
        if keyword.name in _FIRST:
            _FIRST[keyword.name](deck, keyword)
    if instance is not None:
        pose = placement(instance, units.length)
        deck.draft.move_nodes(lambda points: pose.apply(points), below=deck.node_offset)
    deck.draft.settle()
    nodes_elements.element_nodes(deck)
    deck.made_materials = materials.make_materials(deck)
    for keyword in keywords:
        if keyword.name == "TRANSFORM":
            couplings.transform(deck, keyword)
    for keyword in keywords:
        if keyword.name in _SECOND and keyword.name != "TRANSFORM" and keyword.step <= deck.step:
            _SECOND[keyword.name](deck, keyword)
    couplings.close_coupling(deck)
    return _mesh(deck)


def _note_unused(deck: Deck, keyword: Keyword) -> None:
    """Say which keywords the mesh does not hold; those that make nodes or elements are refused."""
    name = keyword.name
    if name in _GENERATING:
        what, why = f"*{name} is not read", "the mesh would be incomplete"
        raise wrong(*keyword.place, what, why, "write all nodes and elements out, e.g. by exporting the model")
    known = name in _FIRST or name in _SECOND
    if (note := unread(keyword, deck.step, known)) is not None:
        why, severity, concerns = note
        deck.draft.note(f"*{name}", why, keyword.place, severity=severity, concerns=concerns)


def _mesh(deck: Deck) -> Mesh:
    draft = deck.draft
    blocks = tuple(_block(deck, *group) for group in draft.groups())
    if not blocks and not deck.masses:
        raise wrong(draft.path, None, "the file has no elements that could be read", "; ".join(draft.notes()[:3]))
    loads, loaded = acting(deck).made(draft.node_ids)
    return Mesh(
        points=draft.points,
        node_ids=draft.node_ids,
        blocks=blocks,
        materials=deck.made_materials,
        sections=deck.sections,
        node_sets=_node_sets(deck),
        element_sets=_element_sets(deck),
        surfaces={**_surfaces(deck), **loaded},
        rigid_links=tuple(deck.rigid_links),
        average_links=tuple(deck.average_links),
        masses=tuple(deck.masses),
        fixed=_components(deck.fixed),
        loads=loads,
        retained=_components(deck.retained),
        title=deck.title,
        notes=draft.notes(),
    )


def _components(of_nodes: dict[int, set[int]]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    return tuple((node, tuple(sorted(components))) for node, components in sorted(of_nodes.items()))


def _block(deck: Deck, kind: str, key: int, ids: np.ndarray, nodes: np.ndarray, _: np.ndarray) -> Block:
    use = deck.uses[key] if key >= 0 else Use()
    if key < 0:
        line = next((b.path, int(b.lines[0])) for b in deck.draft.batches if b.kind == kind)
        deck.draft.note(f"{kind} elements", "no section gives them a material", line, len(ids), severity="harmless")
    X = deck.draft.points[nodes]
    turned: np.ndarray | None = None
    data: dict[str, np.ndarray] = {}
    if kind == "beam2":
        turned, data = _beam_axes(deck, use, ids, X)
    elif kind in ("shell3", "shell4"):
        turned = _shell_axes(deck, use, X)
    elif use.orientation is not None and not _is_isotropic(deck, use):
        turned = use.orientation.at(X.mean(axis=1))
    return Block(use.kind or kind, nodes, ids, use.material, use.section, turned, data)


def _is_isotropic(deck: Deck, use: Use) -> bool:
    return not use.layered and isinstance(deck.made_materials.get(use.material or ""), Isotropic)


def _shell_axes(deck: Deck, use: Use, X: np.ndarray) -> np.ndarray | None:
    """As *ORIENTATION says; else x is the projection of global x, or of z where the normal is along x."""
    if _is_isotropic(deck, use) or use.material is None:
        return None
    normals = axes.normals(X)
    if use.orientation is not None:
        return use.orientation.on_shell(X.mean(axis=1), normals)
    along_x = np.abs(normals[:, :1]) > np.cos(np.radians(0.1))
    return axes.in_plane(normals, np.where(along_x, [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))


def _beam_axes(deck: Deck, use: Use, ids: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Section axis y is the first axis n1, or points to the beam's third node; offsets lead to the centroid."""
    n1 = np.broadcast_to(np.array(use.n1), (len(ids), 3)).copy()
    for i, element in enumerate(ids.tolist()):
        if element in deck.beam_points:
            third = deck.draft.index([deck.beam_points[element]], f"element {element}", (deck.draft.path, 0))[0]
            n1[i] = deck.draft.points[third] - X[i, 0]
    found, bad = axes.from_x_and_y(X[:, 1] - X[:, 0], n1)
    if bad.any():
        what = f"beam {ids[np.argmax(bad)]}: its first section axis is along the beam, or its length is zero"
        raise wrong(deck.draft.path, None, what, fix="give *BEAM SECTION a first axis that crosses it")
    y, z = use.centroid
    if not (y or z):
        return found, {}
    shift = y * found[..., 1] + z * found[..., 2]
    return found, {"offsets": np.repeat(shift[:, None], 2, axis=1)}


def _node_sets(deck: Deck) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name, scope, place in deck.node_sets.names():
        numbers = deck.node_sets.numbers(name, scope, place, deck.draft.node_ids)
        key = name if name not in found else f"part.{name}"
        found[key] = deck.draft.index(numbers, f"node set {name!r}", place)
    for keyword in deck.surfaces.values():
        name = keyword.options["NAME"]
        if name not in found:
            found[name] = surface_nodes(deck, name, keyword.place)
    return found


def _surfaces(deck: Deck) -> dict[str, tuple[np.ndarray, ...]]:
    """Surfaces of element faces, by name as written."""
    found = {}
    for keyword in deck.surfaces.values():
        if keyword.options.get("TYPE", "ELEMENT").upper() == "ELEMENT":
            name = keyword.options["NAME"]
            if faces := surface_faces(deck, name, keyword.place):
                found[name] = merged(faces)
    return found


def _element_sets(deck: Deck) -> dict[str, np.ndarray]:
    found: dict[str, np.ndarray] = {}
    for name, scope, place in deck.element_sets.names():
        numbers = deck.element_sets.numbers(name, scope, place, deck.all_elements)
        at = deck.draft.elements.find(numbers)
        found[name if name not in found else f"part.{name}"] = numbers[at >= 0]
    return found
