"""One-time data of a scene: arrays by number, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

DTYPES: dict[str, np.dtype[Any]] = {"f4": np.dtype("<f4"), "f8": np.dtype("<f8"), "u4": np.dtype("<u4")}

Ref = dict[str, Any]
"""How a header names an array: {"buffer": number, "dtype": "f4", "shape": [n, 3]}."""


class Buffers:
    """The arrays of a scene. `add` returns how the header names one; `data` gives its bytes, little-endian."""

    def __init__(self) -> None:
        self._makers: list[tuple[str, tuple[int, ...], Callable[[], np.ndarray]]] = []
        self._made: dict[int, bytes] = {}

    def __len__(self) -> int:
        return len(self._makers)

    def add(self, array: np.ndarray, dtype: str = "f4") -> Ref:
        """An array that is there already."""
        return self.later(np.shape(array), lambda: array, dtype)

    def later(self, shape: tuple[int, ...], make: Callable[[], np.ndarray], dtype: str = "f4") -> Ref:
        """An array that is computed when it is first asked for."""
        self._makers.append((dtype, tuple(int(n) for n in shape), make))
        return {"buffer": len(self._makers) - 1, "dtype": dtype, "shape": [int(n) for n in shape]}

    def sent(self, primitive: dict[str, Any]) -> dict[str, Any]:
        """A primitive whose arrays are sent once."""
        if "arrays" not in primitive:
            return primitive
        arrays = primitive["arrays"]
        refs = {"vertices": self.add(arrays["vertices"]), "triangles": self.add(arrays["triangles"], "u4")}
        return {**{key: value for key, value in primitive.items() if key != "arrays"}, **refs}

    def data(self, number: int) -> bytes:
        """The bytes of an array; KeyError if there is none of this number."""
        if not 0 <= number < len(self._makers):
            raise KeyError(number)
        if number not in self._made:
            dtype, shape, make = self._makers[number]
            array = np.ascontiguousarray(make(), dtype=DTYPES[dtype])
            if array.shape != shape:
                raise ValueError(f"buffer {number} has the shape {array.shape} instead of {shape}")
            self._made[number] = array.tobytes()
        return self._made[number]

    def array(self, ref: Ref) -> np.ndarray:
        """The array that a header names."""
        return np.frombuffer(self.data(ref["buffer"]), DTYPES[ref["dtype"]]).reshape(ref["shape"])
