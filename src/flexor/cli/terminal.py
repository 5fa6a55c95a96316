"""Where the commands print to: terminals that know only ASCII, disks that are full."""

from __future__ import annotations

import codecs
import os
import sys
import unicodedata
from collections.abc import Callable
from typing import Any, TextIO, TypeVar

from flexor.errors import FileError, Problem

T = TypeVar("T")
_PLAIN = {
    "…": "...", "−": "-", "–": "-", "—": "-", "·": "-", "×": "x", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "≠": "!=",
    "≈": "~", "±": "+-", "√": "sqrt", "°": "deg", "‘": "'", "’": "'", "“": '"', "”": '"', "∞": "inf", "∕": "/", "✓": "ok",
}  # fmt: skip


def plain(text: str) -> str:
    """Text in ASCII: "m/s²" becomes "m/s2", "ω" "omega", "ä" "a"."""
    return "".join(letter if letter.isascii() else _plain(letter) for letter in text)


def _plain(letter: str) -> str:
    if letter in _PLAIN:
        return _PLAIN[letter]
    name = unicodedata.name(letter, "")
    if name.startswith("GREEK"):
        word = name.split(" WITH ")[0].split()[-1]
        return word.capitalize() if "CAPITAL" in name else word.lower()
    simple = "".join(part for part in unicodedata.normalize("NFKD", letter) if part.isascii())
    return simple or "?"


def watch_output() -> StandardOutput:
    """Print what a terminal cannot show in ASCII, and tell where standard output cannot be written."""
    codecs.register_error("flexor.plain", _replaced)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="flexor.plain")
    output = StandardOutput(sys.stdout)
    if sys.stdout is not None:
        sys.stdout = output  # type: ignore[assignment]
    return output


def _replaced(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return plain(error.object[error.start : error.end]), error.end


class StandardOutput:
    """Standard output; a failed write is a FileError, after which nothing more is written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lost: FileError | None = None

    def write(self, text: str) -> int:
        return int(self._tried(self._stream.write, text))

    def flush(self) -> None:
        self._tried(self._stream.flush)

    def finish(self) -> FileError | None:
        """Write what is left; the first failure, if there was one."""
        try:
            if self._stream is not None:
                self.flush()
        except (FileError, BrokenPipeError):
            pass
        return self._lost

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _tried(self, do: Callable[..., T], *what: str) -> T:
        try:
            return do(*what)
        except BrokenPipeError:  # whoever reads has seen enough
            raise
        except OSError as error:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())  # what is left in the buffer
            os.close(nowhere)
            why, fix = str(error.strerror), "free some space, or print elsewhere"
            self._lost = FileError(Problem("standard output", "cannot be written", why, fix))
            raise self._lost from None
