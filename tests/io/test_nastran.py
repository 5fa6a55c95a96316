"""Nastran bulk data: units, coordinate systems, links and supports, masses, properties, materials."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh.section import BushSection, GeneralSection, Rectangle, ShellSection
from tests.io.nastran_decks import CUBE, HELD, PSOLID, SHELL, read


def test_units_and_weights(tmp_path: Path) -> None:
    text = CUBE.replace("2.1+11  ", "210000. ").replace("7850.", "7.85-9") + "CONM2,21,1,,.002,1.,,,\n,5.,,6.,,,7.\n"
    mesh = read(tmp_path, text, units="mm-t-s")
    assert mesh.points.max() == pytest.approx(1e-3)
    assert mesh.materials["MAT1 3"].density == pytest.approx(7850.0)
    assert mesh.materials["MAT1 3"].young == pytest.approx(2.1e11)
    M = mesh.masses[0].matrix
    assert M[0, 0] == pytest.approx(2.0)
    np.testing.assert_allclose(np.diag(M)[3:], [5e-3, 6e-3 + 2e-6, 7e-3 + 2e-6])
    assert M[1, 5] == pytest.approx(2.0 * 1e-3)  # m r: the offset is along x
    weighed = read(tmp_path, CUBE.replace("7850.", "76982.") + "PARAM,WTMASS,.10197\n")
    assert weighed.materials["MAT1 3"].density == pytest.approx(76982 * 0.10197)
    assert any("WTMASS" in note for note in weighed.notes)


def test_coordinate_systems(tmp_path: Path) -> None:
    systems = """CORD2R,1,0,10.,0.,0.,10.,0.,1.,
,10.,1.,0.
CORD2C,2,1,0.,0.,0.,0.,0.,1.,
,1.,0.,0.
CORD2S,3,,0.,0.,0.,0.,0.,1.,
,1.,0.,0.
GRID,101,1,1.,2.,3.
GRID,102,2,2.,90.,3.
GRID,103,3,2.,90.,90.
CORD1R,4,1,5,2
GRID,104,4,1.,2.,3.
"""
    mesh = read(tmp_path, CUBE + systems)
    at = {int(n): p for n, p in zip(mesh.node_ids, mesh.points)}
    np.testing.assert_allclose(at[101], [10 - 2, 1, 3], atol=1e-12)  # x along global y, y along −x
    np.testing.assert_allclose(at[102], [10 - 2, 0, 3], atol=1e-12)
    np.testing.assert_allclose(at[103], [0, 2, 0], atol=1e-12)
    np.testing.assert_allclose(at[104], [1, 2, 3], atol=1e-12)
    np.testing.assert_allclose(mesh.frames[1].p, [10, 0, 0])
    with pytest.raises(FileError, match=r"system 8.*does not exist"):
        read(tmp_path, CUBE + "CORD2R,8,9,0.,0.,0.,0.,0.,1.,\n,1.,0.,0.\nCORD2R,9,8,0.,0.,0.,0.,0.,1.,\n,1.,0.,0.\n")


def test_rigid_elements_and_supports(tmp_path: Path) -> None:
    cards = """GRID,20,,.5,.5,2.
