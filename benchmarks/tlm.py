"""Co-simulation over transmission lines: exchanges per second of 2, 4, 8 components against a bare TCP ping-pong; halves against the whole.

All on the loopback of this machine, every program a process of its own. Ping-pong: two programs send a message of 216 bytes, the
size of one with a 3-D sample, to and fro; one round trip. Exchange: all components of a chain make a step as long as the delay, so
that each has to wait for what its neighbours sent at the end of the step before; through the manager, with its log and its watch on
energies. Both have two messages in a row behind each other. The whole: a chain of pendulums in one model, and cut in two halves.
The ratio is ping-pong time / exchange time of two components.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.timing import machine_facts
from flexor.cosim.meta_model import Connection, InterfacePoint, MetaModel, SubModel
from flexor.cosim.run import run as co_simulate
from flexor.cosim.tlm.manager import Manager
from flexor.cosim.tlm.plugin import COMPONENT, SECRET

SIZE = 216
ECHO = """
import socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
buffer = bytearray(65536)
while True:
    n = 0
    while n < 216:
        got = link.recv_into(memoryview(buffer)[n:])
        if not got:
            sys.exit()
        n += got
    link.sendall(buffer[:216])
"""


def ping_pong(rounds: int) -> float:
    """Seconds of a round trip between two programs."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        echo = subprocess.Popen([sys.executable, "-c", ECHO, str(listener.getsockname()[1])])
        link, _ = listener.accept()
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    message, buffer = bytes(SIZE), bytearray(65536)
    began = time.perf_counter()
    for _ in range(rounds):
        link.sendall(message)
        n = 0
        while n < SIZE:
            n += link.recv_into(memoryview(buffer)[n:])
    seconds = time.perf_counter() - began
    link.close()
    echo.wait(10)
    return seconds / rounds


def chain(n: int, steps: int, delay: float = 1e-3) -> MetaModel:
    """n components in a row."""
    subs = []
    for i in range(n):
        names = (["left"] if i else []) + (["right"] if i < n - 1 else [])
        subs.append(SubModel(f"c{i}", exact_step=True, interface_points=[InterfacePoint(p) for p in names]))
    lines = [Connection(f"c{i}.right", f"c{i + 1}.left", delay=delay, zf=10.0) for i in range(n - 1)]
    return MetaModel(f"chain-{n}", subs, lines, stop_time=steps * delay)


def exchange(n: int, steps: int) -> float:
    """Seconds of a step in which n components exchange with their neighbours."""
    model = chain(n, steps)
    with tempfile.TemporaryDirectory() as out:
        manager = Manager(model, timeout=60, log=Path(out) / "waves")
        started = []
        for sub in model.sub_models:
            command = [
                sys.executable,
                "-m",
                "benchmarks.tlm_component",
                *(p.name for p in sub.interface_points),
                manager.server,
            ]
            told = {**os.environ, SECRET: manager.secret, COMPONENT: sub.name}
            started.append(subprocess.Popen(command, env=told, stdout=subprocess.PIPE, text=True))
        gc.collect()
        gc.disable()
        try:
            manager.run()
        finally:
            gc.enable()
        return max(float(each.communicate(timeout=30)[0]) for each in started) / steps


def halves(links: int, until: float, step: float) -> dict[str, Any]:
    """Seconds per simulated second of a chain of pendulums, in one model and cut in two, in threads of this process."""
    import flexor as fx
    from flexor.cosim.component.flexor_model import component

    gravity = (0.0, 0.0, -9.81)

    def bodies(first: int, last: int) -> list[fx.RigidBody]:
        markers = {"top": (-0.1, 0, 0), "tip": (0.1, 0, 0)}
        return [
            fx.RigidBody(
                f"link {i}", mass=1.0, inertia=(1e-3, 4e-3, 4e-3), position=(0.2 * i + 0.1, 0, 0), markers=markers
            )
            for i in range(first, last)
        ]

    def pins(chain: list[fx.RigidBody], first: int) -> list[Any]:
        return [
            fx.Revolute(f"pin {first + i + 1}", a["tip"], b["top"], axis="y")
            for i, (a, b) in enumerate(itertools.pairwise(chain))
        ]

    upper, lower = bodies(0, links // 2), bodies(links // 2, links)
    hub = fx.RigidBody("hub", mass=0.2, inertia=(1e-4, 1e-4, 1e-4), position=(0.2 * (links // 2), 0, 0))
    top = fx.Revolute("pin 0", fx.ground, upper[0]["top"], axis="y")
    middle = fx.Revolute("middle", upper[-1]["tip"], hub, axis="y")
    whole = fx.Model("whole", [*upper, *lower, hub, top, middle, *pins(upper, 0), *pins(lower, links // 2),
                               fx.Fixed("weld", hub, lower[0]["top"])], gravity=gravity)  # fmt: skip
    a = fx.Model("upper", [*upper, hub, top, middle, *pins(upper, 0)], gravity=gravity)
    b = fx.Model("lower", [*lower, *pins(lower, links // 2)], gravity=gravity)
    points = {"a": [InterfacePoint("hub")], "b": [InterfacePoint(f"link {links // 2}.top")]}
    meta = MetaModel(
        "halves",
        [SubModel(name, exact_step=True, interface_points=given) for name, given in points.items()],
        [Connection("a.hub", f"b.link {links // 2}.top", delay=step, zf=0.002 / step, zfr=1e-6 / step)],
        stop_time=until,
    )
    seconds = {}
    for _ in range(2):  # the first round compiles
        began = time.perf_counter()
        whole.dynamics(until, step, show=False, energies=False)
        seconds["whole"] = (time.perf_counter() - began) / until
        with tempfile.TemporaryDirectory() as out:
            began = time.perf_counter()
            settings: dict[str, Any] = {"energies": False}
            co_simulate(meta, {"a": component(a, **settings), "b": component(b, **settings)}, out=out, timeout=120)
            seconds["halves"] = (time.perf_counter() - began) / until
    return seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--steps", type=int, default=20_000, help="exchanges of each run")
    parser.add_argument("--n", type=int, nargs="+", default=[2, 4, 8], help="numbers of components")
    parser.add_argument("--repeats", type=int, default=3, help="how often; the fastest counts")
    parser.add_argument("--links", type=int, default=40, help="pendulums of the chain that is cut in two")
    parser.add_argument("--json", action="store_true", help="one JSON object a line")


def run(options: argparse.Namespace) -> int:
    if not options.json:
        print(machine_facts("numpy"))
    bare = min(ping_pong(options.steps) for _ in range(options.repeats))
    print(_told(options, {"what": "ping-pong", "us": 1e6 * bare, "per second": 1 / bare}))
    times = {}
    for n in options.n:
        times[n] = min(exchange(n, options.steps) for _ in range(options.repeats if n == 2 else 1))
        print(
            _told(
                options,
                {
                    "what": f"{n} components",
                    "us": 1e6 * times[n],
                    "per second": 1 / times[n],
                    "s per simulated s at 1 ms": 1e3 * times[n],
                },
            )
        )
    if options.links:
        found = halves(options.links, 0.2, 2e-4)
        print(_told(options, {"what": f"chain of {options.links}", **found}))
    print(f"ratio {bare / times[options.n[0]]:.3f}")
    return 0


def _told(options: argparse.Namespace, facts: dict[str, Any]) -> str:
    if options.json:
        return json.dumps(facts)
    return "  ".join(f"{name} {value:.4g}" if isinstance(value, float) else str(value) for name, value in facts.items())
