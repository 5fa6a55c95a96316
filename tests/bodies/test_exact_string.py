"""Elements of an exact beam asked eight at a time: the same forces as of each alone."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.bodies.body import Start
from flexor.engine.strings import strings_of
from flexor.engine.system import System
from flexor.law import RESIDUAL
from flexor.law.coordinates import Node
from flexor.law.string import STRING
from flexor.model.mechanism import Mechanism
from flexor.spatial import Pose, exp_so3

SECTION = StiffnessSection((1e5, 4e4, 3e4, 2.0, 1.0, 3.0), 1.2, (2e-4, 1e-4, 1e-4))
LINES = {"straight": [(0, 0, 0), (0.6, 0.3, 0.2)], "kinked": [(0, 0, 0), (1, 0, 0), (1, 1, 0)]}


def mechanism(line="straight", divisions=STRING, **about):
    parts = Beam("beam", LINES[line], SECTION, divisions=divisions, **about).parts(Start(Pose(), np.zeros(6)))
    ground = Node("ground", np.zeros(3), np.eye(3), np.zeros(6))
    return Mechanism("beam", (ground, *parts.nodes), (), parts.terms, (), (0.0, 0.0, -9.81))


def bent_at_random(system, size):
    """Move every node; those next to each other turn by about `size` rad against each other."""
    rng = np.random.default_rng(3)
    n = len(system.mechanism.nodes)
    R = system.memory.R.reshape(-1, 3, 3)
    for i in range(1, n):
        R[i] = R[i - 1] @ exp_so3(size * rng.normal(size=3) / np.sqrt(3))
    system.memory.x[:] += 0.1 * size * rng.normal(size=3 * n)
    for name in ("v", "proper"):
        getattr(system.memory, name)[:] = rng.normal(size=6 * n)


def residual(system, together):
    """The residual, with strings or without."""
    strings = system.terms["string"].copy()
    if not together:
        system.terms["string"] = -1
    assert system.evaluate(RESIDUAL) == 0
    system.terms["string"] = strings
    return system.memory.residual.copy()


@pytest.mark.parametrize("python", [False, True])
@pytest.mark.parametrize("size", [0.0, 1e-3, 0.1, 0.3, 1.0])
def test_a_string_has_the_forces_of_its_elements(size, python):
    """Beyond the series (0.3, 1 rad) each of them is asked by itself."""
    system = System(mechanism(divisions=STRING + 3), python=python)
    assert (system.terms["string"] >= 0).tolist() == [True, *[False] * (STRING + 2)]
    bent_at_random(system, size)
    alone = residual(system, together=False)
    np.testing.assert_allclose(residual(system, together=True), alone, atol=1e-13 * np.abs(alone).max())


def test_one_term_alone_is_asked_alone():
    system = System(mechanism())
    bent_at_random(system, 0.1)
    (own,) = system.residuals_alone([0])
    first = own[:12].copy()
    system.terms["string"] = -1
    np.testing.assert_array_equal(first, system.residuals_alone([0])[0][:12])


@pytest.mark.parametrize(
    ("about", "count"),
    [
        ({"divisions": STRING - 1}, 0),
        ({"divisions": 2 * STRING + 3}, 2),
        ({"damping": 1e-3, "divisions": STRING}, 0),
        ({"line": "kinked", "divisions": 2 * STRING}, 2),
    ],
)
def test_which_elements_are_asked_together(about, count):
    terms = mechanism(**about).terms
    firsts = strings_of(terms, ())
    assert len(firsts) == count
    for first in firsts:
        nodes = [terms[first + i].nodes for i in range(STRING)]
        assert nodes == [(nodes[0][0] + i, nodes[0][0] + i + 1) for i in range(STRING)]
    assert len(strings_of(terms, range(len(terms)))) == 0  # those with nodes that follow others are not among them


def test_other_parameters_reach_the_string():
    """What `rewrite` takes over holds for elements that are asked together, too."""
    system, stiffer = System(mechanism()), StiffnessSection((2e5, 4e4, 3e4, 2.0, 5.0, 3.0), 1.2, (2e-4, 1e-4, 1e-4))
    parts = Beam("beam", LINES["straight"], stiffer, divisions=STRING).parts(Start(Pose(), np.zeros(6)))
    other = Mechanism("beam", system.mechanism.nodes, (), parts.terms, (), (0.0, 0.0, -9.81))
    bent_at_random(system, 0.1)
    assert system.rewrite(other)
    alone = residual(system, together=False)
    np.testing.assert_allclose(residual(system, together=True), alone, atol=1e-13 * np.abs(alone).max())
