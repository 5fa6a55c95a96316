"""Spot welds: short round beams between two sheets, each end carried by the nodes of a patch.   FTG A.9.1

The ends of the beam are the projections of a point onto the two patches; they move with the weighted average of the
patches' nodes, so that the weld spreads its forces over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
from pydantic import Field

from flexor.declaration import Declaration, Length, Point
from flexor.errors import ModelError, Problem
from flexor.mesh.beam_section import Circle
from flexor.mesh.mesh import AverageLink, Block, Mesh

_SHELLS = ("shell3", "shell4")


class SpotWeld(Declaration):
    """A spot weld between two patches of nodes."""

    noun: ClassVar[str] = "spot weld"
    positional: ClassVar[tuple[str, ...]] = ("at", "patches", "diameter", "material")
    at: Point = Field(description="A point at the weld; its ends are the projections onto the patches [m].")
    patches: tuple[tuple[int, ...], tuple[int, ...]] = Field(
        description="Node numbers of both sheets' patches, usually the corners of the elements that it pierces."
    )
    diameter: Length = Field(description="Diameter of the weld [m].", gt=0)
    material: str = Field(description="Name of its material in the mesh.")
    length: Length | None = Field(None, description="Effective length for its stiffness; the true one if left out [m].")


def add_spot_welds(mesh: Mesh, welds: Iterable[SpotWeld]) -> Mesh:
    """The mesh with a beam and two average links for each weld."""
    points, links = [mesh.points], list(mesh.average_links)
    groups: dict[tuple[str, float], list[tuple[tuple[int, int], np.ndarray, float]]] = {}
    n = len(mesh.points)
    for weld in welds:
        patches = [tuple(mesh.index_of(number) for number in patch) for patch in weld.patches]
        (first, normal), (second, _) = (_projection(mesh.points[list(patch)], weld) for patch in patches)
        distance = float(np.linalg.norm(second - first))
        length = weld.length if weld.length is not None else distance
        if length <= 1e-9 * weld.diameter:
            raise _refused(weld, "its sheets touch", "its beam has no length", "give it an effective length")
        x = (second - first) / distance if distance > 1e-9 * weld.diameter else normal
        points += [first[None], second[None]]
        links += [AverageLink(node=n + i, independents=patch) for i, patch in enumerate(patches)]
        groups.setdefault((weld.material, weld.diameter), []).append(((n, n + 1), _axes(x), length))
        n += 2
    blocks, sections = list(mesh.blocks), dict(mesh.sections)
    number = 1 + max((int(np.max(block.ids)) for block in mesh.blocks if len(block.ids)), default=0)
    for (material, diameter), beams in groups.items():
        name = f"spot weld {diameter:g}"
        sections[name] = Circle(diameter / 2)
        nodes, axes, lengths = (np.array(column) for column in zip(*beams))
        ids = number + np.arange(len(beams))
        blocks.append(Block("beam2", nodes, ids, material, name, axes, {"length": lengths}))
        number += len(beams)
    added = 1 + int(np.max(mesh.node_ids, initial=0)) + np.arange(n - len(mesh.points))
    return replace(
        mesh,
        points=np.concatenate(points),
        node_ids=np.concatenate([mesh.node_ids, added]),
        blocks=tuple(blocks),
        sections=sections,
        average_links=tuple(links),
    )


def pierced(mesh: Mesh, point: Sequence[float], elements: str | None = None) -> tuple[int, ...]:
    """Node numbers of the shell element nearest to a point, among those of an element set if one is named."""
    chosen = None if elements is None else np.asarray(mesh.element_sets[elements])
    best: tuple[float, tuple[int, ...]] = (np.inf, ())
    for block in mesh.blocks:
        rows = np.arange(len(block.ids)) if chosen is None else np.flatnonzero(np.isin(block.ids, chosen))
        if block.element not in _SHELLS or not len(rows):
            continue
        distance = _distance(mesh.points[block.nodes[rows]], np.asarray(point, dtype=float))
        row = int(np.argmin(distance))
        if distance[row] < best[0]:
            best = float(distance[row]), tuple(int(i) for i in mesh.node_ids[block.nodes[rows[row]]])
    if not best[1]:
        where = f"element set '{elements}'" if elements else "mesh"
        raise ModelError(Problem(where, "it has no shells", "a spot weld joins sheets", "name a set of shell elements"))
    return best[1]


def _projection(X: np.ndarray, weld: SpotWeld) -> tuple[np.ndarray, np.ndarray]:
    """The weld's point projected onto the plane that fits the nodes best, and that plane's normal."""
    centre = X.mean(axis=0)
    _, size, axes = np.linalg.svd(X - centre)
    if len(X) < 3 or size[1] < 1e-6 * size[0]:
        raise _refused(weld, "a patch has no area", "its nodes lie on one line", "name three or more nodes of a sheet")
    normal = axes[2]
    point = np.asarray(weld.at)
    return point - normal * (normal @ (point - centre)), normal


def _distance(X: np.ndarray, point: np.ndarray) -> np.ndarray:
    """(m,) distance of a point from triangles or quadrilaterals (as two triangles each)."""
    corners = [[0, 1, 2]] if X.shape[1] == 3 else [[0, 1, 2], [0, 2, 3]]
    return np.min([_from_triangle(X[:, three], point) for three in corners], axis=0)


def _from_triangle(X: np.ndarray, p: np.ndarray) -> np.ndarray:
    a, b, c = X[:, 0], X[:, 1], X[:, 2]
    normal = np.cross(b - a, c - a)
    inside = np.ones(len(a), dtype=bool)
    to_edges = np.full(len(a), np.inf)
    for start, end in ((a, b), (b, c), (c, a)):
        side, to_point = end - start, p - start
        inside &= np.einsum("mi,mi->m", np.cross(side, to_point), normal) >= 0
        along = np.clip(np.einsum("mi,mi->m", to_point, side) / np.einsum("mi,mi->m", side, side), 0, 1)
        to_edges = np.minimum(to_edges, np.linalg.norm(to_point - along[:, None] * side, axis=1))
    height = np.abs(np.einsum("mi,mi->m", p - a, normal)) / np.linalg.norm(normal, axis=1)
    return np.where(inside, height, to_edges)


def _axes(x: np.ndarray) -> np.ndarray:
    """(3, 3) axes as columns with the first along x."""
    y = np.cross(x, np.eye(3)[np.argmin(np.abs(x))])
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=-1)


def _refused(weld: SpotWeld, what: str, why: str, fix: str) -> ModelError:
    return ModelError(Problem("spot weld at " + ", ".join(f"{c:g}" for c in weld.at), what, why, fix))
