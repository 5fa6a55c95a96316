"""Published numbers, kept in `data` with their citations; and the decks of other programs, which are not ours to carry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

DATA = Path(__file__).parent / "data"
DECKS = Path(__file__).resolve().parents[3] / "shared" / "reference" / "fedem" / "FEparts"
"""Nastran decks of Fedem's regression models, beside the repository; tests that read them are skipped where they are absent."""


class Reference:
    """Records (parameters, values, tolerances) and curves by name."""

    def record(self, name: str) -> dict[str, Any]:
        return json.loads((DATA / "records" / f"{name}.json").read_text(encoding="utf-8"))

    def curve(self, name: str) -> np.ndarray:
        """Columns of a curve, time first."""
        return np.loadtxt(DATA / "curves" / f"{name}.csv", delimiter=",", comments="#").T

    def fedem(self, name: str) -> np.ndarray:
        """Columns of a thinned curve that Fedem exported, time first."""
        return np.loadtxt(DATA / "fedem" / f"{name}.csv", delimiter=",", comments="#", ndmin=2).T


@pytest.fixture(scope="session")
def reference() -> Reference:
    return Reference()


@pytest.fixture(scope="session")
def decks() -> Path:
    if not DECKS.is_dir():
        pytest.skip("it reads Nastran decks of Fedem, which are not carried with this project")
    return DECKS
