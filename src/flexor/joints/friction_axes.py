"""About or along which axis a joint variable rubs, and whether the joint carries a load there."""

from __future__ import annotations

from flexor.joints.friction_force import ACROSS, OF_A, OF_B
from flexor.joints.joint import Joint


def axis_of(joint: Joint, index: int) -> tuple[int, int, int]:
    """Along or about which axis a variable moves: whose it is, its number, and that of B if it is perpendicular to both."""
    translations, turning = joint.translations, ["xyz".index(axis) for axis in joint.rotations]
    number = index - len(translations)
    if number < 0:
        return OF_A, "xyz".index(translations[index]), 0
    if number == 0 or joint.by_vector:
        return OF_A, turning[number], 0
    if number == len(turning) - 1:
        return OF_B, turning[-1], 0
    return ACROSS, turning[0], turning[-1]


def carries(joint: Joint, index: int, load: str, factor: float) -> bool:
    """Whether what a joint binds can make up this load on a variable; factor: that of the axial force, or of the key."""
    whose, axis, _ = axis_of(joint, index)
    held = {"xyz"[i] for i in joint.free.locked_translations}
    axis_a = {"xyz"[axis]}
    if whose == OF_A:
        across, along = held - axis_a, held & axis_a
    else:  # it turns with B, so that forces are across and along it at most angles; one across to A's own axis never has that along it
        across, along = held, held - axis_a if whose == ACROSS else held
    bending = bool(joint.free.perpendicular_axes)
    if load == "radial":
        return bool(across)
    if load == "axial":
        return bool(along)
    if load == "bearing":
        return bool(across) or bending or bool(along and factor > 0)
    return bool(across) or not joint.rotations
