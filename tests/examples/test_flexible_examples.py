"""The examples with flexible bodies: stress, lag and energy by hand."""

from __future__ import annotations

import runpy

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import flexor as fx
from flexor.mesh import connecting_rod as geometry
from flexor.results.summary import energy_drift
from tests.examples.test_examples import EXAMPLES

STEEL = 7850.0


def main_of(name):
    """What an example has computed after it was run as a program."""
    return runpy.run_path(str(EXAMPLES / name), run_name="__main__")


# -- flexible slider-crank -------------------------------------------------------------------------------------------

CRANK, ROD, OMEGA, PISTON = 0.08, 0.3, 100 * np.pi, 0.5


@pytest.fixture(scope="module")
def slider_crank():
    return main_of("flexible_slider_crank.py")


def test_mesh_file_is_that_of_the_generator():
    found, made = fx.read_mesh(EXAMPLES / "rod.inp"), geometry.connecting_rod()
    np.testing.assert_array_equal(found.points, made.points)
    np.testing.assert_array_equal(found.blocks[0].nodes, made.blocks[0].nodes)
    assert {name.lower() for name in found.node_sets} >= {"big", "small"}


def area_of_the_rod():
    """Rings, shank, and between them triangles less the sectors of eye and fillet, by elementary geometry."""
    start, end = geometry.straight()
    area = (end - start) * geometry.HEIGHT
    f, high = geometry.FILLET, geometry.HEIGHT / 2 + geometry.FILLET
    for eye in (geometry.BIG, geometry.SMALL):
        along = np.sqrt((eye.outer + f) ** 2 - high**2)
        touch = np.arctan2(high, along)
        area += np.pi * (eye.outer**2 - eye.bore**2)
        area += along * high - f**2 * (np.pi / 2 - touch) - eye.outer**2 * touch
    return area


def test_rod_has_the_mass_of_its_geometry(slider_crank):
    reduced = slider_crank["rod"].reduced
    mass = STEEL * geometry.THICKNESS * area_of_the_rod()
    assert reduced.mass_properties.mass == pytest.approx(mass, rel=2e-4)
    assert 1500 < len(reduced.node_ids) < 4000
    assert slider_crank["rod"].rigid().mass == reduced.mass_properties.mass


def shank_stress(x, phi):
    """σ at the upper side y = h/2 of the shank, and at the lower side, at a place x and crank angles φ, constant speed.

    A bar of the shank's section from pin to wrist, hinged at both, under d'Alembert's loads: across, a load per length
    that is linear between the accelerations a₀, a₁ of its ends, M(ξ) = ρA l² [a₀ (ξ/3 − ξ²/2 + ξ³/6) + a₁ (ξ − ξ³)/6];
    along, what the piston and the part of the bar beyond x need. The mass of the eyes sits near the hinges and bends
    little.
    """
    h, A = geometry.HEIGHT, geometry.HEIGHT * geometry.THICKNESS
    line = STEEL * A
    beta = np.arcsin(-CRANK / ROD * np.sin(phi))
    rate = -CRANK / ROD * np.cos(phi) * OMEGA / np.cos(beta)
    second = (CRANK / ROD * np.sin(phi) * OMEGA**2 + rate**2 * np.sin(beta)) / np.cos(beta)
    along, across = np.array([np.cos(beta), np.sin(beta)]), np.array([-np.sin(beta), np.cos(beta)])

    def acceleration(s, direction):
        pin = -CRANK * OMEGA**2 * np.array([np.cos(phi), np.sin(phi)])
        gravity = np.array([[0.0], [9.81]])
        return ((pin + s * (second * across - rate**2 * along) + gravity) * direction).sum(axis=0)

    a0, a1, xi = acceleration(0, across), acceleration(ROD, across), x / ROD
    moment = line * ROD**2 * (a0 * (xi / 3 - xi**2 / 2 + xi**3 / 6) + a1 * (xi - xi**3) / 6)
    wrist_across = -line * ROD * (a0 / 6 + a1 / 3)  # force on the piston, from moments about the pin
    piston = PISTON * acceleration(ROD, np.array([[1.0], [0.0]]))
    wrist_along = (piston + wrist_across * np.sin(beta)) / np.cos(beta)
    beyond = line * (ROD - x) * (acceleration(x, along) + acceleration(ROD, along)) / 2
    tension = -(wrist_along + beyond) / A
    bending = moment / (A * h / 6)
    return tension - bending, tension + bending


