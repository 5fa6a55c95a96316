"""Nodes, elements and groups as a .msh holds them, whatever its version."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexor.io.file_text import wrong

NODES = {
    1: 2,
    2: 3,
    3: 4,
    4: 4,
    5: 8,
    6: 6,
    7: 5,
    8: 3,
    9: 6,
    10: 9,
    11: 10,
    12: 27,
    13: 18,
    14: 14,
    15: 1,
    16: 8,
    17: 20,
    18: 15,
    19: 13,
    20: 9,
    21: 10,
    22: 12,
    23: 15,
    24: 15,
    25: 21,
    26: 4,
    27: 5,
    28: 6,
    29: 20,
    30: 35,
    31: 56,
    92: 64,
    93: 125,
}
"""Nodes of each element type."""
NAMES = {
    1: "line",
    2: "triangle",
    3: "quadrangle",
    7: "pyramid",
    8: "line of 3 nodes",
    9: "triangle of 6 nodes",
    10: "quadrangle of 9 nodes",
    12: "hexahedron of 27 nodes",
    13: "prism of 18 nodes",
    14: "pyramid of 14 nodes",
    15: "point",
    16: "quadrangle of 8 nodes",
    19: "pyramid of 13 nodes",
}
_DIMENSION = {15: 0, **dict.fromkeys((1, 8, 26, 27, 28), 1), **dict.fromkeys((2, 3, 9, 10, 16, *range(20, 26)), 2)}


def dimension(number: int) -> int:
    """0 point, 1 line, 2 surface, 3 volume."""
    return _DIMENSION.get(number, 3)


def n_nodes(number: int, path: Path, line: int | None) -> int:
    if number not in NODES:
        raise wrong(path, line, f"element type {number} is unknown", fix="save the mesh with elements of order 1 or 2")
    return NODES[number]


@dataclass(frozen=True)
class Elements:
    """Elements of one type that belong to the same groups."""

    type: int
    ids: np.ndarray
    nodes: np.ndarray
    groups: tuple[int, ...]
    """Physical groups of the elements' dimension."""


@dataclass
class MshData:
    ids: list[np.ndarray] = field(default_factory=list)
    points: list[np.ndarray] = field(default_factory=list)
    elements: list[Elements] = field(default_factory=list)
    names: dict[tuple[int, int], str] = field(default_factory=dict)
    """(dimension, number) of a physical group → its name."""
