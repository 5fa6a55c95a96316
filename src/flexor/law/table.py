"""A record of addresses and what they lead to: arrays, other records, kernels.

In Python the fields of `view` are the arrays, records and functions themselves; compiled code reads their addresses.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

import numpy as np

from flexor.law.compile import compiled
from flexor.law.record import Record

_KERNEL = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
R = TypeVar("R", bound=Record)


class AddressTable(Generic[R]):
    """Memory of a record of addresses.

    python: run kernels as plain Python on the view (slow; for tests and debugging).
    """

    def __init__(self, record: type[R], python: bool = False) -> None:
        self.python = python
        self.view = record([None] * record.WORDS)
        """The arrays, records and functions by name."""
        self.addresses = np.zeros(record.WORDS, dtype=np.int64)
        self._own_address = self.addresses.ctypes.data
        self._offset = {field.name: field.offset for field in record.FIELDS}
        self._calls: dict[str, Callable[[int], int]] = {}
        self._later: dict[str, tuple[Callable, Sequence[str]]] = {}

    def set(self, name: str, value: object) -> None:
        """Let a field lead to an array (made contiguous and flat), to a record or to the record of another table."""
        if isinstance(value, AddressTable):
            address, value = value._own_address, value.view
        elif isinstance(value, Record):
            address = value._memory.ctypes.data
        elif isinstance(value, np.ndarray):
            value = np.ascontiguousarray(value).reshape(-1)
            address = value.ctypes.data
        else:  # what only plain Python reads
            address = 0
        setattr(self.view, name, value)
        self.addresses[self._offset[name]] = address

    def set_kernel(self, name: str, kernel: Callable, address: int | None = None) -> None:
        """Let a field lead to a kernel: compiled, or with an address of its own."""
        setattr(self.view, name, kernel)
        if self.python:
            return
        address = int(compiled(kernel, "kernel").address) if address is None else address
        self.addresses[self._offset[name]] = address
        self._calls[name] = _KERNEL(address)

    def set_kernel_later(self, name: str, kernel: Callable, calls: Sequence[str] = ()) -> None:
        """Let a field lead to a kernel which is compiled when it is called first, with those that it calls and that wait, too."""
        setattr(self.view, name, kernel)
        self._later[name] = kernel, calls

    def ready(self, name: str) -> None:
        """Compile a kernel that waits."""
        if name in self._later:
            kernel, calls = self._later[name]
            for each in calls:
                self.ready(each)
            self.set_kernel(name, kernel)
            self._later.pop(name, None)

    def place(self, name: str) -> int:
        """Where the address of a field stands."""
        return self._offset[name]

    def call(self, name: str) -> int:
        """Run a kernel; releases the interpreter lock while it runs."""
        if self.python:
            return int(getattr(self.view, name)(self.view))
        if name in self._later:
            self.ready(name)
        return self._calls[name](self._own_address)
