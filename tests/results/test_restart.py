"""A continued run is the uninterrupted one: every signal, in every row."""

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import bar, plate

MESH = bar("300 mm", "20 mm", "10 mm", (6, 1, 1), element="hex8")
ARM = fx.RigidBody("arm", 1, (0.01, 0.02, 0.03), center_of_mass=(0.3, 0, 0))
TIP = fx.RigidBody("tip", 1.5, (0.01, 0.02, 0.03), center_of_mass=(0.2, 0.1, 0), position=(0.6, 0, 0))
DOWN = (0, 0, -9.81)


def hinge() -> fx.Model:
    return fx.Model("hinge", [ARM, fx.Revolute("pin", fx.ground, ARM, axis="z", start_rate=25)])


def chain(enforcement: str) -> fx.Model:
    pin = fx.Revolute("pin", fx.ground, ARM, axis="y", start_rate=20, enforcement=enforcement)
    knee = fx.Universal("knee", ARM.at(0.6, 0, 0), TIP, axis="x", cross_axis="y", enforcement=enforcement)
    return fx.Model("chain", gravity=DOWN, items=[ARM, TIP, pin, knee, fx.JointSpring("coil", "pin", stiffness=1.0)])


def driven() -> fx.Model:
    ball = fx.Spherical("ball", ARM.at(0.6, 0, 0), TIP)
    pin = fx.Revolute("pin", fx.ground, ARM, axis="y")
    return fx.Model("driven", gravity=DOWN, items=[ARM, TIP, pin, ball, fx.Motor("motor", joint="pin", speed=30)])


def flexible(formulation: str) -> fx.Model:
    body = fx.FlexibleBody(
        "body",
        mesh=MESH,
        material="steel",
        interfaces={"root": "x_min", "tip": "x_max"},
        formulation=formulation,
        reduction=fx.CraigBampton(modes=3),
    )
    return fx.Model(
        "flexible", gravity=DOWN, items=[body, fx.Revolute("pin", fx.ground, body["root"], axis="z", start_rate=25)]
    )


def beam() -> fx.Model:
    body = fx.Beam("body", points=((0, 0, 0), (0.5, 0, 0)), section=fx.Rectangle(0.01, 0.02), material="steel")
    return fx.Model(
        "beam", gravity=DOWN, items=[body, fx.Revolute("pin", fx.ground, body["start"], axis="z", start_rate=25)]
    )


MODELS = {
    "hinge": hinge,
    "multipliers": lambda: chain("multipliers"),
    "elimination": lambda: chain("elimination"),
    "driven": driven,
    "superelement": lambda: flexible("superelement"),
    "floating": lambda: flexible("floating"),
    "beam": beam,
}


@pytest.mark.parametrize("name", MODELS)
def test_every_signal_goes_on_as_if_there_had_been_no_stop(name: str) -> None:
    model, settings = MODELS[name](), {"step": 1e-3, "show": False}
    whole = model.dynamics(until=0.6, **settings)
    assert abs(whole["pin.angle"][-1]) > 2 * np.pi  # beyond a turn, where quaternions have changed their sign
    joined = model.dynamics(until=0.25, **settings).continue_until(0.31, show=False).continue_until(0.6, show=False)
    np.testing.assert_allclose(joined.time, whole.time, atol=1e-12)
    assert joined.names == whole.names
    for signal in whole.names:
        size = max(1.0, float(np.abs(whole[signal].values).max()))
        np.testing.assert_allclose(joined[signal], whole[signal], atol=1e-9 * size, err_msg=signal)


def test_orientations_keep_their_sign() -> None:
    body = fx.RigidBody("body", 1, (0.1, 0.1, 0.1))
    model = fx.Model("turn", [body, fx.Revolute("pin", fx.ground, body, axis="z", start_rate=1)])
    run = model.dynamics(until=5, step="10 ms", show=False).continue_until(10, show=False)
    np.testing.assert_allclose(run["body.orientation_w"], np.cos(run.time / 2), atol=1e-6)


def test_a_continued_run_may_have_another_step_or_output() -> None:
    run = hinge().dynamics(until=0.1, step="1 ms", show=False).continue_until(0.2, step="0.5 ms", show=False)
    np.testing.assert_allclose(np.diff(run.time), np.repeat([1e-3, 5e-4], [100, 200]), rtol=1e-9)
    run = hinge().dynamics(until=0.1, step="1 ms", show=False).continue_until(0.2, output="10 ms", show=False)
    np.testing.assert_allclose(np.diff(run.time), np.repeat([1e-3, 1e-2], [100, 10]), rtol=1e-9)


def test_a_run_that_ended_between_two_steps_goes_on_in_step() -> None:
    run = hinge().dynamics(until="4.5 ms", step="1 ms", show=False).continue_until("7 ms", show=False)
    np.testing.assert_allclose(1e3 * run.time, [0, 1, 2, 3, 4, 4.5, 5, 6, 7], rtol=1e-9)


def test_a_continued_run_has_no_other_start() -> None:
    run = hinge().dynamics(until="4 ms", step="1 ms", show=False)
    for start in ("equilibrium", run.at("2 ms")):
        with pytest.raises(fx.ModelError, match="start is given; a continued run goes on from its checkpoint"):
            run.continue_until("7 ms", start=start)


def test_the_state_of_a_whole_mesh_stands_in_its_rows() -> None:
    """Of solids, whose nodes do not turn, and of shells, whose nodes do: as the state in which a run to that row ends."""
    block = bar("0.2 m", "20 mm", "20 mm", divisions=(4, 1, 1), element="hex8", material=fx.Steel())
    strip = plate("0.2 m", "20 mm", "1 mm", divisions=(4, 1, 1), element="shell4", material=fx.Steel())
    for mesh in (block, strip):
        body = fx.FlexibleBody("bar", mesh, formulation="full_mesh", position=(0, 0, 0), angular_velocity=(0, 3, 20))
        model = fx.Model("tumbling", [body], gravity=(0, 0, -9.81))
        found = model.dynamics("2 ms", "0.1 ms", show=False).at("1 ms").state
        whole = model.dynamics("1 ms", "0.1 ms", show=False).state
        for name in ("x", "R", "v"):
            np.testing.assert_allclose(found[name], whole[name], atol=1e-9 * np.abs(whole[name]).max(), err_msg=name)
        assert np.ptp(found["v"]) > 1
