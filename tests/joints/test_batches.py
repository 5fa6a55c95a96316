"""Many joints at once are the same as their laws one by one: values, rates and gradients, far from any closed position."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import flexor as fx
from flexor.bodies.marker import Site
from flexor.coordinates.between import Between
from flexor.coordinates.measure import ANGLE, LENGTH, MIDDLE, TRANSLATION, Measure
from flexor.joints import JOINTS, Joint
from flexor.joints.batches import Markers, length_rows, perpendicular_rows, point_rows, turned_frames, variable_rows
from flexor.law import MATRIX, RESIDUAL, VELOCITY_LEVEL
from flexor.law.face import Coefficients
from flexor.model.joint_table import JointTable
from flexor.spatial import exp_so3
from tests.laws.scene import Places

KINDS = [kind for kind in JOINTS if issubclass(kind, Joint)]
COUNT = 3


@pytest.fixture
def table():
    """Three joints of each kind between nodes that stand and move anyhow."""
    chance = np.random.default_rng(3)
    joints = [kind(f"{kind.__name__}{i}", fx.ground, fx.RigidBody("b", 1)) for kind in KINDS for i in range(COUNT)]
    n = 2 * len(joints)
    p, R = chance.standard_normal((n, 3)), exp_so3(chance.standard_normal((n, 3)))
    ends = [(2 * i, p[2 * i], R[2 * i], 2 * i + 1, p[2 * i + 1], R[2 * i + 1]) for i in range(len(joints))]
    state = chance.standard_normal((n, 3)), exp_so3(chance.standard_normal((n, 3))), chance.standard_normal((n, 6))
    return JointTable(joints, Markers.of(ends)), state


def by_law(item, markers, i, state, level):
    """Constraint rows and gradient of one item by the plain Python form of its law."""
    a = Site(0, markers.p_a[i], markers.R_a[i])
    b = Site(1, markers.p_b[i], markers.R_b[i])
    (element,) = item.terms(Places(a, b, length=0.7))
    x, R, v = (part[[markers.a[i], markers.b[i]]].ravel() for part in state)
    size = element.size
    r, K, c = np.zeros(size), np.zeros(size * size), np.zeros(Coefficients.WORDS)
    c[1 if level else 0] = 1.0
    status = element.law.function(
        RESIDUAL | MATRIX | level, np.array([2, 0, len(element.rows)]), np.zeros(0), element.words(python=True), np.zeros(3), 0.0, c,
        x, R, v, np.zeros(12), np.zeros(0), np.zeros(len(element.rows)), r, K, np.zeros(element.workspace),
    )  # fmt: skip
    assert status == 0
    return r[12:], K.reshape(size, size)[12:, :12]


def rates(G, markers, of, v):
    return np.sum(G * np.concatenate([v[markers.a[of]], v[markers.b[of]]], axis=1), axis=1)


@pytest.mark.parametrize("level", [0, VELOCITY_LEVEL])
def test_locked_motions(table, level):
    table, state = table
    frames = table.markers.frames(*state[:2])
    points = point_rows(frames, table.point_of, table.axis, table.fixed)
    pairs = perpendicular_rows(frames, table.pair_of, *table.pairs.T, table.bisects)
    for i, joint in enumerate(table.joints):
        r, G = by_law(joint, table.markers, i, state, level)
        own = [(table.point_of == i, *points), (table.pair_of == i, *pairs)]
        found = np.concatenate([gradient[mask] for mask, _, gradient in own])
        values = np.concatenate([value[mask] for mask, value, _ in own])
        assert_allclose(found, G, atol=1e-14)
        of = np.full(len(found), i)
        assert_allclose(rates(found, table.markers, of, state[2]) if level else values, r, atol=1e-13)


def test_variables(table):
    table, (x, R, v) = table
    q, G = variable_rows(table.markers.frames(x, R), table.variable_of, table.measures)
    q_dot = rates(G, table.markers, table.variable_of, v)
    row = 0
    for i, joint in enumerate(table.joints):
        on, m = [2 * i, 2 * i + 1], table.markers
        ends = Site(0, m.p_a[i], m.R_a[i]), Site(1, m.p_b[i], m.R_b[i])
        for measure in joint.free.measures:
            between, here = Between(measure, *ends), (x[on].ravel(), R[on].ravel())
            assert_allclose((q[row], q_dot[row]), between.value_and_rate(*here, v[on].ravel()), atol=1e-13)
            assert_allclose(G[row], between.gradient(*here), atol=1e-13)
            row += 1
    assert row == len(q)


@pytest.mark.parametrize("kind", [TRANSLATION, ANGLE, MIDDLE, LENGTH])
def test_every_kind_of_measure(table, kind):
    """Any axes, any signs, between markers that stand and move anyhow."""
    table, (x, R, v) = table
    chance = np.random.default_rng(kind)
    count = len(table.joints)
    measures = [
        Measure.pack(kind=kind, n_sign=n, c_sign=c, n_a=i, n_b=j, c_a=k, c_b=(k + 1) % 3)
        for (n, c), (i, j, k) in zip(chance.choice([-1, 1], (count, 2)), chance.integers(3, size=(count, 3)))
    ]
    rows = np.concatenate([measure.words for measure in measures]).view(Measure.dtype())
    of = np.arange(count)
    q, G = variable_rows(table.markers.frames(x, R), of, rows)
    q_dot = rates(G, table.markers, of, v)
    m = table.markers
    for i, measure in enumerate(measures):
        on = [m.a[i], m.b[i]]
        between = Between(measure, Site(0, m.p_a[i], m.R_a[i]), Site(1, m.p_b[i], m.R_b[i]))
        expected = between.value_and_rate(x[on].ravel(), R[on].ravel(), v[on].ravel())
        size = max(np.abs(G[i]).max(), 1.0)
        assert_allclose((q[i], q_dot[i]), expected, rtol=1e-12, atol=1e-13 * size)
        assert_allclose(G[i], between.gradient(x[on].ravel(), R[on].ravel()), rtol=1e-12, atol=1e-13 * size)


@pytest.mark.parametrize("level", [0, VELOCITY_LEVEL])
def test_lengths_of_rods(table, level):
    table, state = table
    length, G = length_rows(table.markers.frames(*state[:2]), np.arange(len(table.joints)))
    rod = fx.Distance("rod", fx.ground, fx.RigidBody("b", 1))
    q_dot = rates(G, table.markers, np.arange(len(G)), state[2])
    for i in range(0, len(length), 5):
        r, gradient_of_law = by_law(rod, table.markers, i, state, level)
        assert_allclose(G[i], gradient_of_law[0], atol=1e-14)
        assert_allclose(q_dot[i] if level else length[i] - 0.7, r[0], atol=1e-13)


def test_follower_axes_are_the_pose_product():
    angles = np.array([(0.4, -1.2, 2.0), (3.0, 0.1, -0.7)])
    R = turned_frames(np.array([(2, 0, 1), (0, 1, 2)]), angles)
    for i, axes in enumerate(["zxy", "xyz"]):
        joint = type("Free", (Joint,), {"rotations": axes, "variables": ("a", "b", "c"), "__annotations__": {}})
        pose = joint("free", fx.ground, fx.RigidBody("b", 1)).free.pose(angles[i])
        assert_allclose(R[i], pose.R, atol=1e-15)
        assert_allclose(
            pose.R,
            np.linalg.multi_dot([exp_so3(a * np.eye(3)["xyz".index(c)]) for a, c in zip(angles[i], axes)]),
            atol=1e-15,
        )
