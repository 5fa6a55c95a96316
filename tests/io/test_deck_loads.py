"""Loads and supports of decks: which step or subcase they are of, their resultants, and what is told of the others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.loads import load_vector
from flexor.elements.assembly.model import assemble
from flexor.errors import FileError
from flexor.mesh import Mesh
from flexor.mesh.note import changing
from tests.io import abaqus_decks as abaqus
from tests.io import nastran_decks as nastran

BLOCK = abaqus.CUBE + abaqus.SOLID
STEP = "*STEP\n*STATIC\n"
BULK = nastran.CUBE.replace("ECHO = NONE\n", "LOAD = 7\n")


def resultant(mesh: Mesh) -> np.ndarray:
    """Force and moment of the mesh's own loads about the origin."""
    model = assemble(mesh)
    return model.dofs.rigid_modes(mesh.points).T @ load_vector(model, mesh.loads)


def told(mesh: Mesh, *concerns, severity=None) -> str:
    return "\n".join(changing(mesh.notes, *concerns, severity=severity))


@pytest.mark.parametrize(
    ("cards", "force", "moment"),
    [
        ("*CLOAD\n17, 1, 3.\n17, 1, 2.\n", (5, 0, 0), (0, 5, -5)),  # those of one step add up
        ("*CLOAD\nEverything, 3, -2.\n", (0, 0, -16), (-8, 8, 0)),
        *((f"*DLOAD\nBody, P{face}, 4.\n", 4 * np.array(n), None) for face, n in enumerate(
            [(0, 0, 1), (0, 0, -1), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (1, 0, 0)], 1)),
        ("*DLOAD\n1, P2, 4.\n", (0, 0, -4), (-2, 2, 0)),
        ("*DLOAD\nBody, GRAV, 10., 0., 3., -4.\n", (0, 7850 * 6, -7850 * 8), None),
        ("*DLOAD\n, GRAV, 10., 0., 0., -1.\n", (0, 0, -78500), None),
        ("*DLOAD\nBody, CENTRIF, 9., 0., 0., 0., 0., 0., 2.\n", (7850 * 4.5, 7850 * 4.5, 0), None),
        ("*DSLOAD\nTop, P, 4.\n", (0, 0, -4), (-2, 2, 0)),
    ],
)  # fmt: skip
def test_abaqus_loads(tmp_path: Path, cards: str, force, moment) -> None:
    surface = "*SURFACE, NAME=Top\nBody, S2\n"
    mesh = abaqus.read(tmp_path, BLOCK + surface + STEP + cards + "*END STEP\n")
    found = resultant(mesh)
    np.testing.assert_allclose(found[:3], force, atol=1e-9)
    if moment is not None:
        np.testing.assert_allclose(found[3:], moment, atol=1e-9)
    assert not told(mesh, "mesh", "loads")


def test_units_of_abaqus_loads(tmp_path: Path) -> None:
    cards = "*CLOAD\n17, 1, 3.\n*DLOAD\nBody, P2, 4.\nBody, CENTRIF, 9., 500., 0., 0., 0., 0., 1.\n"
    mesh = abaqus.read(tmp_path, BLOCK + STEP + cards + "*END STEP\n", units="mm-t-s")
    point, pressure, spin = mesh.loads
    assert point.force == (3.0, 0.0, 0.0)
    assert pressure.pressure == pytest.approx(4e6)
    assert (spin.speed, spin.about) == ((0.0, 0.0, 3.0), (0.5, 0.0, 0.0))


