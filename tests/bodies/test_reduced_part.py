"""Reduced bodies of declared ones: bodies that differ in name and place alone are read and reduced once."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import flexor as fx
from flexor.bodies import reduced_part
from flexor.io import write_inp
from flexor.mesh.generate import bar
from flexor.reduce.reduction import ShortOfFrequency

ENDS = {"root": "x_min", "tip": "x_max"}


def mesh(length=0.3):
    return bar(length, 0.02, 0.01, (4, 1, 1), element="hex20", material=fx.Steel())


@pytest.fixture
def made(monkeypatch):
    """Names of the bodies that were reduced or loaded, in order."""
    found = []
    anew = reduced_part._anew
    monkeypatch.setattr(reduced_part, "_anew", lambda body: found.append(body.name) or anew(body))
    gc.collect()  # bodies of other tests
    return found


def bodies(source, count=4, **about):
    given = {"interfaces": ENDS, "reduction": fx.CraigBampton(modes=2), **about}
    return [fx.FlexibleBody(f"arm{i}", source, position=(0, i, 0), **given) for i in range(count)]


def test_bodies_of_one_mesh_file_are_reduced_once(made, tmp_path):
    write_inp(tmp_path / "arm.inp", mesh())
    arms = bodies(str(tmp_path / "arm.inp"))
    assert fx.Model("row", arms).check().ok
    assert made == ["arm0"]
    for arm in arms:
        assert arm.reduced.name == arm.name
        assert arm.reduced.K is arms[0].reduced.K
        assert list(arm.files) == [str(tmp_path / "arm.inp")]


def test_bodies_of_one_mesh_in_memory_are_reduced_once(made):
    one = mesh()
    arms = bodies(one)
    assert [arm.reduced.name for arm in arms] == ["arm0", "arm1", "arm2", "arm3"]
    assert made == ["arm0"]
    other = bodies(mesh(0.4), 1)[0]
    assert not np.array_equal(other.reduced.K, arms[0].reduced.K)


def test_bodies_of_one_reduced_body_are_loaded_once_and_keep_its_name(made, tmp_path):
    fx.reduce_mesh(mesh(), ENDS, fx.CraigBampton(modes=2), name="spoke").save(tmp_path / "spoke.h5")
    arms = [fx.FlexibleBody(f"arm{i}", reduced_body=tmp_path / "spoke.h5") for i in range(3)]
    assert {arm.reduced.name for arm in arms} == {"spoke"}
    assert made == ["arm0"]


def test_a_file_that_has_changed_is_read_anew(made, tmp_path):
    write_inp(tmp_path / "arm.inp", mesh())
    before = bodies(str(tmp_path / "arm.inp"), 1)[0]
    mass = before.reduced.mass_properties.mass
    write_inp(tmp_path / "arm.inp", mesh(0.6))
    after = bodies(str(tmp_path / "arm.inp"), 1)[0]
    assert after.reduced.mass_properties.mass == pytest.approx(2 * mass)
    assert made == ["arm0", "arm0"]
    assert before.reduced.mass_properties.mass == mass


@pytest.mark.parametrize(
    "other",
    [
        {"interfaces": {"root": "x_min"}},
        {"reduction": fx.CraigBampton(modes=3)},
        {"damping": fx.Rayleigh(beta=1e-4)},
        {"material": fx.Aluminium()},
        {"stiffness_scale": 2.0},
        {"mass_scale": 2.0},
        {"markers": {"middle": (0.15, 0, 0)}},
    ],
    ids=lambda other: next(iter(other)),
)
def test_what_is_made_otherwise_is_made_anew(made, other):
    one = mesh()
    first, second = bodies(one, 1)[0], bodies(one, 1, **other)[0]
    assert first.reduced is not second.reduced
    assert made == ["arm0", "arm0"]


def test_markers_that_need_no_nodes_do_not_count(made):
    one = mesh()
    floating = {"formulation": "floating"}
    first, second = bodies(one, 1, **floating)[0], bodies(one, 1, markers={"middle": (0.15, 0, 0)}, **floating)[0]
    assert first.reduced is second.reduced
    assert made == ["arm0"]


def test_every_field_of_a_body_is_known_to_matter_or_not():
    """A new field counts until it is entered among those that do not."""
    counts = set(fx.FlexibleBody.model_fields) - reduced_part._OF_EACH
    assert counts == {
        *("type", "mesh", "reduced_body", "material", "section", "interfaces", "reduction", "damping"),
        *("stiffness_scale", "mass_scale", "units", "ignore_supports"),
    }


def test_bodies_that_are_gone_are_not_kept(made):
    one = mesh()
    body = bodies(one, 1)[0]
    assert body.reduced.name == "arm0"
    del body
    gc.collect()
    assert bodies(one, 1)[0].reduced.name == "arm0"
    assert made == ["arm0", "arm0"]


def test_what_is_short_of_a_frequency_is_told_of_every_body(made):
    arms = bodies(mesh(), 2, reduction=fx.CraigBampton(2, up_to="20 kHz"))
    with pytest.warns(ShortOfFrequency) as told:
        _ = [arm.reduced for arm in arms]
    assert [str(each.message).partition(":")[0] for each in told] == ["body 'arm0'", "body 'arm1'"]
