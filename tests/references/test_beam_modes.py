"""Frequencies of beams at rest under load.

Fedem's BeamModes: a riser of 100 m under a pull of 54.6 MN, hinged at both ends, 100 elements. A taut beam of length ℓ
has ω = k √((T + EI k²)/ρA), k = nπ/ℓ (rotary inertia and shear change the fifth mode by 10⁻⁴). The printed frequencies
are those of 100 *lumped* masses on the beam's *initial* length, sin(θ/2)/(θ/2) times that formula, θ = nπ/100: 0.1 % low in
the fifth mode. Under the pull the riser is 0.366 % longer, which lowers its frequencies by 0.18 %; Fedem's eigenvalue
solution leaves that out although it solves for the equilibrium before.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.bodies.beam.beam import Beam
from flexor.materials import Isotropic
from flexor.mesh.section import Circle
from flexor.solve import modes
from tests.references.beams import beam_mechanism, force

PULL, LENGTH, E, G, RHO = 54.6e6, 100.0, 2.11e11, 8.2e10, 7874.0
AREA, I = 7.068583471e-02, 3.976078202e-04
STRETCH = PULL / (E * AREA)
N = np.arange(1, 6)


def taut(length: float, line_mass: float) -> np.ndarray:
    k = N * np.pi / length
    return k / (2 * np.pi) * np.sqrt((PULL + E * I * k**2) / line_mass)


def riser_modes(length: float, divisions: int) -> np.ndarray:
    """Frequencies of a riser whose stress-free length is given, in one of its two planes."""
    beam = Beam(
        "riser", [(0, 0, -length), (0, 0, 0)], Circle(0.15), Isotropic(E, E / (2 * G) - 1, RHO), divisions=divisions
    )
    mechanism = beam_mechanism(beam, clamped=(), loads=(force(beam, "start", (0, 0, -PULL)),))
    nodes = list(mechanism.nodes)
    nodes[1], nodes[-1] = replace(nodes[1], locked=(0, 1, 5)), replace(nodes[-1], locked=(0, 1, 2))
    frequencies = modes(replace(mechanism, nodes=tuple(nodes)), 10).frequencies
    np.testing.assert_allclose(frequencies[::2], frequencies[1::2], rtol=1e-9)
    return frequencies[::2]


def test_taut_riser():
    """Stretched by its load, against the closed form at the new length; the rod keeps its mass."""
    exact = taut(LENGTH * (1 + STRETCH), RHO * AREA / (1 + STRETCH))
    np.testing.assert_allclose(riser_modes(LENGTH, 50), exact, rtol=1.5e-4)


def test_fedem_riser(reference):
    """The same riser made so much shorter that it has 100 m under the pull, as Fedem's modes assume."""
    fedem = reference.fedem("riser_modes")[1:, 0][::-1]
    theta = N * np.pi / 100
    lumped = taut(LENGTH, RHO * AREA) * np.sin(theta / 2) / (theta / 2)
    np.testing.assert_allclose(fedem, lumped, rtol=4e-5)
    ours = riser_modes(LENGTH / (1 + STRETCH), 50) / np.sqrt(1 + STRETCH)
    np.testing.assert_allclose(ours, fedem * (theta / 2) / np.sin(theta / 2), rtol=1e-4)


@pytest.mark.parametrize("formulation", ["exact", "corotational"])
def test_cantilever(formulation):
    """(βL)² √(EI/ρA)/L², βL = 1.8751, 4.6941, 7.8548; slender, so that shear and rotary inertia do not matter."""
    section = Circle(0.002)
    beam = Beam(
        "rod", [(0, 0, 0), (1, 0, 0)], section, Isotropic(2e11, 0.3, 8000.0), divisions=8, formulation=formulation
    )
    frequencies = modes(beam_mechanism(beam), 6, at="start").frequencies[::2]
    roots = np.array([1.875104069, 4.694091133, 7.854757438])
    exact = roots**2 * np.sqrt(2e11 * section.Iy / (8000.0 * section.area)) / (2 * np.pi)
    assert np.all(np.abs(frequencies / exact - 1) < [2e-5, 1e-4, 1e-3])
