"""Nodes that follow others: their gradient, velocity and acceleration against differences of their poses; plain Python."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.followers import follower_states, nothing_follows
from flexor.engine.memory import FollowerRecord
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.prepare import compile_model
from flexor.spatial import exp_so3, log_so3

EPS = 1e-6


def chain(*joints):
    """A body that flies, and one more for each joint, each the follower of the one before."""
    bodies = [fx.RigidBody(f"body{i}", 1.0 + i, (0.1, 0.2, 0.3), position=(i, 0, 0)) for i in range(len(joints) + 1)]
    links = [
        joint(
            f"joint{i}", bodies[i].at(0.5, 0.1, 0), bodies[i + 1].at(-0.5, 0.1, 0), enforcement="elimination", **given
        )
        for i, (joint, given) in enumerate(joints)
    ]
    return fx.Model("chain", [*bodies, *links], gravity=(0, 0, -9.81))


CHAINS = {
    "revolute, universal": chain((fx.Revolute, {"axis": "y"}), (fx.Universal, {})),
    "cylindrical, spherical": chain((fx.Cylindrical, {"axis": "x"}), (fx.Spherical, {})),
    "prismatic, revolute": chain((fx.Prismatic, {"axis": (1, 1, 0)}), (fx.Revolute, {"axis": "z"})),
}


@pytest.fixture(params=CHAINS, ids=str)
def system(request):
    """A chain in any position and motion."""
    made = compile_model(CHAINS[request.param], python=True)
    assert made.mechanism.followers
    draw = np.random.default_rng(1).standard_normal
    made.nodes("x")[1], made.nodes("R")[1] = draw(3), exp_so3(draw(3)).ravel()
    made.nodes("v")[1], made.nodes("a")[1] = draw(6), draw(6)
    made.memory.s[:] = 0.5 * draw(len(made.memory.s))
    made.call("follow")
    return made


def moved(system, step):
    """x and R of all nodes after a step of (6 of the flying body, each joint variable); the system is left as it was."""
    kept = system.copy("x", "R", "v", "a", "s")
    system.nodes("x")[1] += step[:3]
    system.nodes("R")[1] = (exp_so3(step[3:6]) @ system.nodes("R")[1].reshape(3, 3)).ravel()
    system.memory.s[::3] += step[6:]
    system.call("follow")
    found = system.nodes("x").copy(), system.nodes("R").copy().reshape(-1, 3, 3)
    system.put(kept)
    system.call("follow")
    return found


def size(system):
    return 6 + len(system.mechanism.scalars)


def test_gradients_are_those_of_the_poses(system):
    steps = EPS * np.eye(size(system))
    for number in range(len(system.mechanism.followers)):
        follower = FollowerRecord(system.memory.followers, number)
        node, count = follower.node, follower.size
        J = system.memory.gradients[follower.gradient :][: 6 * count].reshape(count, 6)
        for column, step in zip(J, steps[:count], strict=True):  # from the flying body outwards
            (x1, R1), (x0, R0) = moved(system, step), moved(system, -step)
            difference = np.concatenate([x1[node] - x0[node], log_so3(R1[node] @ R0[node].T)]) / (2 * EPS)
            np.testing.assert_allclose(column, difference, atol=2e-9)


def test_velocity_and_acceleration_are_those_of_the_motion(system):
    """Along q(t) = q + q̇ t + ½ q̈ t², of the flying body's rotation exp(ω t + ½ α t²) R."""
    v, a = system.nodes("v").copy(), system.nodes("a").copy()
    rates, seconds = (np.concatenate([values[1], system.memory.s[i::3]]) for i, values in ((1, v), (2, a)))
    h = 1e-4

    def at(t):
        return moved(system, rates * t + 0.5 * seconds * t * t)

    (x1, R1), (x, R), (x0, R0) = at(h), at(0.0), at(-h)
    for follower in system.mechanism.followers:
        node = follower.node
        ahead, back = log_so3(R1[node] @ R[node].T), log_so3(R0[node] @ R[node].T)
        velocity = np.concatenate([x1[node] - x0[node], ahead - back]) / (2 * h)
        acceleration = np.concatenate([x1[node] - 2 * x[node] + x0[node], ahead + back]) / h**2
        np.testing.assert_allclose(v[node], velocity, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(a[node], acceleration, rtol=1e-5, atol=1e-5)


def test_stiffness_has_the_forces_on_followers(system):
    """∂(Tᵀf)/∂q by differences: with the masses at rest in their accelerations, f is their weight, which stands still."""
    system.zero("v", "a")
    system.memory.s.reshape(-1, 3)[:, 1:] = 0.0
    system.call("follow")
    system.nodes("proper")[:] = [0, 0, 9.81, 0, 0, 0]
    rows = np.concatenate([system.node_rows[1][list(system.node_rows[0]).index(1)], system.memory.scalar_eq])
    assert system.evaluate(RESIDUAL | MATRIX) == 0
    K = system.solver.to_csc().toarray()[np.ix_(rows, rows)]
    differences = np.empty_like(K)
    kept = system.copy("x", "R", "s")
    for i, step in enumerate(EPS * np.eye(len(rows))):
        found = []
        for sign in (1, -1):
            system.nodes("x")[1] += sign * step[:3]
            system.nodes("R")[1] = (exp_so3(sign * step[3:6]) @ system.nodes("R")[1].reshape(3, 3)).ravel()
            system.memory.s[::3] += sign * step[6:]
            system.call("follow")
            assert system.evaluate(RESIDUAL) == 0
            found.append(system.memory.residual[rows].copy())
            system.put(kept)
        differences[:, i] = (found[0] - found[1]) / (2 * EPS)
    spins = slice(
        3, 6
    )  # turned one after the other, rotations do not commute: only the symmetric part is that of a potential
    np.testing.assert_allclose(K + K.T, differences + differences.T, atol=2e-7)
    apart = K - differences
    apart[spins, spins] = 0.0
    np.testing.assert_allclose(apart, 0.0, atol=2e-7)


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_what_moves_followers_is_compiled_only_where_there_are_some(enforcement):
    arm = fx.RigidBody("arm", 1.0, (0.1, 0.1, 0.1))
    system = compile_model(fx.Model("m", [arm, fx.Revolute("pin", fx.ground, arm, enforcement=enforcement)]))
    assert system.memory.follow is (follower_states if enforcement == "elimination" else nothing_follows)
    assert system.call("follow") == 0
