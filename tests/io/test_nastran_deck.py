"""Nastran bulk data: fields, continuations, included files, the frame of the deck, and mistakes in it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.materials import Isotropic
from tests.io.nastran_decks import CUBE, HX1, PSOLID, read, small


def test_a_cube_in_all_fields(tmp_path: Path) -> None:
    mesh = read(tmp_path, CUBE)
    expected = [(x, y, z) for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    order = np.argsort(mesh.node_ids)
    np.testing.assert_allclose(mesh.points[order], expected)
    (block,) = mesh.blocks
    assert (block.element, block.material, block.ids.tolist()) == ("hex8", "MAT1 3", [11])
    assert mesh.node_ids[block.nodes[0]].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert mesh.materials["MAT1 3"] == Isotropic(2.1e11, 0.3, 7850.0)
    assert mesh.element_sets["PSOLID 2"].tolist() == [11]
    assert (mesh.title, mesh.notes) == ("a cube", ())


def test_a_deck_without_frame_and_end(tmp_path: Path) -> None:
    mesh = read(tmp_path, CUBE.partition("BEGIN BULK\n")[2], end=False)
    assert mesh.n_elements == 1
    assert any("ENDDATA: is missing" in note and "deck.bdf:14)" in note for note in mesh.notes)


def test_what_stands_behind_enddata_is_not_read(tmp_path: Path) -> None:
    mesh = read(tmp_path, CUBE + "ENDDATA\nGRID,99,,0.,0.,0.\n")
    assert 99 not in mesh.node_ids


@pytest.mark.parametrize(
    "chexa",
    [
        "CHEXA,11,2,1,2,3,4,5,6,+\n+,7,8\n",
        "CHEXA,11,2,1,2,3,4,5,6,,\n,7,8\n",
        "CHEXA,11,2,1,2,3,4,5,6\n,7,8\n",
        "CHEXA,11,2,1,2,3,4,5,6,7,8\n",  # goes on behind the eighth field
        "CHEXA,11,2,1,2,3,4,5,6,+,7,8\n",
        "CHEXA*  11              2               1               2               *A\n"
        "*A      3               4               5               6               *B\n"
        "*B      7               8\n",
        "CHEXA*,11,2,1,2,*\n*,3,4,5,6,*\n*,7,8\n",
        small("CHEXA", 11, 2, 1, 2, 3, 4, 5, 6) + "\n$ between\n" + small("", 7, 8),
        small("CHEXA", 11, 2, 1, 2, 3, 4, 5, 6, "+HX") + "GRID,9,,5.,5.,5.\n" + small("+HX", 7, 8),
        "CHEXA\t11\t2\t1\t2\t3\t4\t5\t6\n\t7\t8\n",
    ],
)
def test_continuations(tmp_path: Path, chexa: str) -> None:
    first, _, rest = CUBE.partition("CHEXA ")
    mesh = read(tmp_path, first + chexa + "PSOLID" + rest.partition("PSOLID")[2])
    assert mesh.node_ids[mesh.blocks[0].nodes[0]].tolist() == [1, 2, 3, 4, 5, 6, 7, 8]


def test_includes(tmp_path: Path) -> None:
    head, _, bulk = CUBE.partition("$ a cube\n")
    (tmp_path / "grids.inc").write_text(bulk.partition("CHEXA")[0])
    mesh = read(tmp_path, head + "INCLUDE 'gri\nds.inc'\nCHEXA" + bulk.partition("CHEXA")[2])
    assert (len(mesh.points), mesh.n_elements) == (8, 1)
    with pytest.raises(FileError, match=r"'nothing.bdf' does not exist.*deck.bdf:6\)"):
        read(tmp_path, head + "include 'nothing.bdf'\n")


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    cards = "CPYRAM,51,2,1,2,3,4,5\nCPYRAM,52,2,1,2,3,4,6\nCQUAD8,53,2,1,2,3,4,5,6,\n,7,8\n"
    cards += "FORCE,1,1,,1.,1.\nCHEXA,54,2,1,2,3,4,5,6,\n,7,8,1,2\n"
    mesh = read(tmp_path, CUBE + cards)
    notes = "\n".join(mesh.notes)
    assert "CPYRAM: elements of this kind are left out (2 times, first at" in notes
    assert "CQUAD8: elements of this kind are left out" in notes
    assert "LOAD: the case control asks for no loads" in notes
    assert "CHEXA: elements with some mid-side nodes only" in notes
    assert mesh.n_elements == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("grid,4,", "grid,3,", r"node 3 is given twice.*deck.bdf:"),
        (HX1, small("+HX1", 7, 88), r"element 11 refers to node 88.*deck.bdf:16\)"),
        (HX1, small("+HX2", 7, 8), r"continuation '\+HX2' has no card.*:17\)"),
        (HX1, "", r"CHEXA 11: node 7 \(field 10\): is blank.*:16\)"),
        (PSOLID, small("PSOLID", 9, 3), r"property 2 does not exist.*:16\)"),
        (PSOLID, small("PSOLID", 2, 33), r"material 33 does not exist.*:18\)"),
        (PSOLID, "PSHELL,2,3,.1,3\n", r"PSHELL 2.*they need PSOLID.*:18\)"),
        ("grid,4,,", "grid,4,7,", r"coordinate system 7 does not exist.*:11\)"),
        ("grid,4,,0.,1.", "grid,4,,0.,y", r"GRID 4: Y \(field 5\): 'Y' is not a number.*:11\)"),
        ("grid,4,,0.", "=,*(1),,0.", r"replicated cards.*:11\)"),
        ("$ a cube", "§§§", "no card"),
        ("$ a cube", "RBE2,1,77,123,1", r"RBE2 1 refers to node 77.*:6\)"),
        ("$ a cube", "RBE3,1,,1,123,1.,123", r"cut off.*:6\)"),
        ("ECHO = NONE\nBEGIN BULK\n$ a cube", "SPC = 4\nBEGIN BULK\nSPC1,4,178,1", r"'178' are no components.*:6\)"),
        ("$ a cube", "ASET1,1,5,THRU", r"THRU or BY without.*:6\)"),
        ("0.3     7850.", "0.8     7850.", r"MAT1 3.*:19\)"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in CUBE
    with pytest.raises(FileError, match=message):
        read(tmp_path, CUBE.replace(old, new, 1))


def test_long_tables_and_single_cards_say_the_same(tmp_path: Path) -> None:
    """Many cards in fixed fields are read as a table; written with commas, one by one. Numbers of every kind."""
    rng = np.random.default_rng(3)
    values = rng.uniform(-9, 9, (60, 3))
    small, free = [], []
    for n, row in enumerate(values, start=1):
        fields = [f"{row[0]:8.4f}", f"{row[1]:8.1e}".replace("e-0", "-").replace("e+0", "+"), f"{row[2]:<8.3f}"]
        small.append(f"GRID    {n:<8d}        {''.join(f[:8].ljust(8) for f in fields)}")
        free.append(f"GRID,{n},,{','.join(f.strip() for f in fields)}")
    rest = "\nCTETRA,1,2,1,2,3,4\nPSOLID,2,3\nMAT1,3,2.1+11,,.3,7850.\n"
    a, b = read(tmp_path, "\n".join(small) + rest), read(tmp_path, "\n".join(free) + rest)
    np.testing.assert_array_equal(a.points, b.points)
    np.testing.assert_allclose(a.points[:, 0], values[:, 0], atol=5e-5)
    np.testing.assert_allclose(a.points[:, 1], values[:, 1], rtol=0.06)
