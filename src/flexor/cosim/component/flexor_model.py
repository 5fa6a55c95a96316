"""Flexor's own engine as a component: any marker of a model, on a rigid or a flexible body, can be an interface.

run(meta_model, {"arm": component(model), …})                                         in threads of this process
flexor component arm.yaml 0 1 1e-4 localhost:11111                                     as a program
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from flexor.bodies import Body
from flexor.bodies.marker import MarkerRef
from flexor.cosim.component.line_law import KEPT, Arriving, Told, line_end
from flexor.cosim.tlm.end import PointMotion
from flexor.cosim.tlm.plugin import PluginInterface, TLMPlugin
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.forces import UserLaw
from flexor.model import Model
from flexor.results.kept_run import record
from flexor.results.run import Run
from flexor.results.writer import RunWriter
from flexor.solve import dynamics
from flexor.units import Quantity, si

LAW = "line "
"""Begin of the names under which the forces of lines stand in the results: "line arm tip.force_x"."""


class ModelLines:
    """The lines of a model's interfaces, as its engine sees them; takes part in every step of a run (`flexor.solve.dynamics`)."""

    def __init__(self, plugin: TLMPlugin, interfaces: Mapping[PluginInterface, UserLaw]) -> None:
        self._plugin, self._items = plugin, dict(interfaces)
        self._records: dict[PluginInterface, Arriving] = {}
        self._told: dict[PluginInterface, Told] = {}

    def begin(self, system: System) -> None:
        """Tell where all interfaces are and how they move; all components do so before any starts."""
        run = system.run
        run.time = run.time0 = run.start_time = self._plugin.start
        names = [term.name for term in system.mechanism.terms]
        for interface, item in self._items.items():
            i = names.index(item.name)
            self._records[interface] = Arriving(system.memory.p_parameters[int(system.terms["p"][i]) :])
            self._told[interface] = Told(system.memory.history[int(system.terms["h"][i]) :])
        system.call("commit")
        self._plugin.begin({interface: self._motion(interface) for interface in self._items})

    def before_step(self, system: System, until: float) -> None:
        """Wait for the waves of a step and give them to the laws."""
        begin = float(system.run.time0)
        for interface, law in self._records.items():
            end = self._plugin.wait(interface, until)
            assert end is not None
            times, waves = end.waves.between(begin, until)
            if len(times) > KEPT:
                times, waves = [times[0], *times[1 - KEPT :]], [waves[0], *waves[1 - KEPT :]]
            law.count = len(times)
            law.times[: len(times)] = times
            law.waves[: 6 * len(times)] = [component for wave in waves for component in wave]

    def after_step(self, system: System) -> None:
        """Tell the motion at the end of a step."""
        now = float(system.run.time0)
        for interface in self._items:
            self._plugin.set_motion(interface, now, self._motion(interface))

    def _motion(self, interface: PluginInterface) -> PointMotion:
        told = self._told[interface]
        return PointMotion(told.x.tolist(), told.v.tolist(), told.R.tolist(), told.omega.tolist())


def component(
    model: Model,
    interfaces: Mapping[str, MarkerRef | str] | None = None,
    *,
    step: Quantity | None = None,
    file: str | Path | None = None,
    keep: Callable[[Run], None] | None = None,
    **settings: Any,
) -> Callable[[TLMPlugin], None]:
    """A model as a component of a co-simulation.

    interfaces: name in the meta-model → marker; left out, every body and marker by its own name, "arm" and "arm.tip".
    step: time step [s], the longest that its lines allow if left out; with `error` in the settings, the first one.
    file: results file.   keep: is given the Run at the end.   settings: those of `model.dynamics`.
    """
    chosen = dict(markers_of(model) if interfaces is None else interfaces)

    def simulate(plugin: TLMPlugin) -> None:
        registered = {name: plugin.register(name) for name in chosen}
        items = {
            interface: _law(name, number, interface, chosen[name])
            for number, (name, interface) in enumerate(registered.items())
            if interface.connected
        }
        coupled = model.with_item(*items.values())
        most = min(plugin.largest_step, plugin.stop - plugin.start)
        first = None if step is None else min(_step(step, plugin, settings), most)
        timing: dict[str, Any] = {"step": first or most}
        if settings.get("error") is not None:
            timing = {"max_step": most, "step": first}
        solver = partial(dynamics, coupled, plugin.stop, exchange=ModelLines(plugin, items), **{**settings, **timing})
        writer = RunWriter(model, {"until": plugin.stop, **settings, **timing}, file=file)
        run = record(solver, plugin.name, writer, False)
        plugin.done()
        if keep is not None:
            keep(run)

    return simulate


def _step(given: Quantity, plugin: TLMPlugin, settings: Mapping[str, Any]) -> float:
    step = float(si(given, "time"))
    if step > plugin.largest_step * (1 + 1e-9) and settings.get("error") is None:
        why = f"its lines allow {plugin.largest_step:g} s"
        fix = "leave the step out, or make the delay longer, or with exact_step of the component steps as long as it"
        raise ModelError(Problem(f"component '{plugin.name}'", f"its step of {step:g} s is too long", why, fix))
    return step


def markers_of(model: Model) -> dict[str, str]:
    """Every place of a model that can be an interface, by the name under which it is registered."""
    found: dict[str, str] = {}
    for item in model.items:
        if isinstance(item, Body):
            found |= {item.name: item.name} | {
                f"{item.name}.{marker}": f"{item.name}.{marker}" for marker in item.marker_names
            }
    return found


def _law(name: str, number: int, interface: PluginInterface, marker: MarkerRef | str) -> UserLaw:
    if interface.end is None or interface.end.dimensions != 3:
        what, why = f"interface '{name}' has one dimension", "markers of a Flexor model move in space"
        raise ModelError(Problem("component", what, why, "make it one of three dimensions in the meta-model"))
    line = interface.line
    return UserLaw(
        LAW + name.replace(".", " "),
        line_end,
        on=(MarkerRef.model_validate(marker),),
        parameters={
            "which": number,
            "count": 1,
            "impedance": line.impedance,
            "rotary": line.rotary,
            "times": [0.0] * KEPT,
            "waves": [0.0] * (6 * KEPT),
        },
        history=(0.0,) * Told.WORDS,
    )
