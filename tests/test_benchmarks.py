"""Flexor's side of the benchmarks does what it says; how fast is measured by `python -m benchmarks`, never here."""

import os
import shutil
import sys

import numpy as np
import pytest

from benchmarks import (
    beams,
    contact_pile,
    contact_pile_flexor,
    contact_plate,
    contact_plate_flexor,
    fatigue,
    flexible_chain_flexor,
    frequency,
    friction_chain_flexor,
    rigid_chain_flexor,
    tlm,
    tree,
    whole_mesh,
)
from flexor.solve.frequency.sweep import swept_response


def test_rigid_chain_keeps_its_length():
    run = rigid_chain_flexor.flexor_chain(5, 1e-3, 40)
    lengths = np.linalg.norm(np.diff(run["ends"], axis=0, prepend=np.zeros((1, 3))), axis=1)
    np.testing.assert_allclose(lengths, rigid_chain_flexor.LENGTH, rtol=1e-9)
    assert run["iterations"] >= 40


def test_friction_holds_a_chain_back():
    free, rubbing = (side.flexor_chain(5, 1e-3, 300) for side in (rigid_chain_flexor, friction_chain_flexor))
    assert rubbing["tip"][2] > free["tip"][2] + 1e-3


@pytest.mark.parametrize("other", ["flexor_multipliers", "flexor_floating", "flexor_tight"])
def test_flexible_chains_move_alike(other):
    chain, same = (getattr(flexible_chain_flexor, name)(1e-3, 30) for name in ("flexor_chain", other))
    np.testing.assert_allclose(chain["ends"], same["ends"], rtol=0, atol=1e-5)
    assert np.linalg.norm(chain["ends"][-1]) < 10.0  # it falls


def test_a_pile_falls_into_its_box():
    """60 spheres in 0.08 s: those below lie on the floor, none is beyond a wall."""
    begin, run = contact_pile.centres(60), contact_pile_flexor.pile(60, contact_pile.STEP, 1600)
    radius, centres = contact_pile.RADIUS, run["centres"]
    assert np.abs(centres[:, 2] - radius).min() < 1e-5
    assert np.all(centres[:, 2] < begin[:, 2])
    assert np.all(centres > 0.99 * radius)
    assert np.all(centres[:, :2] < contact_pile.WIDTH - 0.99 * radius)
    assert contact_pile.overlaps(centres).max() < 1e-4
    assert contact_pile.differ(run, run) == ""


def test_a_ball_slides_over_the_benchmark_plate():
    run = contact_plate_flexor.ball_on_plate(contact_plate.STEP, 5)
    way = run["ball"] - np.array(contact_plate.ball_at())
    np.testing.assert_allclose(way[:2], np.array(contact_plate.VELOCITY[:2]) * 5 * contact_plate.STEP, rtol=1e-2)
    assert abs(way[2]) < 1e-5


def test_beam_deflects():
    coarse, fine = (beams.flexor_beam(n, 50) for n in (4, 8))
    np.testing.assert_allclose(coarse["tip"], fine["tip"], rtol=0, atol=2e-3)


@pytest.mark.skipif(
    shutil.which("ccx") is None, reason="CalculiX (ccx) is not on the PATH; Debian has it as calculix-ccx"
)
def test_whole_meshes_bend_as_in_calculix():
    """All nodes of a bar whose end moves by 3 mm."""
    case = whole_mesh.Bar(0.1, (6, 2, 2), 1000.0, 5e-4)
    ours, theirs = (side(case, case.mesh, 5)["ends"] for side in (whole_mesh.flexor_bar, whole_mesh.ccx_bar))
    assert np.abs(ours - case.mesh.points)[~np.isnan(ours)].max() > 2e-3
    np.testing.assert_allclose(ours[~np.isnan(ours)], theirs[~np.isnan(ours)], rtol=0, atol=1e-6)
    assert np.isnan(ours).any(axis=1).sum() == len(case.mesh.node_sets["x_min"])  # those that are clamped


def test_damage_agrees_with_the_rainflow_package():
    found = fatigue.compare(nodes=5, samples=400, subset=5)
    assert found["deviation"] < 1e-9
    assert fatigue.million(1000)["same"]


def test_a_swept_chain_is_the_dense_solution():
    system, omegas = frequency.equations(6), np.linspace(10.0, 4000.0, 150)
    found = swept_response(system, omegas)
    assert found is not None
    for i in range(0, 150, 29):
        expected = np.linalg.solve(system.matrix(omegas[i]).toarray(), system.excitation(omegas[i]))[system.read]
        np.testing.assert_allclose(found[0][i], expected, rtol=1e-6)


def test_tlm_exchanges_and_ping_pong(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    assert tlm.ping_pong(20) > 0
    assert tlm.exchange(3, 20) > 0


def test_the_chain_falls_alike_in_joint_coordinates():
    """Both solvers, whose errors are of order h² and h⁴, put the tip at the same place."""
    found, expected = tree.flexor_chain(5, 1e-3, 100), rigid_chain_flexor.flexor_chain(5, 1e-3, 100)
    np.testing.assert_allclose(found["tip"], expected["tip"], rtol=0, atol=1e-5)


def test_the_four_bars_of_the_tree_benchmark_have_loops():
    model = tree.four_bars(8)
    assert tree.step_time(model, 1) > 0
    assert set(tree.against_global(rigid_chain_flexor.chain_model(3), 1)) == {"tree", "dense", "sparse"}
