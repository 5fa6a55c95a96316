"""Equilibria with further boundary conditions, which are gone as soon as the motion begins.   FTG 7.8"""

import warnings

import numpy as np
import pytest

import flexor as fx

G, M, L = 9.81, 2.0, 0.5
STEEL = fx.Steel()


def pendulum(**about):
    bob = fx.RigidBody("bob", mass=M, inertia=0.01, center_of_mass=(L, 0, 0))
    items = [bob, fx.Revolute("pin", fx.ground, bob, axis="y", start="20 deg")]
    brake = fx.Motor("brake", "pin", position="20 deg")
    return fx.Model("pendulum", items, gravity=(0, 0, -G), at_rest=[brake], **about)


def test_a_brake_holds_the_equilibrium_and_lets_go():
    model = pendulum()
    rest = model.statics()
    assert rest["pin.angle"] == pytest.approx(np.radians(20), abs=1e-10)
    assert rest["brake.torque"] == pytest.approx(-M * G * L * np.cos(np.radians(20)), rel=1e-9)
    inertia = 0.01 + M * L**2
    fall = M * G * L * np.cos(np.radians(20)) / inertia
    for start in ("equilibrium", rest):
        run = model.dynamics(until=0.1, step=0.001, start=start, show=False)
        assert run["pin.angle"][0] == pytest.approx(np.radians(20), abs=1e-9)
        assert run["pin.angle_rate"][0] == pytest.approx(0.0, abs=1e-12)
        assert run["pin.angle"][10] - run["pin.angle"][0] == pytest.approx(fall * 0.01**2 / 2, rel=1e-3)
        assert not any(name.startswith("brake") for name in run.names)


def test_what_acts_at_rest_does_nothing_in_a_run_that_begins_as_declared():
    with pytest.warns(fx.DoubtfulModel, match="'brake' act at rest only"):
        run = pendulum().dynamics(until=0.01, step=0.001, show=False)
    assert run["pin.angle"][1] > run["pin.angle"][0]


def test_a_bent_beam_on_a_prop_is_released_without_any_other_transient():
    """Held by a prop and loaded at rest; released, it swings about the position without a prop by exactly the lift of the prop."""
    tip = 0.02
    beam = fx.Beam("beam", [(0, 0, 0), (1, 0, 0)], fx.Rectangle(0.02, 0.02), STEEL, divisions=4)
    clamp = fx.Fixed("clamp", fx.ground, beam["start"])
    lift = fx.PrescribedMotion("prop", beam["end"], z=tip)
    model = fx.Model("lifted", [beam, clamp], gravity=(0, 0, -G), at_rest=[lift])
    EI, q = STEEL.young * 0.02**4 / 12, STEEL.density * 0.02**2 * G
    rest = model.statics()
    assert rest["beam.end.position"][2] == pytest.approx(tip, abs=1e-10)
    assert rest["prop.z.force"] == pytest.approx(3 * EI * tip + 3 / 8 * q, rel=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        still = model.replace(at_rest=()).dynamics(until=0.02, step=0.001, start="equilibrium", show=False)
    assert np.ptp(still["beam.end.position"][:, 2]) < 1e-8
    period = 2 * np.pi / (1.8751**2 * np.sqrt(EI / (STEEL.density * 0.02**2)))
    run = model.dynamics(until=period, step=period / 400, start="equilibrium", show=False)
    z = run["beam.end.position"][:, 2]
    low = still["beam.end.position"][0, 2]
    assert z[0] == pytest.approx(tip, abs=1e-9)
    assert z.max() - low < 1.02 * (tip - low)
    assert z.min() - low == pytest.approx(-(tip - low), rel=0.05)  # the prop's shape is not quite the first mode
    energy = run["energy.total"] if "energy.total" in run.names else None
    assert energy is None or np.ptp(energy) < 1e-3 * np.abs(energy).max()


def test_bodies_do_not_come_and_go():
    with pytest.raises(fx.ModelError, match="cannot come and go"):
        fx.Model("m", [], at_rest=[fx.RigidBody("bob", mass=1)])


def test_what_is_wrong_at_rest_is_told_in_python_and_in_files():
    wrong = pendulum().replace(at_rest=(fx.Motor("brake", "pim", position=0),))
    with pytest.raises(fx.ModelError, match="pim"):
        wrong.check()
    with pytest.raises(fx.ModelError, match="pim"):
        fx.Model.from_yaml(wrong.to_yaml())
    model = pendulum()
    assert fx.Model.from_yaml(model.to_yaml()) == model
    assert "at rest: motor 'brake'" in str(model)


def test_all_mistakes_of_a_file_are_told_at_once():
    """Those of items, and those of what acts at rest, be they in its fields or in what it refers to; each once, with its line."""
    text = """
name: bad
items:
  - {type: rigid_body, name: arm, mass: 1, inertia: 1, masss: 3}
  - {type: revolute, name: pin, a: ground, b: arm, axis: z}
  - {type: joint_spring, name: spring, joint: pni, stiffness: 3}
at_rest:
  - {type: motor, name: brake, joint: pim, position: 0}
  - {type: motor, name: other, joint: pin, posision: 0}
  - {type: rigid_body, name: weight, mass: 1}
  - {type: joint_spring, name: spring, joint: pin, stiffness: 3}
"""
    with pytest.raises(fx.ModelError) as caught:
        fx.Model.from_yaml(text)
    told = [(each.source, each.where, each.what) for each in caught.value.problems]
    assert told == [
        ("line 4", "body 'arm'", "unknown key 'masss'"),
        ("line 6", "spring 'spring'", "there is no joint 'pni'"),
        ("line 8", "motor 'brake'", "there is no joint 'pim'"),
        ("line 9", "motor 'other'", "unknown key 'posision'"),
        ("line 10", "body 'weight'", "it stands in at_rest"),
        ("line 11", "spring 'spring'", "its name is given twice, also to a joint spring"),
    ]


def test_doubts_about_what_acts_at_rest():
    model = pendulum().replace(at_rest=(fx.JointSpring("brake", "pin", damping=1, free=1),))
    for report in (model.check(), fx.Model.from_yaml(model.to_yaml()).check()):
        (told,) = report.warnings
        assert told.where == "spring 'brake'"
        assert told.what == "free has no effect"
