"""Whom the manager knows: programs that have connected, and the interfaces of the meta-model."""

from __future__ import annotations

import math
import socket
import struct
from dataclasses import dataclass, field

from flexor.cosim.meta_model import Connection, MetaModel
from flexor.cosim.tlm import wire


@dataclass
class Peer:
    """A program that has connected."""

    link: socket.socket
    challenge: bytes
    since: float
    stream: wire.Stream = field(default_factory=wire.Stream)
    waiting: bytearray = field(default_factory=bytearray)
    name: str = ""
    number: int = -1
    checked: bool = False
    done: bool = False
    dropped: bool = False
    heard: float = 0.0
    reached: float = -math.inf

    @property
    def called(self) -> str:
        return f"component '{self.name}'" if self.name else "a program that has not told its name"


@dataclass
class Point:
    """An interface of the meta-model, and where its waves go."""

    name: str
    component: str
    dimensions: int
    connection: Connection
    partner: int = -1
    owner: Peer | None = None
    first: bytes = b""
    layout: struct.Struct = wire.SPACE
    last: float = -math.inf


def points_of(model: MetaModel) -> tuple[list[Point], dict[tuple[str, str], int]]:
    """Interfaces in the order of the connections, each with the number of the one at the other end."""
    points: list[Point] = []
    numbers: dict[tuple[str, str], int] = {}
    for connection in model.connections:
        first = len(points)
        for i, (component, interface) in enumerate(connection.ends):
            sub = model.component(component)
            declared = sub.point(interface) if sub is not None else None
            assert declared is not None
            numbers[component, interface] = len(points)
            layout = wire.ALONG if declared.dimensions == 1 else wire.SPACE
            name = f"{component}.{interface}"
            points.append(Point(name, component, declared.dimensions, connection, first + 1 - i, layout=layout))
    return points, numbers
