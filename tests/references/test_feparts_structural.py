"""Cantilever under its own weight as Fedem's regression models have it: CBAR and CQUAD4 decks with tip deflections.

CBAR: the same theory, the same number. CQUAD4: with 2 × 8 elements ours deflects by 5.545e-5 m, Fedem's FFQ4 by
5.464e-5 m; refined meshes of ours tend to 5.555e-5 m (clamped edge, ν = 0.29), so our coarse mesh is 0.2 % stiff where
FFQ4 is 1.6 % stiff. We keep the difference.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from flexor.elements.assembly.loads import Gravity
from flexor.elements.assembly.model import assemble
from flexor.io import read_mesh
from flexor.mesh import Mesh
from flexor.reduce.full import statics
from tests.elements.structures import fixed, grid, mesh_of

ALL = (0, 1, 2, 3, 4, 5)


def deflection(mesh: Mesh, tip: int) -> float:
    """Of a node under gravity along y."""
    return float(statics(assemble(mesh), [Gravity((0, 9.81, 0))]).nodal[tip, 1])


def test_cbar(decks: Path) -> None:
    expected = np.loadtxt(decks / "CBAR02_.sol")[1]
    mesh = read_mesh(decks / "CBAR02_.nas")
    for root, tip in ((0, 1), (1, 0)):
        assert deflection(replace(mesh, fixed=((root, ALL),)), tip) == pytest.approx(expected, rel=1e-6)


def test_cquad4(decks: Path) -> None:
    """Within 2 % of FFQ4 and much closer than it to our converged value."""
    expected = np.loadtxt(decks / "CQUAD04_.sol")[1]
    mesh = read_mesh(decks / "CQUAD04_.nas")
    root, tip = mesh.index_of(26), mesh.index_of(2)
    found = deflection(replace(mesh, fixed=((root, ALL),)), tip)
    assert found == pytest.approx(expected, rel=0.02)
    # eight times as fine, the root edge clamped as its rigid link does
    points, nodes = grid("shell4", 16, 64, lambda s, t: (0.1 - 0.2 * s, 0 * s, t - 1))
    fine = mesh_of("shell4", points, nodes, *mesh.sections.values(), *mesh.materials.values())
    converged = deflection(fixed(fine, (points[:, 2] > -1e-9, ALL)), 8)
    assert converged == pytest.approx(5.555e-5, rel=1e-3)
    assert abs(found - converged) < 0.2 * abs(expected - converged)
