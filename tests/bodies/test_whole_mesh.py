"""A body that moves as its whole mesh is read once and never reduced; what it is made of is that of the reduced body."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import reduced_part
from flexor.errors import SolveError
from flexor.io import file_text
from flexor.mesh.generate import bar
from flexor.mesh.mesh import NodalMass
from flexor.reduce import basis, reduction

METAL = fx.Isotropic(young=7e9, poisson=0.3, density=2700.0)
THICK = fx.box((-1, -1, -1), (0.11, 1, 1))


def lopsided(**about):
    """A bar with a mass at one end, held there by a thick piece and at an average of the other."""
    mesh = bar(0.5, 0.02, 0.03, divisions=(10, 1, 2), material=METAL)
    heavy = (NodalMass(0, 0.2 * np.diag([1, 1, 1, 0, 0, 0])),)
    ends = {"root": THICK, "tip": fx.Interface("x_max", tie="average")}
    given = {"interfaces": ends, "stiffness_scale": 2.0, "mass_scale": 1.5, "formulation": "full_mesh", **about}
    return fx.FlexibleBody("rod", replace(mesh, masses=heavy), **given)


def test_it_has_the_mass_the_interfaces_and_the_equations_of_the_reduced_body():
    body = lopsided()
    made, reduced = body.made, body.reduced
    for name in ("mass", "com", "inertia"):
        found, expected = (np.asarray(getattr(each.mass_properties, name)) for each in (made, reduced))
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.abs(expected).max())
    for name in ("points", "nodes", "node_ids", "node_dofs"):
        np.testing.assert_array_equal(getattr(made, name), getattr(reduced, name))
    assert (made.interfaces, made.stiffening) == (reduced.interfaces, reduced.stiffening)
    np.testing.assert_array_equal(made.at("tip"), reduced.at("tip"))
    carried = np.diag(reduced.M)[:12].reshape(2, 2, 3).mean(axis=2)  # which weighs the frame of a superelement
    np.testing.assert_allclose(made.shares, carried, rtol=1e-9)
    assert carried[0, 0] > 1.5 * carried[1, 0]
    assert body.weights == pytest.approx(body.replace(formulation="superelement").weights, rel=1e-12)


@pytest.fixture
def reads(monkeypatch):
    """Files whose content was read, in this order; a reduction fails the test."""

    def reduced(*_, **__):
        raise AssertionError("a full mesh was reduced")

    for room, name in (
        (reduced_part, "reduced_part"),
        (reduction, "reduce_quietly"),
        (reduction, "reduce_problem"),
        (reduction, "project"),
        (basis, "craig_bampton"),
    ):
        monkeypatch.setattr(room, name, reduced)
    found, note = [], file_text.note_content
    monkeypatch.setattr(file_text, "note_content", lambda path, content: found.append(path) or note(path, content))
    return found


def test_no_reduction_and_one_reading_from_the_check_to_the_film(tmp_path, reads):
    mesh = bar(0.5, 0.02, 0.02, divisions=(8, 1, 1), material=METAL)
    fx.write_inp(tmp_path / "rod.inp", mesh)
    body = fx.FlexibleBody(
        "rod", tmp_path / "rod.inp", interfaces={"root": "x_min", "tip": "x_max"}, markers={"middle": (0.25, 0, 0)},
        formulation="full_mesh",
    )  # fmt: skip
    side = fx.plane(at=(0, 0.01, 0), normal="y")
    model = fx.Model("swing", gravity=(0, 0, -9.81), items=[
        body,
        fx.Revolute("pin", fx.ground, body["root"], axis="y"),
        fx.MeshLoad("wind", "rod", [fx.Pressure(side, 10.0), fx.Gravity((0, 1, 0))]),
        fx.PointForce("push", body["middle"], direction="z", force=0.1),
    ])  # fmt: skip
    assert model.check().ok
    file = tmp_path / "swing.flexor.h5"
    run = model.dynamics(until=5e-3, step=1e-3, file=file, show=False)
    model.modes(count=4)
    assert "largest von Mises stress in rod" in run.summary()
    history = run.body("rod")
    assert history.strain_energy()[-1] > 0
    assert history.displacement(5e-3, relative_to="root").shape == (len(history.reduced.nodes), 6)
    gauge = fx.StrainGauge("g", "rod", at=(0.2, 0.01, 0.003), direction="x")
    assert np.abs(run.gauge(gauge).legs).max() > 0
    assert run.vtu("rod", tmp_path / "film").exists()
    largest = run.stress("rod").max()
    assert largest.value > 0
    with pytest.raises(fx.ModelError, match=r"body 'pin'.*flexible bodies are rod"):
        run.stress("pin")
    assert reads == [tmp_path / "rod.inp"]
    again = fx.Run(file)  # another day: it is read once more
    assert again.stress("rod").max() == largest
    assert again.stress("rod", "xx").max().value > 0
    assert reads == [tmp_path / "rod.inp"] * 2


def test_materials_of_different_damping_keep_their_own():
    """A reduced body has one damping; single elements have that of their material."""
    mesh = bar(0.5, 0.02, 0.02, divisions=(4, 1, 1), material=METAL)
    block, other = mesh.blocks[0], METAL.replace(damping=1e-3)
    halves = [
        replace(block, nodes=block.nodes[part], ids=block.ids[part], material=name)
        for part, name in ((slice(0, 2), block.material), (slice(2, 4), "rubber"))
    ]
    mixed = replace(mesh, blocks=tuple(halves), materials={**mesh.materials, "rubber": other})
    body = fx.FlexibleBody("rod", mixed, interfaces={"root": "x_min"}, formulation="full_mesh")
    assert fx.Model("m", [body]).check().ok
    with pytest.raises(fx.ModelError, match="materials have different damping"):
        _ = body.reduced


def test_a_mesh_of_two_pieces_is_refused_by_the_check():
    mesh = bar(0.5, 0.02, 0.02, divisions=(4, 1, 1), material=METAL)
    n, block = len(mesh.points), mesh.blocks[0]
    twice = replace(
        mesh,
        points=np.vstack([mesh.points, mesh.points + np.array([0, 1, 0])]),
        node_ids=np.arange(1, 2 * n + 1),
        blocks=(replace(block, nodes=np.vstack([block.nodes, block.nodes + n]), ids=np.arange(1, 9)),),
    )
    body = fx.FlexibleBody("rod", twice, formulation="full_mesh")
    with pytest.raises(SolveError, match="2 pieces"):
        _ = body.made
    assert "2 pieces" in str(fx.Model("m", [body]).check(raise_errors=False))
