"""Joints and the motors that drive them, one file each; a new joint is listed in JOINTS."""

from flexor.joints.cylindrical import Cylindrical
from flexor.joints.distance import Distance
from flexor.joints.fixed import Fixed
from flexor.joints.joint import AxisJoint, Joint
from flexor.joints.motor import Motor
from flexor.joints.planar import Planar
from flexor.joints.point_on_line import PointOnLine
from flexor.joints.prismatic import Prismatic
from flexor.joints.revolute import Revolute
from flexor.joints.spherical import Spherical
from flexor.joints.universal import Universal

JOINTS = (Fixed, Revolute, Prismatic, Cylindrical, Spherical, Universal, Planar, PointOnLine, Distance)
DRIVERS = (Motor,)

__all__ = [
    "DRIVERS",
    "JOINTS",
    "AxisJoint",
    "Cylindrical",
    "Distance",
    "Fixed",
    "Joint",
    "Motor",
    "Planar",
    "PointOnLine",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Universal",
]
