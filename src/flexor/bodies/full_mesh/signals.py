"""What a run writes down of a whole mesh: the motion of its nodes, and a frame of the body.

Both laws only answer, they add nothing to the equations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow, ShadowFrame, find_frame
from flexor.law import OUTPUT, Term, law
from flexor.law.law import Output
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, numbers
from flexor.law.rotation_vector import store_quaternion
from flexor.law.tuples import mat, mv, store, sub, vec

POSITION = tuple((f"position_{i}", "m") for i in "xyz")
ORIENTATION = tuple((f"orientation_{i}", "") for i in "wxyz")
MOVES = (*POSITION, *((f"velocity_{i}", "m/s") for i in "xyz"))
TURNS = (*ORIENTATION, *((f"angular_velocity_{i}", "rad/s") for i in "xyz"))


class NodeSignals(Record):
    """What is written down of a node."""

    turns = integer("1: its orientation and angular velocity too")


@law(NodeSignals, tangent="own", outputs=(*MOVES, *TURNS))
def node_signals(want, p, now, out):
    """Position, velocity, orientation, angular velocity of a node"""
    w = out.w
    if want & OUTPUT:
        store(w, 0, vec(now.x, 0))
        store(w, 3, vec(now.v, 0))
        if p.turns:
            store_quaternion(mat(now.R, 0), at(w, 6))
            store(w, 10, vec(now.v, 3))
    return 0


class FrameSignals(Record):
    """The frame that is written down."""

    frame = nested(Shadow, "the frame that follows some nodes")
    origin = numbers(3, "Σ w X, where it stands in the body's axes", "m")


@law(FrameSignals, tangent="own", errors=FRAME_ERRORS, outputs=(*POSITION, *ORIENTATION))
def frame_signals(want, p, now, out):
    """Origin and axes of the frame that follows some nodes."""
    w = out.w
    if want & OUTPUT:
        status, x0, R0 = find_frame(p.frame, now.n.nodes, now.x, now.R)
        if status != 0:
            return status
        store(w, 0, sub(x0, mv(R0, vec(p.origin, 0))))
        store_quaternion(R0, at(w, 3))
    return 0


def node_signals_term(body: str, number: int, node: int, turning: bool) -> Term:
    """Signals "rod.node_12.position_x" … of the node that has the number 12 in the mesh."""
    signals = (*MOVES, *TURNS) if turning else MOVES
    outputs = tuple(Output(f"node_{number}.{name}", unit) for name, unit in signals)
    return Term(body, node_signals, (node,), own_outputs=outputs, parameters=NodeSignals.pack(turns=int(turning)))


def frame_signals_term(body: str, nodes: Sequence[int], points: np.ndarray, frame: ShadowFrame) -> Term:
    """Signals "rod.position_x" …, "rod.orientation_w" …;  points: (c, 3) of the nodes in the body's axes [m]."""
    parameters = FrameSignals.pack(frame=frame.packed(points), origin=frame.weights @ points)
    return Term(body, frame_signals, tuple(nodes), parameters=parameters)
