"""Contacts that leap from place to place at rest.

Where two places of a contact are as near, each pushes the bodies so that the other one is nearer: a ball in the middle of a meshed plate, which sags, so that facets around a node are as near. With the deeper of both,
V = max(V₁, V₂), forces jump there, and rest is a mean of the two, λ ∂V₁ + (1 − λ) ∂V₂ = 0: steps of Newton's method turn back on each other, and go half as far each time.
"""

from __future__ import annotations

from flexor.engine.system import System
from flexor.solve.static_grip import present_signals, touches
from flexor.warning import warn

TOLD = 1e-6
"""Least share of the load and of the size of the model that is told."""


class LeapingContact(UserWarning):
    """A contact has no single place at rest, but leaps between two."""


def tell_leaps(system: System, moves: float, left: float) -> None:
    """Warn of contacts that leap from place to place at rest; moves: how far bodies are from the rest of each place [m];   left: force that is left over, in parts
    of the load. Where both are next to nothing there is nothing to tell."""
    if left < TOLD and moves < TOLD * float(system.run.length_scale):
        return
    signals = present_signals(system)
    named = dict.fromkeys(term.name for term in system.mechanism.terms if touches(term))
    pressed = [name for name in named if signals.get(f"{name}.normal_force", 1.0) > 0.0] or list(named)
    told = ", ".join(f"'{name}'" for name in pressed[:4]) + (" and others" if len(pressed) > 4 else "")
    warn(
        f"statics: a contact ({told}) leaps between places that are as near, as two facets of a mesh that sags; it rests between them, its position known within {moves:.2g} m, "
        f"its forces within {left:.2g} of the load. What helps: every_node=True of the side, a finer mesh, or a place beside nodes and edges",
        LeapingContact,
    )
