"""Rigid links, rigid bars and average links: rigid motions, chains, force balance, mistakes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements.assembly.constraints import average_link
from flexor.elements.assembly.dofs import dof_map
from flexor.elements.assembly.loads import PointLoad
from flexor.elements.assembly.model import FeModel, assemble
from flexor.errors import ModelError
from flexor.mesh import AverageLink, Mesh, NodalMass, RigidBar, RigidLink
from flexor.mesh.generate import box
from flexor.mesh.select import Numbered
from flexor.reduce.full import natural_modes, statics
from tests.elements import samples

HEAVY = np.diag([1.0, 1, 1, 0.1, 0.1, 0.1])


def nodes_only(points, **links) -> Mesh:
    """Bare nodes, each with a mass so that it has six degrees of freedom."""
    points = np.array(points, dtype=float)
    masses = tuple(NodalMass(i, HEAVY) for i in range(len(points)))
    return Mesh(points=points, node_ids=np.arange(1, len(points) + 1), blocks=(), masses=masses, **links)


def keeps_rigid_motions(model: FeModel) -> bool:
    """Rigid motions of the independent degrees of freedom give those of all."""
    R = model.dofs.rigid_modes(model.mesh.points)
    free = model.dofs.node_dofs[tuple(model.independent.T)]
    return np.allclose(model.T @ R[free], R, atol=1e-12)


def beam_with_ends(**changes) -> Mesh:
    """A bar with a node beyond either end."""
    mesh = box((1, 0.2, 0.1), (4, 1, 1), material=samples.MATERIAL)
    points = np.vstack([mesh.points, [-0.1, 0.1, 0.05], [1.1, 0.12, 0.02]])
    return replace(mesh, points=points, node_ids=np.arange(1, len(points) + 1), **changes)


def end_nodes(mesh: Mesh, name: str) -> tuple[int, ...]:
    return tuple(int(i) for i in mesh.node_sets[name])


def test_rigid_link() -> None:
    mesh = nodes_only([[0, 0, 0], [1, 2, 3]], rigid_links=(RigidLink(0, (1,), id=7),))
    model = assemble(mesh)
    assert keeps_rigid_motions(model)
    q = np.array([0.1, 0.2, 0.3, 0.01, 0.02, 0.03])
    u = model.dofs.nodal(model.T @ q)
    ex, ey, ez = 1.0, 2.0, 3.0  # FTG (A.8)–(A.13)
    expected = [0.1 + ez * 0.02 - ey * 0.03, 0.2 + ex * 0.03 - ez * 0.01, 0.3 + ey * 0.01 - ex * 0.02, 0.01, 0.02, 0.03]
    assert np.allclose(u[1], expected)


def test_only_some_components() -> None:
    model = assemble(nodes_only([[0, 0, 0], [1, 0, 0]], rigid_links=(RigidLink(0, (1,), components=(1, 2)),)))
    assert model.T.shape == (12, 10)
    assert keeps_rigid_motions(model)


def test_chains_of_every_kind() -> None:
    """Solid face on a rigid link, its node on a bar, the bar's end on an average link over a third face … all rigid."""
    mesh = beam_with_ends()
    n = len(mesh.points)
    points = np.vstack([mesh.points, [1.3, 0.2, 0.1], [1.5, 0.0, 0.0]])
    mesh = replace(mesh, points=points, node_ids=np.arange(1, len(points) + 1))
    links = {
        "rigid_links": (
            RigidLink(n - 1, end_nodes(mesh, "x_max"), id=1),
            RigidLink(n, (n - 1,), id=2),
            RigidLink(n + 1, (n,), id=3),
        ),
        "average_links": (AverageLink(n - 2, end_nodes(mesh, "x_min"), id=4),),
    }
    model = assemble(replace(mesh, **links))
    assert keeps_rigid_motions(model)
    owners = {tuple(o) for o in model.independent}
    assert {(n + 1, c) for c in range(6)} <= owners
    assert not owners & {(n, 0), (n - 1, 0), (n - 2, 0), (int(mesh.node_sets["x_max"][0]), 0)}
    assert natural_modes(model, 8).rigid == 6


@pytest.mark.parametrize(
    ("independent", "dependent"),
    [
        (((0, 1, 2, 3, 4, 5), ()), ((), (0, 1, 2, 3, 4, 5))),
        (((0, 1, 2), (1, 2, 3)), ((3, 4, 5), (0, 4, 5))),
        (((0, 1, 2, 3), (1, 2)), ((), ())),
        (((1, 2, 3, 4, 5), (0,)), ((0,), ())),
    ],
)
def test_rigid_bar(independent, dependent) -> None:
    bar = RigidBar((0, 1), independent, dependent, id=3)
    model = assemble(nodes_only([[0.2, 0.1, 0], [1.2, 0.4, -0.3]], rigid_bars=(bar,)))
    assert keeps_rigid_motions(model)
    n_dependent = sum(map(len, dependent)) or 6
    assert model.T.shape == (12, 12 - n_dependent)


