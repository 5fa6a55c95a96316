"""Calling one law by hand: as plain Python on exactly sized arrays, or compiled between guard values."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass

import numpy as np

from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Term
from flexor.law.compile import compiled
from tests.laws.states import State

GUARD = 1.2345e301
N_GUARDS = 16


@dataclass(frozen=True)
class Answer:
    """What a law left behind."""

    status: int
    r: np.ndarray
    K: np.ndarray
    w: np.ndarray
    h: np.ndarray


def memory(
    term: Term, state: State, c: tuple[float, float, float], want: int = 0, python: bool = True
) -> dict[str, np.ndarray]:
    """Every array that a law may touch, of exactly the size it is entitled to; what the engine sets to zero is."""
    n = term.size
    scratch = np.full(term.workspace, GUARD)
    if want & ENERGY:
        scratch[:5] = 0.0
    counts = (len(term.nodes), len(term.scalars), len(term.rows) + term.n_read)
    return {
        "n": np.array(counts, dtype=np.int64),
        "k": np.array(term.ints, dtype=np.int64),
        "p": term.words(python).copy(),
        "h": state.h.copy(),
        "c": np.array([*c, 1e-3, *state.gravity, state.load, state.turning, state.states, 1e-9]),
        "x": state.x.ravel().copy(),
        "R": state.R.ravel().copy(),
        "v": state.v.ravel().copy(),
        "a": state.proper.ravel().copy(),
        "s": state.s.ravel().copy(),
        "lam": state.lam.copy(),
        "r": np.zeros(n),
        "K": np.zeros(n * n),
        "w": scratch,
    }


ORDER = ("n", "k", "p", "h", "t", "c", "x", "R", "v", "a", "s", "lam", "r", "K", "w")
WRITABLE = ("h", "r", "K", "w")


def call(term: Term, state: State, want: int, c: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> Answer:
    """As plain Python: an index beyond an array is an IndexError, a write to what is only read a ValueError."""
    arrays = memory(term, state, c, want)
    for name, array in arrays.items():
        array.flags.writeable = name in WRITABLE
    status = term.law.function(want, *[state.t if name == "t" else arrays[name] for name in ORDER])
    return _answer(term, status, arrays)


def call_compiled(term: Term, state: State, want: int, c: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> Answer:
    """As machine code: whatever it writes outside its own r, K, w and h is found out."""
    arrays = memory(term, state, c, want, python=False)
    guarded, pointers = {}, []
    for name in ORDER:
        if name == "t":
            pointers.append(state.t)
            continue
        values = arrays[name]
        guard = GUARD if values.dtype == float else -(2**61)
        around = np.full(len(values) + 2 * N_GUARDS, guard, dtype=values.dtype)
        around[N_GUARDS : N_GUARDS + len(values)] = values
        guarded[name] = around, around.copy()
        kind = ctypes.c_double if values.dtype == float else ctypes.c_int64
        pointers.append(around[N_GUARDS:].ctypes.data_as(ctypes.POINTER(kind)))
    status = compiled(term.law.function, "law").ctypes(want, *pointers)
    for name, (after, before) in guarded.items():
        size = len(arrays[name])
        if name in WRITABLE:
            arrays[name] = after[N_GUARDS : N_GUARDS + size].copy()
            before[N_GUARDS : N_GUARDS + size] = arrays[name]
        np.testing.assert_array_equal(after, before, err_msg=f"{term.law.name} wrote where it may not, at {name}")
    return _answer(term, status, arrays)


def _answer(term: Term, status: int, arrays: dict[str, np.ndarray]) -> Answer:
    n = term.size
    return Answer(int(status), arrays["r"], arrays["K"].reshape(n, n), arrays["w"], arrays["h"])


def residual(term: Term, state: State, level: int = 0) -> np.ndarray:
    answer = call(term, state, RESIDUAL | level)
    assert answer.status == 0, term.law.errors.get(answer.status, answer.status)
    return answer.r


def matrix(term: Term, state: State, c: tuple[float, float, float], level: int = 0) -> np.ndarray:
    answer = call(term, state, RESIDUAL | MATRIX | level, c)
    assert answer.status == 0, term.law.errors.get(answer.status, answer.status)
    return answer.K


def outputs(term: Term, state: State) -> np.ndarray:
    return call(term, state, OUTPUT).w[: len(term.outputs)]


def energies(term: Term, state: State) -> np.ndarray:
    """kinetic, potential, strain energy [J], dissipated power, input power [W]"""
    return call(term, state, ENERGY).w[:5]
