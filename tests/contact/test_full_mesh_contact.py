"""Contact that moves over full meshes: tangents, balance, superelements as a reference, weight, momentum, energy, Hertz, files, refusals."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.engine.initial import move
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.io import write_inp
from flexor.law import MATRIX, RESIDUAL
from flexor.law.face import INTEGRATED
from flexor.mesh.generate import bar, plate
from flexor.model.lower import lower
from flexor.spatial import exp_so3

RUBBER = fx.Isotropic(young="200 MPa", poisson=0.3, density=1000)
PUSH = fx.Penalty(1e5, rest_speed=0.1)
RUB = {"coefficient": 0.3, "micro_slip": 1e-2}
ROLL = {**RUB, "rolling": 0.01, "spinning": 0.01}
ENDS = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(0.4, 0, 0), normal="x")}


def slab(divisions=(8, 4, 1), element="hex8", formulation="full_mesh", modes=6, material=RUBBER, **about):
    """A plate of 400 × 100 × 20 mm, from x = 0 on."""
    mesh = bar(0.4, 0.1, 0.02, divisions=divisions, element=element, material=material)
    if formulation != "full_mesh":
        about = {"reduction": fx.CraigBampton(modes=modes), **about}
    return fx.FlexibleBody("slab", mesh, formulation=formulation, **{"interfaces": ENDS, **about})


def ball(x, y=0.0, z=0.05, **about):
    return fx.RigidBody("ball", 0.5, 3e-4, position=(x, y, z), **{"shapes": [fx.Sphere(0.04)], **about})


RIM = fx.Cylinder(0.02, 0.1, axis=(0.9063, 0, -0.4226))
"""Its lowest point is 39.26 mm below its middle, 36.86 mm along x."""
SCENES = {
    "inside a triangle": (fx.Sphere(0.04), (0.163, 0.013, 0.0495)),
    "on an edge": (fx.Sphere(0.04), (0.21, -0.0502, 0.048)),
    "at a tied corner": (fx.Sphere(0.04), (0.4205, 0.0608, 0.0408)),
    "on a torus": (fx.Torus(0.1, 0.01, axis="x"), (0.207, 0.011, 0.1195)),
    "rim inside a triangle": (RIM, (0.163, 0.013, 0.0492)),
    "rim over an edge": (RIM, (0.153, -0.0497, 0.049)),
    "rim at a corner": (RIM, (0.3632, 0.0501, 0.0488)),
    "nodes on a plane": (fx.Plane(normal="-z"), (0.2, 0.0, 0.0099)),
    "nodes in a bore": (fx.Cylinder(0.2, 1.0, axis="x", inside=True), (0.2, 0.0, 0.1842)),
}


def contact_alone(shape, place, friction, python=False):
    """The contact of a plate with a moving body as all that there is in the equations."""
    body, plate = fx.RigidBody("ball", 0.5, 3e-4, position=place), slab((6, 2, 1))
    touch = fx.Contact("touch", body.surface(shape), plate.surface("skin"), PUSH, friction=friction)
    mechanism = lower(fx.Model("m", [plate, body, touch]))
    terms = tuple(term for term in mechanism.terms if term.name == "touch")
    return System(replace(mechanism, terms=terms), symmetric=False, python=python)


def forces(system, states=0.0, c=(1.0, 0.0, 0.0)):
    """All residuals, with the matrix left in the solver."""
    system.run.want, system.run.time = RESIDUAL | MATRIX, 0.02
    now = system.memory.coefficients
    now.K, now.C, now.M, now.turning, now.states = *c, 0.0, states
    assert system.call("assemble") == OK
    return system.memory.residual.copy()


@pytest.mark.parametrize("states", [0.0, INTEGRATED], ids=["at rest", "in a step"])
@pytest.mark.parametrize("kind", SCENES)
def test_tangents_are_exact_and_forces_balance(kind, states):
    """Against differences, of all coordinates that the contact reaches, those of nodes tied to an interface included; the sum of all forces and their moments is none."""
    system = contact_alone(*SCENES[kind], RUB if kind.startswith("nodes") else ROLL)
    random = np.random.default_rng(1)
    n = system.equations.pattern.n
    move(system, 2e-5 * random.normal(size=n))
    system.memory.v[6:] = 0.1 * states * random.normal(size=len(system.memory.v) - 6)
    system.call("follow")
    system.run.time = 0.0
    system.call("commit")
    move(system, 1e-5 * random.normal(size=n))
    r = forces(system, states)
    nodes, rows = system.node_rows
    wrench = r[rows]
    wrench[:, 3:][np.array([len(system.mechanism.nodes[i].locked) > 0 for i in nodes])] = 0.0
    x = system.nodes("x")[nodes]
    assert np.abs(wrench[:, :3]).max() > 1.0
    np.testing.assert_allclose(wrench[:, :3].sum(axis=0), 0, atol=1e-11 * np.abs(r).max())
    moments = (np.cross(x, wrench[:, :3]) + wrench[:, 3:]).sum(axis=0)
    np.testing.assert_allclose(moments, 0, atol=1e-11 * np.abs(r).max())

    kept = system.copy("x", "R", "v")
    K = system.solver.to_csc().toarray()
    some = np.flatnonzero(np.abs(K).max(axis=0) * system.is_coordinate)
    assert len(some) >= 9
    found = np.zeros((n, len(some)))
    for i, j in enumerate(some):
        for step, weight in ((1e-7, 4 / 3), (-1e-7, 4 / 3), (2e-7, -1 / 3), (-2e-7, -1 / 3)):  # of fourth order
            system.put(kept)
            move(system, step * np.eye(n)[j])
            system.put({"v": kept["v"]})  # those of tied nodes would turn with them
            found[:, i] += weight * forces(system, states) / (2 * step)
    system.put(kept)
    move(system, np.zeros(n))
    np.testing.assert_allclose(K[:, some][some], found[some], rtol=0, atol=3e-7 * np.abs(K[some][:, some]).max())

    forces(system, states, (0.0, 1.0, 0.0))
    K = system.solver.to_csc().toarray()
    chosen = [(int(i), int(node), j) for i, node in enumerate(nodes) for j in range(3)]
    for i, node, j in chosen[:: max(1, len(chosen) // 12)]:
        slope = 0.0
        for step in (1e-4, -1e-4):
            system.put(kept)
            system.memory.v[6 * node + j] += step
            system.call("follow")
            slope += forces(system, states) / (2 * step)
        np.testing.assert_allclose(K[some, rows[i, j]], slope[some], rtol=0, atol=1e-6 * np.abs(K[some][:, some]).max())


@pytest.mark.parametrize("kind", ["inside a triangle", "rim inside a triangle", "nodes on a plane"])
def test_forces_turn_with_both_bodies(kind):
    """What is remembered of friction, too: after a turn of all that there is by more than a radian, forces are the same in axes that turned as well."""
    system = contact_alone(*SCENES[kind], RUB if kind.startswith("nodes") else ROLL)
    random, n = np.random.default_rng(2), system.equations.pattern.n
    system.run.time = 0.0
    system.call("commit")
    move(system, 1e-5 * random.normal(size=n))
    rows, turn = system.node_rows[1], exp_so3(np.array([0.7, -0.9, 0.4]))
    before = forces(system)[rows[:, :3]]
    x, R = system.nodes("x"), system.nodes("R").reshape(-1, 3, 3)
    x[:], R[:] = x @ turn.T, turn @ R
    np.testing.assert_allclose(forces(system)[rows[:, :3]], before @ turn.T, rtol=0, atol=1e-9 * np.abs(before).max())


def test_rolling_resistance_slows_a_ball_down():
    """It rolls on without sliding, over nodes and edges: (m + I/r²) a = −ρ m g/r, on a plate that hardly gives way."""
    arm, r, v, I, g = 1e-3, 0.04, 0.5, 3e-4, 9.81
    steel = fx.Isotropic("210 GPa", 0.3, density=7800)
    plate = slab((8, 2, 1), material=steel, damping=fx.Rayleigh(beta=1e-5))
    rider = ball(0.05, 0.013, 0.05 - 0.5 * g / 1e6, velocity=(v, 0, 0), angular_velocity=(0, v / r, 0))
    rub = {"coefficient": 0.5, "rolling": arm}
    touch = fx.Contact("touch", rider, plate.surface("skin"), fx.Penalty(1e6, rest_speed=0.1), friction=rub)
    ends = fx.Fixed("clamp", fx.ground, plate["left"]), fx.Fixed("held", fx.ground.at(0.4, 0, 0), plate["right"])
    run = fx.Model("rolls", [plate, rider, touch, *ends], gravity=(0, 0, -g)).dynamics(until=0.3, step=1e-3, show=False)
    slower = arm * g / r / (1 + I / (0.5 * r**2)) * 0.3
    assert v - run["ball.velocity_x"][-1] == pytest.approx(slower, rel=5e-3)
    assert run["ball.angular_velocity_y"][-1] == pytest.approx(run["ball.velocity_x"][-1] / r, rel=1e-3)


@pytest.mark.parametrize("kind", ["inside a triangle", "nodes on a plane"])
def test_compiled_is_python(kind):
    """Forces and matrix of the compiled laws are those of their text."""
    found = []
    for python in (False, True):
        system = contact_alone(*SCENES[kind], RUB, python)
        system.memory.v[6:12] = 0.1
        r = forces(system, INTEGRATED)
        found.append((r, system.solver.to_csc().toarray()))
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-12 * np.abs(b).max())


def test_without_friction_forces_have_a_potential():
    """The matrix is symmetric but for the rotations, which do not commute; the laws say so, and the matrix is factorised as such."""
    system = contact_alone(*SCENES["inside a triangle"], 0.0)
    forces(system)
    K = system.solver.to_csc().toarray()
    assert all(term.law.symmetric for term in system.mechanism.terms)
    straight = system.node_rows[1][:, :3].ravel()
    np.testing.assert_allclose(
        K[straight][:, straight], K[straight][:, straight].T, rtol=0, atol=1e-12 * np.abs(K).max()
    )


def test_terms_that_do_not_touch_are_not_asked():
    """Of all triangles one acts, of all nodes those that are below the surface; none couples more than a triangle and the body that it touches."""
    for kind, acting in (("inside a triangle", 1), ("nodes on a plane", 21)):
        system = contact_alone(*SCENES[kind], 0.0)
        forces(system)
        terms = system.terms
        asked = (terms["acts"] >= 0) & (system.memory.history[terms["acts"]] == terms["number"])
        assert asked.sum() == acting
        assert terms["nodes"].max() <= 4
        assert len(terms) > 40


def pressed(body, at, force, law=PUSH):
    """A ball on a guide is pressed on the skin of a clamped plate."""
    x, y, z = at
    rider = ball(x, y, z)
    items = [
        fx.Contact("touch", rider, body.surface("skin"), law),
        fx.Fixed("clamp", fx.ground, body["left"]),
        fx.Prismatic("guide", fx.ground.at(x, y, z), rider, axis="z"),
        fx.PointForce("push", rider, direction="z", force=-force),
    ]
    return fx.Model("pressed", [body, rider, *items])


def sheet(formulation):
    """A plate of shells, 400 × 100 × 10 mm."""
    mesh = plate(0.4, 0.1, 0.01, divisions=(8, 4), element="shell4", material=RUBBER)
    about = {} if formulation == "full_mesh" else {"reduction": fx.CraigBampton(modes=60)}
    return fx.FlexibleBody("slab", mesh, formulation=formulation, interfaces=ENDS, **about)


@pytest.mark.parametrize("element", ["hex8", "hex20", "tet10", "shell4"])
def test_a_plate_gives_way_as_the_superelement_with_all_its_modes(element):
    """Under a small force, by which it bends linearly: deflection, force and point; faces of three, four, six and eight nodes."""
    at, found = (0.287, 0.021, 0.04 + 0.01 * (element != "shell4")), []
    for formulation in ("full_mesh", "superelement"):
        divisions = (8, 4, 1) if element == "hex8" else (4, 2, 1)
        body = sheet(formulation) if element == "shell4" else slab(divisions, element, formulation, 200)
        rest = pressed(body, at, 0.01).statics()
        found.append(
            [at[2] - rest["ball.position_z"], rest["touch.normal_force"], rest["touch.gap"], *rest["touch.point"]]
        )
    full, other = found
    assert full[0] > 3e-6
    assert full[1] == pytest.approx(0.01, rel=1e-6)
    assert full[0] == pytest.approx(other[0], rel=2e-4)
    assert full[2:] == pytest.approx(other[2:], rel=1e-3, abs=1e-9)


def test_momentum_and_energy_when_a_ball_hits_a_free_plate():
    """Between nodes, off the middle: linear and angular momentum, of all nodes with the consistent mass, to rounding of the steps; energy as far as they are short."""
    body = slab(interfaces={}, position=(0, 0, 0))
    hammer = ball(0.287, 0.021, 0.0505, velocity=(0.3, 0.1, -1.0))
    model = fx.Model("hit", [body, hammer, fx.Contact("touch", hammer, body.surface("skin"), PUSH)])
    run = model.dynamics(until=0.015, step=1e-4, show=False)
    assert run["touch.deepest"][-1] > 1e-3
    assert run["touch.normal_force"][-1] == 0.0
    M = assemble(body.mesh).M.toarray().reshape(len(body.mesh.points), 3, -1, 3)[:, 0, :, 0]
    ids = body.mesh.node_ids

    def momentum(row):
        x, v = (
            np.array([[run[f"slab.node_{i}.{what}_{c}"][row] for c in "xyz"] for i in ids])
            for what in ("position", "velocity")
        )
        x_b, v_b, w_b = (
            np.array([run[f"ball.{what}_{c}"][row] for c in "xyz"])
            for what in ("position", "velocity", "angular_velocity")
        )
        linear = 0.5 * v_b + (M @ v).sum(axis=0)
        return linear, np.cross(x_b, 0.5 * v_b) + 3e-4 * w_b + np.cross(x, M @ v).sum(axis=0)

    for begin, end in zip(momentum(0), momentum(-1), strict=True):
        np.testing.assert_allclose(end, begin, atol=1e-6 * np.abs(begin).max())
    assert np.ptp(run["energy.check_sum"].values) < 1e-3 * run["energy.kinetic"][0]
    floating = slab(formulation="floating", reduction=fx.Modal(modes=60), interfaces={}, position=(0, 0, 0))
    other = fx.Model("hit", [floating, hammer, fx.Contact("touch", hammer, floating.surface("skin"), PUSH)])
    again = other.dynamics(until=0.015, step=1e-4, show=False)
    assert run["ball.velocity_z"][-1] == pytest.approx(again["ball.velocity_z"][-1], abs=5e-3)


def test_a_block_falls_on_a_plane_and_rests():
    """Its nodes carry its weight exactly, and what pulls it sideways; on a steeper slope it slides with g (sin α − μ cos α)."""
    mesh, weight = bar(0.2, 0.1, 0.1, divisions=(2, 1, 1), element="hex8", material=RUBBER), 2.0 * 9.81
    block = fx.FlexibleBody(
        "block", mesh, formulation="full_mesh", position=(0, 0, 0.0505), damping=fx.Rayleigh(beta=1e-4)
    )
    on = fx.Contact(
        "on", fx.ground.surface(fx.Plane()), block.surface("skin"), fx.Penalty(1e5, restitution=0.3), friction=0.3
    )
    run = fx.Model("falls", [block, on], gravity=(1, 0, -9.81)).dynamics(until=0.3, step=1e-3, show=False)
    assert run["on.normal_force"][-1] == pytest.approx(weight, rel=1e-8)
    assert run["on.force"][-1] == pytest.approx((-2.0, 0, weight), abs=1e-6 * weight)
    assert run["on.sticks"][-1] == 1.0
    assert run["on.gap"][-1] == pytest.approx(-weight / 6 / 1e5, rel=0.2)
    lies = block.replace(position=(0, 0, 0.05 - weight / 6 / 1e5))
    run = fx.Model("slides", [lies, on], gravity=(5, 0, -9.81)).dynamics(until=0.2, step=1e-3, show=False)
    gained = run["block.position_x"][-1] - run["block.position_x"][100]
    assert gained == pytest.approx((5 - 0.3 * 9.81) * (0.2**2 - 0.1**2) / 2, rel=5e-3)
    assert run["on.sticks"][-1] == 0.0
    assert run["on.power"][-1] == pytest.approx(0.3 * weight * (5 - 0.3 * 9.81) * 0.2, rel=0.02)


def test_a_bullet_is_noticed():
    """In one step it would be far beyond the plate, which is hit all the same, and throws it back."""
    bullet = ball(0.2, 0.01, 0.35, velocity=(0, 0, -100.0), shapes=[fx.Sphere(0.01)]).replace(
        mass=0.01, inertia=(1e-6,) * 3
    )
    body = slab((4, 2, 1), position=(0, 0, 0), interfaces={})
    model = fx.Model("shot", [body, bullet, fx.Contact("touch", bullet, body.surface("skin"), fx.Penalty(1e7))])
    run = model.dynamics(until=0.004, step=1e-3, show=False)
    assert run["ball.velocity_z"][-1] > 20.0


def test_a_ball_rolls_over_edges_without_jumps():
    """The gap under a ball that moves over a bent plate, triangle by triangle, is that of a superelement of the same mesh; told in the axes of the body if that is a."""
    found = []
    for formulation in ("full_mesh", "superelement"):
        body = slab((8, 2, 1), formulation=formulation, modes=100, damping=fx.Rayleigh(beta=1e-3))
        rider = ball(0.05, 0.013, 0.05, velocity=(0.5, 0, -2.5e-4))
        items = [
            fx.Fixed("clamp", fx.ground, body["left"]),
            fx.Fixed("held", fx.ground.at(0.4, 0, 0), body["right"]),
            fx.Prismatic("guide", fx.ground.at(0.05, 0.013, 0.05), rider, axis=(1, 0, -5e-4)),
            fx.Contact("touch", body.surface("skin"), rider, PUSH),
        ]
        run = fx.Model("rolls", [body, rider, *items]).dynamics(until=0.6, step=2e-3, show=False)
        found.append((run["touch.gap"].values, run["touch.point_x"].values, run["touch.force_z"].values))
    (gap, place, force), reference = (np.array(each)[:, 10:] for each in found)
    np.testing.assert_allclose(gap, reference[0], atol=2e-3 * np.abs(gap).max())
    np.testing.assert_allclose(place, reference[1], atol=1e-4)
    np.testing.assert_allclose(force, reference[2], atol=2e-3 * force.max())
    assert np.ptp(place) > 0.25
    assert np.abs(np.diff(gap)).max() < 0.05 * np.abs(gap).max()


def graded(n, first, growth):
    """A block as wide as twice its depth, its elements growing by a factor from one to the next away from the middle of its top; and its depth."""
    x = np.concatenate([[0.0], np.cumsum(first * growth ** np.arange(n))])
    deep = x[-1]
    mesh = bar(2 * deep, 2 * deep, deep, divisions=(2 * n, 2 * n, n), element="hex8", material=RUBBER)
    k = np.rint((mesh.points - mesh.points.min(axis=0)) / (deep / n)).astype(int)
    along = np.concatenate([-x[::-1], x[1:]])
    return replace(mesh, points=np.column_stack([along[k[:, 0]], along[k[:, 1]], -x[::-1][k[:, 2]]])), deep


@pytest.mark.slow
def test_hertz():
    """A rigid sphere is pressed into a block, every node of which touches by itself, stiffly: the approach of Hertz, less that of the half space below the block."""
    mesh, deep = graded(8, 0.7e-3, 1.35)
    R, force = 0.1, 100.0
    block = fx.FlexibleBody(
        "block", mesh, formulation="full_mesh", interfaces={"floor": fx.plane(at=(0, 0, -deep), normal="z")}
    )
    rider = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, R), shapes=[fx.Sphere(R)])
    top = block.surface(fx.plane(at=(0, 0, 0), normal="z"), every_node=True)
    items = [
        fx.Fixed("clamp", fx.ground.at(0, 0, -deep), block["floor"]),
        fx.Prismatic("guide", fx.ground.at(0, 0, R), rider, axis="z"),
        fx.PointForce("push", rider, direction="z", force=-force),
        fx.Contact("touch", rider, top, fx.Penalty(1e7)),
    ]
    found = fx.Model("hertz", [block, rider, *items]).statics()
    modulus = 2e8 / (1 - 0.3**2)
    approach = (3 * force / (4 * modulus * np.sqrt(R))) ** (2 / 3)  # Hertz 1882
    assert found["touch.force_z"] == pytest.approx(-force, rel=1e-6)
    assert R - found["ball.position_z"] == pytest.approx(approach - force / (np.pi * modulus * deep), rel=0.025)


def test_files_checks_and_sensors(tmp_path):
    """Sides of full meshes are written and read; what overlaps is told; a sensor may read the force and feed it back."""
    write_inp(tmp_path / "slab.inp", bar(0.4, 0.1, 0.02, divisions=(4, 2, 1), element="hex8", material=RUBBER))
    body = fx.FlexibleBody("slab", tmp_path / "slab.inp", formulation="full_mesh", interfaces=ENDS, position=(0, 0, 0))
    rider, group = ball(0.21, 0.01, 0.0502), fx.plane(at=(0, 0, 0.01), normal="z")
    items = [
        body,
        rider,
        fx.Fixed("clamp", fx.ground, body["left"]),
        fx.Contact("touch", rider, body.surface("skin"), PUSH, friction=0.2),
        fx.Contact("nodes", rider, body.surface(group, every_node=True), PUSH),
        fx.Sensor("felt", "touch.normal_force"),
        fx.PointForce("lift", rider, direction="z", force=fx.polynomial(0, 0.5, sensor="felt")),
    ]
    model = fx.Model("m", items, gravity=(0, 0, -9.81))
    model.save(tmp_path / "m.yaml")
    again = fx.Model.load(tmp_path / "m.yaml")
    assert again == model
    assert "every_node: true" in (tmp_path / "m.yaml").read_text()
    assert "modes" not in str(again.check())
    run = again.dynamics(until=0.02, step=1e-3, show=False)
    assert run["touch.normal_force"].values.max() > 1.0
    felt = run["touch.normal_force"].values  # what is read is that of the last iteration
    np.testing.assert_allclose(run["felt.value"].values, felt, atol=1e-5 * felt.max())
    sunk = model.replace(
        items=[rider.replace(position=(0.21, 0.01, 0.03)) if each is rider else each for each in items]
    )
    assert "overlap by 0.02 m at the start" in str(sunk.check())


def test_what_cannot_be_is_refused_in_words():
    body, rider = slab((4, 2, 1)), ball(0.21)
    cases = {
        "it resists rolling or spinning; 'slab' is a full mesh": fx.Contact("c", rider, body.surface("skin", every_node=True), PUSH, friction={"coefficient": 0.1, "rolling": 1e-3}),
        "slices are for bodies of shape functions": fx.Contact("c", rider, body.surface("skin", slices=3), PUSH),
        "the mesh has no node set 'lid'": fx.Contact("c", rider, body.surface("lid"), PUSH),
        "Hertz's law is of one point": fx.Contact("c", rider, body.surface("skin", every_node=True), fx.Hertz("steel")),
    }  # fmt: skip
    for words, touch in cases.items():
        with pytest.raises(fx.ModelError, match=words):
            fx.Model("m", [body, rider, touch]).check()