def test_rigid_bar_that_cannot_be() -> None:
    for independent in (((0, 1, 2), (0, 1, 2)), ((0, 1, 2, 3, 4), ()), ((0, 1, 2, 3, 4, 5), (0,))):
        bar = RigidBar((0, 1), independent, ((), ()), id=3)
        with pytest.raises(ModelError, match="rigid bar 3: its independent components"):
            assemble(nodes_only([[0, 0, 0], [1, 0, 0]], rigid_bars=(bar,)))
    bar = RigidBar((0, 1), ((0, 1, 2, 3, 4, 5), ()), ((0,), (1,)), id=3)
    with pytest.raises(ModelError, match="rigid bar 3: 'x' of node 1 is independent and dependent"):
        assemble(nodes_only([[0, 0, 0], [1, 0, 0]], rigid_bars=(bar,)))


SQUARE = [[1, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]]
SKEW = [[1, 0, 0], [0, 1, 0.5], [-1, 0.2, 0], [0.3, -1, 1]]


def guide_force(points: np.ndarray, weights: np.ndarray, e: np.ndarray, F: np.ndarray, M: np.ndarray) -> np.ndarray:
    """(nodes, 3) forces of FTG (A.14), with e from the weighted centre to the reference node."""
    r = points - weights @ points / weights.sum()
    f = np.zeros_like(points)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        second = (r[:, k] ** 2 + r[:, i] ** 2) @ weights
        third = (r[:, i] ** 2 + r[:, j] ** 2) @ weights
        f[:, i] = (
            F[i] * weights / weights.sum()
            + (M[j] - F[k] * e[i] + F[i] * e[k]) * weights * r[:, k] / second
            - (M[k] - F[i] * e[j] + F[j] * e[i]) * weights * r[:, j] / third
        )
    return f


def averaged(points, weights=(), **fields):
    points = np.array(points, dtype=float)
    link = AverageLink(len(points), tuple(range(len(points))), tuple(weights), id=5, **fields)
    reference = np.array([[0.3, 0.2, 0.7]])
    mesh = nodes_only(np.vstack([points, reference]), average_links=(link,))
    return mesh, average_link(link, mesh, dof_map(mesh))


@pytest.mark.parametrize("weights", [(), (1.0, 2.0, 3.0, 4.0)])
@pytest.mark.parametrize("points", [SQUARE, SKEW], ids=["square", "skew"])
def test_average_link_balances_forces(points, weights) -> None:
    """Tᵀ (F, M) on the averaged nodes has the same resultant as F, M on the reference node, and rigid motions stay."""
    mesh, coupling = averaged(points, weights)
    assert keeps_rigid_motions(assemble(mesh))
    for load in np.eye(6):
        f = (coupling.coefficients.T @ load).reshape(-1, 3)
        x = np.array(points, dtype=float) - mesh.points[-1]
        assert np.allclose(f.sum(axis=0), load[:3], atol=1e-13)
        assert np.allclose(np.cross(x, f).sum(axis=0), load[3:], atol=1e-13)


def test_average_link_is_the_guide_where_products_of_inertia_vanish() -> None:
    """FTG (A.14) for a pattern with three planes of symmetry; for a skew one it loses the balance of moments."""
    rng = np.random.default_rng(0)
    for points, same in ((np.array(SQUARE, dtype=float), True), (np.array(SKEW), False)):
        mesh, coupling = averaged(points)
        e = mesh.points[-1] - points.mean(axis=0)
        F, M = rng.normal(size=3), rng.normal(size=3)
        ours = (coupling.coefficients.T @ np.concatenate([F, M])).reshape(-1, 3)
        guide = guide_force(points, np.ones(4), e, F, M)
        assert np.allclose(ours, guide, atol=1e-12) is same
        moment = np.cross(points - mesh.points[-1], guide).sum(axis=0)
        assert np.allclose(moment, M, atol=1e-12) is same


def test_average_link_with_rotations_of_the_averaged_nodes() -> None:
    """Nodes on a line determine everything once their rotations take part; a single node is followed rigidly."""
    line = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    with pytest.raises(ModelError, match=r"average link 5: the averaged nodes do not determine its .*rotation x"):
        averaged(line)
    mesh, _ = averaged(line, independent_components=(0, 1, 2, 3, 4, 5))
    assert keeps_rigid_motions(assemble(mesh))
    mesh, coupling = averaged([[0, 0, 0]], independent_components=(0, 1, 2, 3, 4, 5))
    rigid = np.eye(6)
    rigid[:3, 3:] = [[0, 0.7, -0.2], [-0.7, 0, 0.3], [0.2, -0.3, 0]]
    assert np.allclose(coupling.coefficients, rigid, atol=1e-14)


