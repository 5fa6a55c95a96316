"""One HDF5 file per run: what is in it and how it is opened.

    (512 bytes)            the seal: state, length, check-sum, see flexor.io.seal
    /                      attributes: format, format_version
    /model                 the model as YAML text
    /settings  /meta       JSON text: what the user asked for; what the solver tells about itself
    /versions              attributes: flexor, numpy, numba, python, …
    /columns/name  /unit   one entry per column of `signals`; the first is the time in s
    /signals               time × columns, chunked, grows along time
    /history               steps × 6: time, step size, iterations, refactorisations, cut-backs, transitions
    /checkpoint/slot_0, slot_1, current       state to continue from, see below
    /status  /message      running, finished, interrupted or failed; and why
    /seconds               wall time spent so far, from the first row on

Crash safety. The file is created in memory, written under a temporary name and moved to its own name when
complete; an older file of that name stays untouched until then. Rows are then appended in HDF5's
single-writer-multiple-reader mode, where the file on disk can be read at any moment: while the run goes on,
and after the process was killed. A checkpoint goes to the slot not in use (an .npz archive) and counts once
`current` names it, so a kill while it is written leaves the one before.

Damage. A finished file is sealed: its length and check-sum are verified before HDF5 sees it. One that is not finished is
opened as it stands (flexor.io.steady_hdf5); its texts are of fixed length, since of those of variable length HDF5 keeps
no check-sum. Whatever goes wrong in reading is a FileError.
"""

from __future__ import annotations

import io
import json
import platform
import time
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

import h5py
import numpy as np

from flexor import __version__
from flexor.engine.memory import StepRow
from flexor.errors import FileError, FlexorError, Problem
from flexor.io.seal import FINISHED, Seal, check, seal_of
from flexor.io.steady_hdf5 import steady
from flexor.results.claim import is_written

FORMAT, FORMAT_VERSION = "flexor run", 2
HISTORY: tuple[str, ...] = tuple(field.name for field in StepRow.FIELDS)
RUNNING = "running"
CHUNK: tuple[int, int] = (256, 32)
"""Rows and columns of a chunk (64 KiB): one signal is read without reading all others."""
HISTORY_CHUNK = 1024
"""Steps of a chunk of the history; packed, 10⁶ of them take some 3 MB instead of 48."""
SLOT_CHUNK = 1 << 16
_STATUS_BYTES, _MESSAGE_BYTES = 16, 8192
PAUSES = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Seconds between looks at a file that is being written."""
_AGAIN = "copy the file again or run the model again"
_SHOW = f"{_AGAIN}; fx.Run(file, verify=False) or --no-verify shows what is left"

T = TypeVar("T")


def lay_out(
    file: h5py.File,
    columns: Sequence[tuple[str, str]],
    model: str,
    settings: Mapping[str, object],
    meta: Mapping[str, object],
    compress: bool = False,
) -> None:
    """Create everything in an empty file; no object can be added to it later on."""
    file.attrs["format"], file.attrs["format_version"] = np.bytes_(FORMAT.encode()), FORMAT_VERSION
    texts = [model, to_json(settings), to_json(meta)]
    for name, text in zip(("model", "settings", "meta"), texts, strict=True):
        _put_texts(file, name, text)
    file.attrs["texts"] = checksum_of_texts([*texts, *(text for column in columns for text in column)])
    found = file.create_group("versions")
    for name, text in versions().items():
        found.attrs[name] = np.bytes_(text.encode())
    for i, name in enumerate(("name", "unit")):
        _put_texts(file, f"columns/{name}", [column[i] for column in columns])
    packed = {"compression": "gzip", "compression_opts": 1, "shuffle": True}
    tables = (
        ("signals", len(columns), CHUNK[0], packed if compress else {}),
        ("history", len(HISTORY), HISTORY_CHUNK, packed),
    )
    for name, width, height, filters in tables:
        shape = {"shape": (0, width), "maxshape": (None, width), "chunks": (height, min(width, CHUNK[1]))}
        file.create_dataset(name, **shape, dtype="f8", fillvalue=np.nan, **filters)
    for slot in ("slot_0", "slot_1"):
        file.create_dataset(f"checkpoint/{slot}", (0,), "u1", maxshape=(None,), chunks=(SLOT_CHUNK,))
    file.create_dataset("checkpoint/current", data=np.array([-1, 0, 0, 0, 0]))
    file.create_dataset("seconds", data=0.0)
    file.create_dataset("status", data=np.bytes_(RUNNING), dtype=f"S{_STATUS_BYTES}")
    file.create_dataset("message", data=np.bytes_(""), dtype=f"S{_MESSAGE_BYTES}")


def whole_history(steps: np.ndarray) -> np.ndarray:
    """Rows of `history` with all columns; files of earlier versions lack the last ones, which were zero."""
    return np.pad(steps, ((0, 0), (0, len(HISTORY) - steps.shape[1])))


def _put_texts(file: h5py.File, name: str, texts: str | list[str]) -> None:
    """A text, or a list of them, in fields of fixed length."""
    encoded = [text.encode() for text in ([texts] if isinstance(texts, str) else texts)]
    kind = h5py.string_dtype("utf-8", max(1, *map(len, encoded), 1))
    file.create_dataset(name, data=np.array(encoded if isinstance(texts, list) else encoded[0], dtype=kind))


def checksum_of_texts(texts: Sequence[str]) -> int:
    """Of model, settings, meta, and name and unit of each column: HDF5 keeps none of data."""
    return zlib.crc32("\0".join(texts).encode())


def text_of(value: str | bytes) -> str:
    """A stored text."""
    return value if isinstance(value, str) else bytes(value).decode()


@cache
def versions() -> Mapping[str, str]:
    """Versions of what a result depends on."""
    found = {package: version(package) for package in ("numpy", "scipy", "numba", "h5py")}
    return {"python": platform.python_version(), "flexor": __version__, **found}


def introduction(file: h5py.File) -> tuple[list[str], list[str], dict[str, Any], dict[str, Any], dict[str, str], str]:
    """What a file says of itself: names and units of its columns, settings, meta, versions, the model's text."""
    names, units = ([text_of(text) for text in file[f"columns/{which}"][:]] for which in ("name", "unit"))
    model, settings, meta = (text_of(file[which][()]) for which in ("model", "settings", "meta"))
    versions = {name: text_of(text) for name, text in file["versions"].attrs.items()}
    columns = [text for column in zip(names, units, strict=True) for text in column]
    wrong = "texts" in file.attrs and checksum_of_texts([model, settings, meta, *columns]) != file.attrs["texts"]
    if wrong or file["signals"].shape[1] != len(names):
        raise ValueError("its texts are not what was written")
    return names, units, json.loads(settings), json.loads(meta), versions, model


