"""Terms that are asked together: residuals of eight of them side by side, in vector registers.

A string is a row of terms of one law, each on two nodes, of which each begins with the node that the last one ends with: the elements of
a beam. Their law may have a second form for eight of them, with the arguments of a law (`flexor.law.law`) but

    p       parameters side by side: number i of all eight at p[8 i]
    x, R, v, a   of the nine nodes
    r       residuals side by side: row i of all eight at r[8 i]

It is asked for residuals alone. Where it cannot tell them all it returns another status than 0, and each term is asked by itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

STRING, STRUNG = 8, 12
"""Terms that are asked together, and rows of each."""


@dataclass(frozen=True)
class String:
    """The second form of a law.

    fits: whether it serves a term with these parameters, as words.
    """

    function: Callable
    fits: Callable[[np.ndarray], bool]

    @property
    def address(self) -> int:
        """Address of the compiled function; compiles it on first use."""
        from flexor.law.compile import compiled

        return int(compiled(self.function, "law").address)
