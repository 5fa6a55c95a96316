"""Pictures of the viewer for the README and the gallery: `python docs/screenshots.py [name …]`; needs chromium and `make viewer`."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from shutil import which
from typing import Any

from playwright.sync_api import sync_playwright

import flexor as fx
from flexor.cli.demo import slider_crank
from flexor.io.abaqus.writer import write_inp
from flexor.mesh.connecting_rod import connecting_rod
from flexor.viewer.server import View
from flexor.viewer.show import stage_of

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
FLAGS = ("--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist")
SIZE = {"width": 1280, "height": 800}

Shown = tuple[list[Any], str]
"""Things to show, and what is done on the page before the picture is taken."""


def example(name: str) -> Any:
    sys.path.insert(0, str(EXAMPLES))
    return __import__(name)


def stress() -> Shown:
    """The demo with the stress in its rod."""
    folder = Path(tempfile.mkdtemp())
    write_inp(folder / "rod.inp", connecting_rod())
    run = slider_crank(str(folder / "rod.inp")).dynamics(until="0.3 s", step="0.1 ms", show=False)
    return [
        run
    ], "await app.settings.set({field: 'stress', component: 'von_mises', deformation: 40}); await flexor.setTime(1329)"


def suspension() -> Shown:
    run = example("front_suspension").axle().dynamics(until="0.5 s", step="2 ms", show=False)
    return [run], "await flexor.setTime(60)"


def modes() -> Shown:
    return [example("two_booms").model.modes(10)], "app.settings.set({mode: 8}); await flexor.setTime(0)"


def campbell() -> Shown:
    """A disc on a flexible shaft in soft bearings."""
    shaft = fx.Beam("shaft", [(0, 0, 0), (0, 0, 1)], fx.Circle("15 mm"), fx.Steel(), divisions=12)
    disc = fx.RigidBody("disc", mass=10, inertia=(0.1, 0.1, 0.19), shapes=[fx.Cylinder("150 mm", "20 mm")])
    soft = {"stiffness": (1e6, 1e6, 1e6, 0, 0, 0)}
    bearings = [
        fx.Bushing("left", fx.ground, shaft["start"], **soft),
        fx.Bushing("right", fx.ground.at(0, 0, 1), shaft["end"], **soft),
    ]
    model = fx.Model("rotor", [shaft, disc, fx.Fixed("fit", shaft["node 4"], disc), *bearings])
    speeds = [f"{n} rpm" for n in range(0, 12001, 1000)]
    return [
        model.campbell(speeds, count=6, rotor="disc", axis="z")
    ], "app.settings.set({mode: 6 * 8 + 4}); await flexor.setTime(5)"


PICTURES: dict[str, Callable[[], Shown]] = {
    "viewer-stress": stress,
    "viewer-suspension": suspension,
    "viewer-modes": modes,
    "viewer-campbell": campbell,
}


def take(browser: Any, things: list[Any], steps: str, file: Path) -> None:
    view = View(stage_of(things)).start()
    page = browser.new_page(viewport=SIZE)
    page.set_default_timeout(120_000)
    try:
        page.goto(f"{view.url}#settings.fine=true")
        page.evaluate("window.flexor.ready")
        page.evaluate(f"async () => {{ const app = flexor.app; {steps} }}")
        page.wait_for_timeout(4000)
        page.screenshot(path=file)
    finally:
        page.close()
        view.close()


def main(names: list[str]) -> None:
    program = which("chromium") or which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        for name in names or PICTURES:
            take(browser, *PICTURES[name](), HERE / "pictures" / f"{name}.png")
            print(HERE / "pictures" / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
