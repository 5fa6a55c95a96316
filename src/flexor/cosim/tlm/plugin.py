"""The side of a simulator: what it needs to take part in a co-simulation.   NAK 24.2, 25.3

    plugin = TLMPlugin.connect("pendulum", server="localhost:11111", secret="…")
    tip = plugin.register("tip")
    plugin.begin({tip: motion_at_the_start})
    while t < plugin.stop:
        t += min(plugin.largest_step, …)
        …  any number of trial steps: plugin.force(tip, t, trial_motion)
        plugin.set_motion(tip, t, motion)              # once, when the step is done
    plugin.done()

Only `set_motion` tells others anything; `force` may be called as often as the solver likes. It waits where a wave has not arrived.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Self

from flexor.cosim.tlm import wire
from flexor.cosim.tlm.end import LineEnd, PointMotion, Sample
from flexor.cosim.tlm.line import TransmissionLine
from flexor.cosim.tlm.wire import Kind
from flexor.errors import Problem, SolveError

SECRET, COMPONENT, PATIENCE = "FLEXOR_COSIM_SECRET", "FLEXOR_COSIM_COMPONENT", "FLEXOR_COSIM_TIMEOUT"
"""Variables of the environment by which the manager tells components the run's secret, their name in the meta-model, and how long to wait [s]."""
TIMEOUT = 300.0
"""Seconds without a word from a component after which the manager gives up."""
LONGER = 60.0
"""Seconds that components wait longer: who is to blame, the manager knows."""
LARGE = 1 << 16


class CosimError(SolveError):
    """A co-simulation had to stop."""


class PluginInterface:
    """A point of this component, registered with the manager."""

    def __init__(self, name: str, number: int, end: LineEnd | None) -> None:
        self.name, self.number, self.end = name, number, end
        self.unsent: list[bytes] = []
        self.sent_until = -float("inf")
        self.interval = 0.0
        self.reached = -float("inf")  # time of the last motion that was told [s]

    @property
    def connected(self) -> bool:
        """Whether a connection leads here; a force is zero otherwise."""
        return self.end is not None

    @property
    def line(self) -> TransmissionLine:
        """Parameters of its connection."""
        assert self.end is not None
        return self.end.line


