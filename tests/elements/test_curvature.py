"""The curvature of the surface that facets stand for, and what it does to rotations about their normals."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements import by_name
from flexor.elements.assembly.model import assemble
from flexor.elements.shells.curvature import facet_curvature
from flexor.elements.shells.drilling import drilling
from flexor.elements.shells.shell import Shell
from flexor.errors import ModelError
from flexor.mesh.section import ShellSection
from flexor.spatial import exp_so3
from tests.elements.structures import grid, mesh_of, properties, rigid_motions, solve

each_shell = pytest.mark.parametrize("element", ["shell3", "shell4"])
R = exp_so3(np.array([0.7, -0.4, 0.9]))


def surface(element: str, height, seed: int = 0, n: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Points and facets of z = height(x, y) over an irregular grid of cells of 0.1, askew in space."""
    points, nodes = grid(element, n, n, lambda s, t: (0.1 * n * (s - 0.5), 0.1 * n * (t - 0.5), 0 * s))
    points[:, :2] += np.random.default_rng(seed).uniform(-0.02, 0.02, (len(points), 2))
    points[:, 2] = height(points[:, 0], points[:, 1])
    return points @ R.T, nodes


@each_shell
def test_of_a_shallow_parabola(element: str) -> None:
    """z = −½ xᵀCx has the normal (0, 0, 1) + C x: at the borders too, but for squares of the slopes (0.2²)."""
    C = np.array([[0.5, -0.3], [-0.3, 0.2]])
    points, nodes = surface(element, lambda x, y: -(C[0, 0] * x**2 + 2 * C[0, 1] * x * y + C[1, 1] * y**2) / 2)
    found = R.T @ facet_curvature(points, nodes, [nodes]) @ R
    assert np.allclose(found, found.swapaxes(1, 2), atol=1e-12)
    assert np.allclose(found[:, :2, :2], C, atol=0.03)
    assert np.abs(found[:, 2, 2]).max() < 0.02
    turned = facet_curvature(points, nodes[:, ::-1], [nodes[:, ::-1]])  # other normals: the other sign
    assert np.allclose(R.T @ turned @ R, -found, atol=1e-9)
    halves = facet_curvature(
        points, nodes[:5], [nodes[:5], nodes[5:, ::-1]]
    )  # neighbours of another block, turned over
    assert np.allclose(R.T @ halves @ R, found[:5], atol=1e-9)


@each_shell
def test_none_where_flat_folded_or_alone(element: str) -> None:
    points, nodes = surface(element, lambda x, y: 0 * x)
    assert not facet_curvature(points, nodes, [nodes]).any()
    regular, nodes = grid(element, 4, 4, lambda s, t: (s - 0.5, t, 0 * s))
    regular[:, 2] = np.abs(regular[:, 0])  # a fold of 90° along a row of nodes
    assert not facet_curvature(regular @ R.T, nodes, [nodes]).any()
    points, nodes = surface(element, lambda x, y: -(x**2))
    alone = facet_curvature(points, nodes[:1], [nodes[:1]])
    assert np.abs(alone).max() < (1e-6 if element == "shell3" else 2.0)  # four nodes may be warped


@each_shell
def test_a_facet_without_area_is_left_to_its_element(element: str) -> None:
    points, nodes = surface(element, lambda x, y: -(x**2))
    whole = facet_curvature(points, nodes, [nodes])
    nodes[3] = nodes[3, 0]
    found = facet_curvature(points, nodes, [nodes])
    assert not found[3].any()
    assert np.allclose(found[-1], whole[-1])
    with pytest.raises(ModelError, match=r"lie on one line|too distorted"):
        assemble(mesh_of(element, points, nodes, ShellSection(0.01)))


def test_strip_one_cell_wide() -> None:
    """A ring of radius 2: nothing is known across it, and nothing is made up."""
    for element in ("shell3", "shell4"):
        points, nodes = grid(element, 12, 1, lambda s, t: (2 * np.sin(s), 0.3 * t, 2 * np.cos(s)))
        C = facet_curvature(points, nodes, [nodes])
        assert np.allclose(C[:, 0, 0] + C[:, 2, 2], 0.5, rtol=0.05)
        assert np.abs(C[:, 1]).max() < 0.05


