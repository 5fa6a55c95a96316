"""The signed distance of a point from each kind of shape."""

from __future__ import annotations

from collections.abc import Callable

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.contact.distance.box import distance_box
from flexor.contact.distance.contour import distance_contour
from flexor.contact.distance.cylinder import distance_cylinder, section_of_cylinder
from flexor.contact.distance.extruded import distance_extruded
from flexor.contact.distance.plane import distance_plane
from flexor.contact.distance.revolved import distance_revolved
from flexor.contact.distance.sphere import distance_sphere
from flexor.contact.distance.torus import distance_torus, section_of_torus
from flexor.contact.distance.triangles import distance_triangles

DISTANCES: dict[type, Callable] = {
    Plane: distance_plane,
    Sphere: distance_sphere,
    Box: distance_box,
    Cylinder: distance_cylinder,
    Torus: distance_torus,
    Cone: distance_revolved,
    Revolved: distance_revolved,
    Extruded: distance_extruded,
    Stl: distance_triangles,
    Triangles: distance_triangles,
}
"""Signed distance of a point from each kind of solid."""

SECTIONS: dict[type, tuple[Callable, Callable]] = {
    Cylinder: (section_of_cylinder, lambda size: size.radius),
    Cone: (distance_contour, lambda size: size.extent),
    Revolved: (distance_contour, lambda size: size.extent),
    Torus: (section_of_torus, lambda size: size.ring),
}
"""Of solids of revolution the distance in the meridian, and their size."""
