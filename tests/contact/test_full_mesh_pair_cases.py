"""Two bodies that deform, one or both of them full meshes: superelements as a reference, closed forms of impacts, rest, Hertz, sensors, files, refusals."""

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.io import write_inp
from flexor.mesh.generate import bar
from flexor.mesh.select import Numbered
from tests.contact.full_mesh_scenes import PUSH, RUBBER, scene, slab, top


def pressed(formulations, force=0.01):
    """A block is pressed on the middle of a plate that is held at both ends, at places between its nodes; each a full mesh, or a superelement with nearly all modes."""
    plate = slab("plate", (8, 4, 1), formulations[0], 200)
    mesh = bar(0.08, 0.04, 0.04, divisions=(2, 1, 1), element="hex8", material=RUBBER)
    about = {} if formulations[1] == "full_mesh" else {"reduction": fx.CraigBampton(modes=200)}
    block = fx.FlexibleBody(
        "block", mesh, formulation=formulations[1], position=(0.163, 0.013, 0.03),
        interfaces={"top": fx.plane(at=(0, 0, 0.02), normal="z")}, **about,
    )  # fmt: skip
    rider = fx.RigidBody("rider", 0.5, 3e-4, position=(0.203, 0.013, 0.05))
    items = [
        fx.Contact("touch", top(plate), block.surface(fx.plane(at=(0, 0, -0.02), normal="z")), PUSH),
        fx.Fixed("left", fx.ground, plate["left"]),
        fx.Fixed("right", fx.ground.at(0.4, 0, 0), plate["right"]),
        fx.Fixed("held", rider, block["top"]),
        fx.Prismatic("guide", fx.ground.at(0.203, 0.013, 0.05), rider, axis="z"),
        fx.PointForce("push", rider, direction="z", force=-force),
    ]
    rest = fx.Model("pressed", [plate, block, rider, *items]).statics()
    names = ["touch.normal_force", "touch.gap", *(f"touch.point_{c}" for c in "xy")]
    return np.array([0.05 - rest["rider.position_z"], *(rest[name] for name in names)])


def test_full_meshes_give_way_as_superelements_do():
    """Under a small force, by which they bend linearly: deflection, force, gap and point, of all four pairs."""
    kinds = ("full_mesh", "superelement")
    *pairs, reference = [pressed((a, b)) for a in kinds for b in kinds]
    assert reference[0] > 1e-7
    for found in pairs:
        assert found[1] == pytest.approx(0.01, rel=1e-6)
        assert found[0] == pytest.approx(reference[0], rel=2e-5)
        assert found[2] == pytest.approx(reference[2], rel=1e-5)
        assert found[2:] == pytest.approx(reference[2:], rel=1e-3, abs=1e-12)


def momentum(run, bodies, row):
    """Linear and angular, of all nodes with the consistent mass."""
    linear, angular = np.zeros(3), np.zeros(3)
    for body in bodies:
        M = assemble(body.mesh).M.toarray().reshape(len(body.mesh.points), 3, -1, 3)[:, 0, :, 0]
        x, v = (
            np.array([[run[f"{body.name}.node_{i}.{what}_{c}"][row] for c in "xyz"] for i in body.mesh.node_ids])
            for what in ("position", "velocity")
        )
        linear, angular = linear + (M @ v).sum(axis=0), angular + np.cross(x, M @ v).sum(axis=0)
    return linear, angular


def test_equal_bars_exchange_their_velocities():
    """St. Venant: F = ½ ρ c v A for the time 2 L/c, after which the bar that came rests, and the other one goes on with its velocity (Johnson, Impact Strength of Materials, 1972)."""
    young, rho, long, wide, v = 200e6, 1000.0, 1.0, 0.1, 1.0
    c = np.sqrt(young / rho)
    time, mass = 2 * long / c, rho * long * wide**2
    material = fx.Isotropic(young=young, poisson=0.0, density=rho)
    mesh = bar(long, wide, wide, divisions=(20, 1, 1), element="hex8", material=material)
    one = fx.FlexibleBody("one", mesh, formulation="full_mesh", position=(0, 0, 0), velocity=(v, 0, 0))
    two = one.replace(name="two", position=(long + 1e-6, 0, 0), velocity=(0, 0, 0))
    ends = one.surface(fx.plane(at=(long, 0, 0), normal="x")), two.surface(fx.plane(at=(0, 0, 0), normal="x"))
    touch = fx.Contact("touch", *ends, fx.Penalty(1e7, rest_speed=0.01))
    run = fx.Model("bars", [one, two, touch]).dynamics(until=1.5 * time, step=time / 100, show=False)
    force, t = run["touch.normal_force"].values, run.time
    assert force[(t > 0.1 * time) & (t < 0.9 * time)].mean() == pytest.approx(0.5 * rho * c * v * wide**2, rel=0.005)
    assert t[force > 0].max() == pytest.approx(time, rel=0.01)
    rests, goes = (momentum(run, [body], -1)[0][0] / mass for body in (one, two))
    assert rests == pytest.approx(0.0, abs=0.011)
    assert goes == pytest.approx(v, abs=0.011)
    assert rests + goes == pytest.approx(v, rel=1e-9)
    assert np.ptp(run["energy.check_sum"].values) < 1e-3 * run["energy.kinetic"][0]


