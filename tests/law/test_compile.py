"""Compilation and its cache on disk: found again, never stale, and survived where it is broken."""

from __future__ import annotations

import ctypes
import pickle
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

import flexor.law.cache as disk
import flexor.law.compile as compilation
from flexor.law.cache import cache_folder
from flexor.law.callee import CalleeLibrary
from flexor.law.compile import compiled, handle, on_compile
from flexor.law.machine_code import load, needs
from flexor.law.primitives import PYTHON_FUNCTIONS, at, call, call_function, call_law
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable

POINTER = ctypes.POINTER(ctypes.c_double)
SOURCE = """
def square(x): return x * x
def evaluator(p, x, out):
    out[0] = p[0] * square(x)
    return 0
"""


def made(source=SOURCE):
    """The evaluator of a module of its own."""
    module = types.ModuleType("own")
    exec(compile(source, "own.py", "exec"), vars(module))
    return module.evaluator


def value(evaluator, x=3.0, p=2.0):
    """What the machine code gives."""
    out = np.zeros(4)
    numbers = np.array([p])
    function = compiled(evaluator, "evaluator").ctypes
    assert function(numbers.ctypes.data_as(POINTER), x, out.ctypes.data_as(POINTER)) == 0
    return out[0]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """An empty cache folder."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("FLEXOR_CACHE", str(folder))
    return folder


@pytest.fixture
def reports():
    """Names of what is really compiled."""
    names: list[str] = []
    on_compile(names.append)
    yield names
    on_compile(None)


def test_compiled_once_per_process(cache, reports):
    evaluator = made()
    assert value(evaluator) == value(evaluator) == 18.0
    assert reports == ["evaluator"]


def test_found_again_on_disk(cache, reports):
    assert value(made()) == 18.0
    assert value(made()) == 18.0  # another function object with the same code, as in a new process
    assert reports == ["evaluator"]
    assert [path.suffix for path in cache.iterdir()] == [".machine"]


@pytest.mark.parametrize(("old", "new", "expected"), [("x * x", "x + x", 12.0), ("p[0] *", "p[0] +", 11.0)])
def test_an_edit_is_never_answered_from_the_cache(cache, reports, old, new, expected):
    """Also where the edited function is not the one that is compiled but one that it calls."""
    assert value(made()) == 18.0
    assert value(made(SOURCE.replace(old, new))) == expected
    assert reports == ["evaluator", "evaluator"]


@pytest.fixture
def untold(monkeypatch):
    monkeypatch.setattr(disk, "_told", set())


@pytest.mark.parametrize("content", [b"", b"\x80\x05half a pickle", pickle.dumps(("some", "other", "thing"))])
def test_a_broken_file_is_compiled_again_and_mended_and_told(cache, reports, untold, capfd, content):
    value(made())
    (file,) = cache.iterdir()
    whole = len(file.read_bytes())
    file.write_bytes(content)
    assert value(made()) == 18.0
    assert reports == ["evaluator", "evaluator"]
    assert capfd.readouterr().err == f"flexor: the cache of compiled code is damaged and is made anew: {cache}\n"
    assert abs(len(file.read_bytes()) - whole) < 0.1 * whole
    assert [path.suffix for path in cache.iterdir()] == [".machine"]


def test_a_truncated_file_is_compiled_again(cache):
    value(made())
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    assert value(made()) == 18.0


def test_no_changed_byte_is_executed(cache, reports, untold, capfd):
    """Machine code with a flipped bit may crash, or compute something else."""
    value(made())
    (file,) = cache.iterdir()
    whole = file.read_bytes()
    for i in range(0, len(whole), len(whole) // 7):
        file.write_bytes(whole[:i] + bytes([whole[i] ^ 4]) + whole[i + 1 :])
        assert value(made()) == 18.0
    assert len(reports) >= 8
    assert capfd.readouterr().err.count("\n") == 1  # told once


def test_a_folder_that_cannot_be_written_is_survived_and_told(tmp_path, monkeypatch, untold, capfd):
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("FLEXOR_CACHE", str(blocked / "cache"))
    assert value(made()) == 18.0
    assert blocked.read_text() == "not a folder"
    assert "cannot be written (Not a directory), every start compiles anew" in capfd.readouterr().err


def test_the_cache_can_be_switched_off(tmp_path, monkeypatch, reports):
    monkeypatch.setenv("FLEXOR_CACHE", "")
    monkeypatch.chdir(tmp_path)
    assert cache_folder() is None
    assert value(made()) == value(made()) == 18.0
    assert reports == ["evaluator", "evaluator"]
    assert list(tmp_path.iterdir()) == []


def test_by_default_it_lies_in_the_users_cache_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("FLEXOR_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert cache_folder() == tmp_path / "flexor" / "compiled"


def test_handles():
    evaluator = made()
    address = handle(evaluator)
    assert address == compiled(evaluator, "evaluator").address > 0
    number = handle(evaluator, python=True)
    assert number < 0
    assert number == handle(evaluator, python=True)
    assert PYTHON_FUNCTIONS[number] is evaluator
    assert handle(made(), python=True) != number


def test_no_exceptions_and_ieee_arithmetic():
    """1/0 is infinite and 0/0 is no number, instead of an exception inside compiled code."""
    source = """
