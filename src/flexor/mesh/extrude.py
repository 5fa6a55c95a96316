"""Plane patches drawn out along an axis, and the mesh made of patches: shared by the generators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.materials import Steel
from flexor.materials.material import Material
from flexor.mesh.made_of import as_material
from flexor.mesh.mesh import Block, Mesh
from flexor.mesh.patch import Patch, mesh_patches
from flexor.mesh.section import Section
from flexor.units import si

Value = float | str
"""A number in SI units, or text with a unit."""


def extruded(
    sections: Sequence[Patch],
    length: float,
    along: int,
    axis: str,
    element: str,
    material: Material | str | None,
    radii: Mapping[str, float] | None = None,
) -> Mesh:
    """Plane patches drawn out along an axis; radii: names of cylindrical surfaces about it."""

    def drawn(section: Patch) -> Patch:
        return Patch(
            (*section.divisions, along), lambda s: lifted(axis, section.position(s[..., :2]), s[..., 2] * length)
        )

    points, nodes = mesh_patches([drawn(section) for section in sections], element)
    x = points[:, "xyz".index(axis)]
    sides = {"start": x, "end": x - length}
    r = np.sqrt(np.maximum((points**2).sum(axis=1) - x**2, 0))
    sides.update({name: r - radius for name, radius in (radii or {}).items()})
    return mesh_of(points, nodes, element, material, sides)


def lifted(axis: str, plane: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Plane coordinates (…, 2) and height along an axis, as positions; x y z stay in cyclic order."""
    if axis not in ("x", "y", "z"):
        raise ModelError(Problem("mesh generator", f"'{axis}' is no axis", "", "use x, y or z"))
    return np.roll(in_space(plane[..., 0], plane[..., 1], z), "xyz".index(axis) + 1, axis=-1)


def in_space(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    return np.stack([x, y, z], axis=-1)


def mesh_of(
    points: np.ndarray,
    nodes: np.ndarray,
    element: str,
    material: Material | str | None,
    sides: Mapping[str, np.ndarray],
    section: Section | None = None,
    orientation: np.ndarray | None = None,
) -> Mesh:
    """sides: set name → distance of each node from that face."""
    size = float(np.ptp(points, axis=0).max())
    block = Block(
        element,
        nodes,
        np.arange(1, len(nodes) + 1),
        material="material",
        section=None if section is None else "section",
        orientation=orientation,
    )
    return Mesh(
        points=points,
        node_ids=np.arange(1, len(points) + 1),
        blocks=(block,),
        materials={"material": Steel() if material is None else as_material(material)},
        sections={} if section is None else {"section": section},
        node_sets={name: np.flatnonzero(np.abs(off) < 1e-7 * size) for name, off in sides.items()},
    )


def positive_lengths(values: Sequence[Value], n: int) -> np.ndarray:
    lengths = np.array([si(v, "length") for v in values], dtype=float)
    if len(lengths) != n or not np.all(lengths > 0):
        what = f"the lengths {tuple(values)} do not make a body"
        raise ModelError(Problem("mesh generator", what, f"it needs {n}, all above zero", "e.g. '0.1 m'"))
    return lengths


def whole_divisions(values: Sequence[int], n: int) -> tuple[int, ...]:
    if len(values) != n or any(int(v) != v or v < 1 for v in values):
        what = f"the divisions {tuple(values)} do not fit"
        raise ModelError(Problem("mesh generator", what, f"it needs {n} whole numbers", "e.g. 4"))
    return tuple(int(v) for v in values)
