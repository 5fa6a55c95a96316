"""Where the superelement law keeps its parameters and its scratch memory.

Inside the law the number of coordinates is a multiple of four (`column_arrays`): the last ones may be modes that do not exist.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.shadow_frame import FRAME_FLOATS

HEADER = FRAME_FLOATS + 7
PER_NODE = 40
ANSWER = 16
"""Floats at the head of `w` that outputs and energies take."""
NODE_SCRATCH = 30
"""per node: Q (9), D (9), P̄ (3), H (9)"""
INTERLACED = 40
"""Floats of ten matrices that stand together: four rows of one column each."""


def n_floats(n_nodes: int, N: int, consistent: bool, damped: bool) -> int:
    """Length of p for a body of N coordinates, padded."""
    square = N * N
    return HEADER + PER_NODE * n_nodes + square * (2 + damped) + 3 * N + consistent * (27 * N + 18 + 11 * square)


def scratch(n_nodes: int, N: int) -> int:
    """Length of w for N coordinates, padded."""
    return ANSWER + NODE_SCRATCH * n_nodes + 46 * N + 3 * N * N


def interlaced(matrices: np.ndarray) -> np.ndarray:
    """(m, N, N) matrices in the order in which they are read: by strips of four rows, by columns, by matrices."""
    count, N, _ = matrices.shape
    return matrices.reshape(count, N // 4, 4, N).transpose(1, 3, 0, 2)
