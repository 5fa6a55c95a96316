"""The recipes of CONTRIBUTING, "How to add a joint" and "How to add a force", followed word by word in a copy."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.code_blocks import DOCS, code_blocks

TOP = DOCS.parent
PAGE = TOP / "CONTRIBUTING.md"
_FIRST = re.compile(r"# (\S+\.py)(: one more line)?\n")


@pytest.fixture(scope="module")
def followed(tmp_path_factory):
    """A copy of the project with the files and lines of the page."""
    copy = tmp_path_factory.mktemp("newcomer")
    for folder in ("src", "tests", "docs"):
        shutil.copytree(TOP / folder, copy / folder)
    shutil.copy(TOP / "pyproject.toml", copy)
    for folder in ("examples", "benchmarks"):
        (copy / folder).symlink_to(TOP / folder)
    for _, text in code_blocks(PAGE, "python"):
        told = _FIRST.match(text)
        assert told, f"the block does not say which file it is:\n{text}"
        _write(copy / told[1], text[told.end() :] if told[2] else text, bool(told[2]))
    return copy


def _write(path: Path, text: str, line: bool) -> None:
    assert path.exists() == line, f"{path.name}: the page adds a file that is there, or a line to one that is not"
    if line:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        last = max(i for i, each in enumerate(lines) if each.startswith("from flexor."))
        text = "".join([*lines[: last + 1], text, *lines[last + 1 :]])
    path.write_text(text, encoding="utf-8")


def _run(command: str, copy: Path) -> str:
    """A line of the page; `python` is this one."""
    words = [sys.executable if word == "python" else word for word in shlex.split(command)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(copy / "src"), str(copy)])}
    done = subprocess.run(words, cwd=copy, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}{done.stderr[-2000:]}"
    return done.stdout


def test_the_page_tells_three_touches_each():
    touched = [re.sub(r"/[^/]+$", "", _FIRST.match(text)[1]) for _, text in code_blocks(PAGE, "python")]
    assert touched == [
        f"{top}/{what}" for what in ("joints", "forces") for top in ("src/flexor", "src/flexor", "tests")
    ]


def test_a_newcomer_gets_there(followed):
    """All commands of the page in order; the law tests find the new joint and the new force by themselves."""
    commands = [line for _, text in code_blocks(PAGE, "sh") for line in text.splitlines()]
    passed = []
    for command in dict.fromkeys(commands):
        said = _run(command, followed)
        passed += [int(number) for number in re.findall(r"(\d+) passed", said)]
    assert passed[0] > 60  # two samples that the joint makes of itself
    assert passed[1] > 25  # the one sample of the force
    model = " ".join(f"tests/model/test_{each}.py" for each in ("public_names", "round_trip", "check", "lower"))
    chosen = "up_to_date or in_plane or InPlane or attraction or sound or one_of_each"
    _run(f"python -m pytest -q tests/docs/test_reference.py {model} -k '{chosen}'", followed)
