"""Geometry of motion: rotations, poses, wrenches and twists, inertia; pure functions on NumPy arrays."""

from flexor.spatial.euler import EULER_SEQUENCES, euler_rates_to_omega, euler_to_matrix, matrix_to_euler
from flexor.spatial.inertia import MassProperties, box, cylinder, rod, sphere, tube
from flexor.spatial.pose import Pose, direction, stacked, triad
from flexor.spatial.quaternion import (
    continuous_quaternions,
    matrix_to_quaternion,
    quaternion_conjugate,
    quaternion_product,
    quaternion_to_matrix,
)
from flexor.spatial.rotation import (
    PERMUTATION,
    about,
    cross,
    exp_so3,
    is_rotation,
    log_so3,
    nearest_rotation,
    skew,
    tangent,
    tangent_inverse,
    unskew,
)
from flexor.spatial.wrench import rotate_six, shift_matrix, shift_twist, shift_wrench

__all__ = [
    "EULER_SEQUENCES",
    "PERMUTATION",
    "MassProperties",
    "Pose",
    "about",
    "box",
    "continuous_quaternions",
    "cross",
    "cylinder",
    "direction",
    "euler_rates_to_omega",
    "euler_to_matrix",
    "exp_so3",
    "is_rotation",
    "log_so3",
    "matrix_to_euler",
    "matrix_to_quaternion",
    "nearest_rotation",
    "quaternion_conjugate",
    "quaternion_product",
    "quaternion_to_matrix",
    "rod",
    "rotate_six",
    "shift_matrix",
    "shift_twist",
    "shift_wrench",
    "skew",
    "sphere",
    "stacked",
    "tangent",
    "tangent_inverse",
    "triad",
    "tube",
    "unskew",
]
