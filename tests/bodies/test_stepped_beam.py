"""Beams with several sections: stepped shafts, tapers, composites; closed forms, transfer matrices and beam2 meshes."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.beam.beam import Beam
from flexor.bodies.beam.section_stiffness import StiffnessSection
from flexor.elements.assembly.model import assemble
from flexor.errors import ModelError
from flexor.materials import Isotropic
from flexor.mesh.mesh import Block, Mesh
from flexor.mesh.section import Circle, GeneralSection, Rectangle, Tube
from flexor.recover.beam_line import line_forces
from flexor.reduce import natural_modes
from flexor.solve import modes, statics
from tests.references.beams import beam_mechanism, force

E, RHO = 2e11, 8000.0
STEEL = Isotropic(E, 0.3, RHO)
POINTS = [(0, 0, 0), (0.4, 0, 0), (0.7, 0, 0), (1.0, 0, 0)]
LENGTHS = (0.4, 0.3, 0.3)
STEPS = tuple(Circle(r, shear=False) for r in (0.02, 0.015, 0.01))
each_formulation = pytest.mark.parametrize("formulation", ["exact", "corotational"])


def shaft(**fields) -> Beam:
    return Beam("rod", POINTS, **{"material": STEEL, "sections": STEPS, "divisions": 6, **fields})


def flexibility(weight) -> float:
    """∫ weight(distance from the tip) / stiffness, over the steps."""
    total, from_tip = 0.0, 1.0
    for length, section in zip(LENGTHS, STEPS):
        total += weight(section, from_tip - length, from_tip)
        from_tip -= length
    return total


@each_formulation
def test_stepped_cantilever(formulation: str) -> None:
    """w = P ∫ x²/EI, u = N ∫ 1/EA, φ = T ∫ 1/GJ, each piece by itself."""
    beam = shaft(formulation=formulation)
    F = 1e-3
    bend = flexibility(lambda s, a, b: (b**3 - a**3) / 3 / (E * s.Iy))
    stretch = flexibility(lambda s, a, b: (b - a) / (E * s.area))
    found = statics(beam_mechanism(beam, loads=(force(beam, "end", (0, 0, F)),)))
    assert found["rod.end.position"][2] == pytest.approx(F * bend, rel=1e-6)
    found = statics(beam_mechanism(beam, loads=(force(beam, "end", (1e3, 0, 0)),)))
    assert found["rod.end.position"][0] - 1 == pytest.approx(1e3 * stretch, rel=1e-4)
    clamp = fx.Fixed("clamp", fx.ground, beam["start"])
    twist = fx.PointTorque("twist", beam["end"], direction="x", torque=0.1)
    turned = fx.Model("m", [beam, clamp, twist]).statics()["rod.end.orientation"]
    turn = flexibility(lambda s, a, b: (b - a) / (E / 2.6 * s.J))
    assert 2 * turned[1] == pytest.approx(0.1 * turn, rel=1e-6)


@each_formulation
def test_section_forces_of_a_stepped_shaft(formulation: str) -> None:
    """M = P × distance from the tip, whatever the sections; stretched and bent a little."""
    beam = shaft(formulation=formulation)
    found = statics(beam_mechanism(beam, loads=(force(beam, "end", (0.3, 0, 0.2)),)))
    forces = line_forces(beam, found.signals)
    assert forces.compliance.shape == (6, 6, 6)
    for s in (0.1, 0.4, 0.55, 0.9):
        assert forces.at(s).values[-1, 4] == pytest.approx(-0.2 * (1 - s), rel=1e-4)
        assert forces.force("N", s).values[-1] == pytest.approx(0.3, rel=1e-4)


@each_formulation
def test_frequencies_of_a_stepped_shaft(formulation: str) -> None:
    """Bending of three Euler–Bernoulli pieces by their exact dynamic stiffness; without rotary inertia to 0.1 %."""
    beam = shaft(formulation=formulation, divisions=30)
    found = modes(beam_mechanism(beam), 4).frequencies

    def determinant(f: float) -> float:
        omega, K = 2 * pi * f, np.zeros((8, 8))
        for i, (L, section) in enumerate(zip(LENGTHS, STEPS)):
            EI = E * section.Iy
            b = (RHO * section.area * omega**2 / EI) ** 0.25
            c, s, C, S = np.cos(b * L), np.sin(b * L), np.cosh(b * L), np.sinh(b * L)
            # w = A cos + B sin + C cosh + D sinh: displacements and forces at both ends
            U = np.array([[1, 0, 1, 0], [0, b, 0, b], [c, s, C, S], [-b * s, b * c, b * S, b * C]])
            F = EI * np.array(
                [[0, -(b**3), 0, b**3], [b**2, 0, -(b**2), 0],
                 [-(b**3) * s, b**3 * c, -(b**3) * S, -(b**3) * C], [-(b**2) * c, -(b**2) * s, b**2 * C, b**2 * S]]
            )  # fmt: skip
            K[2 * i : 2 * i + 4, 2 * i : 2 * i + 4] += F @ np.linalg.inv(U)
        scale = np.tile([1.0, 10.0], 3)
        return float(np.linalg.slogdet(K[2:, 2:] * scale * scale[:, None])[0])

    grid = np.linspace(5, 300, 3000)
    signs = np.array([determinant(f) for f in grid])
    exact = grid[:-1][np.diff(signs) != 0]
    assert found[0] == pytest.approx(found[1], rel=1e-6)  # both planes
    assert found[[0, 2]] == pytest.approx(exact[:2], rel=3e-3)


def test_beam2_mesh_of_the_same_steps() -> None:
    """Rotary inertia at the steps: torsion and bending modes against consistent masses of a fine mesh."""
    n = 60
    x = np.linspace(0, 1, n + 1)
    middle = (x[1:] + x[:-1]) / 2
    nodes = np.stack([np.arange(n), np.arange(1, n + 1)], axis=1)
    sections = tuple(Circle(r) for r in (0.04, 0.03, 0.02))
    blocks = tuple(
        Block("beam2", nodes[rows], 1 + np.flatnonzero(rows), "steel", str(i))
        for i, rows in enumerate((middle < 0.4, (middle > 0.4) & (middle < 0.7), middle > 0.7))
    )
    mesh = Mesh(
        np.stack([x, 0 * x, 0 * x], axis=1), np.arange(1, n + 2), blocks, {"steel": STEEL},
        {str(i): section for i, section in enumerate(sections)}, fixed=((0, (0, 1, 2, 3, 4, 5)),),
    )  # fmt: skip
    expected = natural_modes(assemble(mesh), 8).frequencies
    found = modes(beam_mechanism(shaft(sections=sections, divisions=60)), 8).frequencies
    assert found == pytest.approx(expected, rel=2e-3)


def cone(divisions: int, formulation: str = "exact", r1: float = 0.01, F: float = 1e-3) -> tuple[Beam, np.ndarray]:
    """From r₀ to r₁ over 1 m, and errors under a force at its tip: w = 4 P L³/(3 π E r₀³ r₁), u = N L/(π E r₀ r₁)."""
    r0 = 0.02
    beam = Beam(
        "rod", [(0, 0, 0), (1, 0, 0)], sections=[Circle(r0, shear=False), Circle(r1, shear=False)], tapered=True,
        material=STEEL, divisions=divisions, formulation=formulation,
    )  # fmt: skip
    u, v, w = statics(beam_mechanism(beam, loads=(force(beam, "end", (F, F, F)),)))["rod.end.position"]
    bent = 4 * F / (3 * pi * E * r0**3 * r1)
    return beam, np.array([(u - 1) / (F / (pi * E * r0 * r1)), v / bent, w / bent]) - 1


@each_formulation
@pytest.mark.parametrize("divisions", [1, 3, 8])
def test_a_taper_is_integrated(divisions: int, formulation: str) -> None:
    """Exact with any number of elements but for the rounding of the axial motion beside 1 m."""
    beam, errors = cone(divisions, formulation)
    assert np.abs(errors[1:]).max() < 1e-4
    assert abs(errors[0]) < 1e-2
    assert beam.rigid().mass == pytest.approx(RHO * pi / 3 * (4e-4 + 2e-4 + 1e-4), rel=1e-12)
    assert beam.profiles[0][0].radius == pytest.approx(0.02 - 0.01 / (2 * divisions))


@each_formulation
@pytest.mark.parametrize("divisions", [1, 2, 4, 16])
def test_a_needle_is_integrated_too(divisions: int, formulation: str) -> None:
    """From 20 to 0.2 mm, where the compliance grows by 10⁸ along the beam."""
    _, errors = cone(divisions, formulation, r1=0.2e-3, F=1e-9)
    assert np.abs(errors[1:]).max() < 1e-4


def test_pieces_of_different_materials() -> None:
    """Steel and aluminium: damping and mass by piece, the same on a curve whose points become nodes."""
    alu = Isotropic(7e10, 0.33, 2700.0, damping=1e-4)
    beam = Beam("rod", POINTS[:3], Circle(0.01), materials=[STEEL, alu], divisions=7)
    assert beam.rigid().mass == pytest.approx(pi * 1e-4 * (0.4 * RHO + 0.3 * 2700))
    assert beam.beta(beam.profiles[-1][1]) == 1e-4
    assert beam.beta(beam.profiles[0][1]) == 0.0
    assert sum(material is not None and material.density == RHO for _, material in beam.profiles) == 4
    arc = Beam(
        "arc", [(0, 0, 0), (0.6, 0.2, 0), (1, 0.8, 0)], sections=STEPS[:2], material=STEEL, curve="arc", divisions=5
    )
    assert np.min(np.linalg.norm(arc.geometry[0] - [0.6, 0.2, 0], axis=1)) < 1e-12


def test_written_and_read_it_is_the_same() -> None:
    alu = Isotropic(7e10, 0.33, 2700.0)
    stepped = shaft(material=None, materials=[STEEL, alu, STEEL], sections=[*STEPS[:2], Tube(0.02, 0.002)])
    cone = Beam("cone", POINTS[:2], sections=STEPS[:2], tapered=True, material=STEEL)
    model = fx.Model(
        "m", [stepped, cone, fx.Fixed("a", fx.ground, stepped["start"]), fx.Fixed("b", stepped["end"], cone["start"])]
    )
    assert fx.Model.from_yaml(model.to_yaml()) == model
    assert model.check().ok


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"sections": STEPS[:2]}, "2 sections for 3 pieces"),
        ({"section": STEPS[0]}, "one of section and sections"),
        ({"sections": ()}, "one of section and sections"),
        ({"materials": [STEEL] * 3}, "no material beside them"),
        ({"material": None, "materials": [STEEL] * 2}, "2 materials for 3 pieces"),
        ({"tapered": True}, "3 sections for 4 points"),
        ({"tapered": True, "sections": (*STEPS, Rectangle(0.1, 0.1))}, "of one kind"),
        ({"tapered": True, "sections": [Circle(0.1), *STEPS]}, "differ in shear"),
        ({"tapered": True, "sections": [StiffnessSection((1,) * 6)] * 4}, "needs profiles"),
        ({"divisions": 2}, "raise divisions"),
        ({"sections": (*STEPS[:2], GeneralSection(1e-4))}, "bears no"),
    ],
)
def test_what_is_refused(fields, message) -> None:
    with pytest.raises(ModelError, match=message):
        shaft(**fields)


def test_composite_of_one_part_is_the_part() -> None:
    plain = Beam("rod", POINTS[:2], Rectangle(0.02, 0.01), STEEL).properties[0]
    glued = Beam("rod", POINTS[:2], StiffnessSection.composite([(Rectangle(0.02, 0.01), STEEL)])).properties[0]
    assert np.allclose(glued.compliance, plain.compliance, rtol=1e-12)
    assert glued.mass == pytest.approx(plain.mass)
    assert np.allclose(glued.inertia, plain.inertia)
    halves = [(Rectangle(0.02, 0.005), STEEL, (0, z)) for z in (0.0025, "-2.5 mm")]
    twice = Beam("rod", POINTS[:2], StiffnessSection.composite(halves, torsion=1 / plain.compliance[3, 3])).properties[
        0
    ]
    assert np.allclose(twice.compliance, plain.compliance, rtol=1e-9, atol=1e-15)
    assert np.allclose(twice.inertia, plain.inertia)


def test_bimetal_link() -> None:
    """Steel on aluminium (transformed section): bending about the elastic centre, torsion of a shaft in a tube."""
    alu = Isotropic(7e10, 0.33, 2700.0)
    b, h = 0.02, 0.005
    section = StiffnessSection.composite([(Rectangle(b, h), STEEL, (0, h / 2)), (Rectangle(b, h), alu, (0, -h / 2))])
    beam = Beam("rod", POINTS[:2], section, divisions=4)
    n = 7e10 / 2e11
    zc = (h / 2 - n * h / 2) / (1 + n)
    EI = 2e11 * b * h * (h**2 / 12 + (h / 2 - zc) ** 2) + 7e10 * b * h * (h**2 / 12 + (h / 2 + zc) ** 2)
    shear = 5 / 6 * b * h * (2e11 / 2.6 + 7e10 / 2.66)
    found = statics(beam_mechanism(beam, loads=(force(beam, "end", (0, 0, 1e-2)),)))["rod.end.position"]
    assert found[2] == pytest.approx(1e-2 * (0.4**3 / (3 * EI) + 0.4 / shear), rel=1e-6)
    core = StiffnessSection.composite([(Circle(0.01), "steel"), (Tube(0.02, 0.01), alu)])
    steel = fx.Steel()
    G = steel.young / 2 / (1 + steel.poisson)
    assert core.stiffness[3][3] == pytest.approx(pi / 2 * (G * 0.01**4 + 7e10 / 2.66 * (0.02**4 - 0.01**4)))
    assert core.mass == pytest.approx(pi * (steel.density * 1e-4 + 2700 * 3e-4))
    with pytest.raises(ModelError, match=r"part 2.*no material"):
        StiffnessSection.composite([(Circle(0.01), STEEL), (Circle(0.01), None)])
    with pytest.raises(ModelError, match="no parts"):
        StiffnessSection.composite([])
