"""One HDF5 file per run: what is in it and how it is opened.

    /                      attributes: format, format_version
    /model                 the model as YAML text
    /settings  /meta       JSON text: what the user asked for; what the solver tells about itself
    /versions              attributes: flexor, numpy, numba, python, …
    /columns/name  /unit   one entry per column of `signals`; the first is the time in s
    /signals               time × columns, chunked, grows along time
    /history               steps × 5: time, step size, iterations, refactorisations, cut-backs
    /checkpoint/slot_0, slot_1, current       state to continue from, see below
    /status  /message      running, finished, interrupted or failed; and why
    /seconds               wall time spent so far, from the first row on

Crash safety. The file is created in memory, written under a temporary name and moved to its own name when
complete; an older file of that name stays untouched until then. Rows are then appended in HDF5's
single-writer-multiple-reader mode, where the file on disk can be read at any moment: while the run goes on,
and after the process was killed. A checkpoint goes to the slot not in use (an .npz archive) and counts once
`current` names it, so a kill while it is written leaves the one before.
"""

from __future__ import annotations

import io
import json
import platform
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from flexor.errors import FileError, Problem

FORMAT, FORMAT_VERSION = "flexor run", 1
HISTORY = ("time", "step_size", "iterations", "refactorisations", "cut_backs")
RUNNING = "running"
CHUNK = (256, 32)
"""Rows and columns of a chunk (64 KiB): one signal is read without reading all others."""
SLOT_CHUNK = 1 << 16
_STATUS_BYTES, _MESSAGE_BYTES = 16, 8192


def lay_out(
    file: h5py.File,
    columns: Sequence[tuple[str, str]],
    model: str,
    settings: Mapping[str, Any],
    meta: Mapping[str, Any],
    compress: bool = False,
) -> None:
    """Create everything in an empty file; no object can be added to it later on."""
    file.attrs["format"], file.attrs["format_version"] = FORMAT, FORMAT_VERSION
    for name, text in {"model": model, "settings": to_json(settings), "meta": to_json(meta)}.items():
        file.create_dataset(name, data=text, dtype=h5py.string_dtype())
    file.create_group("versions").attrs.update(versions())
    for i, name in enumerate(("name", "unit")):
        texts = [column[i] for column in columns]
        file.create_dataset(f"columns/{name}", data=texts, dtype=h5py.string_dtype())
    filters = {"compression": "gzip", "compression_opts": 1, "shuffle": True} if compress else {}
    for name, width in (("signals", len(columns)), ("history", len(HISTORY))):
        chunk = (CHUNK[0], min(width, CHUNK[1]))
        shape = {"shape": (0, width), "maxshape": (None, width), "chunks": chunk}
        file.create_dataset(name, **shape, dtype="f8", fillvalue=np.nan, **filters)
    for slot in ("slot_0", "slot_1"):
        file.create_dataset(f"checkpoint/{slot}", (0,), "u1", maxshape=(None,), chunks=(SLOT_CHUNK,))
    file.create_dataset("checkpoint/current", data=np.array([-1, 0, 0, 0, 0]))
    file.create_dataset("seconds", data=0.0)
    file.create_dataset("status", data=np.bytes_(RUNNING), dtype=f"S{_STATUS_BYTES}")
    file.create_dataset("message", data=np.bytes_(""), dtype=f"S{_MESSAGE_BYTES}")


def versions() -> dict[str, str]:
    """Versions of what a result depends on."""
    found = {"python": platform.python_version()}
    for package in ("flexor", "numpy", "scipy", "numba", "h5py"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def set_status(file: h5py.File, status: str, message: str) -> None:
    """Overwrite status and message; a long message is cut."""
    text = message.encode()
    if len(text) > _MESSAGE_BYTES:
        text = text[: _MESSAGE_BYTES - 3].decode(errors="ignore").encode() + "…".encode()
    file["status"][()] = np.bytes_(status.encode())
    file["message"][()] = np.bytes_(text)


def write_checkpoint(file: h5py.File, archive: bytes, rows: int, steps: int) -> None:
    """Put a state to the slot not in use, then make that one current.

    rows, steps: lengths of `signals` and `history` when the state was taken; what follows them is later.
    """
    slot = 1 - max(int(file["checkpoint/current"][0]), 0)
    data = file[f"checkpoint/slot_{slot}"]
    if data.shape[0] < len(archive):
        data.resize(len(archive), axis=0)
    data[: len(archive)] = np.frombuffer(archive, dtype=np.uint8)
    file.flush()
    file["checkpoint/current"][:] = (slot, len(archive), zlib.crc32(archive), rows, steps)
    file.flush()


def read_checkpoint(file: h5py.File) -> tuple[dict[str, Any], int, int] | None:
    """The last state with its numbers of rows and steps; None if there is none."""
    slot, length, checksum, rows, steps = (int(number) for number in file["checkpoint/current"][:])
    if slot < 0:
        return None
    archive = file[f"checkpoint/slot_{slot}"][:length].tobytes()
    if zlib.crc32(archive) != checksum:
        what, why = "the checkpoint is damaged", "its check-sum is wrong"
        raise FileError(Problem(str(file.filename), what, why, "run the model again from the start"))
    return unpack(archive), rows, steps


def pack(arrays: Mapping[str, np.ndarray]) -> bytes:
    """A state as the bytes of an .npz archive."""
    for name, array in arrays.items():
        if array.dtype.kind not in "biufcU":
            raise TypeError(f"checkpoint value '{name}' is neither numbers nor text and cannot be stored")
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack(archive: bytes) -> dict[str, Any]:
    """The state from the bytes of an archive; single values come back as Python numbers."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as stored:
        return {name: array if array.ndim else array.item() for name, array in stored.items()}


def to_json(values: Mapping[str, Any]) -> str:
    """JSON text of settings; NumPy values become lists and numbers, declarations their fields."""

    def plain(value: Any) -> Any:
        if hasattr(value, "model_dump"):
            return value.model_dump(mode="json")
        return value.tolist() if hasattr(value, "tolist") else str(value)

    return json.dumps(values, default=plain)


@contextmanager
def reading(path: Path) -> Iterator[h5py.File]:
    """A run file opened for reading, whether finished, still growing, or left by a killed process."""
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist"
        raise FileError(Problem(str(path), what, fix="check the path; runs write <model name>.flexor.h5"))
    try:
        file = _open(path)
    except OSError as error:
        why, fix = str(error).split("\n")[0], "give a results file of flexor run, usually *.flexor.h5"
        raise FileError(Problem(str(path), "cannot be read as HDF5", why, fix)) from None
    with file:
        if file.attrs.get("format") != FORMAT:
            what, why = "is an HDF5 file but no run", f"its attribute 'format' is not '{FORMAT}'"
            raise FileError(Problem(str(path), what, why, "give a results file of flexor run"))
        if file.attrs["format_version"] > FORMAT_VERSION:
            what = f"has format version {file.attrs['format_version']}"
            why = f"this Flexor reads versions up to {FORMAT_VERSION}"
            raise FileError(Problem(str(path), what, why, "update Flexor"))
        yield file


def _open(path: Path) -> h5py.File:
    try:
        return h5py.File(path, "r", locking=False)
    except OSError:  # marked as open for writing, which in this mode does not hinder reading
        return h5py.File(path, "r", libver="latest", swmr=True, locking=False)
