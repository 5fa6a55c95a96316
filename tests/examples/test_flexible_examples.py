"""The examples with flexible bodies: stress, lag and energy by hand."""

from __future__ import annotations

import runpy
from itertools import pairwise

import numpy as np
import pytest
import rainflow
from scipy.integrate import solve_ivp
from scipy.linalg import eigh

import flexor as fx
from flexor.mesh import connecting_rod as geometry
from flexor.results.summary import energy_drift
from tests.examples.test_examples import EXAMPLES, G

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


# -- telescopic crane ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crane():
    return main_of("telescopic_crane.py")


class CraneByHand:
    """Two straight booms, hinged at 0 and carried by the cylinder, under loads across them; forces on the inner boom up positive.

    Statically determinate: moments give the forces, and the tip sinks by ∫ M m/EI + V v/GA dx + N n ℓ/EA, where m, v, n belong to
    1 N at the tip, and the webs carry the shear. The cylinder leans and so stretches the boom up to its eye.
    """

    def __init__(self, example, rear, load, share=1.0):
        """Rear pad at a place [m] from the hinge; a load at the tip [N]; a share of the weight of the booms."""
        self.L, self.eye, self.rear = example["LENGTH"], example["EYE"], rear
        self.lean = (self.eye - example["FOOT"][0]) / -example["FOOT"][2]
        self.load, profiles = load, (example["OUTER"], example["INNER"])
        self.outer, self.inner = (share * G * STEEL * p.area for p in profiles)  # N/m
        self.stiffness = [(210e9 * p.Iy, 210e9 / 2.6 * 2 * p.thickness * p.height) for p in profiles]
        self.EA = 210e9 * example["OUTER"].area
        self.mouth = (load * self.L + self.inner * self.L**2 / 2) / (self.L - rear)
        self.rear_pad = load + self.inner * self.L - self.mouth
        self.cylinder = (self.mouth * self.L + self.rear_pad * rear + self.outer * self.L**2 / 2) / self.eye  # upwards

    def bending(self, x):
        """(M, V) of the outer boom at x from its start, and of the inner one; M pulls the upper side."""
        rest, mouth = self.L - x, self.L - self.rear

        def beam(load, line, pushes):
            M, V = load * rest + line * rest**2 / 2, load + line * rest
            for force, at in pushes:  # upwards
                M, V = M - force * np.maximum(at - x, 0), V - force * (x < at)
            return M, V

        outer = beam(self.mouth, self.outer, [(-self.rear_pad, self.rear), (self.cylinder, self.eye)])
        return outer, beam(self.load, self.inner, [(self.mouth, mouth)])

    def sag(self, example):
        unit = CraneByHand(example, self.rear, 1.0, share=0)
        total = self.cylinder * unit.cylinder * self.lean**2 * self.eye / self.EA
        knots = np.unique([0, self.eye, self.rear, self.L - self.rear, self.L])
        nodes, weights = np.polynomial.legendre.leggauss(4)
        for a, b in pairwise(knots):
            x, w = (a + b) / 2 + nodes * (b - a) / 2, weights * (b - a) / 2
            for (M, V), (m, v), (EI, GA) in zip(self.bending(x), unit.bending(x), self.stiffness):
                total += w @ (M * m / EI + V * v / GA)
        return total


@pytest.mark.parametrize("rear", [1.0, 3.3, 5.0])
def test_crane_rests_as_two_beams_on_pads(crane, rear):
    """Forces to the second order of the slopes (10⁻⁴), the sag to what the thin webs leave open of the shear."""
    hand = CraneByHand(crane, rear, crane["LOAD"] * G)
    rest = crane["crane"](rear).statics()
    assert -rest["mouth.force_2"] == pytest.approx(hand.mouth, rel=5e-4)
    assert rest["rear.force_2"] == pytest.approx(hand.rear_pad, abs=5e-4 * hand.mouth)
    assert rest["cylinder.force"] == pytest.approx(hand.cylinder * np.hypot(1, hand.lean), rel=5e-4)
    assert -rest["inner.end.position_z"] == pytest.approx(hand.sag(crane), rel=3e-3)


def crane_points(run):
    """Nodes of the booms (n, 17, 3), and the shares of a boom's length that belong to them."""
    nodes = ["start", *(f"node {i}" for i in range(1, 16)), "end"]
    shares = np.r_[0.5, np.ones(15), 0.5] / 16
    return {
        name: np.stack([run[f"{name}.{node}.position"].values for node in nodes], 1) for name in ("outer", "inner")
    }, shares


