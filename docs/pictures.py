"""Draws the pictures of the gallery from the examples: `python docs/pictures.py [name …]`.

Each picture shows the mechanism in motion, drawn from the recorded poses of its bodies, beside its key signals.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np

import flexor as fx
from flexor.bodies.shape_body.surface_point import shape_surface
from flexor.cli.stress_picture import draw_field, draw_stress
from flexor.fatigue.pictures import matrix_on
from flexor.spatial import quaternion_to_matrix

HERE = Path(__file__).parent
EXAMPLES = HERE.parent / "examples"
BLUE, RED, GREEN, GREY = "#1f5fa8", "#d1562a", "#2f8f5b", "#8c8c8c"
STYLE = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#888888",
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "lines.linewidth": 1.5,
    "legend.frameon": False,
}


def path_of(run: Any, body: str, point: Sequence[float] = (0, 0, 0)) -> np.ndarray:
    """Global positions (n, 3) of a point given in the axes of a body."""
    R = quaternion_to_matrix(run[f"{body}.orientation"].values)
    return run[f"{body}.position"].values + R @ np.array(point, dtype=float)


def row_at(run: Any, time: float) -> int:
    return int(np.argmin(np.abs(run.time - time)))


def pendulum() -> Any:
    run = fx.Model.load(EXAMPLES / "pendulum.yaml").dynamics(until="4 s", step="1 ms", show=False)
    tip = path_of(run, "rod", (0.5, 0, 0))
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.1), width_ratios=(1, 1.25), layout="constrained")
    times = np.arange(0, 0.70, 0.04)
    for i, time in enumerate(times):
        x, y, _ = tip[row_at(run, time)]
        left.plot([0, x], [0, y], color=BLUE, alpha=0.15 + 0.8 * i / len(times), lw=3, solid_capstyle="round")
    left.plot(*tip[: row_at(run, times[-1]), :2].T, color=RED, lw=1)
    left.plot(0, 0, "o", color="black", ms=5)
    left.set(title="first swing, every 40 ms", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    right.plot(run.time, np.degrees(run["pin.angle"]), color=BLUE)
    right.set(title="angle with a little friction in the hinge", xlabel="time [s]", ylabel="pin.angle [deg]")
    right.margins(x=0)
    return figure


def four_bar() -> Any:
    run = fx.Model.load(EXAMPLES / "four_bar.yaml").dynamics(until="2 s", step="1 ms", show=False)
    B, C = path_of(run, "crank", (0, 0.1, 0)), path_of(run, "rocker", (0.4, 0.4, 0))
    top = path_of(run, "coupler", (0.15, 0.40, 0))  # a point above the coupler
    figure = plt.figure(figsize=(8, 3.6), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    left.plot([0, 0.4], [-0.012, -0.012], "^", color="black", ms=11)
    for time, strength in ((0.28, 0.25), (0.64, 0.25), (0.95, 1.0)):
        i = row_at(run, time)
        links = np.array([[0, 0], B[i, :2], C[i, :2], [0.4, 0]])
        left.plot(*np.array([B[i, :2], top[i, :2], C[i, :2]]).T, color=BLUE, alpha=strength, lw=1)
        left.plot(*links.T, "o-", color=BLUE, alpha=strength, lw=3, ms=6, mfc="white", mew=1.5)
    turn = run.time <= 1.0
    left.plot(*top[turn, :2].T, color=RED, label="coupler point")
    left.legend(loc="upper left")
    left.set(title="crank-rocker, 60 rpm", xlabel="x [m]", ylabel="y [m]", aspect="equal", ylim=(-0.13, 0.53))
    _signal(upper, run, [("D.angle", BLUE)], "rocker angle [deg]", factor=180 / np.pi)
    _signal(lower, run, [("drive.torque", RED)], "motor torque [N m]")
    lower.set_xlabel("time [s]")
    return figure


def slider_crank() -> Any:
    run = fx.Model.load(EXAMPLES / "slider_crank.yaml").dynamics(until="0.16 s", step="50 us", show=False)
    pin, middle = path_of(run, "crank", (0.08, 0, 0)), path_of(run, "rod", (0.15, 0, 0))
    piston = path_of(run, "piston")
    turn = run.time >= 0.14
    figure = plt.figure(figsize=(8, 3.6), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    left.plot(*pin[turn, :2].T, color=GREY, lw=1)
    left.plot(*middle[turn, :2].T, color=RED, label="middle of the rod")
    for time, strength in ((0.1467, 0.25), (0.1533, 0.25), (0.1425, 1.0)):
        i = row_at(run, time)
        links = np.array([[0, 0], pin[i, :2], piston[i, :2]])
        left.plot(*links.T, "o-", color=BLUE, alpha=strength, lw=3, ms=6, mfc="white", mew=1.5)
        corner = (piston[i, 0] - 0.025, -0.03)
        left.add_patch(plt.Rectangle(corner, 0.05, 0.06, color=BLUE, alpha=0.35 * strength, lw=0))
    for y in (-0.033, 0.033):
        left.plot([0.18, 0.42], [y, y], color="black", lw=1)
    left.legend(loc="lower right")
    left.set(title="slider-crank at 3000 rpm", xlabel="x [m]", ylabel="y [m]", aspect="equal", ylim=(-0.13, 0.12))
    _signal(upper, run, [("main.angle_rate", BLUE)], "speed [rpm]", factor=30 / np.pi)
    _signal(lower, run, [("drive.torque", RED)], "motor torque [N m]")
    lower.set_xlabel("time [s]")
    return figure


def double_wishbone() -> Any:
    run = fx.Model.load(EXAMPLES / "double_wishbone.yaml").dynamics(until="2 s", step="0.5 ms", show=False)
    points = {
        "lower": path_of(run, "upright", (0, 0.70, 0.18)),
        "upper": path_of(run, "upright", (-0.02, 0.64, 0.50)),
        "strut": path_of(run, "lower_arm", (0, 0.55, 0.20)),
        "top": path_of(run, "upright", (0, 0.75, 0.64)),
        "contact": path_of(run, "upright", (0, 0.75, 0)),
    }
    figure = plt.figure(figsize=(8, 4.2), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    for time, color, label in ((0.5, BLUE, "3 kN, t = 0.5 s"), (2.0, RED, "4.5 kN, t = 2 s")):
        i = row_at(run, time)
        at = {name: path[i, 1:] for name, path in points.items()}
        for a, b in (((0.30, 0.22), at["lower"]), ((0.38, 0.54), at["upper"]), (at["lower"], at["upper"])):
            left.plot(*np.array([a, b]).T, "o-", color=color, lw=3, ms=5, mfc="white", mew=1.5)
        left.plot(*_coil(np.array([0.45, 0.70]), at["strut"]).T, color=color, lw=1.2, alpha=0.7)
        wheel = np.array([at["contact"], at["top"]])
        left.plot(*wheel.T, color=color, lw=9, alpha=0.3, solid_capstyle="butt", label=label)
    left.plot([0.30, 0.38, 0.45], [0.22, 0.54, 0.70], "s", color="black", ms=5, zorder=5)
    left.legend(loc="lower left", bbox_to_anchor=(0, 0.02))
    left.set(title="double wishbone, seen from the front", xlabel="y [m]", ylabel="z [m]")
    left.set(aspect="equal", xlim=(0.22, 0.86))
    travel = 1e3 * (points["contact"][:, 2] - points["contact"][0, 2])
    upper.plot(run.time, travel, color=BLUE)
    upper.set(title="wheel travel [mm]")
    _signal(lower, run, [("strut.force", RED)], "strut force [kN]", factor=1e-3)
    for ax in (upper, lower):
        ax.margins(x=0)
    lower.set_xlabel("time [s]")
    return figure


def flexible_slider_crank() -> Any:
    example = runpy.run_path(str(EXAMPLES / "flexible_slider_crank.py"))
    run, stiff = (
        model.dynamics(until="150 ms", step="50 us", show=False) for model in (example["model"], example["stiff_model"])
    )
    stress = run.stress("rod")
    worst = stress.max()
    figure = plt.figure(figsize=(9, 4.4), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1.5, 1))
    rod = figure.add_subplot(grid[0, :])
    surface = draw_stress(rod, stress, worst.time, exaggeration=40)
    figure.colorbar(surface, ax=rod, shrink=0.85, label="von Mises [MPa]")
    rod.set_title(f"{worst}; displacements × 40")
    turns = np.degrees(run["main.angle"].values)
    first = 360 * (turns[-1] // 360) - 720
    last = (turns >= first) & (turns <= first + 720)
    angle = turns[last] - first
    along = stress.measure("xx").at(node=worst.node).values[last] / 1e6
    off = 1e6 * (run["piston.position_x"] - stiff["piston.position_x"])[last]
    torque = (run["drive.torque"][last], (run["drive.torque"] - stiff["drive.torque"])[last])
    axes = [figure.add_subplot(grid[1, i]) for i in range(3)]
    axes[0].plot(angle, along, color=BLUE)
    axes[0].set_title("stress along the shank there [MPa]")
    axes[1].plot(angle, off, color=RED)
    axes[1].set_title("piston, flexible − rigid rod [µm]")
    axes[2].plot(angle, torque[0], color=BLUE, label="torque")
    axes[2].plot(angle, 10 * torque[1], color=RED, label="10 × (flexible − rigid)")
    axes[2].set_title("motor torque [N m]")
    axes[2].legend(loc="lower center", ncols=2, fontsize=7, borderaxespad=0, columnspacing=1, handlelength=1.2)
    axes[2].set_ylim(-600, 450)
    for ax in axes:
        ax.margins(x=0)
        ax.set_xticks(range(0, 721, 180))
        ax.set_xlabel("crank angle [deg]")
        ax.axhline(0, color=GREY, lw=0.6)
    return figure


def rotating_blade() -> Any:
    example = runpy.run_path(str(EXAMPLES / "rotating_blade.py"))
    figure = plt.figure(figsize=(8, 3.8), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    styles = dict(zip(example["VARIANTS"], ((GREY, "-"), (GREEN, "-"), (RED, "-"), (BLUE, "-"), ("black", ":"))))
    for name, (pieces, how) in example["VARIANTS"].items():
        run = example["blade"](pieces, **how).dynamics(**example["RUN"], show=False)
        color, line = styles[name]
        lower.plot(run.time, example["tip"](run, pieces)[1], color=color, ls=line, label=name)
        if name != "8 pieces":
            continue
        upper.plot(run.time, run["hub.angle_rate"], color=BLUE)
        upper.axhline(3.8, color=GREY, lw=0.8, ls="--")
        upper.text(19.8, 3.65, "first bending mode at rest", color=GREY, ha="right", va="top", fontsize=8)
        bodies = [run.body(f"piece_{i + 1}") for i in range(pieces)]
        for time in (0, 3.5, 4.6, 5.4, 6.06, 6.63, 7.14, 7.62):
            row = row_at(run, time)
            points = [body.points(row) for body in bodies]
            line = np.concatenate([x[np.argsort(body.reduced.nodes[:, 0])] for x, body in zip(points, bodies)])
            left.plot(*line[:, :2].T, color=BLUE, lw=2.2)
            angle = run["hub.angle"][row]
            left.plot([0, 10 * np.cos(angle)], [0, 10 * np.sin(angle)], color=GREY, lw=0.8, ls="--")
    left.plot(0, 0, "o", color="black", ms=6)
    left.set(title="blade while it gains speed, and straight lines", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    upper.set_title("speed [rad/s]")
    lower.set(title="tip ahead of a rigid blade [m]", xlabel="time [s]")
    lower.legend(fontsize=7, loc="lower right")
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def two_booms() -> Any:
    example = runpy.run_path(str(EXAMPLES / "two_booms.py"))
    run = example["model"].dynamics(until="60 s", step="2.5 ms", show=False)
    bodies = [run.body(name) for name in ("inner", "outer")]
    figure = plt.figure(figsize=(8.5, 4.2), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    times = (0, 6, 12, 17, 22, 28, 60)
    for time in times:
        row = row_at(run, time)
        strength = 1.0 if time == times[-1] else 0.25 + 0.4 * time / times[-1]
        for body, color in zip(bodies, (BLUE, RED)):
            x = body.points(row)[np.argsort(body.reduced.nodes[:, 0]), :2]
            left.plot(*x.T, color=color, alpha=strength, lw=2.5, solid_capstyle="round")
        left.plot(*run["sensor.position"].values[row, :2], "o", color="black", ms=4, alpha=strength)
        if time in (0, 60):
            square = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * 0.3
            R = quaternion_to_matrix(run["satellite.orientation"].values[row])[:2, :2]
            corners = run["satellite.position"].values[row, :2] + square @ R.T
            left.add_patch(plt.Polygon(corners, color=GREY, alpha=strength, lw=0))
    left.set(title=f"booms at t = {', '.join(map(str, times))} s", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    for hinge, color in (("root", BLUE), ("elbow", RED)):
        upper.plot(run.time, np.degrees(run[f"{hinge}.angle"]), color=color, label=hinge)
    upper.legend()
    upper.set_title("hinge angles [deg]")
    for name, color in (("inner", BLUE), ("outer", RED)):
        stress = run.stress(name, "signed_max", place="fibres")
        peak = np.zeros(len(run))
        for _, values in stress.over_time():
            peak = np.maximum(peak, np.abs(values).max(axis=1))
        lower.plot(run.time, peak / 1e6, color=color, lw=0.8, label=f"{name} boom")
    lower.legend()
    lower.set(title="largest stress [MPa]", xlabel="time [s]")
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def telescopic_crane() -> Any:
    example = runpy.run_path(str(EXAMPLES / "telescopic_crane.py"))
    over, foot, nodes = example["OVER"], example["FOOT"], ["start", *example["NODES"][1:-1], "end"]
    run = example["crane"](over=over).dynamics(until=over + 5, step="20 ms", start="equilibrium", show=False)
    booms = {
        name: np.stack([run[f"{name}.{node}.position"].values for node in nodes], 1)[..., ::2]
        for name in ("outer", "inner")
    }
    load = run["load.position"].values[:, ::2]
    figure = plt.figure(figsize=(8.5, 4.8), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    times = (0, 12, 18, over + 5)
    for time in times:
        row, shade = row_at(run, time), 1.0 if time in (0, times[-1]) else 0.3
        left.plot(*np.array([foot[::2], booms["outer"][row, 5]]).T, color=GREY, lw=3, alpha=shade)
        left.plot(*booms["outer"][row].T, color=BLUE, lw=7, alpha=shade, solid_capstyle="butt")
        left.plot(*booms["inner"][row].T, color=RED, lw=3, alpha=shade, solid_capstyle="butt")
        left.plot(*np.array([booms["inner"][row, -1], load[row]]).T, color="black", lw=0.8, alpha=shade)
        left.plot(*load[row], "s", color="black", ms=9, alpha=shade)
    left.plot(*load.T, color=GREEN, lw=1, zorder=0, label="path of the load")
    left.plot([0, foot[0]], [0, foot[2]], "o", color="black", ms=5, zorder=5)
    left.legend(loc="upper left")
    seen = ", ".join(f"{time:.0f}" for time in times)
    left.set(title=f"crane at t = {seen} s", xlabel="x [m]", ylabel="z [m]", aspect="equal")
    for pad, sign, color in (("mouth", -1, BLUE), ("rear", 1, RED)):
        upper.plot(run.time, sign * run[f"{pad}.force_2"].values / 1e3, color=color, label=f"{pad} pad, up")
    upper.plot(run.time, run["rear.force"].values / 1e3, color=GREEN, label="slide")
    upper.set(title="forces on the inner boom [kN]", ylim=(-11, 25))
    upper.legend(loc="upper left", ncols=3, columnspacing=1, handlelength=1.2)
    eye = booms["outer"][:, 5] / np.linalg.norm(booms["outer"][:, 5], axis=1)[:, None]
    tip = booms["inner"][:, -1]
    lower.plot(run.time, 1e3 * (tip[:, 0] * eye[:, 1] - tip[:, 1] * eye[:, 0]), color=RED)
    lower.set(title="tip below the straight boom [mm]", xlabel="time [s]", ylim=(0, None))
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def valve_train() -> Any:
    example = runpy.run_path(str(EXAMPLES / "valve_train.py"))
    jump, seat = example["JUMP"], example["BASE"] + example["ROLLER"]
    figure = plt.figure(figsize=(8.5, 4.0), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    curve = np.array(_outline(example["profile"]()))
    for share, color in ((0.8, BLUE), (1.2, RED)):
        run = example["follow"](share * jump)
        turns = run["bearing.angle"].values / (2 * np.pi) - 0.5
        label = f"{share * jump * 30 / np.pi:.0f} rpm"
        upper.plot(turns, 1e3 * (run["guide.displacement"].values - seat), color=color, label=label)
        lower.plot(turns, run["cam.force"].values / 1e3, color=color, lw=0.8)
        if share < 1:
            for angle, shade in ((180, 0.25), (320, 0.45), (360, 1.0)):
                row = int(np.argmin(np.abs(run["bearing.angle"].values - np.radians(angle))))
                c, s = np.cos(np.radians(angle)), np.sin(np.radians(angle))
                x, y = 1e3 * np.array([[c, -s], [s, c]]) @ curve.T
                left.plot(x, y, color=BLUE, alpha=shade)
                left.add_patch(
                    plt.Circle(
                        (0, 1e3 * run["guide.displacement"].values[row]),
                        1e3 * example["ROLLER"],
                        fill=False,
                        color=RED,
                        alpha=shade,
                    )
                )
    left.plot(0, 0, "o", color="black", ms=4)
    left.set(title="cam and roller", xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
    upper.set_title("lift [mm]")
    upper.legend(loc="upper center")
    lower.set(title="force between cam and roller [kN]", xlabel="turns of the cam", ylim=(0, 4))
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def cam_and_roller() -> Any:
    example = runpy.run_path(str(EXAMPLES / "cam_and_roller.py"))
    cam, offset, roller, low, limit = (example[name] for name in ("CAM", "OFFSET", "ROLLER", "LOW", "LIFT_OFF"))
    figure = plt.figure(figsize=(8.5, 4.0), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    for share, color in ((0.9, BLUE), (1.3, RED)):
        run = example["turns"](share * limit)
        turns = run["bearing.angle"].values / (2 * np.pi) - 0.5
        upper.plot(turns, 1e3 * run["cam.gap"].values, color=color, label=f"{share * limit * 30 / np.pi:.0f} rpm")
        lower.plot(turns, run["cam.normal_force"].values / 1e3, color=color, lw=0.8)
    for turn, shade in ((0.5, 0.3), (1.1, 1.0)):
        row = int(np.argmin(np.abs(turns - turn)))
        phi = run["bearing.angle"].values[row]
        centre = 1e3 * offset * np.array([-np.sin(phi), np.cos(phi)])
        left.add_patch(plt.Circle(centre, 1e3 * cam, fill=False, color=BLUE, alpha=shade))
        high = 1e3 * run["guide.displacement"].values[row]
        left.add_patch(plt.Circle((0, high), 1e3 * roller, fill=False, color=RED, alpha=shade))
    left.plot(0, 0, "o", color="black", ms=4)
    left.set(xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
    left.set(title="cam and roller at the higher speed", xlim=(-45, 45), ylim=(-45, 1e3 * low + 40))
    upper.set_title("gap [mm]")
    upper.legend(loc="upper left")
    lower.set(title="normal force [kN]", xlabel="turns of the cam", ylim=(0, 6))
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def ratchet() -> Any:
    example = runpy.run_path(str(EXAMPLES / "ratchet.py"))
    figure = plt.figure(figsize=(8.5, 4.0), layout="constrained")
    axes = figure.subplot_mosaic([["left", "upper"], ["left", "lower"]])
    left, upper, lower = (axes[name] for name in ("left", "upper", "lower"))
    free, held = example["freely"](), example["held"]()
    pitch = 2 * np.pi / example["TEETH"]
    upper.plot(-free["axle.angle"].values / pitch, np.degrees(free["pivot.angle"].values), color=BLUE)
    lower.plot(1e3 * held.time, held["tooth.normal_force"].values / 1e3, color=RED)
    points = 1e3 * np.array(example["tooth_wheel"]().profile.trace.points)
    angle, pawl = held["axle.angle"][-1], held["pivot.angle"][-1]
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    left.fill(*(turn @ points.T), facecolor=BLUE, alpha=0.2, edgecolor=BLUE)
    nose, pivot = 1e3 * example["nose_at"](pawl), 1e3 * np.array([example["PIVOT"], -example["ARM"]])
    left.plot(*zip(pivot, nose, strict=True), color=RED, lw=2)
    left.add_patch(plt.Circle(nose, 1e3 * example["NOSE"], facecolor="white", edgecolor=RED, lw=1.5, zorder=3))
    left.plot([0, pivot[0]], [0, pivot[1]], "o", color="black", ms=4)
    left.set(title="ratchet, held", xlabel="x [mm]", ylabel="y [mm]", aspect="equal")
    upper.set(title="angle of the pawl, turned freely [deg]", xlabel="teeth")
    lower.set(title="normal force, held against 20 N m [kN]", xlabel="time [ms]", xlim=(0, 10))
    upper.margins(x=0)
    return figure


def ball_in_race() -> Any:
    example = runpy.run_path(str(EXAMPLES / "ball_in_race.py"))
    race, ball, path = example["RACE"], example["BALL"], example["PATH"]
    figure = plt.figure(figsize=(8.5, 3.6), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    for friction, color, label in ((0.3, BLUE, "rolls"), (0.0, RED, "slides")):
        run = example["swings"](friction)
        upper.plot(run.time, np.degrees(np.arcsin(run["ball.position_x"].values / path)), color=color, label=label)
        lower.plot(run.time, run["ball.angular_velocity_y"].values, color=color)
        if friction:
            for row in (0, len(run.time) // 8, len(run.time) // 4):
                x, _, z = 1e3 * run["ball.position"].values[row]
                left.add_patch(plt.Circle((x, z), 1e3 * ball, fill=False, color=color))
    phi = np.linspace(-0.6, 0.6, 100)
    left.plot(1e3 * race * np.sin(phi), -1e3 * race * np.cos(phi), color=GREY, lw=2)
    left.set(title="ball in the groove of a race", xlabel="x [mm]", ylabel="z [mm]", aspect="equal")
    upper.set_title("angle [deg]")
    upper.legend(loc="upper right")
    lower.set(title="angular velocity of the ball [rad/s]", xlabel="time [s]")
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def rolling_ring() -> Any:
    example = runpy.run_path(str(EXAMPLES / "rolling_ring.py"))
    spectrum, passing = example["spectrum"], example["passing"]
    figure = plt.figure(figsize=(8.5, 3.6), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    mesh = example["meshed"]()
    for ring, color, label in ((mesh, RED, "mesh, 48 elements"), (example["shaped"](), BLUE, "shape functions")):
        run = example["roll"](ring)
        for ax, signal, factor in ((upper, "plate.position_z", 1e6), (lower, "floor.normal_force", 1.0)):
            frequencies, amplitudes = spectrum(run, signal)
            ax.semilogy(frequencies, factor * amplitudes, color=color, lw=0.9, label=label)
        if ring is not mesh:
            side = shape_surface(ring.made, "outer")
            x = np.array([run[f"ring.position_{c}"][-1] for c in "xyz"])
            R = quaternion_to_matrix([run[f"ring.orientation_{c}"][-1] for c in "wxyz"])
            q = 8 * np.array([run[f"ring.mode_{k + 1}"][-1] for k in range(side.size)])
            com = ring.made.mass_properties.com
            points = np.array([side.at(phi, 0.0, R @ com, R, q).position for phi in np.linspace(-np.pi, np.pi, 200)])
            left.plot(1e3 * points[:, 0], 1e3 * (points[:, 2] + x[2]), color=color)
            low, high = 1e3 * (points[:, 2].min() + x[2]), 1e3 * (points[:, 2].max() + x[2])
            for z in (low, high):
                left.axhline(z, color=GREY, lw=2)
            left.annotate("", (60, high + 12), (-20, high + 12), arrowprops={"arrowstyle": "->", "color": GREY})
    left.set(title="ring between plates, deformed 8-fold", xlabel="x [mm]", ylabel="z [mm]", aspect="equal")
    left.set_ylim(-15, 225)
    for k in (1, 2, 3):
        for ax in (upper, lower):
            ax.axvline(k * passing(48), color=GREY, lw=0.6, ls=":")
    upper.set(title="height of the upper plate [µm]", ylim=(1e-6, 1e3))
    upper.legend(loc="upper right", fontsize=7)
    lower.set(title="force on the lower plate [N]", xlabel="frequency [Hz]; dotted: passing of nodes", ylim=(1e-7, 1e2))
    lower.set_xlim(0, 300)
    return figure


def crowned_roller() -> Any:
    example = runpy.run_path(str(EXAMPLES / "crowned_roller.py"))
    straight, crowned, tilt = example["STRAIGHT"], example["CROWNED"], example["TILT"]
    figure = plt.figure(figsize=(8.5, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.1))
    for shape, color, label in ((straight, RED, "straight"), (crowned, BLUE, "logarithmic")):
        for angle, style in ((0.0, "-"), (tilt, "--")):
            found = example["pressed"](shape, angle)
            s, p = example["along"](found)
            right.plot(
                1e3 * s,
                p / 1e6,
                style,
                color=color,
                drawstyle="steps-mid",
                label=f"{label}{', tilted' if angle else ''}",
            )
    shown = np.where(found.pressure > 0, found.pressure, np.nan).T / 1e6
    mesh = left.pcolormesh(1e3 * found.s, 1e3 * found.t, shown, cmap="inferno_r", vmin=0, shading="nearest")
    figure.colorbar(mesh, ax=left, label="pressure [MPa]")
    left.grid(False)
    left.set(title="on the plate, logarithmic and tilted", xlabel="x [mm]", ylabel="y [mm]")
    right.axhline(example["HERTZ"] / 1e6, color=GREY, lw=0.8, ls=":")
    right.set(title="highest pressure across the line [MPa]", xlabel="x [mm]", ylim=(0, 1600))
    right.legend(loc="lower center", ncols=2)
    return figure


def robot_arm() -> Any:
    example = runpy.run_path(str(EXAMPLES / "robot_arm.py"))
    axes, begin, over, cut = (example[name] for name in ("AXES", "BEGIN", "OVER", "CUT"))
    move = example["run"](5, "motors", until=begin + 0.999 * over)
    figure = plt.figure(figsize=(8.5, 4.4), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    turn, tilt = np.radians(20), np.radians(22)  # the eye goes round and up
    right = np.array([-np.sin(turn), np.cos(turn), 0])
    up = np.array([-np.sin(tilt) * np.cos(turn), -np.sin(tilt) * np.sin(turn), np.cos(tilt)])

    def seen(x: Any) -> np.ndarray:
        return np.array([right, up]) @ np.asarray(x, dtype=float).T

    circle = np.linspace(0, 2 * np.pi, 100)
    left.fill(*seen(0.16 * np.array([np.cos(circle), np.sin(circle), 0 * circle]).T), color=GREY, alpha=0.5, lw=0)
    tip = path_of(move, "payload")
    left.plot(*seen(tip * (1, 1, 0)), color=GREY, lw=1, ls=":")
    left.plot(*seen(tip), color=RED, lw=1.2)
    corners = [path_of(move, "column", p) for p in ((0, 0, 0), (0, 0, 0.4))]
    corners += [path_of(move, name) for name in ("upper", "fore", "payload")]
    for share, strength in ((0, 0.45), (1 / 3, 0.15), (1 / 2, 0.2), (2 / 3, 0.25), (1, 1)):
        x = seen([corner[row_at(move, begin + share * over)] for corner in corners])
        left.plot(*x, color=BLUE, alpha=strength, lw=5, solid_capstyle="round", solid_joinstyle="round")
        left.plot(*x[:, 2:4], "o", color="white", mec=BLUE, ms=7, alpha=strength, ls="")
        left.plot(*x[:, 4:], "s", color=RED, ms=9, alpha=strength, mew=0)
    left.set(title="the move, 5 kg in the gripper", aspect="equal")
    left.axis("off")
    for axis, color in zip(axes, (GREEN, BLUE, RED)):
        moves = move.time > begin + 2e-3
        upper.plot(move.time[moves], move[f"{axis} motor.torque"].values[moves], color=color, label=axis)
    upper.axhline(0, color=GREY, lw=0.6)
    upper.legend(loc="upper right")
    upper.set_title("torques of the motors while they move 5 kg [N m]")
    for payload, color in ((5, BLUE), (9, RED)):
        run = example["run"](payload, "servos", until=cut + 0.5)
        lower.plot(run.time, 1e3 * run["payload.position_z"], color=color, label=f"{payload} kg")
    lower.axvline(cut, color=GREY, lw=0.8, ls="--")
    lower.text(cut - 0.02, 447, "power is cut", color=GREY, ha="right", fontsize=8)
    lower.legend()
    lower.set(title="height of the payload on servos [mm]", xlabel="time [s]")
    lower.set_xlim(0, cut + 0.5)
    return figure


def _outline(profile: Any) -> list[tuple[float, float]]:
    """Points along a profile [m]."""
    from flexor.coordinates.curve import Piece, point_and_tangent

    pieces = [Piece(packed.words) for packed in profile.pieces()]
    return [point_and_tangent(piece, s)[:2] for piece in pieces for s in np.linspace(0, piece.end, 30)]


def front_suspension() -> Any:
    example = runpy.run_path(str(EXAMPLES / "front_suspension.py"))
    run = example["ride"]().dynamics(until="2 s", step="1 ms", show=False)
    figure = plt.figure(figsize=(9.5, 3.9), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.5, 1))
    left, upper, lower = figure.add_subplot(grid[:, 0]), figure.add_subplot(grid[0, 1]), figure.add_subplot(grid[1, 1])
    _front_axle(left, run, 0, example, GREY)
    _front_axle(left, run, len(run) - 1, example, BLUE)
    left.set(title="front axle in roll, and as drawn (grey)", aspect="equal")
    left.axis("off")
    for side, color in (("left", BLUE), ("right", RED)):
        upper.plot(run.time, 1e3 * run[f"{side} rise.value"].values, color=color, label=f"{side} wheel")
    upper.set(title="rise [mm] in heave, then in roll", xlabel="time [s]")
    upper.legend()
    upper.margins(x=0)
    loads = np.arange(-2000, 2601, 200.0)
    rest = example["LOAD"]
    for label, color, sign, parts in (
        ("roll", RED, -1, {}),
        ("heave", BLUE, 1, {}),
        ("roll without the bar", GREY, -1, {"bar": 0}),
    ):
        rises = [example["axle"](rest + d, rest + sign * d, **parts).statics()["left rise.value"] for d in loads]
        line = "--" if parts else "-"
        lower.plot(1e3 * np.array(rises), (rest + loads) / 1e3, line, color=color, label=label)
    lower.set(title="load [kN] over the rise [mm] of the left wheel", xlabel="rise [mm]")
    lower.legend()
    return figure


def _front_axle(ax: Any, run: Any, row: int, example: dict[str, Any], color: str) -> None:
    """The axle at a row of a run, seen obliquely from the front."""
    view = np.array([[-0.40, 1.0, 0.0], [-0.30, 0.0, 1.0]])
    width = 3.0 if color != GREY else 1.5
    for side, sign in example["SIDES"].items():
        drawn = {name: np.array(point) * (1, sign, 1) for name, point in example["POINTS"].items()}

        def at(body: str, point: Any, side: str = side) -> np.ndarray:
            return view @ path_of(run, f"{side} {body}", point)[row]

        def line(points: list[np.ndarray], style: str = "-", **how: Any) -> None:
            ax.plot(*np.array(points).T, style, color=how.pop("color", color), solid_capstyle="round", **how)

        turn = np.linspace(0, 2 * np.pi, 60)
        for y in (0.04, -0.06):
            rim = [(0.31 * np.cos(t), sign * (0.75 + y), 0.31 + 0.31 * np.sin(t)) for t in turn]
            line([at("upright", point) for point in rim], lw=1.2, alpha=0.7)
            if y < 0 and color != GREY:
                ax.fill(*np.array([at("upright", point) for point in rim]).T, color=color, alpha=0.08, lw=0)
        for arm in ("lower", "upper"):
            ball = at(f"{arm} arm", drawn[f"{arm} ball"])
            line([at(f"{arm} arm", drawn[f"{arm} {end}"]) if end else ball for end in ("front", "", "rear")], lw=width)
            for end in ("front", "rear"):
                line([view @ drawn[f"{arm} {end}"]], "s", color="black", ms=6, zorder=5)
        line([at("upright", drawn[f"{arm} ball"]) for arm in ("lower", "upper")], "o-", lw=width + 1, ms=5, mfc="white")
        line([view @ drawn["rack"], at("upright", drawn["steering arm"])], "o-", lw=1.2, ms=3)
        ax.plot(*_coil(view @ drawn["tower"], at("lower arm", drawn["strut"]), width=0.03).T, color=color, lw=1.3)
        line([view @ drawn["tower"]], "s", color="black", ms=6, zorder=5)
        bar = GREEN if color != GREY else GREY
        middle = view @ (drawn["bar"] * (1, 0, 1))
        line([middle, at("lever", drawn["bar"]), at("lever", drawn["lever"])], color=bar, lw=width)
        line([at("lever", drawn["lever"]), at("lower arm", drawn["link"])], "o-", color=bar, lw=1.2, ms=3)


def fatigue_of_rod() -> Any:
    example = runpy.run_path(str(EXAMPLES / "fatigue_of_rod.py"))
    run = example["model"].dynamics(until="0.2 s", step="0.1 ms", show=False)
    start, _, forged = example["day"](run, example["rough"])
    worst = forged.max()
    figure = plt.figure(figsize=(9, 4.6), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1.5, 1))
    rod = figure.add_subplot(grid[0, :])
    surface = draw_field(rod, run.body("rod"), forged.values, 0.2, exaggeration=0)
    figure.colorbar(surface, ax=rod, shrink=0.85, label="damage per day")
    rod.set_title(f"as forged: {worst.label} lasts {worst.life:.2g} days of 20 starts and 8 hours at 3000 rpm")
    axes = [figure.add_subplot(grid[1, i]) for i in range(3)]
    series = run.stress("rod", "signed_max").at(node=worst.node)
    axes[0].plot(series.time, series.values / 1e6, color=BLUE)
    axes[0].axhline(0, color=GREY, lw=0.6)
    axes[0].set(title=f"stress at {worst.label} [MPa]", xlabel="time [s]")
    axes[0].margins(x=0)
    matrix = start.cycles(worst.node).matrix(20)
    figure.colorbar(matrix_on(axes[1], matrix), ax=axes[1])
    axes[1].set_title("its rainflow cycles")
    for name, color in (("rough", RED), ("smooth", GREEN)):
        curve = example[name]
        N = np.geomspace(1e4, 1e8, 200)
        axes[2].loglog(N, curve.stress(N) / 1e6, color=color, label={"rough": "as forged", "smooth": "machined"}[name])
    level = worst.largest / 2e6
    axes[2].axhline(level, color=BLUE, lw=1, ls="--")
    axes[2].text(1e8, level * 1.05, "amplitude at speed", color=BLUE, ha="right", fontsize=7)
    axes[2].set(title="S-N curves, amplitude [MPa]", xlabel="cycles")
    axes[2].legend(fontsize=7)
    return figure


def shaker_test() -> Any:
    example = runpy.run_path(str(EXAMPLES / "shaker_test.py"))
    model, out, g = example["model"], example["OUT"], example["G"]
    hertz, density = np.linspace(5, 200, 781), {"shaker.acceleration": example["DENSITY"]}
    response = model.frequency_response(hertz, {"shaker.acceleration": g}, [out, "left.tip.acceleration_z"])
    stress = model.harmonic_motion(hertz, {"shaker.acceleration": g}).stress("left")
    tired = stress.random(density)
    curve = example["swept"](g)
    figure = plt.figure(figsize=(9, 5.2), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1.2, 1))
    strip = figure.add_subplot(grid[0, :])
    surface = draw_field(strip, stress.history, tired.von_mises / 1e6, 0.0, exaggeration=0)
    figure.colorbar(surface, ax=strip, shrink=0.85, label="RMS von Mises [MPa]")
    worst = tired.max(ties=False)
    strip.set_title(f"left bracket, 0.01 g²/Hz from 5 to 200 Hz: {worst.value / 1e6:.3g} MPa RMS at {worst.label}")
    axes = [figure.add_subplot(grid[1, i]) for i in range(3)]
    for name, color in ((out, BLUE), ("left.tip.acceleration_z", RED)):
        size = np.abs(response.values[:, response.outputs.index(name), 0])
        axes[0].semilogy(hertz, size, color=color, label=name.rpartition(".")[0])
    axes[0].set(title="acceleration per that of the table", xlabel="frequency [Hz]")
    axes[0].legend(fontsize=7)
    axes[1].semilogy(hertz, np.nanmax(stress.amplitude(), axis=1) / 1e6, color=BLUE)
    axes[1].set(title="largest stress at 1 g, linear [MPa]", xlabel="frequency [Hz]")
    f, size, unstable = curve.frequencies, curve.amplitude(out) / g, curve.stable == 0
    fold = np.isin(f, curve.folds)
    axes[2].plot(f, np.where(unstable & ~fold, np.nan, size), color=BLUE, label="with the snubber")
    axes[2].plot(f, np.where(unstable | fold, size, np.nan), "--", color=BLUE, lw=1)
    linear = np.abs(response.total[:, 0]) / g
    axes[2].plot(hertz, linear, color=GREY, lw=1, label="linear")
    axes[2].set(title="instrument at 1 g [g]", xlabel="frequency [Hz]", xlim=(f.min(), f.max()))
    axes[2].set_ylim(0, 1.05 * max(size.max(), linear.max()))
    axes[2].legend(fontsize=7)
    for ax in axes:
        ax.margins(x=0)
    return figure


def servo_arm() -> Any:
    example = runpy.run_path(str(EXAMPLES / "servo_arm.py"))
    figure = plt.figure(figsize=(8, 3.6), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    model = example["servo"]()
    run = model.dynamics(until="4 s", step="2 ms", show=False)
    arm = run.body("arm")
    order = np.argsort(arm.reduced.nodes[:, 0])
    for time in np.arange(0, 1.5, 0.1):
        row = row_at(run, time)
        left.plot(*arm.points(row)[order][:, :2].T, color=BLUE, alpha=0.25 + 0.5 * time, lw=1.8)
        left.plot(*run["payload.position"].values[row, :2], "o", color=RED, ms=4)
    left.plot(0, 0, "o", color="black", ms=6)
    left.set(title="arm and payload, every 0.1 s", xlabel="x [m]", ylabel="y [m]", aspect="equal")
    degrees = 180 / np.pi
    for name, color in (("drive", BLUE), ("tip", RED)):
        upper.plot(run.time, degrees * run[f"{name}.value"].values, color=color, label=name)
    upper.plot(
        run.time,
        degrees * (run["drive.value"].values + run["error.value"].values),
        color=GREY,
        ls="--",
        lw=1,
        label="goal",
    )
    upper.set_title("angle [°]")
    upper.legend(fontsize=7, loc="lower right")
    lower.plot(run.time, run["controller.value"], color=GREY, lw=1, label="asked for")
    lower.plot(run.time, run["motor.value"], color=BLUE, label="motor")
    lower.set(title="torque [N m]", xlabel="time [s]")
    lower.legend(fontsize=7, loc="upper right")
    for ax in (upper, lower):
        ax.margins(x=0)
    return figure


def car() -> Any:
    example = runpy.run_path(str(EXAMPLES / "car.py"))
    model = example["car"]()
    run = model.dynamics(until=6, step=1e-3, output=0.01, show=False, solver="tree")
    implicit = model.dynamics(until=6, step=1e-3, output=0.01, show=False)
    figure = plt.figure(figsize=(8.5, 4.0), layout="constrained")
    left, upper, lower = _drawing_and_two(figure)
    left.fill([-0.6, 0.6, 0.85, 0.85, -0.85, -0.85], [0.27, 0.27, 0.7, 0.8, 0.8, 0.7], color=BLUE, alpha=0.25, lw=0)
    turn = np.linspace(0, 2 * np.pi, 60)
    for side in ("left", "right"):
        out = 1 if side == "left" else -1
        hub, arm, rod, tube = (
            path_of(run, f"front_{side}.{part}")[0, 1:] for part in ("wheel.disc", "arm", "strut.rod", "strut.tube")
        )
        left.fill(
            hub[0] + 0.09 * out + 0.08 * np.sign(np.cos(turn)), hub[1] + 0.3 * np.sin(turn), color=GREY, alpha=0.6, lw=0
        )
        left.plot(*np.transpose([2 * arm - hub, hub]), color=GREEN, lw=4, solid_capstyle="round")
        foot, top = 1.5 * rod - 0.5 * tube, 1.5 * tube - 0.5 * rod
        left.plot(*np.transpose([foot, top]), color=GREY, lw=1.2)
        left.plot(*_coil(rod, tube, width=0.03).T, color=RED, lw=1.2)
    left.axhline(0, color=GREY, lw=0.8)
    across, up = example["SEAT"][1], example["MIDDLE"] + example["SEAT"][2]
    left.annotate("", (across, up), (across, up + 0.4), arrowprops={"arrowstyle": "-|>", "color": RED, "lw": 1.5})
    said = f"passenger: {example['WEIGHT']:.0f} N\nafter {example['ENTERS']:g} s"
    left.text(across + 0.05, up + 0.35, said, color=RED, fontsize=8, va="center")
    for level, (name, color, height) in enumerate(
        (("strut, wheel", GREY, 0.08), ("suspension", GREEN, 0.2), ("car", BLUE, 0.5)), start=1
    ):
        left.text(0, height, f"level {level}: {name}", color=color, fontsize=8, ha="center", va="center")
    left.set(title="its front axle", aspect="equal")
    left.axis("off")
    upper.plot(run.time, 1e3 * run["body.position_z"].values, color=BLUE)
    upper.axvline(example["ENTERS"], color=GREY, lw=0.8, ls="--")
    upper.set_title("height of the body [mm]")
    apart = run["body.position_z"].values - implicit["body.position_z"].values
    lower.plot(run.time, 1e9 * apart, color=RED)
    lower.set(title="tree less implicit solver [nm]", xlabel="time [s]")
    lower.set_xlim(0, 6)
    return figure


def ring_gyroscope() -> Any:
    example = runpy.run_path(str(EXAMPLES / "ring_gyroscope.py"))
    run = example["model"].dynamics(until="0.2 s", step="50 us", show=False)
    times, angles = example["pattern"](run)
    figure, (left, right) = plt.subplots(1, 2, figsize=(8, 3.4), width_ratios=(1, 1.2), layout="constrained")
    phi, R, spin = np.linspace(0, 2 * np.pi, 361), example["RADIUS"], example["SPIN"]
    left.plot(R * np.cos(phi), R * np.sin(phi), color=GREY, lw=0.8, ls="--")
    for row, color, name in ((0, BLUE, "at the begin"), (-1, RED, "at the end")):
        turned = spin * times[row] + angles[row]
        r = R * (1 + 0.15 * np.cos(2 * (phi - turned)))
        left.plot(r * np.cos(phi), r * np.sin(phi), color=color, label=name)
        mark = spin * times[row]
        left.plot(R * np.cos(mark), R * np.sin(mark), "o", color=color, ms=6)
    left.set(title="standing wave, and a mark on the ring", aspect="equal")
    left.axis("off")
    left.legend(fontsize=8, loc="center")
    right.plot(times, np.degrees(spin * (times - times[0])), color=BLUE, label="ring")
    right.plot(times, np.degrees(spin * (times - times[0]) + angles - angles[0]), "o", color=RED, ms=4, label="wave")
    right.plot(times, 0.6 * np.degrees(spin * (times - times[0])), color=GREY, lw=0.8, ls="--", label="3/5 of it")
    right.set(title="angle turned in space [deg]", xlabel="time [s]")
    right.legend()
    return figure


PICTURES: dict[str, Callable[[], Any]] = {
    "pendulum": pendulum,
    "four-bar": four_bar,
    "slider-crank": slider_crank,
    "double-wishbone": double_wishbone,
    "flexible-slider-crank": flexible_slider_crank,
    "rotating-blade": rotating_blade,
    "two-booms": two_booms,
    "valve-train": valve_train,
    "cam-and-roller": cam_and_roller,
    "ball-in-race": ball_in_race,
    "ratchet": ratchet,
    "rolling-ring": rolling_ring,
    "crowned-roller": crowned_roller,
    "front-suspension": front_suspension,
    "robot-arm": robot_arm,
    "telescopic-crane": telescopic_crane,
    "fatigue-of-rod": fatigue_of_rod,
    "shaker-test": shaker_test,
    "servo-arm": servo_arm,
    "car": car,
    "ring-gyroscope": ring_gyroscope,
}


def _drawing_and_two(figure: Any) -> tuple[Any, Any, Any]:
    """A drawing on the left, two signals over the same time on the right."""
    grid = figure.add_gridspec(2, 2, width_ratios=(1.15, 1))
    upper = figure.add_subplot(grid[0, 1])
    upper.tick_params(labelbottom=False)
    return figure.add_subplot(grid[:, 0]), upper, figure.add_subplot(grid[1, 1], sharex=upper)


def _signal(ax: Any, run: Any, signals: list[tuple[str, str]], title: str, factor: float = 1.0) -> None:
    for name, color in signals:
        ax.plot(run.time, factor * run[name], color=color)
    ax.set_title(title)
    ax.margins(x=0)


def _coil(a: np.ndarray, b: np.ndarray, turns: int = 6, width: float = 0.018) -> np.ndarray:
    """A zigzag from a to b."""
    along = np.linspace(0, 1, 4 * turns + 1)
    side = np.zeros_like(along)
    side[3:-2:4], side[5:-2:4] = width, -width
    normal = np.array([-(b - a)[1], (b - a)[0]]) / np.linalg.norm(b - a)
    keep = np.r_[0, 2, np.arange(3, len(along) - 2, 2), len(along) - 3, len(along) - 1]
    return (a + np.outer(along, b - a) + np.outer(side, normal))[keep]


def main(names: Sequence[str]) -> None:
    folder = HERE / "pictures"
    folder.mkdir(exist_ok=True)
    for name in names or PICTURES:
        with plt.rc_context(STYLE):
            PICTURES[name]().savefig(folder / f"{name}.png", dpi=130)
        print(folder / f"{name}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
