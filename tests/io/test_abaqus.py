"""Abaqus and CalculiX input files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import read_mesh
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh import Mesh
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
*ELEMENT, TYPE=C3D8R, ELSET=Body
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


QUAD = """*NODE
1, 0., 0., 0.
2, 2., 0., 0.
3, 2., 0., 1.
4, 0., 0., 1.
*ELEMENT, TYPE=S4R, ELSET=Skin
1, 1, 2, 3, 4
"""


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


BEAM = "*NODE\n1, 0., 0., 0.\n2, 3., 0., 0.\n3, 0., 0., 5.\n*ELEMENT, TYPE=B31, ELSET=Rod\n1, 1, 2\n" + STEEL


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


def test_supports(tmp_path: Path) -> None:
    text = CUBE + SOLID + "*BOUNDARY\n1, ENCASTRE\n2, 1, 3\n3, 2\n4, 1, 1, 0.5\n*NSET, NSET=T\n15\n*TRANSFORM, NSET=T\n"
    mesh = read(tmp_path, text + "1., 1., 0., -1., 1., 0.\n*BOUNDARY\n15, 1\n")
    assert mesh.fixed == ((0, (0, 1, 2, 3, 4, 5)), (1, (0, 1, 2)), (2, (1,)))
    assert sum("*BOUNDARY" in note for note in mesh.notes) == 2


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
    assert "*CLOAD: analysis or load" in notes
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
        ("TYPE=C3D8R, ", "", 13, "no TYPE"),
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
