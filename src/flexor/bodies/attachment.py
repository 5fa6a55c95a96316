"""Which node carries what is attached to a body that is held at certain points alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from flexor.errors import ModelError

CLOSE = 1e-6
"""Share of the body's size within which an attachment counts as being at a node."""

Refuse = Callable[[str, str, str], ModelError]
"""Makes the error from what, why and fix."""


def carrying_node(
    names: Sequence[str], points: np.ndarray, size: float, marker: str | None, p_BM: np.ndarray, refuse: Refuse
) -> tuple[int, np.ndarray]:
    """Number and position of the node of this name, else of the one at p_BM; refused where there is none.

    names, points: (c, 3) of the nodes, in the body's axes [m].   size: of the body [m].
    """
    if marker is not None and marker in names:
        number = list(names).index(marker)
        return number, points[number]
    distances = np.linalg.norm(points - p_BM, axis=1)
    number = int(np.argmin(distances))
    if distances[number] > CLOSE * size:
        x, y, z = p_BM
        what = f"something attaches at ({x:.5g}, {y:.5g}, {z:.5g}) m, where it has no node"
        raise refuse(what, f"it is held at {', '.join(names)} alone", "attach there, or name that point too")
    return number, points[number]
