"""Bodies of shape functions from orthotropic materials: against meshes of the same material, beams and thick tubes in closed form."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.mesh.generate import tube

WOUND = fx.Orthotropic(
    young=("12 GPa", "90 GPa", "30 GPa"), poisson=(0.05, 0.25, 0.2), shear=("5 GPa", "8 GPa", "4 GPa"), density=1600.0
)
"""Fibres round the circumference."""


def test_a_wound_tube_has_the_frequencies_of_a_mesh():
    """Axes 1, 2, 3 of the material are radial, tangential, axial; of the mesh they are given to each element."""
    mesh = tube(0.06, 0.04, 0.1, (32, 2, 6), element="hex20", material=WOUND)
    (block,) = mesh.blocks
    x, y, _ = mesh.points[block.nodes].mean(axis=1).T
    c, s, zero = x / np.hypot(x, y), y / np.hypot(x, y), 0 * x
    axes = np.stack([c, -s, zero, s, c, zero, zero, zero, zero + 1], axis=1).reshape(-1, 3, 3)
    mesh = replace(mesh, blocks=(replace(block, orientation=axes),), points=mesh.points - [0, 0, 0.05])
    meshed = fx.FlexibleBody("tube", mesh, interfaces={}, reduction=fx.Modal(modes=12), formulation="floating")
    theirs = np.sqrt(np.diag(meshed.reduced.K)) / (2 * np.pi)
    body = fx.ShapeBody("tube", fx.HollowCylinder(0.04, 0.06, 0.1), WOUND, orders=(3, 4, 6)).made
    np.testing.assert_allclose(body.frequencies[:10], theirs[:10], rtol=8e-3)
    turned = WOUND.replace(young=("12 GPa", "30 GPa", "90 GPa"))
    other = fx.ShapeBody("tube", fx.HollowCylinder(0.04, 0.06, 0.1), turned, orders=(3, 4, 6)).made
    assert np.abs(other.frequencies[:10] / theirs[:10] - 1).max() > 0.1
    (own,) = body.mesh.blocks
    assert own.orientation is not None  # the drawn mesh, by which stress under loads is found, has the axes too


def test_a_thick_tube_under_a_ring_load_in_closed_form():
    """Lekhnitskii: u_r = A r^k + B r^(−k), k² = C₂₂/C₁₁ in plane strain; its stress by the field, of such a displacement put in."""
    C = WOUND.stiffness()
    k = np.sqrt(C[1, 1] / C[0, 0])
    body = fx.ShapeBody("tube", fx.HollowCylinder(0.04, 0.06, 0.1), WOUND, orders=(8, 1, 1)).made
    points = np.array([(r, 0.0, 0.0) for r in np.linspace(0.042, 0.058, 7)])
    r = points[:, 0]
    # the state whose displacement is nearest to it: modes span all polynomials of the radius up to order 8
    grid = np.array(
        [
            (q * np.cos(f), q * np.sin(f), z)
            for q in np.linspace(0.04, 0.06, 15)
            for f in (0, 1, 2, 4)
            for z in (-0.05, 0, 0.05)
        ]
    )
    radius = np.hypot(grid[:, 0], grid[:, 1])
    u = (radius**k * 1e-3)[:, None] * grid * [1, 1, 0] / radius[:, None]
    S = body.field.displacement(grid)
    q = np.linalg.lstsq(S.reshape(-1, S.shape[2]), u.ravel(), rcond=None)[0]
    found = np.einsum("pim,m->pi", body.field.stress(points), q)
    strain = np.array([k * r ** (k - 1), r ** (k - 1)]) * 1e-3
    np.testing.assert_allclose(found[:, 0], C[0, 0] * strain[0] + C[0, 1] * strain[1], rtol=1e-3)
    np.testing.assert_allclose(found[:, 1], C[1, 0] * strain[0] + C[1, 1] * strain[1], rtol=1e-3)


def test_a_beam_of_wood_bends_by_its_own_modulus():
    """First frequency 4.73²/(2πL²) √(E₁h²/12ρ); with the grain across it is that of E₂."""
    L, b, h = 1.0, 0.03, 0.01
    for young in ((12e9, 0.8e9, 0.6e9), (0.8e9, 12e9, 0.6e9)):
        grain = fx.Orthotropic(young=young, shear=(0.7e9, 0.7e9, 0.7e9), poisson=(0.03, 0.03, 0.03), density=600.0)
        beam = fx.ShapeBody("beam", fx.Box(L, b, h), grain, orders=(6, 2, 2)).made
        expected = 4.7300407**2 / (2 * np.pi * L**2) * np.sqrt(young[0] * h**2 / (12 * 600.0))
        assert beam.frequencies[0] == pytest.approx(expected, rel=0.01)


def test_a_solid_shaft_must_be_alike_round_its_axis():
    with pytest.raises(fx.ModelError, match=r"radial \(1\) and the tangential \(2\) direction.*give it a bore"):
        fx.ShapeBody("shaft", fx.Cylinder(0.02, 0.5), WOUND, orders=(2, 2, 4))
    E, nu = 9e9, 0.3
    drawn = fx.Orthotropic(
        young=(E, E, 130e9), poisson=(nu, 0.02, 0.02), shear=(E / (2 + 2 * nu), 5e9, 5e9), density=1600.0
    )
    L, radius = 1.0, 0.01
    shaft = fx.ShapeBody("shaft", fx.Cylinder(radius, L), drawn, orders=(2, 2, 6)).made
    expected = 4.7300407**2 / (2 * np.pi * L**2) * np.sqrt(130e9 * radius**2 / (4 * 1600.0))
    np.testing.assert_allclose(shaft.frequencies[:2], expected, rtol=0.015)
