"""What the superelement law reads and remembers, by name.

Inside the law the number N of coordinates is a multiple of four (`flexor.law.column_arrays`): the last ones may be modes that
do not exist. Square matrices are stored by columns; those with three columns or rows as three arrays of N one after another.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.superelement.shadow_frame import Shadow
from flexor.law.record import Record, integer, nested, number, numbers, tail

INTERLACED = 40
"""Floats of ten matrices that stand together: four rows of one column each."""


class FieldInertia(Record):
    """What the inertia of the field has beyond the nodal form (`flexor.reduce.nodal_inertia`); empty without it.

    ij = xx, yy, zz, xy, xz, yz. The ten matrices 𝔾, E, M stand interlaced: they are read together.
    """

    load = tail("cᵢⱼ, 6 N", "kg m")
    matrices = tail("𝔾ₖ, Eᵢⱼ, M, 10 N²", "kg")
    spin = tail("G₀, 3 N: the spin of the frame by the motions of the nodes", "1/m")
    felt = numbers(18, "κᵢⱼ: what centripetal accelerations of the nodes feign as angular acceleration")
    moment = tail("F_kij, 18 N", "kg m")
    mobility = tail("M⁺, N²", "1/kg")


class CorotatedBody(Record):
    """Parameters of a superelement with N coordinates."""

    frame = nested(Shadow, "the frame that follows its nodes")
    consistent = integer("1: inertia of the field; 0: the nodal form")
    damped = integer("1: there is damping")
    turning = integer("1: its nodes have rotations")
    mass = number("mass", "kg")
    center = numbers(3, "centre of mass, in the body's axes", "m")
    origin = numbers(3, "Σ w X, where the frame stands in the body's axes", "m")
    stiffness = tail("K, N²", "N/m")
    inertia = tail("M, N²", "kg")
    momentum = tail("∫ρS, 3 N", "kg")
    damping = tail("D, N², or nothing", "N s/m")
    field = nested(FieldInertia, "inertia of the field")


class SuperelementHistory(Record):
    """History of a superelement, which does not change."""

    center = numbers(3, "initial position of the centre of mass, where its potential energy is zero", "m")


def interlaced(matrices: np.ndarray) -> np.ndarray:
    """(m, N, N) matrices in the order in which they are read: by strips of four rows, by columns, by matrices."""
    count, N, _ = matrices.shape
    return matrices.reshape(count, N // 4, 4, N).transpose(1, 3, 0, 2)
