"""Examples 4.1 to 4.3 of ZE as mechanisms: a flexible body on its flanges, loaded, vibrating, rotating."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.bodies.formulations import FORMULATIONS
from flexor.elements.assembly.loads import Centrifugal
from flexor.elements.assembly.model import assemble
from flexor.materials import Isotropic
from flexor.mesh import RigidLink
from flexor.mesh.generate import bar, l_profile, t_profile
from flexor.reduce import from_mesh
from flexor.reduce.full import statics

MOVING = [name for name in ("superelement", "floating") if name in FORMULATIONS]
"""Formulations of a reduced body in motion."""


def clamped(body: fx.FlexibleBody, *loads) -> fx.Model:
    return fx.Model("clamped", [body, fx.Fixed("clamp", fx.ground, body["one"]), *loads])


@pytest.mark.parametrize("formulation", MOVING)
def test_long_beam(reference, formulation):
    """Tip deflection and rotations under the loads that the printed values imply."""
    r = reference.record("seed_ze_examples")["long_beam_static"]
    mesh = bar(r["l"], r["b"], r["h"], (60, 2, 4), element="hex20", material=Isotropic(r["E"], r["nu"], r["rho"]))
    beam = fx.FlexibleBody(
        "beam",
        mesh,
        interfaces={"one": "x_min", "two": "x_max"},
        reduction=fx.CraigBampton(modes=6),
        formulation=formulation,
    )
    loads = [
        fx.PointForce("fz", beam["two"], direction="z", force=9.51e-5),
        fx.PointTorque("mx", beam["two"], direction="x", torque=9.45e-5),
        fx.PointTorque("my", beam["two"], direction="y", torque=9.51e-5),
    ]
    found = clamped(beam, *loads).statics()
    w, x, y, _ = found["beam.two.orientation"]
    tip = [found["beam.two.position_z"], 2 * x / w, 2 * y / w]
    printed = [r["dymola"][name] for name in ("u_z", "phi_x", "phi_y")]
    # the loads were inferred by beam theory, with free warping and free sections, which the rigid flanges hinder
    assert np.allclose(tip, printed, rtol=[0.003, 0.01, 0.003], atol=0)
    # full model: static shapes are exact
    p = from_mesh(mesh, {"one": "x_min", "two": "x_max"})
    K = p.static[:, 6:].T @ (p.K @ p.static[:, 6:])
    full = np.linalg.solve(K, [0, 0, 9.51e-5, 9.45e-5, 9.51e-5, 0])
    assert np.allclose(tip, full[2:5], rtol=4.1e-5, atol=0)  # as printed


@pytest.mark.parametrize("formulation", MOVING)
def test_l_beam_modes(reference, formulation):
    """In the plane of the L: against ANSYS as asked for, against the full model as printed."""
    r = reference.record("seed_ze_examples")["l_beam_modes"]
    material = Isotropic(r["E"], r["E"] / (2 * r["G"]) - 1, r["rho"])
    outer = r["leg"] + r["b"] / 2  # legs of 1 m along their middle
    mesh = l_profile(outer, outer, r["b"], r["h"], (40, 40, 2, 1), axis="z", element="hex20", material=material)
    flanges = {"one": fx.plane((0, outer, 0), "y"), "two": fx.plane((outer, 0, 0), "x")}
    method = fx.Krylov(frequencies=("20 Hz", "140 Hz"))
    beam = fx.FlexibleBody("beam", mesh, interfaces=flanges, reduction=method, formulation=formulation)
    found = clamped(beam).modes(12)
    normal = found.names.index("beam.two: z")
    across = [found.names.index(f"beam.two: {axis}") for axis in "xy"]
    in_plane = np.abs(found.shapes[normal]) < 0.1 * np.abs(found.shapes[across]).max(axis=0)
    frequencies = found.frequencies[in_plane][:5]
    assert np.allclose(frequencies, r["ansys_Hz"], rtol=0.0007)
    p = from_mesh(mesh, flanges)
    squares, shapes = p.clamped_modes("one", 14)
    normal = np.abs((p.T @ shapes)[p.owners[:, 1] == 2]).max(axis=0)
    flat = normal < 0.1 * np.abs(p.T @ shapes).max(axis=0)
    assert np.allclose(frequencies, np.sqrt(squares[flat][:5]) / (2 * np.pi), rtol=5.2e-5)


@pytest.fixture(scope="module")
def t_square(reference):
    """The record, the mesh and its flanges, and the full solution at 2π (1, 1, 1) rad/s."""
    r = reference.record("seed_ze_examples")["t_square_rotation"]
    l1, l2, b, h = (r[k] for k in ("l1", "l2", "b", "h"))
    material = Isotropic(r["E"], r["nu"], r["rho"])
    mesh = t_profile(l1, b + l2, b, b, h, (8, 15, 4, 4, 2), axis="z", element="hex20", material=material)
    mesh = replace(mesh, points=mesh.points + np.array([l1 / 2, -b / 2, -h / 2]))
    ends = np.array([[l1, 0, 0], [l1 / 2, b / 2 + l2, 0]])
    flanges = {"one": fx.plane((0, 0, 0), "x"), "two": fx.plane(ends[0], "x"), "three": fx.plane(ends[1], "y")}
    n = len(mesh.points)
    faces = [flanges[name].nodes(mesh) for name in ("two", "three")]
    held = replace(
        mesh,
        points=np.vstack([mesh.points, ends]),
        node_ids=np.arange(1, n + 3),
        rigid_links=tuple(RigidLink(n + i, tuple(map(int, face)), id=i) for i, face in enumerate(faces)),
        fixed=tuple((int(i), (0, 1, 2)) for i in flanges["one"].nodes(mesh)),
    )
    full = statics(assemble(held), [Centrifugal((2 * np.pi,) * 3)]).nodal[n:, :3]
    return r, mesh, flanges, ends, full


def moved(mesh, flanges, ends, speed: str, **how) -> np.ndarray:
    """Displacements of flanges 2 and 3 in steady rotation about (1, 1, 1) [m]."""
    body = fx.FlexibleBody("t", mesh, interfaces=flanges, reduction=fx.CraigBampton(modes=6), **how)
    found = clamped(body).statics(angular_velocity=(speed, speed, speed))
    return np.array([found["t.two.position"], found["t.three.position"]]) - ends


@pytest.mark.parametrize("formulation", MOVING)
def test_rotating_t_square(t_square, formulation):
    r, mesh, flanges, ends, full = t_square
    u = moved(mesh, flanges, ends, "60 rpm", formulation=formulation)
    assert np.allclose(u[0], r["u_flange2"], rtol=[0.04, 0.02, 0.02], atol=0)
    assert np.allclose(u[1], r["u_flange3"], rtol=0.02, atol=0)
    # the full model is linear; bending by u_z shortens the bar by u_z²/2l₁, which a body in large motion does
    shortening = u[0, 2] ** 2 / (2 * r["l1"])
    assert np.allclose(u, full, rtol=3e-4, atol=1.5 * shortening)
    assert np.allclose(u.ravel()[1:], full.ravel()[1:], rtol=3e-4, atol=0)
    # at a tenth of the speed what is not linear is a hundredth
    slow = 100 * moved(mesh, flanges, ends, "6 rpm", formulation=formulation)
    assert np.allclose(slow, full, rtol=3e-5, atol=0)


def test_nodal_inertia_misses_the_centrifugal_load(t_square):
    """Accelerations interpolated between the flanges do not follow ω × (ω × x): some displacements even turn round."""
    _, mesh, flanges, ends, full = t_square
    u = moved(mesh, flanges, ends, "60 rpm", inertia="nodal")
    error = np.abs(u / full - 1)
    assert np.all(error > 0.05)
    assert error.max() > 1


def test_stress_of_the_rotating_t_square(t_square):
    """The largest stress, at the clamped end, grows with the square of the speed."""
    _, mesh, flanges, _, _ = t_square
    body = fx.FlexibleBody("t", mesh, interfaces=flanges, reduction=fx.CraigBampton(modes=6))
    low, high = (clamped(body).statics(angular_velocity=(speed,) * 3).stress("t").max().value for speed in (3.0, 6.0))
    assert high == pytest.approx(4 * low, rel=1e-3)
