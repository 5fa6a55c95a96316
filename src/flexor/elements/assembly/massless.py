"""Elements without mass: what has neither weight nor inertia because its material has no density."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping

import numpy as np

from flexor.elements.assembly.batches import batches
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh

REMEDY = (
    "give it one: *DENSITY in an Abaqus deck, RHO in MAT1, density=… in Python, --material steel on the command line"
)


class MasslessElements(UserWarning):
    """Some elements have no mass, so that weight and centrifugal load leave them out."""


def massless(
    mesh: Mesh, chosen: Collection[int] | None = None, options: Mapping[str, object] | None = None
) -> tuple[list[str], bool]:
    """(a line for each material without density and what is made of it, whether anything else has mass).

    chosen: numbers of the elements and concentrated masses that count; all if left out. Springs have no material.
    """
    told: list[str] = []
    heavy = any(np.any(mass.matrix) for mass in mesh.masses if chosen is None or mass.id in chosen)
    for block in mesh.blocks:
        count = len(block.ids) if chosen is None else int(np.isin(block.ids, list(chosen)).sum())
        if block.material is None or not count:
            continue
        first = next(batches(mesh, block, options))
        one = np.broadcast_to(np.ones(3), (*first.nodes.shape, 3))
        if np.any(first.kind.body_load(first.X, first.properties, one)):
            heavy = True
        else:
            told.append(f"material '{block.material}' of {count} {block.element} elements has no density")
    return list(dict.fromkeys(told)), heavy


def refuse_massless(
    mesh: Mesh, load: str, chosen: Collection[int] | None = None, options: Mapping[str, object] | None = None
) -> None:
    """ModelError if a load that acts on mass finds none; a warning if it finds none in some elements."""
    told, heavy = massless(mesh, chosen, options)
    if told and not heavy:
        raise ModelError([Problem(f"load {load}", what, "so that the load would be zero", REMEDY) for what in told])
    if told:
        warnings.warn(f"load {load}: {'; '.join(told)}: it leaves them out; {REMEDY}", MasslessElements, stacklevel=2)
