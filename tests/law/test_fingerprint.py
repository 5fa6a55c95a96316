"""A fingerprint changes with any code or constant that a compiled function depends on, and with nothing else."""

from __future__ import annotations

import dis
import os
import subprocess
import sys
import types
from pathlib import Path

import numpy as np
import pytest

import flexor
from flexor.law import tuples
from flexor.law.fingerprint import fingerprint, names_of, references
from flexor.law.tuples import rotation_of

HELPER = """
FACTOR = 2.0
def inner(x): return x + 1.0
def helper(x): return FACTOR * inner(x)
"""
USER = """
def user(x): return helper(x) - 3.0
"""


def module(name, source, **scope):
    made = types.ModuleType(name)
    vars(made).update(scope)
    exec(compile(source, f"{name}.py", "exec"), vars(made))
    return made


def of_user(helper_source=HELPER, user_source=USER):
    """Fingerprint of a function that calls one in another module."""
    helper = module("helper", helper_source)
    return fingerprint(module("user", user_source, helper=helper.helper).user)


def test_the_same_code_has_the_same_fingerprint():
    assert of_user() == of_user()
    assert of_user() == of_user("# a comment\n\n" + HELPER)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("FACTOR * inner", "FACTOR + inner"),
        ("FACTOR = 2.0", "FACTOR = 2.5"),
        ("x + 1.0", "x + 1.5"),
        ("x + 1.0", "x - 1.0"),
        ("def inner(x): return x", "def inner(x, y=4.0): return x"),
        ("return x + 1.0", "return [x + 1.0 for _ in range(1)][0]"),
    ],
)
def test_a_change_in_another_module_is_noticed(old, new):
    assert of_user(HELPER.replace(old, new)) != of_user()


def test_defaults_closures_and_nested_functions_count():
    def made(value, default=1.0):
        def function(x, y=default):
            def nested(z):
                return z * value

            return nested(x) + y

        return function

    assert fingerprint(made(2.0)) == fingerprint(made(2.0))
    assert fingerprint(made(2.0)) != fingerprint(made(3.0))
    assert fingerprint(made(2.0)) != fingerprint(made(2.0, 5.0))


def test_functions_that_call_each_other():
    source = """
def even(n): return n == 0 or odd(n - 1)
def odd(n): return n != 0 and even(n - 1)
"""
    assert fingerprint(module("m", source).even) == fingerprint(module("m", source).even)
    assert fingerprint(module("m", source).even) != fingerprint(module("m", source.replace("- 1", "- 2")).even)


def test_salt():
    assert fingerprint(rotation_of, "law") != fingerprint(rotation_of, "kernel")


def test_what_cannot_be_told_by_its_contents_is_refused():
    """The address of an object, in its repr, is another one in each process: everything would be compiled anew in silence."""
    import functools

    @functools.cache
    def table(i):
        return i

    with pytest.raises(TypeError, match="cannot depend on"):
        fingerprint(lambda p, x, out: table(x))


def test_a_field_named_like_a_function_is_no_reference():
    source = "def step(x): return x\ndef user(T): return T.step"
    assert [name for name, _ in references(module("m", source).user)] == []


@pytest.mark.slow
def test_fingerprints_and_cache_files_are_the_same_in_every_process(tmp_path):
    """Python prints sets in another order in each process; the cache must not depend on it."""
    script = """
from flexor.law.compile import compiled
from flexor.law.fingerprint import fingerprint
from flexor.coordinates import constraint, force
from flexor.functions import constant
from flexor.joints import pose_constraint
from flexor.bodies import rigid_body
for law in (force.force_along, constraint.constraint_on, pose_constraint.pose_constraint, rigid_body.rigid_body):
    print(law.name, fingerprint(law.function))
compiled(constant(1.0).evaluator, "evaluator")
"""
    said = set()
    for seed in ("1", "2", "5"):
        environment = {
            **os.environ,
            "PYTHONHASHSEED": seed,
            "FLEXOR_CACHE": str(tmp_path),
            "PYTHONPATH": str(Path(flexor.__file__).parents[1]),
        }
        run = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        said.add(run.stdout)
    assert len(said) == 1
    assert len(list(tmp_path.iterdir())) == 1


def test_arrays_count_in_every_digit_and_entry():
    def reading(array):
        def function(i):
            return array[i]

        return function

    a = np.zeros(5000)
    b, c = a.copy(), a.copy()
    b[2500], c[0] = 1.0, 1e-12
    keys = {fingerprint(reading(array)) for array in (a, b, c, a.astype(np.float32))}
    assert len(keys) == 4
    assert fingerprint(reading(a)) == fingerprint(reading(a.copy()))


def _by_dis(code, operations):
    """What `names_of` finds, by Python's own description of the bytes."""
    names = {str(step.argval) for step in dis.get_instructions(code) if step.opname in operations}
    return names.union(*(_by_dis(inner, operations) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def test_names_are_those_that_python_finds():
    """In every function of a module with many, and with more names than a byte can number."""
    many = module("many", "def f(a):\n" + "".join(f"    a.b{i} = c{i} + a.d{i}.e{i}()\n" for i in range(300)))
    functions = [value for value in vars(tuples).values() if isinstance(value, types.FunctionType)]
    for function in [many.f, fingerprint, test_names_are_those_that_python_finds, *functions]:
        looked_up, attributes = names_of(function.__code__)
        assert looked_up == _by_dis(function.__code__, ("LOAD_GLOBAL", "LOAD_NAME"))
        assert attributes == _by_dis(function.__code__, ("LOAD_ATTR", "LOAD_METHOD"))
    assert len(names_of(many.f.__code__)[0]) == 300
