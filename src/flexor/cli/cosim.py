"""flexor cosim: several simulators together; flexor component: a Flexor model as one of them."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from flexor.cli.output import Json, plain_warnings, print_json


def cosim(
    file: Annotated[Path, typer.Argument(help="Meta-model, .xml, .yaml or .json.")],
    check: Annotated[
        bool, typer.Option("--check", help="Tell what the couplings will do, and better parameters; run nothing.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for the log of waves and the programs' output.")] = None,
    host: Annotated[str, typer.Option(help="Where to listen; 0.0.0.0 lets other machines take part.")] = "127.0.0.1",
    timeout: Annotated[
        float, typer.Option(help="Seconds without a word from a component before giving up.", min=0.1)
    ] = 300.0,
    connect: Annotated[float, typer.Option(help="Seconds that components have to start.", min=0.1)] = 60.0,
    probe: Annotated[
        bool, typer.Option(help="With --check: start programs that do not tell their mass for a small test.")
    ] = True,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    json: Json = False,
) -> None:
    """Run a co-simulation: start its components, pass waves on, watch energies; or check it beforehand."""
    from flexor.cosim.meta_model import load
    from flexor.cosim.run import run

    plain_warnings()
    model = load(file)
    out = out or Path()
    if check:
        _check(model, file.parent, probe, json)
        return
    bars = _Bars(model.start_time, model.stop_time, quiet)
    secret = os.environ.get("FLEXOR_COSIM_SECRET")
    with _ended_in_order():
        outcome = run(
            model,
            folder=file.parent,
            out=out,
            host=host,
            secret=secret,
            timeout=timeout,
            connect=connect,
            progress=bars,
            announce=lambda line: print(line, file=sys.stderr, flush=True),
        )
    waves = outcome.waves
    facts = []
    for connection in model.connections:
        balances = waves.balances(connection)
        facts.append(
            {
                "connection": str(connection),
                "parasitic_mass": connection.line.parasitic_mass,
                "largest_gap": waves.gap(connection),
                "energy_passed": sum(each.passed for each in balances),
                "energy_gained": sum(each.gained for each in balances),
            }
        )
    if json:
        print_json({"file": file, "log": outcome.log.absolute(), "messages": outcome.exchanged, "connections": facts})
        return
    for each in facts:
        print(
            f"{each['connection']}: ends apart by {each['largest_gap']:.3g} m at most; {each['energy_passed']:.4g} J passed, "
            f"{each['energy_gained']:.2g} J gained; adds {each['parasitic_mass']:.4g} kg"
        )
    print(f"waves: {outcome.log}")


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """Who is asked to end by a signal ends all components first, as after Ctrl-C."""

    def end(number: int, frame: object) -> None:
        sys.exit(128 + number)

    before = {}
    if threading.current_thread() is threading.main_thread():
        before = {n: signal.signal(getattr(signal, n), end) for n in ("SIGTERM", "SIGHUP") if hasattr(signal, n)}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _check(model: Any, folder: Path, probe: bool, json: bool) -> None:
    from flexor.cosim.preflight import forecasts
    from flexor.cosim.survey import survey
    from flexor.errors import ModelError
    from flexor.shown import counted

    known = survey(model, folder, probe, lambda line: print(line, file=sys.stderr))
    found = forecasts(model, known.inertias)
    if json:
        told = [
            {
                "connection": str(each.connection),
                "stiffness": each.line.stiffness,
                "rotational_stiffness": each.line.rotational_stiffness,
                "parasitic_mass": each.line.parasitic_mass,
                "parasitic_inertia": each.line.parasitic_inertia,
                "standing_waves_hz": each.line.standing_waves(3),
                "masses": [end.mass for end in each.ends],
                "inertias": [end.inertia for end in each.ends],
                "share": each.share,
                "energy_share": each.energy_share,
                "coupling_frequency_hz": each.coupling_frequency,
                "largest_delay": each.largest_delay,
                "explicit_number": each.explicit_number,
                "proposal": None if (p := each.proposal) is None
                else {"Delay": p.delay, "Zf": p.impedance, "Zfr": p.rotary, "alpha": p.alpha},
                "doubts": each.doubts,
            }
            for each in found
        ]  # fmt: skip
        print_json({"name": model.name, "connections": told, "problems": [str(each) for each in known.problems]})
        if known.problems:
            raise ModelError(known.problems)
        return
    parts = f"{counted(len(model.sub_models), 'component')}, {counted(len(model.connections), 'connection')}"
    print(f"meta-model '{model.name}': {parts}")
    for each in found:
        print("\n".join(each.told()))
    if known.problems:
        raise ModelError(known.problems)


class _Bars:
    """How far each component is: a line on a terminal, or one every few seconds."""

    def __init__(self, begin: float, end: float, quiet: bool) -> None:
        self._begin, self._end, self._quiet = begin, end, quiet
        self._printed = time.monotonic()
        self._live = sys.stderr.isatty()

    def __call__(self, reached: dict[str, float]) -> None:
        now = time.monotonic()
        if self._quiet or now - self._printed < (0.2 if self._live else 5.0):
            return
        self._printed = now
        told = " · ".join(f"{name} {self._part(t)}" for name, t in reached.items())
        print(f"\r{told}\x1b[K" if self._live else told, end="" if self._live else "\n", file=sys.stderr, flush=True)

    def _part(self, t: float) -> str:
        part = (t - self._begin) / (self._end - self._begin)
        return f"{100 * part:.0f} %" if part >= 0 else "starts"


def component(
    model: Annotated[Path, typer.Argument(help="Model file or mapping of an FMU, .yaml or .json.")],
    start: Annotated[float, typer.Argument(help="Start [s], as the manager gives it.")],
    stop: Annotated[float, typer.Argument(help="End [s].")],
    largest: Annotated[float, typer.Argument(help="Longest step [s].")],
    server: Annotated[str, typer.Argument(help="host:port of the manager.")],
    name: Annotated[str | None, typer.Option(help="Name in the meta-model; from the manager by default.")] = None,
    interface: Annotated[
        list[str] | None,
        typer.Option(help='Interface and its marker, e.g. "hub=wheel.hub"; repeatable. All markers by default.'),
    ] = None,
    step: Annotated[str | None, typer.Option(help='Time step, e.g. "0.1 ms"; the longest possible by default.')] = None,
    error: Annotated[float | None, typer.Option(help="Error per step, e.g. 1e-6; the step adapts to it.")] = None,
    rho: Annotated[float | None, typer.Option(help="Spectral radius of generalized-α: 1 no damping, 0 most.")] = None,
    output: Annotated[str | None, typer.Option(help="Time between recorded rows; every step by default.")] = None,
    out: Annotated[Path | None, typer.Option(help="Results file; <name>.flexor.h5 by default.")] = None,
) -> None:
    """Take part in a co-simulation with a Flexor model, or an FMU by its mapping; StartCommand="flexor component"."""
    from flexor.cli.models import load
    from flexor.cosim.component import fmu
    from flexor.cosim.component.flexor_model import component as of_model
    from flexor.cosim.tlm.plugin import COMPONENT, TLMPlugin
    from flexor.errors import ModelError, Problem
    from flexor.units import si

    plain_warnings()
    name = name or os.environ.get(COMPONENT) or model.stem
    if fmu.is_mapping(model):
        mapping = fmu.load(model)
        with TLMPlugin.connect(name, server, step=mapping.step or 0.0) as plugin:
            fmu.component(mapping, model.parent)(plugin)
        return
    chosen = None
    if interface:
        wrong = [each for each in interface if "=" not in each]
        if wrong:
            raise ModelError(Problem("component", f"--interface {wrong[0]} names no marker", "", "write hub=wheel.hub"))
        chosen = dict(each.split("=", 1) for each in interface)
    settings: dict[str, Any] = {"error": error, "integrator": rho, "output": output}
    simulate = of_model(
        load(model),
        chosen,
        step=step,
        file=out or Path(f"{name}.flexor.h5"),
        **{key: value for key, value in settings.items() if value is not None},
    )
    told = 0.0 if step is None or error is not None else float(si(step, "time"))
    with TLMPlugin.connect(name, server, step=told) as plugin:
        simulate(plugin)