def evaluator(p, x, out):
    out[0] = p[0] / x
    return 0
"""
    assert value(made(source), x=0.0) == np.inf
    assert np.isnan(value(made(source), x=0.0, p=0.0))


def small_law(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    r[0] += p[0] * t
    return 5


def small_evaluator(p, x, out):
    out[0] = p[0] + x
    return 0


class Kernels(Record):
    """A table."""

    inner = kernel_at("a kernel that another one calls")
    ints = integers_at("numbers")
    floats = numbers_at("numbers")
    laws = integers_at("addresses of laws")
    outer = kernel_at("the other one")


def inner_kernel(T: Kernels):
    T.floats[0] += 1.0
    return 40


def outer_kernel(T: Kernels):
    """Pointers from the table, pointers into arrays, and calls by address of kernels, laws and evaluators."""
    I, F = T.ints, T.floats
    status = call(T.inner, T) + call_law(T.laws, I[1], 1, I, I, F, F, 2.0, F, F, F, F, F, F, F, at(F, 2), F, F)
    call_function(I[0], at(F, 3), 0.5, at(F, 4))
    return status


@pytest.mark.parametrize("python", [True, False])
def test_primitives_mean_the_same_compiled_and_in_python(python):
    table = AddressTable(Kernels, python)
    floats = np.array([3.0, 0.0, 7.0, 11.0, 0.0, 0.0])
    table.set("ints", np.array([handle(small_evaluator, python=python), 0]))
    table.set("floats", floats)
    table.set("laws", [small_law] if python else np.array([compiled(small_law, "law").address]))
    table.set_kernel("inner", inner_kernel)
    table.set_kernel("outer", outer_kernel)
    assert table.call("outer") == 45
    assert floats.tolist() == [4.0, 0.0, 7.0 + 4.0 * 2.0, 11.0, 11.5, 0.0]


def test_functions_stay_plain_python(cache):
    """Compiling a function leaves it, and those it calls, as they are."""
    evaluator = made()
    value(evaluator)
    assert isinstance(evaluator, types.FunctionType)
    assert isinstance(evaluator.__globals__["square"], types.FunctionType)
    assert compilation._jitted[evaluator.__globals__["square"], True].py_func is not evaluator.__globals__["square"]


def test_what_compiled_code_calls_is_not_compiled_by_itself(cache):
    """It goes no further than intermediate code, on Numba's private interface, and gets no address."""
    module = types.ModuleType("own")
    source = SOURCE.replace("return x * x", "return x * x if x > 0.0 else 0.0")
    exec(compile(source, "own.py", "exec"), vars(module))
    assert value(module.evaluator) == 18.0
    for function, straight in ((module.square, False), (made().__globals__["square"], True)):
        assert compilation._is_straight(function) is straight
    (overload,) = compilation._jit(module.square, inline=False).overloads.values()
    assert isinstance(overload.library, CalleeLibrary)
    assert overload.library.get_pointer_to_function(overload.fndesc.llvm_func_name) == 0


FLOORS = """
def floor0(x): return x + 1.0 if x > 0.0 else 2.0
def floor1(x): return floor0(x) + floor0(-x) if x > 1.0 else floor0(x)
def floor2(x): return floor1(x) + floor0(x) if x > 2.0 else floor1(x)
def floor3(x): return floor2(x) * floor1(x) if x > 3.0 else floor2(x)
def evaluator(p, x, out):
    out[0] = p[0] * (floor3(x) + floor1(x))
    return 0
"""


def test_each_function_is_kept_once_whatever_calls_it(cache):
    """None holds copies of what it calls, nor of what it was made from: that came to 800 MB for a pair of surfaces in contact."""
    evaluator = made(FLOORS)
    plain = np.zeros(4)
    evaluator(np.array([2.0]), 5.0, plain)
    assert value(evaluator, 5.0, 2.0) == plain[0] == 2.0 * ((8.0 + 6.0) * 8.0 + 8.0)
    for number in range(4):
        (overload,) = compilation._jit(evaluator.__globals__[f"floor{number}"], inline=False).overloads.values()
        (kept,) = overload.library.get_defined_functions()
        assert kept.name == overload.fndesc.llvm_func_name
        assert overload.type_annotation is None
        assert not overload.fndesc.calltypes


