"""Abaqus and CalculiX input files: lines, numbers, sets, includes, the one placed part, units; mistakes in them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.elements.assembly.loads import PointLoad
from flexor.errors import FileError
from flexor.io import read_mesh
from flexor.materials import Isotropic
from tests.io.abaqus_decks import CUBE, SOLID, STEEL, ids, read


def test_a_cube(tmp_path: Path) -> None:
    mesh = read(tmp_path, CUBE + SOLID)
    assert mesh.title == "a cube"
    assert mesh.node_ids.tolist() == [1, 2, 3, 4, 15, 16, 17, 18]
    (block,) = mesh.blocks
    assert (block.element, block.material, block.section) == ("hex8", "Steel", None)
    assert block.nodes.tolist() == [[0, 1, 2, 3, 4, 5, 6, 7]]
    assert mesh.materials["Steel"] == Isotropic(2.1e11, 0.3, 7850.0)
    assert ids(mesh, "Everything") == mesh.node_ids.tolist()
    assert mesh.element_sets["Body"].tolist() == [1]
    assert mesh.notes == ()


def test_units_are_converted(tmp_path: Path) -> None:
    text = (
        CUBE + "*MATERIAL, NAME=S\n*ELASTIC\n210000., 0.3\n*DENSITY\n7.85e-9\n*SOLID SECTION, ELSET=Body, MATERIAL=S\n"
    )
    text += "*ELEMENT, TYPE=MASS, ELSET=M\n9, 1\n*MASS, ELSET=M\n2e-3\n"
    text += "*ELEMENT, TYPE=ROTARYI, ELSET=R\n10, 1\n*ROTARY INERTIA, ELSET=R\n5., 6., 7.\n"
    mesh = read(tmp_path, text, units="mm-t-s")
    assert mesh.points.max() == pytest.approx(1e-3)
    assert mesh.materials["S"].young == pytest.approx(2.1e11)
    assert mesh.materials["S"].density == pytest.approx(7850.0)
    assert mesh.masses[0].matrix[0, 0] == pytest.approx(2.0)
    assert np.diag(mesh.masses[1].matrix)[3:] == pytest.approx([5e-3, 6e-3, 7e-3])


def test_sets_listed_generated_and_nested(tmp_path: Path) -> None:
    sets = """*NSET, NSET=A
1, 3,
 15
*NSET, NSET=b, GENERATE
2, 18, 2
*NSET, NSET=C
a, 17
*NSET, NSET=A
4
*NSET, NSET=FromElements, ELSET=body
*ELSET, ELSET=E1, GENERATE
1, 100
*ELSET, ELSET=E2
E1
"""
    mesh = read(tmp_path, CUBE + SOLID + sets)
    assert ids(mesh, "A") == [1, 3, 4, 15]
    assert ids(mesh, "b") == [2, 4, 16, 18]
    assert ids(mesh, "C") == [1, 3, 4, 15, 17]
    assert ids(mesh, "FromElements") == mesh.node_ids.tolist()
    assert mesh.element_sets["E2"].tolist() == [1]


def test_files_are_included(tmp_path: Path) -> None:
    head, _, rest = CUBE.partition("1, 0.")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "nodes.txt").write_text("1, 0." + rest.partition("*ELEMENT")[0])
    (tmp_path / "elements.txt").write_text("1, 1, 2, 3, 4, 15, 16, 17, 18\n")
    text = head + "*INCLUDE, INPUT=sub/nodes.txt\n*ELEMENT, TYPE=C3D8, ELSET=Body, INPUT=elements.txt\n" + SOLID
    mesh = read(tmp_path, text)
    assert (len(mesh.points), mesh.n_elements) == (8, 1)


def test_elements_over_several_lines_and_cylindrical_nodes(tmp_path: Path) -> None:
    text = "*NODE, SYSTEM=C\n1, 2., 90., 5.\n2, 1.\n3, 1., 60.\n4, 1., 0., 1.D0\n*ELEMENT, TYPE=C3D4\n1,2,3,\n1,4\n"
    mesh = read(tmp_path, text)
    np.testing.assert_allclose(mesh.points[0], [0, 2, 5], atol=1e-15)
    np.testing.assert_allclose(mesh.points[3], [1, 0, 1], atol=1e-15)
    assert mesh.node_ids[mesh.blocks[0].nodes[0]].tolist() == [2, 3, 1, 4]
    assert any("no section" in note for note in mesh.notes)


def test_one_instance_is_placed(tmp_path: Path) -> None:
    part = (
        "*PART, NAME=P\n"
        + CUBE.partition("** comment\n")[2]
        + "*SOLID SECTION, ELSET=Body, MATERIAL=Steel\n*END PART\n"
    )
    assembly = """*ASSEMBLY, NAME=A
