"""NAFEMS LE1, elliptic membrane, as a thin solid: σ_yy where the inner ellipse meets the x axis."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements.assembly.loads import Pressure
from flexor.elements.assembly.model import assemble
from flexor.materials import Isotropic
from flexor.mesh import Block, Mesh
from flexor.mesh.patch import Patch, mesh_patches
from flexor.mesh.select import Nearest
from flexor.reduce.full import statics


@pytest.mark.parametrize(("element", "divisions"), [("hex20", (16, 24)), ("tet10", (16, 24))])
def test_stress(reference, element: str, divisions: tuple[int, int]) -> None:
    record = reference.record("nafems_le1")
    p = record["parameters"]
    inner, outer = np.array(p["inner"], dtype=float), np.array(p["outer"], dtype=float)

    def position(s: np.ndarray) -> np.ndarray:
        angle = s[..., 1:2] * np.pi / 2
        axes = inner + s[..., :1] * (1 + s[..., :1]) / 2 * (outer - inner)  # finer towards the hole
        plane = axes * np.concatenate([np.cos(angle), np.sin(angle)], axis=-1)
        return np.concatenate([plane, 0.05 * s[..., 2:]], axis=-1)

    points, nodes = mesh_patches([Patch((*divisions, 1), position)], element)
    x, y, _ = points.T
    on_outer = np.flatnonzero(np.abs((x / outer[0]) ** 2 + (y / outer[1]) ** 2 - 1) < 1e-9)
    held = [(int(i), (axis,)) for axis in range(3) for i in np.flatnonzero(np.abs(points[:, axis]) < 1e-9)]
    mesh = Mesh(
        points=points,
        node_ids=np.arange(1, len(points) + 1),
        blocks=(Block(element, nodes, np.arange(1, len(nodes) + 1), material="steel"),),
        materials={"steel": Isotropic(p["E"], p["nu"])},
        node_sets={"outer": on_outer},
        fixed=tuple(held),
    )
    solution = statics(assemble(mesh), [Pressure("outer", -10e6)])
    corner = Nearest((inner[0], 0, 0)).nodes(mesh)[0]
    expected = record["reference"]["sigma_yy_at_2_0_MPa"] * 1e6
    assert solution.stress[corner, 1] == pytest.approx(expected, rel=record["tolerance"]["rel"])
