"""State spaces against closed forms, poles and the frequency response of the same model, and what is refused."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import signal, sparse

import flexor as fx
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.realisation import realised

HZ = np.array([0.3, 1.0, 2.9, 3.2, 7.0, 40.0])
M, K, C = 2.0, 800.0, 3.0


def carts(enforcement="auto", **motion) -> fx.Model:
    """A table on a rail, moved by a motor, and a cart on it behind spring and damper, pushed by a force."""
    table = fx.RigidBody("table", mass=5.0, inertia=(1, 1, 1))
    cart = fx.RigidBody("cart", mass=M, inertia=(1, 1, 1), position=(1, 0, 0))
    items = [
        table, cart, fx.Prismatic("rail", fx.ground, table, axis="x", enforcement=enforcement),
        fx.Prismatic("second", table.at(1, 0, 0), cart, axis="x"),
        fx.JointSpring("spring", "second", stiffness=K, damping=C), fx.PointForce("push", cart, direction="x", force=0),
        fx.Motor("motor", "rail", enforcement=enforcement, **motion),
    ]  # fmt: skip
    return fx.Model("carts", items)


def agrees(model, inputs, outputs, hertz=HZ, rtol=1e-9) -> fx.StateSpace:
    found = model.state_space(inputs, outputs)
    expected = model.frequency_response(hertz, inputs, outputs, method="direct").values
    got = found.frequency_response(hertz).values
    size = np.maximum(np.abs(expected), 1e-6 * np.abs(expected).max())
    assert (np.abs(got - expected) / size).max() < rtol
    return found


def test_an_oscillator():
    mass = fx.PointMass("mass", M, position=(1, 0, 0))
    spring = fx.AxialSpring("spring", fx.ground, mass, stiffness=K, damping=C, free_length=1.0)
    rails = [fx.Prismatic("rail", fx.ground.at(1, 0, 0), mass, axis="x")]
    mass = fx.RigidBody("mass", mass=M, inertia=(1, 1, 1), position=(1, 0, 0))
    model = fx.Model("one", [mass, *rails, spring, fx.PointForce("push", mass, direction="x", force=0)])
    got = model.state_space("push", ["mass.position_x", "mass.velocity_x", "mass.acceleration_x", "spring.force"])
    assert len(got) == 2
    np.testing.assert_allclose(np.sort_complex(got.poles), np.sort_complex(np.roots([M, C, K])), rtol=1e-12)
    np.testing.assert_allclose(got.D, [[0], [0], [1 / M], [0]], atol=1e-15)
    np.testing.assert_allclose(-got.C[:1] @ np.linalg.solve(got.A, got.B), [[1 / K]], rtol=1e-12)
    assert got.input_units == ("N",)
    assert got.output_units == ("m", "m/s", "m/s²", "N")
    _, y = signal.step((got.A, got.B, got.C[:1], got.D[:1]), T=np.linspace(0, 30, 3000))
    assert abs(y[-1] - 1 / K) < 1e-7
    assert "stable" in str(got)


@pytest.mark.parametrize("enforcement", ["auto", "elimination"])
@pytest.mark.parametrize(
    ("field", "states", "outputs"),
    [
        ("position", 2, ["cart.position_x", "second.displacement", "table.position_x", "cart.velocity_x"]),
        ("speed", 3, ["cart.position_x", "cart.acceleration_x", "table.velocity_x"]),
        ("acceleration", 4, ["cart.position_x", "cart.velocity_x", "cart.acceleration_x", "motor.force"]),
    ],
)
def test_motors_as_inputs(field, states, outputs, enforcement):
    """What a motor prescribes is integrated to its position by states of their own."""
    if enforcement == "elimination":  # without reactions of its own
        outputs = [name for name in outputs if name != "motor.force"]
    found = agrees(carts(enforcement, **{field: 0.0}), [f"motor.{field}", "push.force"], outputs)
    assert len(found) == states


@pytest.mark.parametrize(
    ("field", "output"),
    [("position", "table.velocity_x"), ("position", "motor.force"), ("speed", "table.acceleration_x")],
)
def test_rates_of_inputs_are_refused(field, output):
    with pytest.raises(fx.ModelError, match=f"'{output}' depends on the .*rate of 'motor.{field}'"):
        carts(**{field: 0.0}).state_space(f"motor.{field}", output)


@pytest.mark.parametrize("enforcement", ["elimination", "multipliers"])
def test_a_flexible_body(enforcement):
    beam = fx.Beam(
        "b", points=[(0, 0, 0), (0.8, 0, 0)], section=fx.Circle(0.02), material=fx.Steel(), divisions=4, damping=1e-5
    )
    clamp = fx.Fixed("clamp", fx.ground, beam["start"], enforcement=enforcement)
    model = fx.Model("beam", [beam, clamp, fx.PointForce("tap", beam["end"], direction=(1, 2, 3), force=0)])
    outputs = ["b.end.position_y", "b.end.acceleration_z", *(["clamp.force_y"] if enforcement == "multipliers" else [])]
    found = agrees(model, "tap", outputs, np.array([3.0, 35.0, 90.0, 400.0, 2000.0]))
    assert len(found) == 48
    expected = model.modes(5, complex=True).eigenvalues
    for value in expected:
        assert np.abs(found.poles - value).min() < 1e-8 * abs(value)
    assert found.states[0].startswith("mode 1 (")


def test_feedback_is_part_of_it():
    mass = fx.PointMass("mass", M, position=(1, 0, 0))
    items = [
        mass, fx.AxialSpring("spring", fx.ground, mass, stiffness=K, damping=C, free_length=1.0),
        fx.Sensor("v", "mass.velocity_x"), fx.Sensor("a", "mass.acceleration_x"),
        fx.PointForce("push", mass, direction="x", force=0), fx.PointForce("back", mass, direction="x", force="-40*v - 1.5*a"),
    ]  # fmt: skip
    found = agrees(fx.Model("loop", items), "push", ["v", "a"])
    for root in np.roots([M + 1.5, C + 40, K]):
        assert np.abs(found.poles - root).min() < 1e-9 * abs(root)


def chain(k: list[float], c: list[float], m: list[float]) -> LinearSystem:
    """Masses in a row from a wall, between springs and dampers; forces on all, read where the last one is, and how fast the first."""
    n = len(m)

    def link(values):
        return np.diag(values) + np.diag([*values[1:], 0.0]) - np.diag(values[1:], 1) - np.diag(values[1:], -1)

    full = [np.zeros((n + 2, n + 2)) for _ in range(3)]
    for matrix, own in zip(full, (link(k), link(c), np.diag(m)), strict=True):
        matrix[:n, :n] = own
    full[0][[n, n + 1], [n, n + 1]], full[0][n, n - 1], full[1][n + 1, 0] = 1.0, -1.0, -1.0
    felt = np.zeros((n + 2, n, 5))
    felt[:n, :, 0] = -np.eye(n)
    own = np.arange(n + 2) < n
    K, C, M = map(sparse.csr_array, full)
    return LinearSystem(K, sparse.csr_array(K.shape), C, M, felt, np.array([n, n + 1]), own, ~own, ("",) * (n + 2))


@pytest.mark.parametrize(
    ("k", "c", "m", "states"),
    [
        ([100.0, 50.0, 70.0], [1.0, 2.0, 0.5], [3.0, 2.0, 1.0], 6),
        ([100.0, 0.0, 70.0], [0.0, 2.0, 0.0], [0.0, 2.0, 1.0], 5),  # a node between spring and damper
        ([100.0, 50.0, 70.0], [0.0, 2.0, 0.0], [1.0, 0.0, 1.0], 5),
        ([100.0, 50.0, 70.0], [1.0, 0.0, 0.0], [3.0, 0.0, 1.0], 4),  # a node between springs follows
    ],
)
def test_what_has_no_inertia(k, c, m, states):
    system = chain(k, c, m)
    got = realised(system, ("a", "b", "c"), ("y", "v"))
    assert len(got.A) == states
    for w in (0.1, 3.0, 20.0):
        expected = np.linalg.solve(system.matrix(w).toarray(), system.excitation(w))[-2:]
        values = got.C @ np.linalg.solve(1j * w * np.eye(states) - got.A, got.B) + got.D
        np.testing.assert_allclose(values, expected, rtol=1e-10)


def test_a_rate_of_what_follows_statically_is_refused():
    system = chain([100.0, 50.0, 70.0], [0.0, 0.0, 0.0], [0.0, 2.0, 1.0])
    with pytest.raises(fx.ModelError, match="'v' depends on the rate of 'a'"):
        realised(system, ("a", "b", "c"), ("y", "v"))


def test_in_steady_rotation():
    hub = fx.RigidBody("mass", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), position=(1, 0, 0))
    spring = fx.Bushing("spring", fx.ground.at(1, 0, 0), hub, stiffness=(900.0, 1600.0, 1e4, 1e4, 1e4, 1e4))
    model = fx.Model("rotor", [hub, spring, fx.PointForce("push", hub, direction="x", force=0, follows=True)])
    turning = {"angular_velocity": (0, 0, 10.0)}
    found = model.state_space("push", ["mass.position_x", "mass.position_y"], **turning)
    direct = model.frequency_response(HZ, "push", ["mass.position_x", "mass.position_y"], **turning)
    np.testing.assert_allclose(found.frequency_response(HZ).values, direct.values, rtol=1e-8)


def test_archives_and_python_control(tmp_path, monkeypatch):
    found = carts(acceleration=0.0).state_space(["motor.acceleration", "push.force"], ["cart.position_x"])
    again = fx.StateSpace.from_npz(found.to_npz(tmp_path / "plant.npz"))
    found.to_npz(tmp_path / "plant.npz")  # in its place
    for name in "ABCD":
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))
    assert again.states == found.states
    with pytest.raises(fx.FileError, match="nowhere"):
        fx.StateSpace.from_npz(tmp_path / "nowhere.npz")
    monkeypatch.setitem(sys.modules, "control", SimpleNamespace(ss=lambda *matrices, **names: (matrices, names)))
    matrices, names = found.to_control()
    np.testing.assert_array_equal(matrices[0], found.A)
    assert names["inputs"] == ["motor_acceleration", "push_force"]
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(fx.FlexorError, match=r"flexor\[control\]"):
        found.to_control()


def test_python_control_agrees():
    control = pytest.importorskip("control")
    found = carts(acceleration=0.0).state_space(["motor.acceleration", "push.force"], ["cart.position_x"])
    plant = found.to_control()
    values = np.array([plant(2j * np.pi * f) for f in HZ])
    np.testing.assert_allclose(values, found.frequency_response(HZ).values, rtol=1e-9)
    assert isinstance(plant, control.StateSpace)


def test_rolling_is_refused():
    disc = fx.RigidBody("disc", mass=1.0, inertia=(0.1, 0.2, 0.1), position=(0, 0, 0.3))
    items = [
        disc, fx.RollingDisc("roll", disc, radius=0.3, axis="y"), fx.PointForce("push", disc, direction="x", force=0),
    ]  # fmt: skip
    with pytest.raises(fx.ModelError, match="velocities"):
        fx.Model("wheel", items, gravity=(0, 0, -9.81)).state_space("push", "disc.position_x", at="start")