@pytest.mark.parametrize("x", [0.0886, 0.1355, 0.1825, 0.2295])
def test_stress_in_the_shank_is_that_of_a_beam_under_dalemberts_loads(slider_crank, x):
    """Over the last turn, on both sides. Left out: the eyes, and vibration ((50 Hz / 570 Hz)² ≈ 1 %)."""
    run = slider_crank["run"]
    phi = run["main.angle"].values
    last = phi > phi[-1] - 2 * np.pi
    stress = run.stress("rod", "xx")
    reduced = stress.history.reduced
    for expected, y in zip(shank_stress(x, phi[last]), (geometry.HEIGHT / 2, -geometry.HEIGHT / 2)):
        node = int(reduced.node_ids[np.argmin(np.linalg.norm(reduced.nodes - [x, y, 0], axis=1))])
        found = stress.at(node=node).values[last]
        assert np.abs(expected).max() > 70e6
        np.testing.assert_allclose(found, expected, atol=0.06 * np.abs(expected).max())


def test_worst_stress_is_where_and_when_the_beam_says(slider_crank):
    """Tension on the lower side while the crank comes up to its dead centre, or on the upper one after it: alike."""
    run = slider_crank["run"]
    worst = run.stress("rod").max()
    angles = np.linspace(0, 2 * np.pi, 721)
    upper, lower = shank_stress(worst.position[0], angles)
    assert worst.value == pytest.approx(max(upper.max(), lower.max()), rel=0.03)
    expected = angles[np.argmax(upper if worst.position[1] > 0 else lower)]
    assert run["main.angle"].at(worst.time) % (2 * np.pi) == pytest.approx(expected, abs=np.radians(5))
    assert abs(worst.position[1]) == pytest.approx(geometry.HEIGHT / 2)


def test_flexible_rod_moves_nearly_as_the_rigid_one(slider_crank):
    """The piston by the stretch of the rod, F l/EA of the shank and a little more in the eyes; forces by 1 %."""
    run, stiff = slider_crank["run"], slider_crank["stiff"]
    force = stiff["wrist.force"].norm().max()
    stretch = force * ROD / (210e9 * geometry.HEIGHT * geometry.THICKNESS)
    off = np.abs(run["piston.position_x"] - stiff["piston.position_x"]).max()
    assert stretch < off < 2 * stretch
    for signal in ("drive.torque", "wrist.force"):
        scale = np.abs(stiff[signal]).max()
        np.testing.assert_allclose(run[signal], stiff[signal], atol=0.02 * scale)
    assert energy_drift(run)[1] < 1e-4


# -- rotating blade --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def blade():
    return main_of("rotating_blade.py")


def tip_lag(times):
    """Tip of an Euler beam in the turning frame, in assumed modes with the stiffening of the centrifugal force.

    M q̈ + [K + ω² (G − M)] q = −ω̇ ∫ρA x φ dx with G = ∫ ½ρA (L² − x²) φ′φ′ᵀ dx   (Kane, Ryan, Banerjee 1987)
    """
    L, EI, line, speed, over, n = 10.0, 1.4e4, 1.2, 6.0, 15.0, 7
    x, w = np.polynomial.legendre.leggauss(40)
    x, w = (x + 1) * L / 2, w * L / 2
    k, s = np.arange(2, 2 + n), x[:, None] / L
    shape, slope, bend = s**k, k * s ** (k - 1) / L, k * (k - 1) * s ** (k - 2) / L**2

    def integral(weight, a, b):
        return a.T @ ((w * weight)[:, None] * b)

    squares, V = eigh(integral(EI + 0 * x, bend, bend), integral(line + 0 * x, shape, shape))
    G = V.T @ integral(line * (L**2 - x**2) / 2, slope, slope) @ V
    load = V.T @ (shape.T @ (w * line * x))

    def rates(t, y):
        u = min(t, over) / over
        omega = speed * (u - np.sin(2 * np.pi * u) / (2 * np.pi))
        alpha = speed / over * (1 - np.cos(2 * np.pi * u))
        return np.r_[y[n:], -(squares - omega**2) * y[:n] - omega**2 * G @ y[:n] - alpha * load]

    found = solve_ivp(rates, (0, times[-1]), np.zeros(2 * n), "Radau", t_eval=times, rtol=1e-6, atol=1e-8)
    return V.sum(axis=0) @ found.y[:n]


