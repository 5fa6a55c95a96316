"""Processes of one run under MPI: mpiexec -n 4 flexor run --solver tree …   Needs mpi4py, which is imported only there."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from types import FrameType
from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.hierarchy.partners import CutOff
from flexor.mpi import place

EAGER = 200
"""Looks at what is under way before others may use the processor in between."""


class Ranks:
    """A `Team` of processes that mpiexec has started."""

    def __init__(self) -> None:
        try:
            from mpi4py import MPI
        except (ImportError, RuntimeError) as error:
            what, why = f"there are {place()[1]} processes", f"they speak to each other by mpi4py: {error}"
            raise ModelError(
                Problem("mpiexec", what, why, "pip install 'flexor[mpi]', with an MPI on this machine")
            ) from None
        self._comm: Any = MPI.COMM_WORLD
        self.rank, self.size = self._comm.rank, self._comm.size
        if self.size != place()[1]:
            what = f"it has started {place()[1]} processes, and mpi4py finds {self.size}"
            why = "mpi4py has loaded the library of another MPI"
            fix = "take the mpiexec of that one, or name the library in MPI4PY_LIBMPI"
            raise ModelError(Problem("mpiexec", what, why, fix))
        self.told_to_end = False
        signal.signal(signal.SIGTERM, self._end)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self.told_to_end = True

    def gather(self, own: np.ndarray, found: np.ndarray, counts: Sequence[int]) -> None:
        self._wait(self._comm.Iallgatherv(own, [found, counts]))

    def _wait(self, under_way: Any) -> None:
        """Python looks after it, not MPI: what mpiexec says when a process has died must be heard here."""
        looks = 0
        while not under_way.Test():
            looks += 1
            if looks > EAGER:
                os.sched_yield() if hasattr(os, "sched_yield") else None
            if self.told_to_end:
                raise CutOff(
                    "the run was told to end (SIGTERM): another rank died, or mpiexec was stopped; see what mpiexec says"
                )

    def texts(self, own: str) -> list[str]:
        lengths = np.zeros(self.size)
        data = np.frombuffer(own.encode(), dtype=np.uint8).astype(float)
        self.gather(np.array([float(len(data))]), lengths, [1] * self.size)
        counts = [int(length) for length in lengths]
        found = np.zeros(sum(counts))
        self.gather(data, found, counts)
        ends = np.cumsum(counts)
        return [
            bytes(found[end - count : end].astype(np.uint8)).decode(errors="replace")
            for end, count in zip(ends, counts, strict=True)
        ]
