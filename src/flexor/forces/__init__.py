# ruff: noqa: I001
"""Forces between and on bodies, one file each. A new one is one more line here, which lists it in FORCES."""

from flexor.declaration import registered

from flexor.forces.axial_spring import AxialSpring as AxialSpring
from flexor.forces.joint_spring import JointSpring as JointSpring
from flexor.forces.global_spring import GlobalSpring as GlobalSpring
from flexor.forces.bushing import Bushing as Bushing
from flexor.forces.applied import PointForce as PointForce
from flexor.forces.applied import PointTorque as PointTorque
from flexor.forces.mesh_load import MeshLoad as MeshLoad
from flexor.forces.line_load import LineLoad as LineLoad
from flexor.forces.added_mass import AddedMass as AddedMass
from flexor.forces.user_law import UserLaw as UserLaw

FORCES = tuple(kind for kind in registered(globals()) if kind is not UserLaw)
"""All but the user's own law: no file can carry its code."""
