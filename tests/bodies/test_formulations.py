"""One body in several formulations: they agree, better with every mode, and with the finite elements they stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.mesh.generate import bar
from flexor.reduce.full import statics
from flexor.spatial import quaternion_to_matrix

MESH = bar(0.5, 0.02, 0.02, divisions=(20, 1, 2), material=fx.Isotropic(young=7e10, poisson=0.0, density=2700.0))
ENDS = {"big": fx.plane(at=(0, 0, 0), normal="x"), "small": fx.plane(at=(0.5, 0, 0), normal="x")}


def rod(formulation, modes, **about):
    given = {"damping": fx.Rayleigh(2.0, 2e-5), "reduction": fx.CraigBampton(modes=modes), **about}
    return fx.FlexibleBody("rod", MESH, interfaces=ENDS, formulation=formulation, **given)


def slider_crank(body):
    """Crank 0.15 m at 1500 rpm, run up in 20 ms."""
    crank = fx.RigidBody("crank", mass=1.0, inertia=(1e-3, 1e-3, 2e-3))
    slider = fx.RigidBody("slider", mass=0.3, inertia=1e-4)
    return fx.Model("slider-crank", [
        crank, body, slider,
        fx.Revolute("main", fx.ground, crank, axis="z"),
        fx.Cylindrical("pin", crank.at(0.15, 0, 0), body["big"], axis="z"),
        fx.Spherical("wrist", body["small"], slider),
        fx.Prismatic("bore", fx.ground, slider, axis="x"),
        fx.Motor("drive", "main", speed=fx.ramp(0, "1500 rpm", over="20 ms")),
    ])  # fmt: skip


def bending(run, body):
    """How far the rod's middle is from the line between its ends, over time [m]."""
    middle = int(np.argmin(np.linalg.norm(body.reduced.nodes - (0.25, 0.01, 0), axis=1)))
    history = run.body("rod")
    u = np.array([history.displacement(t)[middle, 1] for t in run.time[::10]])
    ends = [np.array([history.displacement(t)[n, 1] for t in run.time[::10]]) for n in _ends(body)]
    return u - 0.5 * (ends[0] + ends[1])


def _ends(body):
    return [int(np.argmin(np.linalg.norm(body.reduced.nodes - (x, 0.01, 0), axis=1))) for x in (0.0, 0.5)]


@pytest.fixture(scope="module")
def runs():
    found = {}
    for formulation in ("superelement", "floating"):
        for modes in (1, 3, 9):
            body = rod(formulation, modes)
            run = slider_crank(body).dynamics(until=0.08, step=1e-4, show=False)
            found[formulation, modes] = run, bending(run, body)
    return found


def test_superelement_and_floating_body_agree(runs):
    """They share the basis; what differs is of second order in the deformation (here 1 % of the length)."""
    for modes in (1, 3, 9):
        (run, bent), (other, also_bent) = runs["superelement", modes], runs["floating", modes]
        size = np.abs(bent).max()
        assert 1e-3 < size < 1e-2
        assert np.abs(bent - also_bent).max() < 0.01 * size
        stroke = run["slider.position_x"].values - other["slider.position_x"].values
        assert np.abs(stroke).max() < 2e-6


def test_stress_of_the_whole_mesh_differs_by_what_its_tension_does():
    """Von Mises stress at mid span over a run-up; the force along the rod changes its bending stiffness, by 6 % of the
    stress in this soft rod, and by a tenth as much in one that is ten times as stiff."""
    node = int(MESH.node_ids[np.argmin(np.linalg.norm(MESH.points - (0.25, 0.01, 0.01), axis=1))])

    def deviation(stiffness):
        reduction = fx.CraigBampton(modes=40, inertia_shapes=True)
        about = {"damping": fx.Rayleigh(0.0, 2e-5 / stiffness), "stiffness_scale": stiffness, "reduction": reduction}
        bodies = [rod(formulation, 40, **about) for formulation in ("full_mesh", "superelement")]
        histories = [slider_crank(body).dynamics(until=0.06, step=1e-4, show=False).stress("rod") for body in bodies]
        mesh, expected = (stress.at(node=node).values[50:] for stress in histories)
        assert expected.max() > 4e7
        return np.abs(mesh - expected).max() / expected.max()

    stiff, stiffer = deviation(10.0), deviation(100.0)
    assert stiff < 0.006
    assert stiffer < 0.15 * stiff