def test_pressure_on_shells(tmp_path: Path) -> None:
    """P acts along the normal; on the sides SPOS and SNEG against their outward normals."""
    shell = abaqus.CUBE.replace("TYPE=C3D8I", "TYPE=S4").replace(", 15, 16, 17, 18", "")
    shell += abaqus.STEEL + "*SHELL SECTION, ELSET=Body, MATERIAL=Steel\n0.01\n"
    for line, force in (("Body, P, 4.", 4), ("Up, P, 4.", -4), ("Down, P, 4.", 4)):
        keyword = "*DLOAD" if line.startswith("Body") else "*DSLOAD"
        surfaces = "*SURFACE, NAME=Up\nBody, SPOS\n*SURFACE, NAME=Down\nBody, SNEG\n"
        mesh = abaqus.read(tmp_path, f"{shell}{surfaces}{STEP}{keyword}\n{line}\n*END STEP\n")
        np.testing.assert_allclose(resultant(mesh)[:3], [0, 0, force], atol=1e-12)


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("*CLOAD, AMPLITUDE=A\n17, 1, 3.\n", "*CLOAD, AMPLITUDE: loads with this option"),
        ("*CLOAD\n17, 11, 3.\n", "*CLOAD: loads on component 11"),
        ("*DLOAD\nBody, BX, 3.\n", "*DLOAD, BX: distributed loads of this kind"),
        ("*DSLOAD\nTop, TRVEC, 3., 1., 0., 0.\n", "*DSLOAD, TRVEC: surface loads"),
        ("*TEMPERATURE\nEverything, 300.\n", "*TEMPERATURE: not supported"),
    ],
)
def test_loads_that_are_not_read_are_told(tmp_path: Path, cards: str, said: str) -> None:
    mesh = abaqus.read(tmp_path, BLOCK + "*SURFACE, NAME=Top\nBody, S2\n" + STEP + cards + "*END STEP\n")
    assert mesh.loads == ()
    assert said in told(mesh, "loads", severity="left out")
    assert not told(mesh, "mesh")


def test_the_first_static_step_is_taken(tmp_path: Path) -> None:
    """Supports and loads of later steps are not merged into it, and that is told."""
    steps = """*BOUNDARY
1, 1, 3
*STEP
*FREQUENCY
3
*BOUNDARY
2, 1, 3
*END STEP
*STEP
*STATIC
*CLOAD
17, 1, 3.
*END STEP
*STEP
*STATIC
*BOUNDARY
3, 1, 3
*CLOAD
17, 2, 8.
*END STEP
"""
    mesh = abaqus.read(tmp_path, BLOCK + steps)
    assert [int(mesh.node_ids[n]) for n, _ in mesh.fixed] == [1]  # *FREQUENCY leaves nothing to the next step
    assert "*BOUNDARY: of step 1, a perturbation, does not hold in step 2" in told(mesh, "mesh", severity="approximate")
    general = abaqus.read(tmp_path, BLOCK + steps.replace("*FREQUENCY\n3\n", "*VISCO\n"))
    assert [int(general.node_ids[n]) for n, _ in general.fixed] == [1, 2]
    asked = abaqus.read(tmp_path, BLOCK + steps.replace("*STEP\n*FREQUENCY\n3\n", "*STEP, PERTURBATION\n*VISCO\n"))
    assert [int(asked.node_ids[n]) for n, _ in asked.fixed] == [1]
    alone = abaqus.read(tmp_path, BLOCK + "*STEP\n*FREQUENCY\n3\n*BOUNDARY\n2, 1, 3\n*END STEP\n")
    assert [int(alone.node_ids[n]) for n, _ in alone.fixed] == [2]
    np.testing.assert_allclose(resultant(mesh)[:3], [3, 0, 0])
    assert "*BOUNDARY: of steps behind step 2 is left out" in told(mesh, "mesh", severity="approximate")
    assert "*CLOAD: of steps behind step 2 is left out" in told(mesh, "loads")
    new = abaqus.read(tmp_path, BLOCK + steps.replace("*CLOAD\n17, 1", "*BOUNDARY, OP=NEW\n4, 1, 3\n*CLOAD\n17, 1"))
    assert [int(new.node_ids[n]) for n, _ in new.fixed] == [4]
    large = abaqus.read(tmp_path, BLOCK + "*STEP, NLGEOM\n*STATIC\n*END STEP\n")
    assert "NLGEOM" in told(large, "loads")


