import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from flexor.errors import ModelError, UnitError
from flexor.spatial import (
    MassProperties,
    Pose,
    box,
    cylinder,
    is_rotation,
    rod,
    shift_matrix,
    shift_twist,
    sphere,
    triad,
    tube,
)
from tests.spatial.strategies import directions, error, law, rotations, vectors


def cloud(points, masses) -> MassProperties:
    """Mass properties of point masses by their definition."""
    com = masses @ points / masses.sum()
    r = points - com
    inertia = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(masses, r))
    return MassProperties(masses.sum(), com, inertia)


def same(a: MassProperties, b: MassProperties, relative=1e-12) -> bool:
    size = max(np.max(np.abs(a.inertia)), np.max(np.abs(b.inertia)))
    return (
        abs(a.mass - b.mass) <= relative * a.mass
        and error(a.com, b.com) <= relative * (1 + np.max(np.abs(a.com)))
        and error(a.inertia, b.inertia) <= relative * size
    )


@st.composite
def clouds(draw, least=2):
    n = draw(st.integers(least, 6))
    points = np.array([draw(vectors(2.0)) for _ in range(n)])
    return points, np.array([draw(st.floats(0.1, 5.0)) for _ in range(n)])


@law
@given(clouds(), clouds(), rotations(), vectors())
def test_moving_and_adding_agree_with_the_particles(one, two, R, p):
    a, b, X = cloud(*one), cloud(*two), Pose(p, R)
    scale = 1e-12 * (1 + (a.mass + b.mass) * 300)
    both = cloud(np.vstack((one[0], two[0])), np.concatenate((one[1], two[1])))
    assert error((a + b).inertia, both.inertia) <= scale
    assert error((a + b).com, both.com) <= 1e-12
    assert (a + b).mass == pytest.approx(both.mass, rel=1e-14, abs=0)
    moved = cloud(X.apply(one[0]), one[1])
    assert error(a.moved(X).inertia, moved.inertia) <= scale
    assert error(a.moved(X).com, moved.com) <= 1e-12
    assert a.rotated(R) == a.moved(Pose(R=R))
    r = one[0] - p
    about = sum(m * (x @ x * np.eye(3) - np.outer(x, x)) for m, x in zip(one[1], r))
    assert error(a.inertia_about(p), about) <= scale


@law
@given(clouds(), vectors(), vectors(), vectors())
def test_mass_matrix_gives_the_kinetic_energy_of_the_particles(particles, point, v, ω):
    body, (points, masses) = cloud(*particles), particles
    twist = np.concatenate((v, ω))
    velocities = shift_twist(twist, points - point)[:, :3]
    energy = masses @ np.sum(velocities**2, axis=1) / 2
    # round-off of the terms that cancel: ε m (|v| + |ω| |r|)², some 1e-9
    assert twist @ body.matrix(point) @ twist / 2 == pytest.approx(energy, rel=1e-11, abs=1e-9)
    T = shift_matrix(body.com - point)
    assert error(body.matrix(point), T.T @ body.matrix(body.com) @ T) <= 1e-10
    again = MassProperties.of_matrix(body.matrix(point), point)
    assert again.mass == pytest.approx(body.mass, rel=1e-14)
    size = 1 + np.linalg.norm(body.com - point)
    assert error(again.com, body.com) <= 1e-12 * size
    assert error(again.inertia, body.inertia) <= 1e-12 * body.mass * size**2


@law
@given(clouds())
def test_particles_are_always_a_possible_body(particles):
    assert cloud(*particles).problems() == []


@law
@given(clouds())
def test_principal_axes(particles):
    body = cloud(*particles)
    moments, R = body.principal()
    size = np.max(np.abs(body.inertia))
    assert is_rotation(R, 1e-14)
    assert np.all(np.diff(moments) >= 0)
    assert error(R @ np.diag(moments) @ R.T, body.inertia) <= 1e-14 * (size + 1)
    assert all(R[np.argmax(np.abs(R[:, axis])), axis] > 0 for axis in (0, 1))


def test_principal_axes_of_a_turned_box():
    X = Pose.turn(0.4, (1, 2, 3), (1, 1, 1))
    moments, R = box(0.1, 0.2, 0.3, mass=12).moved(X).principal()
    assert error(moments, [0.05, 0.10, 0.13]) <= 1e-15
    assert error(np.abs(R.T @ X.R), np.eye(3)[::-1]) <= 1e-14


def gauss(a, b):
    x, w = np.polynomial.legendre.leggauss(6)
    return (a + b) / 2 + (b - a) / 2 * x, (b - a) / 2 * w


def quadrature(map_and_density, *axes) -> MassProperties:
    """The body as Gauss points: exact, since the integrands are polynomials or low harmonics."""
    grid = np.meshgrid(*(x for x, _ in axes), indexing="ij")
    weights = np.einsum("i,j,k->ijk", *(w for _, w in axes))
    points, volume = map_and_density(*grid)
    return cloud(np.stack([p.ravel() for p in points], axis=1), (weights * volume).ravel())


ROUND = (2 * np.pi * np.arange(8) / 8, np.full(8, 2 * np.pi / 8))


def tube_points(r, φ, z):
    return (r * np.cos(φ), r * np.sin(φ), z), r


def sphere_points(r, c, φ):
    s = np.sqrt(1 - c * c)
    return (r * s * np.cos(φ), r * s * np.sin(φ), r * c), r * r


