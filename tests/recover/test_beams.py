"""Section forces of beams against statics."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.errors import ModelError
from flexor.recover import section_forces
from tests.recover.bodies import beam, clamped, resting, rod, swinging


def test_cantilever():
    """N = F_x, Q = F, T = M_x, M(x) = M_L + r × F at both ends of every beam."""
    body = beam()
    load = np.array([500.0, 20.0, -30.0, 4.0, 5.0, -6.0])
    forces = section_forces(resting(body, clamped(body, load)))
    assert np.array_equal(forces.elements, np.arange(1, 9))
    for element in forces.elements:
        for end in (1, 2):
            x = (element - 1 + end - 1) / 8
            arm = np.array([1.0 - x, 0, 0])
            expected = np.concatenate([load[:3], load[3:] + np.cross(arm, load[:3])])
            assert np.allclose(forces.at(int(element), end).values[0], expected, atol=1e-6)
    assert forces.force("My", 1).values[0] == pytest.approx(5.0 + 30.0)
    assert forces.force("My", 1).unit == "N m"
    assert forces.frame(0.0).shape == (8, 2, 6)


def test_extremes_are_those_of_all_rows():
    forces = section_forces(swinging(beam(), 150))
    every = np.array([forces.frame(t) for t in forces.history.times])
    low, high = forces.extremes()
    scale = np.abs(every).max()
    assert np.allclose(low, every.min(axis=0), atol=1e-12 * scale)
    assert np.allclose(high, every.max(axis=0), atol=1e-12 * scale)


def test_forces_of_a_scaled_body():
    body = beam()
    scaled = body.scaled(length=2.0, stiffness=3.0)
    load = np.array([500.0, 20.0, -30.0, 4.0, 5.0, -6.0])
    forces = section_forces(resting(scaled, clamped(scaled, load)))
    assert np.allclose(forces.at(8, 2).values[0], load, atol=1e-6)


def test_messages():
    with pytest.raises(ModelError, match="there is no beam; section forces belong to beams"):
        section_forces(swinging(rod(), 3))
    forces = section_forces(swinging(beam(), 3))
    with pytest.raises(ModelError, match=r"no beam 12; near that number there are 8, 7, 6"):
        forces.at(12)
    with pytest.raises(ModelError, match="no end 3"):
        forces.at(1, 3)
    with pytest.raises(ModelError, match="no section force 'Vy'; did you mean 'Qy'"):
        forces.force("Vy", 1)
