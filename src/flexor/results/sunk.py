"""Whether surfaces went through each other: by half of the thickness of a body or more, where a law of contact means nothing any more; or where it does not see them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies import Body
from flexor.contact import Contact, Contacts
from flexor.contact.broad.boxes import reach_of
from flexor.contact.surfaces import SURFACES
from flexor.contact.unseen import INSTEAD
from flexor.warning import warn

if TYPE_CHECKING:
    from flexor.model import Model

NEARLY = 0.9
"""Part of half of a thickness from which on a body has sunk in: beyond half of it the other side is nearer, so that no overlap is deeper, and between two steps it may pass there."""


class SunkContact(UserWarning):
    """Surfaces overlapped by half of the thickness of a body or more."""


class UnseenOverlap(UserWarning):
    """Surfaces overlapped where their contact does not see it."""


def tell_sunk(model: Model, signal: Callable[[str], float | None]) -> None:
    """Warn of contacts that are far too soft, and of overlaps that they do not see; signal: last value of one [m] by its name, None where it is not known."""
    contacts = [item for item in model.items if isinstance(item, Contact | Contacts)]
    if not contacts:
        return
    of_body = {item.name: item.shapes for item in model.items if isinstance(item, Body)}
    for contact in contacts:
        unseen = signal(f"{contact.name}.unseen")
        if unseen:
            warn(
                f"contact '{contact.name}': its surfaces overlapped by {unseen:.3g} m where it does not see it, so that nothing pushed them apart there; between these shapes not every rim, edge and flat "
                f"end is followed as it meets those of the other one; what helps: {INSTEAD}",
                UnseenOverlap,
            )
        depth, half = signal(f"{contact.name}.deepest"), _half_thickness(contact, of_body)
        if depth is not None and depth >= NEARLY * half:
            warn(
                f"contact '{contact.name}': its surfaces overlapped by {depth:.3g} m, about half of the thickness or more of "
                f"{'the thickest of its bodies' if isinstance(contact, Contacts) else 'the thinner body'}, {2 * half:.3g} m: the law is so soft that bodies may pass through each other, or they overlapped at the start; "
                "what helps: a stiffer law, or a body that is drawn as thick as it is",
                SunkContact,
            )


def _half_thickness(contact: Contact | Contacts, of_body: dict[str, Any]) -> float:
    """Of the thinner body; among many of the thickest, since it is not known which two overlapped."""
    if isinstance(contact, Contact):
        refs, shapes = (contact.a, contact.b), (contact.shape_a, contact.shape_b)
    else:
        refs, shapes = contact.surfaces, contact.shapes or (None,) * len(contact.surfaces)  # type: ignore[assignment]
    found = []
    for ref, shape in zip(refs, shapes, strict=False):
        own = of_body.get(ref.body, ()) if shape is None else (shape,)
        solid = len(own) == 1 and type(own[0]) in SURFACES and not getattr(own[0], "inside", False)
        found.append(float(np.min(reach_of(own))) or np.inf if solid else np.inf)  # a flat sheet of triangles has none
    return min(found) if isinstance(contact, Contact) else max(found)