RBE2,31,20,123456,5,6,7,8
RBE3,32,,20,123,1.,123,1,2,+
+,2.,123,3,UM,5,123
RBAR,33,1,2,12346,5
SPC1,4,123,1,THRU,3
SPC,4,4,12,0.
SPC1,5,6,1
ASET1,123456,20
ASET,1,3,2,12
MPC,1,1,1,1.,2,1,-1.
"""
    mesh = read(tmp_path, HELD + cards)
    (rigid,) = mesh.rigid_links
    assert mesh.node_ids[rigid.node] == 20
    assert mesh.node_ids[list(rigid.dependents)].tolist() == [5, 6, 7, 8]
    (average,) = mesh.average_links
    assert mesh.node_ids[list(average.independents)].tolist() == [1, 2, 3]
    assert average.weights == (1.0, 1.0, 2.0)
    assert average.components == (0, 1, 2)
    (bar,) = mesh.rigid_bars
    assert bar.independent == ((0, 1, 2, 3, 5), (4,))
    assert bar.dependent == ((4,), (0, 1, 2, 3, 5))
    held = {int(mesh.node_ids[n]): c for n, c in mesh.fixed}
    assert held == {1: (0, 1, 2), 2: (0, 1, 2), 3: (0, 1, 2), 4: (0, 1)}  # SPC = 4 of the case control
    kept = {int(mesh.node_ids[n]): c for n, c in mesh.retained}
    assert kept == {20: (0, 1, 2, 3, 4, 5), 1: (2,), 2: (0, 1)}
    assert any(note.startswith("MPC: the case control does not ask") for note in mesh.notes)
    asked = read(tmp_path, (HELD + cards).replace("SPC = 4\n", "SPC = 4\nMPC = 1\n"))
    assert any(note.startswith("MPC: not supported") and note.severity == "left out" for note in asked.notes)
    assert any(note.startswith("RBE3, UM") for note in mesh.notes)
    none = read(tmp_path, (HELD + cards).replace("SPC = 4\n", ""))
    assert none.fixed == ()
    assert any("SPC: the case control asks for no supports" in note for note in none.notes)
    both = read(tmp_path, (HELD + cards).replace("CEND\nTITLE = a cube\nSPC = 4\n", ""))
    assert (0, (0, 1, 2, 5)) in both.fixed
    assert any("sets 4, 5; all are held" in note for note in both.notes)
    added = read(tmp_path, (HELD + cards + "SPCADD,9,5,4\n").replace("SPC = 4\n", "SPC = 9\n"))
    assert (0, (0, 1, 2, 5)) in added.fixed


@pytest.mark.parametrize(
    ("asks", "cards", "message"),
    [
        ("SPC = 7", "SPC1,4,123,1\n", r"^SPC = 7: it refers to set 7 of SPC, which does not exist; the sets are 4, .*:4\)"),
        ("SPC = 7", "", r"set 7 of SPC, which does not exist; there are none"),
        ("SPC = 9", "SPCADD,9,4,77\nSPC1,4,123,1\n", r"^SPCADD 9: it refers to set 77 of SPC, which does not.*:20\)"),
        ("ECHO = NONE", "SPCADD,9,77\nSPC1,4,123,1\n", r"^SPCADD 9: it refers to set 77 of SPC.*:20\)"),
        ("MPC = 3", "MPC,1,1,1,1.,2,1,-1.\n", r"^MPC = 3: it refers to set 3 of MPC, which does not.*are 1, .*:4\)"),
        ("LOAD = 7", "FORCE,8,1,,1.,0.,0.,1.\n", r"^LOAD = 7: it refers to set 7 of LOAD, which does not exist.*:4\)"),
        ("LOAD = 7", "LOAD,7,1.,1.,8,1.,9\nFORCE,9,1,,1.,0.,0.,1.\n", r"^LOAD 7: it refers to set 8 of LOAD,.*are 9.*:20\)"),
    ],
)  # fmt: skip
def test_sets_that_do_not_exist_are_refused(tmp_path: Path, asks: str, cards: str, message: str) -> None:
    text = CUBE.replace("ECHO = NONE", asks)
    with pytest.raises(FileError, match=message):
        read(tmp_path, (text.replace("CEND\n", "$\n") if asks.startswith("ECHO") else text) + cards)


def test_sets_in_what_is_left_out_are_not_missed(tmp_path: Path) -> None:
    """Loads of kinds that are not read, and sections of superelements, have notes of their own."""
    hot = read(tmp_path, CUBE.replace("ECHO = NONE", "LOAD = 7") + "PLOAD1,7,11,FX,FR,0.,1.,1.,1.\n")
    assert any(note.startswith("PLOAD1") and note.severity == "left out" for note in hot.notes)
    other = read(tmp_path, HELD + "BEGIN SUPER = 3\nSPC1,4,123,1\n")
    assert any(note.startswith("BEGIN SUPER") for note in other.notes)


def test_components_in_displacement_systems(tmp_path: Path) -> None:
    systems = "CORD2R,1,0,0.,0.,0.,0.,0.,1.,\n,0.,1.,0.\nCORD2R,2,0,0.,0.,0.,0.,0.,1.,\n,1.,1.,0.\n"
    grids = "GRID,21,,3.,0.,0.,1\nGRID,22,,4.,0.,0.,2\n"
    mesh = read(tmp_path, HELD + systems + grids + "SPC1,4,1,21,22\nSPC1,4,123,22\n")
    held = {int(mesh.node_ids[n]): c for n, c in mesh.fixed}
    assert held[21] == (1,)  # its x axis is global y
    assert held[22] == (0, 1, 2)
    assert sum("not global ones (CD)" in note for note in mesh.notes) == 1


def test_concentrated_masses(tmp_path: Path) -> None:
    cards = "CONM2,41,1,,3.,.1,.2,.3\n,1.,.1,2.,.2,.3,3.\nCONM1,42,2,,1.,,2.,,\n,3.,,,,4.,,,\n,,5.,,,,,,6.\n"
    mesh = read(tmp_path, CUBE + cards)
    M = mesh.masses[0].matrix
    np.testing.assert_allclose(M, M.T)
    v, w, r = np.array([1.0, -2, 3]), np.array([0.3, 0.5, -0.7]), np.array([0.1, 0.2, 0.3])
    inertia = np.array([[1, -0.1, -0.2], [-0.1, 2, -0.3], [-0.2, -0.3, 3]])
    q = np.concatenate([v, w])
    energy = 3 * np.sum((v + np.cross(w, r)) ** 2) + w @ inertia @ w  # 2 T
    assert q @ M @ q == pytest.approx(energy)
    np.testing.assert_allclose(mesh.masses[1].matrix, np.diag([1.0, 2, 3, 4, 5, 6]))


def test_shells(tmp_path: Path) -> None:
    cards = "CQUAD4,1,7,1,2,3,4,,.002\nCTRIA3,2,7,1,2,3\nPSHELL,7,3,.01,3,1.,3,.8333,5.\n"
    mesh = read(tmp_path, SHELL + cards)
    assert {b.element for b in mesh.blocks} == {"shell3", "shell4"}
    quad = next(b for b in mesh.blocks if b.element == "shell4")
    assert mesh.sections["PSHELL 7"] == ShellSection(0.01, shear=0.8333, area_mass=5.0)
    np.testing.assert_allclose(quad.data["offset"], [0.002])
    assert quad.orientation is None


def test_laminates_and_their_axes(tmp_path: Path) -> None:
    cards = """MAT8,4,140.+9,10.+9,.3,5.+9,4.+9,3.+9,1600.
