"""Strain gauges in the scene of a run: where they sit, which way they look, and their readings as signals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexor.recover import GaugeReading, StrainGauge
from flexor.recover.gauge import LEGS
from flexor.results.run import Run
from flexor.spatial import about
from flexor.viewer.primitive import Primitive, floats, primitive, quaternion
from flexor.viewer.properties import properties_of
from flexor.viewer.scene import Scene

FOIL, WIRE = "#f2c14e", "#7a4b00"


def with_gauges(scene: Scene, run: Run, gauges: Sequence[StrainGauge]) -> Scene:
    """The scene with gauges on its flexible bodies; those that are not recorded, or sit on none, are refused as by `run.gauge`."""
    if not gauges:
        return scene
    header, series = dict(scene.header), dict[str, np.ndarray]()
    bodies = [body["name"] for body in header["bodies"]]
    items, signals = list(header["items"]), list(header["signals"])
    for gauge in gauges:
        reading = run.gauge(gauge)
        own = reading.signals()
        series |= {name: np.asarray(each.values, dtype=np.float64) for name, each in own.items()}
        number = bodies.index(gauge.body)
        items.append(_item(reading, number, _vertex(scene, header["bodies"][number], reading.position), list(own)))
        for name, each in own.items():
            quantity = name.removeprefix(f"{gauge.name}.")
            signals.append({"name": name, "unit": each.unit, "quantity": quantity, "owner": gauge.name})
    header |= {"items": items, "signals": signals}

    def signal(name: str) -> np.ndarray:
        found = series.get(name)
        return scene.signal(name) if found is None else found

    return Scene(header, scene.buffers, scene.frames, signal)


def _vertex(scene: Scene, body: dict[str, Any], p: np.ndarray) -> int:
    """The vertex of the body's skin that is nearest."""
    X = scene.buffers.array(body["mesh"]["vertices"])
    return int(np.argmin(np.linalg.norm(X - p, axis=1)))


def _item(reading: GaugeReading, body: int, vertex: int, signals: list[str]) -> dict[str, Any]:
    gauge = reading.gauge
    end = {"body": body, "position": floats(reading.position), "orientation": quaternion(reading.axes), "node": vertex}
    place = ["element", ", ".join(map(str, reading.elements))]
    return {
        "name": gauge.name,
        "type": type(gauge).__name__,
        "group": "gauges",
        "ends": [end],
        "glyph": gauge_glyph(gauge),
        "properties": [*properties_of(gauge), place],
        "signals": signals,
    }


def gauge_glyph(gauge: StrainGauge) -> list[Primitive]:
    """A foil on the surface (z outward) with a bar along each leg."""
    foil = primitive("box", (1.0, 0.7, 0.06), (0, 0, 0.05), end=0, relative=True, color=FOIL)
    legs = [
        primitive(
            "box", (0.9, 0.08, 0.06), (0, 0, 0.1), about(2, float(np.radians(angle))), end=0, relative=True, color=WIRE
        )
        for angle in LEGS[gauge.kind]
    ]
    return [foil, *legs]
