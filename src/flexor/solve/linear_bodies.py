"""Whether reduced bodies stayed within their linear theory: how far they bend, and how hard unstiffened ones are pulled.

Bending: the displacements of a sample of nodes without their best rigid motion. An arc of the length L that turns by φ has the
rise φL/8; a beam clamped at one end and bent so deflects by four times that rise.

Tension and compression: load over buckling load as the mechanism holds the body (`flexor.solve.buckling`), at the instant
where it is largest by a formula for beams.
"""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from flexor.bodies import FlexibleBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.formulations import FormulationClass
from flexor.bodies.superelement.formulation import Superelement
from flexor.engine.initial import set_proper
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.law import RESIDUAL
from flexor.reduce.reduced import ReducedBody
from flexor.solve.buckling import STATE, Share, share_of_buckling
from flexor.solve.free_motions import NotFound
from flexor.solve.strut import Numbers, Strut
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
SAMPLE = 100
"""Nodes that are looked at."""
SELDOM, MOST = 300, 10.0
"""Steps between two looks in a run while nothing grows, and growth of forces and motions that is never passed over."""


class BeyondLinear(UserWarning):
    """A flexible body bends or is pulled beyond what its linear theory holds for."""


class LinearBodies:
    """Watches the reduced bodies of a model through an analysis."""

    def __init__(self, system: System) -> None:
        self.system, self.looked, self.sizes = system, -SELDOM, np.zeros(5)
        flexible = [body for body in system.bodies if isinstance(body, FlexibleBody)]
        bodies = [body for body in flexible if body.formulation_class in WATCHES]
        self.bodies: list[_Watched] = []
        self.pulled: list[_Pulled] = []
        if not bodies:
            return
        numbers = Numbers(system)
        self.bodies = [WATCHES[alike[0].formulation_class](alike, numbers) for alike in _alike(bodies, numbers)]
        self.pulled = [_Pulled(body, system, numbers) for body in bodies]
        self.pulled.sort(key=lambda pulled: not pulled.strut.floating)  # others leave a residual of their own

    def watch(self) -> None:
        """Look at the present state; a residual is assembled if some body may be pulled."""
        for body in self.bodies:
            body.bend(self.system)
        if self.pulled:
            self.system.run.want = RESIDUAL
            if self.system.call("assemble") == OK:
                for pulled in self.pulled:
                    pulled.watch(self.system)
                if not all(pulled.strut.floating for pulled in self.pulled):
                    self.system.evaluate(RESIDUAL)  # as it was

    def watch_seldom(self, steps: int) -> None:
        """As `watch`, after a number of steps: only every SELDOM of them while forces and motions have not grown so much, since the
        last look, that a body might have come halfway to a limit."""
        if not self.bodies:
            return
        m = self.system.memory
        sizes = np.array([np.abs(each).max(initial=0.0) for each in (m.lam, m.follower_force, m.v, m.a, m.s[0::3])])
        if steps - self.looked >= SELDOM or np.any(sizes > self._growth() * self.sizes):
            self.looked, self.sizes = steps, np.maximum(sizes, self.sizes)
            self.watch()

    def _growth(self) -> float:
        """By how much forces and motions may grow: loads go with their square at most."""
        bent = max(each.bent.max() for each in self.bodies)
        pulled = max(each.last for each in self.pulled)
        allowed = min(0.5 * BENT / max(bent, 1e-9), np.sqrt(0.5 * SUSPICIOUS / max(pulled, 1e-9)), MOST)
        return float(allowed) if allowed > 1.0 else 0.0

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
    """Bodies with equally many coordinates, in which their deformation is linear."""

    def __init__(self, bodies: list[FlexibleBody], numbers: Numbers) -> None:
        self.bodies = bodies
        modes = [numbers.modes.get(body.name, []) for body in bodies]
        self.scalars = np.array(modes, dtype=int).reshape(len(bodies), -1)
        self.lengths, self.shapes = zip(*(_bending(body.reduced) for body in bodies))
        self.bent = np.zeros(len(bodies))

    def coordinates(self, system: System) -> np.ndarray | None:
        """(bodies, r) what multiplies the shapes in the present state; None where it is not known."""
        return np.asarray(system.memory.s.reshape(-1, 3)[self.scalars, 0])

    def bend(self, system: System) -> None:
        z = self.coordinates(system)
        if z is None:
            return
        for i, (length, shapes) in enumerate(zip(self.lengths, self.shapes)):
            u = (shapes @ z[i]).reshape(-1, 3)
            if len(u):
                self.bent[i] = max(self.bent[i], 4.0 * float(np.linalg.norm(np.ptp(u, axis=0))) / length)

    def complaints(self) -> list[str]:
        return [
            f"body '{body.name}': it bends as much as a beam clamped at one end that deflects by "
            f"{100 * bent:.0f} % of its length; its modes are linear and hold up to about 10 %. Divide it into several "
            "bodies joined by Fixed, or use fx.Beam or formulation: full_mesh"
            for body, bent in zip(self.bodies, self.bent)
            if bent > BENT
        ]


