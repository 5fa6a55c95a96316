"""The rigid chain in Exudyn, with the settings that were the fastest ones which still hold the accuracy.

``python -m benchmarks rigid-chain-exudyn-settings`` measures nodes, joints, solvers and Newton anew:

- the compiled module without range checks (``sys.exudynFast``), one thread, no files, no sensors;
- Euler-parameter nodes (rotation-vector Lie-group nodes need 30–50 % more time, Tait–Bryan angles 0–10 %);
- ``ObjectJointRevoluteZ`` (``ObjectJointGeneric`` needs 10–15 % more), its axes given to the joint, not to
  the markers (7 % less at N = 10); weights as forces on the nodes (mass-proportional loads cost the same);
- the sparse LU at every N from 10 on (the dense solvers need 20–90 % more at N = 10, the symmetric sparse
  one as much or 4 % more);
- modified Newton, its matrix renewed when an iteration leaves more than ``contractivity`` of the residual;
- Newton's relative tolerance 1e-5, the loosest power of ten with which every link end stays within
  5e-7 m of the converged solution (1e-4 leaves up to 7e-6 m, the default 1e-8 some 1e-9 m).
"""

from __future__ import annotations

import contextlib
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.rigid_chain import AXES, GRAVITY, INERTIA, LENGTH, MASS, RHO_INF, ChainRun

sys.exudynFast = True  # type: ignore[attr-defined]  # read by exudyn when it is imported
with contextlib.redirect_stdout(sys.stderr):  # it announces itself
    import exudyn as exu
    import exudyn.itemInterface as items

if exu._compiledModuleName != "exudynCPPfast":
    raise ImportError("exudyn loaded its slow module; the fast one needs a processor with AVX2")

NODES = {
    "euler-parameters": (items.NodeRigidBodyEP, (1.0, 0.0, 0.0, 0.0)),
    "tait-bryan": (items.NodeRigidBodyRxyz, (0.0, 0.0, 0.0)),
    "lie-group": (items.NodeRigidBodyRotVecLG, (0.0, 0.0, 0.0)),
}
RELATIVE_TOLERANCE = 1e-5
ABSOLUTE_TOLERANCE = 1e-10  # exudyn's own default; never decisive here


def contractivity(n: int) -> float:
    """Renew the iteration matrix early where it is cheap against the iterations it saves."""
    return 0.05 if n <= 30 else 0.3 if n <= 300 else 0.5


def exudyn_chain(n: int, h: float, steps: int) -> ChainRun:
    """Rigid bodies in redundant coordinates and joints as constraints: Exudyn's general formulation."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    bodies = build(mbs, n)
    seconds, solver = solve(mbs, settings(n, h, steps))
    return counted(seconds, solver, link_ends(mbs, bodies))


def exudyn_tree(n: int, h: float, steps: int) -> ChainRun:
    """Exudyn's kinematic tree: joint angles as coordinates and a full mass matrix, for open trees only."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    build_tree(mbs, n)
    options = settings(n, h, steps)
    options.linearSolver.solverType = exu.LinearSolverType.EigenDense
    options.timeIntegration.newton.relativeTolerance = 1e-6  # angles need a tighter one for the same ends
    seconds, solver = solve(mbs, options)
    return counted(seconds, solver, forward_kinematics(np.asarray(mbs.systemData.GetODE2Coordinates())))


def counted(seconds: float, solver: Any, ends: NDArray[np.float64]) -> ChainRun:
    return ChainRun(
        seconds=seconds,
        iterations=solver.it.newtonStepsCount,
        factorisations=solver.it.newtonJacobiCount,
        tip=ends[-1],
        ends=ends,
    )


def solve(mbs: Any, options: Any) -> tuple[float, Any]:
    """Wall time of SolveDynamic alone: initial accelerations are in it, building and Assemble are not."""
    start = time.perf_counter()
    mbs.SolveDynamic(options)
    return time.perf_counter() - start, mbs.sys["dynamicSolver"]


def settings(n: int, h: float, steps: int) -> Any:
    options = exu.SimulationSettings()
    integration = options.timeIntegration
    integration.numberOfSteps = steps
    integration.endTime = steps * h
    integration.adaptiveStep = False  # h is fixed; a step that fails is an error
    integration.verboseMode = 0
    integration.generalizedAlpha.spectralRadius = RHO_INF
    integration.generalizedAlpha.computeInitialAccelerations = True
    integration.newton.useModifiedNewton = True
    integration.newton.modifiedNewtonContractivity = contractivity(n)
    integration.newton.relativeTolerance = RELATIVE_TOLERANCE
    integration.newton.absoluteTolerance = ABSOLUTE_TOLERANCE
    options.linearSolver.solverType = exu.LinearSolverType.EigenSparse
    options.linearSolver.reuseAnalyzedPattern = True
    options.solution.file.write = False
    options.solution.sensors.active = False
    options.show.computationTime = False
    options.show.statistics = False
    options.parallel.numberOfThreads = 1
    return options


