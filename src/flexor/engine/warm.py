"""Compile every law and kernel into the cache: `python -m flexor.hierarchy.warm`, which adds kernels of its own.

Done once before parallel test workers start, or when an installation should answer at once.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator

from flexor.elements.assembly import places, scatter
from flexor.elements.solids import gradient_stiffness
from flexor.engine.followers import nothing_follows
from flexor.engine.linear import symbolic
from flexor.engine.linear.degree import order_blocks
from flexor.engine.linear.ldl import factor_ldl, solve_ldl
from flexor.engine.linear.lu import factor_lu, solve_lu
from flexor.engine.linear.solver import clear
from flexor.engine.system import KERNELS
from flexor.functions import FUNCTIONS
from flexor.law import Law
from flexor.law.compile import compiled, on_compile
from flexor.reduce import dissection, front_tree, fronts, precise, sparse_rows, tall_basis


def laws() -> Iterator[Law]:
    """Every law of the package: the module-level Law objects of what a mechanism is made of."""
    for folder in (
        "coordinates",
        "bodies",
        "joints",
        "transmissions",
        "forces",
        "contact",
        "control",
        "cosim.component",
    ):
        package = importlib.import_module(f"flexor.{folder}")
        for module in pkgutil.walk_packages(package.__path__, f"flexor.{folder}."):
            for value in vars(importlib.import_module(module.name)).values():
                if isinstance(value, Law):
                    yield value


def everything() -> Iterator[tuple[Callable, str]]:
    """(function, kind) of all that the engine may call through an address."""
    for law in dict.fromkeys(laws()):
        yield law.function, "law"
        if law.string is not None:
            yield law.string.function, "law"
    for function in FUNCTIONS:
        if isinstance(vars(function).get("evaluator"), staticmethod):  # sums and products build theirs from members
            yield function.evaluator, "evaluator"
    kernels: tuple[Callable, ...] = (
        *KERNELS.values(),
        nothing_follows,
        factor_ldl,
        solve_ldl,
        factor_lu,
        solve_lu,
        clear,
        *gradient_stiffness.KERNELS,
        *places.KERNELS,
        *scatter.KERNELS,
        order_blocks,
        *symbolic.KERNELS,
        *dissection.KERNELS,
        *front_tree.KERNELS,
        *fronts.KERNELS,
        *precise.KERNELS,
        *sparse_rows.KERNELS,
        *tall_basis.KERNELS,
    )
    for kernel in kernels:
        yield kernel, "kernel"


def main(more: Iterable[Callable] = ()) -> None:
    """Compile all; more: further kernels."""
    begin = time.perf_counter()
    fresh: list[str] = []
    on_compile(fresh.append)
    count = 0
    for function, kind in (*everything(), *((kernel, "kernel") for kernel in dict.fromkeys(more))):
        compiled(function, kind)
        count += 1
    print(f"{count} functions ready, {len(fresh)} compiled now, {time.perf_counter() - begin:.1f} s", file=sys.stderr)
