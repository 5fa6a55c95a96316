"""Abaqus and CalculiX input files: materials, sections and their axes, springs, couplings, supports."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.elements.assembly.shares import shares_of
from flexor.errors import FileError
from flexor.io.abaqus.writer import write_inp
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh.generate import bar
from flexor.mesh.section import (
    BoxProfile,
    Circle,
    GeneralSection,
    IProfile,
    Laminate,
    Rectangle,
    ShellSection,
    SpringSection,
    Tube,
)
from tests.io.abaqus_decks import CUBE, SOLID, STEEL, ids, read

QUAD = """*NODE
1, 0., 0., 0.
2, 2., 0., 0.
3, 2., 0., 1.
4, 0., 0., 1.
*ELEMENT, TYPE=S4R, ELSET=Skin
1, 1, 2, 3, 4
"""
BEAM = "*NODE\n1, 0., 0., 0.\n2, 3., 0., 0.\n3, 0., 0., 5.\n*ELEMENT, TYPE=B31, ELSET=Rod\n1, 1, 2\n" + STEEL


def test_materials(tmp_path: Path) -> None:
    text = CUBE + STEEL.replace("*DENSITY", "*DAMPING, BETA=1e-4\n*DENSITY")
    text += """*MATERIAL, NAME=Ply
*ELASTIC, TYPE=ENGINEERING CONSTANTS
140e9, 10e9, 9e9, 0.3, 0.25, 0.4, 5e9, 4e9,
3e9
*MATERIAL, NAME=Matrix
*ELASTIC, TYPE=ORTHOTROPIC
1.35e10, 5.8e9, 1.35e10, 5.8e9, 5.8e9, 1.35e10, 3.85e9, 3.85e9,
3.85e9
*MATERIAL, NAME=Lamina
*ELASTIC, TYPE=LAMINA
140e9, 10e9, 0.3, 5e9, 4e9, 3e9
*MATERIAL, NAME=Rubber
*HYPERELASTIC
1., 2.
*SOLID SECTION, ELSET=Body, MATERIAL=Ply
"""
    mesh = read(tmp_path, text)
    assert mesh.materials["Steel"].damping == 1e-4
    ply = mesh.materials["Ply"]
    assert ply == Orthotropic(young=(140e9, 10e9, 9e9), poisson=(0.3, 0.4, 0.25), shear=(5e9, 3e9, 4e9))
    D = np.diag([1.35e10 - 5.8e9] * 3 + [3.85e9] * 3)
    D[:3, :3] += 5.8e9
    np.testing.assert_allclose(mesh.materials["Matrix"].stiffness(), D, rtol=1e-9)
    lamina = mesh.materials["Lamina"]
    assert (lamina.young[:2], lamina.poisson[0], lamina.shear) == ((140e9, 10e9), 0.3, (5e9, 3e9, 4e9))
    assert "Rubber" not in mesh.materials
    line = text.split("\n").index("*HYPERELASTIC") + 1
    assert any("*HYPERELASTIC: not supported" in note and f"deck.inp:{line})" in note for note in mesh.notes)


def test_orientations_of_solids(tmp_path: Path) -> None:
    ply = "*MATERIAL, NAME=P\n*ELASTIC, TYPE=ENGINEERING CONSTANTS\n4e9, 3e9, 2e9, 0.1, 0.1, 0.1, 1e9, 1e9,\n1e9\n"
    use = "*SOLID SECTION, ELSET=Body, MATERIAL=P, ORIENTATION=o\n"
    mesh = read(tmp_path, CUBE + ply + "*ORIENTATION, NAME=O\n0., 1., 0., -1., 0., 0.\n3, 90.\n" + use)
    # x' = y, y' = −x, then a quarter turn about z': x'' = −x, y'' = −y
    np.testing.assert_allclose(mesh.blocks[0].orientation[0], np.diag([-1.0, -1.0, 1.0]), atol=1e-12)
    mesh = read(tmp_path, CUBE + ply + "*ORIENTATION, NAME=O, SYSTEM=CYLINDRICAL\n0., 0., 0., 0., 0., 1.\n" + use)
    R = mesh.blocks[0].orientation[0]  # at the middle of the cube, on the diagonal
    np.testing.assert_allclose(R, np.array([[1, -1, 0], [1, 1, 0], [0, 0, 2**0.5]]) / 2**0.5, atol=1e-12)
    mesh = read(tmp_path, CUBE + ply + "*ORIENTATION, NAME=O, SYSTEM=Z RECTANGULAR\n1., 0., 0., 0., 0., 1.\n" + use)
    np.testing.assert_allclose(mesh.blocks[0].orientation[0], [[0, 0, 1], [0, -1, 0], [1, 0, 0]], atol=1e-12)


def test_shell_sections(tmp_path: Path) -> None:
    mesh = read(tmp_path, QUAD + STEEL + "*SHELL SECTION, ELSET=Skin, MATERIAL=Steel, OFFSET=SPOS\n0.01, 5\n")
    (block,) = mesh.blocks
    assert (block.element, block.section, block.orientation) == ("shell4", "Skin", None)
    assert mesh.sections["Skin"] == ShellSection(0.01, offset=-0.005)  # the nodes are at the top


def test_layered_shells_and_their_axes(tmp_path: Path) -> None:
    ply = "*MATERIAL, NAME=P\n*ELASTIC, TYPE=LAMINA\n140e9, 10e9, 0.3, 5e9, 4e9, 3e9\n"
    use = "*SHELL SECTION, ELSET=Skin, COMPOSITE{}\n0.001, 3, P, 45.\n0.002, 3, P\n"
    mesh = read(tmp_path, QUAD + ply + use.format(""))
    laminate = mesh.sections["Skin"]
    assert isinstance(laminate, Laminate)
    assert [each.thickness for each in laminate.plies] == [0.001, 0.002]
    assert laminate.plies[0].angle == pytest.approx(np.pi / 4)
    # without *ORIENTATION, x projected onto the shell; its normal is −y
    np.testing.assert_allclose(mesh.blocks[0].orientation[0], [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)
    turn = "*ORIENTATION, NAME=O\n1., 0., 0., 0., 1., 0.\n2, 0.\n"
    mesh = read(tmp_path, QUAD + ply + turn + use.format(", ORIENTATION=O"))
    # axis 2 is near the normal, so that axis 3 (global z) becomes the first material axis
    np.testing.assert_allclose(mesh.blocks[0].orientation[0][:, 0], [0, 0, 1], atol=1e-12)


@pytest.mark.parametrize(
    ("shape", "sizes", "section"),
    [
        ("RECT", "0.1, 0.2", Rectangle(0.1, 0.2)),
        ("CIRC", "0.1", Circle(0.1)),
        ("CIRC", "0.2, 0.2", Circle(0.1)),  # CalculiX: both diameters
        ("PIPE", "0.1, 0.01", Tube(0.1, 0.01)),
        ("BOX", "0.1, 0.2, 0.01, 0.01, 0.01, 0.01", BoxProfile(0.1, 0.2, 0.01)),
        ("I", "0.1, 0.2, 0.1, 0.1, 0.01, 0.01, 0.008", IProfile(0.1, 0.2, 0.008, 0.01)),
    ],
)
def test_beam_sections(tmp_path: Path, shape: str, sizes: str, section: object) -> None:
    mesh = read(tmp_path, BEAM + f"*BEAM SECTION, SECTION={shape}, ELSET=Rod, MATERIAL=Steel\n{sizes}\n0., 1., 0.\n")
    (block,) = mesh.blocks
    assert mesh.sections["Rod"] == section
    np.testing.assert_allclose(block.orientation[0], np.eye(3), atol=1e-15)
    assert block.data == {}


def test_beam_axes(tmp_path: Path) -> None:
    use = "*BEAM SECTION, SECTION=RECT, ELSET=Rod, MATERIAL=Steel\n0.1, 0.2\n"
    mesh = read(tmp_path, BEAM + use)  # n1 is −z unless said otherwise
    np.testing.assert_allclose(mesh.blocks[0].orientation[0][:, 1], [0, 0, -1], atol=1e-15)
    mesh = read(tmp_path, BEAM.replace("1, 1, 2\n", "1, 1, 2, 3\n") + use)  # towards a third node
    np.testing.assert_allclose(mesh.blocks[0].orientation[0][:, 1], [0, 0, 1], atol=1e-15)
    with pytest.raises(FileError, match="along the beam"):
        read(tmp_path, BEAM + use + "1., 0., 0.\n")


def test_an_i_that_stands_on_its_node(tmp_path: Path) -> None:
    """Lower flange 0.2 wide, upper 0.1, node at the bottom: offset and properties of the centroid."""
    sizes = "0., 0.3, 0.2, 0.1, 0.02, 0.01, 0.015"
    mesh = read(tmp_path, BEAM + f"*BEAM SECTION, SECTION=I, ELSET=Rod, MATERIAL=Steel\n{sizes}\n0., 1., 0.\n")
    section = mesh.sections["Rod"]
    areas, heights, tall = (
        np.array([0.004, 0.00405, 0.001]),
        np.array([0.01, 0.155, 0.295]),
        np.array([0.02, 0.27, 0.01]),
    )
    zc = areas @ heights / areas.sum()
    assert section.area == pytest.approx(areas.sum())
    assert section.Iy == pytest.approx(areas @ (tall**2 / 12 + (heights - zc) ** 2))
    assert section.Iz == pytest.approx((0.02 * 0.2**3 + 0.27 * 0.015**3 + 0.01 * 0.1**3) / 12)
    np.testing.assert_allclose(mesh.blocks[0].data["offsets"], np.broadcast_to([0, 0, zc], (1, 2, 3)), atol=1e-12)


def test_general_beam_section(tmp_path: Path) -> None:
    text = BEAM + "*BEAM GENERAL SECTION, SECTION=GENERAL, ELSET=Rod, DENSITY=7800.\n0.01, 2e-5, 1e-6, 3e-5, 4e-5\n"
    mesh = read(tmp_path, text + "0., 1., 0.\n2e11, 8e10\n")
    expected = GeneralSection(area=0.01, Iy=2e-5, Iz=3e-5, Iyz=1e-6, J=4e-5, shear_factors=(1.0, 1.0))
    assert mesh.sections["Rod"] == expected
    material = mesh.materials[mesh.blocks[0].material]
    assert (material.young, material.density) == (2e11, 7800.0)
    assert material.shear == pytest.approx(8e10)


def test_springs(tmp_path: Path) -> None:
    nodes = "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n"
    mesh = read(tmp_path, nodes + "*ELEMENT, TYPE=SPRINGA, ELSET=K\n1, 1, 2\n*SPRING, ELSET=K\n\n500.\n")
    assert (mesh.blocks[0].element, mesh.sections["K"]) == ("spring", SpringSection(500.0))
    mesh = read(tmp_path, nodes + "*ELEMENT, TYPE=SPRING2, ELSET=K\n1, 1, 2\n*SPRING, ELSET=K\n5, 5\n500.\n")
    assert mesh.blocks[0].element == "rotational_spring"
    assert mesh.sections["K"].direction == (0.0, 1.0, 0.0)
    mesh = read(tmp_path, nodes + "*ELEMENT, TYPE=SPRING2, ELSET=K\n1, 1, 2\n*SPRING, ELSET=K\n1, 2\n500.\n")
    assert np.array(mesh.sections["K"].matrix)[0, 4] == -500.0


def test_couplings(tmp_path: Path) -> None:
    text = CUBE + SOLID
    text += """*NODE
