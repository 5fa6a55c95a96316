"""Readings of energies and strains of bodies that deform: they are those of the law, and their tangents are exact."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.law import Term
from flexor.law.reading import ENERGIES, energy_terms, reading_term
from flexor.reduce.surface_strain import strain_along
from tests.laws.calls import energies, matrix, outputs, residual
from tests.laws.flexible import on_flexible, sample
from tests.laws.states import COORDINATES, VELOCITIES, State, perturbed

C = (0.7, -1.3, 0.4)


def assert_row(term: Term, state: State) -> None:
    """The row of a reading against central differences."""
    free, h = 6 * len(term.nodes) + len(term.scalars), 1e-6
    row = np.zeros(free)
    for kind, c in ((COORDINATES, C[0]), (VELOCITIES, C[1])):
        for j in range(free):
            up, down = (residual(term, perturbed(state, kind, j, sign * h))[free] for sign in (1, -1))
            row[j] += c * (up - down) / (2 * h)
    found = matrix(term, state, C)[free]
    np.testing.assert_allclose(found[:free], row, rtol=0, atol=1e-7 * max(np.abs(row).max(), 1e-6))
    assert found[free] == 1.0


@on_flexible
def test_energies(name):
    made = sample(name)
    for term in made.terms[:2]:
        if term.law.parameters is None:
            continue
        state = made.state(term, 1, deformation=0.03)
        for kinds in (("kinetic",), ("potential",), ENERGIES):
            (reading,) = energy_terms("E", [term], kinds)
            there = replace(state, lam=np.array([0.3]))
            own = energies(term, state)[:3] @ [float(kind in kinds) for kind in ENERGIES]
            assert 0.3 - residual(reading, there)[-1] == pytest.approx(own, rel=1e-12, abs=1e-14)
        if 6 * len(term.nodes) + len(term.scalars) <= 24:
            assert_row(reading, there)


def test_a_chain_adds_them_up():
    made = sample("beam")
    first, second = energy_terms("E", made.terms[:2], ENERGIES)
    assert [term.name for term in (first, second)] == ["E.1", "E"]
    assert second.reads == (("E.1", 1),)
    state = replace(made.state(made.terms[1], 2, deformation=0.03), lam=np.array([0.3, 0.9]))
    own = energies(made.terms[1], state)[:3].sum()
    assert 0.3 - residual(second, state)[-2] == pytest.approx(0.9 + own, rel=1e-12)
    assert matrix(second, state, C)[-2, -1] == -1.0


@pytest.mark.parametrize("name", ["superelement", "superelement, triangle", "floating", "floating, stiffened"])
def test_frames_and_strains(name):
    made = sample(name)
    reduced = made.body.reduced
    g = strain_along(reduced, "sensor", np.array([0.4, 0.02, 0.15]), np.array([1.0, 0.1, 0.0]))
    (body, *_) = made.terms
    strain = made.body.realisation.strain(g, body.nodes[0], 0)
    state = made.state(body, 3, deformation=0.03)
    own = state if strain.nodes else replace(state, x=state.x[:0], R=state.R[:0], v=state.v[:0], a=state.a[:0])
    (value,) = outputs(strain, own)
    assert abs(value) > 1e-4
    reading = reading_term("eps", strain, 0)
    there = replace(own, lam=np.array([0.3]))
    assert 0.3 - residual(reading, there)[-1] == pytest.approx(value, rel=1e-12)
    assert_row(reading, there)
    for number in range(len(body.outputs)):
        reading = reading_term("y", body, number)
        there = replace(state, lam=np.array([0.3]))
        assert 0.3 - residual(reading, there)[-1] == pytest.approx(outputs(body, state)[number], rel=1e-10, abs=1e-12)
