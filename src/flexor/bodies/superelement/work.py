"""Scratch memory of the superelement law, by name. N is a multiple of four, see `superelement_layout`."""

from __future__ import annotations

from typing import NamedTuple

from flexor.law.column_arrays import padded
from flexor.law.primitives import Words, at
from flexor.law.record import Record, number, numbers


class Head(Record):
    """Begin of the scratch memory: the answer, and the frame now."""

    answer = numbers(16, "what outputs and energies take")
    R0 = numbers(9, "axes of the frame")
    W_inverse = numbers(9, "W⁻¹ of its condition")
    omega = numbers(3, "ω, in its axes", "rad/s")
    alpha = numbers(3, "α, likewise", "rad/s²")
    mu = numbers(3, "μ = W⁻ᵀ Sᵀ f̂", "N m")
    upwards = number(
        "1: the matrices of inertia were gone through from their first rows on; any other value serves, too"
    )


class Bent(Record):
    """Scratch of one node: how it stands in the frame."""

    Q = numbers(9, "its rotation")
    D = numbers(9, "what its turning weighs in the frame's condition")
    P = numbers(3, "its position", "m")
    H = numbers(9, "H⁻¹(ψ), rate of ψ per spin")


HEAD, BENT = Head.WORDS, Bent.WORDS


class Work(NamedTuple):
    """Scratch of the residual; arrays of N where nothing else is said.

    N, nc, nq   coordinates, padded; nodes; modes
    head        the frame now, see Head
    nodes       a Bent each
    z           deformations
    f           K z
    rbar        r̄, elastic and damping forces
    abar        ā
    vbar        v̄
    rate        ŵ
    inertia     inertia forces
    star        a*
    bent        𝔾ₖ z, three arrays
    slope       Σ ∂(ωᵢωⱼ)/∂ωₖ (cᵢⱼ + Eᵢⱼ z) + 2 𝔾ₖ ŵ, three arrays
    carried     ā + M⁺ Σ αₗ𝔾ₗz
    spare       for products; the scratch of the tangent begins here, too
    """

    N: int
    nc: int
    nq: int
    head: Head
    nodes: Words
    z: Words
    f: Words
    rbar: Words
    abar: Words
    vbar: Words
    rate: Words
    inertia: Words
    star: Words
    bent: Words
    slope: Words
    carried: Words
    spare: Words


class Tangent(NamedTuple):
    """Scratch of the tangent: three arrays of N each, then square matrices.

    G, S          δφ = G δq̄ and what it takes away
    Omega         Ω = ∂ω/∂q̄ with v held
    left          multiplies G
    left_omega    multiplies Ω
    V             turned vectors
    U             behind Gᵀ
    own, rows     for the inertia of the field
    K             K̄
    gyro          𝒢
    Q             Q₂
    """

    G: Words
    S: Words
    Omega: Words
    left: Words
    left_omega: Words
    V: Words
    U: Words
    own: Words
    rows: Words
    K: Words
    gyro: Words
    Q: Words


def work_memory(nc, nq, w):
    """The Work in scratch memory w."""
    N = padded(6 * nc + nq)
    nodes = at(w, HEAD)
    z = at(w, padded(HEAD + BENT * nc))
    bent = at(z, 8 * N)
    return Work(
        N, nc, nq, Head(w), nodes, z, at(z, N), at(z, 2 * N), at(z, 3 * N), at(z, 4 * N), at(z, 5 * N), at(z, 6 * N),
        at(z, 7 * N), bent, at(bent, 3 * N), at(bent, 6 * N), at(bent, 7 * N),
    )  # fmt: skip


def tangent_memory(N, w):
    """The Tangent in scratch memory w."""
    K = at(w, 27 * N)
    return Tangent(
        w, at(w, 3 * N), at(w, 6 * N), at(w, 9 * N), at(w, 12 * N), at(w, 15 * N), at(w, 18 * N), at(w, 21 * N),
        at(w, 24 * N), K, at(K, N * N), at(K, 2 * N * N),
    )  # fmt: skip


def scratch(nc: int, nq: int) -> int:
    """Floats that both take: of Work 15 arrays before the spare, of Tangent 9 × 3 and three square matrices."""
    N = padded(6 * nc + nq)
    return padded(HEAD + BENT * nc) + (15 + 27) * N + 3 * N * N
