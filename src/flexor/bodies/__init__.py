"""Bodies of a mechanism, one file each; a new body is listed in BODIES."""

from flexor.bodies.body import Body
from flexor.bodies.flexible_body import FlexibleBody
from flexor.bodies.ground import Ground, ground
from flexor.bodies.marker import Marker, MarkerRef, Site
from flexor.bodies.point_mass import PointMass
from flexor.bodies.rigid_body import RigidBody
from flexor.bodies.shape import SHAPES, Box, Cylinder, Shape, Sphere, Stl

FLEXIBLE = (FlexibleBody,)
BODIES = (RigidBody, PointMass, *FLEXIBLE)

__all__ = [
    "BODIES",
    "FLEXIBLE",
    "SHAPES",
    "Body",
    "Box",
    "Cylinder",
    "FlexibleBody",
    "Ground",
    "Marker",
    "MarkerRef",
    "PointMass",
    "RigidBody",
    "Shape",
    "Site",
    "Sphere",
    "Stl",
    "ground",
]