def set_status(file: Any, status: str, message: str) -> None:
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
        raise ValueError("the checkpoint is damaged: its check-sum is wrong")
    return unpack(archive), rows, steps


def refuse_objects(arrays: Mapping[str, np.ndarray]) -> None:
    """TypeError for values of a state that no file can hold."""
    for name, array in arrays.items():
        if array.dtype.kind not in "biufcU":
            raise TypeError(f"checkpoint value '{name}' is neither numbers nor text and cannot be stored")


def pack(arrays: Mapping[str, np.ndarray]) -> bytes:
    """A state as the bytes of an .npz archive."""
    refuse_objects(arrays)
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def unpack(archive: bytes) -> dict[str, Any]:
    """The state from the bytes of an archive; single values come back as Python numbers."""
    with np.load(io.BytesIO(archive), allow_pickle=False) as stored:
        return {name: array if array.ndim else array.item() for name, array in stored.items()}


def to_json(values: Mapping[str, object]) -> str:
    """JSON text of settings; NumPy values become lists and numbers, declarations their fields."""

    def plain(value: object) -> object:
        if hasattr(value, "model_dump"):
            return value.model_dump(mode="json")
        return value.tolist() if hasattr(value, "tolist") else str(value)

    return json.dumps(values, default=plain)


def replaced(path: Path, before: Seal | None) -> bool:
    """Whether another run has taken the place of the one whose seal was seen before; damage is told elsewhere."""
    now = seal_of(path)
    return before is not None and now is not None and before.token != now.token


def read(path: Path, look: Callable[[h5py.File], T], verify: bool = True) -> T:
    """What `look` finds in a run file, whether finished, still growing, or left by a killed process.

    FileError for whatever is wrong with the file. verify: whether a finished file must be what was written.
    While a run writes the file, `look` is called again where it catches a block half-written.
    """
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "does not exist" if not path.exists() else "is no file"
        raise FileError(Problem(str(path), what, fix="check the path; runs write <model name>.flexor.h5"))
    found = check(path, "results file", _SHOW) if verify else None
    if verify and found is None:
        why = "it is no run, or one of an earlier Flexor, which had no check-sums"
        raise FileError(
            Problem(
                f"results file {path}",
                "has no seal",
                why,
                "fx.Run(file, verify=False) or --no-verify opens it unchecked",
            )
        )
    finished = found is not None and found.state == FINISHED
    for pause in PAUSES:
        try:
            with h5py.File(path, "r", locking=False) if finished else steady(path) as file:
                _recognise(path, file)
                return look(file)
        except FlexorError:
            raise
        except Exception as error:  # HDF5 and NumPy have many ways to say that a file is damaged
            trouble = error
        if finished or not is_written(path):
            break
        time.sleep(pause)
    why = str(trouble).split("\n")[0].strip("'\"") or type(trouble).__name__
    what = "cannot be read as HDF5" if isinstance(trouble, OSError) else "is damaged"
    raise FileError(Problem(f"results file {path}", what, why, _SHOW if verify else _AGAIN))


def _recognise(path: Path, file: h5py.File) -> None:
    given = file.attrs.get("format", "")
    if not isinstance(given, str | bytes) or text_of(given) != FORMAT:
        what, why = "is an HDF5 file but no run", f"its attribute 'format' is not '{FORMAT}'"
        fix = "give a results file of flexor run"
        if "frequency response" in text_of(given):
            why, fix = "it is a frequency response", f"flexor frequency {path.name}, or fx.FrequencyResponse.load"
        raise FileError(Problem(str(path), what, why, fix))
    if file.attrs["format_version"] > FORMAT_VERSION:
        what = f"has format version {file.attrs['format_version']}"
        why = f"this Flexor reads versions up to {FORMAT_VERSION}"
        raise FileError(Problem(str(path), what, why, "update Flexor"))
