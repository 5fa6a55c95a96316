"""A frequency response in one sealed HDF5 file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from flexor.io.sealed_hdf5 import SealedFormat

if TYPE_CHECKING:
    from flexor.solve.frequency.response import FrequencyResponse

STORE = SealedFormat("frequency response", "flexor frequency response", 1, "compute it again")
SUFFIX = ".frequency.h5"
ARRAYS = {
    "frequencies": "of the excitation [Hz]",
    "values": "complex response per unit of each input, (frequencies, outputs, inputs)",
    "amplitudes": "complex amplitudes with which the inputs were given",
}
WORDS = ("outputs", "inputs", "output_units", "input_units")


def save(response: FrequencyResponse, file: str | Path) -> Path:
    """Write a response to a file."""

    def fill(h5: h5py.File) -> None:
        h5.attrs["method"] = response.method
        for name, meaning in ARRAYS.items():
            h5.create_dataset(name, data=getattr(response, name)).attrs["meaning"] = meaning
        for name in WORDS:
            h5.create_dataset(name, data=list(getattr(response, name)), dtype=h5py.string_dtype("utf-8"))

    return STORE.write(file, fill)


def load(file: str | Path) -> FrequencyResponse:
    """The response in a file; FileError if it is not one, or not whole."""
    from flexor.solve.frequency.response import FrequencyResponse

    def look(h5: h5py.File) -> FrequencyResponse:
        kept: dict[str, Any] = {name: np.asarray(h5[name]) for name in ARRAYS}
        kept |= {name: tuple(h5[name].asstr()[:]) for name in WORDS}
        return FrequencyResponse(**kept, method=str(h5.attrs["method"]))

    return STORE.read(file, look)
