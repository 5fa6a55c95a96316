"""The sections $Name … $EndName of a Gmsh file, text or binary."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from flexor.files import read_bytes
from flexor.io.file_text import wrong
from flexor.io.gmsh.numbers import FIX, ByteNumbers, Numbers, TextNumbers

_MARK = re.compile(rb"^\$(\w+)[ \t]*\r?$", re.MULTILINE)


@dataclass
class MshFile:
    """A Gmsh file, its version and the places of its sections."""

    path: Path
    data: bytes
    version: str
    binary: bool
    order: str
    """Byte order of binary numbers."""
    starts: dict[str, int]
    """Offset behind the line of each section's mark."""

    def line_of(self, at: int) -> int:
        return self.data.count(b"\n", 0, at) + 1

    def text(self, section: str) -> str:
        """A section as text; it must be closed."""
        at = self.starts[section]
        end = re.compile(rb"^\$End" + section.encode() + rb"\b", re.MULTILINE).search(self.data, at)
        if not end:
            what = f"${section} is not closed"
            raise wrong(self.path, self.line_of(at), what, f"$End{section} is missing", FIX)
        return self.data[at : end.start()].decode("utf-8", errors="replace").replace("\r", "")

    def read(self, section: str, reader: Callable[[Numbers], None]) -> None:
        """Read the numbers of a section to its end, and see that it ends there."""
        at = self.starts[section]
        if not self.binary:
            numbers = TextNumbers(self.text(section), self.path, self.line_of(at), section)
            reader(numbers)
            numbers.end()
            return
        stream = ByteNumbers(self.data, at, self.order, self.path, section)
        reader(stream)
        if not self.data[stream.at : stream.at + 40].lstrip().startswith(b"$End" + section.encode()):
            raise wrong(self.path, None, f"${section} does not end where its counts say", fix=FIX)


def open_msh(path: Path) -> MshFile:
    """The file's format and sections; refused if it is no .msh 2.2 or 4.1."""
    data = read_bytes(path)
    format_at = re.match(
        rb"\s*(?:\$Comments.*?\$EndComments\s*)?\$MeshFormat\s+(\S+)[ \t]+(\d)[ \t]+(\d+)\s*?\n", data, re.S
    )
    if not format_at:
        if re.match(rb"\s*\$NOD\b", data):
            raise wrong(path, 1, "this is a .msh of version 1", fix="save it as version 2.2 or 4.1")
        why = "a .msh begins with $MeshFormat"
        raise wrong(path, 1, "this is no complete Gmsh mesh", why, FIX)
    version, binary = format_at[1].decode("latin-1"), format_at[2] == b"1"
    if version not in ("2", "2.0", "2.1", "2.2", "4.1"):
        why, fix = "2.2 and 4.1 are read", "in Gmsh: Mesh.MshFileVersion = 4.1, or -format msh41"
        raise wrong(path, 2, f"version {version[:10]} of the .msh format is not read", why, fix)
    order = "<"
    if binary:
        one = data[format_at.end() : format_at.end() + 4]
        if one not in (b"\1\0\0\0", b"\0\0\0\1"):
            raise wrong(path, 3, "the number 1 behind $MeshFormat is missing", "it shows the order of bytes", FIX)
        order = "<" if one == b"\1\0\0\0" else ">"
    starts: dict[str, int] = {}
    for mark in _MARK.finditer(data, format_at.end()):
        name = mark[1].decode("latin-1")
        if not name.startswith("End"):
            starts.setdefault(name, min(mark.end() + 1, len(data)))
    return MshFile(path, data, version, binary, order, starts)
