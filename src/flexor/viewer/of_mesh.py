"""The scene of a mesh: its surface, with what the reader and the check of its elements say."""

from __future__ import annotations

import numpy as np

from flexor.elements.quality import quality
from flexor.mesh.mesh import Mesh
from flexor.reduce.meshed_body import MeshedBody
from flexor.spatial import Pose
from flexor.viewer.buffers import Buffers
from flexor.viewer.glyph_size import GLYPH
from flexor.viewer.mesh_picture import body_skin, mesh_header
from flexor.viewer.picture import header_of, pose_row
from flexor.viewer.primitive import points_of
from flexor.viewer.scene import Scene, header
from flexor.viewer.skin import MeshSkin


def mesh_body(mesh: Mesh) -> tuple[MeshedBody, MeshSkin]:
    """A mesh as a body without interfaces, and its surface."""
    made = MeshedBody(
        name=mesh.title or "mesh",
        interfaces=(),
        points=np.zeros((0, 3)),
        nodes=mesh.points,
        node_ids=mesh.node_ids,
        node_dofs=np.zeros((len(mesh.points), 6), dtype=int),
        mesh=mesh,
    )
    return made, body_skin(made)


def scene_of_mesh(mesh: Mesh) -> Scene:
    buffers = Buffers()
    made, skin = mesh_body(mesh)
    name = made.name
    body = header_of(name, "modal", 0, mesh=mesh_header(made, skin, buffers, modes=0, z=-1, shapes=None, fields=()))
    found = quality(mesh)
    blocks = [[f"block {i + 1}", repr(block)] for i, block in enumerate(mesh.blocks)]
    sets = [[f"node set {each}", f"{len(nodes)} nodes"] for each, nodes in mesh.node_sets.items()]
    body["properties"] = [["nodes", str(len(mesh.points))], ["elements", str(mesh.n_elements)], *blocks, *sets]
    ground = header_of("ground", "ground", 0, pose=-1)
    row = pose_row(Pose())[None].astype(np.float32)
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    told = header(
        "mesh",
        name,
        summary=[["mesh", name], *body["properties"], ["quality", str(found)]],
        warnings=[{"text": str(note), "time": None} for note in mesh.notes],
        times={"buffer": buffers.add(np.zeros(1), "f8")["buffer"], "count": 1},
        frames={"count": 1, "width": 7},
        box=points_of([low, high]),
        glyph_size=GLYPH * float(np.linalg.norm(high - low) or 1.0),
        bodies=[ground, body],
    )
    return Scene(told, buffers, lambda first, count: row[first : first + count])
