"""Programs that tests start find Flexor and the tests, in whatever folder they run."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _found_by_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    before = [os.environ["PYTHONPATH"]] if os.environ.get("PYTHONPATH") else []
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), str(ROOT), *before]))
