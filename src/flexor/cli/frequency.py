"""flexor frequency: response to vibration, from a model or from a results file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexor.cli.output import Json, plain_warnings, print_json
from flexor.errors import ModelError, Problem

if TYPE_CHECKING:
    from flexor.solve import FrequencyResponse


def frequency(
    file: Annotated[Path, typer.Argument(help="Model file (.yaml, .json), or results of this command (.h5).")],
    inputs: Annotated[
        list[str] | None,
        typer.Option("--input", help='What vibrates, e.g. "push.force" or "shaker.z"; several times for several.'),
    ] = None,
    outputs: Annotated[
        list[str] | None, typer.Option("--output", help="Sensor or signal; all sensors of the model if left out.")
    ] = None,
    low: Annotated[str, typer.Option("--from", help='Lowest frequency [Hz], or with a unit, "60 rpm".')] = "1",
    high: Annotated[str | None, typer.Option("--to", help="Highest frequency.")] = None,
    points: Annotated[int, typer.Option(help="How many frequencies.", min=1)] = 400,
    log: Annotated[bool, typer.Option("--log", help="Frequencies in equal ratios instead of equal steps.")] = False,
    method: Annotated[str, typer.Option(help="auto, direct, sweep or modal.")] = "auto",
    modes: Annotated[int | None, typer.Option(help="How many modes, by modes.")] = None,
    modal_damping: Annotated[
        float | None, typer.Option(help="Damping ratio of all modes, in place of the model's.")
    ] = None,
    structural_damping: Annotated[float, typer.Option(help="Loss factor of all stiffness.")] = 0.0,
    at_start: Annotated[
        bool, typer.Option("--at-start", help="About the initial position instead of the equilibrium.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Results file; <model>.frequency.h5 by default.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write a table of magnitudes and phases.")] = None,
    npz: Annotated[Path | None, typer.Option(help="Write a NumPy archive.")] = None,
    bode: Annotated[Path | None, typer.Option(help="Draw magnitude and phase over frequency.")] = None,
    nyquist: Annotated[Path | None, typer.Option(help="Draw imaginary over real part.")] = None,
    json: Json = False,
) -> None:
    """Response of sensors to harmonic loads, motors and base motion."""
    from flexor.io.replaceable import check_replaceable
    from flexor.solve import FrequencyResponse
    from flexor.solve.frequency.store import STORE, SUFFIX

    plain_warnings()
    for picture in (bode, nyquist):
        if picture is not None:
            check_replaceable(picture, "picture", f"plot {picture}")  # before the work, not after it
    files: dict[str, Path] = {}
    if file.suffix in (".h5", ".hdf5"):
        _refuse(file, inputs, outputs, high, out)
        response = FrequencyResponse.load(file)
    else:
        if not inputs or high is None:
            missing, fix = (
                ("--input", "--input push.force") if not inputs else ("--to", '--to 200, or --to "12000 rpm"')
            )
            raise ModelError(Problem("flexor frequency", f"{missing} is missing", "", f"e.g. {fix}"))
        target = out or file.with_name(file.stem + SUFFIX)
        check_replaceable(target, STORE.name, f"results file {target}")
        options = {
            "method": method, "modes": modes, "modal_damping": modal_damping, "structural_damping": structural_damping,
            "at": "start" if at_start else "equilibrium",
        }  # fmt: skip
        response = _computed(file, inputs, outputs, (low, high, points, log), options)
        files["results"] = response.save(target)
    if csv is not None:
        files["table"] = response.to_csv(csv)
    if npz is not None:
        files["archive"] = response.to_npz(npz)
    if bode is not None:
        response.plot_bode(bode)
        files["bode"] = bode
    if nyquist is not None:
        response.plot_nyquist(nyquist)
        files["nyquist"] = nyquist
    if json:
        print_json({"file": file, **facts(response), **{what: where.absolute() for what, where in files.items()}})
        return
    print(response)
    for what, where in files.items():
        print(f"{what}: {where}")


def _computed(
    file: Path, inputs: list[str], outputs: list[str] | None, band: tuple[str, str, int, bool], options: dict[str, Any]
) -> FrequencyResponse:
    import numpy as np

    from flexor.cli.models import load
    from flexor.results import analyses

    low, high = (_hertz(name, text) for name, text in zip(("--from", "--to"), band[:2], strict=True))
    points, log = band[2:]
    if not high >= low or (log and not low > 0):
        what = f"--from {band[0]} --to {band[1]}"
        why = (
            "the highest is below the lowest" if not high >= low else "equal ratios need a lowest frequency above zero"
        )
        raise ModelError(Problem("flexor frequency", what, why, "e.g. --from 1 --to 200"))
    hertz = np.geomspace(low, high, points) if log else np.linspace(low, high, points)
    return analyses.frequency_response(load(file), hertz, inputs, outputs, **options)


def _hertz(name: str, text: str) -> float:
    from flexor.arguments import quantity_of

    try:
        value: float | str = float(text)
    except ValueError:
        value = text
    return quantity_of("flexor frequency", name, value, "frequency")


def _refuse(file: Path, inputs: object, outputs: object, high: object, out: object) -> None:
    """What is for models has no meaning for results."""
    given = {"--input": inputs, "--output": outputs, "--to": high, "--out": out}
    for name, value in given.items():
        if value:
            fix = f"leave {name} out, or give the model"
            raise ModelError(Problem(f"flexor frequency {file}", f"{name} is given", "this is a results file", fix))


def facts(response: FrequencyResponse) -> dict[str, object]:
    """A response in numbers: for each output and input where it is largest, and its peaks."""
    import numpy as np

    found = []
    for output in response.outputs:
        for given in response.inputs:
            size = np.abs(response[output, given])
            top = int(np.argmax(size))
            found.append(
                {
                    "output": output,
                    "input": given,
                    "unit": response.unit(output, given),
                    "largest": size[top],
                    "at_hz": response.frequencies[top],
                    "peaks_hz": response.peaks(output, given),
                }
            )
    return {
        "kind": "frequency response",
        "frequencies": len(response),
        "from_hz": response.frequencies.min(),
        "to_hz": response.frequencies.max(),
        "method": response.method,
        "responses": found,
    }
