"""Ties that average over a surface: a force is a uniform traction, a moment a linear one; stress near them is true."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies.full_mesh.average_tie import average_tie_term
from flexor.elements import SOLIDS
from flexor.elements.assembly.constraints import average_link
from flexor.elements.assembly.dofs import dof_map, element_widths
from flexor.errors import ModelError
from flexor.materials import Steel
from flexor.mesh.generate import bar, tube
from flexor.mesh.select import cylinder
from flexor.recover import StressHistory
from flexor.reduce import CraigBampton, Interface, from_mesh, reduce_mesh
from flexor.reduce.tie import UnevenTie, tied
from tests.laws.calls import matrix
from tests.laws.states import State
from tests.recover.bodies import clamped, resting

WIDTH, HEIGHT = 0.1, 0.08
ENDS = {"left": Interface("x_min", tie="average"), "right": Interface("x_max", tie="average")}


def stress(element: str, load) -> tuple[np.ndarray, StressHistory]:
    mesh = bar(1.0, WIDTH, HEIGHT, (6, 2, 3), element=element, material=Steel())
    body = reduce_mesh(mesh, ENDS, CraigBampton(2), check=False, use_cache=False)
    return body.nodes, StressHistory(resting(body, clamped(body, np.array(load, dtype=float))), "xx")


@pytest.mark.parametrize("element", [kind.name for kind in SOLIDS])
def test_tension_is_uniform_up_to_the_tie(element: str) -> None:
    """1 MPa at all nodes, those of the tied faces too; with equal weights it was 0.2 … 2.1 MPa."""
    _, field = stress(element, [WIDTH * HEIGHT * 1e6, 0, 0, 0, 0, 0])
    values = field.frame(0.0)
    assert np.allclose(values[np.isfinite(values)], 1e6, rtol=1e-9)


@pytest.mark.parametrize("element", ["hex8", "hex20", "wedge15", "tet10"])
def test_bending_is_linear_up_to_the_tie(element: str) -> None:
    """σ = M z/I about y and −M y/I about z; these elements hold linear stress."""
    nodes, field = stress(element, [0, 0, 0, 0, 100.0, 30.0])
    expected = 100 * nodes[:, 2] / (WIDTH * HEIGHT**3 / 12) - 30 * nodes[:, 1] / (HEIGHT * WIDTH**3 / 12)
    values = field.frame(0.0)
    there = np.isfinite(values)
    assert np.allclose(values[there], expected[there], atol=1e-8 * expected.max())


@pytest.mark.parametrize("element", ["hex8", "hex20", "tet10"])
def test_in_small_motion_the_law_is_the_link(element: str) -> None:
    """The constraint of a whole mesh in large motion, linearised, is the link of the finite-element model; a bore."""
    mesh = tube(0.05, 0.02, 0.1, divisions=(12, 1, 3), element=element)
    bore = {"bore": Interface(cylinder((0, 0, 0), "20 mm", "z"), tie="average", at=(0.01, 0.02, 0.03))}
    linked, (node,) = tied(mesh, element_widths(mesh), bore)
    (link,) = linked.average_links
    assert (min(link.weights) < 0) == (element == "hex20")
    coupling = average_link(link, linked, dof_map(linked))
    X0, X = linked.points[node], linked.points[list(link.independents)]
    k = len(X)
    law = average_tie_term("b", 1, range(2, k + 2), X0, X, np.array(link.weights), np.array(link.levers))
    still = State(
        x=np.vstack([X0, X]), R=np.tile(np.eye(3), (k + 1, 1, 1)), v=np.zeros((k + 1, 6)), a=np.zeros((k + 1, 6)),
        s=np.zeros((0, 3)), lam=np.zeros(6), h=np.zeros(0), t=0.0, gravity=np.zeros(3),
    )  # fmt: skip
    B = matrix(law, still, (1.0, 0.0, 0.0))[6 * k + 6 :, : 6 * k + 6]
    others = B[:, 6:].reshape(6, k, 6)[:, :, :3].reshape(6, 3 * k)
    found = np.linalg.solve(B[:, :6], -others)
    expected = np.zeros((6, 3 * k))
    columns = {e: i for i, e in enumerate(dof_map(linked).node_dofs[list(link.independents), :3].ravel())}
    expected[:, [columns[e] for e in coupling.independent]] = coupling.coefficients
    assert np.allclose(found, expected, atol=1e-9 * np.abs(expected).max())


def test_a_face_with_stray_nodes_is_told() -> None:
    mesh = bar(1.0, WIDTH, HEIGHT, (4, 2, 2))
    face = mesh.node_ids[mesh.node_sets["x_max"]].tolist()
    stray = mesh.node_ids[np.argmin(np.linalg.norm(mesh.points - [0.5, 0.05, 0.04], axis=1))]
    with pytest.warns(UnevenTie, match=r"interface 'right': 1 of its 10 nodes belong to no whole face.*whole faces"):
        from_mesh(mesh, {"right": Interface({"type": "numbered", "ids": [*face, int(stray)]}, tie="average")})


def test_largest_stress_on_a_tie_says_so() -> None:
    """A bar on a rigid tie: its face cannot contract, and stress is largest there."""
    mesh = bar(1.0, WIDTH, HEIGHT, (10, 2, 2), element="hex20", material=Steel())
    body = reduce_mesh(mesh, {"left": "x_min", "right": "x_max"}, CraigBampton(2), check=False, use_cache=False)
    field = StressHistory(resting(body, clamped(body, np.array([8000.0, 0, 0, 0, 0, 0]))), "xx")
    peak, away = field.max(), field.max(ties=False)
    assert peak.tied
    assert peak.away == away
    assert peak.value > 1.1e6 > away.value
    assert not away.tied
    assert "on a tie; 1.0" in str(peak)
    assert "away from ties)" in str(peak)
    assert "tie" not in str(away)
    assert field.min().value <= field.min(ties=False).value
    pulled = clamped(body, np.array([-8000.0, 0, 0, 0, 0, 0]))
    assert StressHistory(resting(body, pulled), "xx").min(ties=False).value == pytest.approx(-away.value)
    short = bar(0.1, WIDTH, HEIGHT, (1, 1, 1), material=Steel())
    body = reduce_mesh(short, ENDS, CraigBampton(0), check=False, use_cache=False)
    small = StressHistory(resting(body, clamped(body, np.array([8000.0, 0, 0, 0, 0, 0]))))
    assert str(small.max()).endswith("(on a tie)")
    with pytest.raises(ModelError, match=r"ties hold all 8 places.*ties=True"):
        small.max(ties=False)
