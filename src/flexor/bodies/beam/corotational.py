"""Co-rotational beam between two nodes: the linear two-node beam in a frame that follows its ends, for small strain.

Elastic and damping forces are those of a superelement without mass (`superelement_law`). Inertia is the one of the
geometrically exact beam, whose kinetic energy is exact in large motion, so that momentum and power balance: an exact beam of the
same line that is infinitely limp. Section forces in the middle are in equilibrium with those on the nodes.
(The stresses of the linear beam itself, K z, lack the part of the shear force that balances κ × M.)
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.beam.exact import exact_beam, store_section_forces
from flexor.bodies.beam.exact_parameters import ExactBeam
from flexor.bodies.beam.exact_term import exact_beam_term
from flexor.bodies.beam.helical_strain import TURN_ERRORS, turn_between
from flexor.bodies.beam.section_stiffness import SectionProperties
from flexor.bodies.superelement.law import superelement
from flexor.bodies.superelement.layout import CorotatedBody, SuperelementHistory
from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS
from flexor.bodies.superelement.signals import keeps_its_history, superelement_signals
from flexor.bodies.superelement.term import superelement_parameters
from flexor.bodies.superelement.work import scratch
from flexor.law import ENERGY, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import Answer
from flexor.law.record import Record, nested
from flexor.law.tuples import mat, mm, mmt, sub, vec
from flexor.spatial import Pose

_elastic, _massive = superelement.body, exact_beam.body
NO_MASS = 1e-60
"""Size of the superelement's mass [kg]: for its frame only proportions count."""
TURNING = 0.1
"""How much the rotations of the nodes count for the frame, against their positions."""


class CorotationalBeam(Record):
    """Parameters of a beam element."""

    line = nested(ExactBeam, "the limp beam that has its mass")
    elastic = nested(CorotatedBody, "the superelement that has its stiffness")


def corotational_energies(p, now, w):
    """Kinetic, potential and strain energy"""
    status = superelement_signals(p.elastic, now, w)
    if status != 0:
        return status
    strain = w[9]
    for i in range(5):
        w[i] = 0.0
    status = _massive(ENERGY, p.line, now, Answer(w, w, w))
    w[2] += strain
    return status


@law(
    CorotationalBeam,
    turns=True,
    energies=corotational_energies,
    remember=keeps_its_history,
    history=SuperelementHistory,
    tangent="own",
    errors={**FRAME_ERRORS, **TURN_ERRORS},
    outputs=tuple((output.name, output.unit) for output in exact_beam.outputs),
)
def corotational_beam(want, p, now, out):
    """Nodes: the two ends."""
    if want & OUTPUT:
        return _section_forces(p, now, out)
    status = _elastic(want, p.elastic, now, out)
    if status != 0:
        return status
    strain_energy, dissipated = out.w[2], out.w[3]
    status = _massive(want, p.line, now, out)
    if want & ENERGY:
        out.w[2] += strain_energy
        out.w[3] += dissipated
    return status


def _section_forces(p, now, out):
    """w = N, Qy, Qz, T, My, Mz;  r is borrowed and left zero"""
    r = out.r
    status = _elastic(RESIDUAL, p.elastic, now, out)
    force, moment = vec(r, 6), vec(r, 9)
    for i in range(12):
        r[i] = 0.0
    if status != 0:
        return status
    N1, N2 = mat(now.R, 0), mat(now.R, 9)
    psi = turn_between(mmt(mm(N2, mat(p.line.T, 0)), N1))
    store_section_forces(p.line, N1, N2, sub(vec(now.x, 3), vec(now.x, 0)), psi, force, moment, out.w)
    return 0


def corotational_beam_term(
    name: str,
    nodes: tuple[int, int],
    X: np.ndarray,
    S: np.ndarray,
    K: np.ndarray,
    section: SectionProperties,
    *,
    damping: float,
    rotary: tuple[float, float],
    X_WB: Pose,
) -> Term:
    """One element between two nodes whose axes are, at the start, those in which X and S are given.

    X (2, 3), S (2, 3, 3): ends and section axes (columns).   K: (12, 12) its stiffness as a linear beam.   damping: β [s].
    rotary: lengths of beam whose rotary inertia each node carries here [m].   X_WB: the body at the start.
    """
    L = float(np.linalg.norm(X[1] - X[0]))
    weights = NO_MASS * np.diag(np.tile([1.0, 1.0, 1.0, *(3 * [TURNING * L**2])], 2))
    elastic = superelement_parameters(
        X,
        K,
        weights,
        D=damping * K if damping else None,
        mass=0.0,
        center=X.mean(axis=0),
        momentum=np.zeros((3, 12)),
        name=name,
    )
    massive = exact_beam_term(
        name, nodes, X, S, section, rotary=rotary, x0=X_WB.p + X @ X_WB.R.T, R_WB=X_WB.R, limp=True
    )
    assert massive.parameters is not None
    return Term(
        name,
        corotational_beam,
        nodes,
        parameters=CorotationalBeam.pack(line=massive.parameters, elastic=elastic),
        history=SuperelementHistory.begin(),
        scratch=scratch(2, 0),
    )
