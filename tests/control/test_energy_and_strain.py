"""Feedback of energies, of strains and of the time."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.mesh.generate import bar

QUIET = {"show": False}
DOWN = (0, -9.81, 0)
ARM = fx.RigidBody("arm", mass=1.0, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
LOW = fx.RigidBody("low", mass=2.0, inertia=0.1, center_of_mass=(0.5, 0, 0))


def test_they_are_the_energies_of_the_results() -> None:
    """Of rigid bodies, springs and a beam of several elements, each and all together."""
    beam = fx.Beam("beam", [(0, 2, 0), (1, 2, 0)], fx.Circle("10 mm"), fx.Steel(), divisions=3)
    items = [
        *(ARM, LOW, beam),
        fx.Revolute("pin", fx.ground, ARM, start=0.3),
        fx.Revolute("knee", ARM["tip"], LOW, start=1),
        fx.Revolute("end", fx.ground.at(0, 2, 0), beam["start"]),
        fx.JointSpring("k", "knee", stiffness=20, damping=0.1),
        fx.AxialSpring("wire", fx.ground.at(1, 1, 0), LOW.at(1, 0, 0), stiffness=100, free_length=0.5),
    ]
    read = ["energy.kinetic", "energy.potential", "energy.strain", "arm.kinetic_energy", "k.strain_energy"]
    more = ["energy.total", "beam.total_energy", "low.total_energy", "arm.total_energy", "k.total_energy"]
    sensors = [fx.Sensor(name.replace(".", " "), name) for name in [*read, *more, "wire.strain_energy"]]
    run = fx.Model("m", [*items, *sensors], gravity=DOWN).dynamics(until=0.1, step=0.001, **QUIET)

    def seen(name: str) -> np.ndarray:
        return run[f"{name.replace('.', ' ')}.value"].values

    for name in [*read, "wire.strain_energy"]:
        np.testing.assert_allclose(seen(name), run[name], rtol=1e-5, atol=1e-9)
    total = sum(run[name].values for name in read[:3])
    np.testing.assert_allclose(seen("energy.total"), total, rtol=1e-5, atol=1e-9)
    parts = sum(seen(name) for name in more[1:]) + seen("wire.strain_energy")
    np.testing.assert_allclose(seen("energy.total"), parts, rtol=1e-5, atol=1e-9)
    assert run.units["energy total.value"] == "J"


def test_a_pendulum_is_swung_up_by_its_energy() -> None:
    """M = −k ω (E − E₀), against an independent integration; E is fed back at the same instant."""
    k, goal, J, m, s = 0.4, 6.0, 0.1 + 0.25, 1.0, 0.5
    items = [
        ARM,
        fx.Revolute("pin", fx.ground, ARM, start=-1.4),
        fx.Sensor("E", "energy.total"),
        fx.Sensor("spin", "pin.angle_rate"),
        fx.PointTorque("swing", ARM, direction="z", torque=f"-{k}*spin*(E - {goal})"),
    ]
    run = fx.Model("swing-up", items, gravity=DOWN).dynamics(until=1.5, step=0.0005, **QUIET)
    low = m * 9.81 * s * np.sin(-1.4)

    def rates(_: float, y: np.ndarray) -> list[float]:
        energy = 0.5 * J * y[1] ** 2 + m * 9.81 * s * np.sin(y[0]) - low
        return [y[1], (-m * 9.81 * s * np.cos(y[0]) - k * y[1] * (energy - goal)) / J]

    found = solve_ivp(rates, (0, 1.5), [-1.4, 0], rtol=1e-10, atol=1e-12)
    assert run["pin.angle"][-1] == pytest.approx(found.y[0, -1], abs=2e-5)
    assert run["E.value"][-1] > 0.5 * goal


def test_the_time_is_a_signal() -> None:
    force = fx.table([0, 0.1, 0.3], [0, 5, -2])
    models = [
        fx.Model("m", [ARM, fx.Sensor("clock", "time"), fx.PointForce("F", ARM, direction="x", force=each)])
        for each in (force, force.replace(sensor="clock"))
    ]
    runs = [model.dynamics(until=0.3, step=0.01, **QUIET) for model in models]
    np.testing.assert_allclose(runs[1]["arm.velocity_x"], runs[0]["arm.velocity_x"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(runs[1]["clock.value"], runs[1].time, rtol=0, atol=1e-12)
    assert runs[1].units["clock.value"] == "s"
    with pytest.raises(fx.ModelError, match="sensor 'clock' reads s"):
        models[1].with_item(
            fx.PointForce("G", ARM, direction="x", force=fx.ramp(0, 1, over="1 m", sensor="clock"))
        ).check()


MESH = bar(0.3, 0.02, 0.01, (6, 1, 1), element="hex20", material=fx.Steel())
PLACE = ("0.1 m", 0, "5 mm")


def cantilever(formulation: str, *items: object) -> fx.Model:
    ends = {"root": "x_min", "tip": "x_max"}
    arm = fx.FlexibleBody("arm", MESH, interfaces=ends, formulation=formulation, reduction=fx.CraigBampton(modes=4))
    clamp = fx.Fixed("clamp", fx.ground, arm["root"])
    return fx.Model("m", [arm, clamp, fx.Sensor("eps", "arm.strain", at=PLACE, direction="x"), *items])


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_strain_is_that_of_a_gauge_and_may_be_fed_back(formulation: str) -> None:
    """ε = c P; with a force −k ε beside it ε = c P/(1 + k c)."""
    push = fx.PointForce("P", "arm.tip", direction="z", force=-2.0)
    rest = cantilever(formulation, push).statics()
    strain = rest["eps.value"]
    gauge = fx.StrainGauge("g", "arm", at=PLACE, direction="x")
    assert strain == pytest.approx(rest.gauge(gauge).legs[0, 0], rel=1e-9)
    moment = 2.0 * (0.3 - 0.1)
    assert strain == pytest.approx(moment * 0.005 / (2.1e11 * 0.02 * 0.01**3 / 12), rel=0.03)  # beam theory
    gain = 0.7 / strain * 2.0  # of the load at the tip
    back = fx.PointForce("B", "arm.tip", direction="z", force=fx.polynomial(0, gain, sensor="eps"))
    fed = cantilever(formulation, push, back).statics()
    assert fed["eps.value"] == pytest.approx(strain / 1.7, rel=1e-3)  # but for the large displacements
    run = cantilever(formulation, push, back, fx.Sensor("U", "arm.strain_energy")).dynamics(
        until=0.002, step=2e-4, **QUIET
    )
    np.testing.assert_allclose(run["eps.value"], run.gauge(gauge).legs[:, 0], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(run["U.value"], run["arm.strain_energy"], rtol=1e-5, atol=1e-12)


@pytest.mark.parametrize(
    ("sensor", "message"),
    [
        (fx.Sensor("s", "energy.dissipated"), "a sum over time.*energy.total"),
        (fx.Sensor("s", "energy.kinetik"), "there is no such energy, did you mean 'energy.kinetic'"),
        (fx.Sensor("s", "energy.total", seen_from="arm"), "leave out seen_from"),
        (fx.Sensor("s", "time", seen_from="arm"), "leave out seen_from"),
        (fx.Sensor("s", "arm.strain", at=(0, 0, 0), direction="x"), "strain is that of a flexible body"),
        (fx.Sensor("s", "arm.position_x", at=(0, 0, 0)), "at and direction are where .* a strain is read"),
    ],
)
def test_what_cannot_be_read_is_told(sensor: fx.Sensor, message: str) -> None:
    with pytest.raises(fx.ModelError, match=message):
        fx.Model("m", [ARM, sensor]).check()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "where and along what"),
        ({"at": (0.1, 0.5, 0), "direction": "x"}, "away from the surface"),
        ({"at": PLACE, "direction": "z"}, "its direction stands on the surface"),
    ],
)
def test_gauges_that_are_nowhere_are_told(given: dict, message: str) -> None:
    model = cantilever("superelement")
    with pytest.raises(fx.ModelError, match=message):
        model.with_item(fx.Sensor("s", "arm.strain", **given)).check()


def test_a_whole_mesh_has_no_coordinates_for_it() -> None:
    with pytest.raises(fx.ModelError, match=r"full_mesh has no coordinates.*after the run"):
        cantilever("full_mesh").check()
