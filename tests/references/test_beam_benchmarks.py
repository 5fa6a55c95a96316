"""Benchmarks of beams in space that the literature repeats, written as a user writes them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root

import flexor as fx
from flexor.bodies.beam.exact_term import line_mass
from flexor.spatial import quaternion_to_matrix
from tests.references.cosserat import rod_end

# -- 45° bend -----------------------------------------------------------------------------------------------------------

BEND = (1e7, 1e7 / 2.4, 1e7 / 2.4, 1e3 / 12, 1e3 / 12, 1e3 / 12)
"""Square of 1 in, E = 10⁷ psi, ν = 0, J = I_y + I_z, radius 100 in, taken as the unit of length here."""
BEND_PRINTED = {"Bathe and Bolourchi": (-23.5, -13.4, 53.4), "BeamDyn": (-23.7, -13.5, 53.4)}
"""Displacement of the tip at 600 lb [in]. K.-J. Bathe & S. Bolourchi, IJNME 14 (1979) 961, and Q. Wang et al., NREL/CP-5000-63165
(2015), both as quoted in the description of OpenFAST's test bd_curved_beam."""


def bend(P: float, divisions: int, formulation: str = "exact") -> np.ndarray:
    """Tip of the clamped eighth of a circle under a force out of its plane [radii]."""
    arc = [(np.sin(a), 1 - np.cos(a), 0) for a in (0, np.pi / 8, np.pi / 4)]
    if formulation == "exact":
        how = {"section": fx.StiffnessSection(BEND, 1.0, (1e-4, 1e-4, 1e-4))}
    else:
        square = fx.GeneralSection(1e-4, 1e-8 / 12, 1e-8 / 12, 1e-8 / 6, shear_factors=(5 / 6, 5 / 6))
        how = {"section": square, "material": fx.Isotropic(1e11, 0.0, 1.0)}
    beam = fx.Beam("bend", arc, divisions=divisions, curve="arc", up="z", formulation=formulation, **how)
    load = fx.PointForce("load", on=beam["end"], direction=(0, 0, 1), force=P)
    model = fx.Model("bend", gravity=(0, 0, 0), items=[beam, fx.Fixed("wall", fx.ground, beam["start"]), load])
    return model.statics(load_steps=4)["bend.end.position"]


@pytest.mark.parametrize("P", [300, 450, 600])
def test_45_degree_bend(P):
    """Four elements to 10⁻⁴ of the boundary value problem, of fourth order."""
    exact = rod_end(np.pi / 4, BEND, np.array([0, 0, P]), curvature=(0, 0, 1))
    errors = [np.linalg.norm(bend(P, n) - exact) for n in (4, 8)]
    assert errors[0] < 1e-4
    assert errors[0] / errors[1] > 14


def test_45_degree_bend_as_printed():
    """What others print spreads by 0.2 in; the boundary value problem lies at (−23.56, −13.60, 53.48)."""
    found = 100 * (bend(600, 8) - np.array([np.sin(np.pi / 4), 1 - np.cos(np.pi / 4), 0]))
    for printed in BEND_PRINTED.values():
        np.testing.assert_allclose(found, printed, rtol=0, atol=0.21)


def test_45_degree_bend_of_corotational_beams():
    """Second order: eight elements to 6·10⁻⁴ of the radius."""
    exact = rod_end(np.pi / 4, BEND, np.array([0, 0, 600]), curvature=(0, 0, 1))
    errors = [np.linalg.norm(bend(600, n, "corotational") - exact) for n in (8, 16)]
    assert errors[0] < 7e-4
    assert 3.5 < errors[0] / errors[1] < 4.5


# -- helix --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("turns", "load_steps"), [(0.8, 8), (1.6, 13)])
def test_roll_up_to_a_helix(turns, load_steps):
    """A moment askew to the beam, GJ = EI: it is the same everywhere, so the tangent turns about it, M s/EI.

    Constant strain: exact with any number of elements. (The case of pure bending with a force out of the plane is
    A. Ibrahimbegović's, CMAME 149 (1997) 49, printed as a curve.)
    """
    L, EI, axis = 10.0, 100.0, np.array([0.48, 0.36, 0.8])
    section = fx.StiffnessSection((1e4, 1e4, 1e4, EI, EI, EI), 1.0, (1, 1, 1))
    beam = fx.Beam("beam", [(0, 0, 0), (L, 0, 0)], section, divisions=round(12 * turns))
    angle = 2 * np.pi * turns
    load = fx.PointTorque("load", on=beam["end"], direction=tuple(axis), torque=angle * EI / L)
    model = fx.Model("helix", gravity=(0, 0, 0), items=[beam, fx.Fixed("wall", fx.ground, beam["start"]), load])
    found = model.statics(load_steps=load_steps)["beam.end.position"]
    along, e = axis[0] * axis, np.array([1.0, 0, 0])
    exact = L * (along + np.sin(angle) / angle * (e - along) + (1 - np.cos(angle)) / angle * np.cross(axis, e))
    np.testing.assert_allclose(found, exact, atol=1e-8)


