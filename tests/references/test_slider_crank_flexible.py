"""Simeon's slider-crank with an elastic rod, of the test set for IVP solvers: a floating body in given shape functions.

The rod's frame stands at the crank pin with its x axis through the wrist; shapes are two sines across and a quadratic
polynomial along, whose mass matrix the source does not divide by 15. What a floating body needs are integrals
of the shapes, so the same law takes these.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from benchmarks.nowhere import Nowhere
from flexor import solve
from flexor.bodies import RigidBody, Site
from flexor.bodies.floating.law import floating_term
from flexor.bodies.floating.mean_axes import MeanAxes
from flexor.functions import Polynomial
from flexor.joints import Cylindrical, Motor, Prismatic, Revolute, Spherical
from flexor.law.coordinates import Node, Scalar
from flexor.model.mechanism import Mechanism
from flexor.reduce.invariants import Invariants
from flexor.solve import GeneralizedAlpha
from flexor.spatial import exp_so3
from tests.bodies.material_point import material_point_element
from tests.laws.scene import Places


def rod(p):
    """Stiffness, and the integrals over the rod in Simeon's shapes (order: sin πξ, sin 2πξ, middle, end)."""
    l, volume = p["L2"], p["b"] * p["h"] * p["L2"]
    m, π = p["rho"] * volume, np.pi
    K = np.zeros((4, 4))
    stiff = p["E"] * p["b"] * p["h"] / l
    K[0, 0], K[1, 1] = stiff * π**4 / 24 * (p["h"] / l) ** 2, stiff * π**4 * 2 / 3 * (p["h"] / l) ** 2
    K[2:, 2:] = stiff * np.array([[16.0, -8.0], [-8.0, 7.0]]) / 3
    M = m * np.diag([0.5, 0.5, 8.0, 2.0])
    M[2, 3] = M[3, 2] = m
    translation = np.zeros((3, 4))
    translation[0, 2:], translation[1, 0] = m * np.array([2 / 3, 1 / 6]), m * 2 / π
    along = np.zeros((3, 3, 4))  # ∫ρ x_k S_l
    along[0, 0, 2:] = m * l * np.array([1 / 3, 1 / 6])
    along[0, 1, :2] = m * l * np.array([1 / π, -0.5 / π])
    products = np.zeros((3, 3, 4, 4))
    products[0, 0, 2:, 2:] = M[2:, 2:]
    products[1, 1, :2, :2] = M[:2, :2]
    products[0, 1, 2, 0] = m * 16 / π**3  # ∫ρ S_x S_y
    products[0, 1, 3, 0] = m * (1 / π - 8 / π**3)
    products[0, 1, 3, 1] = -m * 0.5 / π
    products[1, 0] = products[0, 1].T
    second = np.zeros((3, 3))
    second[0, 0] = p["J2"]
    rotation = np.array([along[1, 2] - along[2, 1], along[2, 0] - along[0, 2], along[0, 1] - along[1, 0]])
    centrifugal = along - np.eye(3)[:, :, None] * np.einsum("kkr->r", along)
    first = np.array([p["M2"] * l / 2, 0.0, 0.0])
    return K, M, Invariants(p["M2"], first, second, translation, rotation, centrifugal, products)


def mechanism(p) -> tuple[Mechanism, np.ndarray]:
    K, M, invariants = rod(p)
    squares, Φ = eigh(K, M)
    axes = MeanAxes(np.zeros(3), Φ, squares, np.zeros((4, 4)), invariants.in_basis(Φ))
    φ1, φ2, x3, *q = p["q0"]
    w1, w2, v3, *qd = p["v0"]
    R1, R2 = exp_so3([0, 0, φ1]), exp_so3([0, 0, φ2])
    pin = R1 @ [p["L1"], 0, 0]
    v_pin = np.cross([0, 0, w1], pin)
    arm = R2 @ [p["L2"] + q[3], 0, 0]
    v_wrist = v_pin + np.cross([0, 0, w2], arm) + R2 @ [qd[3], 0, 0]
    spin = (0.0, 0.0, w2)
    nodes = (
        Node("ground", np.zeros(3), np.eye(3), np.zeros(6)),
        Node("crank", np.zeros(3), R1, np.array([0, 0, 0, 0, 0, w1])),
        Node("rod", pin, R2, np.array([*v_pin, *spin])),
        Node("rod.wrist", pin + arm, R2, np.array([*v_wrist, *spin])),
        Node("slider", np.array([x3, 0.0, 0.0]), np.eye(3), np.array([v3, 0, 0, 0, 0, 0])),
    )
    η, ηd = np.linalg.solve(Φ, q), np.linalg.solve(Φ, qd)
    scalars = tuple(Scalar(f"rod.mode_{i + 1}", "", η[i], ηd[i]) for i in range(4))
    S = np.zeros((3, 4))
    S[0, 3] = 1.0

    def ends(joint, a, b, x=0.0):
        frame = joint.frame
        return Places(Site(a, np.array([x, 0.0, 0.0]), frame), Site(b, np.zeros(3), frame), joint)

    main = Revolute("main", "ground", "crank", axis="z", start=φ1, start_rate=w1)
    crank_pin = Cylindrical("pin", "crank", "rod", axis="z", start=(0, φ2 - φ1))
    wrist = Spherical("wrist", "rod", "slider")
    bore = Prismatic("bore", "ground", "slider", axis="x", start=x3, start_rate=v3)
    elements = [
        *RigidBody("crank", p["M1"], (1.0, 1.0, p["J1"])).terms(1, nodes[1].x),
        floating_term("rod", axes, 2, (0, 1, 2, 3), pin),
        material_point_element("rod.wrist", 2, 3, (0, 1, 2, 3), (p["L2"], 0, 0), S @ Φ, np.zeros((3, 4))),
        *RigidBody("slider", p["M3"], (1.0, 1.0, 1.0)).terms(4, nodes[4].x),
        *main.terms(ends(main, 0, 1)),
        *crank_pin.terms(ends(crank_pin, 1, 2, p["L1"])),
        *wrist.terms(ends(wrist, 3, 4)),
        *bore.terms(ends(bore, 0, 4)),
        *Motor("drive", "main", position=Polynomial(coefficients=(φ1, p["omega"]))).terms(ends(main, 0, 1)),
    ]
    return Mechanism("slider-crank", nodes, scalars, tuple(elements), (), (0.0, 0.0, 0.0)), Φ


def test_simeon_slider_crank(reference):
    """Angles and stroke to 1e-6, elastic coordinates to 1e-3 of their size at t = 0.1 s, as the record suggests."""
    record = reference.record("ivp_slider_crank_flexible")
    p, expected = record["parameters"], record["reference"]
    made, Φ = mechanism(p)
    system = solve.dynamics(made, p["t_end"], 4e-6, integrator=GeneralizedAlpha(0.95), sink=Nowhere(), energies=False)
    q = Φ @ system.memory.s[0::3]
    R = system.memory.R.reshape(-1, 3, 3)[2]
    np.testing.assert_allclose(np.arctan2(R[1, 0], R[0, 0]), expected["q"][1], atol=1e-6)
    np.testing.assert_allclose(system.nodes("x")[4, 0], expected["q"][2], atol=1e-6)
    np.testing.assert_allclose(q, expected["q"][3:], rtol=1e-3)
