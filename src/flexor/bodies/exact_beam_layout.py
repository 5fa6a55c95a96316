"""Where the law of the geometrically exact beam keeps its parameters."""

from __future__ import annotations

TURNED, COUPLED, OFFSET, ROTARY_1, ROTARY_2 = 1, 2, 4, 8, 16
"""Bits of k[0]: whether T ≠ I, whether S couples γ with κ, whether the mass is off the line, which nodes carry rotary inertia."""

U0, PSI0, T_1, O_1, O_2, T_2, BETA, A_UU, SIGMA_0, B_2, Z_0, Y_0, X_0, T_21, R_NS, MASS, J_1, J_2, MOMENT = (
    *(0, 3, 6, 9, 12, 15, 18, 19, 25, 31, 37, 46, 55, 64, 73, 82, 88, 94, 100),
)
C_UU, C_UP, C_PP = 103, 109, 118
N_FLOATS = 124
"""Where in p: u₀, ψ₀; t and mass offset of node 1, mass offset and t of node 2, in node axes; β; the constants A, Σ₀, B̃, Z, Y, X of
(21.7), node-1 axes, symmetric ones as xx, yy, zz, xy, xz, yz; T = S₂ S₁ᵀ; S₁; mass matrix (x₁x₁, x₁x₂, x₁t₁, x₁t₂, t₁t₁, t₁t₂);
rotary inertia of both nodes, node axes; ∫ρ x ds at the start; F(ψ₀)⁻¹ by its blocks uu, uψ, ψψ, node-1 axes."""
