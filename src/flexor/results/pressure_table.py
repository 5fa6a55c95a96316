"""Pressures as comma-separated values."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from flexor.files import as_path
from flexor.io.replaceable import check_replaceable, unwritable

TABLE = "table of pressures"


def write_pressures(
    path: str | Path, columns: Sequence[tuple[str, str]], rows: Sequence[Sequence[float]] | np.ndarray
) -> Path:
    """Write rows under columns (name, unit)."""
    path = as_path(path, TABLE)
    try:
        check_replaceable(path, TABLE, f"{TABLE} {path}")
        with path.open("w", newline="", encoding="utf-8") as target:
            table = csv.writer(target, lineterminator="\n")
            table.writerow(f"{name} [{unit}]" if unit else name for name, unit in columns)
            table.writerows(rows.tolist() if isinstance(rows, np.ndarray) else rows)
    except (OSError, ValueError) as error:
        raise unwritable(path, TABLE, error) from None
    return path
