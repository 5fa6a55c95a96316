"""From the geometry and the section of a beam element to the parameters of its law."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from flexor.bodies.beam.exact import exact_beam
from flexor.bodies.beam.exact_parameters import COUPLED, OFFSET, ROTARY_1, ROTARY_2, TURNED, ExactBeam
from flexor.bodies.beam.section_stiffness import SectionProperties
from flexor.law import Term
from flexor.spatial import log_so3, skew, tangent_inverse

_POINTS, _WEIGHTS = np.polynomial.legendre.leggauss(4)


def helix(X: np.ndarray, S: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """u, ψ of the helix between two section frames: origins X (2, 3), axes S (2, 3, 3) as columns; in the axes of X."""
    psi = log_so3(S[1] @ S[0].T)
    return tangent_inverse(psi) @ (X[1] - X[0]), psi


def stiffness(section: SectionProperties, u: np.ndarray, psi: np.ndarray) -> np.ndarray:
    """C (6, 6), inverse of C⁻¹ = L S + L³/12 ad S adᵀ, with the strain ε₀ = (u, ψ)/L in section axes."""
    L = float(np.linalg.norm(u))
    ad = np.zeros((6, 6))
    ad[:3, :3] = ad[3:, 3:] = skew(psi / L)
    ad[:3, 3:] = skew(u / L)
    S = section.compliance
    C = np.linalg.inv(L * S + L**3 / 12 * ad @ S @ ad.T)
    return 0.5 * (C + C.T)


def shear_share(section: SectionProperties, L: float) -> float:
    """1/(1 + Φ) of (21.14), the mean of both planes of bending."""
    S = section.compliance
    phi = np.array([12 * S[1, 1] / S[5, 5], 12 * S[2, 2] / S[4, 4]]) / L**2
    return float(np.mean(1 / (1 + phi)))


def line_mass(section: SectionProperties, L: float) -> np.ndarray:
    """(4, 4) mass matrix of x₁, t₁, x₂, t₂ for the field that they interpolate:

    x(ξ) = (1 − ξ) x₁ + ξ x₂ + L ξ(1 − ξ) [½ (t₁ − t₂) + (1 − 2ξ)/(1 + Φ) (½ (t₁ + t₂) − (x₂ − x₁)/L)]
    which is Hermite's for a beam that is stiff in shear, Φ = 12 EI/(GA L²) = 0.
    """
    part = shear_share(section, L)
    M = np.zeros((4, 4))
    for point, weight in zip(_POINTS, _WEIGHTS):
        xi = 0.5 * (1 + point)
        even, odd = xi * (1 - xi) / 2, part * xi * (1 - xi) * (1 - 2 * xi)
        N = np.array([1 - xi + odd, L * (even + odd / 2), xi - odd, L * (odd / 2 - even)])
        M += 0.5 * weight * section.mass * L * np.outer(N, N)
    return M


def exact_beam_term(
    name: str,
    nodes: tuple[int, int],
    X: np.ndarray,
    S: np.ndarray,
    section: SectionProperties,
    *,
    damping: float = 0.0,
    rotary: tuple[float, float] | None = None,
    x0: np.ndarray | None = None,
    R_WB: np.ndarray | None = None,
    limp: bool = False,
) -> Term:
    """One beam element between two nodes whose axes are, at the start, those in which X and S are given.

    X (2, 3), S (2, 3, 3): ends and section axes (columns) of the stress-free beam.   damping: β [s].
    rotary: lengths of beam whose rotary inertia each node carries here [m]; half the element's by default.
    x0, R_WB: the ends at the start (2, 3) and the axes of X and S in global ones, for the potential energy.
    limp: inertia alone, without stiffness and damping.
    """
    u, psi = helix(X, S)
    L = float(np.linalg.norm(u))
    C = stiffness(section, S[0].T @ u, S[0].T @ psi)
    turn = np.kron(np.eye(2), S[0])
    C = turn @ C @ turn.T
    M = line_mass(section, L)
    offsets = S @ np.array([0.0, *section.mass_center])
    rotary = (L / 2, L / 2) if rotary is None else rotary
    J = [length * axes @ section.inertia @ axes.T for length, axes in zip(rotary, S)]
    T = S[1] @ S[0].T
    ends, axes = (X, np.eye(3)) if x0 is None else (x0, np.eye(3) if R_WB is None else R_WB)
    vectors = np.stack([ends[0] + axes @ offsets[0], axes @ S[0, :, 0], ends[1] + axes @ offsets[1], axes @ S[1, :, 0]])
    if limp:
        flexible = dict(_LIMP)
        C = np.zeros((6, 6))
    else:
        flexible = _flexible_parts(section.compliance, L, u, psi, turn)
    coupling = np.abs(C[:3, 3:]).max() > 1e-15 * np.sqrt(np.abs(C[:3, :3]).max() * np.abs(C[3:, 3:]).max())
    kind = (
        TURNED * bool(np.abs(T - np.eye(3)).max() > 1e-15)
        | COUPLED * bool(coupling)
        | OFFSET * bool(np.any(offsets))
        | ROTARY_1 * bool(np.any(J[0]))
        | ROTARY_2 * bool(np.any(J[1]))
    )
    parameters = ExactBeam.pack(
        kind=kind,
        u0=u,
        psi0=psi,
        t_1=S[0, :, 0],
        o_1=offsets[0],
        o_2=offsets[1],
        t_2=S[1, :, 0],
        beta=damping,
        **flexible,
        T=T,
        S_1=S[0],
        mass=(M[0, 0], M[0, 2], M[0, 1], M[0, 3], M[1, 1], M[1, 3]),
        J_1=_entries(J[0]),
        J_2=_entries(J[1]),
        moment=(M[0] + M[2]) @ vectors,
        C_uu=_entries(C[:3, :3]),
        C_up=C[:3, 3:],
        C_pp=_entries(C[3:, 3:]),
    )
    return Term(name, exact_beam, nodes, parameters=parameters)


_LIMP: dict[str, ArrayLike] = {
    "A": (0.0,) * 6,
    "sigma_0": (1e90, 1e90, 1e90, 0.0, 0.0, 0.0),
    "B": (0.0,) * 6,
    "Z": (0.0,) * 9,
    "Y": (0.0,) * 9,
    "X": (0.0,) * 9,
}
"""The constants of (21.7) where Σ, the flexibility in bending and twist, is without end."""


def _flexible_parts(S: np.ndarray, L: float, u: np.ndarray, psi: np.ndarray, turn: np.ndarray) -> dict[str, ArrayLike]:
    """The constants of (21.7), in the axes of u and ψ."""
    S = L * turn @ S @ turn.T
    B, U = S[3:, 3:] / 12, skew(u)
    A = np.linalg.inv(S[:3, :3] + U @ B @ U.T)
    Z, Y = B @ U.T @ A, S[3:, :3] @ A
    sigma = S[3:, 3:] - Y @ S[:3, 3:]
    return {"A": _entries(A), "sigma_0": _entries(sigma), "B": _entries(B - Z @ U @ B), "Z": Z, "Y": Y, "X": Y @ U @ B}


def _entries(A: np.ndarray) -> tuple[float, ...]:
    return (A[0, 0], A[1, 1], A[2, 2], A[0, 1], A[0, 2], A[1, 2])
