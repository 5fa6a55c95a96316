"""Words of the kernels to other processes that share the tree. Without partners nothing is said."""

from __future__ import annotations

from flexor.hierarchy.memory import HEADER
from flexor.law.primitives import call


def tell(H, what, status):
    """Tell and hear what stands at borders, or states of bodies; the first status that is not OK."""
    H.numbers.asked, H.numbers.status = what, status
    return call(H.exchange, H)


def agree(H, status, value):
    """The first status that is not OK; VALUE becomes the largest value."""
    numbers = H.numbers
    numbers.value = value
    return tell(H, HEADER, status) if numbers.partners > 0 else status
