"""Gmsh meshes: versions 2.2 and 4.1, text and binary."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import read_mesh

# two tetrahedra on the triangle 2, 3, 4, with a named face and a named point
POINTS = {1: (0, 0, 0), 2: (1, 0, 0), 3: (0, 1, 0), 4: (0, 0, 1), 9: (1, 1, 1)}
NAMES = '$PhysicalNames\n3\n0 5 "tip"\n2 3 "root"\n3 1 "body"\n$EndPhysicalNames\n'
ELEMENTS = [(1, 15, 5, (9,)), (2, 2, 3, (1, 3, 2)), (7, 4, 1, (1, 2, 3, 4)), (8, 4, 1, (2, 3, 4, 9))]


def msh2() -> str:
    nodes = "".join(f"{n} {x} {y} {z}\n" for n, (x, y, z) in POINTS.items())
    rows = "".join(f"{n} {t} 2 {g} 1 {' '.join(map(str, own))}\n" for n, t, g, own in ELEMENTS)
    head = f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n{NAMES}$Nodes\n{len(POINTS)}\n{nodes}$EndNodes\n"
    return f"{head}$Elements\n{len(ELEMENTS)}\n{rows}$EndElements\n"


def msh4() -> str:
    entities = "1 0 1 1\n1 1 1 1 1 5 \n1 0 0 0 1 1 0 1 3 0 \n1 0 0 0 1 1 1 1 1 1 1 \n"
    tags = "".join(f"{n}\n" for n in POINTS)
    nodes = "".join(f"{x} {y} {z}\n" for x, y, z in POINTS.values())
    blocks = ["0 1 15 1\n1 9\n", "2 1 2 1\n2 1 3 2\n", "3 1 4 2\n7 1 2 3 4\n8 2 3 4 9\n"]
    return (
        f"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n{NAMES}$Entities\n{entities}$EndEntities\n"
        f"$Nodes\n1 5 1 9\n3 1 0 5\n{tags}{nodes}$EndNodes\n$Elements\n3 4 1 8\n{''.join(blocks)}$EndElements\n"
    )


def msh2_binary(order: str = "<") -> bytes:
    data = b"$MeshFormat\n2.2 1 8\n" + struct.pack(order + "i", 1) + b"\n$EndMeshFormat\n" + NAMES.encode()
    data += (
        b"$Nodes\n5\n"
        + b"".join(struct.pack(order + "i3d", n, *p) for n, p in POINTS.items())
        + b"\n$EndNodes\n$Elements\n4\n"
    )
    for number, kind, group, own in ELEMENTS:
        data += struct.pack(f"{order}3i{3 + len(own)}i", kind, 1, 2, number, group, 1, *own)
    return data + b"\n$EndElements\n"


def msh4_binary(order: str = "<") -> bytes:
    def pack(kinds: str, *values: float) -> bytes:
        return struct.pack(order + kinds, *values)

    data = b"$MeshFormat\n4.1 1 8\n" + pack("i", 1) + b"\n$EndMeshFormat\n" + NAMES.encode() + b"$Entities\n"
    data += pack("4q", 1, 0, 1, 1) + pack("i3dqi", 1, 1, 1, 1, 1, 5)
    data += pack("i6dqi", 1, *[0.0] * 6, 1, 3) + pack("q", 0) + pack("i6dqi", 1, *[0.0] * 6, 1, 1) + pack("qi", 1, 1)
    data += b"\n$EndEntities\n$Nodes\n" + pack("4q", 1, 5, 1, 9) + pack("3iq", 3, 1, 0, 5)
    data += pack("5q", *POINTS) + b"".join(pack("3d", *p) for p in POINTS.values()) + b"\n$EndNodes\n$Elements\n"
    data += pack("4q", 3, 4, 1, 8)
    for dimension, kind, members in ((0, 15, ELEMENTS[:1]), (2, 2, ELEMENTS[1:2]), (3, 4, ELEMENTS[2:])):
        data += pack("3iq", dimension, 1, kind, len(members))
        data += b"".join(pack(f"{1 + len(own)}q", number, *own) for number, _, _, own in members)
    return data + b"\n$EndElements\n"


FILES = {
    "2.2 text": msh2().encode(),
    "4.1 text": msh4().encode(),
    "2.2 binary": msh2_binary(),
    "4.1 binary": msh4_binary(),
    "2.2 big-endian": msh2_binary(">"),
    "4.1 big-endian": msh4_binary(">"),
    "4.1 dos": msh4().replace("\n", "\r\n").encode(),
}


@pytest.mark.parametrize("kind", FILES)
def test_two_tetrahedra(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "two.msh"
    path.write_bytes(FILES[kind])
    mesh = read_mesh(path)
    assert mesh.node_ids.tolist() == list(POINTS)
    np.testing.assert_array_equal(mesh.points, list(POINTS.values()))
    (block,) = mesh.blocks
    assert (block.element, block.ids.tolist()) == ("tet4", [7, 8])
    assert mesh.node_ids[block.nodes].tolist() == [[1, 2, 3, 4], [2, 3, 4, 9]]
    sets = {name: sorted(mesh.node_ids[nodes].tolist()) for name, nodes in mesh.node_sets.items()}
    assert sets == {"tip": [9], "root": [1, 2, 3], "body": [1, 2, 3, 4, 9]}
    assert {name: ids.tolist() for name, ids in mesh.element_sets.items()} == {"body": [7, 8]}
    notes = "\n".join(mesh.notes)
    assert "triangle: elements of lower dimension make node sets only" in notes
    assert "point: elements of lower dimension" in notes


def test_units(tmp_path: Path) -> None:
    (tmp_path / "two.msh").write_bytes(FILES["4.1 text"])
    assert read_mesh(tmp_path / "two.msh", units="mm-t-s").points.max() == pytest.approx(1e-3)


def test_surface_meshes_are_shells(tmp_path: Path) -> None:
    text = msh2().replace("4\n1 15 2 5 1 9\n", "1\n").partition("7 4 2")[0] + "$EndElements\n"
    (tmp_path / "skin.msh").write_text(text)
    assert [block.element for block in read_mesh(tmp_path / "skin.msh").blocks] == ["shell3"]


def test_an_element_of_two_groups_is_taken_once(tmp_path: Path) -> None:
    text = msh2().replace("$Elements\n4\n", "$Elements\n5\n").replace("$EndElements", "9 4 2 6 1 1 2 3 4\n$EndElements")
    (tmp_path / "two.msh").write_text(text)
    mesh = read_mesh(tmp_path / "two.msh")
    assert mesh.n_elements == 2
    assert {name: ids.tolist() for name, ids in mesh.element_sets.items()} == {"body": [7, 8], "volume 6": [7]}
    assert any("several groups are taken once" in note for note in mesh.notes)


def test_complete_quadratic_elements_lose_their_inner_nodes(tmp_path: Path) -> None:
    corner = np.array([(x, y, z) for z in (0, 2) for x, y in ((0, 0), (2, 0), (2, 2), (0, 2))], dtype=float)
    edges = ((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7))
    faces = ((0, 1, 2, 3), (0, 1, 4, 5), (0, 3, 4, 7), (1, 2, 5, 6), (2, 3, 6, 7), (4, 5, 6, 7))
    X = [*corner, *(corner[list(e)].mean(0) for e in edges), *(corner[list(f)].mean(0) for f in faces), corner.mean(0)]
    nodes = "".join(f"{i + 1} {x} {y} {z}\n" for i, (x, y, z) in enumerate(X))
    row = "1 12 2 1 1 " + " ".join(str(i + 1) for i in range(27))
    head = f"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n27\n{nodes}$EndNodes\n"
    (tmp_path / "one.msh").write_text(head + f"$Elements\n1\n{row}\n$EndElements\n")
    mesh = read_mesh(tmp_path / "one.msh")
    assert (mesh.blocks[0].element, len(mesh.points)) == ("hex20", 20)
    assert any("hexahedron of 27 nodes: taken with 20 nodes" in note for note in mesh.notes)


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, kind: str) -> None:
    data = FILES[kind]
    path = tmp_path / "cut.msh"
    whole = len(data.rstrip())
    for end in [*range(1, whole - 12, 7), whole - 13]:
        path.write_bytes(data[:end])
        with pytest.raises(FileError):
            read_mesh(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("2.2 0 8", "1.0 0 8", "version 1.0"),
        ("2.2 0 8", "4 0 8", "version 4 "),
        ("$Nodes\n5\n", "$Nodes\n6\n", "Nodes.*too early"),
        ("$Nodes\n5\n", "$Nodes\n4\n", "more numbers than it says"),
        ("$Elements\n4\n", "$Elements\n5\n", "Elements ends too early"),
        ("7 4 2 1 1 1 2 3 4", "7 4 2 1 1 1 2 3 44", "element 7 refers to node 44"),
        ("7 4 2 1 1 1 2 3 4", "8 4 2 1 1 1 2 3 4", "element 8 is given twice"),
        ("2 1 0 0\n", "1 1 0 0\n", "node 1 is given twice"),
        ("2 1 0 0\n", "2 1 0 zero\n", r"'zero' is not a number.*two.msh:13\)"),
        ("7 4 2 1 1", "7 999 2 1 1", "element type 999"),
        ('2 3 "root"', "2 3 root", r"PhysicalNames.*two.msh:7\)"),
        ("$EndNodes\n", "", "Nodes"),
        ("$Elements", "$Stuff", "Elements is missing"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in msh2()
    (tmp_path / "two.msh").write_text(msh2().replace(old, new, 1))
    with pytest.raises(FileError, match=message):
        read_mesh(tmp_path / "two.msh")


def test_kinds_that_are_left_out_are_told(tmp_path: Path) -> None:
    text = (
        msh2().replace("$Elements\n4\n", "$Elements\n5\n").replace("$EndElements", "9 7 2 1 1 1 2 3 4 9\n$EndElements")
    )
    (tmp_path / "two.msh").write_text(text + "$NodeData\n1\n$EndNodeData\n")
    notes = "\n".join(read_mesh(tmp_path / "two.msh").notes)
    assert "pyramid: elements of this kind are left out" in notes
    assert "$NodeData: not part of a mesh" in notes
