"""What a law is: signature, declaration, compilation and its cache."""

from flexor.law.face import (
    ACCELERATION_LEVEL,
    COMMIT,
    ENERGY,
    LENGTH,
    MATRIX,
    OUTPUT,
    RESIDUAL,
    SWITCH,
    TRANSITION,
    VELOCITY_LEVEL,
    level_coefficient,
)
from flexor.law.law import Law, Output, law
from flexor.law.term import GROUND, Remembered, Term

__all__ = [
    "ACCELERATION_LEVEL",
    "COMMIT",
    "ENERGY",
    "GROUND",
    "LENGTH",
    "MATRIX",
    "OUTPUT",
    "RESIDUAL",
    "SWITCH",
    "TRANSITION",
    "VELOCITY_LEVEL",
    "Law",
    "Output",
    "Remembered",
    "Term",
    "law",
    "level_coefficient",
]
