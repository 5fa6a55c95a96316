"""Whether mpiexec has started this process beside others; found without MPI."""

from __future__ import annotations

import os

VARIABLES = (
    ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    ("PMI_SIZE", "PMI_RANK"),
    ("MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"),
)
"""What Open MPI, MPICH and its kin, MVAPICH tell their processes: how many there are, and which one it is."""


def place() -> tuple[int, int]:
    """Number of this process, and how many there are, by what mpiexec tells it; (0, 1) without mpiexec."""
    for size, rank in VARIABLES:
        if os.environ.get(size, "").isdigit():
            return int(os.environ.get(rank, "0")), int(os.environ[size])
    return 0, 1
