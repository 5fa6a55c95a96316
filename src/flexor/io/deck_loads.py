"""Loads of a deck while it is being read: forces at nodes, pressures on faces, weight and rotation, in SI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from flexor.elements.assembly.loads import Centrifugal, Gravity, Load, PointLoad, Pressure


@dataclass
class DeckLoads:
    """What acts together."""

    at_nodes: dict[int, np.ndarray] = field(default_factory=dict)
    """Position of a node → force and moment, global axes [N, N m]."""
    pressures: dict[tuple[str, float], list[np.ndarray]] = field(default_factory=dict)
    """(name of the card, pressure [Pa] against the normals) → faces (m, k) by positions of nodes."""
    of_bodies: list[Gravity | Centrifugal] = field(default_factory=list)
    """Gravity, Centrifugal."""

    def push(self, node: int, component: int, value: float) -> None:
        """Add a component 0…5 of force or moment at a node [N, N m]."""
        self.at_nodes.setdefault(node, np.zeros(6))[component] += value

    def press(self, name: str, pressure: float, faces: Sequence[np.ndarray]) -> None:
        """Add a pressure against the normals of faces [Pa]."""
        self.pressures.setdefault((name, pressure), []).extend(faces)

    def made(self, node_ids: np.ndarray) -> tuple[tuple[Load, ...], dict[str, tuple[np.ndarray, ...]]]:
        """As loads of a mesh, and the surfaces that they name; nodes with equal forces share one load, faces under equal
        pressure a surface."""
        alike: dict[tuple[float, ...], list[int]] = {}
        for node, wrench in self.at_nodes.items():
            alike.setdefault(tuple(wrench.tolist()), []).append(int(node_ids[node]))
        loads: list[Load] = []
        surfaces: dict[str, tuple[np.ndarray, ...]] = {}
        for values, ids in alike.items():
            if any(values):
                total = [len(ids) * value for value in values]
                loads.append(PointLoad(at=ids, force=total[:3], moment=total[3:]))
        for (name, pressure), faces in self.pressures.items():
            if pressure and faces:
                surface = f"{name} {len(surfaces) + 1}"
                surfaces[surface] = merged(faces)
                loads.append(Pressure(on=surface, pressure=pressure))
        return (*loads, *self.of_bodies), surfaces


def merged(faces: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
    """One array for each number of nodes."""
    sizes = sorted({each.shape[1] for each in faces})
    return tuple(np.concatenate([each for each in faces if each.shape[1] == size]) for size in sizes)
