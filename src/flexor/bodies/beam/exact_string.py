"""Residuals of eight elements of an exact beam side by side: the equations of `exact` for straight, undamped ones that are bent little each.

The parameters are those of `ExactBeam`, number i of all eight at p[8 i] (`flexor.law.string`).
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.beam.exact_parameters import COUPLED, OFFSET, TURNED, ExactBeam
from flexor.bodies.beam.helical_strain import along, back, by_sine, gradient, sine_of
from flexor.bodies.beam.inertia import acceleration, rotary_torque, weighted
from flexor.law.lanes import gather8, lane8, load8, store8
from flexor.law.rotation_vector import cotangent_series
from flexor.law.tuples import (
    add,
    adjugate,
    cross,
    determinant,
    dot,
    mm,
    mm_skew,
    msub,
    mtv,
    mv,
    scale,
    skew_mm,
    sub,
    transpose,
)

BEYOND = 1
"""Status: some element is bent too far for the series."""
_AT = {field.name: field.offset for field in ExactBeam.FIELDS}
U0, PSI0, T_1, T_2, A, SIGMA_0, B, Z, MASS, J_1, J_2 = (
    _AT[name] for name in ("u0", "psi0", "t_1", "t_2", "A", "sigma_0", "B", "Z", "mass", "J_1", "J_2")
)


def fits_string(words: np.ndarray) -> bool:
    """Whether an element with these parameters may stand in a string."""
    p = ExactBeam(words)
    return not (p.kind & (TURNED | COUPLED | OFFSET) or p.beta > 0.0)


def exact_string(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Nodes: the nine ends. Equations as in `exact_beam`."""
    N1, N2 = _matrices(R, 0), _matrices(R, 9)
    turn = mm(transpose(N1), N2)
    sine = sine_of(turn)
    q = dot(sine, sine)
    if _beyond_series(q, turn[0] + turn[4] + turn[8]):
        return BEYOND
    psi = scale(by_sine(q), sine)
    d, d2 = cotangent_series(dot(psi, psi))
    y = sub(_vectors(x, 3, 3), _vectors(x, 0, 3))
    y_1 = mtv(N1, y)
    # wrench (q_1, m) in the axes of node 1   (21.8), (21.9)
    e_u = sub(along(psi, d, y_1), _triple(p, U0))
    Z_1, B_1 = _nine(p, Z), _symmetric(p, B)
    g = mv(Z_1, e_u)
    sigma = msub(_symmetric(p, SIGMA_0), mm_skew(skew_mm(psi, B_1), psi))
    epsilon = sub(sub(psi, _triple(p, PSI0)), cross(psi, g))
    m_0 = scale(1.0 / determinant(sigma), mv(adjugate(sigma), epsilon))
    turned = cross(psi, m_0)
    q_1 = add(mv(_symmetric(p, A), e_u), mtv(Z_1, turned))
    m = add(m_0, cross(m_0, sub(g, mv(B_1, turned))))
    m_1 = add(m, gradient(psi, d, d2, q_1, y_1))
    force = mv(N1, back(psi, d, q_1))
    moment = mv(N1, back(psi, d, m_1))
    # inertia: G = M (ẍ₁, ẗ₁, ẍ₂, ẗ₂)
    m_a, m_b, m_c = load8(p, 8 * MASS), load8(p, 8 * MASS + 8), load8(p, 8 * MASS + 16)
    m_d, m_e, m_f = load8(p, 8 * MASS + 24), load8(p, 8 * MASS + 32), load8(p, 8 * MASS + 40)
    t_1, t_2 = mv(N1, _triple(p, T_1)), mv(N2, _triple(p, T_2))
    omega_1, omega_2 = _vectors(v, 3, 6), _vectors(v, 9, 6)
    a_1, alpha_1, a_2, alpha_2 = _vectors(a, 0, 6), _vectors(a, 3, 6), _vectors(a, 6, 6), _vectors(a, 9, 6)
    b_1, b_2 = acceleration(t_1, omega_1, alpha_1), acceleration(t_2, omega_2, alpha_2)
    G_t1 = weighted(m_c, a_1, -m_d, a_2, m_e, b_1, m_f, b_2)
    G_t2 = weighted(m_d, a_1, -m_c, a_2, m_f, b_1, m_e, b_2)
    tau_1 = sub(cross(t_1, G_t1), add(moment, cross(y, force)))
    tau_2 = add(cross(t_2, G_t2), moment)
    _put(r, 0, sub(weighted(m_a, a_1, m_b, a_2, m_c, b_1, m_d, b_2), force))
    _put(r, 3, add(tau_1, rotary_torque(_symmetric(p, J_1), N1, omega_1, alpha_1)))
    _put(r, 6, add(weighted(m_b, a_1, m_a, a_2, -m_d, b_1, -m_c, b_2), force))
    if _any(p, J_2):  # as a rule only the last element carries some of its second node
        tau_2 = add(tau_2, rotary_torque(_symmetric(p, J_2), N2, omega_2, alpha_2))
    _put(r, 9, tau_2)
    return 0


def _beyond_series(q, trace):
    """Whether the series at q = sin²ψ does not hold for one of the elements, as in `helical_strain`; nor does it of what is not a number."""
    holds = 0
    for i in range(8):
        if lane8(q, i) <= 0.06 and lane8(trace, i) >= 1.0:
            holds += 1
    return holds < 8


def _any(p, o):
    """Whether some element has a number other than zero on this diagonal."""
    largest = 0.0
    for i in range(24):
        largest = max(largest, abs(p[8 * o + i]))
    return largest > 0.0


def _vectors(array, i, stride):
    """Vector at array[i:i+3] of the first node, and those of the next ones a stride further on each."""
    return gather8(array, i, stride), gather8(array, i + 1, stride), gather8(array, i + 2, stride)


def _matrices(R, i):
    """Orientations of the nodes from R[i] on."""
    return (
        gather8(R, i, 9), gather8(R, i + 1, 9), gather8(R, i + 2, 9),
        gather8(R, i + 3, 9), gather8(R, i + 4, 9), gather8(R, i + 5, 9),
        gather8(R, i + 6, 9), gather8(R, i + 7, 9), gather8(R, i + 8, 9),
    )  # fmt: skip


def _triple(p, o):
    """Parameters o … o + 2."""
    return load8(p, 8 * o), load8(p, 8 * o + 8), load8(p, 8 * o + 16)


def _nine(p, o):
    """Parameters o … o + 8, a matrix."""
    e0, e1, e2 = _triple(p, o)
    e3, e4, e5 = _triple(p, o + 3)
    e6, e7, e8 = _triple(p, o + 6)
    return e0, e1, e2, e3, e4, e5, e6, e7, e8


def _symmetric(p, o):
    """Parameters o … o + 5: xx, yy, zz, xy, xz, yz of a matrix."""
    xx, yy, zz = _triple(p, o)
    xy, xz, yz = _triple(p, o + 3)
    return xx, xy, xz, xy, yy, yz, xz, yz, zz


def _put(r, i, u):
    """Rows i … i + 2 of the residuals."""
    store8(r, 8 * i, u[0])
    store8(r, 8 * i + 8, u[1])
    store8(r, 8 * i + 16, u[2])