def test_crane_bends_slowly_as_by_hand(crane):
    """Across the boom, which the cylinder holds at an angle by the cosine rule.

    Left out: sinking lengthens the lever of the load (2.5 % when raised), the cylinder leans otherwise (below 1 %), inertia (1 %).
    """
    run, eye, foot = crane["run"], crane["EYE"], np.linalg.norm(crane["FOOT"])
    below = np.arctan2(-crane["FOOT"][2], crane["FOOT"][0])
    angle = np.arccos((foot**2 + eye**2 - run["cylinder.length"].values ** 2) / (2 * foot * eye)) - below
    assert np.degrees(angle[[0, -1]]) == pytest.approx([0, 60], abs=1e-6)
    tip = crane_points(run)[0]["inner"][:, -1]
    sag = tip[:, 0] * np.sin(angle) - tip[:, 2] * np.cos(angle)
    rows = np.arange(0, len(run), 50)
    cosines, rear = np.cos(angle[rows]), run["rear.position"].values[rows]
    hand = [CraneByHand(crane, s, crane["LOAD"] * G * c, c).sag(crane) for s, c in zip(rear, cosines)]
    assert max(hand) > 2 * hand[0]
    np.testing.assert_allclose(sag[rows], hand, rtol=0.03)


def test_crane_presses_on_its_pads_as_moments_say(crane):
    """About the rear pad, with d'Alembert's forces of load and inner boom, over the whole lift."""
    run = crane["run"]
    points, shares = crane_points(run)
    step, inner = run.time[1] - run.time[0], points["inner"]

    def weight(mass, x):
        """m (g − ẍ) between the first row and the last, in the plane."""
        return -mass * ((x[2:] - 2 * x[1:-1] + x[:-2]) / step**2 + (0, 0, G))

    rear, mouth = inner[1:-1, 0], points["outer"][1:-1, -1]
    mass = STEEL * crane["INNER"].area * crane["LENGTH"]
    moment = np.cross(inner[1:-1, -1] - rear, weight(crane["LOAD"], run["load.position"].values))[:, 1]
    for i, share in enumerate(shares):
        moment += np.cross(inner[1:-1, i] - rear, weight(share * mass, inner[:, i]))[:, 1]
    press = -run["mouth.force_2"].values[1:-1]
    np.testing.assert_allclose(press, moment / np.linalg.norm(mouth - rear, axis=1), rtol=5e-5)


def test_crane_puts_its_work_into_height(crane):
    """Cylinder and slide do Σ∫ F dℓ; what rises, and the energy in the bent booms, take it up."""
    run = crane["run"]
    points, shares = crane_points(run)
    energies = {name: signal.values for name, signal in run.energies().items()}
    drives = (("cylinder.force", "cylinder.length"), ("rear.force", "rear.position"))
    work = sum(np.trapezoid(run[force].values, run[along].values) for force, along in drives)
    lifted = crane["LOAD"] * G * np.diff(run["load.position_z"].values[[0, -1]])[0]
    for name in ("outer", "inner"):
        z = points[name][..., 2] @ shares
        lifted += STEEL * crane[name.upper()].area * crane["LENGTH"] * G * (z[-1] - z[0])
    assert lifted > 150e3
    assert work - lifted == pytest.approx(np.diff(energies["strain"][[0, -1]])[0], abs=1.0)
    assert energy_drift(run)[1] < 1e-6


# -- fatigue of the rod ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rod_fatigue():
    return main_of("fatigue_of_rod.py")


