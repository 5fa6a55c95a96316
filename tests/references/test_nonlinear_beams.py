"""Large deflection, twist and buckling of geometrically exact beams against closed forms, boundary value problems and
other programs."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.solve import modes, statics
from tests.references.beams import beam_mechanism, force, torque


def cantilever(length: float, stiffness: tuple[float, ...], divisions: int, **more) -> Beam:
    """EA, GAy, GAz, GJ, EIy, EIz; along x, section axes y and z."""
    section = StiffnessSection(stiffness, 1.0, (1e-3, 5e-4, 5e-4))
    return Beam("beam", [(0, 0, 0), (length, 0, 0)], section, divisions=divisions, **more)


def tip(beam: Beam, *loads, load_steps: int = 1) -> np.ndarray:
    """Displacement of the end."""
    found = statics(beam_mechanism(beam, loads=loads), load_steps=load_steps)
    return found["beam.end.position"] - np.array(beam.points[-1])


@pytest.mark.parametrize("turn", [0.5, 1.0, 2.0])
def test_roll_up(reference, turn):
    """A moment M = turn · 2π EI/L bends the beam to a circle: constant strain, exact with any number of elements."""
    record = reference.record("rollup_cantilever")
    L, EI = 10.0, 100.0
    beam = cantilever(L, (1e4, 1e4, 1e4, 1e2, EI, EI), 12)
    u = tip(beam, torque(beam, "end", (0, 0, turn * 2 * np.pi * EI / L)), load_steps=round(16 * turn))
    angle = turn * 2 * np.pi
    exact = np.array([L / angle * np.sin(angle) - L, L / angle * (1 - np.cos(angle)), 0.0])
    np.testing.assert_allclose(u, exact, atol=1e-9)
    if turn == 1.0:
        np.testing.assert_allclose(u[0], record["reference"]["ux_L10"], atol=record["tolerance"]["abs"])


@pytest.mark.parametrize("load", ["0.2", "0.5", "1", "2", "3", "5", "10"])
def test_elastica(reference, load):
    """P L²/EI = load; EA = GA = 10⁷ EI/L² stand for an inextensible beam, which changes the sixth digit."""
    record = reference.record("elastica_tip_force")
    exact = record["reference"]["table"][load]
    beam = cantilever(1.0, (1e7, 1e7, 1e7, 1.0, 1.0, 1.0), 16)
    u = tip(beam, force(beam, "end", (0, float(load), 0)), load_steps=max(1, 2 * round(float(load))))
    np.testing.assert_allclose(u, [-exact["u_over_L"], exact["w_over_L"], 0], atol=record["tolerance"]["abs"])


def princeton(F: float, beta: float, divisions: int) -> np.ndarray:
    beam = cantilever(0.508, (2842069.4, 1084759.3, 1084759.3, 2.9257, 2.42887, 36.2855), divisions)
    direction = np.array([0.0, -np.cos(np.radians(beta)), np.sin(np.radians(beta))])
    return tip(beam, force(beam, "end", F * direction), load_steps=8)


def test_princeton_beam(reference):
    """All 21 loads against the solution of the Cosserat boundary value problem, relative to the deflection."""
    tolerance = reference.record("princeton_beam")["tolerance"]["vs_bvp"]
    curve = reference.curve("princeton_beam").T
    assert len(curve) == 21
    for F, beta, *expected in curve:
        u = princeton(F, beta, 8)
        np.testing.assert_allclose(u, expected[:3], rtol=0, atol=tolerance * np.linalg.norm(expected[:3]))


def test_princeton_beam_against_ansys(reference):
    """ANSYS has its own constants of torsion and shear; where they matter most (y at 45°) it is 1.7 % off the boundary
    value problem."""
    record = reference.record("princeton_beam")
    for F, name in ((8.896, "ansys_beam_F8p896"), (13.345, "ansys_beam_F13p345")):
        for i, beta in enumerate(record["parameters"]["beta"]):
            _, y, z = princeton(F, beta, 8)
            expected = [-record["reference"][name]["y"][i], record["reference"][name]["z"][i]]
            # F = 13.345 N, 30…60°: they differ by up to 3.3 % of y, 0.3 % of the deflection
            np.testing.assert_allclose(
                [y, z], expected, atol=record["tolerance"]["vs_ansys"] * np.linalg.norm(expected)
            )


def test_shear_deformable_cantilever(reference):
    """Deep beam of Nachbagauer et al.: small and large deflection."""
    record = reference.record("shear_deformable_cantilever")
    L, w, h, E, nu = 2.0, 0.1, 0.5, 2.07e11, 0.3
    G, k = E / (2 * (1 + nu)), 10 * (1 + nu) / (12 + 11 * nu)
    stiffness = (E * w * h, k * G * w * h, k * G * w * h, G * 1e-3, E * h * w**3 / 12, E * w * h**3 / 12)
    for F, case in ((6.25e4, "case0"), (6.25e7, "case1")):
        beam = cantilever(L, stiffness, 16)
        u = tip(beam, force(beam, "end", (0, -F, 0)), load_steps=3)
        expected = [record["reference"][case]["ux"], record["reference"][case]["uy"]]
        np.testing.assert_allclose(-u[:2], expected, rtol=record["tolerance"]["rel"])


def test_bending_and_torsion_of_a_deep_beam(reference):
    """Case 2 of Nachbagauer et al. against ANSYS: tip torque and bending moment, both about fixed axes.

    The record leaves open which way the section stands; w = 0.4 m along z, where My bends it, fits all three numbers.
    ANSYS prints five digits; uₓ is off by 5·10⁻⁴ (it is −M²L³/(6 EI²) = 1.0944·10⁻⁴ in closed form).
    """
    record = reference.record("shear_deformable_cantilever")
    L, y, z, E, nu = 2.0, 0.2, 0.4, 2.07e11, 0.3
    G = E / (2 * (1 + nu))
    torsion, ky, kz = 0.5768, 0.8331, 0.7961
    Iy, Iz, A = y * z**3 / 12, z * y**3 / 12, y * z
    beam = cantilever(L, (E * A, ky * G * A, kz * G * A, torsion * G * (Iy + Iz), E * Iy, E * Iz), 8)
    u = tip(beam, torque(beam, "end", (0.5e6, 0, 0)), torque(beam, "end", (0, 2e6, 0)))
    np.testing.assert_allclose(np.abs(u), record["reference"]["case2_ansys"], rtol=1e-3)
    np.testing.assert_allclose(-u[0], (2e6 / (E * Iy)) ** 2 * L**3 / 6, rtol=1e-3)


def test_twisted_beam(reference):
    """Wang et al.: 90° of initial twist, 4 MN across, against BeamDyn and the boundary value problem."""
    record = reference.record("beamdyn_twisted")
    p = record["parameters"]["K"]
    stiffness = (p["EA"], p["GA"], p["GA"], p["GJ"], p["EI_1"], p["EI_2"])
    beam = cantilever(10.0, stiffness, 32, twist=(0, "90 deg"))
    u = tip(beam, force(beam, "end", (0, 0, -4e6)), load_steps=4)
    np.testing.assert_allclose(u, record["reference"]["u"], rtol=0, atol=record["tolerance"]["vs_beam"])
    np.testing.assert_allclose(u, record["reference"]["ansys_solid"], rtol=record["tolerance"]["vs_ansys"])


def test_lateral_torsional_buckling(reference):
    """A thin cantilever tips over where the square of its lowest frequency vanishes."""
    record = reference.record("lateral_torsional_buckling")
    strong, weak, GJ = 1e4, 1.0, 0.8
    critical = record["reference"]["coefficient"] * np.sqrt(weak * GJ)
    beam = cantilever(1.0, (1e7, 1e7, 1e7, GJ, strong, weak), 4)

    def square(P: float) -> float:
        f = modes(beam_mechanism(beam, loads=(force(beam, "end", (0, 0, -P)),)), 1).frequencies[0]
        return float(np.sign(f) * f**2)

    loads = np.array([0.95, 1.0, 1.05]) * critical
    slope, offset = np.polyfit(loads, [square(P) for P in loads], 1)
    assert abs(-offset / slope / critical - 1) < record["tolerance"]["rel"]
    assert square(0.98 * critical) > 0 > square(1.02 * critical)


@pytest.mark.parametrize("case", ["plane", "space"])
def test_order_of_convergence(case):
    """Each halving of the elements divides the error by about sixteen, in the plane (elastica, P L²/EI = 5) and in
    space (the initially twisted beam)."""
    errors = []
    for n in (4, 8, 16):
        if case == "plane":
            beam = cantilever(1.0, (1e7, 1e7, 1e7, 1.0, 1.0, 1.0), n)
            exact = [-0.3876283607244, 0.7137915236119, 0.0]  # elliptic integrals
            u = tip(beam, force(beam, "end", (0, 5.0, 0)), load_steps=10)
        else:
            beam = cantilever(
                10.0, (25e9, 8260416700, 8260416700, 141872656, 520833000, 130208333), n, twist=(0, np.pi / 2)
            )
            exact = [-1.14152599954, -1.718053346465, -3.593213240272]  # Wang et al. 2017
            u = tip(beam, force(beam, "end", (0, 0, -4e6)), load_steps=4)
        errors.append(np.linalg.norm(u - exact) / np.linalg.norm(exact))
    assert errors[0] < 2e-3
    assert errors[0] / errors[1] > 10
    assert errors[1] / errors[2] > (
        7 if case == "plane" else 12
    )  # 10⁻⁶ of the elastica is the stretch it should not have
