"""Files that are shown: whether they are still those that were read, and names that tell them apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class FileState(NamedTuple):
    """inode: other where a file was put in the place of another one.   time [ns], size [bytes]: other where it was written to."""

    inode: int
    time: int
    size: int

    def is_other(self, before: FileState, growing: bool) -> bool:
        """Whether this is no longer the file of a mark before. growing: whether it was one that is written to."""
        return self.inode != before.inode if growing else self != before


def mark_of(path: Path) -> FileState | None:
    """None where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return FileState(found.st_ino, found.st_mtime_ns, found.st_size)


def names_of(paths: Sequence[Path]) -> list[str]:
    """Names of files; with their folders where names are equal, as many as it takes."""
    whole = [path.absolute() for path in paths]
    found = [path.name for path in whole]
    for depth in range(2, max((len(path.parts) for path in whole), default=0) + 1):
        equal = {name for name, count in Counter(found).items() if count > 1}
        if not equal:
            break
        found = [
            str(Path(*path.parts[-depth:])) if name in equal else name for path, name in zip(whole, found, strict=True)
        ]
    return numbered(found)


def numbered(names: Sequence[str]) -> list[str]:
    """Equal names with a number behind: swing (1), swing (2)."""
    count, seen = Counter(names), Counter[str]()
    found = []
    for name in names:
        seen[name] += 1
        found.append(f"{name} ({seen[name]})" if count[name] > 1 else name)
    return found
