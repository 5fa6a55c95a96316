"""NAFEMS FV52: thick square plate of 4 × 4 × 1 quadratic bricks, the edges of its bottom face held vertically.

The support is a line on a solid, so bending frequencies fall without end on finer meshes: only the same mesh compares.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexor.elements.assembly.model import assemble
from flexor.materials import Isotropic
from flexor.mesh.generate import box
from flexor.reduce.full import natural_modes


def test_modes(reference) -> None:
    record = reference.record("nafems_fv52")
    p = record["parameters"]
    material = Isotropic(p["E"], p["nu"], p["rho"])
    mesh = box((p["a"], p["a"], p["t"]), (4, 4, 1), element="hex20", material=material)
    sides = np.concatenate([mesh.node_sets[s] for s in ("x_min", "x_max", "y_min", "y_max")])
    edges = np.intersect1d(sides, mesh.node_sets["z_min"])
    found = natural_modes(assemble(replace(mesh, fixed=tuple((int(i), (2,)) for i in edges))), 10)
    assert found.rigid == 3
    f = found.frequencies[3:]
    assert np.allclose(f, record["reference"]["nafems_hex20_4x4x1"], rtol=record["tolerance"]["same_mesh"])
    assert np.allclose(f, record["reference"]["ccx_C3D20_4x4x1"], rtol=2e-5)
    in_plane = record["reference"]["inplane_converged"]
    assert np.allclose(f[4:], in_plane, rtol=3 * record["tolerance"]["inplane_modes"])
