"""The falling cantilever in Exudyn: ANCF cable and geometrically exact beam, spatial and planar."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from itertools import pairwise
from typing import Any

import numpy as np

from benchmarks.beams import EA, EI, GA, GJ, GRAVITY, LENGTH, LINE_MASS, RHO_INF, ROTARY, STEP, BeamRun

sys.exudynFast = True  # type: ignore[attr-defined]  # read by exudyn when it is imported
with contextlib.redirect_stdout(sys.stderr):  # it announces itself
    import exudyn as exu
    import exudyn.itemInterface as items

if exu._compiledModuleName != "exudynCPPfast":
    raise ImportError("exudyn loaded its slow module; the fast one needs a processor with AVX2")

COORDINATES = {"ANCF cable": 6, "ANCF cable 2D": 4, "exact beam": 6, "exact beam 2D": 3}


def exudyn_beam(kind: str, n: int, steps: int) -> BeamRun:
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    tip = build(mbs, kind, n)
    options = settings(kind, n, steps)
    with _silence():
        begin = time.perf_counter()
        mbs.SolveDynamic(options)
        seconds = time.perf_counter() - begin
    solver = mbs.sys["dynamicSolver"]
    return BeamRun(
        seconds=seconds,
        iterations=solver.it.newtonStepsCount,
        factorisations=solver.it.newtonJacobiCount,
        tip=np.array(mbs.GetNodeOutput(tip, exu.OutputVariableType.Position)),
    )


@contextlib.contextmanager
def _silence() -> Any:
    """What it prints from C++ when a solution fails, kept away."""
    sys.stdout.flush()
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def settings(kind: str, n: int, steps: int) -> Any:
    options = exu.SimulationSettings()
    integration = options.timeIntegration
    integration.numberOfSteps = steps
    integration.endTime = steps * STEP
    integration.adaptiveStep = False
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = RHO_INF
    integration.generalizedAlpha.computeInitialAccelerations = True
    integration.newton.useModifiedNewton = True
    integration.newton.modifiedNewtonContractivity = 0.2
    # 1e-4 leaves 1 to 3e-6 m with 8 elements, 5e-8 to 3e-7 m with 32 and 256
    integration.newton.relativeTolerance = 1e-5 if n <= 16 else 1e-4
    dense = n <= 16 and kind.endswith("2D")
    options.linearSolver.solverType = exu.LinearSolverType.EigenDense if dense else exu.LinearSolverType.EigenSparse
    options.linearSolver.reuseAnalyzedPattern = True
    options.solution.file.write = False
    options.solution.sensors.active = False
    options.show.computationTime = False
    options.show.statistics = False
    options.parallel.numberOfThreads = 1
    return options


def build(mbs: Any, kind: str, n: int) -> Any:
    """Fill and assemble a system; the node of its tip."""
    length = LENGTH / n
    nodes = [_node(mbs, kind, i * length) for i in range(n + 1)]
    for pair in pairwise(nodes):
        body = _element(mbs, kind, list(pair), length)
        mass = mbs.AddMarker(items.MarkerBodyMass(bodyNumber=body))
        mbs.AddLoad(items.LoadMassProportional(markerNumber=mass, loadVector=list(GRAVITY)))
    ground = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=mbs.AddNode(items.NodePointGround()), coordinate=0))
    for coordinate in range(COORDINATES[kind]):
        own = mbs.AddMarker(items.MarkerNodeCoordinate(nodeNumber=nodes[0], coordinate=coordinate))
        mbs.AddObject(items.ObjectConnectorCoordinate(markerNumbers=[ground, own]))
    mbs.Assemble()
    return nodes[-1]


def _node(mbs: Any, kind: str, x: float) -> Any:
    if kind == "ANCF cable":
        return mbs.AddNode(items.NodePointSlope1(referenceCoordinates=[x, 0, 0, 1, 0, 0]))
    if kind == "ANCF cable 2D":
        return mbs.AddNode(items.NodePoint2DSlope1(referenceCoordinates=[x, 0, 1, 0]))
    if kind == "exact beam":
        return mbs.AddNode(items.NodeRigidBodyRotVecLG(referenceCoordinates=[x, 0, 0, 0, 0, 0]))
    return mbs.AddNode(items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0]))


def _element(mbs: Any, kind: str, nodes: list[Any], length: float) -> Any:
    common = {"length": length, "nodeNumbers": nodes}
    line = {"massPerLength": LINE_MASS, "bendingStiffness": EI, "axialStiffness": EA}
    if kind.startswith("ANCF"):
        cable = items.ObjectANCFCable if kind == "ANCF cable" else items.ObjectANCFCable2D
        return mbs.AddObject(cable(**common, **line, useReducedOrderIntegration=1))
    if kind == "exact beam":
        section = exu.BeamSection()
        section.stiffnessMatrix = np.diag([EA, GA, GA, GJ, EI, EI])
        section.inertia = np.diag([2 * ROTARY, ROTARY, ROTARY])
        section.massPerLength = LINE_MASS
        return mbs.AddObject(items.ObjectBeamGeometricallyExact(**common, sectionData=section))
    exact = items.ObjectBeamGeometricallyExact2D
    return mbs.AddObject(exact(**common, **line, crossSectionInertia=ROTARY, shearStiffness=GA))
