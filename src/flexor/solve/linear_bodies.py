"""Whether reduced bodies stayed within their linear theory: how far they bend, and how hard unstiffened ones are pulled.

Bending: the displacements of a sample of nodes without their best rigid motion. An arc of the length L that turns by φ has the
rise φL/8; a beam clamped at one end and bent so deflects by four times that rise.

Tension: geometric stiffness K_g of the stress under the forces at the body's points and its spin (22.16), against its stiffness K:

    K_g v = λ K v,   |λ| = load / buckling load

in the motions v = (frame, modes) that the joints permit with everything around the body at rest: a strip clamped at one end
buckles at a quarter of the load of one on two hinges. Rigid motions F that the joints leave free are no buckling; they are
taken out by Fᵀ M v = 0.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh, null_space

from flexor.bodies import FlexibleBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.floating.shortening import LoadedMesh
from flexor.bodies.formulations import FormulationClass
from flexor.bodies.superelement.formulation import Superelement
from flexor.engine.memory import OK
from flexor.engine.redundancy import gradient
from flexor.engine.system import System
from flexor.law import RESIDUAL
from flexor.spatial import log_so3
from flexor.warning import warn

BENT = 0.2
"""Deflection over length, as of a body clamped at one end, beyond which a linear body is told of."""
PULLED = 0.1
"""Load over buckling load beyond which a body without stiffening is told of."""
SUSPICIOUS = 0.02
"""The same by a formula for beams on two hinges, below which the stress of the mesh is not computed."""
SAMPLE = 400
"""Nodes that are looked at."""


class BeyondLinear(UserWarning):
    """A flexible body bends or is pulled beyond what its linear theory holds for."""


class LinearBodies:
    """Watches the reduced bodies of a model through an analysis."""

    def __init__(self, system: System) -> None:
        self.system = system
        nodes = {node.name: i for i, node in enumerate(system.mechanism.nodes)}
        scalars = {scalar.name: i for i, scalar in enumerate(system.mechanism.scalars)}
        bodies = [body for body in system.bodies if isinstance(body, FlexibleBody)]
        watches = [(WATCHES.get(body.formulation_class), body) for body in bodies]
        self.bodies = [watch(body, nodes, scalars) for watch, body in watches if watch is not None]

    def watch(self) -> None:
        """Look at the present state; a residual is assembled if some body may be pulled."""
        if not self.bodies:
            return
        forces = None
        if any(body.pullable for body in self.bodies):
            self.system.run.want = RESIDUAL
            if self.system.call("assemble") == OK:
                forces = self.system.memory.follower_force.reshape(-1, 6)
        for body in self.bodies:
            body.bend(self.system)
            if body.pullable and forces is not None:
                body.pull(self.system, forces)

    def tell(self) -> None:
        """Warn of bodies that went too far."""
        for body in self.bodies:
            for complaint in body.complaints(self.system):
                warn(complaint, BeyondLinear)


def tell_limits(system: System) -> None:
    """Warn of bodies that are beyond their linear theory in the present state."""
    bodies = LinearBodies(system)
    bodies.watch()
    bodies.tell()


class _Watched:
    """A body whose deformation is linear in its coordinates."""

    pullable = False
    """Whether tension or compression is looked at, too."""

    def __init__(self, body: FlexibleBody, nodes: dict[str, int], scalars: dict[str, int]) -> None:
        self.body, self.reduced = body, body.reduced
        self.scalars = np.array([i for name, i in scalars.items() if name.startswith(f"{body.name}.mode_")], dtype=int)
        own = np.flatnonzero(np.all(self.reduced.node_dofs[:, :3] >= 0, axis=1))
        chosen = own[:: max(1, len(own) // SAMPLE)]
        self.length = float(np.linalg.norm(np.ptp(self.reduced.nodes, axis=0)))
        shapes = self.reduced.shapes[self.reduced.node_dofs[chosen, :3].ravel()]
        rigid = _rigid(self.reduced.nodes[chosen])
        self.shapes = shapes - rigid @ np.linalg.lstsq(rigid, shapes, rcond=None)[0]
        self.bent = 0.0

    def coordinates(self, system: System) -> np.ndarray | None:
        """What multiplies the shapes in the present state; None where it is not known."""
        return np.asarray(system.memory.s.reshape(-1, 3)[self.scalars, 0])

    def bend(self, system: System) -> None:
        z = self.coordinates(system)
        if z is None or not len(self.shapes):
            return
        u = (self.shapes @ z).reshape(-1, 3)
        self.bent = max(self.bent, 4.0 * float(np.linalg.norm(np.ptp(u, axis=0))) / self.length)

    def pull(self, system: System, forces: np.ndarray) -> None:
        """Look at the forces on its points."""

    def complaints(self, system: System) -> list[str]:
        if self.bent <= BENT:
            return []
        return [
            f"body '{self.body.name}': it bends as much as a beam clamped at one end that deflects by "
            f"{100 * self.bent:.0f} % of its length; its modes are linear and hold up to about 10 %. Divide it into several "
            "bodies joined by Fixed, or use fx.Beam or formulation: full_mesh"
        ]


class _Superelement(_Watched):
    def __init__(self, body: FlexibleBody, nodes: dict[str, int], scalars: dict[str, int]) -> None:
        super().__init__(body, nodes, scalars)
        own = [f"{body.name}.{name}" for name in self.reduced.interfaces]
        self.nodes = [nodes[name] for name in own if name in nodes]

    def coordinates(self, system: System) -> np.ndarray | None:
        q = super().coordinates(system)
        if (
            q is None
            or len(self.nodes) != len(self.reduced.interfaces)
            or len(self.nodes) * 6 + len(q) != self.shapes.shape[1]
        ):
            return None
        x, R = system.nodes("x")[self.nodes], system.memory.R.reshape(-1, 3, 3)[self.nodes]
        X, base = self.reduced.points, R[0]
        moved = (x - x[0]) @ base - (X - X[0])
        return np.concatenate([np.hstack([moved, [log_so3(base.T @ each) for each in R]]).ravel(), q])


class _Floating(_Watched):
    """Its modes are linear; without `stiffening` it does not know what tension does, either."""

    def __init__(self, body: FlexibleBody, nodes: dict[str, int], scalars: dict[str, int]) -> None:
        super().__init__(body, nodes, scalars)
        self.shapes = self.shapes @ body.realisation.modes
        self.pullable = not body.stiffening
        self.points = {name.partition(".")[2]: i for name, i in nodes.items() if name.startswith(f"{body.name}.")}
        self.frame = nodes.get(body.name, 0)
        self.estimate = 0.0
        self.load: tuple[dict[str, np.ndarray], np.ndarray] | None = None

    def pull(self, system: System, forces: np.ndarray) -> None:
        """Keep the forces at the points, in the body's axes, where they are largest beside the buckling load of a beam."""
        R = system.memory.R.reshape(-1, 3, 3)[self.frame]
        omega = R.T @ system.nodes("v")[self.frame, 3:]
        own = {int(follower.node): i for i, follower in enumerate(system.mechanism.followers)}
        loads = {}
        for name, node in self.points.items():
            if node in own:
                f = -forces[own[node]]
                loads[name] = np.concatenate([R.T @ f[:3], R.T @ f[3:]])
        size = max(
            (float(np.linalg.norm(f[:3]) + np.linalg.norm(f[3:]) / self.length) for f in loads.values()), default=0.0
        )
        axes = self.body.realisation.axes
        mass = axes.invariants.mass
        # π² EI/L² by the lowest free mode, ω² = 4.73⁴ EI/(μ L⁴);  pull of a spin ⅛ m ω² L
        buckling = np.pi**2 / 4.73**4 * mass * self.length * float(axes.squares[0]) if axes.size else np.inf
        estimate = (size + mass * float(omega @ omega) * self.length / 8) / buckling
        if estimate > self.estimate:
            self.estimate, self.load = estimate, (loads, omega)

    def ratio(self, system: System) -> float:
        """Load over buckling load, positive for what stiffens; by the stress of the mesh where it is known."""
        if self.load is None or self.estimate < SUSPICIOUS:
            return 0.0
        if self.reduced.mesh is None or self.reduced.stretch != 1.0:
            return self.estimate
        mesh, axes = LoadedMesh(self.reduced), self.body.realisation.axes
        loads, w = self.load
        load = mesh.spins @ np.array([w[0] ** 2, w[1] ** 2, w[2] ** 2, w[0] * w[1], w[1] * w[2], w[2] * w[0]])
        points = self.body.realisation.points
        for name, force in loads.items():
            point = name if name in self.reduced.interfaces else points.get(name)
            if point is not None:
                load = load + mesh.unit_loads(point) @ force
        rigid = np.asarray(mesh.problem.T @ mesh.problem.rigid)
        rigid[:, 3:] -= rigid[:, :3] @ np.cross(np.eye(3), axes.com).T  # about the centre of mass
        (K_g,) = mesh.stiffness(load[:, None], np.hstack([rigid, self.reduced.shapes @ axes.modes]))
        V, squares = self._permitted(system)
        size = 1.0 / np.sqrt(squares)
        values = np.linalg.eigvalsh(V.T @ K_g @ V * np.outer(size, size))
        return float(values[np.argmax(np.abs(values))])

    def _permitted(self, system: System) -> tuple[np.ndarray, np.ndarray]:
        """Elastic vibrations V of frame and modes that the joints permit, the rest of the model held, VᵀMV = 1; ω²."""
        axes = self.body.realisation.axes
        n = 6 + axes.size
        K, M = np.zeros((n, n)), np.eye(n)
        K[6:, 6:] = np.diag(axes.squares)
        M[:3, :3], M[3:6, 3:6] = axes.invariants.mass * np.eye(3), axes.invariants.mass_properties.inertia
        Z = null_space(self._joints(system), rcond=1e-9)
        squares, V = eigh(Z.T @ K @ Z, Z.T @ M @ Z)
        elastic = squares > 1e-9 * squares.max(initial=0.0)
        return Z @ V[:, elastic], squares[elastic]

    def _joints(self, system: System) -> np.ndarray:
        """Gradient of all constraints in the frame, in the axes of the body, and the modes."""
        B, _, columns = gradient(system)
        place = np.full(system.equations.pattern.n, -1)
        place[columns] = np.arange(len(columns))
        nodes, rows = system.node_rows
        own = [rows[list(nodes).index(self.frame)], system.memory.scalar_eq[self.scalars]]
        found = B[:, place[np.concatenate(own)]].toarray()
        R = system.memory.R.reshape(-1, 3, 3)[self.frame]
        found[:, :3], found[:, 3:6] = found[:, :3] @ R, found[:, 3:6] @ R
        used = np.abs(found).max(axis=1, initial=0.0) > 0.0
        found = found[used]
        return np.asarray(found / np.linalg.norm(found, axis=1)[:, None])

    def complaints(self, system: System) -> list[str]:
        ratio = self.ratio(system)
        if abs(ratio) <= PULLED:
            return super().complaints(system)
        kind = "tension" if ratio > 0 else "compression"
        return [
            *super().complaints(system),
            f"body '{self.body.name}': it stands under {kind} of {100 * abs(ratio):.0f} % of its buckling load, which "
            f"{'stiffens' if ratio > 0 else 'softens'} it; that is left out. Give it stiffening=True",
        ]


WATCHES: dict[FormulationClass, type[_Watched]] = {Superelement: _Superelement, Floating: _Floating}
"""Formulations of linear theory, and what is looked at in them."""


def _rigid(x: np.ndarray) -> np.ndarray:
    """(3n, 6) rigid displacements of points."""
    columns = [np.tile(e, len(x)) for e in np.eye(3)] + [np.cross(e, x - x.mean(axis=0)).ravel() for e in np.eye(3)]
    return np.array(columns).T
