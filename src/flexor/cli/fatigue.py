"""flexor fatigue: damage and life of a flexible body from a results file."""

from __future__ import annotations

from functools import reduce
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexor.cli.output import Json, Verify, plain_warnings, print_json
from flexor.cli.shown import Browser, Port, ViewOption, show
from flexor.errors import FileError, ModelError, Problem

if TYPE_CHECKING:
    from flexor.fatigue import Damage, MeanStress, SNCurve
    from flexor.results import Run

CURVES = "dnv:D, dnv:D:seawater:40 mm, eurocode3:71, eurocode3:80:shear:1.15, fkm:600 MPa, fkm:300 MPa:aluminium, or a YAML file"
MEANS = "none, swt, goodman:600 MPa, gerber:600 MPa, morrow:900 MPa, fkm:0.2, fkm:600 MPa:steel, mcdiarmid:600 MPa"
EVENT = '"20: 0 s: 0.2 s", or "5000: 0 s: 1 s: cruise.flexor.h5" of another run'


def fatigue(
    file: Annotated[Path, typer.Argument(help="Results file, .h5.")],
    body: Annotated[str, typer.Argument(help="Flexible body.")],
    curve: Annotated[str, typer.Option(help=f"S-N curve: {CURVES}.")],
    measure: Annotated[
        str,
        typer.Option(
            help="signed_max, signed_von_mises, a component xx … zx, critical_plane (normal stress) or critical_shear."
        ),
    ] = "signed_max",
    plane_step: Annotated[str, typer.Option(help="Angle between critical planes.")] = "10 deg",
    mean_stress: Annotated[str | None, typer.Option(help=f"Correction: {MEANS}.")] = None,
    gate: Annotated[str, typer.Option(help='Smaller oscillations are passed over, e.g. "1 MPa".')] = "0 MPa",
    residue: Annotated[str, typer.Option(help="closed (the history repeats itself), half (ASTM) or none.")] = "closed",
    begin: Annotated[str | None, typer.Option("--from", help='Time from which on it counts, e.g. "0.2 s".')] = None,
    end: Annotated[str | None, typer.Option("--to", help="Time until which it counts.")] = None,
    event: Annotated[
        list[str] | None, typer.Option(help=f"Load event, repetitions: from: to, e.g. {EVENT}; repeatable.")
    ] = None,
    stress_factor: Annotated[float, typer.Option(help="Multiplies the stress, as of a notch.")] = 1.0,
    strength_factor: Annotated[float, typer.Option(help="Multiplies the curve: surface, reliability.")] = 1.0,
    survival: Annotated[float | None, typer.Option(help="Share of parts that shall survive, e.g. 0.99.")] = None,
    vtu: Annotated[Path | None, typer.Option(help="Write the damage of all nodes as a VTU file.")] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw the rainflow matrix of the worst node.")] = None,
    view: ViewOption = False,
    port: Port = 0,
    browser: Browser = True,
    verify: Verify = True,
    json: Json = False,
) -> None:
    """Fatigue damage and life: rainflow cycles of stress at all nodes, an S-N curve, Miner's rule."""
    from flexor.results import Run

    plain_warnings()
    run = Run(file, verify)
    sn = curve_of(curve)
    if strength_factor != 1:
        sn = sn.scaled(strength_factor)
    if survival is not None:
        sn = sn.surviving(survival)
    correction = mean_stress_of(mean_stress)

    def damage(run: Run, begin: str | None, end: str | None) -> Damage:
        times = run.time
        between = None if begin is None and end is None else (begin or float(times[0]), end or float(times[-1]))
        return run.damage(body, sn, measure=measure, mean_stress=correction, gate=gate, residue=residue,
                          stress_factor=stress_factor, between=between, plane_step=plane_step)  # fmt: skip

    if event and (begin is not None or end is not None):
        raise ModelError(Problem("fatigue", "--event beside --from or --to", "", "an event has times of its own"))
    parts = [_event(text) for text in event or ()]
    events = [times * damage(run if other is None else Run(other, verify), *span) for times, span, other in parts]
    found = reduce(add, events) if events else damage(run, begin, end)
    files = {}
    if vtu is not None:
        files["vtu"] = found.vtu(vtu).absolute()
    if plot is not None:
        found.cycles().plot(plot)
        files["plot"] = plot.absolute()
    if json:
        print_json({**_facts(found), **files})
    else:
        print(found)
        if not found.parts:
            print(found.cycles())
        for what, where in files.items():
            print(f"{what}: {where}")
    if view:
        show(run, port, browser, [found])


