"""How hard reduced bodies are pulled or pressed: load over buckling load as the mechanism holds them (`flexor.solve.buckling`), at the
instant where it is largest by a formula for beams.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies import DeformableBody
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.law import RESIDUAL
from flexor.solve.buckling import STATE, Share, share_of_buckling
from flexor.solve.free_motions import NotFound
from flexor.solve.looks import ForcesAlone
from flexor.solve.strut import Numbers, Strut

PULLED = 0.1
"""Load over buckling load beyond which a body without stiffening is told of, ..."""
FELT = 0.024
"""... where that also changes the stiffness of a motion by so much more than the body knows, as it does for a body clamped at one end
under a tenth of its buckling load: its frame turns with the load rightly, and that of each of several pieces does so too."""
SUSPICIOUS = 0.01
"""Load over buckling load by a formula for beams on two hinges, below which the stress of the mesh is not computed."""
BOTH = 0.3
"""Softening over stiffening, or the other way round, from which on both are told of, as of a deep beam that tips over."""


class Estimates:
    """Load over buckling load of bodies on two hinges, by the sizes of their loads alone: (|f| + |m|/L + ⅛ m ω² L) / (π² EI/L²).

    Bodies are strung together: their points, of superelements or of floating bodies, stand one after the other.
    """

    def __init__(self, struts: list[Strut], system: System) -> None:
        self.struts = struts
        able = [(strut.floating, i) for i, strut in enumerate(struts) if strut.buckling]
        self.on_mesh = [i for _, i in able if struts[i].on_mesh]
        self.order = [i for _, i in sorted(able) if not struts[i].on_mesh]  # superelements first
        own = [struts[i] for i in self.order]
        alone = [strut.term for strut in own if not strut.floating]
        self.alone = ForcesAlone(system, alone) if alone else None
        self.carried = np.array([follower for strut in own if strut.floating for follower in strut.own], dtype=int)
        turning = [strut.nodes[:1] if strut.floating else strut.nodes for strut in own]
        loaded = np.array([len(strut.own) if strut.floating else len(strut.nodes) for strut in own], dtype=int)
        self.bearing = np.flatnonzero(loaded)
        self.loaded = (np.cumsum(loaded) - loaded)[self.bearing]
        self.arms = np.repeat([strut.length for strut in own], loaded)
        self.nodes = np.array([node for nodes in turning for node in nodes], dtype=int)
        self.turns = np.array([len(nodes) for nodes in turning], dtype=int)
        self.turning = np.cumsum(self.turns) - self.turns
        self.lengths = np.array([strut.length for strut in own])
        self.masses = np.array([strut.mass for strut in own])
        self.buckling = np.array([strut.buckling for strut in own])

    def now(self, system: System) -> np.ndarray:
        """(bodies,) in the present state; its residual is assembled where that tells a load."""
        found = np.zeros(len(self.struts))
        alone = np.zeros((0, 2, 3)) if self.alone is None else self.alone.now()
        if (self.on_mesh or len(self.carried)) and system.evaluate(RESIDUAL) != OK:
            return found
        for i in self.on_mesh:
            found[i] = self.struts[i].share(self.struts[i].loads(system))
        if not self.order:
            return found
        carried = system.memory.follower_force.reshape(-1, 2, 3)[self.carried]
        forces = np.concatenate([alone, carried]) if len(carried) else alone
        sizes = np.sqrt((forces * forces).sum(axis=2))
        most = np.zeros(len(self.order))
        if len(sizes):
            most[self.bearing] = np.maximum.reduceat(sizes[:, 0] + sizes[:, 1] / self.arms, self.loaded)
        omega = np.add.reduceat(system.nodes("v")[self.nodes, 3:], self.turning) / self.turns[:, None]
        pull = self.masses * (omega * omega).sum(axis=1) * self.lengths / 8
        found[self.order] = (most + pull) / self.buckling
        return found


class Pulled:
    """The instant at which a body bears most."""

    def __init__(self, body: DeformableBody, system: System, numbers: Numbers) -> None:
        self.strut = Strut(body, system, numbers)
        self.estimate = self.last = 0.0
        self.state: dict[str, np.ndarray] = {}
        self.time = 0.0

    def watch(self, system: System, estimate: float) -> None:
        self.last = estimate
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
