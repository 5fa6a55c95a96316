"""The number of modes: estimates against true errors, and the reason given."""

from __future__ import annotations

import re
import warnings

import numpy as np
import pytest
from scipy.linalg import eigh

from flexor.bodies import FlexibleBody
from flexor.elements.assembly.model import assemble
from flexor.errors import ModelError
from flexor.materials import Steel
from flexor.mesh.generate import bar, l_profile
from flexor.mesh.select import plane
from flexor.reduce import CraigBampton, FreeInterface, Krylov, Modal, from_mesh, reduce_mesh
from flexor.reduce.auto import frequency_errors
from flexor.reduce.reduction import ShortOfFrequency
from tests.reduce.bodies import held_rod


@pytest.fixture(scope="module")
def bracket():
    """An L of two legs, its faces at the ends and the corner."""
    mesh = l_profile(0.4, 0.3, 0.03, 0.03, divisions=(8, 6, 1, 1), element="hex20")
    faces = {"foot": plane((0, 0.4, 0), "y"), "head": plane((0, 0, 0.3), "z")}
    return from_mesh(mesh, faces)


def true_errors(p, H, limit):
    """Relative frequency errors below ω² = limit of the free body and clamped at each interface."""
    K, M = H.T @ (p.K @ H), H.T @ (p.M @ H)
    found = {}
    for name, held in (("free", ()), *((n, range(6 * k, 6 * k + 6)) for k, n in enumerate(p.names))):
        kept = np.setdiff1d(np.arange(len(K)), held)
        squares = eigh(K[np.ix_(kept, kept)], M[np.ix_(kept, kept)], eigvals_only=True)
        squares = squares[6:] if name == "free" else squares
        squares = squares[squares <= limit]
        exact = p.free_modes(len(squares))[0] if name == "free" else p.clamped_modes(name, len(squares))[0]
        found[name] = np.sqrt(squares / exact[: len(squares)]) - 1
    return found


@pytest.mark.parametrize("count", [6, 12])
def test_the_estimate_is_the_error(bracket, count):
    """First order: nearly right where errors are below a few per cent, and rather too large."""
    H = CraigBampton(count).basis(bracket)[0]
    held, _ = bracket.held_modes(count + 1)
    limit = held[count // 2]
    estimated = frequency_errors(bracket, H, limit, held[-1])
    for (_, _, guess), true in zip(estimated, true_errors(bracket, H, limit).values(), strict=True):
        assert len(guess) == len(true) > 0
        visible = (true > 1e-7) & (true < 0.03)
        assert visible.any()
        assert np.all(guess[visible] > 0.99 * true[visible])
        assert np.all(guess[visible] < 1.6 * true[visible])


@pytest.mark.parametrize("tolerance", [0.02, 0.002])
@pytest.mark.parametrize("method", [CraigBampton, FreeInterface, Krylov], ids=lambda m: m.__name__)
def test_enough_for_a_frequency(bracket, method, tolerance):
    up_to = 2500.0
    H, why = method(up_to=up_to, tolerance=tolerance).basis(bracket)
    errors = true_errors(bracket, H, (2 * np.pi * up_to) ** 2)
    assert max(len(e) for e in errors.values()) > 4
    for name, error in errors.items():
        assert np.all(error <= 1.2 * tolerance), name
    assert len(why) == 1
    assert "2.5 kHz" in why[0]


def test_tighter_tolerances_take_more_modes(bracket):
    counts = [CraigBampton(up_to=2500, tolerance=t).basis(bracket)[0].shape[1] for t in (0.05, 0.005, 0.0005)]
    assert counts[0] < counts[1] < counts[2]


def test_it_is_not_wasteful():
    """One mode fewer and some frequency is off by more than the limit."""
    p, limit = held_rod(), (2 * np.pi * 3000.0) ** 2
    H, _ = CraigBampton(up_to=3000).basis(p)
    fewer = true_errors(p, H[:, :-1], limit)
    assert max(error.max() for error in fewer.values()) > 0.005


def test_all_held_modes_below_the_frequency_are_taken():
    p = held_rod()
    H, (why,) = CraigBampton(up_to="3 kHz", tolerance=0.99).basis(p)
    held, _ = p.held_modes(1, (2 * np.pi * 3000.0) ** 2)
    assert H.shape[1] == 12 + len(held)
    assert re.match(rf"{len(held)} modes: {len(held)} held modes lie below 3 kHz; they leave an estimated", why)


def test_the_reason_names_numbers():
    _, (why,) = CraigBampton(up_to="3 kHz").basis(held_rod())
    sentence = r"\d+ modes: \d+ held modes lie below 3 kHz, \d+ more bring the estimated frequency error there from"
    assert re.match(sentence + r" [\d.]+ % to [\d.]+ % \(limit 1 %\); the next mode is at [\d.]+ kHz", why)


def test_more_than_there_is():
    """A frequency beyond all modes takes them all."""
    p = held_rod()
    H, (why,) = CraigBampton(up_to="1 MHz").basis(p)
    assert H.shape[1] <= p.n
    assert "modes" in why


@pytest.mark.parametrize("divisions", [(10, 1, 1), (12, 2, 2)])
@pytest.mark.parametrize("method", [CraigBampton, FreeInterface, Krylov], ids=lambda m: m.__name__)
def test_no_mode_below_the_frequency_is_missing(divisions, method):
    """The third bending mode lies just below 300 Hz, the held mode that it needs just above; the proof agrees."""
    mesh = bar(1.0, 0.03, 0.02, divisions, element="hex20", material=Steel())
    with warnings.catch_warnings():
        warnings.simplefilter("error", ShortOfFrequency)
        body = reduce_mesh(mesh, {"l": "x_min", "r": "x_max"}, method(up_to="300 Hz"), use_cache=False)
    full = assemble(mesh)
    squares = eigh(full.K_reduced.toarray(), full.M_reduced.toarray(), eigvals_only=True, subset_by_index=(6, 8))
    exact = np.sqrt(squares) / (2 * np.pi)
    assert 290 < exact[2] < 300
    reduced = np.sqrt(eigh(body.K, body.M, eigvals_only=True)[6:9]) / (2 * np.pi)
    np.testing.assert_allclose(reduced, exact, rtol=0.01)
    assert body.validation.first_wrong > 300


def test_the_proof_judges_by_the_tolerance_that_was_asked_for():
    mesh = bar(1.0, 0.03, 0.02, (10, 1, 1), element="hex20", material=Steel())
    body = reduce_mesh(
        mesh, {"l": "x_min", "r": "x_max"}, CraigBampton(up_to="300 Hz", tolerance=1e-3), use_cache=False
    )
    assert body.validation.tolerance == 1e-3
    assert body.validation.first_wrong > 300


@pytest.mark.parametrize("interfaces", [{"l": "x_min"}, {}])
def test_modal_without_a_mode_up_to_the_frequency_is_refused(interfaces):
    mesh = bar(1.0, 0.03, 0.02, (10, 1, 1), element="hex20", material=Steel())
    with pytest.raises(
        ModelError, match=r"no elastic mode up to 10 Hz; its lowest has 106\.\d+ Hz.*formulation: rigid"
    ):
        reduce_mesh(mesh, interfaces, Modal(up_to="10 Hz"), use_cache=False)
    with pytest.raises(ModelError, match="no elastic mode up to 10 Hz"):
        FlexibleBody("b", mesh=mesh, interfaces=interfaces, formulation="floating", reduction=Modal(up_to=10)).reduced  # noqa: B018
