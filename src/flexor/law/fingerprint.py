"""Fingerprint of a function and, recursively, of everything it calls or reads.

Numba's own cache notices an edit of the file a function stands in, not of a function in another file that it
calls. Keys made here change whenever any code or constant that the compiled result depends on changes.
"""

from __future__ import annotations

import dis
import functools
import hashlib
import sys
import types as pytypes
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from flexor.law.dual import ELEMENTARY
from flexor.law.primitives import PRIMITIVES
from flexor.law.record import Record

LEAVES: frozenset[Callable] = frozenset((*PRIMITIVES, *ELEMENTARY))
"""Functions that compiled code means otherwise than by their own text (`flexor.law.compile`)."""


EXTENDED = dis.opmap["EXTENDED_ARG"]
_FLAGGED = ("LOAD_GLOBAL", "LOAD_ATTR") if sys.version_info >= (3, 12) else ("LOAD_GLOBAL",)
"""Operations whose argument holds a flag below the number of the name."""


def _operations(*names: str) -> dict[int, int]:
    """Codes of these operations, where Python has them, and by how many bits their argument is shifted."""
    return {dis.opmap[name]: int(name in _FLAGGED) for name in names if name in dis.opmap}


GLOBALS = _operations("LOAD_GLOBAL", "LOAD_NAME")
ATTRIBUTES = _operations("LOAD_ATTR", "LOAD_METHOD")


@functools.cache
def names_of(code: pytypes.CodeType) -> tuple[frozenset[str], frozenset[str]]:
    """Names that a code object and its nested functions look up as globals and as attributes.

    It reads the bytes itself: Python's own `dis` describes each in full, which took a tenth of a second whenever a program started.
    """
    found: tuple[set[str], set[str]] = (set(), set())
    high = 0
    for operation, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        argument = high | low
        high = argument << 8 if operation == EXTENDED else 0
        if operation in GLOBALS:
            found[0].add(code.co_names[argument >> GLOBALS[operation]])
        elif operation in ATTRIBUTES:
            found[1].add(code.co_names[argument >> ATTRIBUTES[operation]])
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            for names, inner in zip(found, names_of(constant), strict=True):
                names |= inner
    return frozenset(found[0]), frozenset(found[1])


def references(function: Callable) -> Iterator[tuple[str, Any]]:
    """(name, value) of the globals and closure cells that a function refers to, in a fixed order.

    A constant of a module of the function's own package, `table.X`, counts too, under its full name.
    """
    code = function.__code__
    package = function.__module__.partition(".")[0]
    looked_up, attributes = map(sorted, names_of(code))
    for name in looked_up:
        if name in function.__globals__:
            value = function.__globals__[name]
            yield name, value
            if isinstance(value, pytypes.ModuleType) and value.__name__.partition(".")[0] == package:
                for attribute in attributes:
                    if attribute in vars(value):
                        yield f"{value.__name__}.{attribute}", vars(value)[attribute]
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents


def _code_parts(code: pytypes.CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode()
    for constant in code.co_consts:
        if isinstance(constant, pytypes.CodeType):
            yield from _code_parts(constant)
        else:
            yield repr(constant).encode()


def fingerprint(function: Callable, *salt: object) -> str:
    """Hexadecimal digest of the function's bytecode, constants and references, and of `salt`.

    TypeError where it refers to something that cannot be told by its contents.
    """
    digest = hashlib.sha256(repr(salt).encode())
    seen: set[int] = set()

    def add(value: object) -> None:
        if isinstance(value, pytypes.FunctionType) and value in LEAVES:
            digest.update(value.__name__.encode())
        elif isinstance(value, pytypes.FunctionType):
            if id(value) in seen:
                digest.update(b"seen")
                return
            seen.add(id(value))
            for part in _code_parts(value.__code__):
                digest.update(part)
            digest.update(repr((value.__defaults__, value.__kwdefaults__)).encode())
            for name, referred in references(value):
                digest.update(name.encode())
                add(referred)
        elif isinstance(value, type) and issubclass(value, Record):
            digest.update(repr(value.layout()).encode())
        elif isinstance(value, type) and issubclass(value, tuple):
            digest.update(repr((value.__name__, getattr(value, "_fields", ()))).encode())
        elif isinstance(value, pytypes.ModuleType):
            digest.update(value.__name__.encode())
        elif isinstance(value, np.ndarray):  # its repr is rounded and shortened
            digest.update(f"{value.dtype.str}{value.shape}".encode())
            digest.update(np.ascontiguousarray(value).tobytes())
        elif isinstance(value, type | pytypes.BuiltinFunctionType):
            digest.update(f"{value.__module__}.{value.__qualname__}".encode())
        elif isinstance(value, tuple):
            digest.update(f"({len(value)}".encode())
            for each in value:
                add(each)
        elif (
            value is None
            or isinstance(value, bool | int | float | complex | str | bytes)
            or hasattr(value, "TOLD_BY_REPR")
        ):
            digest.update(repr(value).encode())
        else:  # its repr may be an address, another one in each process
            raise TypeError(f"compiled code cannot depend on {value!r:.60} ({type(value).__name__})")

    add(function)
    return digest.hexdigest()