def test_damage_of_the_rod_is_that_of_its_cycles_by_hand(rod_fatigue):
    """The worst node: principal stresses by NumPy, cycles by the rainflow package over two passages (the second closes what the first
    leaves), M = 0.35·0.8 − 0.1, Rm f_W K_R K_99.9/K_97.5 = 800·0.4·0.352·0.753/0.843 MPa at 10⁶ cycles, slope 5, nothing below."""
    run, turn, start = (rod_fatigue[name] for name in ("run", "turn", "start"))
    strength = 800e6 * 0.4 * min(1, 272 * 800**-0.995) * (1 - 0.08 * 3.0902323) / (1 - 0.08 * 1.959964)

    def damage(size, mean):
        a, m = size / 2, mean
        assert -a < m < a  # the field in which it is a + M m
        s = a + 0.18 * m
        return (s / strength) ** 5 / 1e6 if s >= strength else 0.0

    for found, begin in ((turn, 0.18), (start, 0.0)):
        worst = found.max()
        tensor = run.stress("rod").tensor_at(node=worst.node).values[run.time >= begin - 1e-9]
        x, y, z, xy, yz, zx = tensor.T
        full = np.moveaxis(np.array([[x, xy, zx], [xy, y, yz], [zx, yz, z]]), 2, 0)
        principal = np.linalg.eigvalsh(full)
        signed = np.where(np.abs(principal[:, 0]) > np.abs(principal[:, 2]), principal[:, 0], principal[:, 2])
        cut = int(np.argmax(np.abs(signed)))
        ring = np.concatenate([signed[cut:], signed[: cut + 1]])
        cycles = [
            each for each in rainflow.extract_cycles(ring.tolist()) if each[0] > 100e6
        ]  # smaller ones are below the limit
        expected = sum(count * damage(size, mean) for size, mean, count, _, _ in cycles)
        assert expected > 1e-7
        assert worst.value == pytest.approx(expected, rel=1e-5)


def test_the_worst_cycle_of_the_rod_is_that_of_a_beam(rod_fatigue):
    """Largest and smallest stress over a turn at that place, under d'Alembert's loads."""
    turn = rod_fatigue["turn"]
    worst = turn.max()
    sides = shank_stress(worst.position[0], np.linspace(0, 2 * np.pi, 721))
    beam = sides[0] if worst.position[1] > 0 else sides[1]
    largest = turn.cycles().ranges.max()
    assert largest == pytest.approx(np.ptp(beam), rel=0.05)  # the pump adds a little, the eyes take some


def test_life_of_the_rod(rod_fatigue):
    """Almost all damage is done at speed: life is that of the turns; the machined rod stays below its limit."""
    turn, forged, machined = (rod_fatigue[name] for name in ("turn", "forged", "machined"))
    hours = 0.02 * turn.max().life / 3600
    assert 8 * forged.max().life == pytest.approx(hours, rel=1e-3)
    assert 2 < hours < 5
    assert machined.max().value == 0
    assert forged.max().node == turn.max().node


@pytest.fixture(scope="module")
def shaker():
    return runpy.run_path(str(EXAMPLES / "shaker_test.py"))


def test_stress_of_the_shaken_bracket_is_that_of_a_beam(shaker):
    """At 3 Hz all but rests: half way along, the force of the pin and the bracket's own weight, W = b h²/6."""
    model, g = shaker["model"], shaker["G"]
    L, b, h = shaker["LENGTH"], shaker["WIDTH"], shaker["HEIGHT"]
    across = ["pin.force_x", "pin.force_y"]  # of the pin's axis
    pin = np.linalg.norm(model.frequency_response([3.0], {"shaker.acceleration": g}, across).total[0])
    stress = model.harmonic_motion([3.0], {"shaker.acceleration": g}).stress("left")
    at = np.argmin(np.linalg.norm(stress.sites.positions - [L / 2, 0, h / 2], axis=1))
    arm = L - stress.sites.positions[at, 0]
    moment = pin * arm + 7850 * b * h * g * arm**2 / 2
    assert stress.amplitude("xx")[0, stress.sites.rows[at]] == pytest.approx(moment / (b * h**2 / 6), rel=0.03)


def test_random_vibration_of_the_instrument_is_that_of_miles(shaker):
    """One mode bears it: its frequency, its damping by the width of the peak."""
    out, density = shaker["OUT"], shaker["DENSITY"]
    hertz = np.linspace(5, 80, 1501)
    response = shaker["model"].frequency_response(hertz, "shaker.acceleration", [out])
    size = np.abs(response[out])
    Q, f = size.max(), float(hertz[np.argmax(size)])
    assert f == pytest.approx(shaker["model"].modes(1).frequencies[0], rel=0.01)
    rms = response.random({"shaker.acceleration": density}).rms[out]
    assert rms == pytest.approx(np.sqrt(np.pi / 2 * f * Q * density), rel=0.05)


def test_the_instrument_at_a_small_level_is_linear(shaker):
    model, out, g = shaker["model"], shaker["OUT"], shaker["G"]
    asked = {"shaker.acceleration": 1e-3 * g}
    curve = model.harmonic_balance((24, 40), asked, [out], harmonics=2, samples=8, step=0.5)
    linear = model.frequency_response(curve.frequencies, asked, [out]).total[:, 0]
    np.testing.assert_allclose(curve[out], linear, rtol=2e-3)
    assert len(curve.folds) == 0


