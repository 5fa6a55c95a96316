"""Which element of Flexor a file means by its own name. The element classes know their names and node orders."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from flexor.elements import ELEMENTS, by_name
from flexor.elements.element import Element

_ABAQUS_VARIANT = re.compile(r"(C3D\d+|S\d|B\d\d)([IRHMST]*)\d?$")
"""Reduced integration, hybrid, modified, … share nodes and order with the plain element."""
_SAME = ("C3D8I", "S3R")
_DIFFERENT = {
    "C3D8": "taken with incompatible modes (as C3D8I), which bends freely where the plain brick is too stiff: a bar of one "
    "layer 3.5 times as far",
    "C3D8R": "taken with full integration and incompatible modes (as C3D8I); with one integration point a bar of one layer "
    "bends 6 times as far, of four layers 6 % farther",
    "C3D20R": "taken with full integration (as C3D20), which is stiffer: displacements differ by up to 22 % at point "
    "loads, less elsewhere",
    "B33": "taken with shear deformation, which a B33 does not have",
    "STRI3": "taken with transverse shear (as S3), which a STRI3 does not have",
}
_SUFFIXES = {
    "R": "taken with full integration, which is stiffer in coarse meshes",
    "H": "taken without the pressure of hybrid elements; nearly incompressible materials become too stiff",
    "M": "taken as the ordinary quadratic element",
    "T": "taken without its temperatures",
}


@cache
def of_abaqus(name: str) -> type[Element] | None:
    """The element of TYPE=name."""
    name = name.upper()
    exact = {each: kind for kind in ELEMENTS for each in kind.abaqus}
    exact["SPRING2"] = by_name["spring"]  # or a rotational one, which its section tells
    variant = _ABAQUS_VARIANT.match(name)
    return exact.get(name) or (exact.get(variant[1]) if variant else None)


@cache
def difference_of_abaqus(name: str) -> str:
    """How the element that is taken for TYPE=name differs from it; empty if it does not."""
    name = name.upper()
    variant = _ABAQUS_VARIANT.match(name)
    if name in _DIFFERENT or name in _SAME or not variant:
        return _DIFFERENT.get(name, "")
    return "; ".join(_SUFFIXES.get(letter, f"taken as {variant[1]}") for letter in dict.fromkeys(variant[2]))


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
