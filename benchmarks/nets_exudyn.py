"""Nets and spring grids in Exudyn, with the settings that `rigid_chain_exudyn` was found to be fastest with.

Spheres and rods are rigid bodies with Euler parameters, joints spherical ones, masses of the grid mass points, its springs
spring-dampers. Newton's matrix is renewed when an iteration leaves more than a half of the residual, the best of 0.05 … 0.7 here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.nets import (
    DAMPING,
    GRAVITY,
    KNOT_INERTIA,
    KNOT_MASS,
    LINK_MASS,
    LINK_RADIUS,
    POINT_MASS,
    STIFFNESS,
    NetRun,
)
from benchmarks.nets import grid as grid_of
from benchmarks.nets import net as net_of
from benchmarks.rigid_chain_exudyn import exu, items, settings, solve

CONTRACTIVITY = 0.5


def body(mbs: Any, mass: float, inertia: list[float], at: np.ndarray, turn: np.ndarray) -> Any:
    parameters = exu_parameters(turn)
    node = mbs.AddNode(items.NodeRigidBodyEP(referenceCoordinates=[*at, *parameters]))
    made = mbs.AddObject(items.ObjectRigidBody(mass=mass, inertia=[*inertia, 0.0, 0.0, 0.0], nodeNumber=node))
    weight = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=node))
    mbs.AddLoad(items.LoadForceVector(markerNumber=weight, loadVector=[mass * g for g in GRAVITY]))
    return made


def exu_parameters(turn: np.ndarray) -> list[float]:
    from scipy.spatial.transform import Rotation

    x, y, z, w = Rotation.from_matrix(turn).as_quat()
    return [w, x, y, z]


def marker(mbs: Any, of: Any, at: list[float]) -> Any:
    return mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=of, localPosition=at))


def net(n: int, h: float, steps: int) -> NetRun:
    from benchmarks.nets_flexor import frame

    shape = net_of(n)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    knots = [body(mbs, KNOT_MASS, [KNOT_INERTIA] * 3, p, np.eye(3)) for p in shape.points]
    for a, b in shape.bars:
        along = shape.points[b] - shape.points[a]
        length = float(np.linalg.norm(along))
        across = LINK_MASS * (3 * LINK_RADIUS**2 + length**2) / 12
        inertia = [LINK_MASS * LINK_RADIUS**2 / 2, across, across]
        link = body(mbs, LINK_MASS, inertia, (shape.points[a] + shape.points[b]) / 2, np.array(frame(along)))
        for end, knot in ((-1, a), (1, b)):
            pair = [marker(mbs, knots[knot], [0, 0, 0]), marker(mbs, link, [end * length / 2, 0, 0])]
            mbs.AddObject(items.ObjectJointSpherical(markerNumbers=pair))
    for k in shape.held:
        pair = [marker(mbs, ground, list(shape.points[k])), marker(mbs, knots[k], [0, 0, 0])]
        mbs.AddObject(items.ObjectJointSpherical(markerNumbers=pair))
    return solved(mbs, knots, h, steps)


def grid(n: int, h: float, steps: int) -> NetRun:
    shape = grid_of(n)
    held = set(shape.held)
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    ground = mbs.AddObject(items.ObjectGround())
    points, ends = [], []
    for k, p in enumerate(shape.points):
        if k in held:
            ends.append(marker(mbs, ground, list(p)))
            continue
        node = mbs.AddNode(items.NodePoint(referenceCoordinates=list(p)))
        points.append(mbs.AddObject(items.ObjectMassPoint(physicsMass=POINT_MASS, nodeNumber=node)))
        ends.append(mbs.AddMarker(items.MarkerNodePosition(nodeNumber=node)))
        mbs.AddLoad(items.LoadForceVector(markerNumber=ends[-1], loadVector=[POINT_MASS * g for g in GRAVITY]))
    for a, b in shape.bars:
        if not {a, b} <= held:
            length = float(np.linalg.norm(shape.points[b] - shape.points[a]))
            mbs.AddObject(
                items.ObjectConnectorSpringDamper(
                    markerNumbers=[ends[a], ends[b]], referenceLength=length, stiffness=STIFFNESS, damping=DAMPING
                )
            )
    return solved(mbs, points, h, steps)


def solved(mbs: Any, bodies: list[Any], h: float, steps: int) -> NetRun:
    mbs.Assemble()
    options = settings(300, h, steps)
    options.timeIntegration.newton.modifiedNewtonContractivity = CONTRACTIVITY
    seconds, solver = solve(mbs, options)
    position = exu.OutputVariableType.Position
    points = np.array([mbs.GetObjectOutputBody(each, position, [0, 0, 0]) for each in bodies])
    return NetRun(
        seconds=seconds,
        iterations=solver.it.newtonStepsCount,
        factorisations=solver.it.newtonJacobiCount,
        points=points,
    )
