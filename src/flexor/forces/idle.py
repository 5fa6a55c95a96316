"""What of a spring has no effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.functions import Function

if TYPE_CHECKING:
    from flexor.forces.axial_spring import AxialSpring
    from flexor.forces.joint_spring import JointSpring


def idle(spring: AxialSpring | JointSpring) -> list[tuple[str, str, str, str]]:
    """What a spring is given that has no effect: (what, why, fix, field)."""

    def nothing(function: Function | None) -> bool:
        return function is None or getattr(function, "value", None) == 0.0

    found = []
    slack = not spring.stiffness and nothing(spring.force)
    if slack and not spring.damping and nothing(spring.damper):
        what = "it exerts no force"
        found.append(
            (what, "stiffness, damping, force and damper are zero", "give one of them or remove the spring", "")
        )
    elif slack:
        fields = type(spring).model_fields
        for field in ("free", "free_length"):
            if field in fields and getattr(spring, field) != fields[field].default:
                found.append((f"{field} has no effect", "there is neither stiffness nor force", "leave it out", field))
    return found
