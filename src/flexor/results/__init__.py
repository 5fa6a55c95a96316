"""Results: one HDF5 file per run, signals by name, plots, export. What a model may be asked is in `analyses`, with the solvers."""

from flexor.results.run import Run, UnknownSignal
from flexor.results.signal import Signal
from flexor.results.writer import RunWriter

__all__ = ["Run", "RunWriter", "Signal", "UnknownSignal"]
