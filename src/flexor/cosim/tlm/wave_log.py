"""Every wave of a co-simulation on disk: the messages as they came, readable at any moment, also after a manager was killed.

0   8 bytes   "FLEXWAVE"
8   u32       version, 1
12  u32       length of the header [bytes]
16            header: JSON, the meta-model and the interfaces with their numbers
…             DATA messages of `flexor.cosim.tlm.wire`; what is cut off at the end is left out
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from flexor.cosim.meta_model import Connection, MetaModel
from flexor.cosim.meta_model.file import from_text
from flexor.cosim.tlm.passivity import WIDTH, LineBalance, passivity
from flexor.cosim.tlm.wire import HEADER, MAGIC, Kind
from flexor.errors import FileError, Problem
from flexor.files import as_path, read_bytes
from flexor.io.replaceable import check_replaceable, unwritable

SIGN, VERSION = b"FLEXWAVE", 1
_HEAD = struct.Struct("<8sII")
ENDING = ".waves"


def begin_log(path: Path, model: MetaModel, interfaces: dict[int, tuple[str, int]]) -> BinaryIO:
    """Begin a log: the meta-model, and name and dimensions of the interfaces by their numbers. An older one is replaced, another file never."""
    listed = [{"number": n, "name": name, "dimensions": d} for n, (name, d) in interfaces.items()]
    text = json.dumps({"model": model.model_dump(mode="json"), "interfaces": listed}).encode()
    try:
        check_replaceable(path, "wave log", f"wave log {path}")
        file = path.open("wb")
        file.write(_HEAD.pack(SIGN, VERSION, len(text)) + text)
        file.flush()
    except OSError as error:
        raise unwritable(path, "wave log", error) from None
    return file


@dataclass(frozen=True)
class RecordedWaves:
    """What one end of a connection told, a row for each step."""

    name: str
    dimensions: int
    rows: np.ndarray

    @property
    def time(self) -> np.ndarray:
        """[s]"""
        return self.rows[:, 0]

    @property
    def position(self) -> np.ndarray:
        """[m]; (n, 3), of a 1-D interface (n, 1)."""
        return self.rows[:, 1:4] if self.dimensions == 3 else self.rows[:, 1:2]

    @property
    def rotation(self) -> np.ndarray:
        """Interface axes → global, (n, 3, 3)."""
        return self.rows[:, 4:13].reshape(-1, 3, 3)

    @property
    def velocity(self) -> np.ndarray:
        """[m/s] and [rad/s], (n, 6), or (n, 1)."""
        return self.rows[:, 13:19] if self.dimensions == 3 else self.rows[:, 2:3]

    @property
    def wave(self) -> np.ndarray:
        """That leaves [N], then [N m] in axes of the interface; (n, 6) or (n, 1)."""
        return self.rows[:, 19:25] if self.dimensions == 3 else self.rows[:, 3:4]

    def force(self, connection: Connection) -> np.ndarray:
        """Of the line on the component [N], [N m], global axes: f = Z v − u."""
        u = self.wave
        if self.dimensions == 3:
            u = np.hstack([u[:, :3], np.einsum("nij,nj->ni", self.rotation, u[:, 3:])])
        return np.array(connection.line.impedances(self.dimensions)) * self.velocity - u


class WaveLog:
    """A log that has been read: the meta-model and the record of each interface, by "component.interface"."""

    def __init__(self, model: MetaModel, ends: dict[str, RecordedWaves]) -> None:
        self.model, self.ends = model, ends

    @classmethod
    def load(cls, path: str | Path) -> WaveLog:
        """Read a log, finished or not."""
        path = as_path(path, "wave log")
        data = read_bytes(path)
        try:
            sign, version, length = _HEAD.unpack_from(data)
            if sign != SIGN or version != VERSION:
                raise ValueError("it does not begin as one")
            header: dict[str, Any] = json.loads(data[16 : 16 + length])
            model = from_text(json.dumps(header["model"]), "json", str(path))
            known = {each["number"]: (each["name"], each["dimensions"]) for each in header["interfaces"]}
        except (struct.error, ValueError, KeyError, TypeError) as error:
            raise FileError(
                Problem(str(path), "is no wave log", str(error), "give a .waves file of flexor cosim")
            ) from None
        parts: dict[int, list[bytes]] = {number: [] for number in known}
        at = 16 + length
        while len(data) - at >= HEADER.size:
            magic, _, kind, number, size, _ = HEADER.unpack_from(data, at)
            if magic != MAGIC or kind != Kind.DATA or number not in known or at + 16 + size > len(data):
                break  # cut off while it was written
            parts[number].append(data[at + 16 : at + 16 + size])
            at += 16 + size
        ends = {}
        for number, (name, dimensions) in known.items():
            rows = np.frombuffer(b"".join(parts[number])).reshape(-1, WIDTH[dimensions])
            ends[name] = RecordedWaves(name, dimensions, rows)
        return cls(model, ends)

    def __getitem__(self, name: str) -> RecordedWaves:
        return self.ends[name]

    def balances(self, connection: Connection) -> tuple[LineBalance, LineBalance]:
        """Energy through a connection, from a to b and back."""
        a, b = self.ends[connection.a], self.ends[connection.b]
        return passivity(connection.line, a.rows, b.rows, a.dimensions)

    def gap(self, connection: Connection) -> float:
        """Largest distance between the two ends of a connection, beyond that at the start [m]."""
        a, b = self.ends[connection.a], self.ends[connection.b]
        if not len(a.rows) or not len(b.rows):
            return 0.0
        other = np.column_stack([np.interp(a.time, b.time, column) for column in b.position.T])
        apart = a.position - other
        within = a.time <= b.time[-1]
        return float(np.linalg.norm(apart - apart[0], axis=1)[within].max(initial=0.0))