@each_shell
def test_bending_without_stretching_turns_no_facet_about_its_normal(element: str) -> None:
    """Shallow sphere of radius 1/C, w = κ xy or ½ κ (x² − y²): θ·nₑ = −½ C θ·x at the nodes, about each facet's own
    normal, and what is left after the correction is the same at all nodes of a facet."""
    C, k = 0.2, by_name[element].n_nodes
    rng = np.random.default_rng(3)
    xy = np.array(by_name[element].corners)[None] * 0.1 + rng.uniform(-0.02, 0.02, (6, k, 2))
    if k == 4:  # nodes in one plane: on a circle
        angle = np.sort(rng.uniform(0, 2 * np.pi, (6, 4)), axis=1)
        xy = 0.1 * np.stack([np.cos(angle), np.sin(angle)], axis=-1) + rng.uniform(-0.01, 0.01, (6, 1, 2))
    x, y = xy[..., 0], xy[..., 1]
    level = np.concatenate([np.ones_like(xy[..., :1]), xy], axis=2)
    lean = np.linalg.pinv(level) @ (C / 2 * (x**2 + y**2))[..., None]  # the facet's plane: its normal is (−g, 1)
    for w_x, w_y in ((y, x), (x, -y)):
        theta = np.stack([w_y, -w_x], axis=-1)
        # θ·(tangents) follow from w; θ·n is such that θ changes in the surface: dθ·n = 0
        about = -C / 2 * np.einsum("mka,mka->mk", theta, xy) + np.einsum("mka,ma->mk", theta, lean[:, 1:, 0])
        assert np.ptp(about, axis=1).max() > 1e-4
        added = np.einsum("mija,mja->mi", drilling(xy, np.zeros((6, k)), np.tile(C * np.eye(2), (6, 1, 1))), theta)
        assert np.ptp(about + added, axis=1).max() < 1e-12


@each_shell
def test_rigid_motions_stay_free_of_strain(element: str) -> None:
    kind: type[Shell] = by_name[element]
    points, nodes = surface(element, lambda x, y: -(x**2) + 0.4 * x * y)
    p = properties(ShellSection(0.01), curvature=facet_curvature(points, nodes, [nodes]))
    plain = properties(ShellSection(0.01))
    K = kind.stiffness(points[nodes], p)
    assert np.abs(K - kind.stiffness(points[nodes], plain)).max() > 1e-4 * np.abs(K).max()
    for X, matrix, S in zip(points[nodes], K, kind.stress_operator(points[nodes], p)):
        values = np.linalg.eigvalsh(matrix)
        assert np.abs(matrix @ rigid_motions(X)).max() < 1e-11 * values[-1]
        assert np.sum(np.abs(values) < 1e-11 * values[-1]) == 6
        assert np.abs(S @ rigid_motions(X)).max() < 1e-11 * np.abs(S).max()
    order = np.roll(np.arange(kind.n_nodes), 1)
    again = kind.stiffness(points[nodes[:, order]], p).reshape(len(nodes), kind.n_nodes, 6, kind.n_nodes, 6)
    same = K.reshape(again.shape)[:, order][:, :, :, order]
    assert np.allclose(again, same, atol=1e-10 * np.abs(K).max())


def test_mesh_knows_the_curvature() -> None:
    """Two blocks of one cylinder are as stiff as one block."""
    points, nodes = grid("shell4", 6, 4, lambda s, t: (np.sin(1.5 * s), t, np.cos(1.5 * s)))
    whole = mesh_of("shell4", points, nodes, ShellSection(0.01))
    held = tuple((i, (0, 1, 2, 3, 4, 5)) for i in range(7))
    block = whole.blocks[0]
    parts = tuple(
        type(block)("shell4", nodes[rows], block.ids[rows], "material", "section")
        for rows in (slice(0, 9), slice(9, None))
    )
    f = np.zeros((len(points), 6))
    f[-1, 2] = 1.0
    together = solve(replace(whole, fixed=held), f)
    apart = solve(replace(whole, fixed=held, blocks=parts), f)
    assert np.allclose(apart, together, rtol=1e-9, atol=1e-9 * np.abs(together).max())