SHAPES = {
    "box": (
        box(0.2, 0.3, 0.7, density=1),
        quadrature(lambda x, y, z: ((x, y, z), 1.0), gauss(-0.1, 0.1), gauss(-0.15, 0.15), gauss(-0.35, 0.35)),
    ),
    "cylinder": (
        cylinder(0.3, 0.8, density=1),
        quadrature(tube_points, gauss(0, 0.3), ROUND, gauss(-0.4, 0.4)),
    ),
    "tube": (
        tube(0.3, 0.2, 0.8, density=1),
        quadrature(tube_points, gauss(0.2, 0.3), ROUND, gauss(-0.4, 0.4)),
    ),
    "sphere": (sphere(0.3, density=1), quadrature(sphere_points, gauss(0, 0.3), gauss(-1, 1), ROUND)),
    "rod": (
        rod(0.8, density=1, area=2),
        quadrature(lambda x, y, z: ((0 * x, 0 * y, z), 2.0), gauss(0, 1), gauss(0, 1), gauss(-0.4, 0.4)),
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_agree_with_quadrature(shape):
    closed_form, integrated = SHAPES[shape]
    assert same(closed_form, integrated, 1e-14)


def test_shapes_by_mass_with_units():
    assert same(cylinder("30 cm", "80 cm", mass=SHAPES["cylinder"][0].mass), SHAPES["cylinder"][0])
    assert box("20 mm", "20 mm", "1 m", density="7850 kg/m^3").mass == pytest.approx(3.14, rel=1e-14, abs=0)
    assert sphere(0.1, mass="500 g").inertia[1, 1] == pytest.approx(0.002, rel=1e-14, abs=0)
    assert rod("2 m", mass=3, axis="x").inertia == pytest.approx(np.diag([0, 1, 1]), rel=0, abs=1e-15)
    assert rod("2 m", density=7850, area="100 mm^2").mass == pytest.approx(1.57, rel=1e-14, abs=0)
    assert same(tube(0.3, 1e-9, 0.8, density=1), SHAPES["cylinder"][0])


@law
@given(directions())
def test_shapes_along_an_axis(axis):
    turned = tube(0.3, 0.2, 0.8, density=1, axis=axis)
    straight = tube(0.3, 0.2, 0.8, density=1)
    assert axis @ turned.inertia @ axis == pytest.approx(straight.inertia[2, 2], rel=1e-14, abs=0)
    assert same(turned, straight.rotated(triad(axis)))


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (MassProperties(-1), "mass is negative"),
        (MassProperties(1, inertia=[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]), "not symmetric"),
        (MassProperties(1, inertia=[1, 1, -0.1]), "principal inertia is negative"),
        (MassProperties(1, inertia=[[1, 2, 0], [2, 1, 0], [0, 0, 1]]), "principal inertia is negative"),
        (MassProperties(1, inertia=[1, 1, 2.1]), "triangle inequality"),
        (MassProperties(1, com=[0, np.inf, 0]), "not finite"),
        (MassProperties(np.nan), "not finite"),
    ],
)
def test_impossible_bodies(body, what):
    (problem,) = body.problems("body 'crank'")
    assert problem.where == "body 'crank'"
    assert what in problem.what
    assert problem.why
    assert problem.fix
    with pytest.raises(ModelError, match=what):
        body.check()


def test_limits_of_the_possible():
    MassProperties(0).check()  # massless
    MassProperties(1, inertia=[1, 1, 2]).check()  # a plate
    MassProperties(1, inertia=[0, 1, 1]).check()  # a thin rod
    MassProperties(1, inertia=[1.23457, 2.34568, 3.58025]).check()  # a plate with six digits


def test_adding_massless_bodies():
    a = MassProperties(0, [1, 2, 3], [1, 1, 1])  # a flywheel of negligible mass
    assert a + MassProperties(0, [0, 0, 0], [1, 2, 2]) == MassProperties(0, [1, 2, 3], [2, 3, 3])


def test_frozen_and_compared_by_value():
    body = MassProperties(1, [0, 0, 0], [1, 2, 3])
    assert body == MassProperties(1.0, np.zeros(3), np.diag([1.0, 2.0, 3.0]))
    assert body != MassProperties(2, [0, 0, 0], [1, 2, 3])
    assert body != 1
    with pytest.raises(dataclasses.FrozenInstanceError):
        body.mass = 2
    with pytest.raises(ValueError, match="read-only"):
        body.inertia[0, 0] = 5


@pytest.mark.parametrize(
    ("make", "kind", "message"),
    [
        (lambda: MassProperties(1, [0, 0]), ModelError, "shapes"),
        (lambda: MassProperties(1, [0, 0, 0], [1, 2]), ModelError, "shapes"),
        (lambda: box(1, 1, 1), ModelError, "neither mass nor density"),
        (lambda: box(1, 1, 1, mass=1, density=1), ModelError, "both mass and density"),
        (lambda: box(1, -1, 1, mass=1), ModelError, "y is -1 m"),
        (lambda: sphere(0, mass=1), ModelError, "radius is 0 m"),
        (lambda: sphere("3 kg", mass=1), UnitError, "length"),
        (lambda: tube(0.1, 0.2, 1, mass=1), ModelError, "swap the radii"),
        (lambda: rod(1, density=1), ModelError, "without area"),
        (lambda: cylinder(1, 1, mass=-1), ModelError, "mass is -1 kg"),
    ],
)
def test_mistakes_are_explained(make, kind, message):
    with pytest.raises(kind, match=message):
        make()
