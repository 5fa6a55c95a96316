"""Four floats at once: rows of a matrix whose sums stay in vector registers (see `flexor.law.lanes`)."""

from __future__ import annotations

from flexor.law.lanes import lanes

_four = lanes(4)
load, store = _four.load, _four.store
times, plus = _four.times, _four.plus
product, lane, zeros = _four.product, _four.lane, _four.zeros