# -- Lee's frame --------------------------------------------------------------------------------------------------------


def lee(P: float, divisions: int) -> fx.Model:
    """Two legs of length 1, EI = 1, hinged at both ends; the load pushes down at a fifth of the upper one."""
    section = fx.StiffnessSection((1e6, 1e6, 1e6, 1e4, 1e4, 1.0), 1.0, (1e-6, 1e-6, 1e-6))
    points = [(0, 0, 0), (0, 1, 0), (0.2, 1, 0), (1, 1, 0)]
    frame = fx.Beam("frame", points, section, divisions=divisions, up="z", markers={"load": (0.2, 1, 0)})
    hinges = [
        fx.Revolute("foot", fx.ground, frame["start"], axis="z"),
        fx.Revolute("wall", fx.ground.at(1, 1, 0), frame["end"], axis="z"),
    ]
    load = fx.PointForce("load", on=frame["load"], direction=(0, -1, 0), force=P)
    return fx.Model("Lee", gravity=(0, 0, 0), items=[frame, *hinges, load])


def elastica(deflection: float, guess: np.ndarray) -> np.ndarray:
    """P and its companions (slope and reactions at the foot) for a deflection of the loaded point: θ'' = H sin θ − V cos θ of
    the inextensible plane beam, by integration along both legs."""

    def closed(unknown: np.ndarray) -> list[float]:
        P, slope, H, V = unknown
        state = [0.0, 0.0, slope, 0.0]  # x, y, θ, θ'
        lowered = 0.0
        for length, corner, load in ((1.0, -np.pi / 2, 0.0), (0.2, 0.0, P), (0.8, 0.0, 0.0)):

            def rate(s: float, y: np.ndarray, H: float = H, V: float = V) -> list[float]:
                return [np.cos(y[2]), np.sin(y[2]), y[3], H * np.sin(y[2]) - V * np.cos(y[2])]

            state = solve_ivp(rate, (0, length), state, method="DOP853", rtol=1e-10, atol=1e-12).y[:, -1]
            state[2] += corner
            if load:
                lowered, V = 1 - state[1], V + load
        return [lowered - deflection, state[0] - 1, state[1] - 1, state[3]]

    found = root(closed, guess, tol=1e-11)
    assert found.success, found.message
    return found.x


def test_lee_frame():
    """It snaps through at 18.55 EI/L² (S.-L. Lee, F. S. Manuel & E. C. Rossow, J. Eng. Mech. 94 (1968) 521); 18.5587 it is.

    Static equilibrium follows the path up to there: its points and the load, at which the square of the lowest frequency
    vanishes like √(P_c − P), against the elastica. Fourth order.
    """
    path, guess = [], np.array([0.0, np.pi / 2, 0.0, 0.0])
    for v in np.linspace(0, 0.45, 31)[1:]:
        guess = elastica(v, guess)
        path.append((v, guess[0]))
    v, P = np.array(path).T
    top = np.polyfit(v[-9:], P[-9:], 6)
    rates = np.roots(np.polyder(top))
    at = min((x.real for x in rates if abs(x.imag) < 1e-9), key=lambda x: abs(x - 0.405))
    limit = np.polyval(top, at)
    assert limit == pytest.approx(18.55, abs=0.01)
    critical = []
    for divisions in (10, 20):
        loads, powers = (18.53, 18.55), []
        for load in loads:
            model = lee(load, divisions)
            found = model.statics(load_steps=4)
            powers.append(model.modes(1, state=found.state).frequencies[0] ** 4)
        critical.append(loads[1] + (loads[1] - loads[0]) * powers[1] / (powers[0] - powers[1]))
    node = model["frame"].carrier("load", np.array([0.2, 1, 0]))[0]
    lowered = 1 - lee(P[19], 20).statics(load_steps=4)[f"frame.node {node}.position_y"]
    assert lowered == pytest.approx(v[19], rel=4e-4)
    assert critical[1] == pytest.approx(limit, rel=1e-4)
    assert critical[0] == pytest.approx(limit, rel=1.5e-3)
    with pytest.raises(fx.DivergenceError, match="a load beyond what"):
        lee(18.8, 10).statics(load_steps=4)


