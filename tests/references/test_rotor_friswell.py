"""Rotors of Friswell et al., Dynamics of Rotating Machines, examples 5.9.1, 5.9.2, 5.9.5 and 5.9.9: whirl at speed.

Shaft as six beams, discs as rigid bodies on its nodes, bearings as springs and dampers across. The modes are complex,
linearised about the steady spin in axes that do not turn.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from flexor.bodies.beam.beam import Beam
from flexor.bodies.marker import Site
from flexor.bodies.rigid_body import Inertial, rigid_body
from flexor.forces import AxialSpring
from flexor.law import Term
from flexor.materials import Isotropic
from flexor.mesh.section import Circle
from flexor.solve import modes
from tests.laws.scene import Places
from tests.references.beams import beam_mechanism, node_of

RHO, E, G, LENGTH, DIVISIONS = 7810.0, 211e9, 81.2e9, 1.5, 6
ANCHOR = 10.0  # distance of a spring's other end, m
TWO_DISCS = ((0.5, 0.28), (1.0, 0.35))


def disc(beam: Beam, x: float, diameter: float) -> Term:
    """0.07 m wide, with a bore for the shaft."""
    m = RHO * np.pi / 4 * (diameter**2 - 0.05**2) * 0.07
    polar = m / 8 * (diameter**2 + 0.05**2)
    across = polar / 2 + m * 0.07**2 / 12
    p = Inertial.pack(mass=m, inertia=(polar, across, across, 0, 0, 0), start=(x, 0, 0), point=0)
    return Term(f"disc at {x}", rigid_body, (node_of(beam, station(x)),), parameters=p)


def station(x: float) -> str:
    return f"node {round(x / LENGTH * DIVISIONS)}"


def bearing(beam: Beam, x: float, stiffness: Any, damping: Any) -> list[Term]:
    elements = []
    for axis, k, c in zip(np.eye(3)[1:], stiffness, damping):
        held = Site(0, np.array([x, 0, 0]) + ANCHOR * axis, np.eye(3))
        on = Site(node_of(beam, station(x)), np.zeros(3), np.eye(3))
        spring = AxialSpring("spring", "ground", "shaft", stiffness=k, damping=c, free_length=ANCHOR)
        elements += spring.terms(Places(held, on))
    return elements


def whirl(discs: Any, bearings: Any, rpm: float) -> np.ndarray:
    """Damped natural frequencies [rad/s] of the shaft that spins about x."""
    section, material = Circle(0.025), Isotropic(E, E / (2 * G) - 1, RHO)
    beam = Beam("shaft", [(0, 0, 0), (LENGTH, 0, 0)], section, material, divisions=DIVISIONS)
    more = [disc(beam, *each) for each in discs]
    for each in bearings:
        more += bearing(beam, *each)
    spin = (0, 0, 0, rpm * np.pi / 30, 0, 0)
    mechanism = beam_mechanism(beam, clamped=(), more=tuple(more), twist=spin)
    first, *others = mechanism.nodes[1:]
    mechanism = replace(mechanism, nodes=(mechanism.nodes[0], replace(first, locked=(0,)), *others))
    return np.sort(np.abs(modes(mechanism, 14, at="start", complex=True).eigenvalues.imag))


def nearest(found: np.ndarray, expected: Any) -> np.ndarray:
    """Of the frequencies found, which include torsion and the free spin, the one next to each expected one."""
    return np.array([found[np.argmin(np.abs(found - each))] for each in expected])


@pytest.mark.parametrize("rpm", [0, 4000])
@pytest.mark.parametrize(
    ("example", "stiffness", "damping"),
    [("ex591_rad_s", (1e6, 1e6), (0, 0)), ("ex592", (1e6, 8e5), (0, 0)), ("ex595_wd_Hz", (1e6, 1e6), (3e3, 3e3))],
)
def test_two_discs(reference, example, stiffness, damping, rpm):
    record = reference.record("rotor_friswell")
    values = record["reference"][example]
    expected = np.array(values.get(f"{rpm}rpm", values.get(str(rpm))))
    expected = expected * (2 * np.pi if example.endswith("Hz") else 1)
    found = whirl(TWO_DISCS, [(0.0, stiffness, damping), (1.5, stiffness, damping)], rpm)
    np.testing.assert_allclose(nearest(found, expected), expected, rtol=record["tolerance"]["rel"])


def test_two_discs_against_a_fine_model(reference):
    """ROSS with 48 elements; six of ours are within its last digits in the first four."""
    record = reference.record("rotor_friswell")
    expected = record["reference"]["ross48el_iso"]["4000"]
    found = whirl(TWO_DISCS, [(0.0, (1e6, 1e6), (0, 0)), (1.5, (1e6, 1e6), (0, 0))], 4000)
    np.testing.assert_allclose(nearest(found, expected), expected, rtol=1e-3)
    np.testing.assert_allclose(nearest(found, expected)[:4], expected[:4], rtol=1e-4)


@pytest.mark.parametrize("rpm", [0, 4000])
def test_overhung_disc(reference, rpm):
    """At 4000 rpm the backward whirl of the third pair, 830 rad/s at rest, has come down to 634 rad/s, between the two
    that the record lists last."""
    record = reference.record("rotor_friswell")
    expected = record["reference"]["ex599"][str(rpm)]
    found = whirl([(1.5, 0.35)], [(0.0, (1e7, 1e7), (0, 0)), (1.0, (1e7, 1e7), (0, 0))], rpm)
    np.testing.assert_allclose(nearest(found, expected), expected, rtol=record["tolerance"]["rel"])
