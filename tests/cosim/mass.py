"""A mass on a spring as a component, in a thread or as a program; it loads little, so that it starts at once."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

from flexor.cosim.tlm.end import PointMotion
from flexor.cosim.tlm.plugin import COMPONENT, TLMPlugin


def mass(
    interfaces: tuple[str, ...] = ("p",),
    m: float = 10.0,
    k: float = 0.0,
    d: float = 0.0,
    load: float = 0.0,
    v0: float = 0.0,
    step: float | None = None,
    fault: str = "",
) -> Callable[[TLMPlugin], None]:
    """A mass on a spring and a damper, by the trapezoidal rule, f = w − Z v taken implicitly; all its interfaces move with it."""

    def simulate(plugin: TLMPlugin) -> None:
        points = [plugin.register(name, 1) for name in interfaces]
        x, v, t = 0.0, v0, plugin.start
        plugin.begin({point: PointMotion((x,), (v,)) for point in points})
        h = step or plugin.largest_step
        n = max(round((plugin.stop - t) / h), 1)
        force = load - k * x - d * v
        for i in range(1, n + 1):
            t1 = plugin.start + (plugin.stop - plugin.start) * i / n
            dt = t1 - t
            waves = [plugin.wait(point, t1) for point in points]
            ends = [end for end in waves if end is not None]
            w0 = sum(end.waves.at(t)[0] - end.line.impedance * v for end in ends)
            w1 = sum(end.waves.at(t1)[0] for end in ends)
            Z = sum(end.line.impedance for end in ends)
            # m (v₁ − v)/h = ½ (f₀ + f₁), x₁ = x + ½ h (v + v₁)
            old = force + w0
            a = m / dt + 0.5 * (d + Z) + 0.25 * k * dt
            v1 = (m / dt * v + 0.5 * old + 0.5 * (load - k * (x + 0.5 * dt * v) + w1)) / a
            x, v, t = x + 0.5 * dt * (v + v1), v1, t1
            force = load - k * x - d * v
            if fault and t >= 0.5 * (plugin.start + plugin.stop):
                go_wrong(fault, plugin)
            for point in points:
                plugin.set_motion(point, t, PointMotion((x,), (v,)))
        plugin.done()

    return simulate


def go_wrong(fault: str, plugin: TLMPlugin) -> None:
    """Halfway through the run."""
    if fault == "killed":
        os.kill(os.getpid(), 9)
    elif fault == "garbage":
        plugin._link.sendall(b"\x00" * 4096)
    elif fault == "raises":
        raise RuntimeError("the bearing has seized")
    elif fault == "stalls":
        time.sleep(600)
    elif fault == "leaves":
        plugin.close()


if __name__ == "__main__":  # <options> model from to max-step server
    options = dict(word.split("=") for word in sys.argv[1:-5])
    name = os.environ[COMPONENT]
    if options.get("fault") == "never":
        time.sleep(600)
    values = {key: float(value) for key, value in options.items() if key != "fault"}
    chosen = mass(fault=options.get("fault", ""), **values)  # type: ignore[arg-type]
    with TLMPlugin.connect(name, sys.argv[-1], timeout=30) as plugin:
        chosen(plugin)