def test_more_modes_come_closer(runs):
    for formulation in ("superelement", "floating"):
        finest = runs[formulation, 9][1]
        errors = [np.abs(runs[formulation, modes][1] - finest).max() for modes in (1, 3)]
        assert errors[1] < 0.3 * errors[0]
        assert errors[1] < 0.02 * np.abs(finest).max()


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
def test_stress_is_that_of_the_mesh_under_dalembert_loads(formulation):
    """A pendulum whose vibrations have died away: σ of the whole mesh under −ρ(a − g) of the rigid motion.

    Forty modes, so that some of them stretch the rod.
    """
    body = rod(formulation, 40, damping=fx.Rayleigh(20.0, 1e-4))
    model = fx.Model("swing", [body, fx.Revolute("pin", fx.ground, body["big"], axis="z")], gravity=(0, -9.81, 0))
    run = model.dynamics(until=0.3, step=2e-4, show=False)
    R = quaternion_to_matrix(run["rod.orientation"].values[-1])
    w = np.array([0, 0, run["pin.angle_rate"].values[-1]])
    alpha = run["rod.big.angular_acceleration"].values[-1]

    held = [(int(n), (0, 1, 2)) for n in ENDS["big"].nodes(MESH)]
    full = assemble(replace(MESH, fixed=tuple(held)))
    x = MESH.points
    a = np.cross(alpha, x) + np.cross(w, np.cross(w, x)) - R.T @ (0, -9.81, 0)
    node, component = full.dofs.owners.T
    expected = statics(full, -full.M @ a[node, component]).stress
    inner = (x[:, 0] > 0.1) & (x[:, 0] < 0.4)
    found = run.stress("rod", "xx").frame(run.time[-1])[: len(x)]
    np.testing.assert_allclose(found[inner], expected[inner, 0], atol=0.02 * np.abs(expected[inner, 0]).max())


@pytest.mark.parametrize("other", ["floating", "full_mesh", "beam", "corotational"])
def test_four_ways_to_swing(other):
    """A pendulum as superelement, floating body, whole mesh and beams: the tip moves alike.

    One frame with linear modes is right to first order in the bending; what beams and whole meshes know beyond that
    shrinks with its square (or faster) as the rod gets stiffer: here it is the tension, which raises the frequency at which
    the soft rod rings by about one percent and shifts its phase.
    """

    def deviation(young):
        material = fx.Isotropic(young=young, poisson=0.0, density=2700.0)
        mesh = bar(0.5, 0.01, 0.01, divisions=(30, 1, 1), material=material)
        damping = fx.Rayleigh(0.0, 1e-3 * 3e8 / young)
        body = fx.FlexibleBody("rod", mesh, interfaces=ENDS, reduction=fx.CraigBampton(modes=8), damping=damping)
        if other in ("beam", "corotational"):
            changed = fx.Beam(
                "rod", ((0, 0, 0), (0.5, 0, 0)), fx.Rectangle(0.01, 0.01), material, divisions=10,
                formulation="exact" if other == "beam" else "corotational", damping=damping.beta,
            )  # fmt: skip
            ends = ("start", "end")
        else:
            changed, ends = body.replace(formulation=other), ("big", "small")
        expected = swing(body, "big", "small")
        straight = swing(body.replace(stiffness_scale=1e4), "big", "small")
        off, bent = (np.linalg.norm(x - expected, axis=1).max() for x in (swing(changed, *ends), straight))
        return off, bent

    (soft, bent), (stiff, _) = deviation(3e8), deviation(3e9)
    assert 3e-3 < bent < 5e-3  # nearly 1 % of the length
    assert soft < 0.3 * bent
    assert stiff < 0.1 * soft


