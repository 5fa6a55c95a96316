"""Numbers of a Gmsh section one after the other, from text or from bytes."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexor.io.file_text import wrong

FIX = "the file may be cut off: save it again"


class TextNumbers:
    """Whitespace-separated numbers of the section that starts at a line."""

    def __init__(self, text: str, path: Path, line: int, section: str) -> None:
        self.path, self.line, self.section = path, line, section
        try:
            self._values = np.fromstring(text, sep=" ")
        except ValueError:
            raise self._garbled(text) from None
        self._at = 0

    def _garbled(self, text: str) -> Exception:
        for i, row in enumerate(text.split("\n")):
            for word in row.split():
                try:
                    float(word)
                except ValueError:
                    what = f"${self.section}: {word[:20]!r} is not a number"
                    return wrong(self.path, self.line + i, what, fix="correct the line or save the file again")
        return wrong(self.path, self.line, f"${self.section} cannot be read", fix=FIX)

    def reals(self, count: int) -> np.ndarray:
        """The next `count` numbers."""
        if count < 0 or self._at + count > len(self._values):
            raise wrong(self.path, self.line, f"${self.section} ends too early", fix=FIX)
        found = self._values[self._at : self._at + count]
        self._at += count
        return found

    def integers(self, count: int) -> np.ndarray:
        """The next `count` numbers, which must be whole."""
        found = self.reals(count)
        if not (np.abs(found) < 2**53).all() or (found != np.floor(found)).any():
            bad = found[~((np.abs(found) < 2**53) & (found == np.floor(found)))][0]
            raise wrong(
                self.path, self.line, f"${self.section}: {bad:g} stands where a number of a node or element should"
            )
        return found.astype(np.int64)

    sizes = integers

    def records(self, count: int, width: int) -> np.ndarray:
        """`count` rows of whole numbers."""
        return self.integers(count * width).reshape(count, width)

    @property
    def left(self) -> int:
        return len(self._values) - self._at

    def peek(self, count: int) -> np.ndarray:
        return self._values[self._at : self._at + count]

    def end(self) -> None:
        if self.left:
            what = f"${self.section} holds more numbers than it says"
            raise wrong(self.path, self.line, what, fix="correct its counts or save the file again")


class ByteNumbers:
    """Numbers of a binary section: 4-byte integers, 8-byte sizes and reals, in the byte order of the file."""

    def __init__(self, data: bytes, at: int, order: str, path: Path, section: str) -> None:
        self._data, self.at, self._order = data, at, order
        self.path, self.section = path, section

    def _take(self, kind: str, count: int) -> np.ndarray:
        width = int(kind[1])
        if count < 0 or self.at + count * width > len(self._data):
            raise wrong(self.path, None, f"${self.section} ends too early", fix=FIX)
        found = np.frombuffer(self._data, dtype=self._order + kind, count=count, offset=self.at)
        self.at += count * width
        return found

    def reals(self, count: int) -> np.ndarray:
        return self._take("f8", count).astype(float)

    def integers(self, count: int) -> np.ndarray:
        return self._take("i4", count).astype(np.int64)

    def sizes(self, count: int) -> np.ndarray:
        return self._take("i8", count).astype(np.int64)

    def records(self, count: int, width: int) -> np.ndarray:
        if count < 0 or count > len(self._data):
            raise wrong(self.path, None, f"${self.section} ends too early", fix=FIX)
        return self.sizes(count * width).reshape(count, width)

    def end(self) -> None:
        """Nothing is known about what may follow; the end mark is checked by the caller."""


Numbers = TextNumbers | ByteNumbers
