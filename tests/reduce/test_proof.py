"""The proof of a reduced body, and bodies that fail it."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh

import flexor as fx
from flexor.errors import SingularError, SolveError
from flexor.mesh.generate import bar, box
from flexor.mesh.made_of import made_of
from flexor.mesh.section import Rectangle
from flexor.reduce import (
    CraigBampton,
    FreeInterface,
    Guyan,
    Krylov,
    Modal,
    ShortOfFrequency,
    from_mesh,
    reduce_mesh,
    reduce_problem,
    validate,
)
from flexor.reduce.reduced import project
from tests.reduce.bodies import held_beams, held_rod, hertz


def checked(p, method, **options):
    H, _ = method.basis(p)
    body = project(p, H)
    return validate(p, H, body, **options), H, body


@pytest.mark.parametrize("p", [held_rod(), held_rod("average"), held_beams()], ids=["rigid", "average", "beams"])
def test_a_good_body(p):
    found, _, _ = checked(p, CraigBampton(10))
    assert found.passed
    found.refuse("rod")
    assert np.isclose(found.mass, found.mesh_mass, rtol=1e-10)
    assert found.inertia_error < 1e-9
    assert found.rigid_frequency < 1e-3 * found.full[0]
    assert max(found.compliance) < 1e-6
    assert len(found.full) == len(found.reduced) == len(found.errors) == 16
    exact = hertz(eigh(p.K.toarray(), p.M.toarray(), eigvals_only=True)[6:22])
    assert np.allclose(found.full, exact, rtol=1e-5)


def test_trusted_frequency():
    """No mode up to it is off by more than the tolerance, free or clamped; the next one is."""
    p = held_rod()
    found, _, body = checked(p, CraigBampton(9), tolerance=0.01)
    cases = {"free": (np.array(found.full), np.array(found.errors))}
    for k, name in enumerate(p.names):
        kept = np.delete(np.arange(body.size), np.arange(6 * k, 6 * k + 6))
        reduced = hertz(eigh(body.K[np.ix_(kept, kept)], body.M[np.ix_(kept, kept)], eigvals_only=True))[:10]
        full = hertz(p.clamped_modes(name, 10)[0])
        cases[name] = (full, reduced / full - 1)
    first_bad = min(full[error > 0.01].min() for full, error in cases.values())
    assert 0.8 * first_bad < found.trusted < first_bad
    assert np.isclose(found.first_wrong, first_bad, rtol=0.02)
    assert f"until the one at {found.first_wrong:.5g} Hz" in str(found)
    tight, _, _ = checked(p, CraigBampton(9), tolerance=1e-5)
    assert tight.trusted < found.trusted
    loose, _, _ = checked(p, CraigBampton(40), modes=8)
    assert loose.first_wrong is None
    assert loose.trusted >= loose.full[-1]


def test_guyan_is_trusted_little():
    found, _, _ = checked(held_rod(), Guyan())
    assert found.trusted < 0.5 * found.full[0]
    assert max(found.compliance) < 1e-6
    assert found.passed


def test_krylov_compliance_is_not_exact_and_told():
    found, _, _ = checked(held_rod(), Krylov(("500 Hz", "2 kHz")))
    assert 1e-5 < max(found.compliance) < 0.02


def test_modes_alone_lack_static_compliance():
    found, _, _ = checked(held_rod(), Modal(6))
    assert max(found.compliance) > 0.05
    assert max(np.abs(found.errors)) < 1e-8


def test_text_json_and_picture(tmp_path):
    found, _, _ = checked(held_rod(), CraigBampton(6))
    text = str(found)
    for part in (
        "mass 62.8 kg",
        "of the mesh 62.8 kg",
        "static compliance within",
        "clamped at 'left'",
        "trusted up to",
    ):
        assert part in text
    again = json.loads(json.dumps(found.to_dict()))
    assert again["passed"] is True
    assert again["full"] == list(found.full)
    found.plot(tmp_path / "proof.png")
    assert (tmp_path / "proof.png").stat().st_size > 5000


def test_wrong_mass_is_refused():
    p = held_rod()
    H, _ = CraigBampton(4).basis(p)
    body = project(p, H)
    wrong = replace(body, invariants=replace(body.invariants, mass=2 * body.invariants.mass))
    with pytest.raises(SolveError, match=r"body 'rod' is not right(.|\n)*mass of 125.6 kg, the mesh 62.8 kg"):
        validate(p, H, wrong).refuse("rod")


def test_lost_inertia_is_refused():
    p = held_rod()
    H, _ = CraigBampton(4).basis(p)
    body = project(p, H)
    M = body.M.copy()
    M[3, 3] *= 1.01
    assert any("inertia were lost" in problem for problem in validate(p, H, replace(body, M=M)).problems)


def test_a_lost_rigid_motion_is_refused():
    """A weak spring to ground, too weak to show beside the stiffness of an element, but not beside bending."""
    mesh = bar(10.0, 0.02, 0.01, divisions=(40,), element="beam2", section=Rectangle(0.02, 0.01))
    p = from_mesh(mesh, {"left": "x_min", "right": "x_max"})
    K = p.K.tolil()
    K[6 * 20 + 1, 6 * 20 + 1] += 0.5  # N/m
    grounded = replace(p, K=K.tocsc())
    grounded.check()
    with pytest.raises(SolveError, match="a rigid-body motion is lost"):
        reduce_problem(grounded, CraigBampton(4))


def hinged():
    """Two boxes that share an edge along y: a hinge."""
    left, right = box((0.5, 0.2, 0.1), (4, 2, 1)), box((0.5, 0.2, 0.1), (4, 2, 1), at=(0.5, 0, 0.1))
    shared = {
        int(j): int(i)
        for i in range(len(left.points))
        for j in range(len(right.points))
        if np.allclose(left.points[i], right.points[j])
    }
    assert len(shared) == 3
    n = len(left.points)
    number = np.array([shared.get(j, n + j) for j in range(len(right.points))])
    block = right.blocks[0]
    return replace(
        left,
        points=np.vstack([left.points, right.points]),
        node_ids=np.arange(1, n + len(right.points) + 1),
        blocks=(*left.blocks, replace(block, nodes=number[block.nodes], ids=block.ids + 100)),
        node_sets={"left": left.node_sets["x_min"], "right": number[right.node_sets["x_max"]]},
    )


def test_a_mechanism_is_refused():
    both = {"left": "left", "right": "right"}
    for method in (CraigBampton(4), Guyan(), FreeInterface(4)):
        with pytest.raises(SolveError, match="mechanism"):
            reduce_mesh(hinged(), both, method, use_cache=False)


def test_a_mechanism_that_nothing_holds_is_singular_and_located():
    with pytest.raises(SingularError, match=r"the stiffness matrix is singular at node \d+, (x|z)(.|\n)*a mechanism"):
        reduce_mesh(hinged(), {"left": "left"}, CraigBampton(4), use_cache=False)


def test_negative_stiffness_is_refused():
    p = held_rod()
    H, _ = CraigBampton(4).basis(p)
    body = project(p, H)
    K = body.K.copy()
    K[-1, -1] *= -1
    assert any("not positive" in problem for problem in validate(p, H, replace(body, K=K)).problems)


@pytest.mark.parametrize("modes", [20, 30])
def test_rounding_is_no_mistake_of_a_thin_body(modes):
    """Sheet metal: its frequencies by bending stand out little from the rounding of its stiffness along itself."""
    sheet = made_of(bar(1.0, 0.04, 0.002, (20, 1, 1), element="hex20"), material="steel")
    assert fx.reduce_mesh(sheet, {"a": "x_min", "b": "x_max"}, fx.CraigBampton(modes)).validation.passed


def test_frequencies_below_those_of_the_mesh_are_refused():
    p = held_rod()
    H, _ = CraigBampton(10).basis(p)
    body = project(p, H)
    assert any("lie below" in problem for problem in validate(p, H, replace(body, K=0.99 * body.K)).problems)


BAR = made_of(bar("0.3 m", "20 mm", "10 mm", (12, 2, 1), element="hex8"), material="steel")
ENDS = {"root": "x_min", "tip": "x_max"}


@pytest.mark.parametrize("up_to", [1000.0, 2000.0, 3000.0])
def test_a_body_chosen_for_a_frequency_is_trusted_so_far(up_to):
    """The proof judges clamped modes as the choice did, by the lowest held mode that the body lacks, and so does the truth."""
    body = reduce_mesh(BAR, ENDS, CraigBampton(up_to=up_to), use_cache=False)
    proof = body.validation
    assert proof.first_wrong > up_to
    exact = hertz(eigvals(reduce_mesh(BAR, ENDS, CraigBampton(60), use_cache=False), 6))
    own = hertz(eigvals(body, 6))
    right = own[: len(exact)][own[: len(exact)] < proof.first_wrong]
    np.testing.assert_allclose(right, exact[: len(right)], rtol=0.01)


def eigvals(body, held):
    return eigh(body.K[held:, held:], body.M[held:, held:], eigvals_only=True)


def test_a_body_that_falls_short_of_the_frequency_asked_for_is_told():
    with pytest.warns(
        ShortOfFrequency, match=r"right up to 6000 Hz, but its mode at 1\d\d\d.* Hz is off by more than 1 %"
    ):
        reduce_mesh(BAR, ENDS, CraigBampton(2, up_to="6 kHz"))
    with pytest.warns(ShortOfFrequency):  # from the cache, too
        reduce_mesh(BAR, ENDS, CraigBampton(2, up_to="6 kHz"))


def test_shares_are_readable():
    found, _, _ = checked(held_rod(), Guyan())
    assert "100 % under its weight" in str(replace(found, weight=1.03 / 1.03, spin=0.0123))
    assert "1.2 % in a spin; add CraigBampton(inertia_shapes=True)" in str(
        replace(found, weight=1.0, spin=0.0123, spin_about="")
    )
    assert "e+0" not in str(replace(found, weight=1.0, spin=1.0)).partition("strain energy")[2].partition("\n")[0]


def test_the_direction_in_which_inertia_is_missed_is_told():
    """A slender bar held at both ends: its bending modes take its weight across, none takes that along its axis."""
    mesh = bar(1.0, 0.02, 0.04, (10, 1, 1), element="hex20", material=fx.Steel())
    ends = {"a": "x_min", "b": "x_max"}
    bent = fx.reduce_mesh(mesh, ends, fx.CraigBampton(6), use_cache=False).validation
    assert bent.weight_along == "x"
    assert "100 % under its weight along x, " in str(bent)
    none = fx.reduce_mesh(mesh, ends, fx.Guyan(), use_cache=False).validation
    assert none.weight_along == "x, y, z"
    assert re.search(r"% in a spin about [xyz, ]+;", str(none))
