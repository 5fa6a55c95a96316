"""Threads that compute branches of a tree at the same time.

Arrays are shared: each thread writes what belongs to its bodies and branches. It has scratch of its own, and sums up forces for itself; all numbers are
those of one thread, to the last bit. Kernels run without the interpreter's lock; to let the threads begin and to wait for them takes some 25 µs.
"""

from __future__ import annotations

import _thread
import ctypes
import os
import threading
from typing import TYPE_CHECKING

import numpy as np

from flexor.engine.memory import OK, Memory
from flexor.hierarchy.memory import FACTOR, TreeMemory, TreeNumbers
from flexor.hierarchy.share import put_part, share
from flexor.law.table import AddressTable

if TYPE_CHECKING:
    from flexor.hierarchy.stepper import Tree

MOST = 8
"""Threads that are taken at most where their number is left open."""
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_PRIVATE = ("residual", "follower_force")
"""Of the engine's arrays, beside its buffers."""


def processors() -> int:
    """Processor cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew:
    """So many threads, the one at hand included, that share a tree; at work between `begin` and `end`."""

    def __init__(self, tree: Tree, count: int) -> None:
        self.tree = tree
        parts = [
            share(tree.system, tree.cells, tree.kinds, tree.memory, tree.subsystems, rank, count)
            for rank in range(count)
        ]
        self._own = parts[0]
        self._own.joints = tree.whole().joints  # how far constraints are open is seen to by one thread
        self._helpers = [_Helper(tree, part) for part in parts[1:]]
        self._callback = _CALLBACK(self._fork)
        tree.table.set_kernel("fork", self._fork, int(ctypes.cast(self._callback, ctypes.c_void_p).value or 0))

    def begin(self) -> None:
        """From now on the threads share the work."""
        for helper in self._helpers:
            helper.refresh()
        self.tree.compute(self._own, helpers=len(self._helpers))

    def end(self) -> None:
        """From now on one thread does all."""
        self.tree.compute(self.tree.whole())

    def close(self) -> None:
        """The threads end."""
        for helper in self._helpers:
            helper.close()

    def _fork(self, _: object) -> int:
        numbers = self.tree.numbers
        task = numbers.task
        for helper in self._helpers:
            helper.start(task)
        status = self.tree.table.call("part")
        for helper in self._helpers:
            found = helper.wait()
            if task == FACTOR:
                numbers.deficient += helper.numbers.deficient
            if found != OK and status == OK:
                status, numbers.bad_cell = found, helper.numbers.bad_cell
        return status


class _Helper:
    """A thread with its part of the tree, tables of its own over the same arrays, and scratch."""

    def __init__(self, tree: Tree, part: object) -> None:
        self.tree = tree
        self.numbers = TreeNumbers(np.array(tree.numbers._memory))
        self.table: AddressTable[TreeMemory] = AddressTable(TreeMemory)
        self.engine: AddressTable[Memory] = AddressTable(Memory)
        names = [field.name for field in Memory.FIELDS if field.name.startswith("buffer_")]
        memory = tree.system.memory
        self._scratch = {name: np.array(getattr(memory, name)) for name in (*names, *_PRIVATE)}
        self._work = np.array(tree.memory.work)
        self._part = part
        self._go, self._done = _thread.allocate_lock(), _thread.allocate_lock()
        self._go.acquire()
        self._done.acquire()
        self._status, self._ends = OK, False
        self.refresh()
        self._thread = threading.Thread(target=self._serve, daemon=True, name="flexor branch")
        self._thread.start()

    def refresh(self) -> None:
        """Addresses as they are now; those of scratch and of the part are its own."""
        self.engine.addresses[:] = self.tree.system.table.addresses
        for name, array in self._scratch.items():
            self.engine.set(name, array)
        kept = self.tree.numbers
        self.numbers.tolerance, self.numbers.partners, self.numbers.helpers = kept.tolerance, 0, 0
        self.table.addresses[:] = self.tree.table.addresses
        self.table.set("numbers", self.numbers)
        self.table.set("engine", self.engine)
        self.table.set("work", self._work)
        put_part(self.table, self.numbers, self._part)  # type: ignore[arg-type]
        self._call = _CALLBACK(int(self.table.addresses[self.table.place("part")]))

    def start(self, task: int) -> None:
        self.numbers.task = task
        self._go.release()

    def wait(self) -> int:
        self._done.acquire()
        return self._status

    def close(self) -> None:
        self._ends = True
        self._go.release()
        self._thread.join()

    def _serve(self) -> None:
        while True:
            self._go.acquire()
            if self._ends:
                return
            self._status = self._call(self.table.addresses.ctypes.data)
            self._done.release()
