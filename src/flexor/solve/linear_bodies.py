"""Whether reduced bodies stayed within their linear theory: how far they bend, and how hard unstiffened ones are pulled.

Bending: the displacements of a sample of nodes without their best rigid motion. An arc of the length L that turns by φ has the
rise φL/8; a beam clamped at one end and bent so deflects by four times that rise.

Tension and compression: load over buckling load as the mechanism holds the body (`flexor.solve.buckling`), at the instant
where it is largest by a formula for beams.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies import FlexibleBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.formulations import FormulationClass
from flexor.bodies.superelement.formulation import Superelement
from flexor.engine.initial import set_proper
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.law import RESIDUAL
from flexor.solve.buckling import STATE, Share, share_of_buckling
from flexor.solve.free_motions import NotFound
from flexor.solve.strut import Strut
from flexor.spatial import log_so3
from flexor.warning import warn

BENT = 0.2
"""Deflection over length, as of a body clamped at one end, beyond which a linear body is told of."""
PULLED = 0.1
"""Load over buckling load beyond which a body without stiffening is told of, ..."""
FELT = 0.024
"""... where that also changes the stiffness of a motion by so much more than the body knows, as it does for a body clamped at one end
under a tenth of its buckling load: its frame turns with the load rightly, and that of each of several pieces does so too."""
SUSPICIOUS = 0.01
"""Load over buckling load by a formula for beams on two hinges, below which the stress of the mesh is not computed."""
BOTH = 0.3
"""Softening over stiffening, or the other way round, from which on both are told of, as of a deep beam that tips over."""
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
        self.pulled = [_Pulled(body, system) for watch, body in watches if watch is not None]

    def watch(self) -> None:
        """Look at the present state; a residual is assembled if some body may be pulled."""
        for body in self.bodies:
            body.bend(self.system)
        if self.pulled:
            self.system.run.want = RESIDUAL
            if self.system.call("assemble") == OK:
                for pulled in self.pulled:
                    pulled.watch(self.system)

    def tell(self) -> None:
        """Warn of bodies that went too far."""
        for complaint in self.complaints():
            warn(complaint, BeyondLinear)

    def causes(self) -> list[str]:
        """Of a run that failed: bodies that were beyond their theory, up to the last step that was accepted."""
        system = self.system
        system.put({name: getattr(system.memory, f"{name}0") for name in ("x", "R", "v", "a", "s", "lam")})
        set_proper(system)
        if system.mechanism.followers:
            system.call("follow")
        self.watch()
        return self.complaints()

    def complaints(self) -> list[str]:
        """What a warning says of bodies that went too far."""
        struts = [pulled.strut for pulled in self.pulled]
        bent = [told for body in self.bodies for told in body.complaints()]
        return bent + [told for pulled in self.pulled for told in pulled.complaints(self.system, struts)]


def tell_limits(system: System) -> None:
    """Warn of bodies that are beyond their linear theory in the present state."""
    bodies = LinearBodies(system)
    bodies.watch()
    bodies.tell()


class _Watched:
    """A body whose deformation is linear in its coordinates."""

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

    def complaints(self) -> list[str]:
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
        return np.concatenate([np.hstack([moved, log_so3(base.T @ R)]).ravel(), q])


class _Floating(_Watched):
    def __init__(self, body: FlexibleBody, nodes: dict[str, int], scalars: dict[str, int]) -> None:
        super().__init__(body, nodes, scalars)
        at_work = body.realisation
        assert isinstance(at_work, Floating)
        self.shapes = self.shapes @ at_work.modes


WATCHES: dict[FormulationClass, type[_Watched]] = {Superelement: _Superelement, Floating: _Floating}
"""Formulations of linear theory, and how the coordinates of their shapes are found."""


class _Pulled:
    """The instant at which a body bears most."""

    def __init__(self, body: FlexibleBody, system: System) -> None:
        self.strut = Strut(body, system)
        self.estimate = 0.0
        self.state: dict[str, np.ndarray] = {}
        self.time = 0.0

    def watch(self, system: System) -> None:
        estimate = self.strut.estimate(self.strut.loads(system))
        if estimate > max(self.estimate, SUSPICIOUS):
            self.estimate, self.state, self.time = estimate, system.copy(*STATE), float(system.run.time)

    def share(self, system: System, struts: list[Strut]) -> Share | None:
        """Load over buckling load; None if it cannot be found."""
        if not self.strut.stressed:
            return None
        now, time = system.copy(*STATE), float(system.run.time)
        try:
            _put(system, self.state, self.time)
            return share_of_buckling(system, struts, self.strut, SUSPICIOUS)
        except NotFound:
            return None
        finally:
            _put(system, now, time)

    def complaints(self, system: System, struts: list[Strut]) -> list[str]:
        where, stiffened = f"body '{self.strut.body.name}'", self.strut.body.stiffening
        if self.estimate <= (PULLED if stiffened else 0.0):
            return []
        found = self.share(system, struts)
        if stiffened:
            if found is None or found.softens <= PULLED or found.softens - found.known <= FELT:
                return []
            return [
                f"{where}: it stands under loads of {_percent(found.softens)} of the load at which it buckles as it is held here, "
                f"but of {_percent(found.known)} by its modes, which lack the deformation in which it does. Give its reduction "
                "more modes"
            ]
        if self.strut.floating:
            remedy = "Give it stiffening=True"
        else:
            remedy = (
                "Use formulation: floating with stiffening=True, fx.Beam or formulation: full_mesh, or divide it into several "
                "bodies joined by Fixed"
            )
        if found is None:
            if self.estimate <= PULLED:
                return []
            return [
                f"{where}: it stands under loads of about {100 * self.estimate:.0f} % of the load at which a beam of its "
                f"length and frequency buckles on two hinges; that they stiffen or soften it is left out. {remedy}"
            ]
        if max(found.softens, found.stiffens) <= PULLED or abs(found.error) <= FELT:
            return []
        direction = ", if loads on its mesh keep their direction" if self.strut.on_mesh else ""
        return [
            f"{where}: it stands under {_kind(found).format(f'the load at which it buckles as it is held here{direction},')}; "
            f"of that up to {_percent(found.error)} of its stiffness is left out. {remedy}"
        ]


def _kind(share: Share) -> str:
    """What loads do to a body, with a gap for what they are compared with."""
    softens, stiffens = share.softens, share.stiffens
    if softens > PULLED and min(softens, stiffens) > BOTH * max(softens, stiffens):
        return f"loads of {_percent(softens)} of {{}} which soften some of its motions and stiffen others"
    if softens > stiffens:
        return f"compression of {_percent(softens)} of {{}} which softens it"
    return f"tension of {_percent(stiffens)} of {{}} which stiffens it"


def _percent(share: float) -> str:
    return "more than 1000 %" if abs(share) > 10 else f"{100 * abs(share):.{1 if abs(share) < 0.02 else 0}f} %"


def _put(system: System, state: dict[str, np.ndarray], time: float) -> None:
    system.put(state)
    system.run.time = time
    if system.mechanism.followers:
        system.call("follow")
        system.put(state)


def _rigid(x: np.ndarray) -> np.ndarray:
    """(3n, 6) rigid displacements of points."""
    columns = [np.tile(e, len(x)) for e in np.eye(3)] + [np.cross(e, x - x.mean(axis=0)).ravel() for e in np.eye(3)]
    return np.array(columns).T
