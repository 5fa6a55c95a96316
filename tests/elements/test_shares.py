"""Shares of nodes in the average over a surface or a line."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements import SOLIDS
from flexor.elements.assembly.shares import shares_of
from flexor.mesh.generate import bar, plate, tube
from flexor.mesh.section import Rectangle, ShellSection
from flexor.mesh.select import cylinder


def face(element: str, divisions: tuple[int, ...] = (1, 1, 1)):
    mesh = bar(1.0, 0.3, 0.2, divisions, element=element)
    return mesh, np.sort(mesh.node_sets["x_max"])


def test_of_one_face() -> None:
    """A quarter each; −1/12 and 1/3 of an 8-node face; 1/3 and none at the corners of 6-node triangles."""
    mesh, nodes = face("hex8")
    assert np.allclose(shares_of(mesh, nodes).weights, 0.06 / 4)
    mesh, nodes = face("hex20")
    corner = np.all(np.abs(np.abs(mesh.points[nodes, 1:]) - [0.15, 0.1]) < 1e-9, axis=1)
    assert np.allclose(shares_of(mesh, nodes).weights, np.where(corner, -0.06 / 12, 0.06 / 3))
    mesh, nodes = face("tet10")
    corner = np.all(np.abs(np.abs(mesh.points[nodes, 1:]) - [0.15, 0.1]) < 1e-9, axis=1)
    diagonal = np.all(np.abs(mesh.points[nodes, 1:]) < 1e-9, axis=1)
    assert np.allclose(shares_of(mesh, nodes).weights, np.where(corner, 0, np.where(diagonal, 0.02, 0.01)), atol=1e-15)


@pytest.mark.parametrize("element", [kind.name for kind in SOLIDS])
def test_integrals(element: str) -> None:
    """Sums are the area, the second moments and their centre; linear functions are integrated exactly."""
    mesh, nodes = face(element, (2, 3, 2))
    shares = shares_of(mesh, nodes)
    X = mesh.points[nodes]
    assert shares.by == "area"
    assert shares.weights.sum() == pytest.approx(0.06)
    assert np.allclose(shares.levers.sum(axis=0), 0, atol=1e-15)
    assert np.allclose(shares.weights @ X / 0.06, X.mean(axis=0) * [1, 0, 0])
    second = shares.levers.T @ X
    assert np.allclose(second, np.diag([0, 0.2 * 0.3**3 / 12, 0.3 * 0.2**3 / 12]), atol=1e-12)


def test_of_a_bore() -> None:
    """Curved faces: the wall of a bore, uneven along its length."""
    mesh = tube(0.05, 0.02, 0.1, divisions=(48, 1, 3), element="hex20")
    nodes = cylinder((0, 0, 0), "20 mm", "z").nodes(mesh)
    shares = shares_of(mesh, nodes)
    assert shares.weights.sum() == pytest.approx(2 * np.pi * 0.02 * 0.1, rel=1e-4)
    assert np.allclose(shares.levers.T @ mesh.points[nodes] / shares.weights.sum(),
                       np.diag([0.02**2 / 2, 0.02**2 / 2, 0.1**2 / 12]), atol=1e-7)  # fmt: skip


def test_lines_count_by_length() -> None:
    """The border of a sheet, the edge of a solid with mid-side nodes, a row of beams: 1/6, 4/6, 1/6."""
    sheet = plate(0.4, 0.1, divisions=(4, 2), element="shell4", section=ShellSection(0.005))
    shares = shares_of(sheet, np.sort(sheet.node_sets["x_max"]))
    assert shares.by == "length"
    assert np.allclose(np.sort(shares.weights), [0.025, 0.025, 0.05])
    mesh, _ = face("hex20")
    edge = np.flatnonzero(np.all(np.abs(mesh.points[:, [0, 2]] - [1.0, 0.1]) < 1e-9, axis=1))
    assert np.allclose(np.sort(shares_of(mesh, edge).weights), np.array([0.05, 0.05, 0.2]))
    beams = bar(1.0, 0.02, 0.01, (4,), element="beam2", section=Rectangle(0.02, 0.01))
    assert np.allclose(shares_of(beams, np.arange(5)).weights, [0.125, 0.25, 0.25, 0.25, 0.125])


def test_others_count_alike() -> None:
    """Nodes inside, points, and faces with nodes beside them, which are told."""
    mesh, nodes = face("hex8", (4, 4, 4))
    inside = np.flatnonzero(np.all(np.abs(mesh.points - [0.5, 0, 0]) < [0.3, 0.1, 0.06], axis=1))
    shares = shares_of(mesh, inside)
    assert (shares.by, shares.apart) == ("number", 0)
    assert np.all(shares.weights == 1)
    assert np.allclose(shares.levers, mesh.points[inside] - mesh.points[inside].mean(axis=0))
    mixed = shares_of(mesh, np.union1d(nodes, inside[:3]))
    assert (mixed.by, mixed.apart) == ("number", 3)
    assert np.all(mixed.weights == 1)