def test_momentum_and_energy_when_two_free_meshes_hit():
    """A block hits a plate off its middle, aslant, and rubs: momentum and angular momentum to rounding of the steps; what friction takes is accounted for."""
    plate = slab("plate", (4, 2, 1), interfaces={}, position=(0, 0, 0))
    mesh = bar(0.08, 0.04, 0.04, divisions=(2, 1, 1), element="hex8", material=RUBBER)
    tilt = {"axis": (0.3, 1, 0), "angle": 0.1}
    block = fx.FlexibleBody(
        "block", mesh, formulation="full_mesh", position=(0.24, 0.01, 0.0382), orientation=tilt, velocity=(0.3, 0.1, -1.0)
    )  # fmt: skip
    law = fx.Penalty(1e5, rest_speed=0.1)
    touch = fx.Contact("touch", top(plate), block.surface("skin"), law, friction={"coefficient": 0.3})
    run = fx.Model("hit", [plate, block, touch]).dynamics(until=0.01, step=1e-4, show=False)
    assert run["touch.deepest"][-1] > 1e-4
    assert run["touch.friction_force"].values.max() > 1.0
    assert run["touch.normal_force"][-1] == 0.0
    for begin, end in zip(*(momentum(run, (plate, block), row) for row in (0, -1)), strict=True):
        np.testing.assert_allclose(end, begin, atol=5e-7 * np.abs(begin).max())
    assert np.ptp(run["energy.check_sum"].values) < 3e-4 * run["energy.kinetic"][0]


def test_a_block_of_a_full_mesh_rests_on_another():
    """Its nodes carry its weight, and friction holds what pulls it sideways."""
    mesh = bar(0.2, 0.1, 0.1, divisions=(2, 1, 1), element="hex8", material=RUBBER)
    about = {"formulation": "full_mesh", "damping": fx.Rayleigh(beta=1e-4)}
    wider = bar(0.3, 0.2, 0.1, divisions=(3, 2, 1), element="hex8", material=RUBBER)
    base = fx.FlexibleBody(
        "base", wider, position=(-0.05, 0, 0), interfaces={"floor": fx.plane(at=(0, 0, -0.05), normal="z")}, **about
    )
    block, weight = fx.FlexibleBody("block", mesh, position=(0.01, 0.005, 0.1002), **about), 2.0 * 9.81
    on = fx.Contact(
        "on", base.surface(fx.plane(at=(0, 0, 0.05), normal="z")),
        block.surface(fx.plane(at=(0, 0, -0.05), normal="z")), fx.Penalty(1e5, restitution=0.3), friction=0.3,
    )  # fmt: skip
    items = [base, block, on, fx.Fixed("clamp", fx.ground.at(0.1, 0, -0.05), base["floor"])]
    run = fx.Model("rests", items, gravity=(1, 0, -9.81)).dynamics(until=0.3, step=1e-3, show=False)
    assert run["on.normal_force"][-1] == pytest.approx(weight, rel=1e-4)
    assert run["on.force"][-1] == pytest.approx((-2.0, 0, weight), abs=1e-3 * weight)
    assert run["on.sticks"][-1] == 1.0
    assert abs(run[f"block.node_{mesh.node_ids[0]}.velocity_x"][-1]) < 1e-6


def graded(n, first, growth, radius):
    """A block as wide as twice its height, its elements growing by a factor away from the middle of its lower face, which is curved; and its height."""
    x = np.concatenate([[0.0], np.cumsum(first * growth ** np.arange(n))])
    high = x[-1]
    mesh = bar(2 * high, 2 * high, high, divisions=(2 * n, 2 * n, n), element="hex8", material=RUBBER)
    k = np.rint((mesh.points - mesh.points.min(axis=0)) / (high / n)).astype(int)
    along = np.concatenate([-x[::-1], x[1:]])
    points = np.column_stack([along[k[:, 0]], along[k[:, 1]], x[k[:, 2]]])
    points[:, 2] += (points[:, 0] ** 2 + points[:, 1] ** 2) / (2 * radius) * (1 - points[:, 2] / high)
    return replace(mesh, points=points), high, mesh.node_ids[k[:, 2] == 0]


