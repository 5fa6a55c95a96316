"""Meshes written as .inp: read back, and understood by CalculiX where it is installed."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.linalg

from flexor.elements import Properties, by_name
from flexor.elements.assembly.model import assemble
from flexor.io import read_matrices, read_mesh, write_inp
from flexor.materials import Isotropic, Orthotropic
from flexor.mesh import AverageLink, Block, Mesh, NodalMass, RigidLink
from flexor.mesh.generate import box
from flexor.mesh.section import (
    BoxProfile,
    Circle,
    GeneralSection,
    IProfile,
    Laminate,
    Ply,
    Rectangle,
    ShellSection,
    Tube,
)

STEEL = Isotropic(210e9, 0.3, 7850.0, damping=1e-5)
PLY = Orthotropic(young=(140e9, 10e9, 9e9), poisson=(0.3, 0.4, 0.25), shear=(5e9, 3e9, 4e9), density=1600.0)
HEX = np.array(by_name["hex8"].corners, dtype=float)


def cube(**more: object) -> Mesh:
    block = Block("hex8", np.arange(8)[None], np.array([4]), "steel")
    points = np.concatenate([HEX, [(0, 0, 3.0)]])
    return replace(Mesh(points, np.arange(9) * 2 + 1, (block,), materials={"steel": STEEL}), **more)


def round_trip(tmp_path: Path, mesh: Mesh) -> Mesh:
    write_inp(tmp_path / "m.inp", mesh)
    return read_mesh(tmp_path / "m.inp")


def test_everything_of_a_solid_comes_back(tmp_path: Path) -> None:
    mesh = cube(
        node_sets={"top": np.array([4, 5, 6, 7])},
        element_sets={"all": np.array([4])},
        rigid_links=(RigidLink(8, (4, 5, 6, 7)),),
        masses=(NodalMass(8, np.diag([2.0, 2, 2, 0, 0, 0])),),
        fixed=((0, (0, 1, 2)), (1, (2,))),
        title="a cube",
    )
    again = round_trip(tmp_path, mesh)
    np.testing.assert_array_equal(again.points[:9], mesh.points)
    assert again.blocks[0].nodes.tolist() == mesh.blocks[0].nodes.tolist()
    assert again.materials == mesh.materials
    assert again.node_sets["top"].tolist() == [4, 5, 6, 7]
    assert again.element_sets["all"].tolist() == [4]
    assert (again.rigid_links[0].node, again.rigid_links[0].dependents) == (8, (4, 5, 6, 7))
    np.testing.assert_array_equal(again.masses[0].matrix, mesh.masses[0].matrix)
    assert (again.fixed, again.title) == (mesh.fixed, mesh.title)


def test_oriented_solids_and_laminates_come_back(tmp_path: Path) -> None:
    R = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 3)))[0]
    R *= np.linalg.det(R)
    turned = Block("hex8", np.arange(8)[None], np.array([4]), "ply", orientation=R[None])
    again = round_trip(tmp_path, cube(blocks=(turned,), materials={"ply": PLY}))
    np.testing.assert_allclose(again.blocks[0].orientation[0], R, atol=1e-12)
    assert again.materials == {"ply": PLY}
    laminate = Laminate((Ply(PLY, 0.001, np.pi / 4), Ply(PLY, 0.002)), offset=0.0005)
    shell = Block("shell4", np.arange(4)[None], np.array([4]), "ply", "skin")
    again = round_trip(tmp_path, cube(blocks=(shell,), materials={"ply": PLY}, sections={"skin": laminate}))
    (found,) = again.sections.values()
    assert found.plies == laminate.plies
    assert found.offset == pytest.approx(laminate.offset)


@pytest.mark.parametrize(
    "section",
    [
        *(
            Rectangle(0.1, 0.2),
            Circle(0.1),
            Tube(0.1, 0.02),
            BoxProfile(0.1, 0.2, 0.01),
            IProfile(0.1, 0.2, 0.01, 0.015),
        ),
        GeneralSection(0.01, 2e-5, 3e-5, 4e-5, Iyz=1e-6, shear_factors=(1.0, 1.0)),
    ],
    ids=lambda section: section.type,
)
def test_beams_come_back(tmp_path: Path, section: object) -> None:
    axes = np.array([[[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]])
    beam = Block("beam2", np.array([[0, 1]]), np.array([4]), "steel", "rod", axes)
    again = round_trip(tmp_path, cube(blocks=(beam,), sections={"rod": section}))
    (found,) = again.sections.values()
    assert found == section
    np.testing.assert_allclose(again.blocks[0].orientation, axes, atol=1e-12)


def test_shells_come_back_and_the_rest_is_told(tmp_path: Path) -> None:
    shell = Block("shell4", np.arange(4)[None], np.array([4]), "steel", "skin")
    bush = Block("bush", np.array([[0, 8]]), np.array([5]), section="b")
    mesh = cube(
        blocks=(shell, bush),
        sections={"skin": ShellSection(0.01, offset=0.002, area_mass=3.0)},
        average_links=(AverageLink(8, (0, 1, 2)),),
    )
    left_out = write_inp(tmp_path / "m.inp", mesh)
    assert set(left_out) == {
        "1 elements of kind bush",
        "mass of shells beside their material's",
        "1 average links",
    }
    assert "** left out: 1 average links" in (tmp_path / "m.inp").read_text()
    (section,) = read_mesh(tmp_path / "m.inp").sections.values()
    assert (section.thickness, section.offset) == (0.01, pytest.approx(0.002))


CCX = shutil.which("ccx")


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
@pytest.mark.parametrize("element", ["tet4", "tet10", "wedge6", "wedge15", "hex8", "hex20"])
def test_calculix_sees_the_same_element(tmp_path: Path, element: str) -> None:
    """Forces that go with linear displacement fields do not depend on the integration rule of either program, but on
    every node being where it belongs; so do volume and mass."""
    kind = by_name[element]
    X = np.array(kind.corners, dtype=float) @ np.array([[1.2, 0.1, 0], [0.2, 0.9, 0.1], [0, -0.1, 1.1]]).T
    block = Block(element, np.arange(kind.n_nodes)[None], np.array([1]), "steel")
    mesh = Mesh(X, np.arange(kind.n_nodes) + 1, (block,), materials={"steel": STEEL})
    steps = "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n1\n*END STEP"
    assert write_inp(tmp_path / "one.inp", mesh, steps=steps, types={"hex8": "C3D8"}) == ()
    subprocess.run([str(CCX), "one"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    model = read_matrices(tmp_path / "one.sti")
    order = np.lexsort((model.dofs[:, 1], model.dofs[:, 0]))
    np.testing.assert_array_equal(model.points, X)
    K = model.K.toarray()[np.ix_(order, order)]
    p = Properties(STEEL.stiffness()[None], np.array([7850.0]), STEEL, options={"incompatible_modes": False})
    ours = kind.stiffness(X[None], p)[0]
    linear = np.kron(np.concatenate([np.ones((len(X), 1)), X], axis=1), np.eye(3))
    size = np.abs(ours).max()
    np.testing.assert_allclose(ours @ linear, K @ linear, atol=1e-9 * size)
    if element not in ("wedge6", "wedge15"):  # these have other integration points in CalculiX
        np.testing.assert_allclose(ours, K, atol=1e-9 * size)
    assert model.M is not None
    assert model.M.sum() / 3 == pytest.approx(7850.0 * kind.volume(X[None], p)[0], rel=1e-9)


@pytest.mark.skipif(CCX is None, reason="CalculiX (ccx) is not installed")
def test_calculix_finds_the_same_frequencies(tmp_path: Path) -> None:
    """A cantilever of hex20 with a mass on a rigid link at its end."""
    mesh = box((1.0, 0.1, 0.15), (6, 1, 1), element="hex20", material=STEEL)
    n, x = len(mesh.points), mesh.points[:, 0]
    end, root = np.flatnonzero(np.isclose(x, x.max())), np.flatnonzero(np.isclose(x, x.min()))
    tip = np.array([[x.max() + 0.1, *mesh.points[:, 1:].mean(axis=0)]])
    mesh = replace(
        mesh,
        points=np.concatenate([mesh.points, tip]),
        node_ids=np.arange(n + 1) + 1,
        rigid_links=(RigidLink(n, tuple(end.tolist())),),
        masses=(NodalMass(n, np.diag([2.0, 2, 2, 0, 0, 0])),),
        fixed=tuple((int(i), (0, 1, 2)) for i in root),
    )
    assert write_inp(tmp_path / "bar.inp", mesh, steps="*STEP\n*FREQUENCY\n6\n*END STEP") == ()
    subprocess.run([str(CCX), "bar"], cwd=tmp_path, check=True, capture_output=True, timeout=60)
    table = (tmp_path / "bar.dat").read_text().partition("PARTICIPATION")[0]
    rows = [line.split() for line in table.split("\n")]
    theirs = [float(row[3]) for row in rows if len(row) == 5 and row[0].isdigit()]
    model = assemble(mesh)
    squares = scipy.linalg.eigvalsh(model.K_reduced.toarray(), model.M_reduced.toarray(), subset_by_index=(0, 5))
    np.testing.assert_allclose(np.sqrt(squares) / (2 * np.pi), theirs[:6], rtol=2e-6)