# -- right-angle cantilever ---------------------------------------------------------------------------------------------


def test_right_angle_cantilever():
    """J. C. Simo & L. Vu-Quoc, CMAME 66 (1988) 125: pushed out of its plane at the elbow, it swings by its own length.

    Extremes of tip and elbow, (time, value) from a digitised copy of their figure (reference data of AeroBeams.jl, elbowFrame),
    which is coarse: to 0.4 s and 0.25 m. With 4, 10, 20 elements per leg the
    first two extremes of the tip are 8.208, 8.249, 8.251 and −9.661, −9.718, −9.725: second order, by the rotary inertia,
    which is 10 kg m and gathered at the nodes.
    """
    section = fx.StiffnessSection((1e6, 1e6, 1e6, 1e3, 1e3, 1e3), 1.0, (20.0, 10.0, 10.0))
    beam = fx.Beam("rod", [(0, 0, 0), (10, 0, 0), (10, 10, 0)], section, divisions=20, markers={"elbow": (10, 0, 0)})
    pulse = fx.table([0, 1, 2, 100], [0, 50, 0, 0])
    push = fx.PointForce("push", on=beam["elbow"], direction=(0, 0, 1), force=pulse)
    model = fx.Model("elbow", gravity=(0, 0, 0), items=[beam, fx.Fixed("wall", fx.ground, beam["start"]), push])
    run = model.dynamics(until=30.0, step=0.02, integrator=0.9)
    tip, elbow = np.asarray(run["rod.end.position_z"]), np.asarray(run["rod.node 10.position_z"])
    time = np.linspace(0, 30, len(tip))
    printed = {
        "tip": (tip, ((5, 10, 7.67, 8.29), (13, 18, 15.99, -9.67), (20, 24.3, 23.07, 6.59), (25, 28, 26.08, 6.98))),
        "elbow": (elbow, ((2, 5, 3.05, 5.50), (9, 13, 10.82, -3.87), (12, 15, 13.69, 1.16), (23, 27, 25.16, 6.11))),
    }
    for values, extremes in printed.values():
        for begin, end, when, value in extremes:
            rows = np.flatnonzero((time >= begin) & (time <= end))
            at = rows[np.argmax(np.sign(value) * values[rows])]
            assert time[at] == pytest.approx(when, abs=0.4)
            assert values[at] == pytest.approx(value, abs=0.25)
    energy = np.asarray(run["energy.kinetic"]) + np.asarray(run["energy.strain"])
    assert np.ptp(energy[time > 2.05]) < 1e-4 * energy[-1]
    # from 20 elements per leg and a step of 5 ms
    assert tip[time < 10].max() == pytest.approx(8.251, abs=5e-3)
    assert tip.min() == pytest.approx(-9.726, abs=0.01)


# -- flying spaghetti in space -------------------------------------------------------------------------------------------


