"""Spot welds between two sheets."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from flexor.elements.assembly.model import assemble
from flexor.errors import ModelError
from flexor.mesh import Block, Mesh, RigidLink
from flexor.mesh.section import ShellSection
from flexor.mesh.spot_weld import SpotWeld, add_spot_welds, pierced
from tests.elements.structures import STEEL, fixed, grid, rigid_motions, solve

GAP, THICKNESS = 0.002, 0.001


def sheets(gap: float = GAP, n: int = 4) -> Mesh:
    """Two square sheets of 0.1 m above each other, each an element set; 25 nodes each."""
    low, nodes = grid("shell4", n, n, lambda s, t: (0.1 * s, 0.1 * t, 0 * s))
    points = np.concatenate([low, low + np.array([0, 0, gap])])
    ids = np.arange(1, 2 * n * n + 1)
    block = Block("shell4", np.concatenate([nodes, nodes + len(low)]), ids, "steel", "sheet")
    return Mesh(
        points,
        np.arange(101, 101 + len(points)),
        (block,),
        {"steel": STEEL},
        {"sheet": ShellSection(THICKNESS)},
        element_sets={"low": ids[: n * n], "high": ids[n * n :]},
    )


def welded(mesh: Mesh, at=(0.06, 0.065, 0.0), **more) -> Mesh:
    patches = (pierced(mesh, at, "low"), pierced(mesh, at, "high"))
    return add_spot_welds(mesh, [SpotWeld(at, patches, "6 mm", "steel", **more)])


def test_composition() -> None:
    mesh = sheets()
    result = welded(mesh)
    assert pierced(mesh, (0.06, 0.065, 0.0), "low") == (113, 114, 119, 118)  # the cell 0.05…0.075 in x and y
    beam = result.blocks[-1]
    assert beam.element == "beam2"
    assert beam.ids.tolist() == [33]
    assert np.allclose(result.points[beam.nodes[0]], [[0.06, 0.065, 0], [0.06, 0.065, GAP]])
    assert result.node_ids[-2:].tolist() == [151, 152]
    assert [link.node for link in result.average_links] == [50, 51]
    assert result.sections[beam.section].area == pytest.approx(pi / 4 * 0.006**2)
    assert result.average_links[1].independents == tuple(i + 25 for i in result.average_links[0].independents)
    assert mesh.average_links == ()


def test_it_carries_all_six_forces_and_lets_rigid_motions_free() -> None:
    model = assemble(welded(sheets()))
    R = rigid_motions(model.mesh.points)[model.dofs.node_dofs.ravel() >= 0]
    rows = model.dofs.node_dofs[tuple(model.independent.T)]
    K = model.K_reduced.toarray()
    assert np.abs(K @ R[rows]).max() < 1e-9 * np.abs(K).max()
    values = np.linalg.eigvalsh(K)
    assert np.sum(np.abs(values) < 1e-9 * np.median(values)) == 6


def test_stiffness_between_rigid_patches() -> None:
    """Lower patch held, upper one rigid and pulled through the weld: it stretches by F L/EA and does not turn."""
    for length in (None, 0.01):
        mesh = welded(sheets(), length=length)
        low, (first, *others) = (link.independents for link in mesh.average_links)
        weld = replace(mesh, blocks=mesh.blocks[1:], rigid_links=(RigidLink(first, tuple(others)),))
        held = np.isin(np.arange(len(mesh.points)), low)
        f = np.zeros((len(mesh.points), 6))
        f[first] = [0, 0, 100, *np.cross(mesh.points[-1] - mesh.points[first], [0, 0, 100])]
        u = solve(fixed(weld, (held, (0, 1, 2))), f)
        assert u[first, 2] == pytest.approx(100 * (length or GAP) / (210e9 * pi / 4 * 0.006**2))
        assert np.abs(u[first, 3:]).max() < 1e-9 * u[first, 2] / 0.01


def test_touching_sheets_need_an_effective_length() -> None:
    with pytest.raises(ModelError, match=r"spot weld at 0\.06, 0\.065, 0: its sheets touch"):
        welded(sheets(gap=0.0))
    mesh = welded(sheets(gap=0.0), length="1 mm")
    values = np.linalg.eigvalsh(assemble(mesh).K_reduced.toarray())
    assert np.sum(np.abs(values) < 1e-9 * np.median(values)) == 6


def test_refusals() -> None:
    mesh = sheets()
    with pytest.raises(ModelError, match="a patch has no area"):
        add_spot_welds(mesh, [SpotWeld((0, 0, 0), ((101, 102, 103), (126, 127, 132)), 0.006, "steel")])
    with pytest.raises(ModelError, match="it has no shells"):
        pierced(replace(mesh, element_sets={"none": np.array([999])}), (0, 0, 0), "none")
