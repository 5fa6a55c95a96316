"""flexor demo: a slider-crank that drives a pump, its connecting rod a finite-element mesh, from mesh to stress."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import typer

import flexor as fx
from flexor.cli.output import Json, plain_warnings, print_json

if TYPE_CHECKING:
    import numpy as np

    from flexor.recover.stress import Peak

TURN = 6.283185307179586
MESH = "slider-crank-rod.inp"


def slider_crank(mesh: str = MESH) -> fx.Model:
    """Crank 80 mm, rod 300 mm, run up to 3000 rpm in 0.1 s against a viscous load of 20 N s/m on the piston.

    The pin may slide along z and the wrist turn freely: with hinges everywhere the mechanism would be held
    three times over, and the bearing forces out of its plane would be anyone's guess.
    """
    crank = fx.RigidBody("crank", mass=1.2, inertia=(2e-3, 2e-3, 4e-3))
    rod = fx.FlexibleBody(
        "rod",
        mesh=mesh,
        material=fx.Steel(),
        interfaces={
            "big": fx.cylinder(at=(0, 0, 0), radius="18 mm", axis="z"),
            "small": fx.cylinder(at=("300 mm", 0, 0), radius="10 mm", axis="z"),
        },
        reduction=fx.CraigBampton(up_to="5 kHz", inertia_shapes=True),
        damping=fx.ModalDamping(0.02),
        formulation="floating",
        stiffening=True,  # it is pulled by a fifth of its buckling load
    )
    piston = fx.RigidBody("piston", mass=0.5, inertia=(4e-4, 4e-4, 4e-4))
    return fx.Model(
        "slider-crank",
        gravity=(0, -9.81, 0),
        items=[
            crank, rod, piston,
            fx.Revolute("main", fx.ground, crank, axis="z"),
            fx.Cylindrical("pin", crank.at("80 mm", 0, 0), rod["big"], axis="z"),
            fx.Spherical("wrist", rod["small"], piston.at(0, 0, 0)),
            fx.Prismatic("bore", fx.ground, piston, axis="x"),
            fx.Motor("drive", joint="main", speed=fx.ramp(0, "3000 rpm", over="0.1 s")),
            fx.JointSpring("pump", joint="bore", damping="20 N*s/m"),
        ],
    )  # fmt: skip


def demo(json: Json = False) -> None:
    """Run a slider-crank with a flexible rod at 3000 rpm; writes mesh, results and plots to the current folder."""
    from flexor.io.abaqus.writer import write_inp
    from flexor.mesh.connecting_rod import connecting_rod
    from flexor.results.analyses import dynamics

    plain_warnings()
    write_inp(MESH, connecting_rod())
    model = slider_crank()
    run = dynamics(model, "0.3 s", "0.1 ms", file=Path("slider-crank.flexor.h5"))
    numbers = key_numbers(run)
    if run.status == "finished":
        rigid = model.with_item(model["rod"].rigid())
        numbers.update(differences(run, dynamics(rigid, "0.3 s", "0.1 ms", show=False)))
    stress = run.stress("rod")
    worst = stress.max()
    files = {
        "results": run.file,
        "mesh": Path(MESH).absolute(),
        **_pictures(run, stress, worst),
        "report": _report(run),
    }
    if json:
        told = {"worst_stress": worst.value, "worst_node": worst.node, "worst_time": worst.time}
        print_json({**numbers, **told, "wall_time": run.seconds, "status": run.status, **files})
    else:
        _tell(model, run, numbers, worst, files)
    if run.status == "interrupted":
        raise typer.Exit(130)


def key_numbers(run: fx.Run) -> dict[str, float]:
    """Mean torque [N m] and peak bearing force [N] over the last revolution, and the energy drift."""
    from flexor.results import Signal
    from flexor.results.summary import energy_drift

    last = _last_turn(run)
    torque = Signal(run["drive.torque"][last], run.time[last])
    drift = energy_drift(run)
    return {
        "mean_torque": float(torque.mean()),
        "peak_wrist_force": float(run["wrist.force"].norm()[last].max()),
        "energy_drift": drift[1] if drift else math.nan,
        "steps": len(run.history["time"]),
    }


def differences(run: fx.Run, rigid: fx.Run) -> dict[str, float]:
    """What the flexibility of the rod changes over the last revolution: piston [m] and crank torque [N m], at most."""
    last = _last_turn(rigid)
    names = {"piston_difference": "piston.position_x", "torque_difference": "drive.torque"}
    return {key: float(abs(run[name] - rigid[name])[last].max()) for key, name in names.items()}


def _last_turn(run: fx.Run) -> np.ndarray:
    angle = run["main.angle"].values
    last: np.ndarray = angle >= angle[-1] - TURN * (1 + 1e-9)
    return last


def _tell(
    model: fx.Model, run: fx.Run, numbers: Mapping[str, float], worst: Peak, files: Mapping[str, Path | None]
) -> None:
    reduced = model["rod"].reduced
    print("slider-crank, 3000 rpm against a viscous load on the piston;")
    print(
        f"connecting rod: a mesh of {len(reduced.mesh.points) - len(reduced.interfaces)} nodes, reduced to {reduced.size} coordinates"
    )
    print("over the last revolution:")
    print(f"  mean crank torque        {numbers['mean_torque']:10.4g} N m")
    print(f"  peak wrist bearing force {numbers['peak_wrist_force']:10.4g} N")
    if "piston_difference" in numbers:
        print(f"  against a rigid rod      {1e6 * numbers['piston_difference']:10.4g} µm at the piston, at most")
        print(f"                           {numbers['torque_difference']:10.4g} N m at the crank")
    x, y, z = (1e3 * c for c in worst.position)
    print("over the whole run:")
    print(f"  largest stress           {worst.value / 1e6:10.4g} MPa (von Mises) at node {worst.node},")
    print(f"                           x = {x:.1f}, y = {y:.1f}, z = {z:.1f} mm, at t = {worst.time:.4f} s")
    print(f"  energy check-sum drift   {numbers['energy_drift']:10.2g} of the largest energy")
    print(f"  wall time                {run.seconds:10.3g} s for {numbers['steps']} steps")
    lacking = {"report": "none, since the viewer's page is not built (make viewer)"}
    for what, file in files.items():
        print(f"{what + ':':<9}{file or lacking.get(what, 'none, since matplotlib is not installed (flexor[plot])')}")
    if files["report"] is not None:
        print(
            f"open {files['report'].name} in a browser to see it move; flexor view slider-crank.flexor.h5 shows all of it"
        )


def _report(run: fx.Run) -> Path | None:
    """The run as a page, where the viewer's own is built."""
    from flexor.viewer.page import is_built

    if not is_built():
        return None
    signals = ["drive.torque", "main.angle_rate", "piston.position_x", "wrist.force"]
    return run.report("slider-crank.html", signals=signals).absolute()


