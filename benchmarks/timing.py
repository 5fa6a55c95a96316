"""Wall-clock timing of several contestants in one process, and the facts of the machine."""

from __future__ import annotations

import gc
import importlib.metadata
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Run = Mapping[str, Any]  # whatever a contestant returns; "seconds" is the time it measured itself


def best_of(contestants: Mapping[str, Callable[[], Run]], repeats: int) -> dict[str, Run]:
    """The fastest run of each contestant.

    The contestants take turns, forwards and backwards by round, so that a slow spell of the machine
    hits all of them. A first round, not counted, fills caches and compiles. No garbage collection
    happens while a contestant runs.
    """
    order = list(contestants)
    for name in order:
        contestants[name]()
    best: dict[str, Run] = {}
    for _ in range(repeats):
        for name in order:
            gc.collect()
            gc.disable()
            try:
                run = contestants[name]()
            finally:
                gc.enable()
            if name not in best or run["seconds"] < best[name]["seconds"]:
                best[name] = run
        order.reverse()
    return best


def machine_facts(*packages: str) -> str:
    """One line: processor, system, Python and the versions of the named packages."""
    parts = [cpu_name(), platform.system(), f"Python {platform.python_version()}"]
    for package in packages:
        try:
            parts.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            parts.append(f"{package} not installed")
    return ", ".join(parts)


def cpu_name() -> str:
    """Model name of the processor and the number of its cores."""
    name = platform.processor() or platform.machine()
    cores = 0
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            key, _, value = line.partition(":")
            if key.strip() == "model name":
                name, cores = value.strip(), cores + 1
    except OSError:
        pass  # not Linux: platform.processor() has to do
    return f"{name} ({cores} cores)" if cores else name
