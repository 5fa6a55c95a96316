"""Declaring flexible bodies: what goes together, what is refused and how it is told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError
from flexor.io import read_mesh, write_inp
from flexor.mesh.generate import bar

MESH = bar(0.3, 0.02, 0.01, (6, 1, 1), element="hex20", material=fx.Steel())
ENDS = {"root": "x_min", "tip": "x_max"}
FORMULATIONS = ("superelement", "floating", "full_mesh", "rigid")


def arm(formulation="superelement", **about):
    given = {"interfaces": ENDS, "reduction": fx.CraigBampton(modes=4), **about}
    return fx.FlexibleBody("arm", MESH, formulation=formulation, **given)


def report(body):
    return fx.Model("m", [body]).check(raise_errors=False)


# ---- a body reduced before


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    file = tmp_path_factory.mktemp("bodies") / "arm.h5"
    fx.reduce_mesh(MESH, ENDS, fx.CraigBampton(modes=4), name="arm").save(file)
    return file


def test_a_reduced_body_gets_the_damping_that_is_asked_for(file):
    plain = fx.FlexibleBody("arm", reduced_body=file)
    assert not plain.reduced.D.any()
    stiff = fx.FlexibleBody("arm", reduced_body=file, stiffness_scale=4, damping=fx.Rayleigh(beta=1e-4)).reduced
    assert np.allclose(stiff.D, 1e-4 * stiff.K)
    assert np.allclose(stiff.K, 4 * plain.reduced.K)
    clamped = fx.FlexibleBody("arm", reduced_body=file, damping=fx.Rayleigh(beta=1e-4), position=(0, 0, 0))
    model = fx.Model("m", [clamped, fx.Fixed("clamp", fx.ground, clamped["root"])])
    omega = 2 * np.pi * model.modes(2).frequencies
    assert model.modes(2, complex=True).damping == pytest.approx(0.5e-4 * omega, rel=1e-6)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"material": "steel"}, "material cannot be given .*; the file carries its own already: leave out material"),
        ({"interfaces": ENDS, "units": "mm-t-s"}, "interfaces and units cannot .* leave out interfaces and units"),
        ({"reduction": fx.Guyan()}, "reduction cannot"),
        ({"ignore_supports": True}, "ignore_supports cannot"),
    ],
)
def test_what_a_reduced_body_has_already_is_refused(file, given, says):
    with pytest.raises(ModelError, match=f"body 'arm': {says}"):
        fx.FlexibleBody("arm", reduced_body=file, **given)


def test_a_marker_on_a_reduced_superelement_has_no_node(file):
    body = fx.FlexibleBody("arm", reduced_body=file, markers={"sensor": (0.15, 0, 0), "end": (0.3, 0, 0)})
    (warning,) = report(body).warnings
    assert warning.what == "marker 'sensor' has no node"
    assert "formulation: floating" in warning.fix
    assert not report(body.replace(formulation="floating")).warnings


def test_defaults_are_not_taken_for_given(file):
    body = fx.FlexibleBody("arm", reduced_body=file)
    assert body.replace(formulation="floating").replace(name="other").reduced.size == body.reduced.size


# ---- formulations


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_stiffening_may_stay_but_a_superelement_says_that_it_has_none(formulation):
    found = report(arm(formulation, stiffening=True))
    assert found.ok
    told = "\n".join(map(str, found.warnings))
    assert ("stiffening has no effect; a superelement does not stiffen" in told) == (formulation == "superelement")


def test_free_modes_cannot_carry_a_superelement():
    says = "modes of the free body have no interfaces.*use reduction: craig_bampton, or formulation: floating"
    with pytest.raises(ModelError, match=says):
        fx.Model("m", [arm(reduction=fx.Modal(modes=4))]).check()
    assert report(arm("floating", reduction=fx.Modal(modes=4))).ok


# ---- markers


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_marker_must_not_take_the_name_of_an_interface_elsewhere(formulation):
    found = report(arm(formulation, markers={"tip": (0.15, 0, 0)}))
    says = "body 'arm': marker 'tip' has the name of an interface at another place"
    assert [str(p).startswith(says) and "rename it" in p.fix for p in found.problems] == [True]
    assert report(arm(formulation, markers={"tip": (0.3, 0, 0)})).ok


def test_a_marker_that_an_interface_leaves_no_nodes():
    (problem,) = report(arm(markers={"sensor": (0.28, 0, 0)})).problems
    assert problem.what == "marker 'sensor' cannot be a node of the superelement"
    assert "belongs to interface 'tip' too" in problem.why
    assert "move it more than an element away" in problem.fix
    assert report(arm("floating", markers={"sensor": (0.28, 0, 0)})).ok


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_a_marker_far_off_the_mesh(formulation):
    found = report(arm(formulation, markers={"sensor": (5, 5, 5)}))
    assert "marker 'sensor'" in str(found)
    assert "8.48 m" in str(found)
    assert "units" in str(found)
    assert found.ok == (formulation != "superelement")


# ---- units


def test_a_mesh_in_millimetres_is_suspected(tmp_path):
    file = tmp_path / "arm.inp"
    write_inp(file, bar(300, 20, 10, (6, 1, 1), element="hex20", material=fx.Isotropic(2.1e5, 0.3, 7.85e-9)))

    def body(**about):
        return fx.FlexibleBody("arm", file, interfaces=ENDS, reduction=fx.CraigBampton(modes=4), **about)

    assert not report(body(units="mm-t-s")).warnings
    (warning,) = report(body()).warnings
    assert "Young's modulus 2.1e+05 Pa and density 7.85e-09 kg/m³" in warning.what
    assert 'units="mm-t-s"' in warning.fix
    (warning,) = report(body(material="steel")).warnings
    assert warning.what == "its mesh is 300 m long"
    assert 'units="mm-t-s"' in read_mesh(file).notes[-1]
    assert not read_mesh(file, units="mm-t-s").notes


# ---- files


def test_a_file_holds_what_was_told_and_no_more(tmp_path):
    write_inp(tmp_path / "arm.inp", MESH)
    average = fx.Interface("x_max", tie="average")
    middle = [int(node) for node in MESH.node_ids[np.isclose(MESH.points[:, 0], 0.15)]]
    body = fx.FlexibleBody("arm", tmp_path / "arm.inp", interfaces={"root": "x_min", "tip": average, "side": middle})
    text = fx.Model("m", [body]).to_yaml()
    assert "null" not in text
    assert "root: x_min\n" in text
    assert "tip: {nodes: x_max, tie: average}\n" in text
    assert f"side: {{type: numbered, ids: {middle}}}\n" in text
    assert fx.Model.from_yaml(text)["arm"] == body


@pytest.mark.parametrize("formulation", ["superelement", "floating", "full_mesh", "rigid"])
def test_a_mesh_with_supports(formulation):
    """Refused as it is, with what to do; without its supports it moves freely: it falls under its weight."""
    mesh = bar(0.3, 0.02, 0.02, (3, 1, 1), material=fx.Steel())
    held = replace(mesh, fixed=tuple((int(n), (0, 1, 2)) for n in mesh.node_sets["x_min"]))
    body = fx.FlexibleBody("b", held, interfaces={"root": "x_min", "tip": "x_max"}, formulation=formulation)
    with pytest.raises(
        ModelError, match=r"4 of its nodes are supported, e.g. 1; .*ignore_supports.*the node set 'x_min'"
    ):
        fx.Model("m", [body]).check()
    free = fx.Model("m", [body.replace(ignore_supports=True)], gravity=(0, 0, -10))
    assert free.check().ok
    run = free.dynamics(until="10 ms", step="1 ms")
    assert run["b.position_z"].values[-1] == pytest.approx(-5 * 0.01**2, rel=1e-6)


@pytest.mark.parametrize("formulation", ["full_mesh", "rigid"])
def test_fields_that_do_nothing_are_told(formulation):
    mesh = bar(1.0, 0.1, 0.1, (2, 1, 1), element="hex8", material=fx.Steel())
    given = {"reduction": fx.CraigBampton(3), "stiffening": True}
    if formulation == "rigid":
        given["damping"] = fx.ModalDamping(0.02)
    body = fx.FlexibleBody("b", mesh=mesh, interfaces={"a": "x_min", "b": "x_max"}, formulation=formulation, **given)
    told = str(fx.Model("m", [body]).check())
    assert all(f"{field} has no effect" in told for field in given)


def test_a_full_mesh_with_modal_damping_is_refused_by_the_check():
    mesh = bar(1.0, 0.1, 0.1, (2, 1, 1), element="hex8", material=fx.Steel())
    given = {"formulation": "full_mesh", "damping": fx.ModalDamping(0.02)}
    body = fx.FlexibleBody("b", mesh=mesh, interfaces={"a": "x_min"}, **given)
    with pytest.raises(fx.ModelError, match="stiffness-proportional damping only"):
        fx.Model("m", [body]).check()