def test_blade_lags_as_a_beam_that_the_centrifugal_force_stiffens(blade):
    """The error falls with the square of the number of pieces; one floating body with its stiffening is exact."""
    runs, variants = blade["runs"], blade["VARIANTS"]
    expected = tip_lag(runs["8 pieces"].time)
    assert expected.min() == pytest.approx(-0.574, abs=1e-3)
    off = {name: np.abs(blade["tip"](run, variants[name][0])[1] - expected).max() for name, run in runs.items()}
    assert off["1 piece"] > 0.1
    assert off["2 pieces"] < off["1 piece"] / 2
    assert off["4 pieces"] < off["2 pieces"] / 3
    assert off["8 pieces"] < min(off["4 pieces"] / 3, 0.01 * 0.574)
    assert off["floating, stiffened"] < 0.002 * 0.574


@pytest.mark.parametrize("name", ["8 pieces", "floating, stiffened"])
def test_blade_is_stretched_by_its_own_pull(blade, name):
    """∫ ½ρω²(L² − x²)/E dx = ρω²L³/(3E) at steady speed"""
    run = blade["runs"][name]
    stretch, _ = blade["tip"](run, blade["VARIANTS"][name][0])
    assert stretch[run.time > 16].mean() == pytest.approx(3000 * 6**2 * 10**3 / (3 * 70e9), rel=1e-3)


# -- two booms -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def booms():
    return main_of("two_booms.py")


def test_booms_open_and_stay_open(booms):
    run = booms["run"]
    width = booms["WIDTH"]
    for hinge, start in zip(("root", "elbow"), booms["FOLDED"]):
        angle = run[f"{hinge}.angle"].values
        assert angle[0] == pytest.approx(start)
        assert np.abs(angle[run.time > 50]).max() < width / 5


def test_booms_turn_the_energy_of_their_hinges_into_heat(booms):
    """At the start it is all in the springs: the integral of their torque."""
    run = booms["run"]
    released = sum(map(booms["stored"], booms["FOLDED"]))
    energies = {name: signal.values for name, signal in run.energies().items()}
    assert energies["strain"][0] == pytest.approx(released, rel=1e-9)
    assert energies["kinetic"].max() > 0.1 * released
    total = energies["kinetic"] + energies["strain"] + energies["dissipated"]
    np.testing.assert_allclose(total, released, rtol=5e-4)
    assert energies["dissipated"][-1] > 0.99 * released


def test_satellite_keeps_its_momentum(booms):
    """Centre of mass and angular momentum of the whole; the booms are polygons through the nodes of their meshes."""
    run = booms["run"]
    mass = booms["inner"].reduced.mass_properties.mass
    assert mass == pytest.approx(1600 * np.pi * (0.025**2 - 0.024**2) * 2.5, rel=1e-6)
    rows = np.arange(1, len(run) - 1, 40)
    step = run.time[2] - run.time[0]

    def mechanism(row):
        """Mass times position, and points (…, 2) of the booms."""
        centres = [120.0 * run_at["satellite"][row], 0.5 * run_at["sensor"][row]]
        points = [history.points(row)[order, :2] for history, order in histories]
        centres += [mass * (x[0] / 2 + x[1:-1].sum(axis=0) + x[-1] / 2) / (len(x) - 1) for x in points]
        return np.sum(centres, axis=0), points

    run_at = {name: run[f"{name}.position"].values[:, :2] for name in ("satellite", "sensor")}
    speed = {name: run[f"{name}.velocity"].values[:, :2] for name in ("satellite", "sensor")}
    turn = run["satellite.angular_velocity_z"].values
    histories = [(h, np.argsort(h.reduced.nodes[:, 0])) for h in map(run.body, ("inner", "outer"))]
    moments, spins, parts = [], [], []
    for row in rows:
        before, now, after = (mechanism(i) for i in (row - 1, row, row + 1))
        moments.append(now[0])
        spin = [15 * turn[row], 120 * cross(run_at["satellite"][row], speed["satellite"][row])]
        spin.append(0.5 * cross(run_at["sensor"][row], speed["sensor"][row]) + 1e-3 * turn[row])
        for x, v in zip(now[1], [(b - a) / step for a, b in zip(before[1], after[1])]):
            r = (cross(a, b) for a, b in ((x[:-1], v[:-1]), (x[:-1], v[1:]), (x[1:], v[:-1]), (x[1:], v[1:])))
            spin.append(float(sum(np.sum(w * part) for w, part in zip((2, 1, 1, 2), r))) * mass / (len(x) - 1) / 6)
        spins.append(sum(spin))
        parts.append(np.abs(spin).max())
    np.testing.assert_allclose(moments, np.broadcast_to(moments[0], (len(rows), 2)), atol=1e-4)  # kg m
    assert np.ptp(120 * run_at["satellite"], axis=0).max() > 2
    assert np.abs(spins).max() < 5e-3 * max(parts)


def cross(a, b):
    """z component of a × b in the plane."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
