"""What of a spring has no effect."""

from __future__ import annotations

from typing import Protocol

from flexor.effects import Doubt
from flexor.functions import Function


class SpringDamper(Protocol):
    """What springs along a line and along a joint variable have in common."""

    @property
    def stiffness(self) -> float: ...
    @property
    def damping(self) -> float: ...
    @property
    def force(self) -> Function | None: ...
    @property
    def damper(self) -> Function | None: ...


def idle(spring: SpringDamper, free: str, given: bool, elastic: bool = False, more: bool = False) -> list[Doubt]:
    """What a spring is given that has no effect; free: field of its stress-free position.   given: whether the user did.

    elastic, more: whether it has other elastic forces, other forces at all.
    """

    def nothing(function: Function | None) -> bool:
        return function is None or getattr(function, "value", None) == 0.0

    found = []
    slack = not spring.stiffness and nothing(spring.force) and not elastic
    if slack and not more and not spring.damping and nothing(spring.damper):
        why = "stiffness, damping, force and damper are zero"
        found.append(Doubt("it exerts no force", why, "give one of them or remove the spring"))
    elif slack and given:
        found.append(Doubt(f"{free} has no effect", "there is neither stiffness nor force", "leave it out", free))
    return found
