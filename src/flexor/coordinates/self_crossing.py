"""Where a plane curve crosses, touches or repeats itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.coordinates.profile_pieces import Shape, Trace

MET = 1e-9
"""Distance, in parts of the curve's size, of two places that are one."""
END = 1e-6
"""Part of a piece next to its end that is its end."""


@dataclass(frozen=True, eq=False)
class SelfCrossing:
    """Two pieces, counted from 0, and the point [m] in which they meet."""

    pieces: tuple[int, int]
    at: np.ndarray


def self_crossing(pieces: list[Shape], line: Trace) -> SelfCrossing | None:
    """The first crossing of a curve that is found; that neighbours share an end, and the first begins where the last ends, is none."""
    size = float(np.linalg.norm(np.ptp(line.points, axis=0)))
    first, second = _near(line)
    for k, l in zip(first.tolist(), second.tolist()):
        found = _met(pieces, (line.piece[k], line.piece[l]), (line.s[k : k + 2].mean(), line.s[l : l + 2].mean()), size)
        if found is not None:
            return found
    return None


def _near(line: Trace) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of steps of the trace that may meet: chords nearer to each other than the curve is to them; neighbours left out."""
    begins = np.flatnonzero(line.lengths > 0.0)
    a, b, sagitta = line.points[begins], line.points[begins + 1], line.sagitta[begins]
    low, high = np.minimum(a, b) - sagitta[:, None], np.maximum(a, b) + sagitta[:, None]
    last = len(begins) - 1
    found: list[tuple[np.ndarray, np.ndarray]] = []
    for k in range(last):
        later = slice(k + 2, last + (k > 0))  # the last step ends where the first begins, if the curve is closed
        boxes = np.all((low[later] <= high[k]) & (high[later] >= low[k]), axis=1)
        others = np.flatnonzero(boxes) + k + 2
        if len(others):
            apart = _distance(a[k], b[k], a[others], b[others])
            others = others[apart <= sagitta[k] + sagitta[others] + 1e-12 * np.abs(high - low).max()]
            found.append((np.full(len(others), k), others))
    pairs = [np.concatenate(each) for each in zip(*found)] if found else [np.zeros(0, int)] * 2
    return begins[pairs[0]], begins[pairs[1]]


def _distance(a: np.ndarray, b: np.ndarray, c: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Of the chord a b from chords c d: 0 where they cross, else that of one of the four ends."""

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        u, v = q - p, r - p
        return np.asarray(u[..., 0] * v[..., 1] - u[..., 1] * v[..., 0])

    def from_end(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        along = q - p
        part = np.clip(np.sum((r - p) * along, axis=-1) / np.sum(along * along, axis=-1), 0.0, 1.0)
        return np.asarray(np.linalg.norm(r - p - part[..., None] * along, axis=-1))

    a, b = np.broadcast_to(a, c.shape), np.broadcast_to(b, c.shape)
    cross = (side(a, b, c) * side(a, b, d) < 0.0) & (side(c, d, a) * side(c, d, b) < 0.0)
    nearest = np.minimum.reduce([from_end(a, b, c), from_end(a, b, d), from_end(c, d, a), from_end(c, d, b)])
    return np.where(cross, 0.0, nearest)


def _met(pieces: list[Shape], which: tuple[int, int], guess: tuple[float, float], size: float) -> SelfCrossing | None:
    """Where two pieces meet near parameters, by Newton's iteration; not at an end that they share."""
    one, other = pieces[which[0]], pieces[which[1]]
    s = np.array(guess)
    for _ in range(30):
        (p,), (p_1,), _ = one.at(s[:1])
        (q,), (q_1,), _ = other.at(s[1:])
        s = np.clip(s - np.linalg.lstsq(np.column_stack([p_1, -q_1]), p - q, rcond=1e-9)[0], 0.0, (one.end, other.end))
    (p,), (q,) = one.at(s[:1])[0], other.at(s[1:])[0]
    if np.linalg.norm(p - q) > MET * size:
        return None
    at_begin, at_end = s < END * np.array([one.end, other.end]), s > (1 - END) * np.array([one.end, other.end])
    for k, l in ((0, 1), (1, 0)):
        if at_end[k] and at_begin[l] and (which[k] + 1) % len(pieces) == which[l]:
            return None
    if which[0] == which[1] and abs(s[0] - s[1]) < 1e-3 * one.end:
        return None
    return SelfCrossing((int(which[0]), int(which[1])), p)
