"""Bodies of a mechanism, one file each; a new body is listed in BODIES."""

from flexor.bodies.beam.beam import Beam
from flexor.bodies.body import Body
from flexor.bodies.flexible_body import FlexibleBody
from flexor.bodies.generic_part import GenericPart
from flexor.bodies.ground import Ground, ground
from flexor.bodies.marker import Marker, MarkerRef, Site
from flexor.bodies.point_mass import PointMass
from flexor.bodies.rigid_body import RigidBody
from flexor.bodies.shape import SHAPES, Box, Cylinder, Shape, Sphere, Stl

FLEXIBLE = (FlexibleBody, GenericPart, Beam)
BODIES = (RigidBody, PointMass, *FLEXIBLE)

__all__ = [
    "BODIES",
    "FLEXIBLE",
    "SHAPES",
    "Beam",
    "Body",
    "Box",
    "Cylinder",
    "FlexibleBody",
    "GenericPart",
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
