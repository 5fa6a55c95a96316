"""A block of elements in portions: positions and properties as the element kinds take them, memory bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from flexor.elements import ELEMENTS, Element, Properties, by_name
from flexor.elements.shells.shell import Shell
from flexor.elements.solids.gradient_stiffness import VOIGT
from flexor.elements.solids.isoparametric import Solid
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Block, Mesh

T = TypeVar("T")
_BYTES = 2_000_000  # of element matrices in one portion: they stay in the processor's cache


@dataclass(frozen=True)
class Batch:
    """Some elements of a block: `rows` of it, node positions X (m, k, 3) and properties."""

    kind: type[Element]
    rows: slice
    nodes: np.ndarray
    X: np.ndarray
    properties: Properties


def kind_of(block: Block) -> type[Element]:
    """The element class of a block."""
    kind = by_name.get(block.element)
    if kind is None:
        known = ", ".join(by_name)
        raise ModelError(Problem("mesh", f"there is no element '{block.element}'", "", f"use one of {known}"))
    nodes = np.asarray(block.nodes)
    if nodes.ndim != 2 or nodes.shape[1] != kind.n_nodes:
        what = f"{block.element} elements are listed with nodes of shape {nodes.shape}"
        raise ModelError(Problem("mesh", what, f"the kind has {kind.n_nodes} nodes"))
    return kind


def batches(mesh: Mesh, block: Block, options: Mapping[str, object] | None = None) -> Iterator[Batch]:
    """The elements of a block, some hundreds at a time."""
    kind = kind_of(block)
    properties = properties_of(mesh, block, options)
    size = max(1, _BYTES // (8 * (kind.n_nodes * kind.dofs) ** 2))
    for start in range(0, len(block.nodes), size):
        rows = slice(start, min(start + size, len(block.nodes)))
        nodes = block.nodes[rows]
        yield Batch(kind, rows, nodes, mesh.points[nodes], _some(properties, rows, len(block.nodes)))


def check_options(options: Mapping[str, object] | None) -> None:
    """Refuse options that no element knows."""
    known = {name for kind in ELEMENTS for name in getattr(kind, "options", {})}
    for name in set(options or {}) - known:
        fix = f"use one of {', '.join(sorted(known))}"
        raise ModelError(Problem("element options", f"no element has an option '{name}'", "", fix))


def properties_of(mesh: Mesh, block: Block, options: Mapping[str, object] | None = None) -> Properties:
    """Material, section and options of the elements of a block."""
    where = f"{block.element} elements {block.ids[0]}…{block.ids[-1]}" if len(block.ids) else block.element
    material = _named(mesh.materials, block.material, "material", where)
    section = _named(mesh.sections, block.section, "section", where)
    if material is None and issubclass(kind_of(block), Solid):
        fix = "give one: --material steel on the command line, material=Steel() in Python, material: steel in a model file"
        raise ModelError(Problem(where, "the elements have no material", "a solid needs its stiffness", fix))
    D, density = np.zeros((1, 6, 6)), 0.0
    if material is not None:
        D, density = turned(material.stiffness(), block.orientation), material.density
    return Properties(
        D=D,
        density=np.array([density]),
        material=material,
        section=section,
        orientation=block.orientation,
        data={**_surroundings(mesh, block), **block.data},
        options=dict(options or {}),
    )


def _surroundings(mesh: Mesh, block: Block) -> dict[str, np.ndarray]:
    """What elements need to know of those around them: shells the curvature of their surface."""
    if not issubclass(kind_of(block), Shell) or not len(block.nodes):
        return {}
    from flexor.elements.shells.curvature import facet_curvature  # loads SciPy

    near = np.zeros(len(mesh.points), dtype=bool)
    near[block.nodes] = True
    shells = [np.asarray(b.nodes) for b in mesh.blocks if issubclass(kind_of(b), Shell)]
    surface = [nodes[near[nodes].any(axis=1)] for nodes in shells]
    return {"curvature": facet_curvature(mesh.points, np.asarray(block.nodes), surface)}


def turned(D: np.ndarray, orientation: np.ndarray | None) -> np.ndarray:
    """(m|1, 6, 6) elasticity in global axes of a material whose axes are the columns of R (m, 3, 3).

    σ = R σ' Rᵀ in six components reads σ = T σ', and T D' Tᵀ follows because strain energy does not change.
    """
    isotropic = np.allclose(D[3:, 3:], np.eye(3) * (D[0, 0] - D[0, 1]) / 2) and np.allclose(
        D[:3, :3], D[0, 1] + np.eye(3) * (D[0, 0] - D[0, 1])
    )
    if orientation is None or isotropic:
        return D[None]
    R = np.asarray(orientation, dtype=float)
    T = np.zeros((len(R), 6, 6))
    for i in range(3):
        for j in range(i, 3):
            for a in range(3):
                for b in range(3):
                    T[:, VOIGT[i, j], VOIGT[a, b]] += R[:, i, a] * R[:, j, b]
    return T @ D @ T.transpose(0, 2, 1)


def _named(table: Mapping[str, T], name: str | None, what: str, where: str) -> T | None:
    if name is None:
        return None
    if name not in table:
        listed = ", ".join(map(str, table)) or "none"
        raise ModelError(Problem(where, f"the mesh has no {what} '{name}'", f"it has {listed}", "name one of them"))
    return table[name]


def _some(p: Properties, rows: slice, n: int) -> Properties:
    """The properties of some of n elements; arrays with one entry per element are cut, others kept."""

    def cut(value: np.ndarray) -> np.ndarray:
        return value[rows] if isinstance(value, np.ndarray) and value.ndim and len(value) == n > 1 else value

    data = {name: cut(value) for name, value in p.data.items()}
    orientation = None if p.orientation is None else cut(p.orientation)
    return replace(p, D=cut(p.D), density=cut(p.density), orientation=orientation, data=data)
