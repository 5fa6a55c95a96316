"""The flexible chain in Exudyn: reduced-order floating frame (ObjectFFRFreducedOrder) and joints as constraints.

Modes are computed by Exudyn (Hurty–Craig–Bampton, RBE2) from the matrices that Flexor assembled. The settings are the
fastest ones which hold the accuracy, found as in ``rigid-chain-exudyn-settings``:

- the compiled module without range checks, one thread, no files, no sensors;
- Euler parameters for the frame (a rotation vector takes as long or a little longer and is less accurate);
- the joint grips every node of both faces, as in Exudyn's examples; ``exudyn_chain`` grips the frame's node at the near
  face, to which the frame is fixed, and four corner nodes of the far face, which is rigid: the same motion in a third of the
  time;
- ``ObjectJointRevoluteZ`` (``ObjectJointGeneric`` takes as long);
- the sparse LU (the symmetric one takes 5 %, the dense ones 15–85 % longer);
- modified Newton, its matrix renewed when an iteration leaves more than 0.3 of the residual (0.2 and 0.4 take as long,
  0.1 and 0.5 10–40 % longer);
- Newton's relative tolerance 1e-5, the loosest power of ten with which every link end stays within 1.1e-6 m of the
  converged solution (1e-4 leaves 6e-6 m at the tip).
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from benchmarks import rigid_chain_exudyn as rigid
from benchmarks.flexible_chain import LENGTH, LINKS, MODES, WIDTH, link_mesh
from benchmarks.rigid_chain import GRAVITY, ChainRun
from benchmarks.rigid_chain_exudyn import exu, items
from flexor.elements.assembly.model import assemble

with contextlib.redirect_stdout(sys.stderr):
    import exudyn.FEM as FEM

CONTRACTIVITY = 0.3


class Link(NamedTuple):
    """A reduced link, as Exudyn has it."""

    part: Any  # ObjectFFRFreducedOrderInterface
    near: list[int]  # nodes of its faces
    far: list[int]
    corners: list[int]  # of the far face
    middle: int  # of the far face
    basis: NDArray[np.float64]  # rigid motions and modes of all nodes
    K: NDArray[np.float64]  # in that basis
    M: NDArray[np.float64]


@cache
def reduced_link(stiffness: float) -> Link:
    mesh = link_mesh(stiffness)
    points = mesh.points
    model = assemble(mesh)
    interface = FEM.FEMinterface()
    interface.nodes = {"Position": points}
    interface.massMatrix, interface.stiffnessMatrix = model.M.tocsr(), model.K.tocsr()
    near, far = (np.flatnonzero(np.abs(points[:, 0] - at) < 1e-9) for at in (0.0, LENGTH))
    with contextlib.redirect_stdout(sys.stderr):
        interface.ComputeHurtyCraigBamptonModes(
            boundaryNodesList=[near.tolist(), far.tolist()],
            nEigenModes=MODES,
            useSparseSolver=True,
            computationMode=FEM.HCBstaticModeSelection.RBE2,
        )
        part = FEM.ObjectFFRFreducedOrderInterface(interface)
    across = np.abs(points[far, 1:])
    turns = -np.cross(points[:, None, :], np.eye(3)).transpose(0, 2, 1)  # u = eⱼ × x in column j
    rigid_motions = np.hstack([np.tile(np.eye(3), (len(points), 1)), turns.reshape(-1, 3)])
    basis = np.hstack([rigid_motions, part.modeBasis])
    return Link(
        part,
        near.tolist(),
        far.tolist(),
        far[np.all(across > WIDTH / 2 - 1e-9, axis=1)].tolist(),
        int(far[np.argmin(across.sum(axis=1))]),
        basis,
        basis.T @ (model.K @ basis),
        basis.T @ (model.M @ basis),
    )


def exudyn_chain(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1.0) -> ChainRun:
    """Solve the chain over the given number of steps h [s], Young's modulus times stiffness, tolerances times tighter."""
    return solve(h, steps, stiffness, tighter, whole_faces=False)


def exudyn_whole_faces(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1.0) -> ChainRun:
    """The same with markers on every node of both faces."""
    return solve(h, steps, stiffness, tighter, whole_faces=True)


def exudyn_defaults(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1e-3) -> ChainRun:
    """Markers on whole faces and the default relative tolerance, 1e-8."""
    return solve(h, steps, stiffness, tighter, whole_faces=True)


def solve(h: float, steps: int, stiffness: float, tighter: float, whole_faces: bool) -> ChainRun:
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    link = reduced_link(stiffness)
    bodies = build(mbs, link, whole_faces)
    options = rigid.settings(LINKS, h, steps)
    newton = options.timeIntegration.newton
    newton.modifiedNewtonContractivity = CONTRACTIVITY
    newton.relativeTolerance *= tighter
    newton.absoluteTolerance *= tighter
    seconds, solver = rigid.solve(mbs, options)
    position = exu.OutputVariableType.Position
    ends = np.array([mbs.GetObjectOutputSuperElement(body, position, link.middle) for body in bodies])
    return rigid.counted(seconds, solver, ends)


def build(mbs: Any, link: Link, whole_faces: bool) -> list[Any]:
    """Fill and assemble a system; its bodies, the frame of each at the middle of its near face."""
    before = mbs.AddMarker(items.MarkerBodyRigid(bodyNumber=mbs.AddObject(items.ObjectGround())))
    bodies = []
    for i in range(LINKS):
        made = link.part.AddObjectFFRFreducedOrder(mbs, positionRef=[i * LENGTH, 0.0, 0.0], gravity=list(GRAVITY))
        body = made["oFFRFreducedOrder"]
        if whole_faces:
            near = face_marker(mbs, body, link.near)
        else:
            near = mbs.AddMarker(items.MarkerNodeRigid(nodeNumber=made["nRigidBody"]))
        rigid.connect(mbs, "revolute", [before, near], rigid.axis_frame(i))
        before = face_marker(mbs, body, link.far if whole_faces else link.corners)
        bodies.append(body)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mbs.Assemble()
    return bodies


def face_marker(mbs: Any, body: Any, nodes: list[int]) -> Any:
    weights = [1 / len(nodes)] * len(nodes)
    return mbs.AddMarker(
        items.MarkerSuperElementRigid(bodyNumber=body, meshNodeNumbers=nodes, weightingFactors=weights)
    )


def free_frequencies() -> NDArray[np.float64]:
    """Natural frequencies of one free reduced link without the rigid motions [Hz]."""
    link = reduced_link(1.0)
    return np.sqrt(eigh(link.K, link.M, eigvals_only=True)[6:]) / (2 * np.pi)
