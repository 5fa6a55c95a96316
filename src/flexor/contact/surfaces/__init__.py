"""Shapes as surfaces that touch, one file each. A new one is one more line in SURFACES."""

from flexor.bodies.shape import Plane, Sphere
from flexor.contact.surfaces.plane import PLANE
from flexor.contact.surfaces.sphere import SPHERE
from flexor.contact.surfaces.surface import Surface as Surface

SURFACES: dict[type, Surface] = {Sphere: SPHERE, Plane: PLANE}
"""What is known of each kind of shape."""
