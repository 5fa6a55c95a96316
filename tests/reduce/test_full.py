"""Full-model analyses: closed-form beams, what a solution offers, meshes that are not held."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from flexor.elements.assembly.loads import Gravity, PointLoad, Traction
from flexor.elements.assembly.model import assemble
from flexor.errors import SingularError, SolveError
from flexor.materials import Isotropic
from flexor.mesh import Mesh, RigidLink
from flexor.mesh.generate import bar, box
from flexor.mesh.made_of import made_of
from flexor.mesh.select import Numbered
from flexor.reduce.full import free_motions, natural_modes, statics

STEEL = Isotropic(210e9, 0.3, 7850.0)


def held(mesh: Mesh, name: str, components=(0, 1, 2)) -> tuple:
    return tuple((int(i), components) for i in mesh.node_sets[name])


@pytest.mark.parametrize("element", ["hex8", "hex20", "wedge15", "tet10"])
def test_cantilever_with_tip_load(element: str) -> None:
    """w = F L³/3EI + F L/(5/6 G A); ν = 0, so that the held ends do not hinder the section from contracting."""
    material = Isotropic(210e9, 0.0, 7850.0)
    mesh = bar(1.0, 0.05, 0.05, (40, 2, 2), element=element, material=material)
    n = len(mesh.points)
    mesh = replace(
        mesh,
        points=np.vstack([mesh.points, [1.0, 0, 0]]),
        node_ids=np.arange(1, n + 2),
        rigid_links=(RigidLink(n, tuple(int(i) for i in mesh.node_sets["x_max"])),),
        fixed=held(mesh, "x_min"),
    )
    solution = statics(assemble(mesh), [PointLoad(Numbered((n + 1,)), (0, 0, 1000.0))])
    inertia, area = 0.05**4 / 12, 0.05**2
    exact = 1000 / (3 * 210e9 * inertia) + 1000 / (5 / 6 * material.shear * area)
    slope = 1000 / (2 * 210e9 * inertia)
    assert solution.nodal[n, 2] == pytest.approx(exact, rel=0.001)
    assert solution.nodal[n, 4] == pytest.approx(-slope, rel=0.001)
    assert solution.energy == pytest.approx(0.5 * 1000 * solution.nodal[n, 2], rel=1e-9)
    root = solution.reactions[mesh.node_sets["x_min"]]
    assert np.allclose(root[:, :3].sum(axis=0), [0, 0, -1000], atol=1e-5)
    moment = np.cross(mesh.points[mesh.node_sets["x_min"]], root[:, :3]).sum(axis=0)
    assert np.allclose(moment, [0, 1000, 0], atol=1e-5)
    middle = np.abs(mesh.points[:, 0] - 0.5) < 1e-9
    bending = solution.stress[middle, 0] * inertia
    assert np.allclose(bending, -500 * mesh.points[middle, 2], atol=0.02 * 500 * 0.025)


def test_free_modes_of_a_slender_bar() -> None:
    """Free–free bending 22.37 √(EI/ρA)/2πL² of a slender bar; stretching c/2L; six rigid-body modes before."""
    mesh = bar(2.0, 0.02, 0.02, (50, 1, 1), element="hex20", material=STEEL)
    found = natural_modes(assemble(mesh), 10)
    assert found.rigid == 6
    first = 22.3733 * np.sqrt(210e9 / 7850) * 0.02 / np.sqrt(12) / (2 * np.pi * 4)
    assert np.allclose(found.frequencies[6:8], first, rtol=1e-3)
    assert "rigid body" in str(found)
    for i in range(10):  # normalised to unit modal mass
        shape = found.shapes[:, i]
        assert shape @ (found.model.M @ shape) == pytest.approx(1.0, rel=1e-8)
    assert found.nodal[6].shape == (len(mesh.points), 6)


def test_partly_held_mesh() -> None:
    """Motions that supports leave free are named; modes still come, with those at zero."""
    mesh = box((1, 1, 1), (2, 2, 2), material=STEEL)
    assert free_motions(assemble(mesh)) == ("in every direction",)
    sliding = assemble(replace(mesh, fixed=held(mesh, "z_min", (2,))))
    assert free_motions(sliding) == ("along x", "along y", "about z")
    with pytest.raises(SingularError, match="can move as a whole: along x, along y, about z"):
        statics(sliding, [Gravity()])
    assert natural_modes(sliding, 5).rigid == 3
    edge = np.intersect1d(mesh.node_sets["x_min"], mesh.node_sets["z_min"])
    hinged = assemble(replace(mesh, fixed=tuple((int(i), (0, 1, 2)) for i in edge)))
    assert len(free_motions(hinged)) == 1
    assert natural_modes(hinged, 3).frequencies[0] < 1e-3 * natural_modes(hinged, 3).frequencies[1]
    assert free_motions(assemble(replace(mesh, fixed=held(mesh, "z_min")))) == ()


def test_a_loose_piece_is_refused_in_statics_and_shown_in_modes() -> None:
    a = box((1, 1, 1), (1, 1, 1), material=STEEL)
    block = replace(a.blocks[0], nodes=a.blocks[0].nodes + 8, ids=a.blocks[0].ids + 1)
    points = np.vstack([a.points, a.points + np.array([3.0, 0, 0])])
    mesh = replace(a, points=points, node_ids=np.arange(1, 17), blocks=(*a.blocks, block), fixed=held(a, "x_min"))
    model = assemble(mesh)
    with pytest.raises(SingularError, match="singular"):
        statics(model, [Gravity()])
    found = natural_modes(model, 8)
    assert np.all(found.frequencies[:6] < 1e-3 * found.frequencies[6])


def test_a_mesh_without_mass_has_no_modes() -> None:
    mesh = box((1, 1, 1), (1, 1, 1), material=Isotropic(1e9, 0.3))
    with pytest.raises(SolveError, match="no mass"):
        natural_modes(assemble(mesh))


def test_forces_may_be_given_as_an_array() -> None:
    mesh = box((1, 1, 1), (1, 1, 1), material=STEEL)
    model = assemble(replace(mesh, fixed=held(mesh, "x_min")))
    loads = [Traction("x_max", (1e6, 0, 0))]
    f = loads[0].nodal_forces(model)
    assert np.array_equal(statics(model, f).u, statics(model, loads).u)
    assert "largest von Mises stress" in str(statics(model, f))


def two_pieces():
    """Two bars of steel beside each other, the first held at x = 0."""
    one = made_of(bar("1 m", "0.1 m", "0.1 m", (4, 1, 1), element="hex8"), material="steel")
    n, block = len(one.points), one.blocks[0]
    return replace(
        one,
        points=np.vstack([one.points, one.points + np.array([2, 0, 0])]),
        node_ids=np.arange(1, 2 * n + 1),
        blocks=(block, replace(block, nodes=block.nodes + n, ids=block.ids + 4)),
        fixed=tuple((int(node), (0, 1, 2)) for node in one.node_sets["x_min"]),
    )


def test_a_loose_piece_is_named_with_its_motions():
    mesh = two_pieces()
    with pytest.raises(SingularError) as error:
        statics(assemble(mesh), [Gravity()])
    said = str(error.value)
    assert re.search(r"singular at node (2[1-9]|3\d|40), (x|y|z)\n", said)
    assert "the piece of 20 nodes with node 21 can move: in every direction" in said
    pinned = replace(
        mesh, fixed=(*mesh.fixed, (20, (0, 1, 2)), (21, (0, 1, 2)))
    )  # it turns about the line of two nodes
    with pytest.raises(SingularError, match=r"the piece of 18 nodes with node 23 can move: about|can move: .*about"):
        statics(assemble(pinned), [Gravity()])


def test_modes_without_stiffness_are_told():
    found = natural_modes(assemble(two_pieces()), 8)
    assert (found.rigid, found.free) == (0, 6)
    assert str(found).count("free: a loose piece or a mechanism") == 6
    whole = natural_modes(assemble(replace(two_pieces(), fixed=())), 14)
    assert whole.free == 12
    assert natural_modes(assemble(made_of(bar(1, 0.1, 0.1, (4, 1, 1)), material="steel")), 7).free == 6
