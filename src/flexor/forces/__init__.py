"""Forces between and on bodies, one file each; a new force is listed in FORCES."""

from flexor.forces.applied import PointForce, PointTorque
from flexor.forces.axial_spring import AxialSpring
from flexor.forces.joint_spring import JointSpring
from flexor.forces.mesh_load import MeshLoad
from flexor.forces.user_law import UserLaw

FORCES = (AxialSpring, JointSpring, PointForce, PointTorque, MeshLoad)

__all__ = ["FORCES", "AxialSpring", "JointSpring", "MeshLoad", "PointForce", "PointTorque", "UserLaw"]
