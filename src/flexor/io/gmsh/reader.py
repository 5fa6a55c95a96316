"""Gmsh meshes (.msh 2.2 and 4.1, text or binary). Physical groups become sets.

The elements of the highest dimension are the mesh; those of lower dimension (faces, edges, points that Gmsh saves with
physical groups) only make node sets.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from flexor.io.draft import Draft
from flexor.io.element_names import in_our_order, of_gmsh
from flexor.io.file_text import wrong
from flexor.io.file_units import FileUnits
from flexor.io.gmsh.mesh_data import NAMES, Elements, MshData, dimension
from flexor.io.gmsh.msh2 import read_msh2
from flexor.io.gmsh.msh4 import read_msh4
from flexor.io.gmsh.sections import MshFile, open_msh
from flexor.mesh.mesh import Block, Mesh

_KNOWN = {"MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements", "Comments"}
_NAME = re.compile(r'\s*(\d+)\s+(-?\d+)\s+"(.*)"\s*$')
_INCOMPLETE = {10: (16, 8), 12: (17, 20), 13: (18, 15)}
"""Complete quadratic elements → the same without the nodes inside faces and volumes: type, number of nodes."""


def read_gmsh(path: Path, units: FileUnits) -> Mesh:
    file = open_msh(path)
    for section in ("Nodes", "Elements"):
        if section not in file.starts:
            raise wrong(path, None, f"${section} is missing", fix="the file may be cut off: save it again")
    data = read_msh2(file) if file.version.startswith("2") else read_msh4(file)
    data.names = _names(file)
    draft = Draft(path, units)
    for section in file.starts.keys() - _KNOWN:
        draft.note(
            f"${section}",
            "not part of a mesh, left out",
            (path, file.line_of(file.starts[section])),
            severity="harmless",
        )
    _drop_inner_nodes(draft, data, file)
    line = file.line_of(file.starts["Nodes"])
    for ids, points in zip(data.ids, data.points):
        if len(ids):
            draft.add_nodes(ids, points, path, np.full(len(ids), line))
    kept = _add_elements(draft, data, file)
    draft.settle()
    node_sets, element_sets = _sets(draft, data, kept)
    blocks = tuple(Block(kind, nodes, ids) for kind, _, ids, nodes, _ in draft.groups())
    if not blocks:
        raise wrong(path, None, "the file has no elements that could be read", "; ".join(draft.notes()[:3]))
    return Mesh(
        draft.points, draft.node_ids, blocks, node_sets=node_sets, element_sets=element_sets, notes=draft.notes()
    )


def _names(file: MshFile) -> dict[tuple[int, int], str]:
    if "PhysicalNames" not in file.starts:
        return {}
    found = {}
    start = file.line_of(file.starts["PhysicalNames"])
    rows = [row for row in enumerate(file.text("PhysicalNames").split("\n")) if row[1].strip()]
    for i, row in rows[1:]:
        match = _NAME.match(row)
        if not match or len(match[1]) > 9 or len(match[2]) > 15:
            raise wrong(file.path, start + i, '$PhysicalNames: a line is: dimension, number, "name"', fix="correct it")
        found[int(match[1]), abs(int(match[2]))] = match[3]
    if not rows or rows[0][1].strip() != str(len(found)):
        raise wrong(
            file.path, start, "$PhysicalNames does not hold as many names as it says", fix="save the file again"
        )
    return found


def _drop_inner_nodes(draft: Draft, data: MshData, file: MshFile) -> None:
    """Take complete quadratic elements (hexahedra of 27 nodes, …) without the nodes inside faces and volumes."""
    inner = []
    for i, each in enumerate(data.elements):
        if each.type in _INCOMPLETE:
            number, count = _INCOMPLETE[each.type]
            inner.append(each.nodes[:, count:].ravel())
            data.elements[i] = Elements(number, each.ids, each.nodes[:, :count], each.groups)
            why = f"taken with {count} nodes, without those inside faces and volume"
            place = (file.path, file.line_of(file.starts["Elements"]))
            draft.note(NAMES[each.type], why, place, len(each.ids), severity="approximate")
    if inner:
        dropped = np.concatenate(inner)
        for i, ids in enumerate(data.ids):
            keep = ~np.isin(ids, dropped)
            data.ids[i], data.points[i] = ids[keep], data.points[i][keep]


def _add_elements(draft: Draft, data: MshData, file: MshFile) -> int:
    """Elements of the highest dimension to the draft; that dimension."""
    line = file.line_of(file.starts["Elements"])
    place = (file.path, line)
    highest = max((dimension(each.type) for each in data.elements if len(each.ids)), default=0)
    seen: dict[int, set[tuple[int, ...]]] = {}
    repeated = file.version.startswith("2")  # an element of two groups is saved twice
    several = len({each.groups for each in data.elements if dimension(each.type) == highest}) > 1
    for each in data.elements:
        name, count = NAMES.get(each.type, f"type {each.type}"), len(each.ids)
        kind = of_gmsh(each.type)
        if dimension(each.type) < highest:
            draft.note(name, "elements of lower dimension make node sets only", place, count, severity="harmless")
            continue
        if kind is None:
            draft.note(name, "elements of this kind are left out", place, count)
            continue
        fresh = np.ones(count, dtype=bool)
        if repeated and several:
            known = seen.setdefault(each.type, set())
            for i, row in enumerate(map(tuple, each.nodes.tolist())):
                fresh[i] = row not in known
                known.add(row)
            if not fresh.all():
                why, again = "elements that stand in several groups are taken once", int((~fresh).sum())
                draft.note(name, why, place, again, severity="harmless")
        key = each.groups[0] if each.groups else 0
        nodes = in_our_order(each.nodes[fresh], kind.gmsh_order)
        draft.add_elements(
            kind.name, each.ids[fresh], nodes, file.path, np.full(len(nodes), line), np.full(len(nodes), key)
        )
    return highest


def _sets(draft: Draft, data: MshData, highest: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Nodes of every physical group, and elements of those of the highest dimension."""
    members: dict[tuple[int, int], list[Elements]] = {}
    for each in data.elements:
        for group in each.groups:
            members.setdefault((dimension(each.type), group), []).append(each)
    nodes, elements = {}, {}
    taken: set[str] = set()
    for (level, group), parts in sorted(members.items()):
        name = data.names.get((level, group), f"{('point', 'curve', 'surface', 'volume')[level]} {group}")
        if name in taken:
            name = f"{name} {('point', 'curve', 'surface', 'volume')[level]}"
        taken.add(name)
        used = np.unique(np.concatenate([part.nodes.ravel() for part in parts]))
        nodes[name] = draft.index(used, f"physical group {name!r}", (draft.path, 0))
        if level == highest:
            ids = np.concatenate([part.ids for part in parts])
            elements[name] = _first_of_each(draft, parts, ids)
    return nodes, elements


def _first_of_each(draft: Draft, parts: list[Elements], ids: np.ndarray) -> np.ndarray:
    """Element numbers; of elements that were saved once per group, the number under which they are kept."""
    if (draft.elements.find(ids) >= 0).all():
        return np.sort(ids)
    kept = {tuple(sorted(row)): int(e) for b in draft.batches for e, row in zip(b.ids, b.nodes.tolist())}
    rows = [tuple(sorted(row)) for part in parts for row in part.nodes.tolist()]
    return np.unique(np.array([kept[row] for row in rows if row in kept], dtype=np.int64))
