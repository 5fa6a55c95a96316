"""Reduced bodies: recovery of displacement and stress, damping, scaling, storage."""

from __future__ import annotations

from dataclasses import replace

import h5py
import numpy as np
import pytest
from scipy.linalg import eigh

from flexor.elements.assembly.model import assemble
from flexor.errors import FileError, ModelError
from flexor.io import seal
from flexor.materials import Isotropic
from flexor.mesh.generate import bar, plate
from flexor.mesh.mesh import AverageLink, NodalMass
from flexor.mesh.section import ShellSection
from flexor.reduce import (
    CraigBampton,
    Guyan,
    Interface,
    Modal,
    ModalDamping,
    Rayleigh,
    ReducedBody,
    from_mesh,
    reduce_mesh,
    statics,
)
from flexor.reduce.reduced import project
from flexor.spatial import skew
from tests.reduce.bodies import held_beams, held_rod, hertz, rod


@pytest.fixture(scope="module")
def body() -> ReducedBody:
    return reduce_mesh(rod(), {"left": "x_min", "right": "x_max"}, CraigBampton(6), name="rod", use_cache=False)


def clamped_and_loaded(p, load):
    """Full model: the connection node 'left' held, a load (6,) on 'right'."""
    n = len(p.mesh.points)
    held = assemble(replace(p.mesh, fixed=((n - 2, (0, 1, 2, 3, 4, 5)),)))
    f = np.zeros(held.dofs.n)
    f[held.dofs.node_dofs[n - 1]] = load
    return statics(held, f)


def test_statics_displacement_and_stress_of_the_full_model(body):
    load = np.array([1e5, 2e4, -3e4, 500.0, 800.0, -700.0])
    full = clamped_and_loaded(held_rod(), load)
    z = np.zeros(body.size)
    z[6:] = np.linalg.solve(body.K[6:, 6:], np.concatenate([load, np.zeros(6)]))
    assert np.allclose(body.displacement(z), full.nodal, atol=1e-8 * np.abs(full.nodal).max())
    stress = body.stress(z)
    known = np.isfinite(full.stress)
    assert np.array_equal(np.isfinite(stress), known)
    assert np.allclose(stress[known], full.stress[known], atol=1e-7 * np.abs(full.stress[known]).max())
    assert np.abs(full.stress[known]).max() > 1e6


def test_stress_of_many_frames_at_once(body):
    frames = np.random.default_rng(0).standard_normal((body.size, 4)) * 1e-4
    together = body.stress(frames)
    assert together.shape == (len(body.nodes), 6, 4)
    assert np.allclose(together[..., 2], body.stress(frames[:, 2]), equal_nan=True)
    assert body.displacement(frames).shape == (len(body.nodes), 6, 4)


