"""Contact of full meshes with sides of other bodies that deform, and with each other: tangents, balance, objectivity, compiled against Python, potential."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.engine.initial import move
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.law import MATRIX, RESIDUAL
from flexor.law.face import INTEGRATED
from flexor.model.lower import lower
from flexor.spatial import exp_so3
from tests.contact.full_mesh_scenes import PUSH, ROLL, RUB, SCENES, scene


def contact_alone(kind, friction, python=False, law=PUSH):
    """The contact of two bodies as all that there is in the equations."""
    a, b, one, other = scene(kind)
    mechanism = lower(fx.Model("m", [a, b, fx.Contact("touch", one, other, law, friction=friction)]))
    terms = tuple(term for term in mechanism.terms if term.name == "touch")
    return System(replace(mechanism, terms=terms), symmetric=False, python=python)


def forces(system, states=0.0, c=(1.0, 0.0, 0.0)):
    """All residuals, with the matrix left in the solver."""
    system.run.want, system.run.time = RESIDUAL | MATRIX, 0.02
    now = system.memory.coefficients
    now.K, now.C, now.M, now.turning, now.states = *c, 0.0, states
    assert system.call("assemble") == OK
    return system.memory.residual.copy()


def touching(kind, states, friction=RUB):
    """It has touched before, and both bodies have moved and been bent since."""
    system = contact_alone(kind, friction)
    random = np.random.default_rng(1)
    n = system.equations.pattern.n
    move(system, 2e-5 * random.normal(size=n))
    system.memory.v[6:] = 0.1 * states * random.normal(size=len(system.memory.v) - 6)
    system.call("follow")
    system.run.time = 0.0
    system.call("commit")
    move(system, 1e-5 * random.normal(size=n))
    return system


@pytest.mark.parametrize("states", [0.0, INTEGRATED], ids=["at rest", "in a step"])
@pytest.mark.parametrize("kind", SCENES)
def test_tangents_are_exact_and_forces_balance(kind, states):
    """Against differences, of all coordinates that the contact reaches; the sum of all forces and their moments is none."""
    system = touching(kind, states, ROLL if kind.endswith("on a mesh") and kind[:4] != "mesh" else RUB)
    n = system.equations.pattern.n
    r = forces(system, states)
    nodes, rows = system.node_rows
    wrench = r[rows]
    wrench[:, 3:][np.array([len(system.mechanism.nodes[i].locked) > 0 for i in nodes])] = 0.0
    x = system.nodes("x")[nodes]
    assert np.abs(wrench[:, :3]).max() > 1.0
    np.testing.assert_allclose(wrench[:, :3].sum(axis=0), 0, atol=1e-11 * np.abs(r).max())
    moments = (np.cross(x, wrench[:, :3]) + wrench[:, 3:]).sum(axis=0)
    np.testing.assert_allclose(moments, 0, atol=1e-11 * np.abs(r).max())

    kept = system.copy("x", "R", "v", "s")
    K = system.solver.to_csc().toarray()
    some = np.flatnonzero(np.abs(K).max(axis=0) * system.is_coordinate)
    assert len(some) >= 9
    found = np.zeros((n, len(some)))
    for i, j in enumerate(some):
        for step, weight in ((1e-7, 4 / 3), (-1e-7, 4 / 3), (2e-7, -1 / 3), (-2e-7, -1 / 3)):  # of fourth order
            system.put(kept)
            move(system, step * np.eye(n)[j])
            system.put({"v": kept["v"]})  # those of tied nodes would turn with them
            found[:, i] += weight * forces(system, states) / (2 * step)
    system.put(kept)
    move(system, np.zeros(n))
    np.testing.assert_allclose(K[:, some][some], found[some], rtol=0, atol=3e-7 * np.abs(K[some][:, some]).max())

    forces(system, states, (0.0, 1.0, 0.0))
    K = system.solver.to_csc().toarray()
    chosen = [(int(i), int(node), j) for i, node in enumerate(nodes) for j in range(3)]
    for i, node, j in chosen[:: max(1, len(chosen) // 12)]:
        slope = 0.0
        for step in (1e-4, -1e-4):
            system.put(kept)
            system.memory.v[6 * node + j] += step
            system.call("follow")
            slope += forces(system, states) / (2 * step)
        np.testing.assert_allclose(K[some, rows[i, j]], slope[some], rtol=0, atol=1e-6 * np.abs(K[some][:, some]).max())


@pytest.mark.parametrize("kind", SCENES)
def test_forces_turn_with_both_bodies(kind):
    """What is remembered of friction, too: after a turn of all that there is by more than a radian, forces are the same in axes that turned as well."""
    system = touching(kind, 0.0, ROLL if kind.startswith("ring") else RUB)
    rows = system.node_rows[1]
    before, turn = forces(system), exp_so3(np.array([0.7, -0.9, 0.4]))
    x, R = system.nodes("x"), system.nodes("R").reshape(-1, 3, 3)
    x[:], R[:] = x @ turn.T, turn @ R
    after = forces(system)
    straight, turned = (r[rows[:, :3]].reshape(-1, 3) for r in (before, after))
    np.testing.assert_allclose(turned, straight @ turn.T, rtol=0, atol=1e-9 * np.abs(straight).max())
    modes = np.setdiff1d(np.flatnonzero(system.is_coordinate), rows.ravel())
    np.testing.assert_allclose(after[modes], before[modes], rtol=0, atol=1e-9 * np.abs(before).max())


@pytest.mark.parametrize("kind", ["ring on a mesh", "mesh on a mesh", "mesh on a superelement"])
def test_compiled_is_python(kind):
    """Forces and matrix of the compiled laws are those of their text."""
    found = []
    for python in (False, True):
        system = contact_alone(kind, RUB, python)
        system.memory.v[6:12] = 0.1
        r = forces(system, INTEGRATED)
        found.append((r, system.solver.to_csc().toarray()))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-11 * np.abs(b).max())


@pytest.mark.parametrize("kind", ["mesh on a mesh", "mesh on the border of a mesh"])
def test_without_friction_forces_have_a_potential(kind):
    """The matrix is symmetric; the laws say so, and the matrix is factorised as such. Of all pairs of nodes and triangles those are asked that touch."""
    system = touching(kind, 0.0, 0.0)
    forces(system)
    assert all(term.law.symmetric for term in system.mechanism.terms)
    K = system.solver.to_csc().toarray()
    straight = system.node_rows[1][:, :3].ravel()
    K = K[straight][:, straight]
    np.testing.assert_allclose(K, K.T, rtol=0, atol=1e-11 * np.abs(K).max())
    terms = system.terms
    asked = (terms["acts"] >= 0) & (system.memory.history[terms["acts"]] == terms["number"])
    assert 1 <= asked.sum() <= 6
    assert len(terms) == 1 + 6 * 16
