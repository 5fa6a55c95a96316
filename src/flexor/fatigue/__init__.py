"""From stress over time to life: turning points, rainflow cycles, S-N curves, damage.   FTG 9.1"""

from flexor.fatigue.accumulation import damage_of
from flexor.fatigue.cycles import Cycles, RainflowMatrix, rainflow, turning_points
from flexor.fatigue.damage import Damage
from flexor.fatigue.doubts import (
    BeyondCurve,
    BeyondStrength,
    CoarseRows,
    FaintStress,
    MeanStressIgnored,
    OtherStress,
    StressTurns,
)
from flexor.fatigue.factors import reliability_factor, surface_factor
from flexor.fatigue.mean_stress import FKM, Gerber, Goodman, McDiarmid, MeanStress, Morrow, SmithWatsonTopper
from flexor.fatigue.sn_curve import SNCurve
from flexor.fatigue.worst import WorstPlace

__all__ = [
    "FKM",
    "BeyondCurve",
    "BeyondStrength",
    "CoarseRows",
    "Cycles",
    "Damage",
    "FaintStress",
    "Gerber",
    "Goodman",
    "McDiarmid",
    "MeanStress",
    "MeanStressIgnored",
    "Morrow",
    "OtherStress",
    "RainflowMatrix",
    "SNCurve",
    "SmithWatsonTopper",
    "StressTurns",
    "WorstPlace",
    "damage_of",
    "rainflow",
    "reliability_factor",
    "surface_factor",
    "turning_points",
]
