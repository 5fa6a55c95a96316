"""Curved shells of the reference records, by the number of elements along each side."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.materials import Isotropic
from flexor.mesh.section import ShellSection
from tests.elements.structures import fixed, grid, mesh_of, solve


def scordelis_lo(element: str, n: int, parameters: dict[str, Any], hard: bool = False) -> float:
    """Vertical deflection of the middle of the free edge; a quarter of the roof, load 90 per area.

    hard: the diaphragm also keeps the normal from turning along its edge.
    """
    R, L, half = parameters["R"], parameters["L"], np.radians(parameters["half_angle"])
    points, nodes = grid(element, n, n, lambda s, t: (R * np.sin(half * s), L / 2 * t, R * np.cos(half * s)))
    x, y, _ = points.T
    material = Isotropic(parameters["E"], parameters["nu"], 0.0)
    mesh = mesh_of(element, points, nodes, ShellSection(parameters["t"]), material)
    diaphragm = (0, 2, 4) if hard else (0, 2)
    mesh = fixed(mesh, (x < 1e-9, (0, 4, 5)), (y < 1e-9, (1, 3, 5)), (y > L / 2 - 1e-9, diaphragm))
    X = points[nodes]
    p, q = (X[:, 2] - X[:, 0], X[:, 3] - X[:, 1]) if element == "shell4" else (X[:, 1] - X[:, 0], X[:, 2] - X[:, 0])
    share = np.linalg.norm(np.cross(p, q), axis=1) / 2 / nodes.shape[1]
    f = np.zeros((len(points), 6))
    for corner in nodes.T:
        np.add.at(f[:, 2], corner, -90.0 * share)
    return float(solve(mesh, f)[n, 2])


def pinched_cylinder(element: str, n: int, parameters: dict[str, Any], shear: float = 5 / 6) -> float:
    """Deflection under the load; an eighth of the cylinder. shear: factor of the transverse shear stiffness."""
    R, L = parameters["R"], parameters["L"]
    points, nodes = grid(element, n, n, lambda s, t: (R * np.sin(np.pi / 2 * s), L / 2 * t, R * np.cos(np.pi / 2 * s)))
    x, y, z = points.T
    material = Isotropic(parameters["E"], parameters["nu"], 0.0)
    mesh = mesh_of(element, points, nodes, ShellSection(parameters["t"], shear=shear), material)
    mesh = fixed(
        mesh, (x < 1e-9, (0, 4, 5)), (z < 1e-9, (2, 3, 4)), (y < 1e-9, (1, 3, 5)), (y > L / 2 - 1e-9, (0, 2, 4))
    )
    f = np.zeros((len(points), 6))
    f[0, 2] = -parameters["P"] / 4
    return -float(solve(mesh, f)[0, 2])


def pinched_hemisphere(element: str, n: int, shift: float = 0.0) -> float:
    """Displacement under the loads ±1 on a quarter of the hemisphere with an 18° hole (MacNeal and Harder 1985).

    shift: of the inner nodes to either side, of the size of an element.
    """
    R, top = 10.0, np.radians(72)
    random = np.random.default_rng(0)

    def place(s: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, ...]:
        inner = (s > 1e-9) & (s < 1 - 1e-9) & (t > 1e-9) & (t < 1 - 1e-9)
        s, t = (at + shift / n * inner * random.uniform(-1, 1, at.shape) for at in (s, t))
        around, up = np.pi / 2 * s, top * t
        return R * np.cos(around) * np.cos(up), R * np.sin(around) * np.cos(up), R * np.sin(up)

    points, nodes = grid(element, n, n, place)
    x, y, z = points.T
    mesh = mesh_of(element, points, nodes, ShellSection(0.04), Isotropic(6.825e7, 0.3, 0.0))
    first, second = (int(np.argmax(at - np.abs(z))) for at in (x, y))
    mesh = fixed(mesh, (y < 1e-9, (1, 3, 5)), (x < 1e-9, (0, 4, 5)), (np.array([first]), (2,)))
    f = np.zeros((len(points), 6))
    f[first, 0], f[second, 1] = 1.0, -1.0
    u = solve(mesh, f)
    return float(u[first, 0] - u[second, 1]) / 2
