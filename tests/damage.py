"""Damage done to files: bytes changed, ends lost."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def flipped(data: bytes, count: int, seed: int = 1) -> Iterator[bytes]:
    """Copies with one to four bytes changed, half of them near the front, where a format keeps what it needs first."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        damaged = bytearray(data)
        end = len(data) if number % 2 else min(len(data), 4096)
        for _ in range(1 + number % 4):
            damaged[rng.integers(end)] ^= 1 << rng.integers(8) if number % 3 else rng.integers(1, 256)
        yield bytes(damaged)


def cut(data: bytes, count: int) -> Iterator[bytes]:
    """Copies that end too early."""
    return (data[: len(data) * i // count] for i in range(count))