def axis_frame(i: int) -> NDArray[np.float64]:
    """Axes of joint i in those of its links: x along the link, z the axis of rotation."""
    x, z = np.array([1.0, 0.0, 0.0]), np.array(AXES[i % 2])
    return np.column_stack([x, np.cross(z, x), z])


def build(
    mbs: Any,
    n: int,
    node: str = "euler-parameters",
    joint: str = "revolute",
    beside: Callable[[int, list[Any]], None] | None = None,
) -> list[Any]:
    """Fill and assemble a system; its n bodies, reference point of each at its centre of mass.

    beside: adds what acts beside joint i on its two markers.
    """
    node_type, rotation = NODES[node]
    before, at = mbs.AddObject(items.ObjectGround()), [0.0, 0.0, 0.0]
    bodies = []
    for i in range(n):
        centre = mbs.AddNode(node_type(referenceCoordinates=[(i + 0.5) * LENGTH, 0.0, 0.0, *rotation]))
        body = mbs.AddObject(items.ObjectRigidBody(mass=MASS, inertia=[*INERTIA, 0.0, 0.0, 0.0], nodeNumber=centre))
        near = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=body, localPosition=[-LENGTH / 2, 0.0, 0.0]))
        far = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=before, localPosition=at))
        connect(mbs, joint, [far, near], axis_frame(i))
        if beside is not None:
            beside(i, [far, near])
        weight = mbs.AddMarker(items.MarkerNodePosition(nodeNumber=centre))
        mbs.AddLoad(items.LoadForceVector(markerNumber=weight, loadVector=[MASS * g for g in GRAVITY]))
        before, at = body, [LENGTH / 2, 0.0, 0.0]
        bodies.append(body)
    mbs.Assemble()
    return bodies


def connect(mbs: Any, joint: str, markers: list[Any], frame: NDArray[np.float64]) -> None:
    rotations = {"rotationMarker0": frame, "rotationMarker1": frame}
    with warnings.catch_warnings():  # deprecated, but faster than the marker's localHT
        warnings.simplefilter("ignore", DeprecationWarning)
        if joint == "revolute":
            mbs.AddObject(items.ObjectJointRevoluteZ(markerNumbers=markers, **rotations))
        else:
            free_about_z = [1, 1, 1, 1, 1, 0]
            mbs.AddObject(items.ObjectJointGeneric(markerNumbers=markers, constrainedAxes=free_about_z, **rotations))


def link_ends(mbs: Any, bodies: list[Any]) -> NDArray[np.float64]:
    position, far = exu.OutputVariableType.Position, [LENGTH / 2, 0.0, 0.0]
    return np.array([mbs.GetObjectOutputBody(body, position, far) for body in bodies])


def build_tree(mbs: Any, n: int) -> None:
    zero = [0.0] * n
    angles = mbs.AddNode(
        items.NodeGenericODE2(
            numberOfODE2Coordinates=n,
            referenceCoordinates=zero,
            initialCoordinates=zero,
            initialCoordinates_t=zero,
        )
    )
    frames = [axis_frame(i) for i in range(n)]
    turns = [before.T @ frame for before, frame in zip([np.eye(3), *frames], frames)]
    inertias = [frame.T @ np.diag(INERTIA) @ frame for frame in frames]
    mbs.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=angles,
            gravity=list(GRAVITY),
            jointTypes=[exu.JointType.RevoluteZ] * n,
            linkParents=list(range(-1, n - 1)),
            jointTransformations=exu.Matrix3DList(turns),
            jointOffsets=exu.Vector3DList([np.array([LENGTH * (i > 0), 0.0, 0.0]) for i in range(n)]),
            linkInertiasCOM=exu.Matrix3DList(inertias),
            linkCOMs=exu.Vector3DList([np.array([LENGTH / 2, 0.0, 0.0])] * n),
            linkMasses=[MASS] * n,
        )
    )
    mbs.Assemble()


def forward_kinematics(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Far end of every link from the joint angles."""
    R_WB, p_WE, ends = np.eye(3), np.zeros(3), []
    for i, angle in enumerate(angles):
        frame, c, s = axis_frame(i), np.cos(angle), np.sin(angle)
        R_WB = R_WB @ frame @ np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]) @ frame.T
        p_WE = p_WE + LENGTH * R_WB[:, 0]
        ends.append(p_WE)
    return np.array(ends)
