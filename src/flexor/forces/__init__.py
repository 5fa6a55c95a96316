"""Forces between and on bodies, one file each; a new force is listed in FORCES."""

from flexor.forces.applied import PointForce, PointTorque
from flexor.forces.axial_spring import AxialSpring
from flexor.forces.joint_spring import JointSpring
from flexor.forces.user_law import UserLaw

FORCES = (AxialSpring, JointSpring, PointForce, PointTorque)

__all__ = ["FORCES", "AxialSpring", "JointSpring", "PointForce", "PointTorque", "UserLaw"]
