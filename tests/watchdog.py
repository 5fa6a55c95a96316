"""Damaged files read in a child process, so that a hang or a crash inside a library is an outcome like others.

    outcomes = watch("tests.results.damaged:read", files, folder)      one per file: OK, REFUSED, HANG, CRASH or another error

The child imports the function once and reads one file after the other; where it does not answer, it is killed and counted.
"""

from __future__ import annotations

import importlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from flexor.errors import FileError

ROOT = Path(__file__).parents[1]
OK, REFUSED, HANG, CRASH = "read", "refused", "hang", "crash"
LIMIT = 60.0
"""Seconds after which a child is taken to hang; a file takes milliseconds."""


def watch(function: str, files: Iterable[bytes], folder: Path) -> Iterator[tuple[str, str]]:
    """(outcome, what was said) of a function "module:name" that takes the path of a file."""
    child = None
    for number, data in enumerate(files):
        path = folder / f"damaged-{number}.h5"
        path.write_bytes(data)
        child = child or _Child(function)
        answer = child.ask(str(path))
        yield answer
        if answer[0] in (HANG, CRASH):
            child.end()
            child = None
        path.unlink()
    if child is not None:
        child.end()


class _Child:
    def __init__(self, function: str) -> None:
        command = [sys.executable, "-m", "tests.watchdog", function]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT,
            env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
        )  # fmt: skip
        self.answers: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.answers.put(line)
        self.answers.put("")

    def ask(self, path: str) -> tuple[str, str]:
        assert self.process.stdin is not None
        self.process.stdin.write(path + "\n")
        self.process.stdin.flush()
        try:
            line = self.answers.get(timeout=LIMIT)
        except queue.Empty:
            return HANG, ""
        return tuple(json.loads(line)) if line else (CRASH, f"exit code {self.process.wait()}")

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


def main(function: str) -> None:
    module, name = function.split(":")
    read = getattr(importlib.import_module(module), name)
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            outcome = OK, str(read(Path(path)))
        except FileError as error:
            told = str(error)
            outcome = (REFUSED, told) if path in told and "\n" not in told else ("unclear", told)
        except BaseException as error:
            outcome = type(error).__name__, str(error)
        print(json.dumps(outcome), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
