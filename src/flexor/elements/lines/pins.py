"""Releases at the ends of a beam: freedoms that the node does not pass on.   FTG A.9"""

from __future__ import annotations

import numpy as np

from flexor.errors import ModelError, Problem


def released(K: np.ndarray, pins: np.ndarray) -> np.ndarray:
    """C (m, 12, 12) from the nodes' freedoms to those of the beam's ends, which follow freely where pinned.

    K: (m, 12, 12) stiffness of the ends;  pins: (m, 12) true where released, end 1 then end 2, local axes.
    No force goes over a pin, so the end moves by   u_r = −K_rr⁻¹ K_rc u_c   (static condensation).
    """
    C = np.broadcast_to(np.eye(12), K.shape).copy()
    for pattern in np.unique(pins, axis=0):
        if not pattern.any():
            continue
        which = np.flatnonzero((pins == pattern).all(axis=1))
        r, c = np.flatnonzero(pattern), np.flatnonzero(~pattern)
        K_rr = K[np.ix_(which, r, r)]
        size = 1 / np.sqrt(np.maximum(K_rr[:, range(len(r)), range(len(r))], 1e-300))
        scaled = np.linalg.eigvalsh(K_rr * size[:, :, None] * size[:, None, :])
        loose = (scaled[:, 0] < 1e-9) | (size.max(axis=1) > 1e100)
        if loose.any():
            first = int(which[np.flatnonzero(loose)[0]]) + 1
            names = [f"{('x', 'y', 'z', 'θx', 'θy', 'θz')[i % 6]} at end {i // 6 + 1}" for i in r]
            raise ModelError(
                Problem(
                    f"beam2, element {first} of its block",
                    f"its pins ({', '.join(names)}) leave it loose",
                    "between them the beam has no stiffness",
                    "take one of them away, or give the section that stiffness",
                )
            )
        C[np.ix_(which, r, np.arange(12))] = 0.0
        C[np.ix_(which, r, c)] = -np.linalg.solve(K_rr, K[np.ix_(which, r, c)])
    return C
