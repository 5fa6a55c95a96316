"""What a law is: signature, declaration, compilation and its cache."""

from flexor.law.face import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL
from flexor.law.law import LOAD, Law, Output, law, level_coefficient
from flexor.law.term import GROUND, Element

__all__ = [
    "ACCELERATION_LEVEL",
    "COMMIT",
    "ENERGY",
    "GROUND",
    "LOAD",
    "MATRIX",
    "OUTPUT",
    "RESIDUAL",
    "VELOCITY_LEVEL",
    "Element",
    "Law",
    "Output",
    "law",
    "level_coefficient",
]
