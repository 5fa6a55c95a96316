"""CalculiX as an independent program: frequencies of the same mesh, and its matrices read back and reduced."""

from __future__ import annotations

import re
import shutil
import subprocess
import warnings
from pathlib import Path

import numpy as np
import pytest

from flexor.elements.assembly.model import assemble
from flexor.io import read_matrices, read_mesh, write_inp
from flexor.mesh.generate import bar, plate
from flexor.mesh.note import IncompleteMesh
from flexor.reduce import CraigBampton, MeshStudy, from_matrices, from_mesh, reduce_mesh, reduce_problem

if shutil.which("ccx") is None:
    pytest.skip("CalculiX (ccx) is not on the PATH; Debian has it as calculix-ccx", allow_module_level=True)


def calculix(folder: Path, mesh, step: str, replaced: tuple[str, str] = ("", "")) -> Path:
    """Run one step on a mesh and return the path of its files without suffix."""
    write_inp(folder / "job.inp", mesh)
    deck = (folder / "job.inp").read_text().replace(*replaced)
    (folder / "job.inp").write_text(f"{deck}\n*STEP\n{step}\n*END STEP\n")
    run = subprocess.run(["ccx", "job"], cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert "Job finished" in run.stdout, run.stdout[-2000:]
    return folder / "job"


def frequencies(job: Path, count: int) -> np.ndarray:
    """[Hz], from the table of eigenvalues: number, ω², ω, f, imaginary part."""
    row = re.compile(r"^\s+\d+(\s+-?\d\.\d+E[+-]\d+){4}\s*$")
    lines = [line.split() for line in job.with_suffix(".dat").read_text().splitlines() if row.match(line)]
    return np.array([float(line[3]) for line in lines[:count]])


@pytest.mark.parametrize(
    ("element", "divisions", "options", "name"),
    [
        ("hex20", (10, 2, 2), {}, "C3D20"),
        ("hex8", (10, 2, 2), {"incompatible_modes": False}, "C3D8"),
        ("tet10", (16, 3, 3), {}, "C3D10"),
    ],
)
def test_frequencies_of_a_free_bar(tmp_path, element, divisions, options, name):
    mesh = bar(1.0, 0.1, 0.08, divisions, element=element)
    job = calculix(tmp_path, mesh, "*FREQUENCY\n14", ("C3D8I", "C3D8"))
    assert f"TYPE={name}," in job.with_suffix(".inp").read_text().upper().replace(" ", "")
    theirs = frequencies(job, 14)[6:]
    ours = np.sqrt(from_mesh(mesh, {}, options=options).free_modes(8)[0]) / (2 * np.pi)
    assert len(theirs) == 8
    assert np.allclose(ours, theirs, rtol=1e-3)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    mesh = bar(1.0, 0.1, 0.08, (8, 2, 2), element="hex20")
    return mesh, calculix(tmp_path_factory.mktemp("ccx"), mesh, "*FREQUENCY, SOLVER=MATRIXSTORAGE\n10")


def test_stiffness_and_mass_matrices(stored):
    """Entry by entry: both programs integrate the same polynomials."""
    mesh, job = stored
    theirs, ours = read_matrices(job.with_suffix(".sti")), assemble(mesh)
    index = np.searchsorted(mesh.node_ids, theirs.dofs[:, 0])
    order = ours.dofs.node_dofs[index, theirs.dofs[:, 1]]
    assert sorted(order) == list(range(ours.dofs.n))
    for a, b in ((theirs.K, ours.K), (theirs.M, ours.M)):
        b = b.tocsr()[order][:, order]
        assert abs(a - b).max() < 1e-12 * abs(b).max()
    assert np.allclose(theirs.points, mesh.points)


def test_reduction_of_its_matrices(stored):
    """The same body from the mesh, from the deck, and from the matrices of the other program."""
    mesh, job = stored
    ends = {
        name: [int(i) for i in mesh.node_ids[mesh.node_sets[face]]]
        for name, face in (("left", "x_min"), ("right", "x_max"))
    }
    theirs = reduce_problem(from_matrices(read_matrices(job.with_suffix(".sti")), ends), CraigBampton(6))
    ours = reduce_mesh(mesh, ends, CraigBampton(6), use_cache=False)
    deck = reduce_mesh(read_mesh(job.with_suffix(".inp")), ends, CraigBampton(6), use_cache=False)
    for other in (theirs, deck):
        assert np.allclose(other.K[:12, :12], ours.K[:12, :12], atol=1e-6 * np.abs(ours.K[:12, :12]).max())
        assert np.allclose(np.diag(other.K)[12:], np.diag(ours.K)[12:], rtol=1e-5)
        assert np.isclose(other.mass_properties.mass, ours.mass_properties.mass, rtol=1e-6)
    assert theirs.validation.passed


def displacements(job: Path) -> dict[int, list[float]]:
    """[m], from the table of *NODE PRINT."""
    rows = [line.split() for line in job.with_suffix(".dat").read_text().splitlines()]
    return {int(row[0]): [float(u) for u in row[1:]] for row in rows if len(row) == 4 and row[0].isdigit()}


LOADS = {
    "forces": "*CLOAD\nx_max, 3, -10.\n7, 1, 500.\n7, 1, 250.",
    **{f"pressure P{face}": f"*DLOAD\nBLOCK1, P{face}, 1e6" for face in range(1, 7)},
    "weight": "*DLOAD\nBLOCK1, GRAV, 9.81, 0.6, 0., -0.8",
    "weight of some": "*DLOAD\nHALF, GRAV, 9.81, 0., 0., -1.",
    "rotation": "*DLOAD\nBLOCK1, CENTRIF, 1e4, 0., 0.1, 0., 0., 0., 1.",
    "surface": "*DSLOAD\nTOP, P, 1e6",
}


@pytest.mark.parametrize(
    ("element", "name"), [("hex20", name) for name in LOADS] + [("tet10", f"pressure P{face}") for face in range(1, 5)]
)
def test_loads_of_a_deck(tmp_path, element, name):
    """Displacements of a cantilever under the deck's own loads, which both programs read from the same file."""
    mesh = bar(0.5, 0.1, 0.08, (4, 2, 2), element=element)
    more = "*ELSET, ELSET=HALF, GENERATE\n1, 5, 1\n*SURFACE, NAME=TOP\nBLOCK1, S2\n"
    step = f"*STATIC\n*BOUNDARY\nx_min, 1, 3\n{LOADS[name]}\n*NODE PRINT, NSET=ALL_NODES\nU"
    later = "\n*END STEP\n*STEP\n*STATIC\n*BOUNDARY\nx_max, 1, 3\n*CLOAD\n7, 1, 9e9"  # left out by us
    job = calculix(tmp_path, mesh, step + (later if name == "forces" else ""), ("*MATERIAL", more + "*MATERIAL"))
    theirs = displacements(job)
    if name == "forces":  # the table of the first step alone
        first = job.with_suffix(".dat").read_text().split("displacements")[1]
        job.with_suffix(".dat").write_text(first)
        theirs = displacements(job)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", IncompleteMesh)
        found = MeshStudy(read_mesh(job.with_suffix(".inp"))).statics()
    u = np.array([theirs[int(number)] for number in found.model.mesh.node_ids])
    assert np.abs(found.nodal[:, :3] - u).max() < 1e-6 * np.abs(u).max()


def test_pressure_on_a_shell(tmp_path):
    """Along its normal; the shells themselves differ by 2 %."""
    mesh = plate(1.0, 0.2, 0.02, (10, 2), element="shell4")
    step = "*STATIC\n*BOUNDARY\nx_min, 1, 6\n*DLOAD\nBLOCK1, P, 1e3\n*NODE PRINT, NSET=ALL_NODES\nU"
    job = calculix(tmp_path, mesh, step)
    theirs = displacements(job)
    found = MeshStudy(read_mesh(job.with_suffix(".inp"))).statics()
    u = np.array([theirs[int(number)] for number in found.model.mesh.node_ids])
    assert u[:, 2].max() > 1e-4
    assert np.abs(found.nodal[:, :3] - u).max() < 0.03 * np.abs(u).max()
