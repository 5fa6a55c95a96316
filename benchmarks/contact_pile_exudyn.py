"""The pile in Exudyn: its general contact with its explicit solver.

Spheres are rigid bodies with rotation vectors on the Lie group (Euler parameters are not integrated explicitly), walls triangles that it is told to be static.
Tried and kept: velocity Verlet (with its explicit Euler the pile explodes at this step, and is too high still at a tenth of it; the midpoint rule and
RK4 take two and four times as long), sparse matrices (with dense ones a step takes 50 times as long), no accelerations at the end of
steps, a search tree of one cell per two spheres along each side (one per sphere and one per half sphere are slower by 5 and 20 %). A sphere has twice the stiffness of a pair: those of two are in series.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.contact_pile import (
    FRICTION,
    GRAVITY,
    MASS,
    RADIUS,
    RESTITUTION,
    SIDE,
    SMOOTH_SPEED,
    SPACING,
    STIFFNESS,
    WIDTH,
    PileRun,
    centres,
)
from benchmarks.rigid_chain_exudyn import exu, items

# d δ̇ beside K δ leaves the part e of the speed of two spheres: ln e = −π ζ/√(1 − ζ²), d = 2 ζ √(K m/2)
DECAY = -np.log(RESTITUTION) / np.pi
DAMPING = 2.0 * DECAY / np.sqrt(1.0 + DECAY**2) * np.sqrt(STIFFNESS * MASS / 2.0)


def walls(contact: Any, marker: Any, height: float) -> None:
    """Floor and four sides, normals inwards."""
    w, h = WIDTH, height
    for corners in (
        ((0, 0, 0), (w, 0, 0), (w, w, 0), (0, w, 0)),
        ((0, 0, 0), (0, w, 0), (0, w, h), (0, 0, h)),
        ((w, 0, 0), (w, 0, h), (w, w, h), (w, w, 0)),
        ((0, 0, 0), (0, 0, h), (w, 0, h), (w, 0, 0)),
        ((0, w, 0), (w, w, 0), (w, w, h), (0, w, h)),
    ):
        contact.AddTrianglesRigidBodyBased(
            rigidBodyMarkerIndex=marker,
            contactStiffness=2 * STIFFNESS,
            contactDamping=DAMPING / 2,
            frictionMaterialIndex=0,
            pointList=[[float(x) for x in corner] for corner in corners],
            triangleList=[[0, 1, 2], [0, 2, 3]],
            staticTriangles=True,
        )


def pile(n: int, h: float, steps: int, threads: int = 1) -> PileRun:
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    contact = mbs.AddGeneralContact()
    contact.SetFrictionPairings(np.array([[FRICTION]]))
    contact.frictionProportionalZone = SMOOTH_SPEED
    layers = -(-n // SIDE**2)
    height = SPACING * layers + 0.02
    ground = mbs.AddObject(items.ObjectGround())
    walls(contact, mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=ground, localPosition=[0, 0, 0])), height)
    inertia = 0.4 * MASS * RADIUS**2
    nodes = []
    for p in centres(n):
        node = mbs.AddNode(items.NodeRigidBodyRotVecLG(referenceCoordinates=[*p, 0, 0, 0]))
        mbs.AddObject(items.ObjectRigidBody(mass=MASS, inertia=[inertia] * 3 + [0] * 3, nodeNumber=node))
        marker = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=node))
        mbs.AddLoad(items.LoadForceVector(markerNumber=marker, loadVector=[0, 0, -MASS * GRAVITY]))
        contact.AddSphereWithMarker(
            marker,
            radius=RADIUS,
            contactStiffness=2 * STIFFNESS,
            contactDamping=DAMPING / 2,
            frictionMaterialIndex=0,
        )
        nodes.append(node)
    cells = max(SIDE // 2, 1)
    contact.SetSearchTreeCellSize(numberOfCells=[cells, cells, max(layers // 2, 1)])
    contact.SetSearchTreeBox(pMin=np.array([-1e-3] * 3), pMax=np.array([WIDTH + 1e-3, WIDTH + 1e-3, height]))
    mbs.Assemble()
    options = exu.SimulationSettings()
    options.solutionSettings.writeSolutionToFile = False
    options.solutionSettings.sensorsWritePeriod = steps * h
    options.timeIntegration.numberOfSteps, options.timeIntegration.endTime = steps, steps * h
    options.timeIntegration.verboseMode = 0
    options.timeIntegration.explicitIntegration.computeEndOfStepAccelerations = False
    options.timeIntegration.explicitIntegration.computeMassMatrixInversePerBody = True
    options.linearSolverType = exu.LinearSolverType.EigenSparse
    options.parallel.numberOfThreads = threads
    begin = time.perf_counter()
    mbs.SolveDynamic(options, solverType=exu.DynamicSolverType.VelocityVerlet)
    seconds = time.perf_counter() - begin
    position = exu.OutputVariableType.Position
    found = np.array([mbs.GetNodeOutput(node, position) for node in nodes])
    return PileRun(seconds=seconds, steps=steps, centres=found)