def test_abaqus_analyses_and_options_that_statics_leave_out_are_told(tmp_path: Path) -> None:
    step = "*STEP\n*DYNAMIC\n0.01, 1.\n*CLOAD, FOLLOWER\n17, 1, 3.\n*END STEP\n"
    mesh = abaqus.read(tmp_path, BLOCK + "*INITIAL CONDITIONS, TYPE=TEMPERATURE\nEverything, 300.\n" + step)
    np.testing.assert_allclose(resultant(mesh)[:3], [3, 0, 0])
    notes = told(mesh, "loads", severity="approximate")
    assert "*DYNAMIC: supports and loads of step 1 are taken as a static load case" in notes
    assert "*CLOAD, FOLLOWER: the forces keep their direction" in notes
    assert "*INITIAL CONDITIONS: initial temperatures are left out" in notes
    later = abaqus.read(tmp_path, BLOCK + "*STEP\n*STATIC\n*CLOAD\n17, 1, 3.\n*END STEP\n" + step)
    assert "*DYNAMIC" not in told(later, "loads")  # its loads are not taken


FORCES = "FORCE,7,7,,2.,0.,0.,3.\n"


@pytest.mark.parametrize(
    ("cards", "force", "moment"),
    [
        (FORCES, (0, 0, 6), (6, -6, 0)),
        ("FORCE1,7,7,6.,1,5\n", (0, 0, 6), (6, -6, 0)),
        ("FORCE,7,7,9,2.,3.,0.,0.\nCORD2C,9,0,0.,0.,0.,0.,0.,1.,\n,1.,0.,0.\n", (6 / 2**0.5, 6 / 2**0.5, 0), None),
        ("LOAD,7,2.,3.,8,1.,9\nFORCE,8,7,,1.,0.,0.,1.\nFORCE,9,7,,1.,1.,0.,0.\n", (2, 0, 6), None),
        ("PLOAD4,7,11,4.,,,,5,7\n", (0, 0, -4), (-2, 2, 0)),
        ("PLOAD4,7,11,4.,,,,3,6\n", (-4, 0, 0), None),
        ("PLOAD,7,4.,5,6,7,8\n", (0, 0, 4), None),
        ("GRAV,7,,10.,0.,0.,-1.\n", (0, 0, -78500), None),
        ("GRAV,7,,10.,0.,0.,-1.\nFORCE,6,7,,2.,0.,0.,3.\n", (0, 0, -78500), None),  # set 6 is not asked for
        ("RFORCE,7,1,,.5,0.,0.,1.\n", (7850 * np.pi**2 / 2, 7850 * np.pi**2 / 2, 0), None),
    ],
)
def test_nastran_loads(tmp_path: Path, cards: str, force, moment) -> None:
    mesh = nastran.read(tmp_path, BULK + cards)
    found = resultant(mesh)
    np.testing.assert_allclose(found[:3], force, atol=1e-9)
    if moment is not None:
        np.testing.assert_allclose(found[3:], moment, atol=1e-9)
    assert not told(mesh, "mesh", "loads")


def test_pload4_on_shells_and_tetrahedra(tmp_path: Path) -> None:
    """Along the normal of a shell; on a tetrahedron G4 is the corner off the face, on a wedge blank for a triangle."""
    head = "LOAD = 7\nBEGIN BULK\n"
    shell = head + nastran.SHELL + "CQUAD4,50,7,1,2,3,4\nPSHELL,7,3,.01,3\n"
    for card in ("PLOAD4,7,50,4.,,,,THRU,50\n", "PLOAD2,7,4.,50\n"):
        np.testing.assert_allclose(resultant(nastran.read(tmp_path, shell + card))[:3], [0, 0, 8], atol=1e-12)
    solid = head + nastran.SHELL + "PSOLID,2,3\n"
    tet = nastran.read(tmp_path, solid + "CTETRA,60,2,1,2,3,5\nPLOAD4,7,60,4.,,,,1,5\n")
    np.testing.assert_allclose(resultant(tet)[:3], [0, 0, 4], atol=1e-12)
    top = "GRID,6,,2.,0.,9.\nGRID,7,,2.,1.,9.\n"
    wedge = nastran.read(tmp_path, solid + top + "CPENTA,61,2,1,2,3,5,6,7\nPLOAD4,7,61,4.,,,,5\n")
    np.testing.assert_allclose(resultant(wedge)[:3], [0, 0, -4], atol=1e-12)


