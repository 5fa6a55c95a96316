"""Six floats at once: a row of a 6×6 block, held in vector registers by compiled code.

A node has six degrees of freedom, so most blocks of the matrix have rows of six. The compiler does not find
the vector operations by itself (rows of six are too short for its loops): a row of a 6×6 product takes 2 ns instead
of 5.
"""

from __future__ import annotations

from flexor.law.lanes import lanes

_six = lanes(6)
load, store, gather = _six.load, _six.store, _six.gather
times, plus, minus = _six.times, _six.plus, _six.minus
product, difference = _six.product, _six.difference
lane, unit, zeros = _six.lane, _six.unit, _six.zeros
