"""The few operations that plain Python and compiled code must spell differently.

Laws and engine kernels are plain Python functions on indexable memory: pointers when compiled, NumPy arrays
otherwise, so each of them can be run, stepped through and tested as ordinary Python. The functions here are the
Python meaning; `flexor.law.intrinsics` holds the compiled meaning under the same names, and `compiled()` swaps
one for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from flexor.law.dual import Dual, Duals, dual, duals, value

PYTHON_FUNCTIONS: dict[int, Callable] = {}
"""Python meaning of an address: negative handles of evaluators that run uncompiled (see `flexor.law.compile.handle`)."""


class Words(Protocol):
    """Numbers one after another: compiled a pointer, in Python an array."""

    def __getitem__(self, i: int, /) -> float: ...

    def __setitem__(self, i: int, value: float, /) -> None: ...


def called(function: Callable) -> Callable:
    """Marks a function that compiled code calls: it is long, or stands at many places, each of which would take it in as what is handed to a law is."""
    function.__dict__["called"] = True
    return function


def is_called(function: Callable) -> bool:
    """Whether it is marked so."""
    return "called" in function.__dict__


def at(array, offset):
    """The same memory, beginning `offset` items further on."""
    return array[offset:]


def call(kernel, table):
    """Call a kernel on a table; returns its status."""
    return kernel(table)


def call_law(laws, i, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Call law number `i` of the list of laws (signature in `flexor.law.law`); returns its status."""
    return laws[i](want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)


def call_function(address, p, x, out):
    """Evaluate a function of one variable (see `flexor.functions`): out = (f, f′, f″, ∫₀ˣ f), or as dual numbers."""
    if not isinstance(out, Duals) and not isinstance(x, Dual):
        return PYTHON_FUNCTIONS[int(address)](p, x, out)
    x = dual(x)
    f = [0.0] * len(out)
    status = PYTHON_FUNCTIONS[int(address)](p, x.a, f)
    for i, slope in enumerate((f[1], f[2], 0.0, f[0])):
        out[i] = Dual(f[i], slope * x.b)
    return status


PRIMITIVES = (at, call, call_law, call_function, duals, value)
