"""From the motion of a flexible body to what happens inside it: stress, gauges, section forces, energies, pictures."""

from flexor.recover.beam_line import LineForces, line_forces
from flexor.recover.beams import SectionForces, section_forces
from flexor.recover.energy import Energies, energies
from flexor.recover.export import export_vtu
from flexor.recover.from_signals import history_of
from flexor.recover.gauge import GaugeReading, StrainGauge, rosette_strain
from flexor.recover.history import BodyHistory, Series
from flexor.recover.lost_stress import StressIncomplete, lost_stress
from flexor.recover.measures import MEASURES, measure_of
from flexor.recover.mesh_history import MeshHistory, mesh_history_of
from flexor.recover.of_body import history_of_body
from flexor.recover.stress import Envelope, Peak, StressHistory

__all__ = [
    "MEASURES",
    "BodyHistory",
    "Energies",
    "Envelope",
    "GaugeReading",
    "LineForces",
    "MeshHistory",
    "Peak",
    "SectionForces",
    "Series",
    "StrainGauge",
    "StressHistory",
    "StressIncomplete",
    "energies",
    "export_vtu",
    "history_of",
    "history_of_body",
    "line_forces",
    "lost_stress",
    "measure_of",
    "mesh_history_of",
    "rosette_strain",
    "section_forces",
]
