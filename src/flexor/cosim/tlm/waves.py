"""Waves that have arrived at the end of a line: kept with their times, damped, read at any time in between."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from flexor.errors import SolveError

Wave = Sequence[float]

MOST_KEPT = 512
"""Samples after which those that no one can ask for any more are forgotten."""
ROUNDING = 1e-9
"""Of a delay, by which a time may lie behind the last sample: times are sums of steps."""


class TooEarly(SolveError):
    """A wave is asked for that has not arrived yet."""


class Waves:
    """The waves sent by the other end, by the time they were sent; they arrive a delay later.

    Before the first sample the other end is taken to have been as it is there for ever: a line that rests or moves as a whole.
    Between samples waves are interpolated linearly: then |w|² is at most what lies between the samples', and no energy is gained.
    """

    def __init__(self, delay: float, alpha: float = 0.0) -> None:
        self.delay = delay
        self.alpha = alpha
        self.times: list[float] = []
        self.waves: list[Wave] = []

    @property
    def known_until(self) -> float:
        """Latest time at this end for which a wave has arrived [s]."""
        return self.times[-1] + self.delay if self.times else -float("inf")

    def receive(self, sent: float, wave: Wave) -> None:
        """A sample that left the other end at the time `sent` [s]; a second one for the same time is dropped."""
        times = self.times
        if times:
            if sent <= times[-1]:
                return
            if self.alpha:  # c_f(t) = α c_f(t − T) + (1 − α) c(t)   NAK (23-11)
                a = self.alpha
                b = 1.0 - a
                wave = [a * old + b * new for old, new in zip(self._sent_at(sent - self.delay), wave, strict=True)]
        times.append(sent)
        self.waves.append(wave)

    def at(self, time: float) -> Wave:
        """The wave that arrives at a time [s]; TooEarly if it has not been sent yet."""
        return self._sent_at(time - self.delay)

    def between(self, begin: float, end: float) -> tuple[list[float], list[Wave]]:
        """Times and waves that make the arriving wave from `begin` to `end` piece by piece linear."""
        sent_end = min(end - self.delay, self.times[-1])
        first = bisect_left(self.times, begin - self.delay)
        inner = [i for i in range(first, len(self.times)) if begin - self.delay < self.times[i] < sent_end]
        times = [begin, *(self.times[i] + self.delay for i in inner), end]
        return times, [self.at(begin), *(self.waves[i] for i in inner), self.at(end)]

    def forget(self, before: float) -> None:
        """Times before this one [s] will not be asked for any more."""
        if len(self.times) > MOST_KEPT:
            keep = max(bisect_left(self.times, before - 2 * self.delay) - 1, 0)
            del self.times[:keep], self.waves[:keep]

    def _sent_at(self, sent: float) -> Wave:
        times = self.times
        if not times:
            raise TooEarly("no wave has arrived yet; the other end has not sent its initial state")
        last = times[-1]
        if sent >= last:
            if sent - last > ROUNDING * self.delay + 4e-15 * abs(last):
                message = f"the wave that arrives at t = {sent + self.delay:.9g} s has not been sent yet"
                raise TooEarly(message, causes=["the step is longer than the delay of the line; shorten it"])
            return self.waves[-1]
        if sent <= times[0]:
            return self.waves[0]
        i = bisect_left(times, sent)
        t0, t1 = times[i - 1], times[i]
        if sent == t1:
            return self.waves[i]
        x = (sent - t0) / (t1 - t0)
        return [a + x * (b - a) for a, b in zip(self.waves[i - 1], self.waves[i], strict=True)]