def _event(text: str) -> tuple[float, tuple[str | None, str | None], Path | None]:
    """Repetitions, span of time, and the results file if it is another one."""
    times, begin, end, other = (*(word.strip() for word in text.split(":", 3)), "", "", "", "")[:4]
    try:
        return float(times), (begin or None, end or None), Path(other) if other else None
    except ValueError:
        raise ModelError(Problem("load event", f"'{text}' is not understood", "", f"write {EVENT}")) from None


def curve_of(text: str) -> SNCurve:
    """A curve from its short form, or from a file."""
    from flexor.fatigue import SNCurve

    kind, *rest = text.split(":")
    makers = {"dnv": SNCurve.dnv, "eurocode3": SNCurve.eurocode3, "fkm": SNCurve.fkm}
    if kind in makers and rest:
        numbers = (0, 2) if kind == "eurocode3" else ()
        words = [_number(word) if i in numbers else word for i, word in enumerate(rest)]
        if len(words) <= 3:
            return makers[kind](*words)  # type: ignore[operator,no-any-return]
    path = Path(text)
    if path.suffix in (".yaml", ".yml", ".json"):
        return _read(path)
    raise ModelError(Problem("S-N curve", f"'{text}' is not understood", "", f"write {CURVES}"))


def mean_stress_of(text: str | None) -> MeanStress | str | None:
    """A correction from its short form."""
    from flexor.fatigue import FKM, Gerber, Goodman, McDiarmid, Morrow

    if text is None or text in ("none", "swt"):
        return text
    kind, *rest = text.split(":")
    makers = {"goodman": Goodman, "gerber": Gerber, "morrow": Morrow, "mcdiarmid": McDiarmid}
    if kind in makers and len(rest) == 1:
        return makers[kind](rest[0])
    if kind == "fkm" and 1 <= len(rest) <= 3:
        plain = rest[0].replace(".", "", 1).isdigit() and len(rest) == 1
        return FKM(float(rest[0])) if plain else FKM.of(*rest)
    raise ModelError(Problem("mean stress", f"'{text}' is not understood", "", f"write {MEANS}"))


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        fix = "category or partial factor, e.g. eurocode3:71:normal:1.15"
        raise ModelError(Problem("S-N curve", f"'{word}' is no number", "", fix)) from None


def _read(path: Path) -> SNCurve:
    """points: [[1e5, 200 MPa], …], quantity: amplitude, …"""
    import yaml

    from flexor.fatigue import SNCurve

    where = f"S-N curve {path}"
    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError(Problem(where, "cannot be read", str(error.strerror), "check the name")) from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise FileError(
            Problem(where, "is no YAML", str(error).splitlines()[0], "e.g. points: [[1e5, 200 MPa], …]")
        ) from None
    if not isinstance(data, dict):
        raise FileError(Problem(where, "has no fields", "", "write points: [[1e5, 200 MPa], [1e7, 60 MPa]]"))
    fields = {str(key): value for key, value in data.items()}
    if isinstance(fields.get("points"), list):  # YAML 1.1 takes 1e5 for text
        fields["points"] = [
            [_cycles(pair[0]), *pair[1:]] if isinstance(pair, list) and pair else pair for pair in fields["points"]
        ]
    return SNCurve(**fields)


def _cycles(value: object) -> object:
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _facts(found: Damage) -> dict[str, object]:
    worst, method = found.max(), found.method
    return {
        "damage": worst.value,
        "place": worst.label,
        "node": worst.node,
        "position": list(worst.position or ()),
        "on_tie": worst.tied,
        "life_repetitions": worst.life,
        "life_seconds": worst.life_time,
        "duration": found.duration,
        "largest_corrected_range": worst.largest,
        "normal": None if found.normals is None else list(found.normals[worst.row]),
        "events": [{"repetitions": times, "damage": times * part.values[worst.row]} for times, part in found.parts],
        "measure": found.source.measure,
        "curve": method.curve.name,
        "survival": method.curve.survival,
        "curve_quantity": method.curve.quantity,
        "mean_stress": "none" if method.correction is None else method.correction.words,
        "residue": method.residue,
        "gate": method.gate,
    }
