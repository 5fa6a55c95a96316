"""The messages between components and manager, byte by byte; version 1. docs/theory/37-transmission-lines.md has the table.

A message is a header of 16 bytes and a body, all numbers little-endian:

    0   2 bytes   0x46 0x54, "FT"
    2   u8        version, 1
    3   u8        kind
    4   i32       component or interface it is about; −1 none
    8   u32       length of the body [bytes], at most 2²⁰
    12  u32       0
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterator, Sequence
from enum import IntEnum

from flexor.cosim.tlm.end import Sample
from flexor.errors import FlexorError

VERSION = 1
HEADER = struct.Struct("<2sBBiII")
MAGIC = b"FT"
LARGEST = 1 << 20
"""Bytes that a body has at most."""
ANSWERS = 32
"""Bytes of the answer to a challenge."""
SPACE, ALONG = struct.Struct("<25d"), struct.Struct("<4d")
"""A sample of a 3-D interface: t, x (3), R (9), v (3), ω (3), wave (6); of a 1-D one: t, x, v, wave."""
_NUMBER = struct.Struct("<i")
TIMES, LINE = struct.Struct("<3d"), struct.Struct("<4d")


class Kind(IntEnum):
    """What a message is."""

    CHALLENGE = 0  # manager: 16 random bytes
    REGISTER_COMPONENT = 1  # component: HMAC-SHA256 of the challenge (32), its step or 0 (f64), its name (UTF-8)
    COMPONENT = 2  # manager: its number; start, end, largest step (3 f64)
    REGISTER_INTERFACE = 3  # component: dimensions (u8: 1 or 3), name (UTF-8)
    INTERFACE = 4  # manager: its number, −1 if no connection leads there; delay, Zf, Zfr, alpha (4 f64)
    CHECK_MODEL = 5  # component: all of its interfaces are registered and their initial samples sent
    MODEL_CHECKED = 6  # manager: so are those of all others
    DATA = 7  # both: samples of an interface, one or more
    DONE = 8  # component: it has reached the end; manager: so have all
    ERROR = 9  # both: why the run ends (UTF-8)


class WireError(FlexorError):
    """Bytes that are no message of this protocol."""


def message(kind: Kind, number: int = -1, body: bytes = b"") -> bytes:
    """The bytes of a message."""
    return HEADER.pack(MAGIC, VERSION, kind, number, len(body), 0) + body


def is_one_of_data(data: bytes) -> bool:
    """Whether bytes are one whole DATA message and nothing else."""
    if len(data) < HEADER.size:
        return False
    magic, version, kind, _, length, zero = HEADER.unpack_from(data)
    return (
        kind == 7
        and length == len(data) - HEADER.size
        and magic == MAGIC
        and version == VERSION
        and length <= LARGEST
        and not zero
    )


def number_of(data: bytes) -> int:
    """The number in the header of a message."""
    return int(_NUMBER.unpack_from(data, 4)[0])


def with_number(data: bytes, number: int) -> bytearray:
    """The same message with another number."""
    changed = bytearray(data)
    _NUMBER.pack_into(changed, 4, number)
    return changed


def answer(secret: str, challenge: bytes) -> bytes:
    """What proves that one knows the secret, without telling it."""
    return hmac.new(secret.encode(), challenge, hashlib.sha256).digest()


class Stream:
    """Bytes as they come in, cut into messages."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    @property
    def holds(self) -> bool:
        """Whether part of a message is kept."""
        return bool(self._bytes)

    def feed(self, data: bytes | memoryview) -> None:
        """Bytes that have arrived."""
        self._bytes += data

    def messages(self) -> Iterator[tuple[Kind, int, bytes]]:
        """Whole messages: kind, number, body; WireError for what can be none."""
        held = self._bytes
        at, size = 0, len(held)
        try:
            while size - at >= 16:
                magic, version, kind, number, length, zero = HEADER.unpack_from(held, at)
                if magic != MAGIC:
                    raise WireError(f"a message begins with {bytes(held[at : at + 4])!r}; it is of another protocol")
                if version != VERSION:
                    raise WireError(f"a message has version {version}; this side speaks version {VERSION}")
                if kind > Kind.ERROR or length > LARGEST or zero:
                    raise WireError(f"a message of kind {kind} with {length} bytes; there is none such")
                if size - at - 16 < length:
                    break
                yield Kind(kind), number, bytes(held[at + 16 : at + 16 + length])
                at += 16 + length
        finally:
            del held[:at]


def packed(sample: Sample, dimensions: int) -> bytes:
    """The bytes of a sample."""
    m = sample.motion
    if dimensions == 1:
        return ALONG.pack(sample.time, m.x[0], m.v[0], sample.wave[0])
    return SPACE.pack(sample.time, *m.x, *m.R, *m.v, *m.omega, *sample.wave)


def samples(body: bytes, dimensions: int) -> Iterator[tuple[float, ...]]:
    """The samples in the body of a DATA message, as plain numbers."""
    layout = ALONG if dimensions == 1 else SPACE
    if not body or len(body) % layout.size:
        raise WireError(f"data of {len(body)} bytes are no whole samples of {layout.size}")
    return layout.iter_unpack(body)


def text(body: bytes, most: int = 4000) -> str:
    """Text of a message, whatever its bytes are; control characters are left out."""
    return "".join(c for c in body[:most].decode("utf-8", "replace") if c.isprintable() or c == "\n")


def interface_body(name: str, dimensions: int) -> bytes:
    """Body of REGISTER_INTERFACE."""
    return bytes([dimensions]) + name.encode()


def component_body(secret: str, challenge: bytes, name: str, step: float = 0.0) -> bytes:
    """Body of REGISTER_COMPONENT."""
    return answer(secret, challenge) + struct.pack("<d", step) + name.encode()


def numbers(body: bytes, layout: struct.Struct) -> Sequence[float]:
    """The numbers of a body of fixed layout; WireError if it has another length."""
    if len(body) != layout.size:
        raise WireError(f"a message has {len(body)} bytes instead of {layout.size}")
    return layout.unpack(body)
