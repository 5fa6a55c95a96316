"""Scalar measures of stress and strain: components, equivalent, principal and shear values.

Every measure is a function of a few linear combinations L σ of the six components xx, yy, zz, xy, yz, zx. Stress modes are
multiplied by L once; per time only the combinations are formed, five for von Mises instead of six.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion

COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")
Value = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class StressMeasure:
    """value(L σ), σ stress or strain with engineering shear.

    combine: L (k, 6);  value: (k, …) → (…), may overwrite its argument.
    """

    name: str
    combine: np.ndarray
    value: Value

    def __call__(self, tensors: np.ndarray) -> np.ndarray:
        """Of (…, 6) components."""
        return self.value(np.tensordot(self.combine, tensors, axes=(1, -1)))


def measure_of(name: str, quantity: str = "stress") -> StressMeasure:
    """The measure with a name, for "stress" or "strain"."""
    table = _STRAIN if quantity == "strain" else _STRESS
    if name not in table:
        raise ModelError(Problem(quantity, f"there is no measure '{name}'", "", suggestion(name, table, "there are")))
    return table[name]


def principal(components: np.ndarray) -> np.ndarray:
    """(3, …) principal values, largest first, of tensor components (6, …); right to 10⁻⁷ of the largest.

    The cubic in closed form (Smith, Comm. ACM 4 (1961) 168):  λ = q + 2p cos(φ + 2πk/3),
    p² = ‖A − q1‖²/6,  cos 3φ = det(A − q1)/(2p³).
    """
    x, y, z, xy, yz, zx = components
    q = (x + y + z) / 3
    x, y, z = x - q, y - q, z - q
    shear = xy * xy + yz * yz + zx * zx
    p = np.sqrt((x * x + y * y + z * z + 2 * shear) / 6)
    det = x * (y * z - yz * yz) - xy * (xy * z - yz * zx) + zx * (xy * yz - y * zx)
    with np.errstate(invalid="ignore", divide="ignore"):
        cosine = np.where(p > 0, det / (2 * p**3), 1.0)
    phi = np.arccos(np.clip(cosine, -1.0, 1.0)) / 3
    largest, smallest = 2 * p * np.cos(phi), 2 * p * np.cos(phi + 2 * np.pi / 3)
    return np.stack([q + largest, q - largest - smallest, q + smallest])


def signed_largest(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """The one with the larger absolute value, with its sign.   FTG (9.1)"""
    return np.where(np.abs(high) >= np.abs(low), high, low)


def _length(values: np.ndarray) -> np.ndarray:
    np.multiply(values, values, out=values)
    total = values[0]
    for row in values[1:]:
        total += row
    return np.sqrt(total, out=total)


def _signed_max(values: np.ndarray) -> np.ndarray:
    high, _, low = principal(values)
    return signed_largest(high, low)


def _signed_mises(values: np.ndarray) -> np.ndarray:
    high, _, low = principal(values)
    x, y, z, xy, yz, zx = values
    squares = (x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2 + 6 * (xy * xy + yz * yz + zx * zx)
    return np.copysign(np.sqrt(0.5 * squares), signed_largest(high, low))


def _range(values: np.ndarray) -> np.ndarray:
    high, _, low = principal(values)
    return high - low


def _table(shear: float, equivalent: float) -> dict[str, StressMeasure]:
    """shear: tensor component per stored shear;  equivalent: factor of √(3/2 s:s)."""
    rows = dict(zip(COMPONENTS, np.eye(6)))
    tensor = np.diag([1.0, 1.0, 1.0, shear, shear, shear])
    # σ_v² = ¾ (σx − σy)² + (½ (σx + σy) − σz)² + 3 (τxy² + τyz² + τzx²): five squares
    x, y, z = np.eye(3, 6)
    squares = [np.sqrt(0.75) * (x - y), (x + y) / 2 - z, *(np.sqrt(3) * shear * np.eye(6)[3:])]
    pressure = -(x + y + z) / 3
    half = 0.5 / shear  # τ_max = (σ₁ − σ₃)/2, but γ_max = ε₁ − ε₃
    measures = [StressMeasure(name, row[None], lambda v: v[0]) for name, row in rows.items()]
    measures += [StressMeasure("von_mises", equivalent * np.array(squares), _length)]
    measures += [
        StressMeasure(f"principal_{k + 1}", tensor, lambda v, k=k: principal(v)[k])  # type: ignore[misc]
        for k in range(3)
    ]
    measures += [
        StressMeasure("signed_max", tensor, _signed_max),
        StressMeasure("signed_von_mises", tensor, lambda v: equivalent * _signed_mises(v)),
        StressMeasure("tresca", tensor, _range),
        StressMeasure("max_shear", tensor, lambda v: half * _range(v)),
        StressMeasure("pressure", pressure[None], lambda v: v[0]),
    ]
    return {measure.name: measure for measure in measures}


_STRESS = _table(1.0, 1.0)
_STRAIN = _table(0.5, 2 / 3)
MEASURES = tuple(_STRESS)
"""xx, yy, zz, xy, yz, zx, von_mises, principal_1, principal_2, principal_3, signed_max, signed_von_mises, tresca, max_shear, pressure.

von_mises of strain is √(⅔ e:e) with the deviator e; max_shear is τ = (σ₁ − σ₃)/2 and γ = ε₁ − ε₃; tresca is the difference
of the outer principal values; signed_max the principal value that is largest without its sign, signed_von_mises has the sign of
that one; pressure −⅓ of the trace.
"""
