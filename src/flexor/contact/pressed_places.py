"""Where, and how hard, the surfaces of an elastic contact are pressed as two bodies stand: the patches of all places, by the contact's own law."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.contact import Contact
from flexor.contact.curvature import above, curved
from flexor.contact.laws.strip import strip_loads
from flexor.contact.touch import Touch
from flexor.contact.touch_law import TouchRecord, touch_law
from flexor.contact.unseen.looked import Looked
from flexor.coordinates.frames import Frame
from flexor.law import COMMIT
from flexor.law.compile import compiled
from flexor.law.face import Coefficients


@dataclass(frozen=True, eq=False)
class PressedPlaces:
    """Patches of T instants at P places; vectors in the axes of surface a.

    gap: of the undeformed surfaces [m].   force: normal force as its depth asks for, without damping [N].   point: of contact.   normal: from a to b.
    major, minor: α, β of the half axes a = α N^⅓, b = β N^⅓; of slices a = α, b = β √N; zeros where they are not known.
    way: direction of the half axis a.   slice: width of a slice [m], 0 of point contact.
    p, R: pose of b's axes in a's.
    """

    gap: np.ndarray
    force: np.ndarray
    point: np.ndarray
    normal: np.ndarray
    major: np.ndarray
    minor: np.ndarray
    way: np.ndarray
    slice: float
    p: np.ndarray
    R: np.ndarray

    def coupled(self, modulus: float, N: np.ndarray) -> np.ndarray:
        """(T, P) loads of slices that press each other down, with the same sums and moments as N; modulus: E* [Pa]."""
        found = np.zeros_like(N)
        for i, loads in enumerate(N):
            line = self.point[i] - self.point[i].mean(axis=0)
            z = line @ (line[-1] - line[0]) / max(float(np.linalg.norm(line[-1] - line[0])), 1e-300)
            found[i] = strip_loads(modulus, self.slice, z, -self.gap[i], self.minor[i], loads)
        return found

    def half_axes(self, N: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(p₀, a, b) of normal forces (T, P)."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.slice > 0:
                a, b = self.major, self.minor * np.sqrt(N)
                p0 = 2 * N / (np.pi * b * self.slice)
            else:
                a, b = self.major * np.cbrt(N), self.minor * np.cbrt(N)
                p0 = 1.5 * N / (np.pi * a * b)
        return np.where((N > 0) & (b > 0), p0, 0.0), a, b


def pressed_places(
    contact: Contact, shapes: Sequence[Any], p: np.ndarray, R: np.ndarray, start: tuple[float, float] = (1.0, 1.0)
) -> PressedPlaces:
    """Patches as surfaces stand; p (T, 3), R (T, 3, 3): pose of b's axes in a's.   start: curvatures of the parameters, of no matter."""
    a, b = shapes
    pair = pair_of(a, b, contact.slices)
    assert pair is not None
    sizes = sizes_of(a, b, contact.slices)
    records: list[Any] = [*records_of(a, b)]
    law = touch_law(pair.function, *records, False, curved(a, b))
    own = Frame.pack(p=np.zeros(3), R=np.eye(3).ravel())
    stiffness = contact.law.packed(start, pair.places, above(a, b))
    parameters = TouchRecord.pack(
        a=own, b=own, marker=own, stiffness=stiffness, rubbing=contact.friction.packed(), places=pair.places, reach_a=0.0, reach_b=0.0, extent=0.0,
        size_a=sizes[0].words, size_b=sizes[1].words, **Looked().parameters,
    )  # fmt: skip
    words = parameters.resolved(lambda function: 0)
    call = _caller(law, words, pair.places)
    rows = np.array([call(p[i], R[i]) for i in range(len(p))]).reshape(len(p), pair.places, Touch.WORDS)

    def field(name: str) -> np.ndarray:
        found = getattr(Touch, name)
        return rows[..., found.offset : found.offset + found.size]

    depth = np.maximum(-field("gap")[..., 0], 0.0)
    K, exponent = contact.law.force_law(start)
    K /= pair.places if contact.law.shared else 1
    return PressedPlaces(
        field("gap")[..., 0],
        K * (1.0 + field("stiffening")[..., 0]) * depth**exponent,
        field("x"), field("n"), field("major")[..., 0], field("minor")[..., 0], field("way"),
        getattr(contact.law, "length", 0.0) / pair.places, p, R,
    )  # fmt: skip


def _caller(law: Any, words: np.ndarray, places: int) -> Any:
    """The law as a function of the pose of b in a, that tells what it remembers."""
    n, k, c = np.array([2, 0, 0]), np.zeros(1, dtype=np.int64), np.zeros(Coefficients.WORDS)
    h, x, R = np.zeros(places * Touch.WORDS), np.zeros(6), np.concatenate([np.eye(3).ravel(), np.zeros(9)])
    v, a, none, r, K = np.zeros(12), np.zeros(12), np.zeros(3), np.zeros(12), np.zeros(144)
    w = np.zeros(law.scratch + 2000)

    def pointer(values: np.ndarray) -> Any:
        kind = ctypes.c_double if values.dtype == float else ctypes.c_int64
        return values.ctypes.data_as(ctypes.POINTER(kind))

    before = [pointer(each) for each in (n, k, words, h)]
    behind = [pointer(each) for each in (c, x, R, v, a, none, none, r, K, w)]
    code = compiled(law.function, "law").ctypes

    def call(p_ab: np.ndarray, R_ab: np.ndarray) -> np.ndarray:
        h[:] = 0.0
        x[3:], R[9:] = p_ab, R_ab.ravel()
        code(COMMIT, *before, 0.0, *behind)
        return h.copy()

    return call
