# ruff: noqa: I001
"""Bodies of a mechanism, one file each. A new one is one more line here, which lists it in BODIES."""

from flexor.declaration import registered
from flexor.bodies.body import Body as Body
from flexor.bodies.deformable_body import DeformableBody as DeformableBody
from flexor.bodies.ground import Ground as Ground
from flexor.bodies.ground import ground as ground
from flexor.bodies.marker import Marker as Marker
from flexor.bodies.marker import MarkerRef as MarkerRef
from flexor.bodies.marker import Site as Site
from flexor.bodies.shape import SHAPES as SHAPES
from flexor.bodies.shape import Box as Box
from flexor.bodies.shape import Cone as Cone
from flexor.bodies.shape import Cylinder as Cylinder
from flexor.bodies.shape import Extruded as Extruded
from flexor.bodies.shape import Plane as Plane
from flexor.bodies.shape import Revolved as Revolved
from flexor.bodies.shape import Shape as Shape
from flexor.bodies.shape import Sphere as Sphere
from flexor.bodies.shape import Stl as Stl
from flexor.bodies.shape import Torus as Torus
from flexor.bodies.shape import Triangles as Triangles

from flexor.bodies.rigid_body import RigidBody as RigidBody
from flexor.bodies.point_mass import PointMass as PointMass
from flexor.bodies.flexible_body import FlexibleBody as FlexibleBody
from flexor.bodies.generic_part import GenericPart as GenericPart
from flexor.bodies.beam.beam import Beam as Beam
from flexor.bodies.shape_body.shape_body import ShapeBody as ShapeBody

BODIES = registered(globals(), Body)
FLEXIBLE = tuple(kind for kind in BODIES if getattr(kind, "flexible") is not Body.flexible)  # noqa: B009
"""Those that say of themselves whether they deform."""
