"""Contact between two surfaces that both deform: tangents, balance, symmetry, closed forms of rings, impacts, the limit of a stiff body, refusals."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial import cKDTree

import flexor as fx
from flexor.bodies.shape_body.surface_point import shape_surface
from flexor.contact.deformable.pair_contact import pair_beginning, paired, start_of
from flexor.law import COMMIT
from flexor.law.face import INTEGRATED
from flexor.mesh.generate import bar
from flexor.model.lower import lower
from flexor.spatial import Pose, exp_so3, quaternion_to_matrix
from tests.laws.calls import call, matrix, outputs, residual
from tests.laws.states import COORDINATES, VELOCITIES, State, perturbed, slope_and_error

RUBBER = fx.Isotropic(young="200 MPa", poisson=0.3, density=1000)
UPRIGHT, ACROSS = {"axis": "x", "angle": "90 deg"}, {"axis": "y", "angle": "90 deg"}
RUB = {"coefficient": 0.3, "micro_slip": 1.0}
PUSH = fx.Penalty(1e5)


def hoop(name, orientation=UPRIGHT, **about):
    about = {"orders": (1, 2, 1), "up_to": "1 kHz", **about}
    return fx.ShapeBody(name, fx.HollowCylinder(0.08, 0.1, 0.05), RUBBER, orientation=orientation, **about)


def slab(name, divisions=(4, 2, 1), **about):
    """A plate of 400 × 100 × 20 mm, from x = 0 on."""
    mesh = bar(0.4, 0.1, 0.02, divisions=divisions, element="hex8", material=RUBBER)
    ends = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.4, 0, 0), normal="x")}
    about = {"interfaces": ends, "reduction": fx.CraigBampton(modes=1), "formulation": "floating", **about}
    return fx.FlexibleBody(name, mesh, **about)


def top(body):
    """The upper face of a plate."""
    return body.surface(fx.plane(at=(0, 0, 0.01), normal="z"))


def bottom(body):
    return body.surface(fx.plane(at=(0, 0, -0.01), normal="z"))


def scene(kind):
    """Two bodies, and their sides."""
    if kind == "rings":
        a, b = hoop("one", position=(0, 0, 0.1)), hoop("two", ACROSS, position=(0.003, 0.002, 0.298))
        return a, b, a.surface("outer"), b.surface("outer")
    if kind == "slices":
        a, b = hoop("one", position=(0, 0, 0.1)), hoop("two", position=(0.003, 0.002, 0.298))
        return a, b, a.surface("outer"), b.surface("outer", slices=1)
    if kind == "ring on a superelement":
        a = slab("one", position=(0, 0, 0), formulation="superelement")
        b = hoop("two", position=(0.21, 0.002, 0.1085))
        return a, b, top(a), b.surface("outer")
    if kind == "skin on skin":
        a, b = slab("one", position=(0, 0, 0)), slab("two", (2, 1, 1), position=(0.053, 0.013, 0.0195))
        return a, b, top(a), bottom(b)
    a = fx.ShapeBody("one", fx.Box(0.4, 0.1, 0.02), RUBBER, orders=(2, 1, 1), up_to="1 kHz", position=(0, 0, 0))
    b = slab("two", (2, 1, 1), position=(-0.15, 0.01, 0.0195))
    return a, b, a.surface("z_max"), bottom(b)


def touching(kind, states):
    a, b, one, other = scene(kind)
    model = lower(fx.Model("m", [a, b, fx.Contact("touch", one, other, PUSH, friction=RUB)]))
    term = next(each for each in model.terms if each.name == "touch")
    random = np.random.default_rng(3)
    nodes = [model.nodes[i] for i in term.nodes]
    x = np.array([node.x for node in nodes], dtype=float)
    R = np.array([exp_so3(3e-3 * random.normal(size=3)) @ np.reshape(node.R, (3, 3)) for node in nodes])
    n, m = len(nodes), len(term.scalars)
    s = np.zeros((m, 3))
    s[:, 0], s[:, 1] = 3e-6 * random.normal(size=m), 0.01 * random.normal(size=m)
    state = State(x, R, 0.3 * random.normal(size=(n, 6)), np.zeros((n, 6)), s, np.zeros(0), np.array(term.history), 0.02, np.zeros(3), states=states)  # fmt: skip
    return term, replace(state, h=call(term, replace(state, t=0.0), COMMIT).h)


@pytest.mark.parametrize("kind", ["rings", "slices", "ring on a superelement", "skin on skin", "nodes on a face"])
def test_tangents_are_exact_and_forces_balance(kind):
    """Against differences, of nodes and modes of both bodies; action and reaction, with their moments, are one wrench."""
    term, state = touching(kind, INTEGRATED)
    r, n = residual(term, state), len(term.nodes)
    assert outputs(term, state)[0] > 1.0
    forces = r[: 6 * n].reshape(n, 6)
    moments = np.cross(state.x, forces[:, :3]) + forces[:, 3:]
    np.testing.assert_allclose([forces[:, :3].sum(axis=0), moments.sum(axis=0)], 0, atol=1e-10 * np.abs(r).max())
    some = [2, 4, 6 * n - 2, 6 * n, len(r) - 1]
    for c, what in (((1.0, 0.0, 0.0), COORDINATES), ((0.0, 1.0, 0.0), VELOCITIES)):
        K = matrix(term, state, c)
        found = [slope_and_error(lambda d, j=j, w=what: residual(term, perturbed(state, w, j, d)), 1e-6) for j in some]
        slopes, errors = np.array(found)[:, 0].T, np.array(found)[:, 1].T
        np.testing.assert_allclose(K[:, some], slopes, rtol=0, atol=1e-7 * np.abs(K).max() + 10 * errors.max())


def test_nearest_points_are_those_of_a_search_over_both_surfaces():
    """Two rings in poses at random, against all pairs of places on both; and the same gap with their names exchanged."""
    a, b = hoop("one"), hoop("two")
    random = np.random.default_rng(5)
    side = shape_surface(a.reduced, "outer")
    cloud = np.array(
        [side.shapes(s, t)[0][0] for s in np.linspace(-np.pi, np.pi, 181) for t in np.linspace(*side.t, 41)]
    )
    touch = fx.Contact("c", a.surface("outer"), b.surface("outer"), PUSH)
    for _ in range(6):
        way = random.normal(size=3)
        poses = Pose(np.zeros(3), exp_so3(random.normal(size=3))), Pose(0.32 * way / np.linalg.norm(way), exp_so3(random.normal(size=3)))  # fmt: skip
        gaps = []
        for one, other in ((0, 1), (1, 0)):
            mover, moving, touched = paired(touch, (a, b), (touch.shape_a, touch.shape_b))
            X = start_of((a, b), mover, (poses[one], poses[other]))
            gaps.append(pair_beginning(moving, touched, X).gap)
        away = cKDTree(cloud @ poses[0].R.T + poses[0].p).query(cloud @ poses[1].R.T + poses[1].p)[0].min()
        assert gaps[0] == pytest.approx(away, abs=3e-4)
        assert gaps[0] <= away + 1e-9
        assert gaps[1] == pytest.approx(gaps[0], rel=1e-9)


def test_two_rings_pressed_together():
    """Each is flattened by (π/4 − 2/π) F R³/(E I), and both press alike (Timoshenko, Strength of Materials I)."""
    young, wide, thick, R, force, k = 2e9, 0.02, 0.004, 0.1, 10.0, 1e5
    material = fx.Isotropic(young=young, poisson=0.0, density=1000)
    high = 2 * R + thick
    tube = fx.HollowCylinder(R - thick / 2, R + thick / 2, wide)
    about = {"orders": (2, 6, 1), "orientation": UPRIGHT}
    low = fx.ShapeBody("low", tube, material, position=(0, 0, high / 2), **about)
    up = fx.ShapeBody("up", tube, material, position=(0, 0, 1.5 * high), **about)
    plate = fx.RigidBody("top", 1.0, 1e-2, position=(0, 0, 2 * high))
    law = fx.Penalty(k)
    items = [
        low,
        up,
        plate,
        fx.Prismatic("guide", fx.ground.at(0, 0, 2 * high), plate, axis="z"),
        fx.Contact("floor", fx.ground.surface(fx.Plane()), low.surface("outer", slices=2), law, friction=0.3),
        fx.Contact("between", low.surface("outer"), up.surface("outer", slices=2), law, friction=0.3),
        fx.Contact("roof", up.surface("outer", slices=2), plate.surface(fx.Plane(normal="-z")), law, friction=0.3),
        fx.PointForce("push", plate, direction="z", force=-force),
    ]
    found = fx.Model("flattened", items).statics()
    flatter = 2 * (np.pi / 4 - 2 / np.pi) * force * R**3 / (young * wide * thick**3 / 12)
    assert 2 * high - found["top.position_z"] - 3 * force / k == pytest.approx(flatter, rel=5e-3)
    assert found["between.normal_force"] == pytest.approx(force, rel=1e-6)


@pytest.mark.parametrize("kind", ["rings", "skins"])
def test_momentum_and_energy_when_two_free_bodies_hit(kind):
    """Both deform, off their middles: nothing is lost of momentum and energy."""
    if kind == "rings":
        a, b = (
            hoop("one", position=(0, 0, 0)),
            hoop("two", ACROSS, position=(0.01, 0.02, 0.2005), velocity=(0.1, 0, -1.0)),
        )
        touch = fx.Contact("touch", a.surface("outer"), b.surface("outer"), fx.Penalty(1e5, rest_speed=0.1))
    else:
        a = slab("one", position=(0, 0, 0))
        tilt = {"axis": (0.3, 1, 0), "angle": 0.1}
        b = slab("two", (2, 1, 1), position=(-0.1, 0.02, 0.064), orientation=tilt, velocity=(0.1, 0, -1.0))
        touch = fx.Contact("touch", top(a), bottom(b), fx.Penalty(1e5, rest_speed=0.1))
    run = fx.Model("hit", [a, b, touch]).dynamics(until=0.02, step=2e-4, show=False)
    assert run["touch.deepest"][-1] > 5e-4
    assert run["touch.normal_force"].values.max() > 10.0

    def momentum(row):
        total = np.zeros(3)
        for body in (a, b):
            made = body.reduced.mass_properties
            v, w = (
                np.array([run[f"{body.name}.{what}_{c}"][row] for c in "xyz"])
                for what in ("velocity", "angular_velocity")
            )
            R = quaternion_to_matrix([run[f"{body.name}.orientation_{c}"][row] for c in "wxyz"])
            total = total + made.mass * (v + np.cross(w, R @ made.com))
        return total

    p, p_end = momentum(0), momentum(-1)
    np.testing.assert_allclose(p_end, p, atol=1e-7 * np.abs(p).max())
    assert np.ptp(run["energy.check_sum"].values) < 2e-3 * run["energy.kinetic"][0]


def test_a_stiff_body_is_as_a_rigid_shape():
    """A ring falls on a stiff wheel of shape functions, and on a rigid cylinder as large."""
    steel = fx.Isotropic("210 GPa", 0.3, density=7800)
    law, found = fx.Penalty(1e4, rest_speed=0.1), []
    for stiff in (True, False):
        ring = hoop("ring", position=(0.01, 0.002, 0.201), velocity=(0, 0, -0.5))
        if stiff:
            wheel = fx.ShapeBody(
                "wheel", fx.Cylinder(0.1, 0.4), steel, orders=(1, 2, 1), position=(0, 0, 0), orientation=ACROSS
            )
            items = [wheel, fx.Contact("touch", wheel.surface("outer"), ring.surface("outer"), law)]
        else:
            mass = 7800 * np.pi * 0.1**2 * 0.4
            inertia = (mass * 0.1**2 / 2, mass * (3 * 0.1**2 + 0.4**2) / 12, mass * (3 * 0.1**2 + 0.4**2) / 12)
            wheel = fx.RigidBody("wheel", mass, inertia, position=(0, 0, 0), shapes=[fx.Cylinder(0.1, 0.4, axis="x")])
            items = [wheel, fx.Contact("touch", wheel, ring.surface("outer"), law)]
        run = fx.Model("m", [ring, *items]).dynamics(until=0.03, step=2e-4, show=False)
        found.append([run[f"ring.velocity_{c}"][-1] for c in "xyz"])
    np.testing.assert_allclose(found[0], found[1], atol=5e-3)


def test_what_cannot_touch_is_refused_in_words():
    ring, plate = hoop("ring"), slab("slab")
    cases = {
        "it connects body 'ring' with itself": [ring, fx.Contact("c", ring.surface("outer"), ring.surface("inner"), PUSH)],
        "both sides have slices or points": [
            ring, hoop("other"), fx.Contact("c", ring.surface("outer", slices=2), hoop("other").surface("outer", slices=2), PUSH)
        ],
        "slices are for bodies of shape functions": [ring, plate, fx.Contact("c", plate.surface("skin", slices=2), ring.surface("outer"), PUSH)],
    }  # fmt: skip
    for words, items in cases.items():
        try:
            said = str(fx.Model("m", items).check())
        except fx.ModelError as error:
            said = str(error)
        assert words in said


@pytest.mark.parametrize("formulation", ["full_mesh", "superelement"])
def test_a_coarse_mesh_that_touches_a_fine_one_is_told(formulation):
    """Between its nodes, 50 to 100 mm apart, a block of 60 × 30 mm would fall through."""
    options = {} if formulation == "full_mesh" else {"reduction": fx.CraigBampton(modes=6)}
    steel = fx.Steel()
    plate = fx.FlexibleBody(
        "plate", bar(0.4, 0.1, 0.02, divisions=(4, 2, 1), element="hex8", material=steel), formulation=formulation,
        interfaces={"left": fx.plane(at=(0, 0, 0), normal="x")}, position=(0, 0, 0), **options,
    )  # fmt: skip
    block = fx.FlexibleBody(
        "block", bar(0.06, 0.03, 0.03, divisions=(4, 2, 2), element="hex8", material=steel), formulation=formulation,
        interfaces={"top": fx.plane(at=(0, 0, 0.015), normal="z")}, position=(0.11, 0.0251, 0.03), **options,
    )  # fmt: skip
    for a, b, told in ((plate, block, False), (block, plate, True)):
        touch = fx.Contact("touch", a.surface("skin"), b.surface("skin"), fx.Penalty("1e5 N/m"))
        found = str(fx.Model("m", [plate, block, touch, fx.Fixed("clamp", fx.ground, plate["left"])]).check())
        assert ("passes through unseen, exchange a and b" in found) == told
