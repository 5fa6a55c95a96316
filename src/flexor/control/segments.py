"""A characteristic of straight pieces: y = sᵢ u + oᵢ for bᵢ₋₁ ≤ u < bᵢ, with kinks or jumps between them.

Each piece is a regime (`flexor.law.law`): a step ends where the input comes to the border of its piece (FTG 8.4), so that the integration
keeps its order.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.control.state_equations import read_outputs
from flexor.law import COMMIT, OUTPUT, RESIDUAL, Output, Term, law
from flexor.law.face import ACCELERATION_LEVEL, SWITCH, TOUCH, TRANSITION
from flexor.law.record import Record, integer, number, tail

BEYOND = 3.0 * TOUCH
"""How far beyond its border a piece is left, in widths: behind a switch the input is then clearly within the next one."""


class Segments(Record):
    """Parameters of the law."""

    count = integer("pieces")
    outputs = integer("1")
    width = number("what inputs are measured by where borders are looked for")
    borders = tail("between them, ascending")
    slopes = tail("of the pieces")
    offsets = tail("of the pieces")


class PieceNow(Record):
    """What it remembers."""

    regime = number("number of its piece from 1, or 0: that in which the input is")
    value = number("input at the end of the last step")


def _piece(p, u):
    """Number of the piece in which u is, from 1."""
    i = 1
    for j in range(p.count - 1):
        if u >= p.borders[j]:
            i = j + 2
    return i


def _below(p, i, u):
    """Margin against the border below."""
    return (u - p.borders[i - 2]) / p.width + BEYOND if i > 1 else 1e9


def _above(p, i, u):
    return (p.borders[i - 1] - u) / p.width + BEYOND if i < p.count else 1e9


@law(Segments, history=PieceNow, symmetric=False, transitions=True, signals=read_outputs, told_by_unknowns=True)
def segments(want, p, now, out):
    """Unknown y; reads u"""
    h, u = now.h, now.lam[1]
    if want & RESIDUAL:
        i = int(h.regime) if h.regime != 0.0 else _piece(p, u)
        out.r[0] = now.lam[0] - (p.slopes[i - 1] * u + p.offsets[i - 1])
    if want & TRANSITION:
        i = int(h.regime)
        out.w[0] = min(_below(p, i, u), _above(p, i, u)) if i > 0 else 1.0
        out.w[1] = min(_below(p, i, h.value), _above(p, i, h.value)) if i > 0 else 1.0
    if want & COMMIT:
        h.value = u
    if want & SWITCH:
        out.w[0] = _switch(want, p, h, u)
    if want & OUTPUT:
        out.w[0] = now.lam[0]
    return 0


def _switch(want, p, h, u):
    """Go to the piece next to this one, if the input has come to its border or beyond; 1 if so."""
    i = int(h.regime)
    if i == 0:
        h.regime = float(_piece(p, u))
        return 0.0
    least = (
        -TOUCH if want & ACCELERATION_LEVEL else TOUCH
    )  # solved in the new piece, it stays there unless the input is beyond
    if _above(p, i, u) <= least:
        h.regime = float(i + 1)
        return 1.0
    if _below(p, i, u) <= least:
        h.regime = float(i - 1)
        return 1.0
    return 0.0


def segments_term(
    name: str,
    source: str,
    signals: tuple[Output, ...],
    borders: Sequence[float],
    slopes: Sequence[float],
    offsets: Sequence[float],
) -> Term:
    """A characteristic in use.   source: name of the reading that is its input."""
    gaps = np.diff(borders)
    width = float(gaps.min()) if len(gaps) else max(abs(borders[0]), 1.0)
    return Term(
        name,
        segments,
        rows=("value",),
        parameters=Segments.pack(
            count=len(slopes), outputs=1, width=width, borders=borders, slopes=slopes, offsets=offsets
        ),
        history=PieceNow.begin(),
        own_outputs=signals,
        readings=1,
        reads=((source, 1),),
    )