@pytest.mark.slow
def test_hertz():
    """A curved block on a flat one of the same material, both full meshes, four elements across the radius of contact: the approach of Hertz, less that of the half spaces beyond the blocks."""
    R, force, off = 0.1, 40.0, (0.37e-3, 0.21e-3)  # no node lies over another one
    curved, high, below = graded(7, 0.6e-3, 1.5, R)
    flat, _, above = graded(7, 0.6e-3, 1.5, np.inf)
    over = fx.FlexibleBody(
        "over", curved, formulation="full_mesh", position=(0, 0, 0), interfaces={"roof": fx.plane(at=(0, 0, high), normal="z")}
    )  # fmt: skip
    base = over.replace(name="base", mesh=flat, position=(*off, 0), orientation={"axis": "x", "angle": "180 deg"})
    rider = fx.RigidBody("rider", 1.0, 1e-3, position=(0, 0, high))
    sides = (body.surface(Numbered(ids=tuple(ids.tolist()))) for body, ids in ((base, above), (over, below)))
    items = [
        fx.Fixed("clamp", base["roof"], fx.ground.at(*off, -high)),
        fx.Fixed("held", rider, over["roof"]),
        fx.Prismatic("guide", fx.ground.at(0, 0, high), rider, axis="z"),
        fx.PointForce("push", rider, direction="z", force=-force),
        fx.Contact("touch", *sides, fx.Penalty(2e6)),
    ]
    found = fx.Model("hertz", [base, over, rider, *items]).statics()
    modulus = 2e8 / (1 - 0.3**2)
    approach = (3 * force / (2 * modulus * np.sqrt(R))) ** (2 / 3)  # Hertz 1882, of two equal materials
    assert high - found["rider.position_z"] == pytest.approx(approach - 2 * force / (np.pi * modulus * high), rel=0.02)


def test_a_sensor_reads_the_force():
    """Of a full mesh on a superelement, whose scalars the watching term has: a block drops on a plate, and is lifted by half of the force that it feels."""
    plate = slab("plate", (4, 2, 1), "superelement", 10, damping=fx.Rayleigh(beta=1e-4))
    mesh = bar(0.08, 0.04, 0.04, divisions=(2, 1, 1), element="hex8", material=RUBBER)
    block = fx.FlexibleBody(
        "block", mesh, formulation="full_mesh", position=(0.163, 0.013, 0.0301),
        interfaces={"top": fx.plane(at=(0, 0, 0.02), normal="z")},
    )  # fmt: skip
    rider = fx.RigidBody("rider", 0.5, 3e-4, position=(0.203, 0.013, 0.0501))
    items = [
        fx.Contact("touch", top(plate), block.surface(fx.plane(at=(0, 0, -0.02), normal="z")), PUSH, friction=0.2),
        fx.Fixed("left", fx.ground, plate["left"]),
        fx.Fixed("right", fx.ground.at(0.4, 0, 0), plate["right"]),
        fx.Fixed("held", rider, block["top"]),
        fx.Prismatic("guide", fx.ground.at(0.203, 0.013, 0.0501), rider, axis="z"),
        fx.Sensor("felt", "touch.normal_force"),
        fx.PointForce("lift", rider, direction="z", force=fx.polynomial(0, 0.5, sensor="felt")),
    ]
    run = fx.Model("m", [plate, block, rider, *items], gravity=(0, 0, -9.81)).dynamics(
        until=0.03, step=1e-3, show=False
    )
    force = run["touch.normal_force"].values
    assert force.max() > 10.0
    np.testing.assert_allclose(run["felt.value"].values, force, atol=1e-5 * force.max())  # that of the last iteration


def test_files_and_refusals(tmp_path):
    """Pairs are written and read; what cannot be is told."""
    a, b, one, other = scene("mesh on a mesh")
    write_inp(tmp_path / "slab.inp", a.mesh)
    a = a.replace(mesh=tmp_path / "slab.inp")
    model = fx.Model("m", [a, b.replace(mesh=tmp_path / "slab.inp"), fx.Contact("c", one, other, PUSH, friction=0.2)])
    model.save(tmp_path / "m.yaml")
    again = fx.Model.load(tmp_path / "m.yaml")
    assert again == model
    assert "full mesh" not in str(again.check())
    fine = slab("one", (24, 12, 4), position=(0, 0, 0)), slab("two", (24, 12, 4), position=(0, 0, 0.05))
    rolls = fx.Contact("c", one, other, PUSH, friction={"coefficient": 0.1, "rolling": 1e-3})
    cases = {
        "it resists rolling or spinning; 'two' is a full mesh": [a, b, rolls],
        "Hertz's law is of one point": [a, b, fx.Contact("c", one, other, fx.Hertz("steel"))],
        "places of one side may touch": [*fine, fx.Contact("c", *(each.surface("skin") for each in fine), PUSH)],
    }
    for words, items in cases.items():
        try:
            said = str(fx.Model("m", items).check())
        except fx.ModelError as error:
            said = str(error)
        assert words in said
