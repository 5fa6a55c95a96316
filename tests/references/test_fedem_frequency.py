"""Fedem's frequency domain models: an L-frame under a force and a moved end, and a cantilever under a sweep (2023 SAP SE, Apache-2.0).

Both are linear, of ten and eight beams, with damping α₁M + α₂K, and sampled at 1 kHz without windows: the record repeats itself. Dampers to ground
stand for α₁M. Fedem's beams have consistent mass without rotary inertia, which makes the difference of 0.14 % at 20 Hz: with the same
matrices (tested here too) it is rounding. Shear factors 0.5 of its input divide the area.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import flexor as fx
from flexor.solve.frequency.direct import direct_response
from flexor.solve.frequency.linear_system import LinearSystem

ALPHA, BETA = 0.1697, 0.0094
RATE = 1000.0


def beam(name: str, points: list, area: float, second: float, shear: float, divisions: int, **damped: str) -> list:
    """With dampers to ground at its nodes, along the axes x and y that `damped` names for all but the first and the last."""
    section = fx.GeneralSection(area, second, second, 2 * second, shear_factors=(2.0, 2.0))
    steel = fx.Isotropic(2.1e11, 2.1e11 / 2 / shear - 1, 7850.0)
    body = fx.Beam(name, points=points, section=section, material=steel, divisions=divisions, damping=BETA)
    length = sum(np.linalg.norm(np.subtract(a, b)) for a, b in zip(points[1:], points[:-1], strict=True))
    c = ALPHA * 7850.0 * area * length / divisions
    nodes = [(i, axis, 1.0) for i in range(1, divisions) for axis in damped["inside"]]
    nodes += [(divisions, axis, 0.5) for axis in damped["end"]]
    dampers = [
        fx.GlobalSpring(f"c{i}{axis}", fx.ground, body[f"node {i}"], direction=axis, damping=share * c)
        for i, axis, share in nodes
    ]
    return [body, fx.Fixed("clamp", fx.ground, body["start"]), *dampers]


def test_frame(reference) -> None:
    time, *curves = reference.fedem("frame_response")
    items = beam(
        "f", [(0, 0, 0), (0, 5, 0), (5, 5, 0)], 7.068583471e-2, 1.811324514e-3, 8.139534884e10, 10, inside="xy", end="x"
    )
    items += [
        fx.PrescribedMotion("base", "f.end", y=0.0, z=0.0),
        fx.PointForce("wind", "f.node 5", direction="x", force=0),
    ]
    outputs = ["f.node 5.position_x", "f.end.position_x", "f.node 7.position_y"]
    signals = {"wind.force": fx.sine(1e6, frequency=1.0), "base.y": fx.sine(0.05, frequency=20.0)}
    got = fx.Model("frame", items).spectral_response(signals, outputs, sampling=RATE, until=3.0)
    rows = np.rint(time * RATE).astype(int)
    for name, curve in zip(outputs, curves, strict=True):
        assert np.abs(got[name][rows] - curve).max() < 6e-4 * np.abs(curve).max()
    slow = [got.spectrum(name)[1][3] for name in outputs]  # at 1 Hz, of the curves by least squares
    both = np.exp(2j * np.pi * np.outer(time, [1.0, 20.0]))
    waves = np.column_stack([both.real, both.imag])
    for a, curve in zip(slow, curves, strict=True):
        fit = np.linalg.lstsq(waves, curve, rcond=None)[0]
        assert abs(a - (fit[0] - 1j * fit[2])) < 2e-5 * abs(a)


def test_sweep(reference) -> None:
    time, *curves = reference.fedem("sweep_response")
    items = beam("b", [(0, 0, 0), (4, 0, 0)], 3.141592654e-2, 7.853981634e-5, 2.1e11 / 2.6, 8, inside="y", end="")
    model = fx.Model("sweep", [*items, fx.PrescribedMotion("base", "b.end", y=0.0)])
    outputs = ["b.node 2.position_y", "b.node 6.position_y"]
    t = np.arange(4000) / RATE
    got = model.spectral_response({"base.y": 0.05 * np.sin(10 * np.pi * t**2)}, outputs, sampling=RATE)
    assert "the others in the space" in got.method
    rows = np.rint(time * RATE).astype(int)
    for name, curve, limit in zip(outputs, curves, (1e-3, 4e-4), strict=True):
        assert np.abs(got[name][rows] - curve).max() < limit * np.abs(curve).max()


def _matrices() -> tuple[np.ndarray, np.ndarray]:
    """K and M of ten plane beams (x, y, turn of eleven nodes) with shear, without rotary inertia."""
    E, area, second, G, rho = 2.1e11, 7.068583471e-2, 1.811324514e-3, 8.139534884e10, 7850.0
    phi = 12 * E * second * 0.5 / (G * area)  # of one metre
    K, M = np.zeros((33, 33)), np.zeros((33, 33))
    bending = E * second / (1 + phi) * np.array(
        [[12, 6, -12, 6], [6, 4 + phi, -6, 2 - phi], [-12, -6, 12, -6], [6, 2 - phi, -6, 4 + phi]]
    )  # fmt: skip
    swaying = rho * area / 420 * np.array([[156, 22, 54, -13], [22, 4, 13, -3], [54, 13, 156, -22], [-13, -3, -22, 4]])
    along, across = [0, 3], [1, 2, 4, 5]
    for e in range(10):
        k, m = np.zeros((6, 6)), np.zeros((6, 6))
        k[np.ix_(along, along)] = E * area * np.array([[1, -1], [-1, 1]])
        m[np.ix_(along, along)] = rho * area / 6 * np.array([[2, 1], [1, 2]])
        k[np.ix_(across, across)], m[np.ix_(across, across)] = bending, swaying
        c, s = (0.0, 1.0) if e < 5 else (1.0, 0.0)
        T = np.kron(np.eye(2), np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]))
        own = np.ix_(range(3 * e, 3 * e + 6), range(3 * e, 3 * e + 6))
        K[own] += T.T @ k @ T
        M[own] += T.T @ m @ T
    return K, M


def test_frame_with_the_same_matrices(reference) -> None:
    time, *curves = reference.fedem("frame_response")
    K, M = (X[3:, 3:] for X in _matrices())
    n = len(K)
    full = [np.zeros((n + 4, n + 4)) for _ in range(3)]  # beside the coordinates: the moved end, and three readings
    for matrix, own in zip(full, (K, ALPHA * M + BETA * K, M), strict=True):
        matrix[:n, :n] = own
    end, corner, middle = 3 * 9, 3 * 4, 3 * 6
    full[0][n, end + 1] = full[0][end + 1, n] = 1.0
    for i, row in enumerate((corner, end, middle + 1)):
        full[0][n + 1 + i, n + 1 + i], full[0][n + 1 + i, row] = 1.0, -1.0
    felt = np.zeros((n + 4, 2, 5))
    felt[corner, 0, 0] = felt[n, 1, 0] = -1.0
    unknowns = np.arange(n + 4)
    matrices = map(sparse.csr_array, (full[0], np.zeros((n + 4, n + 4)), full[1], full[2]))
    system = LinearSystem(*matrices, felt, unknowns[n + 1 :], unknowns < n, unknowns > n, ("",) * (n + 4))
    H = direct_response(system, 2 * np.pi * np.array([1.0, 20.0]))
    wave = np.exp(2j * np.pi * np.outer(time, [1.0, 20.0])) * [1e6, 0.05]
    for i, curve in enumerate(curves):
        got = (wave[:, 0] * H[0, i, 0] + wave[:, 1] * H[1, i, 1]).imag
        assert got == pytest.approx(curve, abs=3e-7)  # positions about 5 m were in single precision