def _pictures(run: fx.Run, stress: fx.StressHistory, worst: Peak) -> dict[str, Path | None]:
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        return {"plot": None, "stress": None}
    from flexor.results.plot import plot

    image = Path("slider-crank.png").absolute()
    speed, torque, stroke = (run[name] for name in ("main.angle_rate", "drive.torque", "piston.position_x"))
    plot([speed, torque, stroke, run["wrist.force"].norm()], file=image, title="slider-crank")
    return {"plot": image, "stress": _stress_picture(stress, worst)}


def _stress_picture(stress: fx.StressHistory, worst: Peak) -> Path:
    """The rod at the worst time, and the stress at the worst node over the time before the end."""
    from matplotlib.figure import Figure

    from flexor.cli.stress_picture import draw_stress
    from flexor.figure import write

    figure = Figure(figsize=(8, 5.2), layout="constrained")
    upper, lower = figure.subplots(2, 1, height_ratios=(1.7, 1))
    surface = draw_stress(upper, stress, worst.time, exaggeration=40)
    figure.colorbar(surface, ax=upper, shrink=0.75, label="von Mises stress [MPa]")
    upper.set_title(f"{worst}; displacements × 40", loc="left", fontsize=10)
    series = stress.measure("xx").at(node=worst.node)
    shown = series.time >= series.time[-1] - 0.06
    lower.plot(1e3 * series.time[shown], series.values[shown] / 1e6, color="#1f5fa8", lw=1.4)
    lower.axhline(0, color="#888888", lw=0.8)
    lower.set_xlabel("time [ms]")
    lower.set_ylabel(f"σ along the rod,\nnode {worst.node} [MPa]")
    lower.margins(x=0)
    lower.spines[["top", "right"]].set_visible(False)
    image = Path("slider-crank-stress.png").absolute()
    write(figure, image)
    return image
