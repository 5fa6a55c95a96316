"""The manager: components connect to it, it passes waves on, keeps a log, watches energies, and ends everything in order.   NAK 25.1, 25.2

One thread waits for all connections at once. It changes nothing in a message but the number of the interface.
"""

from __future__ import annotations

import hmac
import math
import secrets
import selectors
import socket
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from flexor.cosim.meta_model import MetaModel
from flexor.cosim.meta_model.check import problems, step_problem
from flexor.cosim.tlm import wire
from flexor.cosim.tlm.energy_watch import EnergyWatch
from flexor.cosim.tlm.fit import is_rotation, misfits
from flexor.cosim.tlm.peers import Peer, Point, points_of
from flexor.cosim.tlm.plugin import TIMEOUT, CosimError
from flexor.cosim.tlm.wave_log import begin_log
from flexor.cosim.tlm.wire import Kind
from flexor.errors import ModelError, Problem

CONNECT = 60.0
"""Seconds within which all components must have connected and checked in."""
LOOK = 0.2
"""Seconds between looks at processes, progress and energies."""
MOST_WAITING = 1 << 26
"""Bytes that may wait for a component that does not read them."""
FAREWELL = 2.0
"""Seconds that components have to hear how a run ended."""
LOCAL = "127.0.0.1"
ANYWHERE = ("0.0.0.0", "::")
"""Where a manager listens that lets in programs of all machines; no address to connect to."""


