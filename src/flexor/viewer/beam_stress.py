"""The stress of a beam in the rows of a scene: at each station σ at its line, and how it changes along y and z of the section."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from flexor.declaration import Item
from flexor.recover.beam_line import SIGNALS, held_nodes, line_forces
from flexor.recover.beam_stress import moduli_of, stress_of_sections
from flexor.viewer.beam_picture import Stations
from flexor.viewer.rows import NamedRows, Window

NOTE = "beams: axial force and bending, at the outline of the section; without the shear of torque and shear forces"
PARTS = 3
"""Numbers of a station: σ [Pa], ∂σ/∂y, ∂σ/∂z [Pa/m]."""


def stress_rows(
    stations: Stations, items: Iterable[Item], run: NamedRows | None
) -> tuple[Callable[[Window], np.ndarray] | None, str]:
    """What gives (n, 3 stations) at recorded rows; or None, and why there is no stress."""
    beam = stations.beam
    if run is None:
        return None, f"beam '{beam.name}' shows no stress: there are no section forces without a run or an equilibrium"
    moduli = moduli_of(beam)
    if moduli is None:
        why = "its section is told by a stiffness, not by a profile and a material"
        return None, f"beam '{beam.name}' shows no stress: {why}"
    needed = [f"{beam.name}.element {i + 1}.{each}" for i in range(beam.divisions) for each in SIGNALS]
    if any(name not in run.units for name in (*needed, f"{beam.node_name(0)}.position_x")):
        return None, f"beam '{beam.name}' shows no stress: its section forces were not recorded"
    held = held_nodes(beam, items)

    def rows(window: Window) -> np.ndarray:
        ends = stress_of_sections(beam, line_forces(beam, window, held), moduli)
        found = [np.mean([ends[:, e, side] for e, side in sides], axis=0) for sides in stations.sides]
        return np.concatenate(found, axis=1)

    return rows, NOTE
