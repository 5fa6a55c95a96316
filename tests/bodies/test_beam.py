"""Beam as a declaration: its line, its sections, its markers; static and modal cases in closed form."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.formulations import BEAM_FORMULATIONS
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.bodies.body import Start
from flexor.errors import ModelError
from flexor.materials import Isotropic
from flexor.mesh.section import Circle, GeneralSection, IProfile, Rectangle
from flexor.solve import modes, statics
from flexor.solve.dynamics import dynamics
from flexor.spatial import Pose, exp_so3
from tests.references.beams import Kept, beam_mechanism, force

STEEL = Isotropic(2e11, 0.3, 8000.0)
THIN = Circle(0.002)
EI, EA = 2e11 * THIN.Iy, 2e11 * THIN.area
QUARTER = [(0, 0, 0), (np.sin(np.pi / 4), 0, 1 - np.cos(np.pi / 4)), (1, 0, 1)]
"""Quarter of a circle with radius 1, first along x, then along z."""


def rod(points=((0, 0, 0), (1, 0, 0)), section=THIN, **fields) -> Beam:
    return Beam("rod", points, section, STEEL, **fields)


def tip(beam: Beam, *loads, load_steps: int = 1) -> np.ndarray:
    return statics(beam_mechanism(beam, loads=loads), load_steps=load_steps)["rod.end.position"] - beam.geometry[0][-1]


def test_polyline_has_nodes_at_its_corners():
    x, S, s = rod([(0, 0, 0), (2, 0, 0), (2, 1, 0)], divisions=6).geometry
    np.testing.assert_allclose(x[4], [2, 0, 0])
    np.testing.assert_allclose(s, [0, 0.5, 1, 1.5, 2, 2.5, 3])
    np.testing.assert_allclose(S[3, 1][:, 0], [1, 0, 0])
    np.testing.assert_allclose(S[4, 0], np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]), atol=1e-15)


def test_section_axes():
    """z as near to `up` as it can be; along z itself, y is y; twist turns about the line."""
    np.testing.assert_allclose(rod().geometry[1][0, 0], np.eye(3))
    np.testing.assert_allclose(rod(up="y").geometry[1][0, 0][:, 2], [0, 1, 0])
    np.testing.assert_allclose(rod([(0, 0, 0), (0, 0, 1)]).geometry[1][0, 0][:, 1], [0, 1, 0])
    twisted = rod(twist=(0, "90 deg"), divisions=3).geometry[1]
    np.testing.assert_allclose(twisted[1, 1], exp_so3([np.pi / 3, 0, 0]), atol=1e-15)


def test_arc_and_spline():
    x, S, s = rod(QUARTER, curve="arc", divisions=5).geometry
    angle = np.linspace(0, np.pi / 2, 6)
    np.testing.assert_allclose(x, np.stack([np.sin(angle), 0 * angle, 1 - np.cos(angle)], axis=1), atol=1e-15)
    np.testing.assert_allclose(s, angle)
    np.testing.assert_allclose(S[2, 1][:, 0], [np.cos(angle[3]), 0, np.sin(angle[3])], atol=1e-15)
    fine = np.linspace(0, np.pi / 2, 9)
    points = np.stack([np.sin(fine), 0 * fine, 1 - np.cos(fine)], axis=1)
    through, _, length = rod(points.tolist(), curve="spline", divisions=5).geometry
    np.testing.assert_allclose(through, x, atol=2e-4)
    np.testing.assert_allclose(length[-1], np.pi / 2, rtol=1e-4)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"points": [(0, 0, 0), (0, 0, 0)]}, "coincide"),
        ({"points": [(0, 0, 0), (1, 0, 0), (2, 0, 0)], "curve": "arc"}, "on a line"),
        ({"points": [(0, 0, 0), (1, 0, 0)], "curve": "arc"}, "three points"),
        ({"points": [(0, 0, 0), (1, 0, 0), (1, 1, 0)], "divisions": 1}, "raise divisions"),
        ({"up": "x"}, "across the beam"),
        ({"twist": (0, 1, 2)}, "one for each point"),
        ({"material": None}, "no material"),
        ({"section": GeneralSection(1e-4)}, "bears no"),
        ({"section": StiffnessSection((1,) * 6), "formulation": "corotational"}, "needs a profile"),
    ],
)
def test_what_is_refused(fields, message):
    with pytest.raises(ModelError, match=message):
        Beam(**{"name": "rod", "points": [(0, 0, 0), (1, 0, 0)], "section": THIN, "material": STEEL, **fields})


@pytest.mark.parametrize("stiffness", [(1, 2, 3), np.ones((6, 6)), np.diag([1, 1, 1, 1, 1, -1.0])])
def test_a_stiffness_must_be_possible(stiffness):
    with pytest.raises(ModelError):
        StiffnessSection(stiffness)


def test_markers():
    beam = rod(divisions=4, markers={"pin": (0.3, 0, 0.1)})
    assert beam.marker_names == ("pin", "start", "end", *(f"node {i}" for i in range(5)))
    assert beam.marker("node 3").at == (0.75, 0, 0)
    assert beam.carrier("end", np.zeros(3))[0] == 4
    node, x = beam.carrier("pin", np.array([0.3, 0, 0.1]))
    assert node == 1
    np.testing.assert_allclose(x, [0.25, 0, 0])
    for name in ("node 5", "node", "middle", "node -1"):
        with pytest.raises(KeyError):
            beam.marker(name)


def test_written_and_read_it_is_the_same():
    beam = rod(QUARTER, curve="arc", section=IProfile(0.1, 0.2, 0.01, 0.02), up="y", twist=(0, 0.1, 0.2), damping=1e-4)
    assert Beam.model_validate(beam.model_dump()) == beam
    given = Beam(
        "rod", [(0, 0, 0), (1, 0, 0)], StiffnessSection((1, 2, 3, 4, 5, 6), 7.0, (1, 2, 3), mass_center=(0.1, 0))
    )
    assert Beam.model_validate(given.model_dump()) == given


def test_as_a_rigid_body():
    """Mass, centre and inertia of a rod, and of a quarter of a circle."""
    whole = rod(section=Rectangle(0.02, 0.01)).rigid()
    m = 8000.0 * 0.0002
    assert whole.mass == pytest.approx(m)
    np.testing.assert_allclose(whole.center_of_mass, [0.5, 0, 0], atol=1e-12)
    expected = m / 12 * np.array([0.02**2 + 0.01**2, 1 + 0.01**2, 1 + 0.02**2])
    np.testing.assert_allclose(whole.inertia[:3], expected, rtol=1e-9)
    bent = rod(QUARTER, curve="arc").rigid()
    assert bent.mass == pytest.approx(8000 * THIN.area * np.pi / 2)
    np.testing.assert_allclose(bent.center_of_mass, [2 / np.pi, 0, 1 - 2 / np.pi], atol=1e-4)


@pytest.mark.parametrize("formulation", ["exact", "corotational"])
def test_small_deflection_is_exact_with_one_element(formulation):
    """P L³/(3 EI) + P L/(k G A), and q L⁴/(8 EI) under its own weight."""
    section = Rectangle(0.1, 0.2)
    beam = rod(section=section, divisions=1, formulation=formulation)
    shear = STEEL.shear * section.area * 5 / 6
    P = 1.0
    np.testing.assert_allclose(
        tip(beam, force(beam, "end", (0, 0, -P)))[2], -P * (1 / (3 * 2e11 * section.Iy) + 1 / shear), rtol=1e-6
    )
    weight = 8000 * section.area * 1e-4
    slender = rod(
        section=GeneralSection(section.area, section.Iy, section.Iz, 1e-4), divisions=1, formulation=formulation
    )
    found = statics(beam_mechanism(slender, gravity=(0, 0, -1e-4)))
    np.testing.assert_allclose(found["rod.end.position"][2], -weight / (8 * 2e11 * section.Iy), rtol=1e-6)


def test_section_forces():
    """A tip load across, along and off the line; section axes y and z, at the middle of an element."""
    beam = rod(section=Rectangle(0.1, 0.2), divisions=2, up="y")
    found = statics(beam_mechanism(beam, loads=(force(beam, "end", (70, 30, 20)),)))
    names = ("axial_force", "shear_force_y", "shear_force_z", "torque", "bending_moment_y", "bending_moment_z")
    forces = [found[f"rod.element 1.{name}"] for name in names]
    # up = y: the section's z is y, its y is −z;  moment of the load about the middle of element 1, 0.75 m away
    np.testing.assert_allclose(forces, [70, -20, 30, 0, -0.75 * 30, -0.75 * 20], atol=1e-3)


def test_quarter_circle():
    """Curved cantilever, load across its end, in its plane and out of it, by Castigliano (thin):
    π P R³/(4 EI) in the plane; π/4 P R³/EI + (3π/4 − 2) P R³/GJ out of it."""
    beam = rod(QUARTER, curve="arc", divisions=6)
    P = 1e-4
    GJ = STEEL.shear * THIN.J
    np.testing.assert_allclose(tip(beam, force(beam, "end", (P, 0, 0)))[0], np.pi / 4 * P / EI, rtol=2e-4)
    out = P * (np.pi / 4 / EI + (3 * np.pi / 4 - 2) / GJ)
    np.testing.assert_allclose(tip(beam, force(beam, "end", (0, P, 0)))[1], out, rtol=2e-4)


def test_corner():
    """L of two arms of 1 m, load out of its plane at the end: 2 P/(3 EI) + P/GJ."""
    beam = rod([(0, 0, 0), (1, 0, 0), (1, 1, 0)], divisions=2)
    P = 1e-4
    expected = P * (2 / 3 / EI + 1 / (STEEL.shear * THIN.J))
    np.testing.assert_allclose(tip(beam, force(beam, "end", (0, 0, P)))[2], expected, rtol=1e-5)


def test_exact_and_corotational_agree_in_large_deflection():
    """3 EI/L² at the tip bends it by 60 % of its length."""
    section = Circle(0.02)
    P = 3 * 2e11 * section.Iy
    found = {}
    for formulation in ("exact", "corotational"):
        beam = rod(section=section, divisions=32, formulation=formulation)
        found[formulation] = tip(beam, force(beam, "end", (0, 0, P)), load_steps=6)
    assert found["exact"][2] == pytest.approx(0.60325, abs=1e-3)
    np.testing.assert_allclose(found["corotational"], found["exact"], atol=2e-4)


@pytest.mark.parametrize("formulation", ["exact", "corotational"])
def test_damping_ratio(formulation):
    """Stiffness-proportional: ζ = β ω/2."""
    beam = rod(divisions=4, damping=1e-4, formulation=formulation)
    found = modes(beam_mechanism(beam), 6, at="start", complex=True)
    np.testing.assert_allclose(found.damping, 0.5e-4 * np.abs(found.eigenvalues), rtol=1e-6)


def test_mass_centre_off_the_line():
    """A shaft held on its line, its mass off by e: a physical pendulum about its line, ω² = m g e/(J + m e²).

    All its sections swing alike, so that its stiffness does not matter; it is soft enough for rounding not to matter either.
    """
    e, J, m = 0.1, 0.02, 3.0
    section = StiffnessSection((1e6,) * 6, m, (J, 1e-2, 1e-2), mass_center=(0, -e))
    beam = Beam("rod", [(0, 0, 0), (1, 0, 0)], section, divisions=3)
    mechanism = beam_mechanism(beam, clamped=(), gravity=(0, 0, -9.81))
    nodes = [replace(node, locked=(0, 1, 2, 4, 5)) for node in mechanism.nodes[1:]]
    found = modes(replace(mechanism, nodes=(mechanism.nodes[0], *nodes)), 1)
    expected = np.sqrt(m * 9.81 * e / (J + m * e**2)) / (2 * np.pi)
    np.testing.assert_allclose(found.frequencies[0], expected, rtol=1e-9)


def test_energy_of_a_falling_beam():
    """Nothing is lost but what the damping takes: a clamped, twisted, coupled beam released under gravity."""
    K = np.diag([1e4, 5e3, 4e3, 30.0, 20.0, 60.0])
    K[3, 4] = K[4, 3] = 8.0  # bending twists it
    section = StiffnessSection(K, 1.0, (2e-3, 1e-3, 1e-3), mass_center=(0.01, 0.02))
    beam = Beam("rod", [(0, 0, 0), (1, 0, 0)], section, divisions=6, twist=(0, 0.6), damping=1e-3)
    kept = Kept()
    dynamics(beam_mechanism(beam, gravity=(0, -3.0, -9.81)), until=0.5, step=1e-3, sink=kept, integrator=1.0)
    stored = kept["energy.kinetic"] + kept["energy.potential"] + kept["energy.strain"]
    assert kept["energy.kinetic"].max() > 0.1
    assert kept["energy.dissipated"][-1] > 1e-3
    np.testing.assert_allclose(stored + kept["energy.dissipated"], 0, atol=2e-4)


def test_start_in_motion():
    """Nodes move with the body at the start, and the potential energy counts from there."""
    start = Start(Pose(np.array([1.0, 2, 3]), exp_so3([0, 0, 1.0])), np.array([1.0, 0, 0, 0, 0, 2.0]), node=5)
    parts = rod(divisions=2).parts(start)
    assert [node.name for node in parts.nodes] == ["rod.start", "rod.node 1", "rod.end"]
    assert parts.terms[1].nodes == (6, 7)
    np.testing.assert_allclose(parts.nodes[2].x, [1 + np.cos(1), 2 + np.sin(1), 3])
    np.testing.assert_allclose(parts.nodes[2].v, [1 - 2 * np.sin(1), 2 * np.cos(1), 0, 0, 0, 2])


def test_every_theory_has_a_class():
    assert set(BEAM_FORMULATIONS) == set(get_args(Beam.model_fields["formulation"].annotation))