class Manager:
    """Serves one run of a meta-model.

    host: where it listens; 127.0.0.1 takes programs of this machine only.   secret: that components must know; a new one if left out.
    timeout: seconds without a word from a component, after which the run is ended.   log: file for the waves.
    alive: looks whether started processes still run; returns what to say if one does not.
    watch: whether ends that do not fit at the start, or a coupling that gains energy, end the run.
    """

    def __init__(
        self,
        model: MetaModel,
        *,
        host: str = LOCAL,
        secret: str | None = None,
        timeout: float = TIMEOUT,
        connect: float = CONNECT,
        log: str | Path | None = None,
        progress: Callable[[dict[str, float]], None] | None = None,
        alive: Callable[[set[str]], str | None] | None = None,
        watch: bool = True,
    ) -> None:
        if found := problems(model):
            raise ModelError(found)
        self.model, self.timeout, self.connect = model, timeout, connect
        self.secret = secret or secrets.token_hex(16)  # an empty one would let anyone in
        self._progress, self._alive = progress, alive
        self._peers: dict[socket.socket, Peer] = {}
        self._named: dict[str, Peer] = {}
        self._points, self._numbers = points_of(model)
        try:
            self._listener = socket.create_server((host, model.manager_port), backlog=64)
        except OSError as error:
            what, why = f"it cannot listen at {host}:{model.manager_port}", str(error.strerror or error)
            fix = "give another ManagerPort, 0 for any that is free, or end the program that has it"
            raise CosimError(Problem("manager", what, why, fix)) from None
        self._selector = selectors.DefaultSelector()
        self._running = False
        self._unfinished = len(model.sub_models)
        self._log = None
        if log is not None:
            self._log = begin_log(Path(log), model, {n: (p.name, p.dimensions) for n, p in enumerate(self._points)})
        self._watched = watch
        self.watch = EnergyWatch([(p.name, p.dimensions, p.connection) for p in self._points])
        self.exchanged = 0

    @property
    def server(self) -> str:
        """host:port to connect to, for programs of this machine."""
        host, port = self._listener.getsockname()[:2]
        return f"{LOCAL if host in ANYWHERE else host}:{port}"

    @property
    def server_elsewhere(self) -> str:
        """host:port for programs of other machines, if they are let in."""
        host, port = self._listener.getsockname()[:2]
        return f"{socket.gethostname() if host in ANYWHERE else host}:{port}"

    def run(self) -> None:
        """Until all components are done; CosimError, which names who is to blame, if the run had to stop."""
        began = time.monotonic()
        looked = began
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        try:
            while self._unfinished:
                for key, mask in self._selector.select(LOOK):
                    peer: Peer | None = key.data
                    if peer is None:
                        self._accept()
                        continue
                    if mask & selectors.EVENT_WRITE:
                        self._write(peer)
                    if mask & selectors.EVENT_READ and not peer.dropped:
                        self._read(peer)
                now = time.monotonic()
                if now - looked >= LOOK:
                    looked = now
                    self._look(now, began)
            self._judge_energies()
            for peer in self._named.values():
                self._send(peer, wire.message(Kind.DONE))
        except CosimError as error:
            self._end_all(str(error))
            raise
        except BaseException:
            self._end_all("the manager was stopped")
            raise
        finally:
            self._close()

    # ---- connections

    def _accept(self) -> None:
        try:
            link, _ = self._listener.accept()
        except OSError:
            return
        link.setblocking(False)
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        peer = Peer(link, secrets.token_bytes(16), time.monotonic())
        self._peers[link] = peer
        self._selector.register(link, selectors.EVENT_READ, peer)
        self._send(peer, wire.message(Kind.CHALLENGE, -1, peer.challenge))

    def _read(self, peer: Peer) -> None:
        try:
            data = peer.link.recv(1 << 18)
        except BlockingIOError:
            return
        except OSError as error:
            self._gone(peer, str(error))
            return
        if not data:
            self._gone(peer, "it closed the connection")
            return
        peer.heard = time.monotonic()
        if self._running and not peer.stream.holds and wire.is_one_of_data(data):
            self._pass_on(peer, data)
            return
        peer.stream.feed(data)
        try:
            for kind, number, body in peer.stream.messages():
                if kind is Kind.DATA and self._running:
                    self._pass_on(peer, wire.message(kind, number, body))
                else:
                    self._obey(peer, kind, number, body)
                if peer.dropped:
                    return
        except wire.WireError as error:
            if not peer.name:
                self._drop(peer)  # a stranger, who may be anyone
                return
            raise CosimError(Problem(peer.called, "it sends what is no message", str(error))) from None

    def _send(self, peer: Peer, data: bytes | bytearray) -> None:
        if peer.waiting:
            peer.waiting += data
            if len(peer.waiting) > MOST_WAITING:
                raise CosimError(
                    Problem(peer.called, "it does not read what is sent to it", "", "see why it stands still")
                )
            return
        try:
            sent = peer.link.send(data)
        except BlockingIOError:
            sent = 0
        except OSError as error:
            self._gone(peer, str(error))
            return
        if sent < len(data):
            peer.waiting += data[sent:]
            self._selector.modify(peer.link, selectors.EVENT_READ | selectors.EVENT_WRITE, peer)

    def _write(self, peer: Peer) -> None:
        try:
            sent = peer.link.send(peer.waiting)
        except BlockingIOError:
            return
        except OSError as error:
            self._gone(peer, str(error))
            return
        del peer.waiting[:sent]
        if not peer.waiting:
            self._selector.modify(peer.link, selectors.EVENT_READ, peer)

    def _gone(self, peer: Peer, why: str) -> None:
        self._drop(peer)
        if peer.name and not peer.done:
            at = f" at t = {peer.reached:.6g} s" if peer.reached > -math.inf else " before the run began"
            raise CosimError(Problem(peer.called, f"it has ended{at}", why, "see its own output"))

    def _drop(self, peer: Peer) -> None:
        peer.dropped = True
        self._peers.pop(peer.link, None)
        with suppress(KeyError):
            self._selector.unregister(peer.link)
        peer.link.close()

    # ---- the protocol

    def _obey(self, peer: Peer, kind: Kind, number: int, body: bytes) -> None:
        if kind is Kind.REGISTER_COMPONENT and not peer.name:
            self._register(peer, body)
        elif not peer.name:
            self._drop(peer)
        elif kind is Kind.ERROR:
            raise CosimError(Problem(peer.called, f"it has failed: {wire.text(body).strip()}"))
        elif kind is Kind.REGISTER_INTERFACE and not peer.checked:
            self._register_interface(peer, body)
        elif kind is Kind.DATA and not peer.checked:
            self._first_data(peer, number, body)
        elif kind is Kind.CHECK_MODEL and not peer.checked:
            self._check(peer)
        elif kind is Kind.DONE and self._running:
            self._finish(peer)
        else:
            raise CosimError(
                Problem(peer.called, f"it sends {kind.name} where that is not due", "", "see the protocol")
            )

    def _register(self, peer: Peer, body: bytes) -> None:
        proof, name = body[: wire.ANSWERS], wire.text(body[wire.ANSWERS + 8 :], 200)
        if len(body) < wire.ANSWERS + 8 or not hmac.compare_digest(proof, wire.answer(self.secret, peer.challenge)):
            told = Problem(
                f"component '{name}'", "it does not know the secret of this run", "", "set FLEXOR_COSIM_SECRET"
            )
            self._send(peer, wire.message(Kind.ERROR, -1, str(told).encode()))
            self._drop(peer)
            return
        sub = self.model.component(name)
        told_step = struct.unpack_from("<d", body, wire.ANSWERS)[0]
        problem: Problem | None = None
        if sub is None:
            fix = "; ".join(f"'{each.name}'" for each in self.model.sub_models)
            problem = Problem(f"component '{name}'", "the meta-model has none of this name", "", f"it has {fix}")
        elif name in self._named:
            why = "two programs have registered under it"
            problem = Problem(f"component '{name}'", "its name is taken", why, "start each component once")
        elif told_step > 0:
            problem = step_problem(self.model, name, told_step)
        if problem is not None:
            raise CosimError(problem)
        peer.name, peer.number = name, len(self._named)
        self._named[name] = peer
        times = wire.TIMES.pack(self.model.start_time, self.model.stop_time, self.model.largest_step(name))
        self._send(peer, wire.message(Kind.COMPONENT, peer.number, times))

    def _register_interface(self, peer: Peer, body: bytes) -> None:
        dimensions, name = (body[0] if body else 0), wire.text(body[1:], 200)
        number = self._numbers.get((peer.name, name), -1)
        line = (0.0, 0.0, 0.0, 0.0)
        if number >= 0:
            point = self._points[number]
            if point.owner is not None:
                raise CosimError(Problem(peer.called, f"it registers its interface '{name}' twice"))
            if dimensions != point.dimensions:
                what = f"its interface '{name}' has {dimensions} dimensions"
                raise CosimError(
                    Problem(peer.called, what, f"the meta-model says {point.dimensions}", "mend one of them")
                )
            point.owner = peer
            c = point.connection
            line = (c.delay, c.zf, c.zfr, c.alpha)
        self._send(peer, wire.message(Kind.INTERFACE, number, wire.LINE.pack(*line)))

    def _first_data(self, peer: Peer, number: int, body: bytes) -> None:
        point = self._point(peer, number)
        if len(body) != point.layout.size or not math.isfinite(sum(point.layout.unpack(body))):
            raise CosimError(
                Problem(peer.called, f"the initial state of '{point.name}' is no sample of finite numbers")
            )
        if point.dimensions == 3 and not is_rotation(point.layout.unpack(body)[4:13]):
            what = f"the initial orientation of '{point.name}' is no rotation"
            raise CosimError(
                Problem(peer.called, what, "", "give R of nine numbers, row by row, from interface axes to global ones")
            )
        point.first = body
        point.last = peer.reached = point.layout.unpack(body)[0]

    def _check(self, peer: Peer) -> None:
        peer.checked = True
        for point in self._points:
            if point.component == peer.name and point.owner is None:
                fix = "let it register this interface, or mend the name in the meta-model"
                raise CosimError(Problem(peer.called, f"it has not registered its interface '{point.name}'", "", fix))
            if point.component == peer.name and not point.first:
                raise CosimError(Problem(peer.called, f"it has not told the initial state of '{point.name}'"))
        if len(self._named) < len(self.model.sub_models) or not all(each.checked for each in self._named.values()):
            return
        found = misfits(
            self.model,
            {p.name: p.layout.unpack(p.first) for p in self._points},
        )
        if found and self._watched:
            raise CosimError(found)
        self._running = True
        for each in self._named.values():
            self._send(each, wire.message(Kind.MODEL_CHECKED))
            each.heard = time.monotonic()
        for number, point in enumerate(self._points):
            self._route(number, point, wire.message(Kind.DATA, number, point.first))

    def _pass_on(self, peer: Peer, data: bytes) -> None:
        """A message with samples of a component: looked at, logged, sent to the other end."""
        number = wire.number_of(data)
        point = self._point(peer, number)
        size = point.layout.size
        length = len(data) - wire.HEADER.size
        if not length or length % size:
            raise CosimError(Problem(peer.called, f"the data of '{point.name}' are {length} bytes, no whole samples"))
        for at in range(wire.HEADER.size, len(data), size):
            values = point.layout.unpack_from(data, at)
            if not math.isfinite(sum(values)):
                what = f"the data of '{point.name}' are no finite numbers"
                raise CosimError(Problem(peer.called, what, "its solution has blown up"))
            if not values[0] > point.last:
                what = f"the data of '{point.name}' go back in time, from {point.last:.9g} to {values[0]:.9g} s"
                fix = "tell motions of finished steps only"
                raise CosimError(Problem(peer.called, what, "trial steps must not be told", fix))
            point.last = values[0]
        peer.reached = point.last
        self._route(number, point, data)

    def _route(self, number: int, point: Point, data: bytes) -> None:
        owner = self._points[point.partner].owner
        assert owner is not None
        if not owner.done:
            self._send(owner, wire.with_number(data, point.partner))
        if self._log is not None:
            self._log.write(data)
        self.watch.take(number, data)
        self.exchanged += 1

    def _point(self, peer: Peer, number: int) -> Point:
        if 0 <= number < len(self._points) and self._points[number].owner is peer:
            return self._points[number]
        raise CosimError(Problem(peer.called, f"it sends data of interface {number}, which is not its own"))

    def _finish(self, peer: Peer) -> None:
        if peer.reached < self.model.stop_time - 1e-6 * self.model.largest_step(peer.name):
            what = f"it says that it is done at t = {peer.reached:.9g} s"
            raise CosimError(
                Problem(peer.called, what, f"the run ends at {self.model.stop_time:g} s", "see its own output")
            )
        peer.done = True
        self._unfinished -= 1

    # ---- looking after it

    def _look(self, now: float, began: float) -> None:
        if self._log is not None:
            self._log.flush()
        self._judge_energies()
        if self._progress is not None:
            self._progress({name: peer.reached for name, peer in self._named.items()})
        if self._alive is not None and (ended := self._alive({n for n, p in self._named.items() if p.done})):
            raise CosimError(ended)
        for peer in [p for p in self._peers.values() if not p.name and now - p.since > self.connect]:
            self._drop(peer)
        if not self._running:
            missing = [s.name for s in self.model.sub_models if s.name not in self._named]
            if missing and now - began > self.connect:
                what = f"it has not connected within {self.connect:g} s"
                fix = "see that it is started, with this manager as its server, or give it more time"
                raise CosimError([Problem(f"component '{name}'", what, "", fix) for name in missing])
            for peer in self._named.values():
                if not peer.checked and now - peer.heard > self.timeout:
                    what = f"it has not finished its initialisation within {self.timeout:g} s"
                    raise CosimError(Problem(peer.called, what, "", "see why it stands still, or give it more time"))
            return
        running = [peer for peer in self._named.values() if not peer.done]
        if running and now - max(peer.heard for peer in running) > self.timeout:
            slow = min(running, key=lambda peer: peer.reached)
            what = f"nothing has come from it for {now - slow.heard:.0f} s, at t = {slow.reached:.6g} s"
            raise CosimError(
                Problem(slow.called, what, "all others wait for it", "see why it stands still, or give more time")
            )

    def _judge_energies(self) -> None:
        for connection, balance, to in self.watch.look():
            if balance.gains and self._watched:
                what = f"it gains energy: {balance.gained:.3g} J of {balance.passed:.3g} J by t = {balance.until:.6g} s"
                why = f"component '{to.partition('.')[0]}' does not take the waves at '{to}' as they arrive"
                fix = "let it apply force() of its plugin at the time it asks for, with its own velocity at that time"
                raise CosimError(Problem(connection.called(str(connection)), what, why, fix))
        for connection, by, end in self.watch.blown_up():
            if self._watched:
                told = f"velocities of {end.fastest:.3g} m/s"
                if end.grows:
                    told = f"its waves grow without end from t = {end.since:.6g} s on, from one sample to the next"
                why = f"component '{by.partition('.')[0]}' feeds energy into it at '{by}'; its integration is unstable"
                fix = "let it take the force implicitly, or shorter steps, or give a smaller Zf: Z h/m must be below 2"
                raise CosimError(Problem(connection.called(str(connection)), told, why, fix))

    def _end_all(self, why: str) -> None:
        """Tell all why the run ends, as far as they listen."""
        for peer in list(self._peers.values()):
            with suppress(OSError):
                peer.link.send(wire.message(Kind.ERROR, -1, why.encode()[: wire.LARGEST]))

    def _close(self) -> None:
        """End all connections; what has been said is still delivered to those who listen."""
        self._listener.close()
        self._selector.close()
        if self._log is not None:
            self._log.close()
        until = time.monotonic() + FAREWELL
        for peer in [each for each in self._peers.values() if not each.name]:
            peer.link.close()
            del self._peers[peer.link]
        for peer in self._peers.values():
            with suppress(OSError):
                peer.link.settimeout(max(until - time.monotonic(), 0.01))
                peer.link.sendall(peer.waiting)
                peer.link.shutdown(socket.SHUT_WR)
        for peer in self._peers.values():  # closing with unread bytes would take back what was sent
            with suppress(OSError):
                peer.link.settimeout(max(until - time.monotonic(), 0.01))
                while time.monotonic() < until and peer.link.recv(1 << 16):
                    pass
            peer.link.close()