NUMBERED = """
def item(p, i): return p[i]
def evaluator(p, x, out):
    out[0] = item(p, 0) + 3.0 * item(p, 1)
    return 0
"""


def test_one_version_of_a_function_for_all_whole_numbers_in_its_calls(cache):
    """Numba would make one for each number that is written in a call."""
    evaluator = made(NUMBERED)
    out, numbers = np.zeros(4), np.array([2.0, 5.0])
    function = compiled(evaluator, "evaluator").ctypes
    assert function(numbers.ctypes.data_as(POINTER), 0.0, out.ctypes.data_as(POINTER)) == 0
    assert out[0] == 2.0 + 3.0 * 5.0
    assert len(compilation._jit(evaluator.__globals__["item"], inline=True).overloads) == 1


BRANCHED = """
def part(x):
    if x > 0.0:
        return x * x
    return 0.0

def around(function):
    def evaluator(p, x, out):
        out[0] = p[0] * function(x)
        return 0
    return evaluator

inlined = around(part)

def evaluator(p, x, out):
    out[0] = p[0] * part(x)
    return 0
"""


def test_whether_a_function_is_inlined_depends_on_its_caller_alone(cache):
    """Not on who was compiled first: the cache would keep what another order made."""
    for first, second in (("inlined", "evaluator"), ("evaluator", "inlined")):
        module = types.ModuleType("own")
        exec(compile(BRANCHED, "own.py", "exec"), vars(module))
        assert value(getattr(module, first)) == value(getattr(module, second)) == 18.0
        for inline in (True, False):
            assert compilation._jit(module.part, inline).targetoptions["forceinline"] is inline


@pytest.mark.parametrize(("square", "answer"), [("x * x", "18.0"), ("9.0 + 0.0 * math.atan2(x, x)", "18.0")])
def test_found_again_without_the_compiler(cache, square, answer):
    """What was compiled is loaded by LLVM alone: the compiler takes longer to load than a small model to run. It may call elementary functions."""
    source = "import math\n" + SOURCE.replace("x * x", square)
    value(made(source))
    script = f"""
import ctypes, sys, types
import numpy as np
from flexor.law.compile import compiled, on_compile
module = types.ModuleType("own")
exec(compile({source!r}, "own.py", "exec"), vars(module))
on_compile(lambda name: sys.exit("compiled again"))
pointer = ctypes.POINTER(ctypes.c_double)
p, out = np.array([2.0]), np.zeros(4)
status = compiled(module.evaluator, "evaluator").ctypes(p.ctypes.data_as(pointer), 3.0, out.ctypes.data_as(pointer))
print(status, out[0], "numba" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.stdout.split() == ["0", answer, "False"], run.stderr


def test_code_that_calls_what_is_not_there_is_not_loaded(cache):
    """LLVM would end the process. Of its own the code calls nothing but elementary functions."""
    module = types.ModuleType("own")
    exec(compile("import math\n" + SOURCE.replace("x * x", "math.atan2(x, x)"), "own.py", "exec"), vars(module))
    value(module.evaluator)
    (path,) = cache.iterdir()
    name, code = disk.DiskCache("evaluator", path.stem.partition("-")[2]).load()
    assert needs(code) == ["atan2"]
    with pytest.raises(ValueError, match="atan9"):
        load(name, code.replace(b"\0atan2\0", b"\0atan9\0"), "evaluator")


def test_processes_that_share_the_cache_never_see_part_of_a_file(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("FLEXOR_CACHE", str(tmp_path))
    monkeypatch.setattr(disk, "_told", set())
    stop = threading.Event()

    def write(letter: bytes):
        while not stop.is_set():
            disk.DiskCache("f", "0" * 32).save("f", letter * 300_000)

    writers = [threading.Thread(target=write, args=(letter,)) for letter in (b"a", b"b", b"c")]
    for each in writers:
        each.start()
    try:
        seen = [disk.DiskCache("f", "0" * 32).load() for _ in range(200)]
    finally:
        stop.set()
        for each in writers:
            each.join()
    found = [payload for payload in seen if payload is not None]
    assert all(len(set(filling)) == 1 and len(filling) == 300_000 for _, filling in found)
    assert capsys.readouterr().err == ""
    assert [file.suffix for file in tmp_path.iterdir()] == [".machine"]
