"""Bodies on multipliers that go round by much in a step: their joint forces are off, though energy may not show it.

On a circle q = q̂ e^(iωt) the constraints hold q itself, and the acceleration that the integrator ascribes to it is, with
z = e^(ihω) and (10.1), (10.3),

    q/A = h² [((1 − γ) + γz)/(z − 1)² + ((½ − β) + βz)/(z − 1)],    a/A = ((1 − α_m)z + α_m)/((1 − α_f)z + α_f)

instead of −ω² q. An eliminated hinge knows the circle, and has no such error.
"""

from __future__ import annotations

import numpy as np

from flexor.engine.system import System
from flexor.solve.balance import EnergyDrift
from flexor.solve.integrator import AlphaCoefficients
from flexor.warning import warn

OFF = 0.05
"""Error of a force that is told."""
SLIGHT = 0.05
"""Force of inertia, relative to the largest in the model, whose error does not matter."""


def force_error(turn: float, c: AlphaCoefficients) -> float:
    """Relative error of the force that keeps a mass on a circle, at so many rad a step."""
    z = np.exp(1j * turn)
    q = ((1 - c.gamma) + c.gamma * z) / (z - 1) ** 2 + ((0.5 - c.beta) + c.beta * z) / (z - 1)
    a = ((1 - c.alpha_m) * z + c.alpha_m) / ((1 - c.alpha_f) * z + c.alpha_f)
    return float(abs(a / q) / turn**2 - 1.0)


class Turning:
    """Watches how far the centres of mass of bodies on multipliers go round in a step."""

    def __init__(self, system: System, coefficients: AlphaCoefficients) -> None:
        m, self.coefficients = system.mechanism, coefficients
        held = {node for i in np.flatnonzero(system.terms["own"]) for node in m.terms[i].nodes}
        self.nodes = np.array(sorted(held & set(system.memory.node_list.tolist())), dtype=np.int64)
        self.masses = np.array([node.weights[0] for node in m.nodes]) if len(self.nodes) else np.zeros(0)
        self.worst, self.turn, self.step = -1, 0.0, 0.0

    def watch(self, system: System) -> None:
        """Look at the present velocities and accelerations."""
        if not len(self.nodes):
            return
        step = float(system.run.last_step)
        v = system.nodes("v")[self.nodes]
        if np.abs(v[:, 3:]).max() * step < 0.1:
            return
        a = system.nodes("a")[self.nodes, :3]
        spin, square = np.linalg.norm(v[:, 3:], axis=1), np.sum(v[:, :3] ** 2, axis=1)
        # how fast the path turns: a pendulum turns sharply where it stops, but the body does not
        path = np.linalg.norm(np.cross(v[:, :3], a), axis=1) / np.maximum(square, 1e-300)
        force = self.masses * np.linalg.norm(system.nodes("a")[:, :3], axis=1)
        heavy = force[self.nodes] > SLIGHT * force.max()
        turn = np.where(heavy, step * np.minimum(path, spin), 0.0)
        if turn.max() > self.turn:
            self.worst, self.turn, self.step = int(self.nodes[np.argmax(turn)]), float(turn.max()), step

    def tell(self, system: System) -> None:
        """Warn at the end of a run."""
        turn = min(self.turn, np.pi)
        if turn <= 0.0 or abs(error := force_error(turn, self.coefficients)) <= OFF:
            return
        name = system.mechanism.owner(system.mechanism.nodes[self.worst].name)
        good = self.step * np.sqrt(0.01 / abs(error))  # of second order
        warn(
            f"body '{name}' goes round by {turn:.2g} rad in a step of {self.step:.3g} s, and its joints are enforced by "
            f"multipliers: forces in them are off by about {100 * abs(error):.0f} %. What helps: enforcement: elimination of "
            f"its joint, or a step of {good:.1g} s for 1 %",
            EnergyDrift,
        )
