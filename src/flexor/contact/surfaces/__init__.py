"""Shapes as surfaces that touch, one file each. A new one is one more line in SURFACES."""

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.contact.surfaces.box import BOX
from flexor.contact.surfaces.contour import CONE, EXTRUDED, REVOLVED
from flexor.contact.surfaces.cylinder import CYLINDER
from flexor.contact.surfaces.plane import PLANE
from flexor.contact.surfaces.sphere import SPHERE
from flexor.contact.surfaces.surface import Surface as Surface
from flexor.contact.surfaces.torus import TORUS
from flexor.contact.surfaces.triangles import STL, TRIANGLES

SURFACES: dict[type, Surface] = {
    Sphere: SPHERE,
    Plane: PLANE,
    Box: BOX,
    Cylinder: CYLINDER,
    Torus: TORUS,
    Cone: CONE,
    Revolved: REVOLVED,
    Extruded: EXTRUDED,
    Stl: STL,
    Triangles: TRIANGLES,
}
"""What is known of each kind of shape."""
