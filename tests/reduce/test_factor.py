"""Sparse factorisation: every library of the ladder, and singular matrices found out."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from scipy import sparse

from flexor.errors import SingularError, SolveError
from flexor.reduce import factor
from flexor.reduce.factor import LADDER, factorise
from flexor.threads import SMALL
from tests.reduce.bodies import held_rod

PACKAGES = {"Fronts": "pypardiso", "CHOLMOD": "sksparse", "Pardiso": "pypardiso", "SuperLU": "scipy"}
LIBRARIES = [choice.library for choice in LADDER]


def needs(library: str) -> None:
    if importlib.util.find_spec(PACKAGES[library]) is None:
        pytest.skip(f"{library} is not installed ({PACKAGES[library]})")


def matrices() -> dict[str, tuple[sparse.csc_array, bool]]:
    p = held_rod()
    K, M = p.K[p.held.free][:, p.held.free], p.M[p.held.free][:, p.held.free]
    square = (2 * np.pi * 3000.0) ** 2
    return {
        "definite": (K, True),
        "indefinite": (K - square * M, False),
        "complex": (K + (1j - 1) * square * M, False),
    }


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", ["definite", "indefinite", "complex"])
def test_every_library_solves(library, kind):
    needs(library)
    if library in ("Fronts", "CHOLMOD") and kind != "definite":
        pytest.skip(f"{library} is used for definite matrices only")
    A, definite = matrices()[kind]
    factors = factorise(A, definite=definite, library=library)
    assert factors.library == library
    rng = np.random.default_rng(3)
    for shape in ((A.shape[0],), (A.shape[0], 5)):
        x = rng.standard_normal(shape).astype(A.dtype)
        b = A @ x
        before = b.copy()
        found = factors.solve(b)
        assert found.shape == shape
        assert np.array_equal(b, before), "the right side was changed"
        assert np.abs(A @ found - b).max() < 1e-10 * np.abs(b).max()
        assert np.abs(found - x).max() < 1e-6 * np.abs(x).max()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kind", ["definite", "indefinite", "complex"])
def test_ordering_by_nodes_changes_nothing_but_the_order(library, kind):
    needs(library)
    if library in ("Fronts", "CHOLMOD") and kind != "definite":
        pytest.skip(f"{library} is used for definite matrices only")
    p = held_rod()
    A, definite = matrices()[kind]
    factors = factorise(A, definite=definite, library=library, nodes=p.moved[p.held.free])
    x = np.random.default_rng(3).standard_normal((A.shape[0], 3)).astype(A.dtype)
    assert np.abs(factors.solve(A @ x) - x).max() < 1e-6 * np.abs(x).max()
    if library == "Pardiso":
        assert factors.entries < 1.1 * factorise(A, definite=definite, library=library).entries


def test_the_number_of_negative_eigenvalues_is_that_of_the_modes_below():
    needs("Pardiso")
    A, _ = matrices()["indefinite"]
    counted = factorise(A, definite=False, library="Pardiso").negative
    assert counted == int((np.linalg.eigvalsh(A.toarray()) < 0).sum()) > 0


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_free_body_is_singular(library):
    needs(library)
    with pytest.raises(SingularError, match="singular"):
        factorise(held_rod().K, library=library)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_loose_piece_is_singular_and_named(library):
    needs(library)
    A, _ = matrices()["definite"]
    loose = sparse.csc_array(sparse.block_diag([A, np.array([[1.0, -1.0], [-1.0, 1.0]]) * 1e9]))
    told = (
        "singular" if library == "SuperLU" else f"row {A.shape[0]}|row {A.shape[0] + 1}"
    )  # SuperLU keeps it to itself
    with pytest.raises(SingularError, match=told):
        factorise(loose, library=library, equation="row {}".format)


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_coordinate_without_stiffness_is_singular_and_named(library):
    needs(library)
    A, _ = matrices()["definite"]
    with pytest.raises(SingularError, match=f"row {A.shape[0]}"):
        factorise(sparse.csc_array(sparse.block_diag([A, np.zeros((1, 1))])), library=library, equation="row {}".format)


def test_values_that_are_not_finite_are_refused():
    A, _ = matrices()["definite"]
    A = A.copy()
    A.data[7] = np.nan
    with pytest.raises(SingularError, match="not finite"):
        factorise(A)


def test_an_unknown_library_is_refused():
    with pytest.raises(SolveError, match="not installed"):
        factorise(matrices()["definite"][0], library="Nonesuch")


def test_the_want_of_a_fast_library_is_told_once(monkeypatch, recwarn):
    monkeypatch.setattr(factor, "LADDER", (factor.SuperLU,))
    monkeypatch.setattr(factor, "_told", False)
    few, many = (sparse.eye_array(n, format="csc") for n in (100, SMALL))
    factorise(few)
    factorise(many, library="SuperLU")  # as asked for
    assert not recwarn.list
    factorise(many)
    factorise(many)
    (warning,) = recwarn.list
    assert warning.category is factor.SlowFactorisation
    assert f"{SMALL} equations are factorised by SuperLU" in str(warning.message)
