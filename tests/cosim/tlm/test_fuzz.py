"""Whatever comes over the wire: no crash, no hang, no growing memory. More than 10⁵ messages, whole, mangled, and of noise."""

from __future__ import annotations

import contextlib
import gc
import socket
import struct
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from flexor.cosim.tlm import wire
from flexor.cosim.tlm.manager import Manager
from flexor.cosim.tlm.plugin import CosimError, TLMPlugin
from flexor.cosim.tlm.wire import Kind
from tests.cosim.mass import mass
from tests.cosim.masses import pair

MANY = 120_000


def test_streams_of_many_messages() -> None:
    """Whole messages in pieces of any length come out as they went in; mangled ones are refused or are others; nothing is kept."""
    rng = np.random.default_rng(1)
    kinds = list(Kind)
    before = 0
    for turn in range(MANY // 1000):
        sent = [
            (kinds[rng.integers(10)], int(rng.integers(-(2**31), 2**31)), rng.bytes(int(rng.integers(0, 60))))
            for _ in range(1000)
        ]
        data = b"".join(wire.message(*each) for each in sent)
        stream, found = wire.Stream(), []
        at = 0
        while at < len(data):
            size = int(rng.integers(1, 3000))
            stream.feed(data[at : at + size])
            found += list(stream.messages())
            at += size
        assert found == sent
        assert not stream.holds
        mangled = bytearray(data)
        for place in rng.integers(0, len(data), 5):
            mangled[place] = rng.integers(256)
        stream.feed(bytes(mangled))
        try:
            for _ in stream.messages():
                pass
        except wire.WireError:
            pass
        if turn == 20:
            before = len(gc.get_objects())
    assert len(gc.get_objects()) - before < 10_000


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_any_bytes_are_messages_or_refused(data: bytes) -> None:
    stream = wire.Stream()
    stream.feed(data)
    try:
        for kind, _, body in stream.messages():
            wire.text(body)
            assert kind in Kind
    except wire.WireError:
        pass


NUMBERS = st.one_of(st.floats(allow_nan=True), st.floats(0, 1))
BODIES = st.one_of(
    st.binary(max_size=80),
    st.lists(NUMBERS, min_size=1, max_size=12).map(lambda x: struct.pack(f"<{len(x)}d", *x)),
    st.sampled_from(
        [wire.interface_body("p", 1), wire.interface_body("p", 3), wire.interface_body("no", 1), b"\xff" * 50]
    ),
)
MESSAGES = st.tuples(st.sampled_from(list(Kind)), st.integers(-3, 5), BODIES)


class Run:
    """A manager in a thread, and how it ended."""

    def __init__(self) -> None:
        self.manager = Manager(pair(stop=0.01), connect=30.0, timeout=30.0, secret="s")
        self.error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        try:
            self.manager.run()
        except BaseException as error:
            self.error = error

    def ended(self) -> bool:
        self.thread.join(60)
        return not self.thread.is_alive()


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(MESSAGES, min_size=1, max_size=30), st.booleans())
def test_a_component_that_says_anything(messages: list[tuple[Kind, int, bytes]], noise: bool) -> None:
    """A registered component sends what it likes: the run ends with its name, or it goes on until the component leaves."""
    run = Run()
    plugin = TLMPlugin.connect("a", run.manager.server, "s", timeout=5)
    data = b"".join(wire.message(*each) for each in messages)
    with contextlib.suppress(OSError):
        plugin._link.sendall(data + (b"noise" * 10 if noise else b""))
    plugin.close()
    assert run.ended()
    assert isinstance(run.error, CosimError)
    assert "component 'a'" in str(run.error)


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(
        st.one_of(st.binary(min_size=1, max_size=300), MESSAGES.map(lambda m: wire.message(*m))),
        min_size=1,
        max_size=20,
    )
)
def test_strangers_do_not_disturb_a_run(pieces: list[bytes]) -> None:
    run = Run()
    host, port = run.manager.server.split(":")
    strangers = []
    for piece in pieces:
        stranger = socket.create_connection((host, int(port)), timeout=5)
        with contextlib.suppress(OSError):
            stranger.sendall(piece)
        strangers.append(stranger)
    parts = {"a": mass(load=1.0), "b": mass()}

    def join(name: str) -> None:
        with TLMPlugin.connect(name, run.manager.server, "s", timeout=5) as plugin:
            parts[name](plugin)

    threads = [threading.Thread(target=join, args=(name,), daemon=True) for name in parts]
    for thread in threads:
        thread.start()
    assert run.ended()
    assert run.error is None
    for thread in threads:
        thread.join(5)
    for stranger in strangers:
        stranger.close()


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(MESSAGES, min_size=1, max_size=20), st.binary(max_size=50))
def test_a_manager_that_says_anything(messages: list[tuple[Kind, int, bytes]], noise: bytes) -> None:
    """The plugin ends with an error of its own, whatever it hears."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            link, _ = listener.accept()
            start = wire.message(Kind.CHALLENGE, -1, bytes(16)) + wire.message(
                Kind.COMPONENT, 0, wire.TIMES.pack(0, 1, 0.1)
            )
            start += wire.message(Kind.INTERFACE, 0, wire.LINE.pack(0.1, 10, 0, 0))
            link.sendall(start + b"".join(wire.message(*each) for each in messages) + noise)
            link.shutdown(socket.SHUT_WR)
            link.settimeout(5)
            try:
                while link.recv(1000):
                    pass
            except OSError:
                pass
            link.close()

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        server = "{}:{}".format(*listener.getsockname())
        with pytest.raises((CosimError, wire.WireError)), TLMPlugin.connect("a", server, "s", timeout=5) as plugin:
            mass()(plugin)
        thread.join(5)
        assert not thread.is_alive()
