"""The undeformed line through markers: arc lengths, cardinal functions of the natural cubic spline, directions across it."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

_GAUSS = np.polynomial.legendre.leggauss(5)


def cardinal_functions(knots: np.ndarray) -> np.ndarray:
    """Coefficients (segments, markers, 4) in powers of s − s_begin: each cubic spline is 1 at one knot, 0 at the others, and its second
    derivative is 0 at the ends."""
    n, h = len(knots), np.diff(knots)
    values = np.eye(n)
    slopes = np.diff(values, axis=0) / h[:, None]
    second = np.zeros((n, n))
    if n > 2:
        # h_j m_j + 2 (h_j + h_j+1) m_j+1 + h_j+1 m_j+2 = 6 (slope_j+1 − slope_j)
        A = np.diag(2 * (h[:-1] + h[1:])) + np.diag(h[1:-1], 1) + np.diag(h[1:-1], -1)
        second[1:-1] = np.linalg.solve(A, 6 * np.diff(slopes, axis=0))
    h = h[:, None]
    first = slopes - h * (2 * second[:-1] + second[1:]) / 6
    return np.stack([values[:-1], first, second[:-1] / 2, np.diff(second, axis=0) / (6 * h)], axis=2)


def arc_lengths(points: np.ndarray) -> np.ndarray:
    """s of each point on the spline through them: chords first, then lengths of the spline itself, until they agree."""
    knots = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))])
    for _ in range(50):
        lengths = _segment_lengths(knots, points)
        new = np.concatenate([[0.0], np.cumsum(lengths)])
        change = np.abs(new - knots).max()
        knots = new
        if change < 1e-14 * knots[-1]:
            break
    return knots


def _segment_lengths(knots: np.ndarray, points: np.ndarray) -> np.ndarray:
    cubics = _cubics(knots, points)
    h = np.diff(knots)
    nodes, weights = 0.5 * (1 + _GAUSS[0]), 0.5 * _GAUSS[1]
    t = h[:, None] * nodes
    tangent = cubics[:, None, :, 1] + t[..., None] * (
        2 * cubics[:, None, :, 2] + 3 * t[..., None] * cubics[:, None, :, 3]
    )
    return np.asarray(h * (np.linalg.norm(tangent, axis=2) @ weights))


def tangents(knots: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Unit tangents at the points."""
    table = cardinal_functions(knots)
    t = knots[-1] - knots[-2]
    last = table[-1, :, 1] + t * (2 * table[-1, :, 2] + 3 * t * table[-1, :, 3])
    found = np.vstack([table[:, :, 1], last]) @ points
    return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])


def directions_across(along: np.ndarray, first: np.ndarray) -> np.ndarray:
    """Two unit vectors across each tangent, (n, 2, 3): the first across is turned from tangent to tangent by the least rotation."""
    y = first - (first @ along[0]) * along[0]
    y /= np.linalg.norm(y)
    found = [y]
    for before, now in pairwise(along):
        # least rotation from one tangent to the next: v ↦ v + w × v + w × (w × v)/(1 + cos)
        w = np.cross(before, now)
        turned = np.cross(w, y)
        y = y + turned + np.cross(w, turned) / (1 + before @ now)
        y = y - (y @ now) * now
        y /= np.linalg.norm(y)
        found.append(y)
    return np.stack([found, np.cross(along, found)], axis=1)


def weights(knots: np.ndarray, s: float) -> np.ndarray:
    """N, N', N'' of each marker at a place on the line, (3, n)."""
    j, t = _place(knots, s)
    return np.asarray(_powers(t) @ cardinal_functions(knots)[j].T)


def nearest(knots: np.ndarray, points: np.ndarray, b: np.ndarray) -> float:
    """s of the place on the line that is nearest to a point."""
    cubics = _cubics(knots, points)
    t = np.diff(knots)[:, None] * np.linspace(0.0, 1.0, 17)
    line = np.einsum("jxc,jtc->jtx", cubics, t[..., None] ** np.arange(4))
    tried = knots[:-1, None] + t
    s = float(tried.flat[np.argmin(np.linalg.norm(line - b, axis=2))])
    for _ in range(20):
        j, t_j = _place(knots, s)
        P, T, C = _powers(t_j) @ cubics[j].T
        slope = max(T @ T - (b - P) @ C, 0.1 * T @ T)
        s, before = float(np.clip(s + (b - P) @ T / slope, 0.0, knots[-1])), s
        if abs(s - before) < 1e-15 * knots[-1]:
            break
    return s


def _place(knots: np.ndarray, s: float) -> tuple[int, float]:
    """Segment and distance from where it begins."""
    j = min(max(int(np.searchsorted(knots, s, side="right")) - 1, 0), len(knots) - 2)
    return j, s - float(knots[j])


def _powers(t: float) -> np.ndarray:
    """Of a cubic, its first and its second derivative."""
    return np.array([[1, t, t**2, t**3], [0, 1, 2 * t, 3 * t**2], [0, 0, 2, 6 * t]])


def _cubics(knots: np.ndarray, points: np.ndarray) -> np.ndarray:
    """The line through points, (segments, 3, 4) coefficients in powers of s − s_begin."""
    return np.einsum("jic,ix->jxc", cardinal_functions(knots), points)
