"""Where the superelement law keeps its parameters and its scratch memory."""

from __future__ import annotations

from flexor.bodies.shadow_frame import FRAME_FLOATS

HEADER = FRAME_FLOATS + 7
PER_NODE = 40
ANSWER = 16
"""Floats at the head of `w` that outputs and energies take."""
NODE_SCRATCH = 30
"""per node: Q (9), D (9), P̄ (3), H (9)"""


def n_floats(n_nodes: int, size: int, consistent: bool, damped: bool) -> int:
    """Length of p for a body of `size` coordinates."""
    square = size * size
    return HEADER + PER_NODE * n_nodes + square * (2 + damped) + 3 * size + consistent * (27 * size + 18 + 10 * square)


def scratch(n_nodes: int, size: int) -> int:
    """Length of w."""
    return ANSWER + NODE_SCRATCH * n_nodes + 39 * size + 2 * size * size
