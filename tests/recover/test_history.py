"""Coordinates from recorded signals, interpolation between rows, velocities."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.errors import FlexorError, ModelError
from flexor.recover import BodyHistory, StressHistory, history_of
from flexor.spatial import exp_so3, matrix_to_quaternion
from tests.recover.bodies import resting, rod, sheet

AXIS = np.array([0.3, -0.5, 0.8])


def frame(t):
    """A frame that flies and turns more than half a turn."""
    return np.array([3 * t, t**2, -np.sin(4 * t)]), exp_so3(5 * np.sin(t) * AXIS)


def coordinates(body, t):
    k = np.arange(body.size)
    return 1e-2 * np.sin(3 * t + k) * np.where(k % 5 == 0, 1.0, 0.5)


def recorded(body, times, *, velocities=False, vectors=False):
    """The signals of a superelement in that motion, from the definitions of d_k and ψ_k."""
    signals = {"time": times}

    def pose(name, of_time):
        poses = [of_time(t) for t in times]
        put(f"{name}.position", np.array([x for x, _ in poses]), "xyz")
        put(f"{name}.orientation", np.array([matrix_to_quaternion(R) for _, R in poses]), "wxyz")
        if velocities:
            put(f"{name}.velocity", np.array([slope(lambda s: of_time(s)[0], t) for t in times]), "xyz")
            spins = [slope(lambda s: of_time(s)[1], t) @ of_time(t)[1].T for t in times]
            put(f"{name}.angular_velocity", np.array([[W[2, 1], W[0, 2], W[1, 0]] for W in spins]), "xyz")

    def put(name, values, axes):
        if vectors:
            signals[name] = values
        else:
            signals.update({f"{name}_{axis}": values[:, i] for i, axis in enumerate(axes)})

    def slope(f, t, h=1e-3):  # sixth order
        weights = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
        return sum(w * (f(t + k * h) - f(t - k * h)) for k, w in weights.items()) / h

    pose("rod", frame)
    for k, name in enumerate(body.interfaces):

        def node(t, k=k):
            (x, R), z = frame(t), coordinates(body, t)[6 * k : 6 * k + 6]
            return x + R @ (body.points[k] + z[:3]), R @ exp_so3(z[3:])

        pose(f"rod.{name}", node)
    for i in range(body.size - body.n_connections):
        at = body.n_connections + i
        signals[f"rod.mode_{i + 1}"] = np.array([coordinates(body, t)[at] for t in times])
        if velocities:
            signals[f"rod.mode_{i + 1}_rate"] = np.array([slope(lambda s: coordinates(body, s), t)[at] for t in times])
    return signals


TIMES = np.linspace(0.1, 1.2, 12)


@pytest.mark.parametrize("vectors", [False, True])
def test_coordinates_of_a_superelement(vectors):
    body = rod()
    history = history_of(body, recorded(body, TIMES, vectors=vectors), "rod")
    assert np.allclose(history.z, [coordinates(body, t) for t in TIMES], atol=1e-13)
    assert np.allclose(history.position[3], frame(TIMES[3])[0])
    assert np.allclose(history.orientation[3], frame(TIMES[3])[1])
    assert history.twist is None


def test_motion_of_the_frame_leaves_no_stress():
    """The body flies and turns as a whole: nothing but its deformation is stressed, and none if there is none."""
    body = rod()
    flying = history_of(body, recorded(body, TIMES), "rod")
    still = resting(body, np.array([coordinates(body, t) for t in TIMES]), TIMES)
    expected = StressHistory(still).envelope().max
    assert np.allclose(StressHistory(flying).envelope().max, expected, rtol=1e-9, equal_nan=True)
    rigid = BodyHistory(body, TIMES, flying.position, flying.orientation, 0 * flying.z)
    assert StressHistory(rigid).max().value == 0.0


def test_small_rigid_motion_in_the_coordinates_leaves_no_stress():
    body = rod()
    z = np.array([1e-3 * body.rigid[:, k] for k in range(6)])
    stretched = np.zeros(body.size)
    stretched[6] = 1e-3
    scale = StressHistory(resting(body, stretched)).max().value
    assert StressHistory(resting(body, z)).max().value < 1e-7 * scale


def test_velocities_from_signals_and_from_differences():
    body = rod()
    times = np.linspace(0.1, 1.2, 12)
    exact = history_of(body, recorded(body, times, velocities=True), "rod")
    assert exact.twist is not None
    h = 1e-6
    for row, t in enumerate(times):
        rate = (coordinates(body, t + h) - coordinates(body, t - h)) / (2 * h)
        assert np.allclose(exact.rates[row], rate, atol=1e-9)
    errors = []
    for rows in (45, 89):  # differences of second order
        known = history_of(body, recorded(body, np.linspace(0.1, 1.2, rows), velocities=True), "rod")
        found = BodyHistory(body, known.times, known.position, known.orientation, known.z)
        errors.append([np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found.motion, known.motion)])
    assert np.max(errors[1]) < 4e-3
    assert np.all(np.array(errors[0]) / errors[1] > 3.4)


def test_coordinates_of_a_floating_body():
    body = rod()
    modes = np.random.default_rng(1).standard_normal((body.size, 3))
    q = np.stack([np.sin(TIMES), TIMES, TIMES**2], axis=1)
    signals = {name: values for name, values in recorded(body, TIMES).items() if "mode" not in name}
    signals |= {f"rod.mode_{i + 1}": q[:, i] for i in range(3)}
    history = history_of(body, signals, "rod", "floating", modes)
    assert np.allclose(history.z, q @ modes.T)
    with pytest.raises(ModelError, match="shapes of its modes are missing"):
        history_of(body, signals, "rod", "floating")


def test_states_between_rows_lie_on_straight_lines():
    body = rod()
    history = resting(body, np.array([coordinates(body, t) for t in TIMES]), TIMES)
    assert np.allclose(history.coordinates(TIMES[4]), history.z[4])
    assert np.allclose(history.coordinates("0.15 s"), (history.z[0] + history.z[1]) / 2)
    assert np.allclose(history.displacement(0.15), body.displacement((history.z[0] + history.z[1]) / 2))
    assert np.allclose(history.coordinates(TIMES[-1]), history.z[-1])
    with pytest.raises(FlexorError, match=r"no state at t = 2 s; the history covers 0\.1 … 1\.2 s"):
        history.displacement(2.0)
    one = resting(body, history.z[:1])
    assert np.array_equal(one.coordinates(0.0), history.z[0])


def test_displacement_of_a_node_over_time():
    body = sheet()
    history = resting(body, np.array([coordinates(body, t) for t in TIMES]), TIMES)
    node = 7
    index = int(np.flatnonzero(body.node_ids == node)[0])
    series = history.displacement_at(node)
    assert np.allclose(series.values[5], body.displacement(history.z[5])[index, :3])
    assert series.unit == "m"


def test_points_in_space():
    body = rod()
    history = history_of(body, recorded(body, TIMES), "rod")
    x, R = frame(TIMES[2])
    u = body.displacement(history.z[2])[:, :3]
    assert np.allclose(history.points(2, 10.0), x + (body.nodes + 10 * u) @ R.T)


def test_messages():
    body = rod()
    signals = recorded(body, TIMES)
    del signals["rod.mode_2"]
    with pytest.raises(ModelError, match=r"signal 'rod\.mode_2' was not recorded; did you mean 'rod\.mode_"):
        history_of(body, signals, "rod")
    with pytest.raises(ModelError, match="no formulation 'superelment'; did you mean 'superelement'"):
        history_of(body, signals, "rod", "superelment")
    history = resting(body, np.zeros((3, body.size)))
    with pytest.raises(ModelError, match="body 'rod': it has no node 99999; near that number there are"):
        history.displacement_at(99999)
    with pytest.raises(ModelError, match=r"z has the shape \(3, 5\)"):
        resting(body, np.zeros((3, 5)))
    with pytest.raises(ModelError, match="times do not ascend"):
        resting(body, np.zeros((3, body.size)), np.array([0.0, 0.2, 0.1]))
    with pytest.raises(ModelError, match="velocities are not known; differences need 3 rows"):
        _ = resting(body, np.zeros((2, body.size))).motion
