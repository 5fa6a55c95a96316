"""Packages whose names are loaded when they are first used."""

from __future__ import annotations

import subprocess
import sys

import pytest


def told(code: str) -> str:
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.parametrize(
    "first", ["", "import flexor.solve.modes", "import flexor.solve.crossing", "from flexor.solve import campbell"]
)
def test_a_function_is_not_hidden_by_the_file_of_its_name(first):
    """Whatever has been loaded before."""
    code = f"{first}\nfrom flexor import solve\nprint(callable(solve.modes), callable(solve.campbell), callable(solve.statics))"
    assert told(code) == "True True True"


@pytest.mark.parametrize("package", ["flexor.solve", "flexor.io"])
def test_every_name_is_found(package):
    code = f"import {package} as p, types; print([n for n in p.__all__ if isinstance(getattr(p, n), types.ModuleType)])"
    assert told(code) == "[]"


def test_names_that_are_not_there_are_told():
    code = "import flexor.io as io\ntry:\n    io.read_mess\nexcept AttributeError as error:\n    print(error)"
    assert told(code) == "module 'flexor.io' has no attribute 'read_mess'"
