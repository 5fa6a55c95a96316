"""Words of the kernels to other processes and threads that share the tree. Without them nothing is said."""

from __future__ import annotations

from flexor.hierarchy.memory import HEADER
from flexor.law.primitives import call


def tell(H, what, status):
    """Tell and hear what stands at borders, or states of bodies; the first status that is not OK."""
    H.numbers.asked, H.numbers.status = what, status
    return call(H.exchange, H)


def fork(H, task):
    """Let all threads do something in their branches, this one too; the first status that is not OK."""
    H.numbers.task = task
    return call(H.fork, H)


def agree(H, status, value):
    """The first status that is not OK; VALUE becomes the largest value."""
    numbers = H.numbers
    numbers.value = value
    return tell(H, HEADER, status) if numbers.partners > 0 else status