100, 0.5, 0.5, 2.
*SURFACE, NAME=Top
Body, S2
*COUPLING, CONSTRAINT NAME=c, REF NODE=100, SURFACE=Top
*KINEMATIC
1, 3
*SURFACE, NAME=Bottom, TYPE=NODE
1, 2.
2
*COUPLING, CONSTRAINT NAME=d, REF NODE=100, SURFACE=Bottom
*DISTRIBUTING
*RIGID BODY, NSET=Everything, REF NODE=100
*MPC
BEAM, 15, 100
PIN, 1, 2
*EQUATION
2
1, 1, 1., 2, 1, -1.
*COUPLING, REF NODE=100, SURFACE=Top
*RETAINED NODAL DOFS
100, 1, 6
2, 3
"""
    mesh = read(tmp_path, text)
    kinematic, rigid, beam = mesh.rigid_links
    assert mesh.node_ids[kinematic.node] == 100
    assert mesh.node_ids[list(kinematic.dependents)].tolist() == [15, 16, 17, 18]
    assert kinematic.components == (0, 1, 2)
    assert len(rigid.dependents) == 8
    assert mesh.node_ids[list(beam.dependents)].tolist() == [15]
    (average,) = mesh.average_links
    assert mesh.node_ids[list(average.independents)].tolist() == [1, 2]
    assert average.weights == (2.0, 1.0)
    assert ids(mesh, "Top") == [15, 16, 17, 18]
    assert mesh.retained == ((1, (2,)), (8, (0, 1, 2, 3, 4, 5)))
    for name in ("*EQUATION", "*MPC, PIN", "*COUPLING: without"):
        assert any(note.startswith(name) for note in mesh.notes)


def test_surfaces_share_their_area(tmp_path: Path) -> None:
    """A free surface without face labels: 6 unit faces, each corner belongs to 3 of them."""
    text = CUBE + SOLID + "*NODE\n100, 0., 0., 5.\n*SURFACE, NAME=Skin\nBody,\n"
    mesh = read(tmp_path, text + "*COUPLING, REF NODE=100, SURFACE=Skin\n*DISTRIBUTING\n1,6\n")
    np.testing.assert_allclose(mesh.average_links[0].weights, 0.75)


def test_quadratic_faces_share_as_they_take_tractions(tmp_path: Path) -> None:
    """Of a square of 8 nodes a corner has −1/12 of the area and a mid-side 1/3."""
    path = tmp_path / "bar.inp"
    write_inp(path, bar(1.0, 1.0, 1.0, divisions=(1, 1, 1), element="hex20", material=Isotropic(1e9, 0.3, 1000.0)))
    text = (
        path.read_text() + "*NODE\n100, 0.5, 0.5, 3.\n*SURFACE, NAME=Top\n1, S2\n*COUPLING, REF NODE=100, SURFACE=Top\n"
    )
    mesh = read(tmp_path, text + "*DISTRIBUTING\n")
    (link,) = mesh.average_links
    X, weights = mesh.points[list(link.independents)], np.array(link.weights)
    assert np.ptp(X[:, 2]) == 0.0
    corner = np.isclose(np.abs(X - X.mean(axis=0))[:, :2], 0.5).all(axis=1)
    np.testing.assert_allclose(weights[corner], -1 / 12)
    np.testing.assert_allclose(weights[~corner], 1 / 3)
    shares = shares_of(mesh, np.array(link.independents))
    np.testing.assert_allclose(weights, shares.weights)
    np.testing.assert_allclose(link.levers, shares.levers, atol=1e-15)
    on_it = read(
        tmp_path, text.replace("REF NODE=100", f"REF NODE={mesh.node_ids[link.independents[0]]}") + "*DISTRIBUTING\n"
    )
    assert on_it.average_links[0].weights == 7 * (1.0,)
    assert any("reference node lies on the surface" in note for note in on_it.notes)


def test_beams_share_their_length(tmp_path: Path) -> None:
    nodes = "*NODE\n1, 0., 0., 0.\n2, 1., 0., 0.\n3, 4., 0., 0.\n9, 0., 1., 0.\n"
    beams = (
        "*ELEMENT, TYPE=B31, ELSET=Line\n1, 1, 2\n2, 2, 3\n*BEAM SECTION, ELSET=Line, SECTION=CIRC, MATERIAL=M\n0.1\n"
    )
    text = nodes + beams + "*MATERIAL, NAME=M\n*ELASTIC\n1e9, 0.3\n*SURFACE, NAME=S\nLine,\n"
    mesh = read(tmp_path, text + "*COUPLING, REF NODE=9, SURFACE=S\n*DISTRIBUTING\n1, 3\n")
    np.testing.assert_allclose(mesh.average_links[0].weights, [0.5, 2.0, 1.5])


def test_supports(tmp_path: Path) -> None:
    text = CUBE + SOLID + "*BOUNDARY\n1, ENCASTRE\n2, 1, 3\n3, 2\n4, 1, 1, 0.5\n*NSET, NSET=T\n15\n*TRANSFORM, NSET=T\n"
    mesh = read(tmp_path, text + "1., 1., 0., -1., 1., 0.\n*BOUNDARY\n15, 1\n")
    assert mesh.fixed == ((0, (0, 1, 2, 3, 4, 5)), (1, (0, 1, 2)), (2, (1,)))
    assert sum("*BOUNDARY" in note for note in mesh.notes) == 2
