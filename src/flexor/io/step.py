"""STEP geometry, meshed with tetrahedra by Netgen (optional extra `flexor[step]`)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexor.errors import FileError, Problem
from flexor.materials.material import Material
from flexor.mesh.made_of import as_material
from flexor.mesh.mesh import Block, Mesh
from flexor.units import Quantity, si

MILLIMETRE = 1e-3
"""Netgen converts STEP lengths to millimetres."""


def mesh_step(
    path: str | Path, size: Quantity, *, element: str = "tet10", material: Material | str | None = None
) -> Mesh:
    """A solid from a STEP file, meshed with tet10 (or tet4) elements of about the given size [m].

    path: the STEP file.   size: largest edge of an element, e.g. "4 mm".   element: "tet10" or "tet4".
    material: of the solid, e.g. fx.Steel(); it may also be given later.

    Every face of the geometry becomes a node set: face1, face2, …, numbered as in the file.
    """
    path = Path(path)
    if element not in ("tet4", "tet10"):
        raise FileError(Problem(str(path), f"element {element!r} cannot be made", "", "choose tet10 or tet4"))
    if not path.is_file():
        raise FileError(Problem(str(path), "there is no such file", "", "check the path"))
    try:
        from netgen.occ import OCCGeometry
    except ImportError:
        raise FileError(
            Problem(str(path), "STEP files need Netgen", "it is not installed", "pip install 'flexor[step]'")
        ) from None
    try:
        meshed = OCCGeometry(str(path)).GenerateMesh(maxh=si(size, "length") / MILLIMETRE)
        if element == "tet10":
            meshed.SecondOrder()
    except Exception as error:
        raise FileError(
            Problem(str(path), "it could not be meshed", str(error).strip() or "Netgen gave up", "check the geometry")
        ) from None
    points = MILLIMETRE * np.array([point.p for point in meshed.Points()]).reshape(-1, 3)
    count = 10 if element == "tet10" else 4
    nodes = np.asarray(meshed.Elements3D().NumPy()["nodes"], dtype=np.int64)[:, :count] - 1
    if not len(nodes):
        raise FileError(Problem(str(path), "it holds no solid", "only surfaces or curves were found", "export a solid"))
    nodes = _ordered(points, nodes)
    surface = meshed.Elements2D().NumPy()
    corners = np.asarray(surface["nodes"], dtype=np.int64)
    sets = {
        f"face{face}": np.unique(corners[surface["index"] == face][corners[surface["index"] == face] > 0]) - 1
        for face in np.unique(surface["index"]).tolist()
    }
    used = np.zeros(len(points), dtype=bool)
    used[nodes] = True
    number = np.cumsum(used) - 1
    return Mesh(
        points=points[used],
        node_ids=np.arange(1, used.sum() + 1),
        blocks=(Block(element, number[nodes], np.arange(1, len(nodes) + 1), "material" if material else None),),
        materials={"material": as_material(material)} if material else {},
        node_sets={name: number[indices[used[indices]]] for name, indices in sets.items()},
        title=path.stem,
    )


def _ordered(points: np.ndarray, nodes: np.ndarray) -> np.ndarray:
    """Flexor's node order: positive volume, mid-side nodes on the edges 01, 12, 20, 03, 13, 23, found by position."""
    a, b, c, d = (points[nodes[:, i]] for i in range(4))
    flipped = np.einsum("ij,ij->i", np.cross(b - a, c - a), d - a) < 0
    nodes = nodes.copy()
    nodes[flipped, 1], nodes[flipped, 2] = nodes[flipped, 2], nodes[flipped, 1].copy()
    if nodes.shape[1] == 4:
        return nodes
    corners = points[nodes[:, :4]]
    rest = nodes[:, 4:].copy()
    middles = points[rest]
    for place, (i, j) in enumerate(((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))):
        on_edge = 0.5 * (corners[:, i] + corners[:, j])
        nearest = np.linalg.norm(middles - on_edge[:, None], axis=2).argmin(axis=1)
        nodes[:, 4 + place] = rest[np.arange(len(rest)), nearest]
    return nodes
