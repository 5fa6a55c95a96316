"""Examples 4.2 and 4.3 of ZE as full models of solid elements: L-beam modes, rotating T."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexor.elements.assembly.loads import Centrifugal
from flexor.elements.assembly.model import assemble
from flexor.materials import Isotropic
from flexor.mesh import RigidLink
from flexor.mesh.generate import l_profile, t_profile
from flexor.reduce.full import natural_modes, statics


def test_l_beam(reference) -> None:
    """In-plane modes against the ANSYS column, a solid model as well."""
    p = reference.record("seed_ze_examples")["l_beam_modes"]
    material = Isotropic(p["E"], p["E"] / (2 * p["G"]) - 1, p["rho"])
    outer = p["leg"] + p["b"] / 2
    mesh = l_profile(outer, outer, p["b"], p["h"], (40, 40, 2, 1), axis="z", element="hex20", material=material)
    root = np.flatnonzero(np.abs(mesh.points[:, 0] - outer) < 1e-9)
    found = natural_modes(assemble(replace(mesh, fixed=tuple((int(i), (0, 1, 2)) for i in root))), 12)
    size = [np.abs(found.nodal[i]).max(axis=0) for i in range(12)]
    in_plane = [i for i in range(12) if size[i][2] < 0.1 * size[i][:2].max()]
    assert np.allclose(found.frequencies[in_plane], p["ansys_Hz"], rtol=0.0007, atol=0)


def test_rotating_t(reference) -> None:
    """Displacement of the flanges in steady rotation, against 27-node bricks of the same size and the print."""
    record = reference.record("seed_ze_examples")["t_square_rotation"]
    l1, l2, b, h = (record[k] for k in ("l1", "l2", "b", "h"))
    material = Isotropic(record["E"], record["nu"], record["rho"])
    mesh = t_profile(l1, b + l2, b, b, h, (8, 15, 4, 4, 2), axis="z", element="hex20", material=material)
    points = mesh.points + np.array([l1 / 2, -b / 2, -h / 2])
    n = len(points)
    flanges = [np.flatnonzero(np.abs(points[:, axis] - end) < 1e-9) for axis, end in ((0, l1), (1, b / 2 + l2))]
    mesh = replace(
        mesh,
        points=np.vstack([points, [l1, 0, 0], [l1 / 2, b / 2 + l2, 0]]),
        node_ids=np.arange(1, n + 3),
        rigid_links=tuple(RigidLink(n + i, tuple(map(int, face)), id=i) for i, face in enumerate(flanges)),
        fixed=tuple((int(i), (0, 1, 2)) for i in np.flatnonzero(np.abs(points[:, 0]) < 1e-9)),
    )
    w = 2 * np.pi
    u = statics(assemble(mesh), [Centrifugal((w, w, w))]).nodal[n:, :3]
    peer = record["full_fe_check"]["h_0.01"]
    assert np.allclose(u, [peer["u_flange2"], peer["u_flange3"]], rtol=0.006, atol=0)
    assert np.allclose(u[0], record["u_flange2"], rtol=[0.04, 0.02, 0.02], atol=0)
    assert np.allclose(u[1], record["u_flange3"], rtol=0.02, atol=0)