PCOMP,7,-.001,2.,,,,,SYM
,4,.001,0.,,,,90.
CQUAD4,1,7,1,2,3,4,30.
CTRIA3,2,7,2,3,4,0
CQUAD4,3,7,2,3,4,1
"""
    mesh = read(tmp_path, SHELL + cards)
    laminate = mesh.sections["PCOMP 7"]
    assert [round(float(np.degrees(p.angle)), 9) for p in laminate.plies] == [0, 90, 90, 0]
    assert laminate.offset == pytest.approx(0.001)  # bottom at −1 mm, 4 mm thick
    assert laminate.area_mass == 2.0
    assert mesh.materials["MAT8 4"].shear == (5e9, 3e9, 4e9)
    quads = next(b for b in mesh.blocks if b.element == "shell4")
    c, s = np.cos(np.pi / 6), np.sin(np.pi / 6)
    np.testing.assert_allclose(quads.orientation[0][:, 0], [c, s, 0], atol=1e-12)
    np.testing.assert_allclose(quads.orientation[1][:, 0], [0, 1, 0], atol=1e-12)  # along side 1-2
    (triangle,) = (b for b in mesh.blocks if b.element == "shell3")
    np.testing.assert_allclose(triangle.orientation[0][:, 0], [1, 0, 0], atol=1e-12)  # MCID 0: projected x


def test_bars(tmp_path: Path) -> None:
    cards = """CBAR,1,8,1,2,0.,1.,0.
CBAR,2,8,2,3,5
CBAR,3,8,3,4,0.,0.,1.,,
,56,4,.1,,.2,,.3,
PBAR,8,3,.01,2.-5,1.-5,3.-5,4.,,
,.1,.2,-.1,.2,,,,,
,.8,.9,1.-6
"""
    mesh = read(tmp_path, SHELL + cards)
    (block,) = mesh.blocks
    section = mesh.sections["PBAR 8"]
    assert section == GeneralSection(
        *(0.01, 1e-5, 2e-5, 3e-5), Iyz=1e-6, shear_factors=(0.8, 0.9), line_mass=4.0, points=((0.1, 0.2), (-0.1, 0.2))
    )
    np.testing.assert_allclose(block.orientation[0], np.eye(3), atol=1e-12)
    towards = np.array([-2.0, 0, 9]) / np.hypot(2, 9)
    np.testing.assert_allclose(block.orientation[1][:, 1], towards, atol=1e-12)
    np.testing.assert_allclose(block.data["offsets"][2], [[0.1, 0, 0.2], [0, 0.3, 0]])
    assert np.argwhere(block.data["pins"]).tolist() == [[2, 0, 4], [2, 0, 5], [2, 1, 3]]


def test_beams_by_numbers(tmp_path: Path) -> None:
    """PBEAM: stress points, a station at end B, shear factors, neutral axis beside the shear centre."""
    cards = """CBEAM,1,8,1,2,0.,1.,0.
