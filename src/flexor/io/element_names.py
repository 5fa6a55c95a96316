"""Which element of Flexor a file means by its own name. The element classes know their names and node orders."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from flexor.elements import ELEMENTS, by_name
from flexor.elements.element import Element

_ABAQUS_VARIANT = re.compile(r"(C3D\d+|S\d|B\d\d)[IRHMST]*\d?$")
"""Reduced integration, hybrid, modified, … share nodes and order with the plain element."""


@cache
def of_abaqus(name: str) -> type[Element] | None:
    """The element of TYPE=name."""
    name = name.upper()
    exact = {each: kind for kind in ELEMENTS for each in kind.abaqus}
    exact["SPRING2"] = by_name["spring"]  # or a rotational one, which its section tells
    variant = _ABAQUS_VARIANT.match(name)
    return exact.get(name) or (exact.get(variant[1]) if variant else None)


@cache
def of_nastran(name: str, n_nodes: int) -> type[Element] | None:
    """The element of a card with so many nodes."""
    return next((kind for kind in ELEMENTS if name in kind.nastran and kind.n_nodes == n_nodes), None)


@cache
def of_gmsh(number: int) -> type[Element] | None:
    """The element of a Gmsh type number."""
    return next((kind for kind in ELEMENTS if kind.gmsh == number), None)


def in_our_order(nodes: np.ndarray, order: tuple[int, ...] | None) -> np.ndarray:
    """(m, k) nodes of a file in Flexor's order: ours[i] = theirs[order[i]]."""
    return nodes if order is None else nodes[:, list(order)]


def in_their_order(nodes: np.ndarray, order: tuple[int, ...] | None) -> np.ndarray:
    """(m, k) nodes of Flexor in the order of a file."""
    return nodes if order is None else nodes[:, np.argsort(order)]
