"""Whether threads pay, by measurement: Nakhimovski's least parallel region, and both ways in turn."""

from __future__ import annotations

BEGIN = 25e-6
"""What it takes to let threads begin, and to wait for them [s]; some 25 times in a step."""
TIMES = 25
GAIN = 0.9
"""Time with threads, of that without, below which they are taken."""
TRIALS = 2
"""Chunks of steps for each of both ways before one is chosen."""


def may_pay(seconds: float, threads: int) -> bool:
    """Whether a step of so many seconds could be shorter with threads, on processors that do not slow each other down.

    max(k t/N + t_sched, t_min) < t   NAK (19-1), with k = 1 and t_min = t_sched
    """
    return threads > 1 and seconds / threads + TIMES * BEGIN < GAIN * seconds


class Pace:
    """Chooses between one thread and several from the time that steps take; `shared` tells how to go on.

    The first steps are left out, then both ways are tried in turn. Several threads are taken where they are faster by a tenth, and given up
    as soon as they are slower than one was.
    """

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.shared = False
        self.decided = threads < 2
        self._alone: list[float] = []
        self._together: list[float] = []
        self._warm = False

    @classmethod
    def given(cls, threads: int) -> Pace:
        """As many as the user says."""
        found = cls(threads)
        found.decided, found.shared = True, threads > 1
        return found

    def took(self, seconds: float, steps: int) -> None:
        """So many steps took so long."""
        each = seconds / max(steps, 1)
        if self.decided:
            if self.shared and each > min(self._alone, default=float("inf")):
                self.shared = False
            return
        if not self._warm:  # what has to be loaded, and memory that is touched for the first time
            self._warm = True
            return
        (self._together if self.shared else self._alone).append(each)
        if not self._together and not may_pay(min(self._alone), self.threads):
            self.decided = True
        elif len(self._together) == TRIALS:
            self.decided = True
            self.shared = min(self._together) < GAIN * min(self._alone)
        else:
            self.shared = not self.shared
