"""From a plain Python function to machine code at an address.

`compiled(function, kind)` compiles a law, kernel or evaluator once per process, through the disk cache. Functions
that it calls are compiled along with it: they need no decorator, and they stay ordinary Python functions for
tests and debuggers. The primitives (pointer arithmetic, calls by address) are exchanged for their compiled
meaning.
"""

from __future__ import annotations

import builtins
import dis
import functools
import math
import threading
import types as pytypes
import zlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from flexor.collection import rare_collection
from flexor.law.cache import DiskCache
from flexor.law.dual import ELEMENTARY
from flexor.law.fingerprint import fingerprint, references
from flexor.law.machine_code import MachineCode, load, machine
from flexor.law.primitives import PRIMITIVES, PYTHON_FUNCTIONS, is_called
from flexor.law.record import Record

OPTIONS: dict[str, Any] = {
    "nopython": True,
    "error_model": "numpy",
    "boundscheck": False,
    "fastmath": {"contract", "nsz", "arcp"},
}
"""No exceptions and no bounds checks inside compiled code; NaN and infinity keep their meaning."""
CALLEE_OPTIONS: dict[str, Any] = OPTIONS | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Of functions that only compiled code calls, and which `flexor.law.callee` takes no further than needed for that."""
_OPTIONS_TEXT = str(
    [(name, sorted(value) if isinstance(value, set) else value) for name, value in CALLEE_OPTIONS.items()]
)
"""The options as the cache knows them: a set prints in another order in each process."""

_TRANSLATION = [zlib.crc32((Path(__file__).parent / f"{name}.py").read_bytes()) for name in
                ("callee", "compile", "dual_type", "entry", "intrinsics", "lane_code", "record_type", "signature")]  # fmt: skip
"""What makes machine code of functions, as the cache knows it."""

_announce: Callable[[str], None] | None = None
_compiled: dict[tuple[Callable, str], MachineCode] = {}
_jitted: dict[tuple[Callable, bool], Any] = {}


def on_compile(report: Callable[[str], None] | None) -> None:
    """Call `report(name)` whenever a function is really compiled (not loaded from the cache)."""
    global _announce
    _announce = report


@functools.cache
def _substitutes() -> dict[Callable, Any]:
    from flexor.law import intrinsics, lane_code

    lane_code.register()
    found = {primitive: getattr(intrinsics, primitive.__name__) for primitive in PRIMITIVES}
    return found | {function: getattr(math, function.__name__) for function in ELEMENTARY}


def _with_compiled_references(function: Callable, name: str) -> pytypes.FunctionType:
    """The same code, whose references to plain functions lead to compiled ones."""
    scope: dict[str, Any] = {"__builtins__": builtins, "__name__": function.__module__}
    substitutes = _substitutes()
    for referred_name, value in references(function):
        if value in substitutes if isinstance(value, pytypes.FunctionType) else False:
            value = substitutes[value]
        elif isinstance(value, pytypes.FunctionType):
            value = _jit(value, inline=referred_name in function.__code__.co_freevars and not is_called(value))
        elif isinstance(value, type) and issubclass(value, Record):
            from flexor.law.record_type import view

            value = view(value)  # type: ignore[arg-type]
        scope[referred_name] = value
    if function.__closure__:
        cells = tuple(pytypes.CellType(scope[n]) for n in function.__code__.co_freevars)
    else:
        cells = None
    twin = pytypes.FunctionType(function.__code__, scope, name, function.__defaults__, cells)
    twin.__qualname__ = name
    twin.__module__ = function.__module__
    return twin


def _jit(function: Callable, inline: bool) -> Any:
    """The function for compiled code to call; `inline`: this caller takes it in. Another one may have its own of it, so that
    what is made of a caller depends on nothing but itself."""
    inline = inline or _is_straight(function)
    if (function, inline) not in _jitted:
        from flexor.law.callee import Callee

        name = f"{function.__name__}_{fingerprint(function)[:12]}"
        twin = _with_compiled_references(function, name)
        _jitted[function, inline] = Callee(twin, {**CALLEE_OPTIONS, "forceinline": inline})
    return _jitted[function, inline]


def _is_straight(function: Callable) -> bool:
    """Whether a function has neither loops nor branches, like most on tuples: callers take it in, or it costs more to call."""
    jumps = {*dis.hasjrel, *dis.hasjabs}
    return not any(instruction.opcode in jumps for instruction in dis.get_instructions(function))


def _records(function: Callable) -> list[type[Record] | None]:
    """Of each argument the record that it is annotated with; compiled code gets a view of it."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    known = [function.__globals__.get(str(function.__annotations__.get(name))) for name in names]
    return [each if isinstance(each, type) and issubclass(each, Record) else None for each in known]


def _signature(function: Callable, kind: str) -> Any:
    """C signature of a function."""
    from flexor.law.record_type import pointer_to
    from flexor.law.signature import SIGNATURES

    signature = SIGNATURES[kind]
    arguments = [
        declared if record is None else pointer_to(record)  # type: ignore[arg-type]
        for record, declared in zip(_records(function), signature.args, strict=True)
    ]
    return signature.return_type(*arguments)


def compiled(function: Callable, kind: str) -> MachineCode:
    """Compile a function of kind "law", "kernel" or "evaluator"; the result has `.address` and `.ctypes`."""
    key = (function, kind)
    if key in _compiled:
        return _compiled[key]
    with _one_at_a_time:
        if key not in _compiled:  # another thread may have been first
            _compiled[key] = _compiled_now(function, kind)
        return _compiled[key]


def _compiled_now(function: Callable, kind: str) -> MachineCode:
    layouts = [None if record is None else (record.__name__, record.layout()) for record in _records(function)]
    key = fingerprint(function, kind, layouts, _OPTIONS_TEXT, _TRANSLATION, version("numba"), machine())
    cache = DiskCache(function.__name__, key)
    if (found := cache.load()) is not None:
        try:
            return load(*found, kind)
        except (ValueError, RuntimeError):  # of a machine that its key does not tell apart
            cache.tell("holds code that cannot be used here")
    if _announce is not None:
        _announce(function.__name__)
    from flexor.law.entry import object_code

    with rare_collection():
        twin = _with_compiled_references(function, f"{function.__name__}_{key[:12]}")
        name, code = object_code(twin, _signature(function, kind), OPTIONS)
    cache.save(name, code)
    return load(name, code, kind)


_one_at_a_time = threading.RLock()
"""Neither Numba nor its cache can compile, or load what was compiled, in two threads at once."""


def handle(evaluator: Callable, python: bool = False) -> int:
    """What a law stores in its integer parameters to call an evaluator: an address, or a handle for pure Python."""
    if python:
        for number, function in PYTHON_FUNCTIONS.items():
            if function is evaluator:
                return number
        number = -1 - len(PYTHON_FUNCTIONS)
        PYTHON_FUNCTIONS[number] = evaluator
        return number
    return compiled(evaluator, "evaluator").address