def test_the_snubber_bends_the_resonance_over(shaker):
    curve = shaker["swept"](shaker["G"])
    assert len(curve.folds) == 2
    assert curve.folds[0] > 1.05 * curve.folds[1]
    assert curve.complete


def test_servo_with_a_flexible_arm():
    """The loop is G/(1 + C G) of the arm alone; a sensor at the tip makes it unstable; it creeps to its goal by its slowest pole."""
    example = runpy.run_path(str(EXAMPLES / "servo_arm.py"))
    closed = example["servo"]()
    arm = closed.replace(items=tuple(item for item in closed.items if item.name not in LOOP))
    push = fx.PointTorque("push", "hub", direction="z", torque=0)
    f = np.array([0.2, 0.7, 3.0, 14.0])
    s = 2j * np.pi * f
    G = arm.with_item(push).frequency_response(f, "push", outputs=["drive"], at="start").values[:, 0, 0]
    C = 22 * (1 + 1 / (2 * s)) * (1 + 0.3 * s) / (1 + 0.005 * s) / (1 + 0.002 * s)
    found = closed.with_item(push).frequency_response(f, "push", outputs=["drive"], at="start").values[:, 0, 0]
    np.testing.assert_allclose(found, G / (1 + C * G), rtol=1e-7)
    stable, unstable = (example["servo"](sensor).modes(4, at="start") for sensor in ("drive", "tip"))
    assert not stable.unstable.any()
    assert unstable.unstable.any()
    run = closed.dynamics(until="8 s", step="4 ms", show=False)
    late = run["drive.value"].values[run.time > 7 - 1e-6] - example["GOAL"]
    decay = np.log(late[-1] / late[0])
    assert decay == pytest.approx(stable.eigenvalues[0].real, rel=0.01)
    assert np.abs(run["motor.value"].values).max() < 6.001 < np.abs(run["controller.value"].values).max()


LOOP = ("error", "controller", "amplifier", "motor", "torque")
"""The blocks of the servo, and its torque."""


# -- ring gyroscope --------------------------------------------------------------------------------------------------


def test_the_wave_of_a_turning_ring_stays_behind():
    """By 2/(n² + 1) of the angle (Bryan 1890, Proc. Camb. Phil. Soc. 7, 101), n = 2."""
    example = main_of("ring_gyroscope.py")
    times, angles = example["pattern"](example["run"])
    slope = np.polyfit(times, angles, 1)[0]
    assert slope / example["SPIN"] == pytest.approx(-0.4, abs=4e-3)
    assert np.abs(np.polyval(np.polyfit(times, angles, 1), times) - angles).max() < np.radians(0.6)
    n = 2
    bending = (
        n**2 * (n**2 - 1) ** 2 / (n**2 + 1) * 210e9 * example["THICKNESS"] ** 2 / (12 * STEEL * example["RADIUS"] ** 4)
    )
    assert example["ring"].made.frequencies[0] == pytest.approx(np.sqrt(bending) / (2 * np.pi), rel=2e-3)


# -- rolling ring ----------------------------------------------------------------------------------------------------


def test_a_ring_of_shape_functions_rolls_without_the_vibration_of_passing_nodes():
    """The mesh lifts the plate with the frequency at which its nodes pass; smooth shapes do not know it."""
    example = runpy.run_path(str(EXAMPLES / "rolling_ring.py"))
    runs = {name: example["roll"](ring, until=0.5, step=1e-3) for name, ring in (("shapes", example["shaped"]()), ("mesh", example["meshed"](48)))}  # fmt: skip
    for signal in ("plate.position_z", "floor.normal_force"):
        smooth, rough = (example["spectrum"](runs[name], signal) for name in ("shapes", "mesh"))
        assert example["line_at"](example["passing"](48), rough) > 100 * example["line_at"](
            example["passing"](48), smooth
        )
    for run in runs.values():
        # it rolls: half as far as the plate, and carries the load
        assert run["ring.position_x"][-1] == pytest.approx(0.5 * example["SPEED"] / 2, rel=1e-4)
        late = run["floor.normal_force"].values[run.time > 0.2]
        assert late.mean() == pytest.approx(example["FORCE"], rel=0.02)
