"""flexor demo: a slider-crank that drives a pump, from model to plot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from flexor.cli.output import Json, plain_warnings, print_json

TURN = 6.283185307179586


def slider_crank() -> Any:
    """Crank 80 mm, rod 300 mm, run up to 3000 rpm in 0.1 s against a viscous load of 20 N s/m on the piston.

    The pin may slide along z and the wrist turn freely: with hinges everywhere the mechanism would be held
    three times over, and the bearing forces out of its plane would be anyone's guess.
    """
    from flexor.bodies import RigidBody, ground
    from flexor.forces import JointSpring
    from flexor.functions import ramp
    from flexor.joints import Cylindrical, Motor, Prismatic, Revolute, Spherical
    from flexor.model import Model

    crank = RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3))
    rod = RigidBody("rod", mass=0.6, inertia=(1e-4, 4.5e-3, 4.5e-3), center_of_mass=("150 mm", 0, 0))
    piston = RigidBody("piston", mass=0.5, inertia=(4e-4, 4e-4, 4e-4))
    return Model(
        "slider-crank",
        gravity=(0, -9.81, 0),
        items=[
            crank, rod, piston,
            Revolute("main", ground, crank, axis="z"),
            Cylindrical("pin", crank.at("80 mm", 0, 0), rod.at(0, 0, 0), axis="z"),
            Spherical("wrist", rod.at("300 mm", 0, 0), piston.at(0, 0, 0)),
            Prismatic("bore", ground, piston, axis="x"),
            Motor("drive", joint="main", speed=ramp(0, "3000 rpm", over="0.1 s")),
            JointSpring("pump", joint="bore", damping="20 N*s/m"),
        ],
    )  # fmt: skip


def demo(json: Json = False) -> None:
    """Run a slider-crank up to 3000 rpm; writes its results and a plot to the current folder."""
    from flexor.results import dynamics

    plain_warnings()
    run = dynamics(slider_crank(), "0.5 s", "0.2 ms", file=Path("slider-crank.flexor.h5"))
    image = _plot(run)
    numbers = key_numbers(run)
    if json:
        files = {"results": run.file, "plot": image}
        print_json({**numbers, "wall_time": run.seconds, "status": run.status, **files})
    else:
        print("slider-crank, 3000 rpm against a viscous load on the piston; over the last revolution:")
        print(f"  mean crank torque        {numbers['mean_torque']:10.4g} N m")
        print(f"  peak wrist bearing force {numbers['peak_wrist_force']:10.4g} N")
        print(f"  energy check-sum drift   {numbers['energy_drift']:10.2g} of the largest energy")
        print(f"  wall time                {run.seconds:10.3g} s for {numbers['steps']} steps")
        print(f"results: {run.file}")
        print(f"plot:    {image or 'none, since matplotlib is not installed (flexor[plot])'}")
    if run.status == "interrupted":
        raise typer.Exit(130)


def key_numbers(run: Any) -> dict[str, Any]:
    """Mean torque [N m] and peak bearing force [N] over the last revolution, and the energy drift."""
    from flexor.results import Signal
    from flexor.results.summary import energy_drift

    angle = run["main.angle"].values
    last = angle >= angle[-1] - TURN * (1 + 1e-9)
    torque = Signal(run["drive.torque"][last], run.time[last])
    drift = energy_drift(run)
    return {
        "mean_torque": torque.mean(),
        "peak_wrist_force": float(run["wrist.force"].norm()[last].max()),
        "energy_drift": drift[1] if drift else None,
        "steps": len(run.history["time"]),
    }


def _plot(run: Any) -> Path | None:
    from importlib.util import find_spec

    from flexor.results.plot import plot

    if find_spec("matplotlib") is None:
        return None
    image = Path("slider-crank.png").absolute()
    speed, torque, stroke = (run[name] for name in ("main.angle_rate", "drive.torque", "piston.position_x"))
    plot([speed, torque, stroke, run["wrist.force"].norm()], file=image, title="slider-crank")
    return image
