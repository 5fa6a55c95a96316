"""What the viewer sends per frame, and how fast it shows it, in a headless browser with WebGL in software.

A plate of 100 000 nodes, all on its surface, and 30 modes is served as any run is: surface and shapes once, pose and modal coordinates per frame.
The ratio is that of the raw displacements of all nodes (three single-precision numbers each) to what is sent per frame. Beside it: the size
of the page, the time until the page of the demo is ready, and frames per second of the large body, each waited for with readPixels.
Without chromium, or without the page (make viewer), the figures of the browser are left out.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.recovery import waving
from benchmarks.timing import machine_facts
from flexor.cli.demo import slider_crank
from flexor.io.abaqus.writer import write_inp
from flexor.mesh.connecting_rod import connecting_rod
from flexor.mesh.generate import bar
from flexor.spatial import Pose
from flexor.viewer import page
from flexor.viewer.buffers import Buffers
from flexor.viewer.mesh_picture import body_skin, mesh_header, reduced_shapes, stress_fields
from flexor.viewer.picture import POSE, header_of, pose_row
from flexor.viewer.primitive import points_of
from flexor.viewer.scene import GLYPH, Scene, header
from flexor.viewer.server import View
from flexor.viewer.show import stage_of
from flexor.viewer.stage import Stage

SIZES = {10: (100, 49, 1), 100: (316, 158, 1)}
"""Thousands of nodes → divisions; one element through the thickness, so that no node is inside."""
FLAGS = (
    *("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"),
    "--disable-background-networking",
)


def large_scene(thousands: int, modes: int, rows: int) -> tuple[Scene, int]:
    """A plate that bends in many modes, and its number of nodes."""
    made, buffers = waving(bar(1.0, 0.5, 0.02, SIZES[thousands], material=fx.Steel()), modes), Buffers()
    skin = body_skin(made)
    shown = header_of("bar", "modal", 0)
    fields, shapes = stress_fields(made, skin, buffers), reduced_shapes(made, skin, buffers)
    shown["mesh"] = mesh_header(made, skin, buffers, modes=modes, z=POSE, shapes=shapes, fields=fields)
    t = np.linspace(0.0, 1.0, rows)
    z = 50 * np.sin(np.outer(2 * np.pi * t, np.arange(1, modes + 1)))
    frames = np.hstack([np.tile(pose_row(Pose()), (rows, 1)), z]).astype(np.float32)
    low, high = made.nodes.min(axis=0), made.nodes.max(axis=0)
    told = header(
        "run",
        "bar",
        status="finished",
        times={"buffer": buffers.add(t, "f8")["buffer"], "count": rows},
        frames={"count": rows, "width": frames.shape[1]},
        box=points_of([low, high]),
        glyph_size=GLYPH * float(np.linalg.norm(high - low)),
        bodies=[header_of("ground", "ground", 0, pose=-1), shown],
    )
    return Scene(told, buffers, lambda first, count: frames[first : first + count]), len(made.nodes)


def bytes_per_frame(scene: Scene, count: int = 100) -> float:
    """What a server sends for rows, by the rows."""
    view = _served(Stage([lambda: scene], ["bar"]))
    try:
        address = view.url.replace("/?", f"/api/frames?first=0&count={count}&")
        with urllib.request.urlopen(address) as answer:
            return len(answer.read()) / count
    finally:
        view.close()


def _served(stage: Stage) -> View:
    view = View(stage).start()
    for _ in range(200):
        try:
            urllib.request.urlopen(view.url).close()
            break
        except OSError:
            time.sleep(0.02)
    return view


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium without a window; None where it is missing."""
    program = which("chromium") or which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        program = None
    if program is None:
        yield None
        return
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield found
        found.close()


def ready(chromium: Any, stage: Stage) -> tuple[float, Any, View]:
    """Seconds until a page is ready, the page, and its server."""
    view = _served(stage)
    stage.scene()
    shown = chromium.new_page(viewport={"width": 1280, "height": 800})
    begin = time.perf_counter()
    shown.goto(view.url)
    shown.evaluate("window.flexor.ready")
    return time.perf_counter() - begin, shown, view


def demo_run() -> Any:
    """The run of `flexor demo`, in memory."""
    folder = Path(tempfile.mkdtemp())
    write_inp(folder / "rod.inp", connecting_rod())
    return slider_crank(str(folder / "rod.inp")).dynamics(until="0.3 s", step="0.1 ms", show=False)


def in_browser(scene: Scene, frames: int) -> dict[str, float]:
    """Seconds until the demo is there, milliseconds per frame of the large body."""
    with browser() as chromium:
        if chromium is None:
            return {}
        demo = stage_of([demo_run()])
        seconds = []
        for _ in range(3):
            one, shown, view = ready(chromium, demo)
            seconds.append(one)
            shown.close()
            view.close()
        _, shown, view = ready(chromium, Stage([lambda: scene], ["bar"]))
        per_frame = float(shown.evaluate("count => flexor.timeFrames(count)", frames))
        shown.close()
        view.close()
        return {"demo ready [s]": min(seconds), "large body [ms/frame]": per_frame}


def bundle_size() -> int:
    """Bytes of the page, gzipped."""
    return sum(len(gzip.compress(page.bundle(name).encode(), 9)) for name in ("viewer.js", "viewer.css"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--size", type=int, default=100, choices=SIZES, help="thousands of nodes")
    parser.add_argument("--modes", type=int, default=30, help="of the body")
    parser.add_argument("--frames", type=int, default=60, help="shown in the browser")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """Figures one by one; last the ratio of raw displacements to what is sent."""
    scene, nodes = large_scene(arguments.size, arguments.modes, 1 + max(arguments.frames, 100))
    mesh = scene.header["bodies"][1]["mesh"]
    once = sum(4 * int(np.prod(mesh[part]["shape"])) for part in ("vertices", "triangles", "edges", "nodes", "shapes"))
    found: dict[str, float] = {"nodes": nodes, "vertices": mesh["vertices"]["shape"][0], "sent once [MB]": once / 1e6}
    sent = 4.0 * (POSE + arguments.modes)
    if page.is_built():
        sent = bytes_per_frame(scene)
        found |= {"bundle, gzipped [kB]": bundle_size() / 1e3, **in_browser(scene, arguments.frames)}
    found |= {"sent per frame [bytes]": sent, "raw per frame [bytes]": 12.0 * nodes}
    ratio = 12.0 * nodes / sent
    facts = machine_facts("numpy", "starlette", "uvicorn")
    if arguments.json:
        print(json.dumps({"machine": facts, **found, "ratio": ratio}))
        return 0
    for name, value in found.items():
        print(f"  {name:28s} {value:12.5g}")
    if "large body [ms/frame]" in found:
        print(f"  {'large body [frames/s]':28s} {1e3 / found['large body [ms/frame]']:12.5g}")
    else:
        print("  no figures of the browser: chromium, playwright or the page (make viewer) is missing")
    print(f"\n{facts}, {os.cpu_count()} processors")
    print(f"ratio {ratio:.4g}")
    return 0
