"""What a model may be asked: its motion, equilibrium, vibration; each with the model at hand and its results kept.

`Model` calls these; solvers (`flexor.solve`) know nothing of results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor import solve
from flexor.control import Sensor
from flexor.errors import FileError, ModelError, Problem
from flexor.model import Model
from flexor.results.kept_run import record
from flexor.results.prepared import Prepared
from flexor.results.run import Run
from flexor.results.sunk import tell_sunk
from flexor.results.writer import RunWriter
from flexor.units import Quantity, si

if TYPE_CHECKING:
    from flexor.hierarchy import Partners
    from flexor.results.mode_shapes import ModeShapes
    from flexor.results.position import Position
    from flexor.results.vibration import Vibration
    from flexor.solve.frequency.inputs import Amplitude
    from flexor.solve.frequency.time_signals import Given

Packing = tuple[bool, int | None]


def dynamics(
    model: Model,
    until: Quantity,
    step: Quantity | None = None,
    *,
    file: str | Path | None = None,
    overwrite: bool = True,
    compress: bool = False,
    digits: int | None = None,
    show: bool | None = None,
    **settings: Any,
) -> Run:
    """Integrate the equations of motion from the start up to a time; see `flexor.solve.dynamics`.

    until: end time.   step: time step; or give `error` for steps that adapt.
    file: results file to write, readable at any moment; without it the results stay in memory.
    overwrite: whether existing results may be replaced; other files never are.
    compress: smaller file by about a sixth, slower to write.   digits: significant digits of the signals that are kept, others are
        rounded away (times are not); with 7 a file is less than half as large.
    show: None for a progress bar on a terminal (elsewhere a line every few seconds), False for none.
    start: where the run begins: as declared if left out; "equilibrium" for the position of rest under the loads, with the
        velocities that the model gives; or the result of another analysis (`model.statics(…)`, a run, `run.at("0.5 s")`, modes),
        whose position, velocity and time are taken. The other analyses have the same option.
    solver: "tree" for explicit Runge–Kutta steps with accelerations subsystem by subsystem (`flexor.hierarchy`): RK4 with a step,
        Dormand–Prince with an error; "explicit" for free bodies with forces between them, very many in contact (`flexor.explicit`): with a
        step that is kept as far as it is stable, or with `output` alone.

    Ctrl-C ends the run at the next step; the Run then has the status "interrupted" and all rows so far.
    Where the solver has to give up, SolveError is raised; its `run` holds the results so far, its `result`
    their file.
    """
    return over_time("dynamics", model, until, step, file, overwrite, (compress, digits), show, settings)


def prepare(
    model: Model, until: Quantity, step: Quantity | None = None, *, show: bool | None = None, **settings: Any
) -> Prepared:
    """Check, lower and compile the model once, to run it many times, with other numbers too; see `flexor.results.prepared`.

    prepared = model.prepare(until="1 s", step="1 ms")
    runs = [prepared.run({"spring.stiffness": k}) for k in (10e3, 20e3, 40e3)]

    until, step, show and all settings are those of `dynamics`, for all runs; accuracy and the other solvers are refused.
    """
    return Prepared(model, until, step, show, settings)


def kinematics(
    model: Model,
    until: Quantity,
    step: Quantity,
    *,
    file: str | Path | None = None,
    overwrite: bool = True,
    compress: bool = False,
    digits: int | None = None,
    show: bool | None = None,
    **settings: Any,
) -> Run:
    """Motion of a fully driven mechanism and the forces it needs; see `flexor.solve.kinematics`.

    until, step: end time and time between rows.   The other options are those of `dynamics`.
    """
    return over_time("kinematics", model, until, step, file, overwrite, (compress, digits), show, settings)


def statics(model: Model, **settings: Any) -> Position:
    """Position in which all forces balance, at rest or while all turns steadily; see `flexor.solve.statics`.

    model.statics(angular_velocity=(0, 0, "300 rpm"), about=(0, 0, 0)).stress("rotor").max()
    """
    from flexor.results.position import Position

    found = Position(model, solve.statics(model, **settings))
    tell_sunk(model, lambda name: _value(found, name))
    return found


def _value(found: Position | Run, name: str) -> float | None:
    """Of a signal, at the end of a run; None where it was not recorded."""
    if name not in found.names or (isinstance(found, Run) and not len(found)):
        return None
    return float(found[name] if not isinstance(found, Run) else found[name][-1])


def modes(model: Model, count: int = 10, **settings: Any) -> ModeShapes:
    """Natural frequencies and mode shapes, at rest, about a state, or in steady rotation; see `flexor.solve.modes`.

    model.modes(6)["arm.tip.position"] is how a point moves in each mode, .nodal("rod") the nodes of a flexible body.
    """
    from flexor.results.mode_shapes import ModeShapes

    return ModeShapes(model, solve.modes(model, count, **settings))


def campbell(model: Model, speeds: Sequence[Quantity] | np.ndarray, count: int = 8, **settings: Any) -> solve.Campbell:
    """Natural frequencies over the speed of a rotation, critical speeds; see `flexor.solve.campbell`.

    diagram = model.campbell([f"{n} rpm" for n in range(0, 6001, 500)], rotor="spindle")
    diagram.critical();  diagram.plot("campbell.png")
    """
    return solve.campbell(model, speeds, count, **settings)


def frequency_response(
    model: Model,
    frequencies: Sequence[Quantity] | np.ndarray,
    inputs: str | Sequence[str] | Mapping[str, Amplitude],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    **settings: Any,
) -> solve.FrequencyResponse:
    """Response of sensors to harmonic loads, motors and base motion; see `flexor.solve.frequency_response`.

    response = model.frequency_response(np.linspace(1, 200, 400), "push.force", ["tip.acceleration_z"])
    response["tip.acceleration_z"];  response.plot_bode("bode.png")
    """
    return solve.frequency_response(model, frequencies, inputs, outputs, **settings)


def spectral_response(
    model: Model,
    signals: Mapping[str, Given],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    **settings: Any,
) -> solve.SpectralResponse:
    """Sensors over time under signals over time, by way of the frequency domain; see `flexor.solve.spectral_response`.

    result = model.spectral_response({"shaker.z": (times, values)}, ["tip.position_z"])
    result["tip.position_z"];  result.plot("tip.png")
    """
    return solve.spectral_response(model, signals, outputs, **settings)


def state_space(
    model: Model,
    inputs: str | Sequence[str],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    **settings: Any,
) -> solve.LinearModel:
    """Matrices A, B, C, D from loads and motors to sensors, for the design of controllers; see `flexor.solve.state_space`.

    plant = model.state_space(["motor.torque"], ["arm.angle"])
    plant.poles;  plant.to_control();  plant.to_npz("plant.npz")
    """
    return solve.state_space(model, inputs, outputs, **settings)


def harmonic_motion(
    model: Model,
    frequencies: Sequence[Quantity] | np.ndarray,
    inputs: str | Sequence[str] | Mapping[str, Amplitude],
    **settings: Any,
) -> Vibration:
    """Stress and deformation of flexible bodies under harmonic loads and motions; see `flexor.solve.harmonic_motion`.

    vibration = model.harmonic_motion(np.linspace(10, 500, 200), {"shaker.z": 9.81})
    vibration.stress("bracket").max();  vibration.stress("bracket").random({"shaker.z": 0.04}).max()
    """
    from flexor.results.vibration import Vibration

    return Vibration(model, solve.harmonic_motion(model, frequencies, inputs, **settings))


def harmonic_balance(
    model: Model,
    between: tuple[Quantity, Quantity],
    inputs: str | Sequence[str] | Mapping[str, Amplitude],
    outputs: str | Sensor | Sequence[str | Sensor] | None = None,
    **settings: Any,
) -> solve.PeriodicMotions:
    """Periodic motions of the nonlinear model under harmonic loads and motions, over frequency; see `flexor.solve.harmonic_balance`.

    curve = model.harmonic_balance(("2 Hz", "40 Hz"), {"push.force": "20 N"}, ["tip.position_z"])
    curve.amplitude("tip.position_z");  curve.folds;  curve.plot("curve.png")
    """
    return solve.harmonic_balance(model, between, inputs, outputs, **settings)


def over_time(
    analysis: str,
    model: Model,
    until: Quantity,
    step: Quantity | None,
    file: str | Path | None,
    overwrite: bool,
    packing: Packing,
    show: bool | None,
    settings: dict[str, Any],
    stop: Callable[[], bool] | None = None,
    partners: Partners | None = None,
) -> Run:
    """The analysis of this name with its results kept.

    packing: `compress` and `digits`.   stop: see `record`.   partners: other processes that compute with this one.
    """
    start = settings.get("start")
    if start is not None and not isinstance(start, str):
        settings = {**settings, "start": solve.state_of(start)}
    asked = {
        "until": until,
        "step": step,
        **{k: v for k, v in settings.items() if not isinstance(v, dict) or k != "start"},
    }
    compress, digits = packing
    writer = RunWriter(model, asked, file=file, overwrite=overwrite, compress=compress, digits=digits)
    solver = partial(_solver(analysis, settings), model, until, step, **settings)
    if partners is not None:
        solver = partial(solver, partners=partners)
    run = record(solver, model.name, writer, show, stop)
    tell_sunk(model, lambda name: _value(run, name))
    return run


def _solver(analysis: str, settings: Mapping[str, Any]) -> Callable[..., Any]:
    """What computes an analysis: `flexor.solve`, or the tree or explicit solver where it is asked for."""
    if analysis == "dynamics" and settings.get("solver") == "tree":
        from flexor import hierarchy  # loads the tree solver

        return hierarchy.dynamics
    if analysis == "dynamics" and settings.get("solver") == "explicit":
        from flexor import explicit  # loads the explicit solver

        return explicit.dynamics
    return getattr(solve, analysis)


def resume(run: Run, until: Quantity, settings: dict[str, object], show: bool | None = None) -> Run:
    """Continue a run from its last checkpoint; see `Run.continue_until`."""
    state, rows, _ = run.checkpoint()
    reached = run.time[rows - 1] if rows else 0.0
    if si(until, "time") <= reached:
        what, why = f"cannot be continued until {until}", f"its checkpoint is at {reached:.6g} s"
        raise FileError(Problem(repr(run), what, why, "ask for a later time"))
    if run.meta.get("analysis") == "kinematics":
        what, why = "cannot be continued", "a kinematic analysis has no memory"
        raise FileError(Problem(repr(run), what, why, "ask model.kinematics for the later times, start=run"))
    if "start" in settings:
        what, why = "start is given", "a continued run goes on from its checkpoint"
        raise ModelError(
            Problem("continue_until", what, why, "leave it out, or ask model.dynamics(…, start=…) for a run of its own")
        )
    asked = {**run.settings, **settings, "until": until}
    writer = RunWriter(run.model, asked, file=run.file, earlier=run)
    return record(partial(_solver("dynamics", asked), run.model, restart=state, **asked), run.model.name, writer, show)