def test_average_link_for_some_components_only() -> None:
    """Nodes along z through the reference node still determine its displacement in that line."""
    link = AverageLink(2, (0, 1), components=(0, 1, 2), id=5)
    model = assemble(nodes_only([[0, 0, 0], [0, 0, 2], [0, 0, 1]], average_links=(link,)))
    u = model.dofs.nodal(model.T @ np.arange(15.0))
    assert np.allclose(u[2, :3], (u[0, :3] + u[1, :3]) / 2)


@pytest.mark.parametrize("weights", [(1.0, 2.0), (1.0, -1.0, 1.0, 1.0), (0.0, 0.0, 0.0, 0.0)])
def test_average_link_with_wrong_weights(weights) -> None:
    with pytest.raises(ModelError, match=r"average link 5.*weights"):
        averaged(SQUARE, weights)


def test_average_link_adds_no_stiffness() -> None:
    """A moment on the reference node bends the bar as the same couple of forces does."""
    mesh = beam_with_ends()
    n = len(mesh.points)
    link = AverageLink(n - 1, end_nodes(mesh, "x_max"), id=2)
    held = tuple((i, (0, 1, 2)) for i in end_nodes(mesh, "x_min"))
    model = assemble(replace(mesh, average_links=(link,), fixed=held))
    by_link = statics(model, [PointLoad(Numbered((n,)), force=(10, 20, 30), moment=(3, 4, 5))])
    coupling = average_link(link, model.mesh, model.dofs)
    f = np.zeros(model.dofs.n)
    f[coupling.independent] = coupling.coefficients.T @ [10, 20, 30, 3, 4, 5]
    direct = statics(
        assemble(replace(mesh, points=mesh.points[: n - 2], node_ids=mesh.node_ids[: n - 2], fixed=held)),
        f[: 3 * (n - 2)],
    )
    assert np.allclose(by_link.nodal[: n - 2, :3], direct.nodal[:, :3], rtol=1e-9, atol=1e-18)


def test_reference_node_of_an_average_link_can_be_kept() -> None:
    """Retained: its degrees of freedom become independent, others follow; the answers are the same."""
    mesh = beam_with_ends()
    n = len(mesh.points)
    link = AverageLink(n - 1, end_nodes(mesh, "x_max"), id=2)
    held = tuple((i, (0, 1, 2)) for i in end_nodes(mesh, "x_min"))
    plain = assemble(replace(mesh, average_links=(link,), fixed=held))
    kept = assemble(replace(plain.mesh, retained=((n - 1, (0, 1, 2, 3, 4, 5)),)))
    assert {(n - 1, c) for c in range(6)} <= {tuple(o) for o in kept.independent}
    assert kept.T.shape == plain.T.shape
    load = [PointLoad(Numbered((n,)), force=(10, 20, 30), moment=(3, 4, 5))]
    a, b = statics(plain, load), statics(kept, load)
    assert np.allclose(a.nodal, b.nodal, rtol=1e-8, atol=1e-8 * np.abs(a.nodal).max())
    free = assemble(replace(kept.mesh, fixed=()))
    assert keeps_rigid_motions(free)
    assert np.allclose(natural_modes(plain, 5).frequencies, natural_modes(kept, 5).frequencies, rtol=1e-8)


def refused(mesh: Mesh) -> str:
    with pytest.raises(ModelError) as caught:
        assemble(mesh)
    return str(caught.value)


def test_circles_are_refused() -> None:
    points = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
    links = (RigidLink(0, (1,), id=11), RigidLink(1, (2,), id=12), RigidLink(2, (0,), id=13))
    message = refused(nodes_only(points, rigid_links=links))
    assert "rigid link 11, rigid link 12, rigid link 13" in message
    assert "circle" in message
    assert "follows itself" in refused(nodes_only(points, rigid_links=(RigidLink(0, (0, 1), id=1),)))


def test_two_masters_are_refused() -> None:
    links = (RigidLink(0, (2,), id=11), RigidLink(1, (2,), id=12))
    message = refused(nodes_only([[0, 0, 0], [1, 0, 0], [2, 0, 0]], rigid_links=links))
    assert "node 3 x: it follows rigid link 11 and rigid link 12" in message
    assert "node 3 rotation z" in message


def test_fixed_and_dependent_is_refused_unless_redundant() -> None:
    mesh = nodes_only([[0, 0, 0], [1, 0, 0]], rigid_links=(RigidLink(0, (1,), id=11),), fixed=((1, (2,)),))
    message = refused(mesh)
    assert "node 2 z: it is fixed and also follows rigid link 11" in message
    both = replace(mesh, fixed=((0, (0, 1, 2, 3, 4, 5)), (1, (2,))))
    assert assemble(both).T.shape == (12, 0)
