"""Old matrices that turn with the nodes: fewer of them where bodies that deform turn, the same motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.engine.system import System
from flexor.engine.turned import LONG
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings, Tolerances


def whirled_beam():
    """A soft beam that flies through space and turns as a whole by 3 rad."""
    section = StiffnessSection((2e5, 8e4, 8e4, 40.0, 20.0, 50.0), 0.6, (6e-5, 2e-5, 4e-5))
    beam = fx.Beam("beam", [(0, 0, 0), (1, 0, 0)], section, divisions=6, angular_velocity=(0.5, 2, 6))
    return fx.Model("flight", [beam])


def sprung_discs():
    """Discs that spin fast on springs to the ground, along axes that stay where they are."""
    items = []
    for i in range(3):
        disc = fx.RigidBody(f"disc{i}", 2.0, (0.02, 0.01, 0.01), position=(i, 0, 0), angular_velocity=(50, 0.1, 0))
        springs = [
            fx.AxialSpring(
                f"spring{i}{j}{end}", fx.ground.at(i + end, *way), disc.at(end, 0, 0), stiffness=k, damping=10.0
            )
            for j, (way, k) in enumerate((((1, 0), 1e5), ((0, 1), 3e5)))
            for end in (-0.1, 0.1)
        ]
        items += [disc, *springs]
    return fx.Model("discs", items, gravity=(0, 0, -9.81))


class Nowhere:
    """Keeps nothing of a run."""

    def ignore(self, *given):
        pass

    open = rows = history = checkpoint = close = ignore


def last_state(model, until, fixed):
    """Positions at the end, and how many matrices were made; fixed: none of them turns."""
    tolerances = Tolerances(displacement=1e-10, acceleration=1e-6)
    chosen = DynamicsSettings(until=until, step=1e-3, tolerances=tolerances, record=(), energies=False)
    system = prepare(model, chosen)
    if fixed:
        system.run.n_turning = 0
    integrate(system, chosen, Nowhere())
    return system.nodes("x").copy(), int(system.run.factorisations)


def test_matrices_of_what_turns_last_longer():
    x, made = last_state(whirled_beam(), 0.5, fixed=False)
    x_fixed, made_fixed = last_state(whirled_beam(), 0.5, fixed=True)
    assert made < 0.5 * made_fixed
    np.testing.assert_allclose(x, x_fixed, atol=1e-7)


def test_rigid_bodies_do_not_turn_the_matrix():
    """What spins on springs that are fixed in space keeps its matrices as they are."""
    system = prepare(sprung_discs(), DynamicsSettings(until=1.0, step=1e-3))
    assert system.run.n_turning == 0


@pytest.mark.parametrize(("enforcement", "turning"), [("elimination", True), ("multipliers", False)])
def test_whether_nodes_turn_the_matrix(enforcement, turning):
    """Multipliers have no axes of their own."""
    beam, other = whirled_beam().items[0], fx.RigidBody("other", 1.0, 0.1, position=(1.5, 0, 0))
    hinge = fx.Revolute("hinge", beam["end"], other.at(-0.5, 0, 0), enforcement=enforcement)
    system = prepare(fx.Model("pair", [beam, other, hinge]), DynamicsSettings(until=1.0, step=1e-3))
    assert bool(system.run.n_turning) == turning
    assert system.run.life_turned == system.run.life_fixed == LONG


def test_nodes_of_which_something_is_locked_do_not():
    mechanism = prepare(whirled_beam(), DynamicsSettings(until=1.0, step=1e-3)).mechanism
    nodes = list(mechanism.nodes)
    nodes[2] = replace(nodes[2], locked=(0, 4))
    system = System(replace(mechanism, nodes=tuple(nodes)))
    assert list(system.memory.turning) == [1, 3, 4, 5, 6, 7]