def test_flying_spaghetti_in_space():
    """Simo & Vu-Quoc 1988: a free beam, thrown, bent and twisted at one end by a pulse of 5 s. Afterwards momentum, angular
    momentum and energy stay; the pulse of 20 N gives 50 N s."""
    n = 10
    section = fx.StiffnessSection((1e4, 1e4, 1e4, 500.0, 500.0, 500.0), 1.0, (20.0, 10.0, 10.0))
    beam = fx.Beam("rod", [(6, 0, 0), (0, 8, 0)], section, divisions=n, position=(0, 0, 0))

    def pulse(size: float) -> fx.Function:
        return fx.table([0, 2.5, 5, 100], [0, size, 0, 0])

    loads = [
        fx.PointForce("force", on=beam["start"], direction=(1, 0, 0), force=pulse(20.0)),
        fx.PointTorque("turn", on=beam["start"], direction=(0, 0, -1), torque=pulse(200.0)),
        fx.PointTorque("twist", on=beam["start"], direction=(0, 1, 0), torque=pulse(100.0)),
    ]
    model = fx.Model("spaghetti", gravity=(0, 0, 0), items=[beam, *loads])
    run = model.dynamics(until=10.0, step=0.01, integrator=1.0)
    names = [beam.node_name(i) for i in range(n + 1)]

    def signal(what: str, axes: str = "xyz") -> np.ndarray:
        """(rows, nodes, components)"""
        return np.stack([[np.asarray(run[f"{name}.{what}_{axis}"]) for axis in axes] for name in names]).transpose(
            2, 0, 1
        )

    x, v, w = signal("position"), signal("velocity"), signal("angular_velocity")
    R = quaternion_to_matrix(signal("orientation", "wxyz")) @ beam.geometry[1][0, 0]
    t = R[..., 0]
    rates = np.cross(w, t)
    field = np.stack([x[:, :-1], t[:, :-1], x[:, 1:], t[:, 1:]], axis=2)
    momenta = line_mass(beam.properties[0], 10.0 / n) @ np.stack(
        [v[:, :-1], rates[:, :-1], v[:, 1:], rates[:, 1:]], axis=2
    )
    length = np.full(n + 1, 10.0 / n)
    length[[0, -1]] /= 2
    spins = (R @ (beam.properties[0].inertia @ (R.swapaxes(-1, -2) @ w[..., None])))[..., 0]
    linear = momenta[:, :, [0, 2]].sum(axis=(1, 2))
    angular = np.cross(field, momenta).sum(axis=(1, 2)) + length @ spins
    energy = np.asarray(run["energy.kinetic"]) + np.asarray(run["energy.strain"])
    after = np.linspace(0, 10, len(x)) > 5.02
    np.testing.assert_allclose(linear[after], np.tile([50.0, 0, 0], (after.sum(), 1)), atol=0.02)
    assert np.ptp(linear[after], axis=0).max() < 1e-4
    assert np.ptp(angular[after], axis=0).max() < 5e-5 * np.linalg.norm(angular[-1])
    assert np.ptp(energy[after]) < 1e-4 * energy[-1]
    assert np.abs(t[after] - t[0, 0]).max() > 1.0


# -- hinged Timoshenko beam ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("formulation", ["exact", "corotational"])
def test_frequencies_of_a_stocky_beam(formulation):
    """Hinged at both ends, six times as long as deep, Timoshenko's equation in closed form, k = nπ/L:

    ρA ρI/(κGA) ω⁴ − (ρA + k² (ρI + EI ρA/κGA)) ω² + EI k⁴ = 0.   Rotary inertia is gathered at the nodes: second order.
    """
    E, rho, nu = 2e11, 8000.0, 0.3
    section = fx.Rectangle(0.05, 1 / 6)
    A, I = section.area, 0.05 / 12 / 216
    GA = section.shear_factors[1] * E / (2 * (1 + nu)) * A
    k = np.pi * np.arange(1, 4)
    p, q, r = rho * A * rho * I / GA, rho * A + k**2 * (rho * I + E * I * rho * A / GA), E * I * k**4
    exact = np.sqrt((q - np.sqrt(q**2 - 4 * p * r)) / (2 * p)) / (2 * np.pi)
    errors = []
    for divisions in (8, 16):
        beam = fx.Beam(
            "beam",
            [(0, 0, 0), (1, 0, 0)],
            section,
            fx.Isotropic(E, nu, rho),
            divisions=divisions,
            formulation=formulation,
        )
        left = fx.Revolute("left", fx.ground, beam["start"], axis="y")
        hold = fx.PointOnLine("hold", fx.ground.at(1, 0, 0), beam["end"], axis="x")
        model = fx.Model("beam", gravity=(0, 0, 0), items=[beam, left, hold])
        found = model.modes(30, at="start")
        flat = [f for f, shape in zip(found.frequencies, found.shapes.T) if _in_plane(found.names, shape)]
        errors.append(np.abs(np.array([min(flat, key=lambda f, e=e: abs(f - e)) for e in exact]) / exact - 1))
    assert errors[0][0] < 1e-3
    assert np.all(errors[0] / errors[1] > 3)


def _in_plane(names, shape) -> bool:
    moved = dict(zip(names, np.abs(shape)))
    out = max(
        (value for name, value in moved.items() if name.endswith((": y", "rotation x", "rotation z"))), default=0.0
    )
    return out < 1e-6 * max(moved.values())
