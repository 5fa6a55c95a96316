"""The rigid chain in Flexor."""

from __future__ import annotations

from benchmarks.rigid_chain import ChainRun


def flexor_chain(n: int, h: float, steps: int) -> ChainRun:
    """Solve the chain of n links over the given number of steps h [s]; see ``benchmarks.rigid_chain``."""
    raise SystemExit("the chain is not modelled in Flexor yet; run with --only exudyn")
