"""Plane patches drawn out along an axis, and the mesh made of patches: shared by the generators."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.materials import Steel
from flexor.materials.material import Material
from flexor.mesh.made_of import as_material
from flexor.mesh.mesh import FARTHEST, Block, Mesh
from flexor.mesh.patch import Patch, mesh_patches
from flexor.mesh.section import Section
from flexor.units import si

MOST_ELEMENTS = 10_000_000
"""Elements that a generator makes; more would not fit into the memory of most computers."""
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
    """(n,) lengths [m], each of which can be one of a part."""
    numbers = [si(v, "length") for v in (values if isinstance(values, list | tuple | np.ndarray) else (values,))]
    if len(numbers) != n or not all(isinstance(each, float) and 0 < each <= FARTHEST for each in numbers):
        what = f"the lengths {values if isinstance(values, tuple) else (values,)} do not make a body"
        why = f"it needs {n} numbers, all above zero and none beyond {FARTHEST:g} m"
        fix = 'e.g. box(("1 m", "0.1 m", "0.1 m"), (10, 2, 2)), plate("1 m", "0.5 m", "5 mm", (10, 5, 1))'
        raise ModelError(Problem("mesh generator", what, why, fix))
    return np.array(numbers)


def corner(at: Sequence[Value]) -> np.ndarray:
    """(3,) position [m] of a part, no farther than parts are."""
    place = [si(v, "length") for v in at]
    if len(place) != 3 or not all(isinstance(each, float) and abs(each) <= FARTHEST for each in place):
        why = f"a place is three lengths, none beyond {FARTHEST:g} m"
        raise ModelError(Problem("mesh generator", f"at = {tuple(at)} is no place", why, "e.g. at=(0, 0, '10 mm')"))
    return np.array(place)


def whole_divisions(values: Sequence[int], n: int) -> tuple[int, ...]:
    """(n,) numbers of elements, which make no more than MOST_ELEMENTS together."""
    given = values if isinstance(values, list | tuple | np.ndarray) else (values,)
    if len(given) != n or not all(
        isinstance(v, int | float | np.number) and float(v).is_integer() and float(v) >= 1 for v in given
    ):
        what = f"the divisions {tuple(given)} do not fit"
        fix = f"e.g. divisions={tuple([10, 4, 2, 2, 2][:n])}"
        raise ModelError(Problem("mesh generator", what, f"it needs {n} whole numbers from 1 on", fix))
    if (count := math.prod(map(int, given))) > MOST_ELEMENTS:
        what = f"the divisions {tuple(given)} make {count:.3g} elements"
        raise ModelError(
            Problem("mesh generator", what, f"at most {MOST_ELEMENTS:g} are made", "divide it less finely")
        )
    return tuple(int(v) for v in given)
