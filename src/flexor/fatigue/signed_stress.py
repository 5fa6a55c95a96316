"""Compiled signed measures of the stress tensor, as `flexor.recover.measures` defines them: what whole bodies are counted by.

With NumPy, principal stresses cost some hundred times as much as counting the cycles.
"""

from __future__ import annotations

import numpy as np

from flexor.law.dual import acos, cos, sqrt
from flexor.law.record import Record, integer, kernel_at, numbers_at, record_at
from flexor.law.table import AddressTable
from flexor.recover.measures import StressMeasure, measure_of

THIRD = 2.0943951023931953  # 2π/3


class SignedTask(Record):
    """How many tensors, and which measure."""

    count = integer("tensors")
    mises = integer("1: von Mises' stress with the sign;  0: the principal stress of largest magnitude itself")


class SignedStress(Record):
    """Arrays and the kernel."""

    run = kernel_at("tensors → measure")
    task = record_at(SignedTask, "what")
    tensors = numbers_at("xx of all, then yy, zz, xy, yz, zx of all", "Pa")
    found = numbers_at("the measure", "Pa")


def signed_stress(T: SignedStress):
    """Kernel: the cubic in closed form, as `flexor.recover.measures.principal`.

    λ = q + 2p cos(φ + 2πk/3);  σ_v = 3p
    """
    t, found, n, mises = T.tensors, T.found, T.task.count, T.task.mises
    for i in range(n):
        x, y, z = t[i], t[n + i], t[2 * n + i]
        xy, yz, zx = t[3 * n + i], t[4 * n + i], t[5 * n + i]
        q = (x + y + z) / 3.0
        x, y, z = x - q, y - q, z - q
        p = sqrt((x * x + y * y + z * z + 2.0 * (xy * xy + yz * yz + zx * zx)) / 6.0)
        if p == 0.0:
            found[i] = 0.0 if mises == 1 else q
            continue
        c = (x * (y * z - yz * yz) - xy * (xy * z - yz * zx) + zx * (xy * yz - y * zx)) / (2.0 * p * p * p)
        c = 1.0 if c > 1.0 else (-1.0 if c < -1.0 else c)
        phi = acos(c) / 3.0
        high, low = q + 2.0 * p * cos(phi), q + 2.0 * p * cos(phi + THIRD)
        largest = high if abs(high) >= abs(low) else low
        found[i] = largest if mises == 0 else (3.0 * p if largest >= 0.0 else -3.0 * p)
    return 0


class SignedValues:
    """The value of a measure for tensors (6, …), which stands in for that of NumPy."""

    def __init__(self, mises: bool, python: bool = False) -> None:
        self._table = AddressTable(SignedStress, python)
        self._task = SignedTask(np.zeros(SignedTask.WORDS))
        self._task.mises = int(mises)
        self._table.set("task", self._task)
        self._table.set_kernel("run", signed_stress)

    def __call__(self, tensors: np.ndarray) -> np.ndarray:
        found = np.empty(tensors.shape[1:])
        self._task.count = found.size
        self._table.set("tensors", np.ascontiguousarray(tensors, dtype=float))
        self._table.set("found", found.reshape(-1))
        self._table.call("run")
        return found


def fast(measure: str) -> StressMeasure:
    """A measure by name, compiled if it is one of the signed ones."""
    known = measure_of(measure)
    if measure not in ("signed_max", "signed_von_mises"):
        return known
    return StressMeasure(known.name, known.combine, SignedValues(measure == "signed_von_mises"))
