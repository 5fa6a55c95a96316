"""Everything that can stand in a model, gathered from the registries; new members are listed there."""

from __future__ import annotations

from flexor.bodies import BODIES
from flexor.contact import CONTACTS
from flexor.control import CONTROLS, UserBlock
from flexor.declaration import Item
from flexor.forces import FORCES
from flexor.forces.user_law import UserLaw
from flexor.joints import DRIVERS, JOINTS
from flexor.transmissions import TRANSMISSIONS

ITEMS: tuple[type[Item], ...] = (*BODIES, *JOINTS, *DRIVERS, *TRANSMISSIONS, *FORCES, *CONTACTS, *CONTROLS)
"""All kinds of items."""

KINDS: dict[str, type[Item]] = {kind.model_fields["type"].default: kind for kind in ITEMS}
"""The same by their `type` in a file."""

IN_PYTHON: tuple[type[Item], ...] = (*ITEMS, UserLaw, UserBlock)
"""What a model in Python may hold: a user's law or block has code in it, which no file can carry."""
