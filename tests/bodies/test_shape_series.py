"""Series of shape functions: polynomials, quadrature, strain, rotation, integrals, profiles."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.polynomial import chebyshev as reference
from scipy.optimize import brentq
from scipy.special import spherical_jn

import flexor as fx
from flexor.bodies.shape_body.chebyshev import chebyshev, clenshaw_curtis
from flexor.bodies.shape_body.profile import section_of

STEEL = fx.Steel()
PULLEY = fx.TurnedPart(
    [(0.01, -0.008), (0.04, -0.008), fx.ProfileArc((0.04, 0.008), (0.036, 0)), (0.012, 0.008)],
    axis=(1, 2, 2),
    at=(1, 2, 3),
)
STEPPED = fx.TurnedPart([(0, 0), (0.02, 0), (0.02, 0.05), (0.03, 0.05), (0.03, 0.08), (0, 0.08)])
BODIES = {
    "box": (fx.Box(0.4, 0.1, 0.06, at=(0.1, 0, 0), orientation={"axis": "z", "angle": "30 deg"}), (3, 2, 2)),
    "tube": (fx.HollowCylinder(0.04, 0.06, 0.1, axis="x"), (2, 3, 2)),
    "shaft": (fx.Cylinder(0.05, 0.3, axis="y", at=(0, 0.1, 0)), (3, 3, 3)),
    "pulley": (PULLEY, (2, 2, 2)),
    "stepped": (STEPPED, (2, 2, 3)),
}
every = pytest.mark.parametrize("name", BODIES)


@cache
def made(name):
    geometry, orders = BODIES[name]
    return fx.ShapeBody("part", geometry, STEEL, orders=orders).made


def places(body, count=12):
    """Points inside, and none on an axis: middles between nodes of the drawn mesh."""
    corners = np.asarray(body.mesh.blocks[0].nodes)[:, :8]
    chosen = corners[np.random.default_rng(3).permutation(len(corners))[:count]]
    return body.nodes[chosen].mean(axis=1) + 1e-4 * np.array([1.0, 0.7, 0.3])


def test_polynomials_follow_their_recurrences():
    x = np.linspace(-1, 1, 7)
    g, slope = chebyshev(x, 9)
    for m in range(10):
        own = np.eye(10)[m]
        np.testing.assert_allclose(g[:, m], reference.chebval(x, own), atol=1e-13)
        np.testing.assert_allclose(slope[:, m], reference.chebval(x, reference.chebder(own)), atol=1e-11)


@pytest.mark.parametrize("count", [2, 3, 4, 7, 12])
def test_clenshaw_curtis_is_exact_for_polynomials(count):
    x, w = clenshaw_curtis(count)
    for order in range(count):
        assert w @ x**order == pytest.approx((1 + (-1) ** order) / (order + 1), abs=1e-14)


@pytest.mark.parametrize(
    ("corners", "volume"),
    [
        ([(0, -1), fx.ProfileArc((0, 1), (1, 0))], 4 / 3 * np.pi),
        ([(2.5, 0), fx.ProfileArc((1.5, 0), (2, 0.5)), fx.ProfileArc((2.5, 0), (2, -0.5))], np.pi**2),
        ([(0, 0), (1, 0), (0, 3)], np.pi),
        ([(1, 0), (2, 0), (2, 1), (3, 1), (3, 3), (1, 3)], np.pi * (3 + 16)),
        ([(1, 0), (4, 0), (4, 3), (3, 3), (3, 1), (2, 1), (2, 3), (1, 3)], np.pi * (15 + 2 * (3 + 7))),
    ],
    ids=["sphere", "torus", "cone", "step", "fork"],
)
def test_profiles_have_their_volume(corners, volume):
    r, _, w = section_of(corners).points(12, 24)
    assert 2 * np.pi * w @ r == pytest.approx(volume, rel=1e-12)


@every
def test_strain_and_rotation_are_the_slopes_of_displacement(name):
    """By differences, in the axes of the body."""
    body, h = made(name), 1e-6
    x = places(body)
    slopes = np.array([body.field.displacement(x + h * e) - body.field.displacement(x - h * e) for e in np.eye(3)]) / (
        2 * h
    )
    G = slopes.transpose(1, 2, 0, 3)  # ∂u_i/∂x_j
    strain = np.stack(
        [G[:, 0, 0], G[:, 1, 1], G[:, 2, 2], G[:, 0, 1] + G[:, 1, 0], G[:, 1, 2] + G[:, 2, 1], G[:, 2, 0] + G[:, 0, 2]],
        1,
    )
    turn = 0.5 * np.stack([G[:, 2, 1] - G[:, 1, 2], G[:, 0, 2] - G[:, 2, 0], G[:, 1, 0] - G[:, 0, 1]], 1)
    size = np.abs(G).max(axis=(0, 1, 2))
    np.testing.assert_allclose(body.field.strain(x) / size, strain / size, atol=1e-6)
    np.testing.assert_allclose(body.field.rotation(x) / size, turn / size, atol=1e-6)


@every
def test_stress_follows_from_strain(name):
    body = made(name)
    x = places(body, 5)
    expected = np.einsum("ij,qjm->qim", STEEL.stiffness(), body.field.strain(x))
    np.testing.assert_allclose(body.field.stress(x), expected, atol=1e-9 * np.abs(expected).max())


@every
def test_modes_are_orthonormal_and_have_no_momentum(name):
    """Against the mass of a fine mesh of elements with the same geometry: nothing of it is used to make them."""
    body = made(name)
    coarse = body.elements()
    from flexor.elements.assembly.model import assemble

    fe = assemble(body.mesh)
    M = body.shapes.T @ (fe.M @ body.shapes)
    low = slice(0, 12)
    np.testing.assert_allclose(M[low, low], np.eye(M.shape[0])[low, low], atol=0.03)
    rigid = coarse.dofs.rigid_modes(body.nodes, about=body.mass_properties.com)
    scale = np.sqrt(np.diag(rigid.T @ (fe.M @ rigid)))
    assert np.abs((rigid.T @ (fe.M @ body.shapes[:, low])) / scale[:, None]).max() < 0.01


@every
def test_invariants_are_those_of_the_same_shapes_on_a_mesh(name):
    """Integrals of the drawn mesh, whose quadratic elements follow the lowest shapes closely."""
    from flexor.bodies.floating.loaded_mesh import LoadedMesh
    from flexor.reduce.invariants import invariants

    body, low = made(name), slice(0, 8)
    com = body.mass_properties.com
    found = invariants(LoadedMesh(body).problem, body.shapes[:, low]).about(com)
    own = body.invariants.about(com)
    assert own.mass == pytest.approx(found.mass, rel=0.01)
    np.testing.assert_allclose(found.first, 0, atol=0.002 * own.mass * np.ptp(body.nodes))
    np.testing.assert_allclose(own.second, found.second, atol=0.01 * np.abs(own.second).max())
    for mine, theirs in (
        (own.centrifugal[:, :, low], found.centrifugal),
        (own.products[:, :, low, low], found.products),
    ):
        np.testing.assert_allclose(mine, theirs, atol=0.03 * np.abs(theirs).max())


def test_mass_properties_of_a_sphere_are_exact():
    ball = fx.ShapeBody(
        "ball", fx.TurnedPart([(0, -0.1), fx.ProfileArc((0, 0.1), (0.1, 0))]), STEEL, orders=(2, 2, 2)
    ).made
    m = 4 / 3 * np.pi * 0.1**3 * 7850
    assert ball.mass_properties.mass == pytest.approx(m, rel=1e-12)
    np.testing.assert_allclose(ball.mass_properties.inertia, 0.4 * m * 0.1**2 * np.eye(3), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        ([(0.1, 0), (0.2, 0), (0.3, 0)], "turns back on itself"),
        ([(0.1, 0), (0.2, 0), (0.1, 0.1), (0.2, 0.1)], "crosses itself"),
        ([(0.1, 0), (0.1, 0.1), (0.1, 0.2)], "turns back on itself"),
        ([(0.1, 0)], "one corner"),
        ([fx.ProfileArc((0.3, 0), (0.2, 0.1)), (0.2, 0.1)], "first corner is an arc"),
        ([(-0.1, 0), (0.2, 0), (0.2, 0.1)], "negative radius"),
        ([(0.1, 0), fx.ProfileArc((0.3, 0), (0.2, 0)), (0.2, 0.1)], "on one line"),
    ],
)
def test_profiles_that_are_none_are_refused(profile, said):
    with pytest.raises(fx.ModelError, match=said):
        fx.TurnedPart(profile)


def test_a_wall_without_thickness_is_refused():
    with pytest.raises(fx.ModelError, match="no thickness"):
        fx.HollowCylinder(0.1, 0.1, 0.02)


def test_free_oscillations_of_an_elastic_sphere():
    """Lamb 1882: toroidal modes (l − 1) j_l(x) = x j_{l+1}(x), x = ωa/β, each (2l + 1)-fold; the lowest spheroidal one x = 2.6399 for ν = ¼.

    It lies about the axis, where the series of solid bodies have their special functions.
    """
    a, G = 0.1, 4e8
    ball = fx.TurnedPart([(0, -a), fx.ProfileArc((0, a), (a, 0))])
    body = fx.ShapeBody("ball", ball, fx.Isotropic(2.5 * G, 0.25, 1000.0), orders=(5, 3, 5), up_to="4 kHz").made
    x = 2 * np.pi * body.frequencies * a / np.sqrt(G / 1000.0)
    toroidal = [
        brentq(lambda x, l=l: (l - 1) * spherical_jn(l, x) - x * spherical_jn(l + 1, x), l - 0.5, l + 1.5)
        for l in (2, 3)
    ]
    np.testing.assert_allclose(x[:5], toroidal[0], rtol=1e-4)
    np.testing.assert_allclose(x[5:10], 2.6399, rtol=1e-4)
    assert np.sum(np.abs(x / toroidal[1] - 1) < 1e-3) == 7


def test_a_ring_is_as_soft_everywhere():
    """The deflection under a force does not depend on where it pushes: there are no nodes that it could pass."""
    body = fx.ShapeBody("ring", fx.HollowCylinder(0.09, 0.1, 0.02), STEEL, orders=(2, 6, 2)).made
    soft = []
    for phi in np.linspace(0, 1, 7):
        n = np.array([np.cos(phi), np.sin(phi), 0])
        push = n @ body.field.displacement(0.1 * n[None])[0]
        soft.append(push @ (push / np.diag(body.K)))
    np.testing.assert_allclose(soft, soft[0], rtol=1e-7)


def test_a_profile_is_the_same_however_it_is_told():
    """Corners and arcs, a closed fx.Profile, an open one as fx.Revolved takes it; files keep it."""
    groove = [(0.01, -0.008), (0.04, -0.008), fx.ProfileArc((0.04, 0.008), (0.036, 0)), (0.01, 0.008), (0.01, -0.008)]
    points = [
        (0.01, -0.008),
        (0.025, -0.008),
        (0.04, -0.008),
        (0.036, 0),
        (0.04, 0.008),
        (0.025, 0.008),
        (0.01, 0.008),
        (0.01, 0),
    ]
    told, same = fx.TurnedPart(groove), fx.TurnedPart(fx.Profile(points, kind="arcs", closed=True))
    assert told.profile == same.profile
    assert fx.TurnedPart.model_validate(told.model_dump(mode="json")) == told
    crown = fx.Profile([(0.0095, -0.01), (0.01, 0), (0.0095, 0.01)], kind="arcs")
    roller = fx.ShapeBody("roller", fx.TurnedPart(crown), "steel", orders=(2, 2, 3)).made
    closed = fx.TurnedPart([(0, -0.01), (0.0095, -0.01), fx.ProfileArc((0.0095, 0.01), (0.01, 0)), (0, 0.01)])
    other = fx.ShapeBody("roller", closed, "steel", orders=(2, 2, 3)).made
    assert roller.mass_properties.mass == pytest.approx(other.mass_properties.mass, rel=1e-13)
    np.testing.assert_allclose(roller.frequencies[:6], other.frequencies[:6], rtol=1e-9)


def test_a_spline_for_a_profile():
    """An egg: a closed spline through points of a circle about (R, 0) is nearly a torus of the volume 2π²Rr²."""
    R, r, count = 0.1, 0.03, 24
    phi = 2 * np.pi * np.arange(count) / count
    ring = fx.Profile([(R + r * c, r * s) for c, s in zip(np.cos(phi).tolist(), np.sin(phi).tolist())], closed=True)
    body = fx.ShapeBody("ring", fx.TurnedPart(ring), "steel", orders=(2, 1, 2)).made
    exact = fx.ShapeBody("ring", fx.TurnedPart(fx.Profile.circle(r, at=(R, 0))), "steel", orders=(2, 1, 2)).made
    assert exact.mass_properties.mass == pytest.approx(7850 * 2 * np.pi**2 * R * r**2, rel=1e-9)
    assert body.mass_properties.mass == pytest.approx(exact.mass_properties.mass, rel=2e-4)
    np.testing.assert_allclose(body.frequencies[:4], exact.frequencies[:4], rtol=1e-3)
