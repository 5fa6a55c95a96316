"""A component of the benchmark `tlm`: the least that a simulator does in a step, with one or two lines. Prints its seconds in the loop."""

from __future__ import annotations

import gc
import os
import sys
import time

from flexor.cosim.tlm.end import PointMotion
from flexor.cosim.tlm.plugin import COMPONENT, TLMPlugin


def main(names: list[str], server: str) -> None:
    """Semi-implicit steps of a point mass of 1 kg along x, as long as the lines allow."""
    with TLMPlugin.connect(os.environ[COMPONENT], server, timeout=60) as plugin:
        points = [plugin.register(name) for name in names]
        x, v = 0.0, 0.0
        plugin.begin({point: PointMotion((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)) for point in points})
        steps = round((plugin.stop - plugin.start) / plugin.largest_step)
        h = plugin.largest_step
        gc.disable()
        began = time.perf_counter()
        for i in range(1, steps + 1):
            t = plugin.start + i * h
            wave, Z = 1.0, 0.0
            for point in points:
                end = plugin.wait(point, t)
                assert end is not None
                wave += end.waves.at(t)[0]
                Z += end.line.impedance
            v = (v + h * wave) / (1.0 + h * Z)
            x += h * v
            motion = PointMotion((x, 0.0, 0.0), (v, 0.0, 0.0))
            for point in points:
                plugin.set_motion(point, t, motion)
        seconds = time.perf_counter() - began
        plugin.done()
    print(seconds)


if __name__ == "__main__":
    main(sys.argv[1:-1], sys.argv[-1])
