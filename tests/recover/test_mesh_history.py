"""Recovery of a body that moves as its whole mesh, or as a rigid body: what the other formulations show, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_bvp

import flexor as fx
from flexor.errors import ModelError
from flexor.mesh.generate import bar, plate
from flexor.mesh.mesh import NodalMass, RigidBar, RigidLink
from flexor.recover import energies, section_forces
from flexor.recover.element_frames import ElementDisplacements
from flexor.spatial import exp_so3
from flexor.spatial import quaternion_to_matrix as fx_rotation

METAL = fx.Isotropic(young=7e10, poisson=0.3, density=2700.0)
ENDS = {"big": fx.plane(at=(0, 0, 0), normal="x"), "small": fx.plane(at=(0.5, 0, 0), normal="x")}


def mesh_of(element="hex8", divisions=(16, 1, 2)):
    if element.startswith("shell"):
        section = fx.ShellSection(0.01)
        return plate(0.5, 0.02, divisions=divisions, element=element, section=section, material=METAL)
    section = fx.Rectangle(0.02, 0.02) if element == "beam2" else None
    return bar(0.5, 0.02, 0.02, divisions=divisions, element=element, material=METAL, section=section)


def rod(formulation, mesh=None, **about):
    reduction = fx.CraigBampton(modes=24, inertia_shapes=True)
    given = {"interfaces": ENDS, "reduction": reduction, "damping": fx.Rayleigh(0.0, 1e-5), **about}
    return fx.FlexibleBody("rod", mesh or mesh_of(), formulation=formulation, **given)


def pendulum(body):
    """Raised slowly by a motor, so that the rod bends by its weight and does not ring."""
    return fx.Model("pendulum", [
        body,
        fx.Revolute("pin", fx.ground.at(*body.marker("big").at), body["big"], axis="z"),
        fx.Motor("drive", "pin", position=fx.ramp(0, "2 rad", over="0.2 s")),
    ], gravity=(0, -9.81, 0))  # fmt: skip


def node_at(mesh, *point):
    return int(mesh.node_ids[np.argmin(np.linalg.norm(mesh.points - point, axis=1))])


@pytest.fixture(scope="module")
def runs():
    names = ("superelement", "floating", "full_mesh", "rigid")
    return {name: pendulum(rod(name)).dynamics(until=0.25, step=5e-4, show=False) for name in names}


# -- the formulations agree ----------------------------------------------------------------------------------------------


def test_stress_at_mid_span_is_that_of_the_other_formulations(runs):
    """Von Mises stress, and the component along the rod in its own axes although it turns by 115°."""
    mesh = mesh_of()
    node = node_at(mesh, 0.25, 0.01, 0.01)
    for measure in ("von_mises", "xx"):
        found = {name: run.stress("rod", measure).at(node=node).values for name, run in runs.items()}
        size = np.abs(found["superelement"]).max()
        assert size > 5e5
        for other in ("superelement", "floating"):
            np.testing.assert_allclose(found["full_mesh"], found[other], atol=0.01 * size)
        assert not found["rigid"].any()


def test_gauge_displacement_and_frame_are_those_of_the_superelement(runs):
    gauge = fx.StrainGauge("g", "rod", at=(0.22, 0.01, 0.003), direction="x", kind="triple 45")
    mesh, reduced = runs["full_mesh"], runs["superelement"]
    read, also = (run.gauge(gauge) for run in (mesh, reduced))
    assert np.abs(also.legs).max() > 5e-6
    np.testing.assert_allclose(read.legs, also.legs, atol=0.015 * np.abs(also.legs).max())
    np.testing.assert_allclose(read.stress, also.stress, atol=0.015 * np.abs(also.stress).max())
    np.testing.assert_allclose(mesh["rod.orientation"].values, reduced["rod.orientation"].values, atol=1e-5)
    np.testing.assert_allclose(mesh["rod.position"].values, reduced["rod.position"].values, atol=1e-5)
    node = node_at(mesh_of(), 0.25, 0.01, 0.01)
    u, v = (run.body("rod").displacement_at(node).values for run in (mesh, reduced))
    assert np.abs(v).max() > 2e-5
    np.testing.assert_allclose(u, v, atol=0.01 * np.abs(v).max())
    history = mesh.body("rod")
    index = int(np.flatnonzero(history.reduced.node_ids == node)[0])
    between = 0.5 * (mesh.time[7] + mesh.time[8])
    np.testing.assert_allclose(history.displacement(between)[index, :3], 0.5 * (u[7] + u[8]), atol=1e-15)
    np.testing.assert_allclose(history.points(8)[index], mesh[f"rod.node_{node}.position"].values[8], atol=1e-12)


def test_displacement_relative_to_an_interface_is_the_same_in_all_formulations(runs, tmp_path):
    """Against the body frame it is not; against the clamp it is the sag that a dial gauge beside it would show."""
    mesh = mesh_of()
    middle, tip = node_at(mesh, 0.25, 0.01, 0.01), node_at(mesh, 0.5, 0.01, 0.01)
    found = {name: run.body("rod").displacement_at(middle, relative_to="big").values for name, run in runs.items()}
    size = np.abs(found["full_mesh"][:, 1]).max()
    assert size > 5e-6
    for other in ("superelement", "floating"):
        np.testing.assert_allclose(found[other], found["full_mesh"], atol=0.01 * size)
    plain = {name: runs[name].body("rod").displacement_at(middle).values for name in ("superelement", "floating")}
    assert np.abs(plain["superelement"] - plain["floating"]).max() > 0.1 * size
    assert not runs["rigid"].body("rod").displacement("0.1 s", relative_to="big").any()
    assert not found["rigid"].any()
    for name in ("superelement", "floating", "full_mesh"):
        run, history = runs[name], runs[name].body("rod")
        # what the recorded poses say of the other interface
        R = fx_rotation(run["rod.big.orientation"].values)
        X, Y = history.reduced.at("big"), history.reduced.at("small")
        arm = np.einsum("tji,tj->ti", R, run["rod.small.position"].values - run["rod.big.position"].values) - (Y - X)
        at_small = int(history.reduced.node_ids[np.argmin(np.linalg.norm(history.reduced.nodes - Y, axis=1))])
        np.testing.assert_allclose(history.displacement_at(at_small, "big").values, arm, atol=1e-3 * size)
        index = int(np.flatnonzero(history.reduced.node_ids == tip)[0])
        row = 300
        field = history.displacement(history.times[row], relative_to="big")
        np.testing.assert_allclose(field[index, :3], history.displacement_at(tip, "big").values[row], atol=1e-14)
        # the same points in space, and the deformation multiplied about the interface
        np.testing.assert_allclose(history.points(row, 1.0, "big"), history.points(row), atol=1e-14)
        at_big = np.argmin(np.linalg.norm(history.reduced.nodes - X, axis=1))
        np.testing.assert_allclose(history.points(row, 50.0, "big")[at_big], history.points(row)[at_big], atol=1e-14)
        film = run.vtu("rod", tmp_path / name, every=500, fields=("displacement",), relative_to="big", moving=False)
        assert film.exists()
    with pytest.raises(ModelError, match=r"body 'rod'.*no interface 'bigg'.*big, small"):
        runs["floating"].body("rod").displacement(0.1, relative_to="bigg")


def test_rotations_relative_to_an_interface():
    """A cantilever of beams in any position: the tip turns against the root by Pℓ²/2EI, the root does not."""
    mesh = mesh_of("beam2", (8,))
    EI = 7e10 * 0.02**4 / 12
    for formulation in ("superelement", "floating", "full_mesh"):
        body = rod(formulation, mesh, position=(1, 2, 3))
        push = fx.PointForce("push", on=body["small"], direction="z", force=5)
        held = fx.Fixed("clamp", fx.ground.at(1, 2, 3), body["big"])
        history = fx.Model("bent", [body, held, push]).statics().body("rod")
        u = history.displacement(0, relative_to="big")
        root, tip = (int(np.argmin(np.linalg.norm(history.reduced.nodes - [x, 0, 0], axis=1))) for x in (0, 0.5))
        np.testing.assert_allclose(u[root], 0.0, atol=1e-9)
        assert u[tip, 2] == pytest.approx(5 * 0.5**3 / 3 / EI, rel=5e-3)
        assert u[tip, 4] == pytest.approx(-5 * 0.5**2 / 2 / EI, rel=5e-3)


def test_a_rigid_body_has_no_stress_but_all_signals(runs, tmp_path):
    run = runs["rigid"]
    assert run.stress("rod").max().value == 0.0
    assert not run.body("rod").displacement("0.1 s").any()
    assert not run.gauge(fx.StrainGauge("g", "rod", at=(0.22, 0.01, 0.003), direction="x")).legs.any()
    assert not energies(run.body("rod")).strain.any()
    np.testing.assert_allclose(energies(run.body("rod")).kinetic, run["energy.kinetic"].values, atol=1e-12)
    np.testing.assert_allclose(run["rod.small.position"], runs["superelement"]["rod.small.position"], atol=2e-3)
    assert run.vtu("rod", tmp_path, every=100).exists()


def test_a_film_shows_where_the_nodes_are(runs, tmp_path):
    fields = ("displacement", "rotation", "stress", "von_mises", "strain_xx")
    film = runs["full_mesh"].vtu("rod", tmp_path, every=100, fields=fields)
    assert film.exists()
    assert len(list(tmp_path.glob("*.vtu"))) == 6


def test_places_envelope_and_frames_tell_the_same(runs):
    stress = runs["full_mesh"].stress("rod")
    frames = np.array([values for _, values in stress.frames()])
    worst = stress.envelope()
    known = np.isfinite(worst.max)  # not at connection nodes
    np.testing.assert_allclose(frames[:, known].max(axis=0), worst.max[known])
    assert stress.max().value == np.nanmax(frames)
    whole = np.full_like(frames, np.nan)
    for rows, values in stress.over_time():
        whole[:, rows] = values
    np.testing.assert_allclose(whole, frames, rtol=1e-9)
    row = 300
    node = int(stress.history.reduced.node_ids[40])
    tensors = stress.at_place("elements")
    meeting = tensors.sites.nodes == node
    mean = tensors.tensor(stress.history.times[row])[meeting].mean(axis=0)
    np.testing.assert_allclose(mean, stress.tensor_at(node=node).values[row], rtol=1e-9, atol=1.0)
    assert len(stress.at_place("centers").frame("0.1 s")) == mesh_of().n_elements


# -- beams and shells ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("element", "divisions"), [("shell4", (16, 2)), ("beam2", (16,)), ("tet10", (8, 1, 1))])
def test_other_elements(element, divisions):
    mesh = mesh_of(element, divisions)
    runs = [
        pendulum(rod(name, mesh)).dynamics(until=0.1, step=1e-3, show=False) for name in ("full_mesh", "superelement")
    ]
    if element == "beam2":
        values = [section_forces(run.body("rod")).at(8, 2).values for run in runs]
        extremes = section_forces(runs[0].body("rod")).extremes()
        np.testing.assert_allclose(extremes[1][7, 1], values[0].max(axis=0))
        fibres = [run.stress("rod", "xx", place="fibres").max() for run in runs]
        assert fibres[0].element == fibres[1].element == 1
        assert fibres[0].value == pytest.approx(fibres[1].value, rel=0.02)
    else:
        node = node_at(mesh, 0.25, 0.01, 0.01)
        values = [run.stress("rod", surface="bottom").tensor_at(node=node).values for run in runs]
    size = np.abs(values[1]).max()
    np.testing.assert_allclose(values[0][40:], values[1][40:], atol=0.03 * size)  # fast waves of the start have gone
    history = runs[0].body("rod")
    found, of_run = energies(history), runs[0].energies()
    np.testing.assert_allclose(found.strain, of_run["strain"].values, rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(found.kinetic, of_run["kinetic"].values, rtol=1e-6, atol=1e-9)


def test_axial_force_of_a_spinning_rod():
    """½ ρAω²(L² − x²) in the middle of the elements; modes alone would be 3 % off."""
    mesh, speed = mesh_of("beam2", (16,)), 10.0
    body = rod("full_mesh", mesh)
    found = fx.Model("spinning", [body, fx.Fixed("clamp", fx.ground, body["big"])]).statics(
        angular_velocity=(0, 0, speed)
    )
    x = (np.arange(16) + 0.5) / 32
    expected = 0.5 * 2700 * 4e-4 * speed**2 * (0.25 - x**2)
    forces = section_forces(found.body("rod")).frame(0.0)[:, 1, 0]
    np.testing.assert_allclose(forces[:8], expected[:8], rtol=5e-4)


# -- exactness -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("frame", ["average", "triangle"])
@pytest.mark.parametrize("element", ["hex8", "shell4", "beam2"])
def test_a_rigid_motion_adds_no_stress(element, frame):
    """Strained nodes turned and shifted as a whole: the same displacements of the elements; unstrained ones: none."""
    divisions = {"hex8": (6, 1, 1), "shell4": (6, 1), "beam2": (6,)}[element]
    model = pendulum(rod("full_mesh", mesh_of(element, divisions), frame=frame))
    history = model.dynamics(until=0.02, step=1e-3, show=False).body("rod")
    nodal = history.nodal
    random = np.random.default_rng(0)
    Q, shift = exp_so3(random.normal(size=(len(history), 3)) * 2), random.normal(size=(len(history), 1, 3))
    turned = replace(nodal, x=np.einsum("tij,tnj->tni", Q, nodal.x) + shift, R=Q[:, None] @ nodal.R)
    z = history.z[:]
    assert np.abs(z[-1]).max() > 1e-7
    np.testing.assert_allclose(ElementDisplacements(turned, history.z.groups)[:], z, rtol=0, atol=1e-13)
    x = np.einsum("tij,nj->tni", Q, history.reduced.nodes) + shift
    rigid = replace(nodal, x=x, R=np.broadcast_to(Q[:, None], nodal.R.shape))
    np.testing.assert_allclose(ElementDisplacements(rigid, history.z.groups)[:], 0, atol=1e-13)


def test_energies_of_links_and_masses_are_those_of_the_run():
    """A heavy arm beside the rod, on a rigid link and a bar, and a mass on a node of solids; stiffness and mass scaled."""
    mesh = mesh_of("hex8", (6, 1, 1))
    n = len(mesh.points)
    middle = np.flatnonzero(np.isclose(mesh.points[:, 0], 0.25))
    m, c = 0.5, np.array([0, 0.02, 0.01])
    arm = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    mass = np.block([[m * np.eye(3), -m * arm], [m * arm, np.diag([1e-3, 2e-3, 2.5e-3]) - m * arm @ arm]])
    mesh = replace(
        mesh,
        points=np.vstack([mesh.points, [[0.25, 0, 0.05], [0.25, 0.03, 0.05]]]),
        node_ids=np.arange(1, n + 3),
        rigid_bars=(RigidBar((n, n + 1), id=8),),
        rigid_links=(RigidLink(n, tuple(middle.tolist()), id=7),),
        masses=(NodalMass(n + 1, mass), NodalMass(9, 0.1 * np.diag([1, 1, 1, 0, 0, 0]))),
    )
    body = rod("full_mesh", mesh, stiffness_scale=0.5, mass_scale=2.0)
    run = pendulum(body).dynamics(until=0.05, step=5e-4, show=False)
    found, of_run = energies(run.body("rod")), run.energies()
    np.testing.assert_allclose(found.strain, of_run["strain"].values, rtol=1e-9, atol=1e-15)
    np.testing.assert_allclose(found.kinetic, of_run["kinetic"].values, rtol=1e-9, atol=1e-12)


def test_stress_far_beyond_small_deflection():
    """P L²/EI = 2, the tip turned by 45°: σ = N/A − M z/I of the exact beam in axes that turn with the section."""
    E, H = 1e7, 0.1
    P, EI = 2 * E * H**4 / 12, E * H**4 / 12
    mesh = bar(1, H, H, divisions=(40, 1, 4), material=fx.Isotropic(young=E, poisson=0.0, density=1000.0))
    ends = {"root": ENDS["big"], "tip": fx.plane(at=(1, 0, 0), normal="x")}
    body = fx.FlexibleBody("rod", mesh, interfaces=ends, formulation="full_mesh")
    load = fx.PointForce("load", body["tip"], direction="z", force=P)
    found = fx.Model("bent", [body, fx.Fixed("clamp", fx.ground, body["root"]), load]).statics()

    def rates(s, y):  # ϑ' = M/EI, M' = −P x' (shear and extension are of the order of 1 %)
        return np.vstack([np.cos(y[1]), y[2] / EI, -P * np.cos(y[1])])

    s = np.linspace(0, 1, 81)
    exact = solve_bvp(rates, lambda a, b: np.array([a[0], a[1], b[2]]), s, np.vstack([s, 0 * s, P * (1 - s)]), tol=1e-8)
    stress = found.stress("rod", "xx")
    for x in (0.25, 0.5, 0.75):
        _, turn, M = exact.sol(x)
        for z in (-H / 2, H / 2):
            sigma = P * np.sin(turn) / H**2 - M * z / (H**4 / 12)
            node = node_at(mesh, x, 0.05, z)
            assert stress.at(node=node).values[0] == pytest.approx(sigma, rel=0.03)
            assert stress.measure("von_mises").at(node=node).values[0] == pytest.approx(abs(sigma), rel=0.03)


# -- files and mistakes --------------------------------------------------------------------------------------------------


def test_from_a_file_a_day_later(tmp_path):
    fx.write_inp(tmp_path / "rod.inp", mesh_of("hex8", (4, 1, 1)))
    body = rod("full_mesh", str(tmp_path / "rod.inp"), material=METAL)
    model = pendulum(body)
    run = model.dynamics(until=0.01, step=1e-3, file=tmp_path / "swing.flexor.h5", show=False)
    again = fx.Run(tmp_path / "swing.flexor.h5")
    assert again.stress("rod").max() == run.stress("rod").max()
    assert again.stress("rod").max().value > 0
    only = model.dynamics(until=0.01, step=1e-3, record=["pin"], show=False)
    with pytest.raises(ModelError, match=r"'rod\.position_x' was not recorded; record the body 'rod'"):
        only.stress("rod")


def test_a_body_without_interfaces_has_a_frame_of_nodes_far_apart():
    body = rod("full_mesh", mesh_of("hex8", (4, 1, 1)), interfaces={}, reduction=fx.Modal(modes=4))
    body = body.replace(position=(1, 2, 3), angular_velocity=(0, 0, 10), damping=fx.Rayleigh(0.0, 1e-5))
    run = fx.Model("flight", [body]).dynamics(until=0.05, step=1e-3, show=False)
    history = run.body("rod")
    np.testing.assert_allclose(run["rod.position"].values[0], (1, 2, 3), atol=1e-12)
    R = history.orientation[-1]
    assert np.arctan2(R[1, 0], R[0, 0]) == pytest.approx(0.5, abs=2e-3)
    assert np.abs(history.displacement("0.05 s")[:, :3]).max() < 1e-5
    stretch = 0.5 * 2700 * 100 * 0.25**2  # ½ ρω²L²/4 in the middle, as it settles
    middle = run.stress("rod", "xx").at(node=node_at(mesh_of("hex8", (4, 1, 1)), 0.25, 0.01, 0.01)).values[20:].mean()
    assert middle == pytest.approx(stretch, rel=0.1)
    with pytest.raises(ModelError, match="no rates of modes"):
        _ = history.motion


def test_what_linear_strain_within_an_element_costs():
    """Pure bending by θ = 0.1 each: right to θ²/4 inside; false stress κ = ℓθ/4h where an interface holds the faces."""
    h, theta, E = 0.02, 0.1, 1e9
    mesh = bar(1, h, h, divisions=(10, 1, 1), material=fx.Isotropic(young=E, poisson=0.0, density=1000.0))
    ends = {"root": ENDS["big"], "tip": fx.plane(at=(1, 0, 0), normal="x")}
    body = fx.FlexibleBody("rod", mesh, interfaces=ends, formulation="full_mesh")
    moment = fx.PointTorque("moment", body["tip"], direction="y", torque=-E * h**4 / 12)
    found = fx.Model("bent", [body, fx.Fixed("clamp", fx.ground, body["root"]), moment]).statics()
    stress = found.stress("rod", place="elements")
    tensors, sites, sigma = stress.tensor(0.0), stress.sites, E * h / 2
    top = sites.positions[:, 2] > 0
    inside = top & (np.abs(sites.positions[:, 0] - 0.5) < 0.11)
    np.testing.assert_allclose(tensors[inside, 0], -sigma, rtol=0.35 * theta**2)
    np.testing.assert_allclose(tensors[inside, 2], 0, atol=0.5 * theta**2 * sigma)
    held = top & (sites.positions[:, 0] == 0)
    np.testing.assert_allclose(tensors[held, 2], -0.1 * theta / (4 * h) * sigma, rtol=0.1)
