"""A tilted cylinder on the flat skin of a meshed body: the gap of its rim, the inner skin that it is measured by, energy and steps of an impact."""

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.side import Side
from flexor.contact.deformable.beginning import beginning
from flexor.contact.deformable.inner_skin import inner_skin
from flexor.contact.deformable.lowest_on_triangle import lowest
from flexor.contact.deformable.moving_contact import start_pose
from flexor.contact.deformable.moving_pair import pair_on
from flexor.mesh.generate import bar
from flexor.spatial import Pose

RUBBER = fx.Isotropic(young="200 MPa", poisson=0.3, density=1000)
ENDS = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.2, 0, 0), normal="x")}
RADIUS, HALF, TOP, MASS, SPEED = 0.01, 0.03, 0.02, 0.15, 0.14


def block(formulation, **about):
    """A block of 200 × 100 × 40 mm, from x = 0 on, its upper face at TOP."""
    mesh = bar(0.2, 0.1, 0.04, divisions=(8, 4, 2), element="hex8", material=RUBBER)
    if formulation != "full_mesh":
        about = {"reduction": fx.CraigBampton(modes=6), **about}
    return fx.FlexibleBody("block", mesh, formulation=formulation, interfaces=ENDS, **about)


def reach(tilt):
    """How far below its middle the rim of the cylinder is, and how far beside it along x."""
    return RADIUS * np.cos(tilt) + HALF * np.sin(tilt), HALF * np.cos(tilt) - RADIUS * np.sin(tilt)


def roll(tilt, above, x=0.107, y=0.003, velocity=(0, 0, 0)):
    """A cylinder along x, tilted about y, whose rim is so far above the block."""
    about = {"orientation": {"axis": "y", "angle": tilt}, "shapes": [fx.Cylinder(RADIUS, 2 * HALF, axis="x")]}
    place = (x, y, TOP + reach(tilt)[0] + above)
    return fx.RigidBody("roll", MASS, (2e-5, 5e-5, 5e-5), position=place, velocity=velocity, **about)


def drop(body, side, tilt, friction=0.0, law=None, **about):
    """The cylinder falls on a free body."""
    cylinder = roll(tilt, 1e-3, **{"velocity": (0, 0, -SPEED), **about})
    touch = fx.Contact("touch", cylinder, body.surface(side), law or fx.Penalty(1e6), friction=friction)
    model = fx.Model("drop", [body, cylinder, touch])
    return model.dynamics(until=0.012, step=1e-4, show=False)


@pytest.fixture(scope="module")
def reference():
    """Steps on a body of shape functions, whose side is smooth."""
    smooth = fx.ShapeBody("block", fx.Box(0.2, 0.1, 0.04), RUBBER, orders=(4, 3, 2), position=(0.1, 0, 0))
    return len(drop(smooth, "z_max", np.radians(10)).steps())


@pytest.mark.filterwarnings("ignore:contact")
@pytest.mark.parametrize("formulation", ["floating", "superelement", "full_mesh"])
@pytest.mark.parametrize(("tilt", "place", "friction"), [(5, (0.107, 0.003), 0.0), (20, (0.05, 0.0495), 0.3)])
def test_energy_is_kept_in_few_steps(formulation, tilt, place, friction, reference):
    """On the middle of a triangle, and over an edge of the block; no more steps than twice those on a smooth side."""
    run = drop(block(formulation), "skin", np.radians(tilt), friction, x=place[0], y=place[1])
    assert run["touch.deepest"][-1] > 1e-5
    assert np.ptp(run["energy.check_sum"].values) < 1.8e-3 * 0.5 * MASS * SPEED**2
    assert len(run.steps()) < 2 * reference


@pytest.mark.parametrize("tilt", [5.0, 20.0, 70.0])
def test_the_gap_is_that_of_the_rim_and_the_face(tilt):
    """As deep as the lowest point of the rim is below the face, with the normal of that: as on a rigid plane, whatever triangle it is over."""
    tilt = np.radians(tilt)
    body, solid = block("full_mesh"), fx.Cylinder(RADIUS, 2 * HALF, axis=(np.cos(tilt), 0, -np.sin(tilt)))
    for x, y, above in ((0.107, 0.003, 1e-4), (0.0641, -0.0233, -2e-5), (0.12, 0.0, -1e-4), (0.0931, 0.031, -5e-4)):
        pair = pair_on("c", body, Side("skin"), solid)
        down, _ = reach(tilt)
        rigid = Pose(np.array([x, y, TOP + down + above]))
        found = beginning(pair, solid, start_pose(body, Pose(np.zeros(3)), rigid, solid))
        assert found.gap == pytest.approx(above, abs=1e-12)
        np.testing.assert_allclose(rigid_axes(solid) @ found.normal, (0, 0, -1), atol=1e-6)


def rigid_axes(solid):
    """Its axes in the body that carries it."""
    from flexor.contact.surfaces import SURFACES

    return SURFACES[type(solid)].axes(solid)


def test_the_inner_skin_of_a_block_is_a_smaller_block():
    """Balls around it touch all faces: w · m = ρ of each triangle at each of its corners."""
    points = np.array([(x, y, z) for x in (0, 1, 2) for y in (0, 1, 2) for z in (0, 1)], dtype=float)
    number = {tuple(p): i for i, p in enumerate(points.tolist())}
    triangles = []
    for i in (0, 1):
        for j in (0, 1):
            for z in (0, 1):
                square = [number[i + a, j + b, z] for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))][:: 1 if z else -1]
                triangles += [square[:3], [square[0], *square[2:]]]
    open_box = np.array(triangles)  # its walls are those at the borders of both faces
    w, rho = inner_skin(points, open_box)
    for a, b, c in open_box:
        m = np.cross(points[b] - points[a], points[c] - points[a])
        for i in (a, b, c):
            assert w[i] @ m == pytest.approx(rho[i], rel=1e-12)
    corner, middle = number[0, 0, 1], number[1, 1, 1]
    np.testing.assert_allclose(w[corner], rho[corner] * np.array([-1, -1, 1]), atol=1e-15)
    np.testing.assert_allclose(w[middle], rho[middle] * np.array([0, 0, 1]), atol=1e-15)
    assert rho[middle] == pytest.approx(0.2)
    assert rho[corner] == pytest.approx(2e-3)


def test_lowest_point_of_a_quadratic_function_on_a_triangle():
    """Against a grid over it."""
    random = np.random.default_rng(2)
    s, t = (each.ravel() for each in np.meshgrid(*2 * (np.linspace(0, 1, 201),)))
    s, t = s[s + t <= 1 + 1e-12], t[s + t <= 1 + 1e-12]
    features = set()
    for _ in range(60):
        A, G, at = random.normal(size=(2, 2)), 3 * random.normal(size=2), random.dirichlet((1, 1, 1))[:2]
        H = A @ A.T + 0.1 * np.eye(2)
        u, v, feature = lowest(*at, *G, H[0, 0], H[0, 1], H[1, 1])

        def height(x, y, H=H, G=G, at=at):
            d = np.array([x - at[0], y - at[1]])
            return G @ d + 0.5 * np.einsum("i...,ij,j...->...", d, H, d)

        assert height(u, v) <= height(s, t).min() + 1e-12
        assert min(u, v, 1 - u - v) > -1e-12
        features.add(feature)
    assert features == {0, 1, 2, 3, 4}
