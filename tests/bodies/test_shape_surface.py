"""Points that move over the surface of a body of shape functions: position, velocity, derivatives, and the same in laws."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.body import Start
from flexor.bodies.shape_body.surface_point import SurfaceShapes, shape_surface, surface_shape, surface_sides
from flexor.law import RESIDUAL, Term, law
from flexor.law.record import Record, nested, number
from flexor.law.tuples import add, cross, dot, mat, mtv, mv, put, scale, vec
from flexor.spatial import Pose, exp_so3
from tests.laws.calls import call_compiled, matrix, residual
from tests.laws.states import COORDINATES, State, assert_derivative, perturbed, slope_and_error

GEOMETRIES = {
    "ring": (fx.HollowCylinder(0.4, 0.5, 0.3, at=(0.1, 0.2, 0.3), axis=(1, 2, 2)), (2, 2, 2)),
    "cone": (fx.TurnedPart([(0.2, -0.1), (0.5, -0.1), (0.4, 0.3), (0.25, 0.3)]), (2, 2, 1)),
    "groove": (fx.TurnedPart([(0.2, -0.2), (0.5, -0.2), fx.ProfileArc((0.5, 0.2), (0.45, 0)), (0.2, 0.2)]), (2, 1, 2)),
    "box": (fx.Box(0.8, 0.3, 0.2, orientation={"axis": "y", "angle": "20 deg"}), (2, 2, 1)),
}
SOFT = fx.Isotropic(4e3, 0.3, 900.0)


@cache
def body(name):
    geometry, orders = GEOMETRIES[name]
    return fx.ShapeBody("part", geometry, SOFT, orders=orders, keep=fx.CharacteristicSet(modes=5, threshold=0.01))


SIDES = [(name, side) for name in GEOMETRIES for side in surface_sides(body(name).made)]
on_sides = pytest.mark.parametrize(("name", "side"), SIDES)


def somewhere(surface, seed=1):
    random = np.random.default_rng(seed)
    return random.uniform(*surface.s), random.uniform(*surface.t)


@on_sides
def test_the_surface_moves_as_the_body_does(name, side):
    made = body(name).made
    surface = shape_surface(made, side)
    value, _, _ = surface.shapes(*somewhere(surface))
    assert made.field.outside(value[0]) < 1e-9
    expected = made.field.displacement(value[:1])[0].T
    np.testing.assert_allclose(value[1:], expected, atol=1e-8 * np.abs(expected).max())


@on_sides
def test_laws_evaluate_the_same_series(name, side):
    surface = shape_surface(body(name).made, side)
    s, t = somewhere(surface)
    w = np.zeros(3 * (1 + surface.size))
    surface_shape(SurfaceShapes(surface.packed().words), 1 + surface.size, s, t, w)
    np.testing.assert_allclose(w.reshape(-1, 3), surface.shapes(s, t)[0], atol=1e-12)


@on_sides
def test_normals_point_outward(name, side):
    surface = shape_surface(body(name).made, side)
    point = surface.at(*somewhere(surface), surface.center, np.eye(3), np.zeros(surface.size))
    assert body(name).made.field.outside(point.position + 1e-4 * point.normal) > 0.9e-4
    assert body(name).made.field.outside(point.position - 1e-4 * point.normal) < 1e-9


@on_sides
def test_velocity_jacobian_and_slopes_are_derivatives(name, side):
    surface, random, h = shape_surface(body(name).made, side), np.random.default_rng(5), 1e-6
    s, t = somewhere(surface)
    x, R, m = random.normal(size=3), exp_so3(random.normal(size=3)), surface.size
    q, rates, twist = 0.1 * random.normal(size=m), random.normal(size=m), random.normal(size=6)
    here = surface.at(s, t, x, R, q, twist, rates)

    def moved(step, motion):
        later = surface.at(s, t, x + step * motion[:3], exp_so3(step * motion[3:6]) @ R, q + step * motion[6:])
        return later.position

    motion = np.concatenate([twist, rates])
    np.testing.assert_allclose((moved(h, motion) - moved(-h, motion)) / (2 * h), here.velocity, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(here.jacobian @ motion, here.velocity, atol=1e-12)
    for k, (ds, dt) in enumerate(((h, 0.0), (0.0, h))):
        ahead, behind = (surface.at(s + f * ds, t + f * dt, x, R, q).position for f in (1, -1))
        np.testing.assert_allclose((ahead - behind) / (2 * h), here.along[:, k], rtol=1e-6, atol=1e-7)
    assert here.along.T @ here.normal == pytest.approx([0, 0], abs=1e-12)


def test_unknown_sides_are_refused():
    with pytest.raises(fx.ModelError, match="no side 'lid'"):
        shape_surface(body("ring").made, "lid")


class Drawn(Record):
    """A spring to a fixed place from a point that runs round as the body moves along x."""

    stiffness = number("of the spring", "N/m")
    begin = number("angle of the point where x = 0", "rad")
    height = number("its height", "m")
    surface = nested(SurfaceShapes, "the side it runs on")


@law(Drawn)
def drawn(want, p, now, out):
    """f = −k x_point on the frame and on the modes."""
    if want & RESIDUAL:
        m = now.n.scalars
        R, x = mat(now.R, 0), vec(now.x, 0)
        surface_shape(p.surface, 1 + m, p.begin + x[0], p.height + 0.1 * x[1], out.w)
        place = vec(out.w, 0)
        for i in range(m):
            place = add(place, scale(now.s[3 * i], vec(out.w, 3 + 3 * i)))
        arm = mv(R, place)
        f = scale(p.stiffness, add(x, arm))
        put(out.r, 0, f)
        put(out.r, 3, cross(arm, f))
        local = mtv(R, f)
        for i in range(m):
            out.r[6 + i] += dot(vec(out.w, 3 + 3 * i), local)
    return 0


def test_a_law_has_exact_derivatives_while_its_point_moves_over_the_surface():
    made = body("ring").made
    surface, m = shape_surface(made, "outer"), 4
    parameters = Drawn.pack(stiffness=3.0, begin=0.3, height=0.05, surface=surface.packed())
    term = Term("drawn", drawn, (1,), tuple(range(m)), parameters=parameters, scratch=3 * (1 + m))
    random = np.random.default_rng(2)
    state = State(
        x=random.normal(size=(1, 3)), R=exp_so3(random.normal(size=(1, 3))), v=random.normal(size=(1, 6)), a=np.zeros((1, 6)),
        s=random.normal(size=(m, 3)), lam=np.zeros(0), h=np.zeros(0), t=0.0, gravity=np.zeros(3),
    )  # fmt: skip
    K = matrix(term, state, (1.0, 0.0, 0.0))
    for j in range(6 + m):
        found, error = slope_and_error(lambda step, j=j: residual(term, perturbed(state, COORDINATES, j, step)))
        assert_derivative(K[:, j], found, error, np.abs(K).max())
    compiled = call_compiled(term, state, RESIDUAL)
    np.testing.assert_allclose(compiled.r, residual(term, state), rtol=1e-12, atol=1e-12)


def test_the_node_of_a_body_is_where_the_surface_takes_it_from():
    """At its centre of mass, with the axes of the body."""
    part = body("cone")
    node = part.parts(Start(Pose(), np.zeros(6))).nodes[0]
    np.testing.assert_allclose(node.x, shape_surface(part.made, "outer").center, atol=1e-15)