def swing(body, root, tip):
    model = fx.Model("swing", [body, fx.Revolute("pin", fx.ground, body[root], axis="z")], gravity=(0, -9.81, 0))
    return model.dynamics(until=0.4, step=5e-4, show=False)[f"rod.{tip}.position"].values


@pytest.mark.parametrize(
    "reduction",
    [fx.FreeInterface(modes=8), fx.Krylov(frequencies=("50 Hz", "400 Hz")), fx.ResponseModes(("200 Hz",), modes=6)],
    ids=lambda r: r.type,
)
def test_other_bases_move_alike(reduction):
    """Whatever spans the motions of the rod: superelement and floating body, within 1 % of the deflection."""
    mesh = bar(0.5, 0.01, 0.01, divisions=(30, 1, 1), material=fx.Isotropic(young=3e9, poisson=0.0, density=2700.0))
    about = {"interfaces": ENDS, "damping": fx.Rayleigh(0.0, 1e-4)}
    body = fx.FlexibleBody("rod", mesh, reduction=fx.CraigBampton(modes=8), **about)
    expected, straight = swing(body, "big", "small"), swing(body.replace(stiffness_scale=1e4), "big", "small")
    bent = np.linalg.norm(expected - straight, axis=1).max()
    for formulation in ("superelement", "floating"):
        other = body.replace(reduction=reduction, formulation=formulation)
        assert np.linalg.norm(swing(other, "big", "small") - expected, axis=1).max() < 0.01 * bent


def test_free_modes_alone_float():
    """Modes of the free body, without connection coordinates: a floating body, but no superelement."""
    mesh = bar(0.5, 0.01, 0.01, divisions=(30, 1, 1), material=fx.Isotropic(young=3e9, poisson=0.0, density=2700.0))
    body = fx.FlexibleBody("rod", mesh, interfaces=ENDS, reduction=fx.Modal(modes=30), formulation="floating")
    expected = swing(body.replace(reduction=fx.CraigBampton(modes=8)), "big", "small")
    assert np.linalg.norm(swing(body, "big", "small") - expected, axis=1).max() < 2e-5
    with pytest.raises(fx.ModelError, match="cannot be a superelement"):
        swing(body.replace(formulation="superelement"), "big", "small")


@pytest.mark.parametrize("element", ["hex8", "beam2"])
def test_markers_anywhere_in_all_formulations(element):
    """A force at the middle of a cantilever: F l³/24EI there, whichever formulation; the marker keeps its orientation."""
    section = {"section": fx.Rectangle(0.05, 0.05)} if element == "beam2" else {}
    mesh = bar(1.0, 0.05, 0.05, divisions=(20, 2, 2), element=element, material=fx.Steel(), **section)
    turned = fx.Marker((1, 0, 0), orientation={"axis": "z", "angle": "90 deg"})
    found = {}
    for formulation in ("superelement", "floating", "full_mesh"):
        body = fx.FlexibleBody(
            "rod", mesh, interfaces={"root": "x_min"}, markers={"middle": (0.5, 0, 0), "tip": turned},
            reduction=fx.CraigBampton(modes=25), formulation=formulation,
        )  # fmt: skip
        push = fx.PointForce("push", body["middle"], direction="z", force=1000.0)
        pull = fx.PointForce("pull", body["tip"], direction="x", force=500.0, follows=True)
        model = fx.Model("bent", [body, fx.Fixed("clamp", fx.ground, body["root"]), push, pull])
        found[formulation] = model.statics()
    EI = 2.1e11 * 0.05**4 / 12
    for position in found.values():
        assert position["rod.middle.position"][2] == pytest.approx(1000 / (24 * EI), rel=0.03)
        assert position["rod.tip.position"][1] == pytest.approx(500 / (3 * EI), rel=0.03)  # x of the marker is y
    for other in ("floating", "full_mesh"):
        np.testing.assert_allclose(
            found["superelement"]["rod.tip.position"], found[other]["rod.tip.position"], atol=2e-5
        )
