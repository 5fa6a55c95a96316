"""What the decorator makes of a function."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.errors import ModelError
from flexor.law import ACCELERATION_LEVEL, MATRIX, VELOCITY_LEVEL, Output, Term, law, level_coefficient
from flexor.law.face import Coefficients, EnergyAnswer, put_energies


@law(errors={1: "it broke"}, outputs=(("length", "m"), ("force", "N")), scratch=3, tangent="own")
def a_law(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    return 0


def test_declaration():
    assert a_law.name == "a_law"
    assert a_law.errors == {1: "it broke"}
    assert a_law.outputs == (Output("length", "m"), Output("force", "N"))
    assert a_law.function(0, *[None] * 15) == 0


def test_scratch_has_room_for_energies_and_outputs():
    """Five energies, or as many floats as there are outputs."""
    assert a_law.scratch == 5
    many = law(outputs=tuple((f"signal_{i}", "m") for i in range(20)), tangent="own")(a_law.function)
    assert many.scratch == 20
    assert law(scratch=33, tangent="own")(a_law.function).scratch == 33


def test_level_coefficient():
    c = np.array([2.0, 3.0, 5.0])
    assert level_coefficient(MATRIX, c) == 2.0
    assert level_coefficient(MATRIX | VELOCITY_LEVEL, c) == 3.0
    assert level_coefficient(MATRIX | ACCELERATION_LEVEL, c) == 5.0
    assert level_coefficient(MATRIX | VELOCITY_LEVEL, Coefficients(c)) == 3.0


def test_a_matrix_that_nobody_would_ask_for_is_refused():
    def spring(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
        if want & MATRIX:
            K[0] += c[0] * p[0]
        return 0

    with pytest.raises(ModelError, match=r'law spring: it looks for MATRIX, .* @law\(…, tangent="own"\)'):
        law()(spring)
    with pytest.raises(ModelError, match='"dual" or "own"'):
        law(tangent="by hand")
    assert law(tangent="own")(spring).body is spring


def test_coefficients_are_all_of_a_laws_c():
    c = Coefficients.pack(
        K=1.0, C=2.0, M=3.0, step=4.0, gravity=(5.0, 6.0, 7.0), load=8.0, turning=9.0, states=10.0, leak=11.0
    )
    np.testing.assert_array_equal(Coefficients(c.words).words, np.arange(1.0, 12.0))


def test_energies_are_read_as_they_were_put():
    w = np.zeros(EnergyAnswer.WORDS)
    put_energies(w, kinetic=1.0, potential=2.0, strain=3.0, dissipated=4.0, supplied=5.0)
    answer = EnergyAnswer(w)
    assert (answer.kinetic, answer.potential, answer.strain, answer.lost, answer.input) == (1.0, 2.0, 3.0, 4.0, 5.0)


def test_element():
    own = (Output("torque", "N m"),)
    term = Term("pin", a_law, nodes=(3, 4), scalars=(1,), rows=("x", "y"))
    assert term.size == 6 * 2 + 1 + 2
    assert term.n_multipliers == 2
    assert term.outputs == a_law.outputs
    assert Term("pin", a_law, own_outputs=own).outputs == own
    assert Term("pin", a_law, own_outputs=()).outputs == ()


def test_address_is_that_of_machine_code():
    assert a_law.address == a_law.address > 0
