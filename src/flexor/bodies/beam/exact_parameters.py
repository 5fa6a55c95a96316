"""What the law of an exact beam element reads, by name; the symbols are those of docs/theory/21-beams.md."""

from __future__ import annotations

from flexor.law.record import Record, integer, number, numbers

TURNED, COUPLED, OFFSET, ROTARY_1, ROTARY_2 = 1, 2, 4, 8, 16


class ExactBeam(Record):
    """Parameters of a beam element. Vectors and matrices are in the axes of node 1, but for those that belong to node 2;
    symmetric matrices by their entries xx, yy, zz, xy, xz, yz."""

    kind = integer(
        "bits: TURNED T ≠ I, COUPLED the section couples γ with κ, OFFSET its mass is off the line, ROTARY_1, ROTARY_2 which nodes "
        "carry rotary inertia"
    )
    u0 = numbers(3, "u₀ of the stress-free helix", "m")
    psi0 = numbers(3, "its ψ₀", "rad")
    t_1 = numbers(3, "normal of the section at node 1")
    o_1 = numbers(3, "from the line to the centre of mass there", "m")
    o_2 = numbers(3, "the same at node 2, in its axes", "m")
    t_2 = numbers(3, "normal of the section at node 2, in its axes")
    beta = number("β of the damping", "s")
    A = numbers(6, "A of (21.7), symmetric", "N/m")
    sigma_0 = numbers(6, "Σ₀, symmetric", "1/(N m)")
    B = numbers(6, "B̃, symmetric", "1/(N m)")
    Z = numbers(9, "Z", "1/m")
    Y = numbers(9, "Y", "1/m")
    X = numbers(9, "X", "1/(N m)")
    T = numbers(9, "T = S₂ S₁ᵀ of the section axes")
    S_1 = numbers(9, "section axes at node 1, as columns")
    mass = numbers(6, "mass matrix: x₁x₁, x₁x₂ [kg], x₁t₁, x₁t₂ [kg m], t₁t₁, t₁t₂ [kg m²]")
    J_1 = numbers(6, "rotary inertia of node 1, symmetric", "kg m²")
    J_2 = numbers(6, "rotary inertia of node 2, in its axes, symmetric", "kg m²")
    moment = numbers(3, "∫ρ x ds at the start, global axes", "kg m")
    C_uu = numbers(6, "block uu of F(ψ₀)⁻¹, symmetric", "N/m")
    C_up = numbers(9, "its block uψ", "N")
    C_pp = numbers(6, "its block ψψ, symmetric", "N m")
