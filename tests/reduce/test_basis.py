"""Reduction bases: what all of them promise, and what each does."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import eigh

from flexor.errors import ModelError, SingularError, SolveError
from flexor.materials import Steel
from flexor.mesh.generate import bar, box
from flexor.reduce import (
    METHODS,
    CraigBampton,
    FreeInterface,
    Guyan,
    Krylov,
    Modal,
    ResponseModes,
    from_mesh,
    reduce_mesh,
)
from flexor.reduce.basis import free_interface, krylov
from flexor.reduce.invariants import inertia_loads
from flexor.reduce.proof import validate
from flexor.reduce.reduced import project
from tests.reduce.bodies import held_beams, held_rod, hertz, rod

SAMPLES = (
    Guyan(),
    CraigBampton(8),
    CraigBampton(up_to="2 kHz"),
    ResponseModes(("1 kHz",), modes=3),
    FreeInterface(8),
    FreeInterface(up_to="2 kHz"),
    Krylov(("500 Hz", "2 kHz")),
    Krylov(frequencies=(0.0,), points=((-300.0, 4000.0),), moments=2),
    Krylov(up_to="2 kHz"),
    Modal(8),
    Modal(up_to="2 kHz"),
)
BODIES = {"rigid": lambda: held_rod("rigid"), "average": lambda: held_rod("average"), "beams": held_beams}
methods = pytest.mark.parametrize("method", SAMPLES, ids=lambda m: f"{m.type}-{SAMPLES.index(m)}")
bodies = pytest.mark.parametrize("p", [make() for make in BODIES.values()], ids=BODIES)


def reduced(p, H):
    return H.T @ (p.K @ H), H.T @ (p.M @ H)


def test_every_method_has_a_sample():
    assert {type(sample) for sample in SAMPLES} == set(METHODS)


@bodies
@methods
def test_form(p, method):
    """C H = [1 0]; stiffness in two blocks, ω² of mass-normalised modes in the second; rigid motion in the first."""
    if method.type == "modal":
        pytest.skip("free modes have no connection coordinates")
    H, _ = method.basis(p)
    n = p.n_connections
    assert np.allclose(p.C @ H, np.eye(n, H.shape[1]), atol=1e-9)
    K, M = reduced(p, H)
    size = np.sqrt(np.outer(np.diag(K), np.diag(K)))
    assert np.abs(K - K.T).max() < 1e-9 * np.abs(K).max()
    assert np.all(np.abs(K[:n, n:]) < 1e-7 * size[:n, n:])
    assert np.allclose(M[n:, n:], np.eye(H.shape[1] - n), atol=1e-7)
    assert np.allclose(K[n:, n:], np.diag(np.diag(K)[n:]), atol=1e-7 * np.diag(K)[n:].max(initial=1.0))
    assert np.allclose(H[:, :n] @ (p.C @ p.rigid), p.rigid, rtol=0, atol=1e-13)


@bodies
@methods
def test_frequencies_are_bounds_from_above(p, method):
    """Rayleigh: a projection raises every frequency; six of them are zero."""
    H, _ = method.basis(p)
    K, M = reduced(p, H)
    squares = eigh(K, M, eigvals_only=True)
    if method.type != "modal":
        assert np.abs(squares[:6]).max() < 1e-5 * squares[6]
        squares = squares[6:]
    count = min(len(squares), 12)
    full, _ = p.free_modes(count)
    assert np.all(squares[:count] > full * (1 - 1e-6))


@bodies
def test_guyan_is_exact_in_statics(p):
    """A load on a connection node moves it like the full model; another one is clamped."""
    K, _ = reduced(p, Guyan().basis(p)[0])
    full, C = p.K.toarray(), p.C.toarray()
    size = np.abs(full).max()
    A = np.block([[full / size, C[:6].T], [C[:6], np.zeros((6, 6))]])
    exact = C[6:] @ np.linalg.solve(A, np.vstack([C[6:].T, np.zeros((6, 6))]))[: p.n] / size
    assert np.allclose(np.linalg.inv(K[6:, 6:]), exact, rtol=1e-5, atol=1e-6 * np.abs(exact).max())


@bodies
def test_free_interface_keeps_free_modes_exactly(p):
    H = free_interface(p, 7)
    full, _ = p.free_modes(7)
    assert np.allclose(eigh(*reduced(p, H), eigvals_only=True)[6:13], full, rtol=1e-9)


@bodies
def test_modal_keeps_free_modes_exactly(p):
    H = Modal(7).basis(p)[0]
    full, _ = p.free_modes(7)
    assert np.allclose(eigh(*reduced(p, H), eigvals_only=True), full, rtol=1e-9)


def transfer(K, M, C, s):
    """Motion of the connection nodes under loads on them."""
    return C @ np.linalg.solve(s * s * M + K, C.T)


POINTS = (900j, 9000j, -200 + 5000j, 3000.0 + 0j)


@pytest.mark.parametrize("p", [held_rod("rigid"), held_rod("average")], ids=["rigid", "average"])
@pytest.mark.parametrize("moments", [1, 2])
def test_krylov_matches_the_transfer_matrix(p, moments):
    H = krylov(p, POINTS, moments)
    K, M = reduced(p, H)
    C = p.C @ H
    for s in (*POINTS, np.conj(POINTS[2])):
        exact = transfer(p.K.toarray(), p.M.toarray(), p.C.toarray(), s)
        assert np.abs(transfer(K, M, C, s) - exact).max() < 1e-8 * np.abs(exact).max()


def test_krylov_matches_derivatives():
    """With m moments at a real s², 2m of them: the slope by s² too, which no interpolation between others has."""
    p, s = held_rod(), 9000j
    H = krylov(p, (s,))
    (K, M), C = reduced(p, H), p.C @ H

    def slope(K, M, C):
        X = np.linalg.solve(s * s * M + K, C.T)
        return -X.T @ M @ X

    exact = slope(p.K.toarray(), p.M.toarray(), p.C.toarray())
    assert np.abs(slope(K, M, C) - exact).max() < 1e-7 * np.abs(exact).max()
    away = 1.3 * s
    off = transfer(K, M, C, away) - transfer(p.K.toarray(), p.M.toarray(), p.C.toarray(), away)
    assert np.abs(off).max() > 1e-6 * np.abs(exact).max() * abs(s) ** 2, "exact everywhere: the test is blind"


@bodies
def test_krylov_is_stable(p):
    K, M = reduced(p, krylov(p, (2j * np.pi * 300, 2j * np.pi * 1000)))
    assert np.linalg.eigvalsh(M)[0] > 0
    assert eigh(K, M, eigvals_only=True)[0] > -1e-6 * eigh(K, M, eigvals_only=True)[6]


def test_response_modes_are_exact_at_their_frequency():
    p, f = held_rod(), 900.0
    H = ResponseModes((f,)).basis(p)[0]
    (K, M), C = reduced(p, H), p.C @ H
    s = 2j * np.pi * f
    exact = transfer(p.K.toarray(), p.M.toarray(), p.C.toarray(), s)
    assert np.abs(transfer(K, M, C, s) - exact).max() < 1e-8 * np.abs(exact).max()
    guyan = Guyan().basis(p)[0]
    coarse = transfer(*reduced(p, guyan), p.C @ guyan, s)
    assert np.abs(coarse - exact).max() > 1e-2 * np.abs(exact).max()


def test_all_modes_make_it_exact():
    """FTG 3.2.3: with all held modes Craig-Bampton is a change of coordinates."""
    p = held_beams()
    H = CraigBampton(p.n).basis(p)[0]
    assert H.shape == (p.n, p.n)
    exact = eigh(p.K.toarray(), p.M.toarray(), eigvals_only=True)
    assert np.allclose(hertz(eigh(*reduced(p, H), eigvals_only=True))[6:], hertz(exact)[6:], rtol=1e-7)


def test_a_basis_that_cannot_move_all_connection_nodes_is_refused():
    many = from_mesh(rod(), {f"cut {i}": {"type": "plane", "at": (i / 6, 0, 0), "normal": "x"} for i in range(7)})
    from flexor.reduce.basis import to_interface_form

    with pytest.raises(SolveError, match="moves the 42 connection coordinates in only"):
        to_interface_form(many, np.hstack([many.rigid_modes, many.free_modes(5)[1]]))


@pytest.mark.parametrize("method", [m for m in SAMPLES if m.type != "modal"], ids=lambda m: m.type)
def test_methods_that_need_interfaces_say_so(method):
    with pytest.raises(ModelError, match="no interfaces"):
        method.basis(from_mesh(rod(), {}))


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: CraigBampton(), "up_to: 500 Hz"),
        (lambda: FreeInterface(modes="auto"), "up_to: 500 Hz"),
        (lambda: Krylov(), "no expansion points"),
        (lambda: Krylov(("1 Hz",), up_to="2 Hz"), "leave one out"),
        (lambda: Modal(), "no modes"),
        (lambda: CraigBampton(-1), "modes"),
        (lambda: ResponseModes(()), "frequencies"),
        (lambda: CraigBampton(up_to="3 kg"), "up_to"),
    ],
)
def test_declarations_that_say_too_little(wrong, told):
    with pytest.raises(ModelError, match=told):
        wrong()


@methods
def test_declarations_survive_json(method):
    assert type(method).model_validate_json(method.model_dump_json()) == method


def test_inertia_shapes_make_the_statics_of_weight_and_spin_exact():
    """Two modes and the shapes of own inertia: held at one end, the rod stretches as its mesh under any spin."""
    p = from_mesh(rod(), {"left": "x_min"})
    H, why = CraigBampton(modes=2, inertia_shapes=True).basis(p)
    assert why == (f"{H.shape[1] - 8} static shapes of its own inertia",)
    loads = inertia_loads(p)
    exact = p.held.solve(loads)
    K, F = (H.T @ (p.K @ H))[6:, 6:], (H.T @ loads)[6:]
    found = H[:, 6:] @ np.linalg.solve(K, F)
    assert np.allclose(found, exact, atol=1e-7 * np.abs(exact).max())
    few = CraigBampton(modes=2).basis(p)[0]
    assert few.shape[1] == 8


def test_validation_tells_what_the_basis_lacks():
    p = from_mesh(rod(), {"left": "x_min"})
    without, with_shapes = (
        validate(p, H, project(p, H)).spin
        for H in (CraigBampton(2).basis(p)[0], CraigBampton(2, inertia_shapes=True).basis(p)[0])
    )
    assert without > 0.5
    assert with_shapes < 1e-6


@pytest.mark.parametrize("method", [FreeInterface(4), CraigBampton(4, inertia_shapes=True)], ids=lambda m: m.type)
def test_small_bodies_vibrate_as_large_ones_do(method):
    """ω ~ 1/L, down to 1 µm; modes of unit mass are very long there."""
    found = []
    for size in (1.0, 1e-4, 1e-6):
        mesh = bar(size, 0.1 * size, 0.1 * size, (4, 1, 1), element="hex20", material=Steel())
        faces = {"a": "x_min", "b": "x_max"}
        body = reduce_mesh(mesh, faces, method, use_cache=False)
        assert body.has_connections
        found.append(size * hertz(eigh(body.K, body.M, eigvals_only=True)[6:10]))
    np.testing.assert_allclose(found[1:], [found[0]] * 2, rtol=1e-9)


def test_a_frequency_that_is_lost_in_rounding_is_told():
    """100 Hz beside vibrations of 0.5 GHz."""
    mesh = bar(1e-6, 1e-7, 1e-7, (4, 1, 1), element="hex20", material=Steel())
    faces = {"a": "x_min", "b": "x_max"}
    with pytest.raises(SingularError, match="100 Hz is so far below"):
        reduce_mesh(mesh, faces, Krylov((100.0,)), use_cache=False)


def test_a_mesh_far_from_the_origin_is_told():
    """Its inertia about the origin is 10⁸ times that about its middle."""
    mesh = box((1, 0.1, 0.1), (4, 1, 1), at=(1e4, 0, 0), element="hex20", material=Steel())
    with pytest.raises(SolveError, match="times its own size away from the origin"):
        reduce_mesh(mesh, {"a": "x_min", "b": "x_max"}, CraigBampton(4), use_cache=False)
