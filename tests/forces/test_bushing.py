"""Bushings: six directions, coupling, free axes, round clearance; flexible joints made of them.   FTG 5.1.2, 5.2"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import exp_so3

QUIET = {"show": False}
BLOCK = fx.RigidBody("block", mass=2.0, inertia=(0.1, 0.2, 0.3))
K = np.diag([1e5, 2e5, 3e5, 400.0, 500.0, 600.0])
K[0, 4] = K[4, 0] = 3e3
K[1, 3] = K[3, 1] = -2e3
K[2, 5] = K[5, 2] = 1e3
LOADS = {"x": 3.0, "y": -2.0, "z": 5.0}


def drift(run) -> float:
    return float(np.ptp(run["energy.check_sum"].values))


def test_a_coupled_bushing_gives_way_as_its_matrix_says():
    """y = K⁻¹ F for small loads, forces at its marker."""
    loads = [fx.PointForce(f"f{axis}", BLOCK, direction=axis, force=force) for axis, force in LOADS.items()]
    torques = [fx.PointTorque(f"t{axis}", BLOCK, direction=axis, torque=0.01 * force) for axis, force in LOADS.items()]
    found = fx.Model("m", [BLOCK, fx.Bushing("b", fx.ground, BLOCK, K), *loads, *torques]).statics()
    F = np.array([*LOADS.values(), *(0.01 * force for force in LOADS.values())])
    y = np.linalg.solve(K, F)
    np.testing.assert_allclose([*found["b.deflection"], *found["b.rotation"]], y, rtol=1e-3, atol=1e-8)
    np.testing.assert_allclose([*found["b.force"], *found["b.torque"]], -F, rtol=1e-3, atol=1e-5)
    assert found["b.strain_energy"] == pytest.approx(0.5 * y @ K @ y, rel=1e-3)


def test_modes_of_a_body_on_a_bushing():
    """λ of K − λ M, coupling included."""
    values = fx.Model("m", [BLOCK, fx.Bushing("b", fx.ground, BLOCK, K)]).modes(6).frequencies
    M = np.diag([2.0, 2.0, 2.0, 0.1, 0.2, 0.3])
    expected = np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real) / (2 * np.pi)
    np.testing.assert_allclose(np.sort(values), np.sort(expected), rtol=1e-6)


def test_damping_matrix_in_a_swing():
    """Against x(t) = x₀ e^(−Dt/2m) … of one direction."""
    k, d, m = 800.0, 8.0, 2.0
    block = BLOCK.replace(position=(0, 0, 0), velocity=(1.0, 0, 0))
    run = fx.Model("m", [block, fx.Bushing("b", fx.ground, block, (k, k, k, 1, 1, 1), (d, d, d, 0, 0, 0))]).dynamics(
        until=0.5, step=1e-4, **QUIET
    )
    rate, omega = d / (2 * m), np.sqrt(k / m - (d / (2 * m)) ** 2)
    t = run.time
    np.testing.assert_allclose(run["b.deflection_x"].values, np.exp(-rate * t) * np.sin(omega * t) / omega, atol=1e-6)
    assert drift(run) < 1e-6


def test_it_is_free_of_stress_as_drawn():
    """Bodies and markers that stand askew to each other, apart: nothing moves, in axes of any direction."""
    a = fx.RigidBody("a", mass=1, inertia=0.1, position=(0.3, 0.2, 0), orientation={"axis": (1, 2, 3), "angle": 0.7})
    b = fx.RigidBody("b", mass=1, inertia=0.1, position=(1, 0, 0.5), orientation={"axis": (3, -2, 1), "angle": 1.7})
    mount = fx.Bushing("m", a.at(0.1, 0, 0), b.at(0, 0.3, 0), K, axis=(1, 1, 0), x_axis="z")
    run = fx.Model("m", [a, b, mount]).dynamics(until=0.01, step=1e-3, **QUIET)
    np.testing.assert_allclose([*run["m.deflection"][-1], *run["m.rotation"][-1]], 0, atol=1e-12)
    loose = fx.Model("m", [a, b, mount.replace(relaxed="coincident")]).dynamics(until=0.001, step=1e-4, **QUIET)
    assert np.linalg.norm(loose["m.deflection"][0]) > 0.3
    assert np.linalg.norm(loose["m.rotation"][0]) > 0.5


def test_a_flexible_revolute_turns_without_end():
    """A heavy disc spins in a soft bearing, many turns; the spin is kept and the energy too."""
    disc = fx.RigidBody("disc", mass=2, inertia=(0.01, 0.01, 0.02), angular_velocity=(0, 0, 60.0), velocity=(0, 0.1, 0))
    bearing = fx.Bushing.revolute("b", fx.ground, disc, radial="10 N/mm", axial=1e4, tilting=50)
    assert bearing.stiffness == (1e4, 1e4, 1e4, 50, 50, 0)
    run = fx.Model("m", [disc, bearing], gravity=(0, 0, -9.81)).dynamics(until=1.0, step=5e-4, **QUIET)
    assert run["disc.angular_velocity_z"][-1] == pytest.approx(60, rel=1e-6)
    assert drift(run) < 1e-3


def test_a_stiff_flexible_revolute_is_a_revolute():
    arm = fx.RigidBody("arm", mass=1.0, inertia=0.05, center_of_mass=(0.5, 0, 0))
    stiff = fx.Bushing.revolute("pin", fx.ground, arm, radial=1e7, axial=1e7, tilting=1e6, damping_time=1e-4)
    runs = [
        fx.Model("m", [arm, joint], gravity=(0, -9.81, 0)).dynamics(until=1.0, step=1e-3, **QUIET)
        for joint in (stiff, fx.Revolute("pin", fx.ground, arm))
    ]
    np.testing.assert_allclose(runs[0]["arm.position"].values, runs[1]["arm.position"].values, atol=1e-5)
    np.testing.assert_allclose(runs[0]["arm.orientation"].values, runs[1]["arm.orientation"].values, atol=2e-3)


@pytest.mark.parametrize(
    ("made", "free"),
    [
        (fx.Bushing.ball("j", fx.ground, BLOCK, radial=1e5), {"wx", "wy", "wz"}),
        (fx.Bushing.prismatic("j", fx.ground, BLOCK, radial=1e5, tilting=1e4, twisting=1e4), {"vz"}),
        (fx.Bushing.cylindrical("j", fx.ground, BLOCK, radial=1e5, tilting=1e4), {"vz", "wz"}),
        (fx.Bushing.revolute("j", fx.ground, BLOCK, radial=1e5, axial=1e5, tilting=1e4), {"wz"}),
    ],
)
def test_flexible_joints_leave_their_directions_free(made, free):
    for way in ("vx", "vy", "vz", "wx", "wy", "wz"):
        motion = [1.0 if axis == way[1] else 0.0 for axis in "xyz"]
        block = BLOCK.replace(**{"velocity" if way[0] == "v" else "angular_velocity": motion})
        run = fx.Model("m", [block, made]).dynamics(until=0.2, step=1e-3, **QUIET)
        moved = np.abs(run["j.strain_energy"].values).max()
        assert (moved < 1e-12) == (way in free), way


GAP, STIFF = 1e-3, 1e6


@pytest.mark.parametrize("angle", [0.0, 0.3, np.pi / 4, 2.0, 4.0])
def test_interconnected_curves_answer_in_a_circle(angle):
    """A force in any direction of the plane moves by gap + F/k in that direction; independent ones answer in a square.   FTG 5.1.2"""
    F = 500.0
    along = np.array([np.cos(angle), np.sin(angle), 0])
    push = fx.PointForce("push", BLOCK, direction=along, force=F)
    hitch = {"stiffness": (0, 0, 1e5, 10, 10, 10), "curves": {"x": fx.clearance(GAP, STIFF)}}
    found = fx.Model("m", [BLOCK, fx.Bushing("b", fx.ground, BLOCK, **hitch, interconnected="xy"), push]).statics()
    np.testing.assert_allclose(found["b.deflection"], (GAP + F / STIFF) * along, atol=1e-9)
    alone = hitch | {"curves": {"x": fx.clearance(GAP, STIFF), "y": fx.clearance(GAP, STIFF)}}
    square = fx.Model("m", [BLOCK, fx.Bushing("b", fx.ground, BLOCK, **alone), push]).statics()["b.deflection"]
    for moved, part in zip(square[:2], along[:2], strict=True):
        if abs(part) > 1e-9:
            assert moved == pytest.approx(np.sign(part) * (GAP + abs(part) * F / STIFF), abs=1e-9)


def test_an_orbit_in_a_round_clearance():
    """k (r − c) = m ω² r:  r = k c/(k − m ω²), at constant speed."""
    m, omega = 2.0, 300.0
    r = STIFF * GAP / (STIFF - m * omega**2)
    block = fx.RigidBody("block", mass=m, inertia=0.1, position=(r, 0, 0), velocity=(0, r * omega, 0))
    ring = {"curves": {"x": fx.clearance(GAP, STIFF)}, "interconnected": "xy", "relaxed": "coincident"}
    model = fx.Model("m", [block, fx.Bushing("b", fx.ground, block, **ring)])
    run = model.dynamics(until=2 * np.pi / omega, step=1e-5, **QUIET)
    x = run["block.position"].values
    np.testing.assert_allclose(np.linalg.norm(x[:, :2], axis=1), r, rtol=1e-5)
    np.testing.assert_allclose(x[-1], (r, 0, 0), atol=1e-4 * r)


def test_an_oval_clearance_gives_no_energy():
    """Curves that differ: the force across, which FTG (5.12) lacks, keeps the energy in a whirling motion."""
    curves = {"x": fx.clearance(GAP, STIFF), "y": "3e8*x^3 + 1e5*x"}
    block = BLOCK.replace(velocity=(0.5, 0.3, 0))
    mount = fx.Bushing("b", fx.ground, block, curves=curves, interconnected="xy", stiffness=(1e4, 1e4, 1e4, 10, 10, 10))
    run = fx.Model("m", [block, mount]).dynamics(until=0.3, step=2e-5, **QUIET)
    assert drift(run) < 2e-3 * 0.5 * 2 * 0.34


def test_nonlinear_curves_by_direction():
    """A torsion curve with play and a hardening one along y."""
    curves = {"rz": fx.clearance("2 deg", "100 N*m/rad"), "y": "1e5*x + 1e9*x^3"}
    mount = fx.Bushing("b", fx.ground, BLOCK, (1e6, 0, 1e6, 1e4, 1e4, 0), curves=curves)
    loads = [
        fx.PointForce("f", BLOCK, direction="y", force=1e5 * 0.01 + 1e9 * 0.01**3),
        fx.PointTorque("t", BLOCK, direction="z", torque=1.0),
    ]
    found = fx.Model("m", [BLOCK, mount, *loads]).statics()
    assert found["b.deflection_y"] == pytest.approx(0.01, rel=1e-6)
    assert found["b.rotation_z"] == pytest.approx(np.radians(2) + 0.01, rel=1e-9)


def test_a_sprung_rotation_ends_at_half_a_turn():
    block = BLOCK.replace(angular_velocity=(0, 0, 50))
    mount = fx.Bushing("b", fx.ground, block, (1e4, 1e4, 1e4, 10, 10, 1))
    with pytest.raises(fx.SolveError, match="half a turn"):
        fx.Model("m", [block, mount]).dynamics(until=0.2, step=1e-3, **QUIET)


def test_it_is_that_of_exudyn():
    """A body thrown and turned on a coupled, damped bushing, with small rotations, in which both say the same."""
    exu = pytest.importorskip("exudyn")
    from exudyn.itemInterface import MarkerBodyRigid, ObjectConnectorRigidBodySpringDamper
    from exudyn.rigidBodyUtilities import RigidBodyInertia
    from exudyn.utilities import ObjectGround

    mbs = exu.SystemContainer().AddSystem()
    D = 1e-3 * K
    ground = mbs.AddObject(ObjectGround())
    made = mbs.CreateRigidBody(
        inertia=RigidBodyInertia(mass=2.0, inertiaTensor=np.diag([0.1, 0.2, 0.3])),
        initialVelocity=[0.02, -0.01, 0.03],
        initialAngularVelocity=[0.02, 0.03, -0.02],
    )
    ends = [mbs.AddMarker(MarkerBodyRigid(bodyNumber=body)) for body in (ground, made)]
    mbs.AddObject(ObjectConnectorRigidBodySpringDamper(markerNumbers=ends, stiffness=K, damping=D))
    mbs.Assemble()
    settings = exu.SimulationSettings()
    settings.timeIntegration.numberOfSteps = 2000
    settings.timeIntegration.endTime = 0.2
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.solution.file.write = False
    mbs.SolveDynamic(settings)
    theirs = mbs.GetObjectOutputBody(made, exu.OutputVariableType.Position, localPosition=[0, 0, 0])
    block = BLOCK.replace(velocity=(0.02, -0.01, 0.03), angular_velocity=(0.02, 0.03, -0.02))
    run = fx.Model("m", [block, fx.Bushing("b", fx.ground, block, K, D)]).dynamics(until=0.2, step=1e-4, **QUIET)
    size = np.abs(run["block.position"].values).max()
    np.testing.assert_allclose(run["block.position"].values[-1], theirs, atol=2e-3 * size)


def test_turned_far_it_says_the_same_in_all_frames():
    """The whole, with a bushing that is bent by 100°, turned in space: the same signals."""
    torque = 3.06
    rests = []
    for Q in (np.eye(3), exp_so3([0.3, -1.2, 2.0])):
        axis = Q @ np.array([0, 0, 1.0])
        base = fx.RigidBody("base", mass=1, inertia=1, orientation=Q)
        top = fx.RigidBody("top", mass=1, inertia=0.1, orientation=Q)
        twist = fx.PointTorque("t", top, direction=axis, torque=torque)
        mount = fx.Bushing("b", base, top, (1e3, 1e3, 1e3, 5, 5, 1.75))
        found = fx.Model("m", [base, top, fx.Fixed("f", fx.ground, base), mount, twist]).statics()
        rests.append([*found["b.rotation"], *found["b.deflection"]])
    assert rests[0][2] == pytest.approx(torque / 1.75, rel=1e-6)
    np.testing.assert_allclose(rests[0], rests[1], atol=1e-7)


MISTAKES = [
    (lambda: fx.Bushing("b", "ground", BLOCK, (1, 2, 3)), "stiffness needs six numbers"),
    (lambda: fx.Bushing("b", "ground", BLOCK, ("1 kg",) * 6), "stiffness"),
    (lambda: fx.Bushing("b", "ground", BLOCK, (1,) * 6, (-1, 0, 0, 0, 0, 0)), "must not be negative"),
    (lambda: fx.Bushing("b", "ground", BLOCK, curves={"x": "5 kg"}), "force is measured in N"),
    (lambda: fx.Bushing("b", "ground", BLOCK, (1,) * 6, interconnected="xy"), "needs a curve"),
    (lambda: fx.Bushing("b", "ground", BLOCK, curves={"x": 5}, interconnected="xy"), "not zero at zero"),
    (lambda: fx.Bushing("b", "ground", BLOCK, curves={"x": fx.polynomial(0, 1, sensor="s")}), "depends on sensor"),
]


@pytest.mark.parametrize(("make", "message"), MISTAKES)
def test_mistakes_are_told(make, message):
    with pytest.raises(fx.FlexorError, match=message):
        make()


def test_an_unsymmetric_matrix_is_told():
    """An oil film: cross-coupled stiffness drives a whirl; it is taken, and told."""
    film = np.diag([1e4, 1e4, 1e4, 10.0, 10, 10])
    film[0, 1], film[1, 0] = 2e3, -2e3
    model = fx.Model("m", [BLOCK.replace(velocity=(0.01, 0, 0)), fx.Bushing("b", fx.ground, BLOCK, film)])
    with pytest.warns(fx.DoubtfulModel, match="stiffness is not symmetric: xy = 2000, yx = -2000"):
        run = model.dynamics(until=0.5, step=2e-4, **QUIET)
    with pytest.warns(fx.DoubtfulModel, match="not symmetric"):
        values = model.modes(6, complex=True).eigenvalues
    assert max(values.real) == pytest.approx(2e3 / 2 / (2 * np.sqrt(1e4 / 2)), rel=0.02)  # grows with κ/(2 m ω)
    assert run["energy.dissipated"][-1] < 0  # it gives energy, and says so
    assert drift(run) < 1e-3 * abs(run["energy.dissipated"][-1])


def test_a_body_without_inertia_may_sit_on_bushings():
    """Two bushings in a row with a light body between them: half the stiffness; told, not refused."""
    light = fx.RigidBody("light", mass=1e-3, inertia=0)
    k = (1e4, 1e4, 1e4, 100, 100, 100)
    items = [light, BLOCK, fx.Bushing("a", fx.ground, light, k), fx.Bushing("b", light, BLOCK, k)]
    push = fx.PointForce("push", BLOCK, direction="x", force=10)
    with pytest.warns(fx.DoubtfulModel, match="light"):
        found = fx.Model("m", [*items, push]).statics()
    assert found["block.position_x"] == pytest.approx(10 / 5e3, rel=1e-6)


def test_a_beam_on_a_bushing():
    """The tip of a cantilever whose root gives way: F L³/(3 E I) + F/k + F L²/k_φ, small."""
    E, b, L, F, k, k_turn = 210e9, 0.02, 0.5, 10.0, 1e6, 1e5
    steel = fx.Isotropic(young=E, poisson=0.3, density=7850)
    beam = fx.Beam("beam", [(0, 0, 0), (L, 0, 0)], fx.Rectangle(b, b), steel, divisions=4)
    root = fx.Bushing("root", fx.ground, "beam.start", (k, k, k, k_turn, k_turn, k_turn))
    push = fx.PointForce("push", "beam.end", direction="y", force=F)
    found = fx.Model("m", [beam, root, push]).statics()
    shear = F * L / (E / 2.6 * b**2 * 5 / 6)
    expected = F * L**3 / (3 * E * b**4 / 12) + shear + F / k + F * L**2 / k_turn
    assert found["root.deflection_y"] == pytest.approx(F / k, rel=1e-4)
    assert found["beam.end.position_y"] == pytest.approx(expected, rel=2e-3)


def test_its_signals_may_be_read():
    """A load that cancels the torque of the bushing: the body turns as if there were none."""
    block = BLOCK.replace(angular_velocity=(0, 0, 1.0))
    mount = fx.Bushing("b", fx.ground, block, (1e4, 1e4, 1e4, 10, 10, 3))
    felt = fx.Sensor("felt", "b.torque_z")
    undo = fx.PointTorque("undo", block, direction="z", torque=fx.polynomial(0, -1, sensor="felt"))
    run = fx.Model("m", [block, mount, felt, undo]).dynamics(until=0.5, step=1e-3, **QUIET)
    assert run["felt.value"][-1] == pytest.approx(-3 * 0.5, rel=1e-9)
    assert run["block.angular_velocity_z"][-1] == pytest.approx(1, rel=1e-9)
