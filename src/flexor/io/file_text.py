"""Text files as readers see them: whole, with line numbers, and with one kind of error for everything wrong in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.files import read_bytes

DEEPEST_INCLUDE = 20


@dataclass(frozen=True)
class Lines:
    """Lines of one file and their numbers in it (from 1)."""

    path: Path
    text: Sequence[str]
    numbers: Sequence[int]
    ended: bool = True
    """Whether the last line of the file has a line end; if not, the file may have been cut off."""

    def __len__(self) -> int:
        return len(self.text)

    def kept(self, keep: Sequence[int]) -> Lines:
        """The lines at these positions."""
        return Lines(self.path, [self.text[i] for i in keep], [self.numbers[i] for i in keep], self.ended)


def read_lines(path: Path) -> Lines:
    """A text file, split at its line ends (any convention)."""
    data = read_bytes(path)
    if not data.strip():
        raise FileError(Problem(str(path), "file is empty", fix="export it again"))
    if b"\0" in data:
        raise FileError(Problem(str(path), "file is not text", "it holds zero bytes", "export it as text"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    ended = not lines[-1].strip()
    if not lines[-1]:
        lines.pop()
    return Lines(path, lines, range(1, len(lines) + 1), ended)


def must_end(lines: Lines) -> None:
    """Refuse a file whose last line has no end, where numbers may have been cut in two."""
    if not lines.ended:
        what, fix = "the last line has no end", "the file may be cut off: export it again, or add a line end"
        raise wrong(lines.path, lines.numbers[-1] if len(lines) else None, what, fix=fix)


def wrong(path: Path, line: int | None, what: str, why: str = "", fix: str = "", where: str = "") -> FileError:
    """The error of a line: file:line, what, why and what to do."""
    return FileError(Problem(where, what, why, fix, f"{path}:{line}" if line else str(path)))


def include(name: str, origin: Path, line: int, open_files: Sequence[Path]) -> Path:
    """The file that an include statement names, looked up beside the including file, then beside the first one."""
    plain = name.strip().strip("'\"").replace("\\", "/")
    if not plain:
        raise wrong(origin, line, "include names no file", fix="write its name")
    found = next((p for p in (origin.parent / plain, open_files[0].parent / plain) if p.is_file()), None)
    if found is None:
        raise wrong(origin, line, f"included file {plain!r} does not exist", fix="put it beside the including file")
    if any(found.samefile(each) for each in open_files):
        raise wrong(origin, line, f"{plain!r} includes itself", fix="remove one of the includes")
    if len(open_files) > DEEPEST_INCLUDE:
        raise wrong(origin, line, f"includes are nested more than {DEEPEST_INCLUDE} deep")
    return found