*INSTANCE, NAME=P-1, PART=P
10., 0., 0.
10., 0., 0., 10., 0., 1., 90.
*END INSTANCE
*NODE
1, 0., 0., 7.
*NSET, NSET=Point
1
*NSET, NSET=Corner, INSTANCE=P-1
1, 2
*NSET, NSET=Same
P-1.18
*END ASSEMBLY
"""
    mesh = read(tmp_path, part + assembly + STEEL)
    np.testing.assert_allclose(mesh.points[1], [10, 1, 0], atol=1e-12)  # shifted, then turned about its corner
    assert mesh.node_ids[-1] == 101
    np.testing.assert_allclose(mesh.points[-1], [0, 0, 7])
    assert [ids(mesh, name) for name in ("Point", "Corner", "Same")] == [[101], [1, 2], [18]]
    assert mesh.blocks[0].material == "Steel"
    two = assembly.replace("*NODE", "*INSTANCE, NAME=P-2, PART=P\n*END INSTANCE\n*NODE")
    with pytest.raises(FileError, match=r"assembly of 2 parts.*flat file"):
        read(tmp_path, part + two + STEEL)


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    text = (
        CUBE
        + SOLID
        + "*ELEMENT, TYPE=C3D20T, ELSET=Body\n"
        + "*ELEMENT, TYPE=CPS4, ELSET=Flat\n8, 1,2,3,4\n9, 1,2,3,\n4\n"
    )
    mesh = read(tmp_path, text + "*TIE, NAME=t\na, b\n*STEP\n*STATIC\n*CLOAD\n1,1,5.\n*END STEP\n*TIE, NAME=u\nc, d\n")
    notes = "\n".join(mesh.notes)
    assert "*ELEMENT, TYPE=CPS4: elements of this kind are left out (2 times, first at" in notes
    assert "*TIE: not supported, left out (2 times, first at" in notes
    assert f"{tmp_path / 'deck.inp'}:26" in notes
    assert "*STATIC: analysis or output" in notes
    assert mesh.loads == (PointLoad(1, force=(5.0, 0, 0)),)
    assert mesh.element_sets["Flat"].tolist() == []


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("2, 1., 0., 0.", "1, 1., 0., 0.", 6, "node 1 is given twice"),
        ("2, 1., 0., 0.", "2, x, 0., 0.", 6, "'x' is not a number"),
        ("2, 1., 0., 0.", "2, nan, 0., 0.", 6, "not a number"),
        ("2, 1., 0., 0.", "2, 1., 0., 0., 0., 0., 0., 9.", 6, "8 values where 7"),
        ("2, 1., 0., 0.", "-2, 1., 0., 0.", 6, "not positive"),
        ("2, 1., 0., 0.", "2.5, 1., 0., 0.", 6, "not a node number"),
        ("17, 18\n", "17, 99\n", 14, "refers to node 99, which does not exist"),
        ("17, 18\n", "17\n", 14, "incomplete.*8 numbers where 9"),
        ("17, 18\n", "17, 18, 19\n", 14, "too long"),
        ("17, 18\n", "17, 18\n1, 1, 2, 3, 4, 15, 16, 17, 18\n", 15, "element 1 is given twice"),
        ("TYPE=C3D8I, ", "", 13, "no TYPE"),
        ("2.1e11, 0.3", "2.1e11, 0.7", 16, "poisson.*0.5|0.5"),
        ("2.1e11, 0.3", "", 16, "incomplete"),
        ("MATERIAL=STEEL", "MATERIAL=GOLD", 20, "material 'GOLD' does not exist"),
        ("ELSET=body", "ELSET=bones", 20, "element set 'bones' does not exist"),
        ("*DENSITY", "*MATERIAL, NAME=steel\n*DENSITY", 18, "given twice"),
        ("** comment", "*NSET, NSET=Loop\nLoop", 4, "contains itself"),
        ("** comment", "*NSET, NSET=N\n77", 3, "node 77"),
        ("** comment", "*NGEN\n1, 5", 3, "NGEN is not read"),
        ("** comment", "*INCLUDE, INPUT=nowhere.inp", 3, "does not exist"),
        ("** comment", "*INCLUDE, INPUT=deck.inp", 3, "includes itself"),
        ("** comment", "*BOUNDARY\n1, 5, 9", 4, ""),
        ("*HEADING\na cube\n", "junk\n*HEADING\n", 1, "before the first keyword"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, line: int, message: str) -> None:
    text = CUBE + SOLID
    assert old in text
    if not message:
        assert any("components beyond 6" in note for note in read(tmp_path, text.replace(old, new)).notes)
        return
    with pytest.raises(FileError, match=message) as caught:
        read(tmp_path, text.replace(old, new, 1))
    assert str(caught.value).endswith(f"deck.inp:{line})")


def test_a_missing_file_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="does not exist"):
        read_mesh(tmp_path / "none.inp")
    with pytest.raises(FileError, match="is empty"):
        read(tmp_path, "\n \n")
    with pytest.raises(FileError, match="folder"):
        read_mesh(tmp_path)
    with pytest.raises(FileError, match="no elements"):
        read(tmp_path, "*NODE\n1, 0., 0., 0.\n")
    with pytest.raises(FileError, match="no nodes"):
        read(tmp_path, "*ELEMENT, TYPE=C3D4\n1,1,2,3,4\n")


def test_the_format_is_found_by_content(tmp_path: Path) -> None:
    path = tmp_path / "mesh.dat"
    path.write_text(CUBE + SOLID)
    assert read_mesh(path).n_elements == 1
    path.write_text("what is this?\n")
    with pytest.raises(FileError, match="cannot be told"):
        read_mesh(path)
