"""Parts that are one layer of linear tetrahedra or wedges thick: such elements hardly bend."""

from __future__ import annotations

import numpy as np

from flexor.elements.assembly.batches import kind_of
from flexor.elements.faces import outer_faces
from flexor.mesh.mesh import Mesh

HARDLY_BEND = {"tet4": "tet10", "wedge6": "wedge15"}
"""Elements of constant strain over the thickness, and those that bend."""
MANY = 200_000
"""Elements beyond which a mesh is not looked at."""


def one_layer(mesh: Mesh) -> dict[str, int]:
    """Number of elements by kind that hardly bend, if most of them have all their nodes on the surface of the body.

    Across one such element strain is constant, while bending needs tension on one side and compression on the other: a plate of
    1 : 100 made of one layer of tet4 is 27 times too stiff. (hex8 have modes of their own for bending.)
    """
    blocks = [block for block in mesh.blocks if kind_of(block).name in HARDLY_BEND]
    count = sum(len(block.nodes) for block in blocks)
    if not 0 < count <= MANY:
        return {}
    outside = np.zeros(len(mesh.points), dtype=bool)
    for faces in outer_faces(mesh):
        outside[faces.ravel()] = True
    thin = sum(int(outside[np.asarray(block.nodes)].all(axis=1).sum()) for block in blocks)
    if thin <= 0.5 * count:
        return {}
    found: dict[str, int] = {}
    for block in blocks:
        name = kind_of(block).name
        found[name] = found.get(name, 0) + len(block.nodes)
    return found
