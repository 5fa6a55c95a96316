"""Results: one HDF5 file per run, signals by name, plots, export."""

from flexor.results.run import Run, UnknownSignal, campbell, dynamics, kinematics, modes, statics
from flexor.results.signal import Signal
from flexor.results.writer import RunWriter

__all__ = ["Run", "RunWriter", "Signal", "UnknownSignal", "campbell", "dynamics", "kinematics", "modes", "statics"]
