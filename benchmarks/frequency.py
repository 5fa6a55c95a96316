"""Frequency response of a chain of beams at many frequencies, against LAPACK (dense) and SuperLU (SciPy's sparse) at each of them."""

from __future__ import annotations

import argparse
import time
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.linalg import lapack
from scipy.sparse.linalg import splu

import flexor as fx
from flexor.solve.frequency.analysis import linear_system
from flexor.solve.frequency.inputs import probed, read_inputs
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.outputs import with_outputs
from flexor.solve.frequency.sweep import swept_response
from flexor.solve.modes import about_state


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--beams", type=int, default=80, help="how many, of 24 coordinates and six constraints each")
    parser.add_argument("--frequencies", type=int, default=10_000)
    parser.add_argument("--to", type=float, default=600.0, help="highest frequency [Hz]")
    parser.add_argument("--sparse", type=int, default=100, help="frequencies that SuperLU is timed at")
    parser.add_argument("--dense", type=int, default=2, help="frequencies that LAPACK is timed at")


def equations(beams: int) -> LinearSystem:
    """A cantilever of beams with welded joints, tapped at its end."""
    steel = fx.Isotropic(2e11, 0.3, 7850)
    section = fx.Circle(0.02)
    pieces = [
        fx.Beam(
            f"b{i}", points=[(0, 0, 0), (0.1, 0, 0)], section=section, material=steel, divisions=3, damping=1e-4,
            position=(0.1 * i, 0, 0),
        )
        for i in range(beams)
    ]  # fmt: skip
    by: dict[str, Any] = {"enforcement": "multipliers"}
    items = [*pieces, *(fx.Fixed(f"w{i}", a["end"], b["start"], **by) for i, (a, b) in enumerate(pairwise(pieces)))]
    items += [fx.Fixed("clamp", fx.ground, pieces[0]["start"], **by)]
    items += [fx.PointForce("tap", pieces[-1]["end"], direction=(1, 1, 1), force=0)]
    last, middle = beams - 1, beams // 2
    outputs = [f"b{last}.end.position_y", f"b{middle}.end.acceleration_z", "clamp.force_x"]
    model, read = with_outputs(fx.Model("cantilever", items), outputs)
    inputs = read_inputs(model, "tap")
    system, _ = about_state(probed(model, inputs), "equilibrium", None, None, (0.0, 0.0, 0.0), False)
    return linear_system(system, model, inputs, list(read.values()), 0.0)


def run(options: argparse.Namespace) -> int:
    system = equations(options.beams)
    omegas = 2 * np.pi * np.linspace(1.0, options.to, options.frequencies)
    begin = time.perf_counter()
    found = swept_response(system, omegas)
    ours = time.perf_counter() - begin
    assert found is not None
    values, solved = found
    print(
        f"{system.own.sum()} coordinates, {(~system.own & ~system.reading).sum()} constraints, {len(omegas)} frequencies"
    )
    print(f"flexor: {ours:.2f} s, equations solved at {solved} frequencies")
    some = np.linspace(0, len(omegas) - 1, options.sparse).astype(int)
    begin = time.perf_counter()
    each = np.array([splu(system.matrix(w)).solve(system.excitation(w))[system.read] for w in omegas[some]])
    sparse = (time.perf_counter() - begin) / len(some) * len(omegas)
    off = np.abs(values[some] - each) / np.abs(each)
    print(f"SuperLU: {sparse:.1f} s ({len(some)} timed); largest relative difference {off.max():.1e}")
    few = some[:: max(1, len(some) // max(options.dense, 1))][: options.dense]
    matrices = [np.asfortranarray(system.matrix(w).toarray()) for w in omegas[few]]
    begin = time.perf_counter()
    for A, w in zip(matrices, omegas[few], strict=True):
        lapack.zgesv(A, system.excitation(w), overwrite_a=True)
    dense = (time.perf_counter() - begin) / len(few) * len(omegas)
    print(f"LAPACK: {dense:.0f} s ({len(few)} timed)")
    print(f"ratio {min(dense, sparse) / ours:.1f}")
    return 0