def test_which_nastran_loads_act(tmp_path: Path) -> None:
    several = nastran.read(tmp_path, nastran.CUBE.split("BEGIN BULK\n")[1] + FORCES + "FORCE,8,7,,1.,1.,0.,0.\n")
    assert several.loads == ()
    assert "no case control chooses among the sets 7, 8" in told(several, "loads", severity="left out")
    cases = BULK.replace("LOAD = 7\n", "SPC = 4\nSUBCASE 1\nLOAD = 7\nSUBCASE 2\nLOAD = 8\nSPC = 5\n")
    first = nastran.read(tmp_path, cases + FORCES + "FORCE,8,7,,1.,1.,0.,0.\nSPC1,4,123,1\nSPC1,5,123,2\n")
    np.testing.assert_allclose(resultant(first)[:3], [0, 0, 6])
    assert [int(first.node_ids[n]) for n, _ in first.fixed] == [1]
    assert "of 2 subcases the first is taken" in told(first, "loads")
    assert "subcase 2 has other supports (SPC = 5) than the first, whose are taken (SPC = 4)" in told(first, "mesh")
    hot = nastran.read(tmp_path, BULK.replace("LOAD = 7", "LOAD = 7\nTEMP(LOAD) = 3") + FORCES + "TEMPD,3,300.\n")
    assert "TEMP = 3: is left out" in told(hot, "loads", severity="left out")
    with pytest.raises(FileError, match=r"PLOAD4 7.*no face of element 11 has these corners"):
        nastran.read(tmp_path, BULK + "PLOAD4,7,11,4.,,,,5,6\n")


def test_superelement_sections_are_told(tmp_path: Path) -> None:
    part = "BEGIN SUPER = 3\nGRID,1,,0.,0.,0.\nGRID,2,,5.,0.,0.\nCHEXA,99,2,1,2,3,4,5,6\n"
    for section in (part, part.replace("BEGIN SUPER", "BEGIN BULK SUPER")):
        mesh = nastran.read(tmp_path, nastran.CUBE + section)
        assert mesh.n_elements == 1
        assert len(mesh.points) == 8
        assert "BEGIN SUPER = 3: sections of superelements" in told(mesh, "mesh", severity="left out")


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("SUBCASE 1\nSPC = 4\nSUBCASE 2\nSPC = 5\n", "subcase 2 has other supports (SPC = 5)"),
        ("SPC = 4\nSUBCASE 1\nSUBCASE 2\nSUBCASE 3\nSPC = 5\n", "subcase 3 has other supports (SPC = 5)"),
        ("SUBCASE 1\nSPC = 4\nSUBCASE 2\n", "subcase 2 has other supports (no SPC)"),
        ("SUBCASE 1\nSUBCASE 2\nSPC = 5\n", "than the first, whose are taken (no SPC)"),
        ("SPC = 4\nSUBCASE 1\nSUBCASE 2\nSPC = 4\n", ""),
        ("SPC = 4\n", ""),
    ],
)
def test_subcases_with_other_supports_are_told_to_every_analysis(case: str, words: str, tmp_path: Path) -> None:
    mesh = nastran.read(tmp_path, BULK.replace("LOAD = 7\n", case) + "SPC1,4,123,1\nSPC1,5,123,2\n")
    found = told(mesh, "mesh", severity="approximate")
    assert (words in found) if words else ("other supports" not in found)


def test_the_commands_and_studies_tell_of_other_supports(tmp_path: Path) -> None:
    case = "SUBCASE 1\nSPC = 4\nSUBCASE 2\nSPC = 5\n"
    deck = tmp_path / "two.bdf"
    deck.write_text(BULK.replace("LOAD = 7\n", case) + "SPC1,4,123,1\nSPC1,5,123,2\nENDDATA\n")
    with pytest.warns(fx.IncompleteMesh, match="subcase 2 has other supports"):
        fx.MeshStudy(str(deck))