class TLMPlugin:
    """A component's connection to the manager."""

    def __init__(self, link: socket.socket, name: str, timeout: float) -> None:
        self._link, self.name, self.timeout = link, name, timeout
        self._stream = wire.Stream()
        self._pending: list[tuple[Kind, int, bytes]] = []
        self.interfaces: dict[int, PluginInterface] = {}
        self.start = self.stop = self.largest_step = 0.0
        self._closed = False

    # ---- joining

    @classmethod
    def connect(
        cls,
        name: str,
        server: str,
        secret: str | None = None,
        *,
        step: float = 0.0,
        timeout: float | None = None,
    ) -> TLMPlugin:
        """Register a component with the manager at host:port.

        secret: that of the run; by default from FLEXOR_COSIM_SECRET.   step: its own fixed step [s], if it has one.
        timeout: seconds without a word from the manager before it gives up; by default from FLEXOR_COSIM_TIMEOUT, else six minutes.
        """
        timeout = _patience() if timeout is None else timeout
        host, _, port = server.rpartition(":")
        if not host or not port.isdigit():
            raise CosimError(
                Problem(f"component '{name}'", f"server '{server}' is no host:port", "", "e.g. localhost:11111")
            )
        try:
            link = socket.create_connection((host.strip("[]"), int(port)), timeout=timeout)
        except OSError as error:
            why, fix = str(error.strerror or error), "start the manager first, and check host, port and firewall"
            raise CosimError(Problem(f"component '{name}'", f"no manager answers at {server}", why, fix)) from None
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        plugin = cls(link, name, timeout)
        try:
            _, challenge = plugin._expect(Kind.CHALLENGE)
            known = os.environ.get(SECRET, "") if secret is None else secret
            plugin._send(wire.message(Kind.REGISTER_COMPONENT, -1, wire.component_body(known, challenge, name, step)))
            _, body = plugin._expect(Kind.COMPONENT)
            plugin.start, plugin.stop, plugin.largest_step = wire.numbers(body, wire.TIMES)
        except BaseException:
            plugin.close()
            raise
        return plugin

    def register(self, name: str, dimensions: int = 3) -> PluginInterface:
        """Announce an interface point; its line's parameters come back."""
        self._send(wire.message(Kind.REGISTER_INTERFACE, -1, wire.interface_body(name, dimensions)))
        number, body = self._expect(Kind.INTERFACE)
        end = LineEnd(TransmissionLine(*wire.numbers(body, wire.LINE)), dimensions) if number >= 0 else None
        found = PluginInterface(name, number, end)
        if number >= 0:
            self.interfaces[number] = found
            found.interval = self.largest_step
        return found

    def begin(
        self,
        motions: Mapping[PluginInterface, PointMotion],
        forces: Mapping[PluginInterface, tuple[float, ...]] | None = None,
    ) -> None:
        """Tell the initial motion of all interfaces and wait until all components have done so.

        forces: what a line exerts at the start already, on an interface [N], [N m] in global axes; else none.
        """
        for interface, motion in motions.items():
            if interface.end is None:
                continue
            if not len(motion.x) == len(motion.v) == interface.end.dimensions:
                what = f"the motion of its interface '{interface.name}' has {len(motion.x)} positions and {len(motion.v)} velocities"
                why = f"it has {interface.end.dimensions} dimensions"
                raise CosimError(Problem(f"component '{self.name}'", what, why, "give as many of each"))
            sample = interface.end.begin(self.start, motion, (forces or {}).get(interface))
            self._send(wire.message(Kind.DATA, interface.number, wire.packed(sample, interface.end.dimensions)))
            interface.sent_until = interface.reached = self.start
        self._send(wire.message(Kind.CHECK_MODEL))
        self._expect(Kind.MODEL_CHECKED)
        for interface in self.interfaces.values():
            self._until(interface, self.start)

    # ---- computing

    def force(self, interface: PluginInterface, time: float, motion: PointMotion) -> tuple[float, ...]:
        """Force and torque of the line on the component [N], [N m], global axes, at a time up to the largest step ahead."""
        if interface.end is None:
            return (0.0,) * 6
        self._until(interface, time)
        return interface.end.force(time, motion)

    def wait(self, interface: PluginInterface, time: float) -> LineEnd | None:
        """The line's end, once it knows the wave that arrives at a time [s]; for solvers that linearise f = w(t) − Z v themselves."""
        if interface.end is not None:
            self._until(interface, time)
        return interface.end

    def set_motion(self, interface: PluginInterface, time: float, motion: PointMotion) -> Sample | None:
        """A step is done: its motion is told to the other end, as soon as half a delay (a whole one of exact steps) has passed."""
        end = interface.end
        if end is None:
            return None
        self._until(interface, time)
        interface.reached = time
        sample = end.leaving(time, motion)
        interface.unsent.append(wire.packed(sample, end.dimensions))
        if time - interface.sent_until >= interface.interval * (1 - 1e-6) or time >= self.stop:
            self._flush(interface, time)
        return sample

    def tell(self, number: int, sample: Sample, dimensions: int) -> None:
        """Send a sample as it is, at once; for tests of others, whose waves need not be those of a motion."""
        self._send(wire.message(Kind.DATA, number, wire.packed(sample, dimensions)))
        self.interfaces[number].reached = sample.time

    def done(self) -> None:
        """The component has reached the end; waits until all have."""
        self.tell_rest()
        self._send(wire.message(Kind.DONE))
        while True:
            kind, _, _ = self._next()
            if kind is Kind.DONE:
                break
        self.close()

    def fail(self, why: str) -> None:
        """The component cannot go on; the manager ends the run with this message."""
        if not self._closed:
            with suppress(CosimError):
                self._send(wire.message(Kind.ERROR, -1, why.encode()[: wire.LARGEST]))
            self.close()

    def tell_rest(self) -> None:
        """Send what is kept back, e.g. when a component waits for something else."""
        for interface in self.interfaces.values():
            if interface.unsent:
                self._flush(interface, interface.sent_until)

    def close(self) -> None:
        """End the connection."""
        self._closed = True
        self._link.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is not None:  # what the manager has said, or that it has gone, has closed the connection
            self.fail(str(error) if isinstance(error, CosimError) else f"{kind.__name__ if kind else 'error'}: {error}")
        self.close()

    # ---- messages

    def _flush(self, interface: PluginInterface, time: float) -> None:
        self._send(wire.message(Kind.DATA, interface.number, b"".join(interface.unsent)))
        interface.unsent.clear()
        interface.sent_until = time

    def _until(self, interface: PluginInterface, time: float) -> None:
        """Take messages in until the wave that arrives at a time is known."""
        assert interface.end is not None
        waves = interface.end.waves
        enough = time - 1e-9 * waves.delay - 4e-15 * abs(time)
        if waves.known_until >= enough:
            return
        if time > interface.reached + waves.delay * (1 + 1e-6) + 4e-15 * abs(time):
            raise self._too_far(interface, time)
        self.tell_rest()  # the other side may wait for what is kept back
        while waves.known_until < enough:
            kind, number, body = self._next()
            if kind is Kind.DATA:
                self._take(number, body)
            elif kind is Kind.DONE:
                raise CosimError(f"component '{self.name}': the manager has ended the run at t < {time:g} s")

    def _too_far(self, interface: PluginInterface, time: float) -> CosimError:
        """Both sides would wait for each other."""
        where = f"component '{self.name}'"
        if interface.reached == -float("inf"):
            what = f"the line at '{interface.name}' is asked for its force before the start"
            return CosimError(Problem(where, what, "its initial motion has not been told", "call begin first"))
        what = f"a step at '{interface.name}' goes from {interface.reached:.9g} to {time:.9g} s"
        why = f"the line's delay is {interface.line.delay:g} s, and the other end waits for the motion in between"
        return CosimError(
            Problem(where, what, why, f"take steps of at most {self.largest_step:g} s, set_motion after each")
        )

    def _take(self, number: int, body: bytes) -> None:
        interface = self.interfaces.get(number)
        if interface is None or interface.end is None:
            raise CosimError(f"component '{self.name}': data came for an interface that it does not have")
        try:
            for numbers in wire.samples(body, interface.end.dimensions):
                interface.end.take(numbers)
        except wire.WireError as error:
            raise self._lost("the manager sends what are no data", str(error)) from None

    def _expect(self, kind: Kind) -> tuple[int, bytes]:
        while True:
            found, number, body = self._next()
            if found is kind:
                return number, body
            if found is Kind.DATA:
                self._take(number, body)
                continue
            raise CosimError(f"component '{self.name}': the manager sent {found.name} where {kind.name} was due")

    def _next(self) -> tuple[Kind, int, bytes]:
        while not self._pending:
            try:
                data = self._link.recv(LARGE)
            except TimeoutError:
                what = f"nothing has come from the manager for {self.timeout:g} s"
                raise self._lost(what, "another component stands still, or the network does") from None
            except OSError as error:
                raise self._lost("the manager has gone", str(error)) from None
            if not data:
                raise self._lost("the manager has gone", "it closed the connection")
            if not self._stream.holds and wire.is_one_of_data(data):
                return Kind.DATA, wire.number_of(data), data[wire.HEADER.size :]
            self._stream.feed(data)
            try:
                self._pending = list(self._stream.messages())[::-1]
            except wire.WireError as error:
                raise self._lost("the manager sends what is no message", str(error)) from None
        kind, number, body = self._pending.pop()
        if kind is Kind.ERROR:
            self.close()
            raise CosimError(wire.text(body))
        return kind, number, body

    def _send(self, data: bytes) -> None:
        try:
            self._link.sendall(data)
        except OSError as error:
            self._told()
            raise self._lost("the manager has gone", str(error)) from None

    def _told(self) -> None:
        """If the manager has said why before it closed the connection, that is the error."""
        try:
            while True:
                self._next()
        except CosimError as error:
            if "the manager has gone" not in str(error):
                raise

    def _lost(self, what: str, why: str) -> CosimError:
        self.close()
        return CosimError(Problem(f"component '{self.name}'", what, why))


def _patience() -> float:
    try:
        return max(float(os.environ[PATIENCE]), 1.0)
    except (KeyError, ValueError):
        return TIMEOUT + LONGER