def test_stress_in_the_elements(body):
    (modes,) = body.element_stress_modes("center")
    assert modes.shape == (len(rod().blocks[0].nodes), 1, 6, body.size)
    stretch = np.zeros(body.size)
    stretch[6] = 1e-4  # the right end moves 0.1 mm along x
    middle = modes[modes.shape[0] // 2, 0] @ stretch
    assert np.isclose(middle[0], 210e9 * 1e-4, rtol=0.03)


def test_shells_have_stress_on_both_sides():
    mesh = plate(0.4, 0.1, divisions=(8, 2), element="shell4", section=ShellSection(0.005))
    p = from_mesh(mesh, {"left": "x_min", "right": "x_max"})
    body = project(p, Guyan().basis(p)[0])
    z = np.zeros(12)
    z[6 + 2], z[6 + 4] = 1e-3, -3e-3 / (2 * 0.4)
    top, bottom = body.stress(z), body.stress(z, surface="bottom")
    assert np.allclose(top[:-2], -bottom[:-2], atol=1e-6 * np.nanmax(np.abs(top)))
    assert np.nanmax(np.abs(top)) > 1e5


def test_interfaces_are_found_by_name(body):
    assert np.allclose(body.at("right"), [1, 0, 0])
    with pytest.raises(ModelError, match=r"no interface 'middle'.*left, right"):
        body.at("middle")


def test_rayleigh_damping(body):
    """φᵀDφ = α + βω² for every elastic mode of the free body; its motion as a whole is not damped."""
    D = replace(body, damping=Rayleigh(alpha=3.0, beta="1e-4 s")).D
    squares, shapes = eigh(body.K, body.M)
    assert np.allclose(
        (shapes.T @ D @ shapes)[6:, 6:], np.diag(3.0 + 1e-4 * squares[6:]), atol=1e-9 * np.abs(squares[-1])
    )
    assert np.diag(shapes.T @ D @ shapes)[6:12] == pytest.approx(3.0 + 1e-4 * squares[6:12], rel=1e-9)
    assert np.abs(D @ body.rigid).max() < 1e-6 * np.abs(D).max()
    assert np.array_equal(replace(body, damping=Rayleigh(beta=1e-4)).D, 1e-4 * body.K)


def test_modal_damping_has_the_ratio_of_every_elastic_mode(body):
    D = replace(body, damping=ModalDamping((0.01, 0.03))).D
    squares, shapes = eigh(body.K, body.M)
    ratios = np.diag(shapes.T @ D @ shapes)[6:] / (2 * np.sqrt(squares[6:]))
    assert np.allclose(ratios[:4], [0.01, 0.03, 0.03, 0.03])
    assert np.abs(D @ body.rigid).max() < 1e-6 * np.abs(D).max()


def test_material_damping_is_taken_over():
    mesh = bar(1.0, 0.1, 0.1, (4, 1, 1), material=Isotropic(70e9, 0.3, 2700.0, damping=2e-5))
    body = reduce_mesh(mesh, {"a": "x_min", "b": "x_max"}, CraigBampton(2), use_cache=False)
    assert body.damping == Rayleigh(beta=2e-5)


@pytest.mark.parametrize("p", [held_rod(), held_beams()], ids=["solid", "beams"])
@pytest.mark.parametrize("method", [CraigBampton(4), Modal(4)], ids=lambda m: m.type)
def test_scaling_by_length_is_reducing_the_larger_mesh(p, method):
    """NAK 6.4: the same shape twice as large."""
    a = 2.5
    mesh = p.mesh
    sections = {n: s.replace(width=a * s.width, height=a * s.height) for n, s in mesh.sections.items()}
    own = replace(mesh, points=a * mesh.points, sections=sections, rigid_links=(), average_links=())
    if mesh.rigid_links:
        n = len(p.names)
        own = replace(own, points=own.points[:-n], node_ids=own.node_ids[:-n])
    larger = from_mesh(own, {"left": "x_min", "right": "x_max"})
    exact = project(larger, method.basis(larger)[0])
    scaled = project(p, method.basis(p)[0]).scaled(length=a)
    assert np.allclose(scaled.points, exact.points)

    def close(x, y):  # modes have no sign
        return np.allclose(np.abs(x), np.abs(y), rtol=1e-6, atol=1e-7 * np.abs(y).max(initial=1.0))

    assert close(np.diag(scaled.K), np.diag(exact.K))
    n = scaled.n_connections
    assert close(scaled.K[:n, :n], exact.K[:n, :n])
    assert close(scaled.M, exact.M)
    assert close(scaled.gravity, exact.gravity)
    assert close(scaled.invariants.second, exact.invariants.second)
    assert close(scaled.invariants.centrifugal, exact.invariants.centrifugal)
    assert close(scaled.shapes, exact.shapes)
    assert np.allclose(scaled.M[n:, n:], np.eye(4), atol=1e-8)
    if not mesh.sections:
        assert close(np.nan_to_num(scaled.stress_modes), np.nan_to_num(exact.stress_modes))


def test_scaling_of_stiffness_and_density(body):
    scaled = body.scaled(stiffness=4.0, density=0.25)
    f = hertz(eigh(body.K, body.M, eigvals_only=True))[6:]
    assert np.allclose(hertz(eigh(scaled.K, scaled.M, eigvals_only=True))[6:], 4 * f)
    assert np.isclose(scaled.mass_properties.mass, body.mass_properties.mass / 4)
    known = np.isfinite(body.stress_modes)
    n = body.n_connections
    assert np.allclose(scaled.stress_modes[..., :n][known[..., :n]], 4 * body.stress_modes[..., :n][known[..., :n]])


def test_scaling_changes_units():
    """A mesh in mm, MPa and t/mm³ becomes one in SI."""
    steel = Isotropic(210e3, 0.3, 7.85e-9)
    mesh = bar(1000.0, 100.0, 80.0, divisions=(12, 2, 2), material=steel)
    p = from_mesh(mesh, {"left": "x_min", "right": "x_max"})
    si = project(p, CraigBampton(3).basis(p)[0]).scaled(length=1e-3, stiffness=1e6, density=1e12)
    exact = project(held_rod(), CraigBampton(3).basis(held_rod())[0])
    assert np.allclose(si.mass_properties.inertia, exact.mass_properties.inertia)
    assert np.allclose(si.K[:12, :12], exact.K[:12, :12], atol=1e-8 * np.abs(exact.K[:12, :12]).max())
    assert np.allclose(np.diag(si.K)[12:], np.diag(exact.K)[12:])
    found, true = (np.nan_to_num(b.stress_modes[..., :12]) for b in (si, exact))
    assert np.allclose(found, true, rtol=1e-6, atol=1e-8 * np.abs(true).max())


def test_scaling_by_nothing_is_refused(body):
    with pytest.raises(ModelError, match="length is not above zero"):
        body.scaled(length=0.0)


def equal(a: ReducedBody, b: ReducedBody) -> None:
    for name in ("points", "K", "M", "at_connections", "gravity", "nodes", "node_ids", "node_dofs", "shapes", "D"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    for name in ("name", "interfaces", "method", "why", "damping", "validation", "stretch", "stiffening"):
        assert getattr(a, name) == getattr(b, name), name
    for name in ("mass", "first", "second", "translation", "rotation", "centrifugal", "products"):
        assert np.array_equal(getattr(a.invariants, name), getattr(b.invariants, name)), name
    assert np.array_equal(a.stress_modes, b.stress_modes, equal_nan=True)


def test_a_file_holds_all_of_it(body, tmp_path):
    body.save(tmp_path / "rod.h5")
    equal(ReducedBody.load(tmp_path / "rod.h5"), body)


def test_a_scaled_body_survives_a_file(body, tmp_path):
    scaled = replace(body, damping=ModalDamping(0.02)).scaled(length=0.5, stiffness=3.0)
    scaled.save(tmp_path / "rod.h5")
    again = ReducedBody.load(tmp_path / "rod.h5")
    assert np.allclose(np.nan_to_num(again.stress_modes), np.nan_to_num(scaled.stress_modes))
    assert np.array_equal(again.K, scaled.K)


def test_shells_and_beams_survive_a_file(tmp_path):
    shells = plate(0.4, 0.1, divisions=(4, 2), element="shell4", section=ShellSection(0.005))
    for p in (held_beams(), from_mesh(shells, {"a": "x_min"})):
        body = project(p, CraigBampton(2).basis(p)[0])
        body.save(tmp_path / "part.h5")
        again = ReducedBody.load(tmp_path / "part.h5")
        assert again.mesh.sections == body.mesh.sections
        assert np.array_equal(again.stress_modes, body.stress_modes, equal_nan=True)


def test_couplings_and_masses_survive_a_file(body, tmp_path):
    """What the mesh needs to be assembled again: for stiffening, and for the whole mesh in motion."""
    mass = NodalMass(3, np.diag([2.0, 2.0, 2.0, 0.1, 0.2, 0.3]), 7)
    average = AverageLink(0, (1, 2), (1.0, 2.0))
    mesh = replace(body.mesh, masses=(mass,), average_links=(average,), fixed=((1, (0, 2)),))
    replace(body, mesh=mesh).save(tmp_path / "rod.h5")
    again = ReducedBody.load(tmp_path / "rod.h5").mesh
    assert again.rigid_links == mesh.rigid_links
    assert len(again.rigid_links) == 2
    assert (again.average_links, again.fixed) == ((average,), ((1, (0, 2)),))
    assert np.array_equal(again.masses[0].matrix, mass.matrix)


def test_the_file_explains_itself(body, tmp_path):
    body.save(tmp_path / "rod.h5")
    with h5py.File(tmp_path / "rod.h5") as h5:
        assert h5.attrs["format"] == "flexor reduced body"
        assert "stiffness" in h5["K"].attrs["meaning"]
        assert all("meaning" in h5[name].attrs for name in h5 if name not in ("mesh",))


def test_other_files_are_refused(tmp_path):
    with pytest.raises(FileError, match="no such file"):
        ReducedBody.load(tmp_path / "none.h5")
    with h5py.File(tmp_path / "other.h5", "w") as h5:
        h5["x"] = 1.0
    with pytest.raises(FileError, match="it has no seal; it is something else"):
        ReducedBody.load(tmp_path / "other.h5")
    for name, about in (("newer", {"format": "flexor reduced body", "version": 999}), ("other", {})):
        with h5py.File(tmp_path / f"{name}.h5", "w", userblock_size=seal.SIZE) as h5:
            h5.attrs.update(about)
        with (tmp_path / f"{name}.h5").open("r+b") as file:
            seal.finish(file)
    with pytest.raises(FileError, match="format 999"):
        ReducedBody.load(tmp_path / "newer.h5")
    with pytest.raises(FileError, match="the file holds something else"):
        ReducedBody.load(tmp_path / "other.h5")
    with pytest.raises(FileError, match="cannot be written"):
        project(held_rod(), held_rod().static).save(tmp_path / "missing" / "rod.h5")


def test_a_body_that_cannot_be_written_leaves_the_older_file(body, tmp_path, monkeypatch):
    body.save(tmp_path / "rod.h5")
    before = (tmp_path / "rod.h5").read_bytes()
    monkeypatch.setattr(seal, "finish", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(FileError, match="No space left"):
        body.save(tmp_path / "rod.h5")
    assert [path.name for path in tmp_path.iterdir()] == ["rod.h5"]
    assert (tmp_path / "rod.h5").read_bytes() == before


def test_modes_alone_have_no_nodal_form():
    body = project(held_rod(), Modal(3).basis(held_rod())[0])
    assert not body.has_connections
    assert body.at_connections.shape == (12, 3)
    with pytest.raises(ModelError, match="no nodal form"):
        body.nodal_inertia()


def test_it_says_what_it_is(body):
    text = str(body)
    assert "reduced body 'rod': 12 connection and 6 generalised coordinates" in text
    assert "interface 'right' at (1, 0, 0) m" in text
    assert "trusted up to" in text


def test_interface_at_a_point_of_its_own():
    p = from_mesh(rod(), {"left": "x_min", "right": Interface("x_max", at=("1.2 m", 0, 0))})
    body = project(p, Guyan().basis(p)[0])
    central = project(held_rod(), Guyan().basis(held_rod())[0])
    lever = np.array([0.2, 0, 0])
    T = np.eye(12)
    T[6:9, 9:] = skew(lever)  # the face moves by u + θ × (−lever)
    assert np.allclose(body.K, T.T @ central.K @ T, atol=1e-8 * np.abs(body.K).max())
