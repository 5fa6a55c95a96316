"""What an analysis may be asked: a misspelt or foreign name is answered with the right one."""

from __future__ import annotations

import inspect
from collections.abc import Callable

from flexor import solve
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.solve.settings import DynamicsSettings

SYNONYMS = {
    "until": "t_end tend t_final tf tmax t_max t_stop end end_time stop stop_time final_time duration time_end t1",
    "step": "dt h time_step timestep stepsize step_size delta_t sample_time interval",
    "error": "tol tolerance rtol atol accuracy",
    "tolerances": "tol tolerance rtol atol",
    "tolerance": "tol tolerances error rtol atol accuracy",
    "output": "dt_out output_step output_interval every save_every sampling",
    "integrator": "method solver scheme rho rho_inf alpha",
    "count": "n num number n_modes num_modes nmodes modes k how_many",
    "angular_velocity": "omega speed rpm spin rotation",
    "speeds": "speed omega omegas rpm angular_velocity rates",
    "about": "center centre point origin axis_point",
    "start": "state initial initial_state from_state x0 begin restart at",
    "time": "t at_time until",
    "load_steps": "steps increments substeps n_steps",
    "max_iterations": "maxiter max_iter iterations",
    "record": "signals outputs save results",
    "file": "filename path output_file out name results",
    "show": "progress verbose quiet display",
    "frequencies": "freq freqs frequency f omega hz",
    "inputs": "input excitation loads actuators",
    "outputs": "output sensors response",
    "structural_damping": "eta loss_factor hysteretic loss",
    "sampling": "sampling_rate sampling_frequency rate fs sample_freq",
    "signals": "inputs excitation loads",
    "window": "window_size segment",
    "modal_damping": "zeta damping_ratio damping_ratios ratios",
    "method": "solver how",
    "modes": "n_modes num_modes nmodes count",
    "complex": "damped damping gyroscopic",
}
"""What other programs call these, words of each."""
EXAMPLES = {
    "dynamics": 'model.dynamics(until="1 s", step="1 ms")',
    "prepare": 'model.prepare(until="1 s", step="1 ms")',
    "kinematics": 'model.kinematics(until="1 s", step="10 ms")',
    "campbell": 'model.campbell(["0 rpm", "500 rpm", "1000 rpm"], rotor="…")',
    "modes": "model.modes(10)",
    "frequency_response": 'model.frequency_response(np.linspace(1, 200, 400), "push.force", ["tip.acceleration_z"])',
    "spectral_response": 'model.spectral_response({"push.force": (times, values)}, ["tip.position_z"])',
    "state_space": 'model.state_space("push.force", ["tip.position_z"])',
    "harmonic_motion": 'model.harmonic_motion(np.linspace(1, 200, 400), "push.force")',
    "harmonic_balance": 'model.harmonic_balance(("2 Hz", "40 Hz"), {"push.force": "20 N"}, ["tip.position_z"])',
    "statics": "model.statics()",
}
_OURS = {"model", "sink", "progress", "restart"}


def check_arguments(
    analysis: str, function: Callable[..., object], args: tuple[object, ...], given: dict[str, object]
) -> None:
    """Raise ModelError, with advice, for options that the analysis does not have, lacks, or gets twice."""
    parameters = {
        name: each
        for name, each in inspect.signature(function).parameters.items()
        if name not in _OURS and each.kind is not each.VAR_KEYWORD
    }
    by_position = [name for name, each in parameters.items() if each.kind is each.POSITIONAL_OR_KEYWORD]
    known = dict.fromkeys([*parameters, *options(analysis)])
    problems, meant = [], set()
    if len(args) > len(by_position):
        names = f" ({', '.join(by_position)})" if by_position else ""
        what = f"it takes {len(by_position) or 'no'} values by position{names}, got {len(args)}"
        problems.append(Problem(analysis, what, "", f"give the others by name, e.g. {EXAMPLES[analysis]}"))
    taken = by_position[: len(args)]
    for name in given:
        if name in taken:
            problems.append(Problem(analysis, f"'{name}' is given twice", "by position and by name", "give it once"))
        elif name not in known:
            right = next((ours for ours, words in SYNONYMS.items() if ours in known and name in words.split()), None)
            meant.add(right)
            fix = f"did you mean '{right}'?" if right else suggestion(name, known)
            problems.append(Problem(analysis, f"unknown option '{name}'", "", fix))
    for name in by_position[len(args) :]:
        needed = parameters[name].default is inspect.Parameter.empty
        if needed and name not in given and name not in meant:
            problems.append(Problem(analysis, f"'{name}' is missing", "", f"e.g. {EXAMPLES[analysis]}"))
    if problems:
        raise ModelError(problems)


def options(analysis: str) -> list[str]:
    """Names of the settings that the solver of an analysis takes."""
    names = [name for name in inspect.signature(solver_of(analysis)).parameters if name not in _OURS | {"settings"}]
    return [*DynamicsSettings.model_fields, *names] if analysis in OF_MOTION else names


OF_MOTION = ("dynamics", "prepare")
"""Analyses with the settings of `DynamicsSettings`."""


def solver_of(analysis: str) -> Callable[..., object]:
    """What computes an analysis."""
    solver: Callable[..., object] = getattr(solve, "dynamics" if analysis in OF_MOTION else analysis)
    return solver
