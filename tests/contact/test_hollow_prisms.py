"""Prisms with curved contours that are not convex against cylinders and cones: how deep they are, by points all over both."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

import flexor as fx
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.surfaces import SURFACES
from flexor.spatial import exp_so3
from tests.contact.solids import cloud
from tests.contact.test_approach import Meeting

BEAN = fx.Extruded(fx.Profile([(0.6, 0), (0.4, 0.4), (0, 0.24), (-0.4, 0.4), (-0.6, 0), (0, -0.4)], closed=True), 0.6)
DEPTH, NEAR = 3e-3, 0.043

OTHERS = {
    "cylinder": (fx.Cylinder(0.3, 1.0), (0, 16, 26, 53, 140)),
    "disc": (fx.Cylinder(0.5, 0.1), (13, 15, 32, 58, 65, 98, 109, 151, 163)),
    "cone": (fx.Cone(0.3, 0.6), (3, 51, 77)),
}
"""With the numbers of poses: those in which rims past curved edges counted as deeper by up to 70 times, or a lobe, a narrow part of a rim, or the wall beside the hollow was not seen, and some more."""


def distance_of(shape):
    size = SURFACES[type(shape)].size(SURFACES[type(shape)].pack(shape).words)
    return lambda y: DISTANCES[type(shape)](size, tuple(y))[0]


@pytest.mark.parametrize("name", OTHERS)
def test_a_bean_touches_as_deep_as_points_of_both_are(name):
    """To within what a rim is deeper along the normal of the face it sinks into than its own points are below the surface."""
    other, poses = OTHERS[name]
    meeting = Meeting(BEAN, other)
    below, within = distance_of(BEAN), distance_of(other)
    on_bean, on_other = cloud(BEAN, 60)[::5], cloud(other, 60)[::3]
    near_bean, near_other = cKDTree(on_bean), cKDTree(on_other)

    def deepest(p, R):
        y, z = p + on_other @ R.T, (on_bean - p) @ R
        depths = [below(q) for q in y[near_bean.query(y)[0] < NEAR]] + [within(q) for q in z[near_other.query(z)[0] < NEAR]]  # fmt: skip
        return min(depths, default=1.0)

    rng = np.random.default_rng(3)
    for i in range(max(poses) + 1):
        R, way = exp_so3(2 * rng.normal(size=3)), rng.normal(size=3)
        if i not in poses:
            continue
        way /= np.linalg.norm(way)
        apart = 2.5
        while deepest(apart * way, R) > 0.0:
            apart -= 0.02
        low, high = apart, apart + 0.02
        low -= 2 * DEPTH
        for _ in range(8):
            middle = 0.5 * (low + high)
            low, high = (low, middle) if deepest(middle * way, R) > -DEPTH else (middle, high)
        depth = -deepest(high * way, R)
        assert 0.3 * depth < -meeting.nearest(high * way, R)[0] < 5.0 * depth
