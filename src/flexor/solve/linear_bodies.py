"""Whether reduced bodies stayed within their linear theory: how far they bend, and how hard unstiffened ones are pulled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies import DeformableBody
from flexor.engine.initial import set_proper
from flexor.engine.system import System
from flexor.warning import warn

if TYPE_CHECKING:
    from flexor.solve.bending import Bending
    from flexor.solve.looks import MotionSizes
    from flexor.solve.pull import Estimates, Pulled

SELDOM, MOST = 300, 10.0
"""Steps between two looks in a run while nothing grows, and growth of forces and motions that is never passed over."""


class BeyondLinear(UserWarning):
    """A flexible body bends or is pulled beyond what its linear theory holds for."""


class LinearBodies:
    """Watches the reduced bodies of a model through an analysis."""

    def __init__(self, system: System) -> None:
        self.system, self.looked, self.sizes, self.limits = system, -SELDOM, np.zeros(5), np.zeros(5)
        flexible = [body for body in system.bodies if isinstance(body, DeformableBody)]
        self.bodies: list[Bending] = []
        self.pulled: list[Pulled] = []
        self.estimates: Estimates | None = None
        self.motion: MotionSizes | None = None
        if not flexible:
            return
        from flexor.solve.bending import BENDING, alike_in  # loads finite elements
        from flexor.solve.looks import MotionSizes
        from flexor.solve.pull import Estimates, Pulled
        from flexor.solve.strut import Numbers

        bodies = [body for body in flexible if body.formulation_class in BENDING]
        if not bodies:
            return
        numbers, self.motion = Numbers(system), MotionSizes(system)
        self.bodies = [
            BENDING[alike[0].formulation_class](alike, system, numbers) for alike in alike_in(bodies, numbers)
        ]
        self.pulled = [Pulled(body, system, numbers) for body in bodies]
        self.estimates = Estimates([pulled.strut for pulled in self.pulled], system)

    def watch(self) -> None:
        """Look at the present state; a residual is assembled if some body may be pulled."""
        for body in self.bodies:
            body.look()
        for pulled, estimate in zip(self.pulled, self.estimates.now(self.system) if self.estimates else ()):
            pulled.watch(self.system, float(estimate))

    def watch_seldom(self, steps: int) -> None:
        """As `watch`, after a number of steps: only every SELDOM of them while forces and motions have not grown so much, since the
        last look, that a body might have come halfway to a limit."""
        if self.motion is None:
            return
        sizes = self.motion.sizes()
        if steps - self.looked >= SELDOM or (sizes > self.limits).any():
            self.looked, self.sizes = steps, np.maximum(sizes, self.sizes)
            self.watch()
            self.limits = self._growth() * self.sizes

    def _growth(self) -> np.ndarray:
        """By how much forces, velocities, accelerations and modes may grow: loads go with the square of velocities, and with the others."""
        from flexor.solve.bending import BENT, TURNED
        from flexor.solve.pull import SUSPICIOUS

        bent = max(max(each.bent.max(), each.turned.max() * BENT / TURNED) for each in self.bodies)
        pulled = max(each.last for each in self.pulled)
        allowed = min(0.5 * BENT / max(bent, 1e-9), 0.5 * SUSPICIOUS / max(pulled, 1e-9))
        growth = np.minimum(np.array([allowed, allowed, np.sqrt(allowed), allowed, allowed]), MOST)
        return growth if allowed > 1.0 else np.zeros(5)

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
