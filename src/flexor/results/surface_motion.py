"""How the rigid surface of a contact moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.contact.contact import Contact
from flexor.contact.surfaces import SURFACES
from flexor.results.marker_motion import bodies_of, motion_of

if TYPE_CHECKING:
    from flexor.bodies.marker import MarkerRef
    from flexor.model import Model
    from flexor.recover.from_signals import Signals


def shape_of(model: Model, contact: Contact, end: str) -> Any:
    """Shape of a surface, "a" or "b", of a contact: its own or the only one of its body."""
    own = getattr(contact, f"shape_{end}")
    return own if own is not None else bodies_of(model)[getattr(contact, end).body].shapes[0]


def surface_motion(
    model: Model, signals: Signals, ref: MarkerRef, shape: Any, rows: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Position (T, 3) and axes (T, 3, 3) of a shape at a marker, at rows."""
    motion = motion_of(model, signals, ref)
    R = motion.R[rows]
    return motion.position[rows] + R @ np.array(shape.at), R @ SURFACES[type(shape)].axes(shape)
