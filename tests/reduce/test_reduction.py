"""reduce_mesh: from a mesh or its file to a body, with progress, and kept in the cache."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError, SolveError
from flexor.io import write_inp
from flexor.materials import Aluminium
from flexor.mesh import NodalMass
from flexor.mesh.generate import bar
from flexor.reduce import CraigBampton, Guyan, Interface, ModalDamping, reduce_mesh
from flexor.reduce.cache import content_hash, folder
from tests.reduce.bodies import beams, rod

ENDS = {"left": "x_min", "right": "x_max"}


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("FLEXOR_CACHE", str(tmp_path / "cache"))


class Steps:
    """Remembers what progress was told."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.fractions: list[float] = []

    def __call__(self, what: str, fraction: float) -> None:
        self.said.append(what)
        self.fractions.append(fraction)


def test_progress():
    steps = Steps()
    reduce_mesh(rod(), ENDS, CraigBampton(3), progress=steps)
    assert steps.said == [
        *("assembling", "factorising", "static shapes", "modes", "projecting", "comparing with the full model", "done")
    ]
    assert steps.fractions == sorted(steps.fractions)
    assert steps.fractions[-1] == 1.0


def test_from_a_file(tmp_path):
    file = tmp_path / "rod.inp"
    write_inp(file, rod())
    steps = Steps()
    body = reduce_mesh(file, ENDS, CraigBampton(3), progress=steps)
    assert body.name == "rod"
    assert steps.said[0] == "reading the mesh"
    same = reduce_mesh(rod(), ENDS, CraigBampton(3), use_cache=False)
    assert np.allclose(body.K, same.K, atol=1e-6 * np.abs(same.K).max())


def test_material_replaces_that_of_the_mesh():
    steel, light = (reduce_mesh(rod(), ENDS, Guyan(), material=m) for m in (None, Aluminium()))
    assert np.isclose(light.mass_properties.mass / steel.mass_properties.mass, 2700 / 7850)


def test_different_material_damping_needs_a_choice():
    mesh = rod()
    block = mesh.blocks[0]
    half = len(block.nodes) // 2
    blocks = (
        replace(block, nodes=block.nodes[:half], ids=block.ids[:half]),
        replace(block, nodes=block.nodes[half:], ids=block.ids[half:], material="soft"),
    )
    mixed = replace(
        mesh, blocks=blocks, materials={**mesh.materials, "soft": mesh.materials["material"].replace(damping=1e-3)}
    )
    with pytest.raises(ModelError, match=r"different damping: 0 s, 0.001 s"):
        reduce_mesh(mixed, ENDS, Guyan())
    assert reduce_mesh(mixed, ENDS, Guyan(), damping=ModalDamping(0.01)).damping == ModalDamping(0.01)


def test_a_second_time_it_comes_from_the_cache():
    first = reduce_mesh(rod(), ENDS, CraigBampton(3))
    steps = Steps()
    second = reduce_mesh(rod(), ENDS, CraigBampton(3), progress=steps)
    assert steps.said == ["taken from the cache"]
    assert np.array_equal(first.K, second.K)
    assert first.validation == second.validation
    assert len(list(folder().glob("*.h5"))) == 1


@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_truncated_cache_file_is_a_miss(share):
    first = reduce_mesh(rod(), ENDS, Guyan())
    (file,) = folder().glob("*.h5")
    whole = file.read_bytes()
    file.write_bytes(whole[: int(share * len(whole))])
    steps = Steps()
    with pytest.warns(UserWarning, match="cannot be used and is reduced anew"):
        again = reduce_mesh(rod(), ENDS, Guyan(), progress=steps)
    assert "factorising" in steps.said
    assert np.array_equal(first.K, again.K)
    assert file.stat().st_size == len(whole)


def test_an_unwritable_cache_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("FLEXOR_CACHE", str(tmp_path / "file"))
    reduce_mesh(rod(), ENDS, Guyan())


def test_the_cache_can_be_switched_off(monkeypatch):
    monkeypatch.setenv("FLEXOR_CACHE", "")
    assert folder() is None
    reduce_mesh(rod(), ENDS, Guyan())


def test_old_bodies_make_room(monkeypatch):
    import flexor.reduce.cache as cache

    reduce_mesh(rod(), ENDS, Guyan())
    (first,) = folder().glob("*.h5")
    monkeypatch.setattr(cache, "MOST_BYTES", int(1.5 * first.stat().st_size))
    reduce_mesh(rod(), ENDS, CraigBampton(1))
    left = list(folder().glob("*.h5"))
    assert len(left) == 1
    assert left != [first]


def test_whatever_matters_changes_the_hash():
    mesh = rod()
    moved = mesh.points.copy()
    moved[3, 1] += 1e-12
    variants = [
        (mesh, ENDS, Guyan()),
        (replace(mesh, points=moved), ENDS, Guyan()),
        (replace(mesh, materials={"material": Aluminium()}), ENDS, Guyan()),
        (replace(mesh, masses=(NodalMass(0, np.eye(6)),)), ENDS, Guyan()),
        (mesh, {"left": "x_min"}, Guyan()),
        (mesh, {"left": "x_min", "right": Interface("x_max", tie="average")}, Guyan()),
        (mesh, ENDS, CraigBampton(3)),
        (mesh, ENDS, CraigBampton(4)),
        (beams(), ENDS, Guyan()),
        (mesh, {"left": "x_mi", "nright": "x_max"}, Guyan()),
    ]
    assert len({content_hash(*variant) for variant in variants}) == len(variants)
    assert content_hash(*variants[0]) == content_hash(rod(), dict(ENDS), Guyan())


def test_a_body_that_is_not_right_is_not_kept():
    mesh = replace(rod(), materials={"material": rod().materials["material"].replace(density=0.0)})
    with pytest.raises(SolveError):
        reduce_mesh(mesh, ENDS, CraigBampton(2))
    assert not list(folder().glob("*.h5"))


@pytest.mark.parametrize("formulation", ["superelement", "floating"])
@pytest.mark.parametrize("modes", [0, 3])
def test_a_body_all_of_whose_nodes_are_tied(formulation, modes):
    """One brick between two interfaces: a linear element with consistent mass, ω² = (E A/L)/(ρ A L/3) = 3 E/(ρ L²) in tension."""
    E, density, length = 1e9, 1000.0, 0.5
    mesh = bar(length, 0.1, 0.1, divisions=(1, 1, 1), element="hex8", material=fx.Isotropic(E, 0.0, density))
    ends = {"left": "x_min", "right": "x_max"}
    brick = fx.FlexibleBody(
        "brick", mesh, interfaces=ends, formulation=formulation, reduction=fx.CraigBampton(modes=modes)
    )
    clamp = fx.Fixed("clamp", fx.ground, brick["left"])
    guide = fx.Prismatic("guide", fx.ground.at(length, 0, 0), brick["right"], axis="x")
    found = fx.Model("brick", [brick, clamp, guide]).modes(4)
    np.testing.assert_allclose(found.frequencies, [np.sqrt(3 * E / density) / length / (2 * np.pi)], rtol=1e-9)
