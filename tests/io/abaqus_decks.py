"""A cube in Abaqus keywords and the reading of a deck, as the tests of Abaqus input files share them."""

from __future__ import annotations

from pathlib import Path

from flexor.io import read_mesh
from flexor.mesh import Mesh

CUBE = """*HEADING
a cube
** comment
*NODE, NSET=Everything
1, 0., 0., 0.
2, 1., 0., 0.
3, 1., 1., 0.
4, 0., 1., 0.
15, 0., 0., 1.
16, 1., 0., 1.
17, 1., 1., 1.
18, 0., 1., 1.
*ELEMENT, TYPE=C3D8I, ELSET=Body
1, 1, 2, 3, 4, 15, 16, 17, 18
"""
STEEL = """*MATERIAL, NAME=Steel
*ELASTIC
2.1e11, 0.3
*DENSITY
7850.
"""
SOLID = STEEL + "*SOLID SECTION, ELSET=body, MATERIAL=STEEL\n"


def read(tmp_path: Path, text: str, **options: str) -> Mesh:
    path = tmp_path / "deck.inp"
    path.write_text(text)
    return read_mesh(path, **options)


def ids(mesh: Mesh, name: str) -> list[int]:
    return mesh.node_ids[mesh.node_sets[name]].tolist()
