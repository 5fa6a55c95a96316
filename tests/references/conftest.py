"""The folder of published numbers beside the repository; tests that need it are skipped where it is absent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "reference"


class Reference:
    """Records (parameters, values, tolerances) and curves by name."""

    def record(self, name: str) -> dict[str, Any]:
        return json.loads((FOLDER / "records" / f"{name}.json").read_text(encoding="utf-8"))

    def curve(self, name: str) -> np.ndarray:
        """Columns of a curve, time first."""
        return np.loadtxt(FOLDER / "curves" / f"{name}.csv", delimiter=",", comments="#").T

    def fedem(self, name: str) -> np.ndarray:
        """Columns of a curve that Fedem exported, time first."""
        return np.loadtxt(FOLDER / "fedem" / name, comments="#", encoding="latin-1").T


@pytest.fixture(scope="session")
def reference() -> Reference:
    if not FOLDER.is_dir():
        pytest.skip(
            f"reference numbers are not here: {FOLDER.parent.name}/{FOLDER.name} beside the repository is absent"
        )
    return Reference()
