"""Sealed HDF5 files that are written in one go: arrays and texts with a format and a version, and no code.

A copy that lost or changed a byte is refused before HDF5 sees it (`flexor.io.seal`). One of an earlier file is replaced once the new one is
complete; what is no file of that format is never replaced.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import h5py

from flexor.errors import FileError, FlexorError, Problem
from flexor.files import as_path, kind_of
from flexor.io import seal
from flexor.io.replaceable import check_replaceable
from flexor.io.steady_hdf5 import steady

T = TypeVar("T")


@dataclass(frozen=True)
class SealedFormat:
    """noun: what messages call such a file.   name, version: attributes `format` and `version` in it.   again: how to get a new one."""

    noun: str
    name: str
    version: int
    again: str

    def write(self, file: str | Path, fill: Callable[[h5py.File], None]) -> Path:
        """Write a file; FileError where that cannot be, or where something else stands there."""
        path = as_path(file, self.noun)
        check_replaceable(path, self.name, f"{self.noun} {file}")
        part = path.with_name(f"{path.name}.{uuid.uuid4().hex[:12]}.part")
        try:
            if path.exists() and not path.is_file():
                raise OSError("it is a folder or a device")
            try:
                with h5py.File(part, "w", libver="latest", userblock_size=seal.SIZE) as h5:
                    h5.attrs.update({"format": self.name, "version": self.version})
                    fill(h5)
                with part.open("r+b", buffering=0) as sealed:
                    seal.finish(sealed)
                os.replace(part, path)
            finally:
                part.unlink(missing_ok=True)
        except (OSError, ValueError, RuntimeError) as error:  # ValueError: a path or name that HDF5 cannot hold
            raise self.trouble(file, "it cannot be written", error, "check name, folder and disk space") from None
        return path

    def read(self, file: str | Path, look: Callable[[h5py.File], T]) -> T:
        """What `look` finds in a file; FileError if it is not of this format, or not whole."""
        path = as_path(file, self.noun)
        if not path.is_file():
            kind = kind_of(path.stat().st_mode) if path.exists() else ""
            what = f"this is {kind}, not a file" if kind else "there is no such file"
            raise self.trouble(file, what, "", "check the path")
        copied = f"copy the file again, or {self.again}"
        found = seal.check(path, self.noun, copied)
        if found is None or found.state != seal.FINISHED:
            why = "it is something else, or was written by an earlier Flexor"
            raise self.trouble(file, "it has no seal", why, self.again)
        try:
            with h5py.File(path, "r") as h5:
                if h5.attrs.get("format") != self.name:
                    raise self.trouble(file, "the file holds something else", "", self.again)
                if h5.attrs["version"] != self.version:
                    what = f"it was written in format {h5.attrs['version']}, this Flexor reads {self.version}"
                    raise self.trouble(file, what, "", self.again)
                return look(h5)
        except FlexorError:
            raise
        except (
            Exception
        ) as error:  # a check-sum that fits by chance or design; HDF5, JSON and NumPy have many ways to fail
            raise self.trouble(file, "it is damaged", error, copied) from None

    def trouble(self, file: str | Path, what: str, why: object, fix: str) -> FileError:
        """What is wrong with a file."""
        return FileError(Problem(f"{self.noun} {file}", what, str(why).split("\n")[0], fix))

    def is_at(self, path: Path) -> bool:
        """Whether a file is of this format, as far as can be seen."""
        try:
            with steady(path) as h5:
                return bool(h5.attrs.get("format") == self.name)
        except Exception:  # not HDF5, or damaged: whoever opens it says so
            return False
