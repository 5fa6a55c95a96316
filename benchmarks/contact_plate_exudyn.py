"""The ball on a flexible plate in Exudyn: reduced-order floating frame, general contact of spheres at every node of the plate's skin.

Modes are computed by Exudyn from the matrices that Flexor assembled. The settings are those of its examples for general contact, timed for the fastest:
modified Newton (full Newton takes a third longer), sparse LU (dense ones longer), one thread, a search tree of about one node spacing per cell (cells of half and of three times that take a third longer).
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from functools import cache
from typing import Any

import numpy as np

from benchmarks import rigid_chain_exudyn as rigid
from benchmarks.contact_plate import (
    BALL_MASS,
    BALL_RADIUS,
    DAMPING,
    GRAVITY,
    MODES,
    NODE_RADIUS,
    RHO_INF,
    SIZE,
    SPRING,
    SPRING_DAMPING,
    STIFFNESS,
    VELOCITY,
    PlateRun,
    ball_at,
    corners,
    plate_mesh,
)
from benchmarks.rigid_chain_exudyn import exu, items
from flexor.elements.assembly.model import assemble

with contextlib.redirect_stdout(sys.stderr):
    import exudyn.FEM as FEM

CELLS = (70, 35, 4)
CONTRACTIVITY = 0.3


@cache
def reduced_plate() -> tuple[Any, Any]:
    """The reduced plate, as Exudyn has it, and the points of its nodes."""
    mesh = plate_mesh()
    model = assemble(mesh)
    interface = FEM.FEMinterface()
    interface.nodes = {"Position": mesh.points}
    interface.massMatrix, interface.stiffnessMatrix = model.M.tocsr(), model.K.tocsr()
    with contextlib.redirect_stdout(sys.stderr):
        interface.ComputeEigenmodes(MODES, excludeRigidBodyModes=6, useSparseSolver=True)
        return FEM.ObjectFFRFreducedOrderInterface(interface), mesh.points


def ball_on_plate(h: float, steps: int) -> PlateRun:
    """Solve over the given number of steps h [s]."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    part, points = reduced_plate()
    made = part.AddObjectFFRFreducedOrder(mbs, positionRef=[0.0, 0.0, 0.0], gravity=list(GRAVITY))
    plate = made["oFFRFreducedOrder"]
    ground = mbs.AddObject(items.ObjectGround())
    for node in corners(points):
        foot = mbs.AddMarker(
            items.MarkerSuperElementPosition(bodyNumber=plate, meshNodeNumbers=[int(node)], weightingFactors=[1.0])
        )
        held = mbs.AddMarker(items.MarkerBodyPosition(bodyNumber=ground, localPosition=list(points[node])))
        mbs.AddObject(
            items.CartesianSpringDamper(
                markerNumbers=[held, foot], stiffness=[SPRING] * 3, damping=[SPRING_DAMPING] * 3
            )
        )
    inertia = 0.4 * BALL_MASS * BALL_RADIUS**2
    ball = mbs.AddNode(
        items.NodeRigidBodyEP(referenceCoordinates=[*ball_at(), 1, 0, 0, 0], initialVelocities=[*VELOCITY, 0, 0, 0, 0])
    )
    body = mbs.AddObject(
        items.ObjectRigidBody(nodeNumber=ball, physicsMass=BALL_MASS, physicsInertia=[inertia] * 3 + [0] * 3)
    )
    mbs.AddLoad(
        items.LoadMassProportional(
            markerNumber=mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body)), loadVector=list(GRAVITY)
        )
    )
    contact = mbs.AddGeneralContact()
    contact.SetFrictionPairings(np.zeros((1, 1)))
    # two springs in series; a sphere at a node reaches NODE_RADIUS above it, by which the ball is smaller
    contact.AddSphereWithMarker(
        mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=ball)), BALL_RADIUS - NODE_RADIUS, 2 * STIFFNESS, DAMPING / 2, 0
    )
    for node in range(len(points)):
        marker = mbs.AddMarker(
            items.MarkerSuperElementPosition(bodyNumber=plate, meshNodeNumbers=[node], weightingFactors=[1.0])
        )
        contact.AddSphereWithMarker(marker, NODE_RADIUS, 2 * STIFFNESS, DAMPING / 2, 0)
    reach = 2 * BALL_RADIUS
    contact.SetSearchTreeBox([-reach, -SIZE[1], -reach], [SIZE[0] + reach, SIZE[1], 2 * reach])
    contact.SetSearchTreeCellSize(list(CELLS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mbs.Assemble()
    options = rigid.settings(1, h, steps)
    options.timeIntegration.newton.modifiedNewtonContractivity = CONTRACTIVITY
    options.timeIntegration.generalizedAlpha.spectralRadius = RHO_INF
    seconds, solver = rigid.solve(mbs, options)
    place = mbs.GetNodeOutput(ball, exu.OutputVariableType.Position)
    return PlateRun(seconds=seconds, iterations=int(solver.it.newtonStepsCount), ball=np.array(place))
