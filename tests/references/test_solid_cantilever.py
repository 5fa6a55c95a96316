"""Solid bar 1 × 0.1 × 0.1 m, cantilever and free: CalculiX frequencies on the same meshes of quadratic bricks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements.assembly.model import assemble
from flexor.materials import Isotropic
from flexor.mesh import Mesh
from flexor.mesh.generate import bar
from flexor.reduce.full import natural_modes


def mesh_of(p: dict, divisions: tuple[int, int, int], element: str = "hex20") -> Mesh:
    return bar(1, 0.1, 0.1, divisions, element=element, material=Isotropic(p["E"], p["nu"], p["rho"]))


def clamped(mesh: Mesh) -> Mesh:
    return replace(mesh, fixed=tuple((int(i), (0, 1, 2)) for i in mesh.node_sets["x_min"]))


def test_same_meshes(reference) -> None:
    """Same elements, same rules: all printed digits."""
    record = reference.record("solid_cantilever_modes")
    p, r = record["parameters"], record["reference"]
    coarse = natural_modes(assemble(clamped(mesh_of(p, (10, 1, 1)))), 5)
    assert np.allclose(coarse.frequencies, r["coarse_10x1x1"], rtol=1e-5)
    fine = mesh_of(p, (40, 4, 4))
    assert np.allclose(natural_modes(assemble(clamped(fine)), 8).frequencies, r["cantilever_Hz"], rtol=1e-5)
    free = natural_modes(assemble(fine), 14)
    assert free.rigid == 6
    assert np.all(free.frequencies[:6] < 1e-5 * free.frequencies[6])
    assert np.allclose(free.frequencies[6:], r["free_Hz"], rtol=1e-5)


@pytest.mark.parametrize(
    ("element", "divisions", "bending", "torsion"),
    [
        ("hex8", (40, 4, 4), 0.0085, 0.026),
        ("wedge15", (20, 2, 2), 0.005, 0.01),
        ("tet10", (20, 2, 2), 0.005, 0.02),
    ],
)
def test_other_elements(
    reference, element: str, divisions: tuple[int, int, int], bending: float, torsion: float
) -> None:
    """Bending and stretching modes within the record's tolerance; torsion comes slowly from above."""
    record = reference.record("solid_cantilever_modes")
    found = natural_modes(assemble(clamped(mesh_of(record["parameters"], divisions, element))), 8)
    error = found.frequencies / record["reference"]["cantilever_Hz"] - 1
    assert np.abs(np.delete(error, 4)).max() < bending
    assert 0 < error[4] < torsion


def test_lumped_mass_is_close_to_consistent(reference) -> None:
    """Lumped frequencies approach the same limit from below."""
    mesh = clamped(mesh_of(reference.record("solid_cantilever_modes")["parameters"], (40, 4, 4), "hex8"))
    consistent, lumped = natural_modes(assemble(mesh), 4), natural_modes(assemble(mesh, lumped=True), 4)
    assert np.all(lumped.frequencies < consistent.frequencies)
    assert np.allclose(lumped.frequencies, consistent.frequencies, rtol=0.005)
