# ruff: noqa: I001
"""Joints and the motors that drive them, one file each. A new one is one more line here, which lists it in JOINTS or DRIVERS."""

from flexor.declaration import registered
from flexor.joints.joint import AxisJoint as AxisJoint
from flexor.joints.joint import Joint as Joint

from flexor.joints.fixed import Fixed as Fixed
from flexor.joints.revolute import Revolute as Revolute
from flexor.joints.prismatic import Prismatic as Prismatic
from flexor.joints.cylindrical import Cylindrical as Cylindrical
from flexor.joints.spherical import Spherical as Spherical
from flexor.joints.universal import Universal as Universal
from flexor.joints.planar import Planar as Planar
from flexor.joints.point_on_line import PointOnLine as PointOnLine
from flexor.joints.constant_velocity import ConstantVelocity as ConstantVelocity
from flexor.joints.axial import Axial as Axial
from flexor.joints.free import Free as Free
from flexor.joints.distance import Distance as Distance
from flexor.joints.cam import Cam as Cam
from flexor.joints.prescribed_motion import PrescribedMotion as PrescribedMotion
from flexor.joints.guide import Guide as Guide
from flexor.joints.motor import Motor as Motor
from flexor.joints.friction import Friction as Friction

DRIVERS = tuple(kind for kind in registered(globals()) if "joint" in kind.model_fields)
"""What acts on a joint."""
JOINTS = tuple(kind for kind in registered(globals()) if kind not in DRIVERS)
