"""Strain at a point of a reduced body, as a linear function of its coordinates: what a sensor reads there.

ε = g · z         superelement: z deformations in its frame, by the motion of its nodes, and modes
ε = (Φᵀ g) · q    floating: its modes alone
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.bodies.superelement.layout import CorotatedBody
from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow, find_frame
from flexor.bodies.superelement.signals import deformations
from flexor.law import OUTPUT, Term, law
from flexor.law.record import Packed, Record, integer, nested, repacked, tail

STRAIN = (("strain", ""),)


class ModalStrain(Record):
    """Parameters of the strain of a floating body."""

    g = tail("of each mode")


class CorotatedStrain(Record):
    """Parameters of the strain of a superelement."""

    frame = nested(Shadow, "its frame")
    turning = integer("1: the nodes have rotations")
    g = tail("of its coordinates")


def strain_of_modes(p, now, w):
    """Σ g q"""
    strain = 0.0 * now.t
    for i in range(now.n.scalars):
        strain += p.g[i] * now.s[3 * i]
    w[0] = strain
    return 0


def strain_of_nodes(p, now, w):
    """Σ g z"""
    status, x0, R0 = find_frame(p.frame, now.n.nodes, now.x, now.R)
    if status != 0:
        return status
    deformations(p.frame, p.turning, now, x0, R0, w)
    strain = 0.0 * w[0]
    for i in range(6 * now.n.nodes + now.n.scalars):
        strain += p.g[i] * w[i]
    w[0] = strain
    return 0


@law(ModalStrain, outputs=STRAIN, signals=strain_of_modes)
def modal_strain(want, p, now, out):
    """It acts on nothing."""
    if want & OUTPUT:
        return strain_of_modes(p, now, out.w)
    return 0


@law(CorotatedStrain, errors=FRAME_ERRORS, outputs=STRAIN, signals=strain_of_nodes)
def corotated_strain(want, p, now, out):
    """It acts on nothing."""
    if want & OUTPUT:
        return strain_of_nodes(p, now, out.w)
    return 0


def modal_strain_term(g: np.ndarray, scalars: Sequence[int]) -> Term:
    """The term whose signal is a strain of a floating body; g: of each mode."""
    return Term("", modal_strain, scalars=tuple(scalars), parameters=ModalStrain.pack(g=g))


def corotated_strain_term(g: np.ndarray, nodes: Sequence[int], scalars: Sequence[int], body: Packed) -> Term:
    """The term whose signal is a strain of a superelement; g: of each coordinate.   body: parameters of the superelement."""
    carrier = CorotatedBody(body.words)
    parameters = CorotatedStrain.pack(frame=repacked(carrier.frame), turning=carrier.turning, g=g)
    return Term("", corotated_strain, tuple(nodes), tuple(scalars), parameters=parameters, scratch=max(len(g), 8))
