import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from flexor.errors import ModelError
from flexor.spatial import EULER_SEQUENCES, euler_rates_to_omega, euler_to_matrix, matrix_to_euler, unskew
from tests.spatial.strategies import EPS, error, law, rotations, vectors, π

sequences = pytest.mark.parametrize("sequence", EULER_SEQUENCES)
axes = pytest.mark.parametrize("fixed", [False, True])
LOCK = 2e-14  # documented change of R where two axes less than 1e-14 rad apart are taken as one


def test_all_twelve():
    assert len(set(EULER_SEQUENCES)) == 12
    assert all(a != b != c for a, b, c in EULER_SEQUENCES)


@sequences
@axes
@law
@given(angles=vectors(20.0))
def test_matrix_agrees_with_scipy(sequence, fixed, angles):
    other = Rotation.from_euler(sequence if fixed else sequence.upper(), angles).as_matrix()
    assert error(euler_to_matrix(angles, sequence, fixed=fixed), other) <= 64 * EPS


@sequences
@axes
@law
@given(R=rotations())
def test_extraction_gives_the_matrix_back(sequence, fixed, R):
    angles = matrix_to_euler(R, sequence, fixed=fixed)
    assert error(euler_to_matrix(angles, sequence, fixed=fixed), R) <= LOCK + 16 * EPS
    assert np.all(np.abs(angles) <= π)
    if sequence[0] == sequence[2]:
        assert 0 <= angles[1] <= π
    else:
        assert abs(angles[1]) <= π / 2


@sequences
@axes
@law
@given(outer=st.tuples(st.floats(-3.1, 3.1), st.floats(-3.1, 3.1)), middle=st.floats(0.01, 1.56))
def test_extraction_gives_the_angles_back(sequence, fixed, outer, middle):
    two = sequence[0] == sequence[2]
    for β in (middle, π - middle) if two else (middle, -middle):
        angles = np.array([outer[0], β, outer[1]])
        R = euler_to_matrix(angles, sequence, fixed=fixed)
        assert error(matrix_to_euler(R, sequence, fixed=fixed), angles) <= 1e-13
        other = Rotation.from_matrix(R).as_euler(sequence if fixed else sequence.upper())
        assert error(matrix_to_euler(R, sequence, fixed=fixed), other) <= 1e-13


def _locked(sequence):
    return (0.0, π) if sequence[0] == sequence[2] else (π / 2, -π / 2)


@sequences
@axes
def test_gimbal_lock_puts_the_whole_turn_into_one_angle(sequence, fixed):
    for β in _locked(sequence):
        for α, γ in ((0.3, 0.5), (-2.0, 1.1), (0.0, -0.7), (3.0, 3.0), (0.4, 0.0)):
            R = np.round(euler_to_matrix([α, β, γ], sequence, fixed=fixed), 15)  # as if typed in
            R[np.abs(R) < 1e-14] = 0
            angles = matrix_to_euler(R, sequence, fixed=fixed)
            assert angles[0 if fixed else 2] == 0
            assert angles[1] == pytest.approx(β, rel=0, abs=1e-15)
            assert error(euler_to_matrix(angles, sequence, fixed=fixed), R) <= LOCK + 16 * EPS


@sequences
@axes
@pytest.mark.parametrize("off", [10.0**-k for k in range(3, 18, 2)])
def test_near_gimbal_lock_the_matrix_is_still_given_back(sequence, fixed, off):
    for β in _locked(sequence):
        for sign in (1, -1):
            R = euler_to_matrix([0.3, β + sign * off, -1.2], sequence, fixed=fixed)
            angles = matrix_to_euler(R, sequence, fixed=fixed)
            assert error(euler_to_matrix(angles, sequence, fixed=fixed), R) <= LOCK + 16 * EPS


def test_zyx_as_printed_in_ftg_2_35_to_2_38():
    angles = np.array([0.4, -0.7, 1.9])
    (ca, cb, cg), (sa, sb, sg) = np.cos(angles), np.sin(angles)
    R = [
        [ca * cb, ca * sb * sg - sa * cg, ca * sb * cg + sa * sg],
        [sa * cb, sa * sb * sg + ca * cg, sa * sb * cg - ca * sg],
        [-sb, cb * sg, cb * cg],
    ]
    assert error(euler_to_matrix(angles), R) <= 2 * EPS
    assert error(matrix_to_euler(R), angles) <= 8 * EPS


@sequences
@axes
@law
@given(angles=vectors(4.0), rates=vectors(1.0))
def test_rates_give_the_angular_velocity(sequence, fixed, angles, rates):
    h = 1e-3

    def R(t):
        return euler_to_matrix(angles + t * rates, sequence, fixed=fixed)

    # sixth-order central difference: error ~ h⁶ |rates|⁷/140 · 3⁷ + ε/h, below 1e-11
    Ṙ = (45 * (R(h) - R(-h)) - 9 * (R(2 * h) - R(-2 * h)) + (R(3 * h) - R(-3 * h))) / (60 * h)
    ω = unskew(Ṙ @ R(0).T)
    assert error(euler_rates_to_omega(angles, sequence, fixed=fixed) @ rates, ω) <= 1e-11


@sequences
def test_rates_are_singular_at_lock_only(sequence):
    for β in _locked(sequence):
        for off in (0.0, 0.5, -1.0):
            E = euler_rates_to_omega([0.3, β + off, 1.0], sequence)
            assert abs(np.linalg.det(E)) == pytest.approx(abs(np.sin(off)), rel=0, abs=4 * EPS)


def test_fixed_is_the_reversed_follower_sequence():
    R = euler_to_matrix([0.1, 0.2, 0.3], "xyz", fixed=True)
    assert error(R, euler_to_matrix([0.3, 0.2, 0.1], "zyx")) <= EPS


def test_leading_axes():
    angles = np.random.default_rng(5).uniform(-1.5, 1.5, (2, 7, 3))
    R = euler_to_matrix(angles, "xzy")
    assert R.shape == (2, 7, 3, 3)
    assert error(matrix_to_euler(R, "xzy"), angles) <= 1e-13
    assert euler_rates_to_omega(angles, "xzy", fixed=True).shape == (2, 7, 3, 3)


@pytest.mark.parametrize("sequence", ["xxy", "ZYX", "abc", "", "xy", "zyxz"])
def test_unknown_sequence(sequence):
    for function in (euler_to_matrix, euler_rates_to_omega):
        with pytest.raises(ModelError, match=f"sequence '{sequence}' is unknown"):
            function([0, 0, 0], sequence)
    with pytest.raises(ModelError, match=f"sequence '{sequence}' is unknown"):
        matrix_to_euler(np.eye(3), sequence, fixed=True)
