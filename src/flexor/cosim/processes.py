"""The programs of a co-simulation: started by their commands, looked after, ended together.   NAK 24.3"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from flexor.cosim.meta_model import MetaModel, SubModel
from flexor.cosim.meta_model.xml_text import number
from flexor.cosim.tlm.plugin import COMPONENT, PATIENCE, SECRET, CosimError
from flexor.errors import Problem
from flexor.io.replaceable import unwritable

GRACE = 3.0
"""Seconds that a program gets to end by itself, and again after it was asked to."""
LAST = 400
"""Characters of a program's output that a message quotes."""

GUARD = f"""
import os, signal, sys, time
groups = [int(line) for line in iter(sys.stdin.readline, "")]
for sign in (signal.SIGTERM, signal.SIGKILL):
    time.sleep({GRACE})
    for group in groups:
        try:
            os.killpg(group, sign)
        except OSError:
            pass
"""
"""Ends all programs that have not ended by themselves when its input does, that is when the manager has ended, even killed."""


class Processes:
    """Programs of the components that have a start command."""

    def __init__(self, model: MetaModel, folder: Path, out: Path) -> None:
        self.model, self.folder, self.out = model, folder, out
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._guard: subprocess.Popen[bytes] | None = None

    def command(self, sub: SubModel, server: str) -> list[str]:
        """StartCommand model from to max-step server   NAK 24.3"""
        m = self.model
        times = (number(m.start_time), number(m.stop_time), number(m.largest_step(sub.name)))
        return [*shlex.split(sub.start_command), sub.model_file or sub.name, *times, server]

    def start(self, server: str, secret: str, timeout: float, without: set[str], elsewhere: str) -> list[str]:
        """Start all but those named; returns how to start those that have no command.

        timeout: how long they wait [s].   server, elsewhere: the manager's address on this machine, and on others.
        """
        by_hand = []
        for sub in self.model.sub_models:
            if sub.name in without:
                continue
            command = self.command(sub, server if sub.start_command else elsewhere)
            if not sub.start_command:
                told = f"{SECRET}={secret} {COMPONENT}={sub.name} <program> {shlex.join(command)}"
                by_hand.append(f"component '{sub.name}' is to be started by hand: {told}")
                continue
            try:
                output = self._output(sub.name).open("wb")
            except OSError as error:
                raise unwritable(self._output(sub.name), "output of a component", error) from None
            with output:
                try:
                    self._running[sub.name] = subprocess.Popen(
                        command,
                        cwd=self.folder,
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=subprocess.STDOUT,
                        env={**os.environ, SECRET: secret, COMPONENT: sub.name, PATIENCE: f"{timeout:g}"},
                        start_new_session=True,
                    )
                except OSError as error:
                    why = error.strerror or str(error)
                    what = f"its start command '{sub.start_command}' cannot be run"
                    raise CosimError(
                        Problem(sub.called(sub.name), what, why, "check the command and its path")
                    ) from None
                self._guarded(self._running[sub.name].pid)
        return by_hand

    def _guarded(self, pid: int) -> None:
        """A program that does not listen to the manager would outlive one that is killed."""
        if not hasattr(os, "killpg"):
            return
        if self._guard is None:
            words = [sys.executable, "-I", "-S", "-c", GUARD]
            self._guard = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        assert self._guard.stdin is not None
        with suppress(OSError):
            self._guard.stdin.write(b"%d\n" % pid)
            self._guard.stdin.flush()

    def ended(self, done: set[str]) -> str | None:
        """What to say of a program that has ended before its time."""
        for name, process in self._running.items():
            code = process.poll()
            if code is not None and name not in done:
                how = f"by signal {-code}" if code < 0 else f"with code {code}"
                text = self._output(name).read_bytes()[-LAST:].decode("utf-8", "replace").strip()
                said = f"; it said: {text}" if text else ""
                return f"component '{name}': its program has ended {how}{said}"
        return None

    def finish(self) -> None:
        """All are done: let them end by themselves."""
        until = time.monotonic() + GRACE
        for process in self._running.values():
            with suppress(subprocess.TimeoutExpired):
                process.wait(max(until - time.monotonic(), 0.01))

    def end(self) -> None:
        """End what still runs, with all that it has started."""
        for sign in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            left = [process for process in self._running.values() if process.poll() is None]
            for process in left:
                with suppress(ProcessLookupError, PermissionError):
                    if hasattr(os, "killpg"):
                        os.killpg(process.pid, sign)
                    else:
                        process.send_signal(sign)
            until = time.monotonic() + GRACE
            for process in left:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(max(until - time.monotonic(), 0.01))
        if self._guard is not None:
            self._guard.kill()
            self._guard.wait()
            assert self._guard.stdin is not None
            self._guard.stdin.close()
            self._guard = None

    def _output(self, name: str) -> Path:
        return self.out / f"{file_name(self.model.name)}.{file_name(name)}.log"


def file_name(name: str) -> str:
    """A name as part of a file's name."""
    return re.sub(r"[^\w.-]+", "-", name)