class _Superelement(_Watched):
    def __init__(self, bodies: list[FlexibleBody], numbers: Numbers) -> None:
        super().__init__(bodies, numbers)
        names = [body.reduced.interfaces for body in bodies]
        points = [numbers.points.get(body.name, {}) for body in bodies]
        known = all(name in each for each, own in zip(points, names) for name in own)
        self.nodes = np.array([[each[name] for name in own] for each, own in zip(points, names)]) if known else None
        self.points = np.array([body.reduced.points - body.reduced.points[0] for body in bodies])

    def coordinates(self, system: System) -> np.ndarray | None:
        q = super().coordinates(system)
        if self.nodes is None or q is None or 6 * self.nodes.shape[1] + q.shape[1] != self.shapes[0].shape[1]:
            return None
        x, R = system.nodes("x")[self.nodes], system.memory.R.reshape(-1, 3, 3)[self.nodes]
        base = R[:, 0]
        moved = (x - x[:, :1]) @ base - self.points
        turned = log_so3(np.swapaxes(base, 1, 2)[:, None] @ R)
        return np.concatenate([np.concatenate([moved, turned], axis=2).reshape(len(q), -1), q], axis=1)


class _Floating(_Watched):
    def __init__(self, bodies: list[FlexibleBody], numbers: Numbers) -> None:
        super().__init__(bodies, numbers)
        at_work = [body.realisation for body in bodies]
        modes = [each.modes for each in at_work if isinstance(each, Floating)]
        self.shapes = tuple(shapes @ own for shapes, own in zip(self.shapes, modes, strict=True))


WATCHES: dict[FormulationClass, type[_Watched]] = {Superelement: _Superelement, Floating: _Floating}
"""Formulations of linear theory, and how the coordinates of their shapes are found."""


def _alike(bodies: list[FlexibleBody], numbers: Numbers) -> list[list[FlexibleBody]]:
    """Bodies of one formulation with as many interfaces and modes."""
    found: dict[object, list[FlexibleBody]] = {}
    for body in bodies:
        modes = len(numbers.modes.get(body.name, ()))
        found.setdefault((body.formulation_class, len(body.reduced.interfaces), modes), []).append(body)
    return list(found.values())


class _Pulled:
    """The instant at which a body bears most."""

    def __init__(self, body: FlexibleBody, system: System, numbers: Numbers) -> None:
        self.strut = Strut(body, system, numbers)
        self.estimate = self.last = 0.0
        self.state: dict[str, np.ndarray] = {}
        self.time = 0.0

    def watch(self, system: System) -> None:
        estimate = self.last = self.strut.estimate(system)
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


_SHAPES: WeakKeyDictionary[ReducedBody, tuple[float, np.ndarray]] = WeakKeyDictionary()


def _bending(reduced: ReducedBody) -> tuple[float, np.ndarray]:
    """Length, and displacements of a sample of nodes by the shapes without their rigid motion; found once."""
    if reduced not in _SHAPES:
        own = np.flatnonzero(np.all(reduced.node_dofs[:, :3] >= 0, axis=1))
        chosen = own[:: max(1, len(own) // SAMPLE)]
        shapes = reduced.shapes[reduced.node_dofs[chosen, :3].ravel()]
        rigid = _rigid(reduced.nodes[chosen])
        left = shapes - rigid @ np.linalg.lstsq(rigid, shapes, rcond=None)[0]
        _SHAPES[reduced] = float(np.linalg.norm(np.ptp(reduced.nodes, axis=0))), left
    return _SHAPES[reduced]


def _rigid(x: np.ndarray) -> np.ndarray:
    """(3n, 6) rigid displacements of points."""
    columns = [np.tile(e, len(x)) for e in np.eye(3)] + [np.cross(e, x - x.mean(axis=0)).ravel() for e in np.eye(3)]
    return np.array(columns).T