PBEAM,8,3,.01,2.-5,1.-5,1.-6,3.-5,4.
,.1,.2,,,,,,
,YES,1.,.02,4.-5,1.-5,1.-6,3.-5,4.
,.1,.2,,,,,,
,.8,.9,,,.5
,,,,,.01,.02
"""
    mesh = read(tmp_path, SHELL + cards)
    section = mesh.sections["PBEAM 8"]
    assert (section.area, section.Iz, section.Iy) == pytest.approx((0.015, 3e-5, 1e-5))
    assert section.shear_factors == (0.8, 0.9)
    assert section.line_inertia == 0.5
    assert section.shear_center == (-0.01, -0.02)
    np.testing.assert_allclose(mesh.blocks[0].data["offsets"][0], [[0, 0.01, 0.02]] * 2)
    assert any("tapered" in note for note in mesh.notes)


def test_rectangular_profile_lies_as_it_should(tmp_path: Path) -> None:
    mesh = read(tmp_path, SHELL + "CBAR,1,8,1,2,0.,1.,0.\nPBARL,8,3,,BAR\n,.1,.3,2.\n")
    assert mesh.sections["PBARL 8"] == Rectangle(0.3, 0.1, line_mass=2.0)  # DIM1 along z, DIM2 along y


def test_springs_and_bushings(tmp_path: Path) -> None:
    cards = """CELAS2,1,1000.,1,1,2,1
CELAS1,2,9,1,4,2,4
PELAS,9,50.
CELAS2,3,7.,3,2
CORD2R,1,0,0.,0.,0.,0.,0.,1.,
,0.,1.,0.
CBUSH,4,10,1,2,,,,1
PBUSH,10,K,1.,2.,3.,4.,5.,6.
,,B,9.
"""
    mesh = read(tmp_path, SHELL + cards)
    by_id = {int(i): (b, k) for b in mesh.blocks for k, i in enumerate(b.ids)}
    assert by_id[1][0].element == "spring"
    assert mesh.sections[by_id[1][0].section].direction == (1.0, 0.0, 0.0)
    assert by_id[2][0].element == "rotational_spring"
    grounded = by_id[3][0]
    ground = grounded.nodes[0, 1]
    assert (int(ground), (0, 1, 2)) in mesh.fixed
    np.testing.assert_array_equal(mesh.points[ground], mesh.points[grounded.nodes[0, 0]])
    bush = by_id[4][0]
    assert mesh.sections["PBUSH 10"] == BushSection((1.0, 2.0, 3.0), (4.0, 5.0, 6.0))
    np.testing.assert_allclose(bush.orientation[0][:, 0], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(bush.data["location"][0], [1, 0, 0])
    assert any(note.startswith("PBUSH, B") for note in mesh.notes)


def test_materials(tmp_path: Path) -> None:
    cards = """MAT1,5,2.+11,8.+10
MAT1,6,2.+11,1.+10,.3
MAT2,7,1.1+11,.33+11,,1.1+11,,.385+11,1.
MAT9,8,3.,1.,1.,,,,3.,+
+,1.,,,,3.,,,,+
+,1.,,,1.,,1.,7.
MAT9,9,3.,1.,1.,.5,,,3.,+
+,1.,,,,3.,,,,+
+,1.,,,1.,,1.,7.
"""
    mesh = read(tmp_path, CUBE + cards)
    assert mesh.materials["MAT1 5"].poisson == pytest.approx(0.25)
    odd = mesh.materials["MAT1 6"]
    assert isinstance(odd, Orthotropic)
    assert odd.shear == (1e10,) * 3
    sheet = mesh.materials["MAT2 7"]  # E/(1 − ν²) = 1.1e11, ν = 0.3
    assert (sheet.young, sheet.poisson) == pytest.approx((1.1e11 * 0.91, 0.3))
    solid = mesh.materials["MAT9 8"]
    assert isinstance(solid, Isotropic)  # λ = 1, μ = 1
    np.testing.assert_allclose(solid.stiffness(), np.diag([2.0, 2, 2, 1, 1, 1]) + np.pad(np.ones((3, 3)), (0, 3)))
    assert solid.density == 7.0
    assert "MAT9 9" not in mesh.materials
    assert any(note.startswith("MAT9: materials that are not orthotropic") for note in mesh.notes)


def test_orientation_of_solids(tmp_path: Path) -> None:
    text = CUBE.replace(PSOLID, "PSOLID,2,8,1\nCORD2C,1,,0.,0.,0.,0.,0.,1.,\n,1.,0.,0.\n")
    text += "MAT9,8,4.,1.,1.,,,,3.,+\n+,1.,,,,3.,,,,+\n+,1.,,,1.,,1.\n"
    mesh = read(tmp_path, text)
    half = 0.5**0.5
    np.testing.assert_allclose(
        mesh.blocks[0].orientation[0], [[half, -half, 0], [half, half, 0], [0, 0, 1]], atol=1e-12
    )
