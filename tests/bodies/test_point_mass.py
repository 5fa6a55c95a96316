"""Point mass: a particle has three translations and no rotations."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies import PointMass
from flexor.errors import ModelError
from flexor.forces import PointForce
from tests.laws.calls import matrix
from tests.laws.scene import G, Places, Scene, site


def test_newtons_second_law():
    """m a = f + m g"""
    scene = Scene()
    node = scene.body(PointMass("bob", 2.0), v=(1, 2, 3))
    scene.add(PointForce("push", "bob", direction="x", force=10).terms(Places(site(node))))
    np.testing.assert_allclose(scene.solve().a[node], [5, 0, -G, 0, 0, 0], atol=1e-14)


def test_it_has_no_rotational_inertia():
    scene = Scene()
    scene.body(PointMass("bob", 2.0))
    K = matrix(scene.terms[0], scene.state(scene.terms[0]), (0.0, 0.0, 1.0))
    np.testing.assert_array_equal(K, np.diag([2.0, 2, 2, 0, 0, 0]))
    assert PointMass("bob", 2.0).locked == (3, 4, 5)


def test_energies():
    scene = Scene()
    node = scene.body(PointMass("bob", 2.0), v=(3, 0, 4))
    scene.x[node] = np.array([0.0, 0.0, 2.0])
    assert scene.energy() == pytest.approx([0.5 * 2 * 25, 2 * G * 2, 0, 0, 0])


def test_a_particle_without_mass_is_refused():
    with pytest.raises(ModelError, match="mass"):
        PointMass("bob", 0)
