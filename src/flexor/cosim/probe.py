"""The inertia of a foreign component at its interfaces, asked by a small test run: a push in each direction in turn."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from flexor.cosim.meta_model import Connection, MetaModel, SubModel
from flexor.cosim.preflight import Inertia
from flexor.cosim.run import run
from flexor.cosim.tlm.end import PointMotion, Sample
from flexor.cosim.tlm.plugin import TLMPlugin

PUSH = 1.0
"""Size of the waves it is asked with [N], [N m]."""


def probe(model: MetaModel, name: str, folder: Path, out: Path, timeout: float = 60.0) -> dict[str, Inertia]:
    """Start a component alone and push each of its interfaces; its inertia there, by "component.interface".

    Each push lasts four delays; the velocity that it leaves behind, beyond what there was before, tells the mass: m = ∫ f dt/Δv.
    """
    sub = model.component(name)
    assert sub is not None
    points = [p for p in sub.interface_points if any(f"{name}.{p.name}" in (c.a, c.b) for c in model.connections)]
    lines = {}
    for each in model.lines_of(name):
        for component, interface in each.ends:
            if component == name:
                lines[interface] = each
    delay = min(each.delay for each in lines.values())
    window = 4 * delay
    count = sum(1 if p.dimensions == 1 else 6 for p in points)
    asked = [
        Connection(f"{name}.{p.name}", f"probe.{p.name}", delay=delay, zf=lines[p.name].zf, zfr=lines[p.name].zfr)
        for p in points
    ]
    test = MetaModel(
        f"{model.name}-probe-{name}",
        [sub.replace(interface_points=points), SubModel("probe", exact_step=True, interface_points=points)],
        asked,
        start_time=model.start_time,
        stop_time=model.start_time + (2 * count + 2) * window,
    )

    def push(plugin: TLMPlugin) -> None:
        ends = {p.name: plugin.register(p.name, p.dimensions) for p in points}
        still = {
            p.name: PointMotion((0.0,), (0.0,)) if p.dimensions == 1 else PointMotion((0, 0, 0), (0, 0, 0))
            for p in points
        }
        plugin.begin({ends[n]: still[n] for n in ends})
        steps = round((plugin.stop - plugin.start) / delay)
        directions = [(p, k) for p in points for k in range(1 if p.dimensions == 1 else 6)]
        for i in range(1, steps + 1):
            t = plugin.start + i * delay
            number, active = divmod(int(i * delay / window + 1e-9), 2)
            for p in points:
                wave = [0.0] * (1 if p.dimensions == 1 else 6)
                if active and number < len(directions) and directions[number][0] is p:
                    wave[directions[number][1]] = PUSH
                plugin.wait(ends[p.name], t)
                plugin.tell(ends[p.name].number, Sample(t, still[p.name], tuple(wave)), p.dimensions)
        plugin.done()

    waves = run(test, {"probe": push}, folder=folder, out=out, timeout=timeout, watch=False).waves
    found = {}
    number = 0
    for p, each in zip(points, asked, strict=True):
        told = waves[f"{name}.{p.name}"]
        force, size = told.force(each), 1 if p.dimensions == 1 else 6
        masses = []
        for k in range(size):
            begin = model.start_time + (2 * number + 1) * window + delay
            masses.append(_mass(told.time, told.velocity[:, k], force[:, k], begin, window))
            number += 1
        found[f"{name}.{p.name}"] = Inertia(min(masses[:3]), min(masses[3:], default=None))
    return found


def _mass(t: np.ndarray, v: np.ndarray, f: np.ndarray, begin: float, window: float) -> float:
    """∫ f dt/Δv over a push, without the drift of the window before it."""
    before, after = np.interp([begin - window, begin], t, v), np.interp(begin + window, t, v)
    during = (t >= begin - 1e-12) & (t <= begin + window + 1e-12)
    quiet = (t >= begin - window) & (t <= begin)
    impulse = float(np.trapezoid(f[during], t[during]) - np.trapezoid(f[quiet], t[quiet]))
    gained = float(after - before[1] - (before[1] - before[0]))
    return impulse / gained if gained * impulse > 0 else math.inf
