"""What a user asks for: statics, dynamics, modes, kinematics, linearisation."""

from flexor.solve.dynamics import dynamics
from flexor.solve.integrator import HHT, GeneralizedAlpha, Newmark
from flexor.solve.kinematics import degrees_of_freedom, kinematics
from flexor.solve.linearise import Linearisation, linearise
from flexor.solve.modes import Modes, modes
from flexor.solve.prepare import RedundantConstraints, compile_model
from flexor.solve.settings import DynamicsSettings, Tolerances
from flexor.solve.statics import Equilibrium, statics

__all__ = [
    "HHT",
    "DynamicsSettings",
    "Equilibrium",
    "GeneralizedAlpha",
    "Linearisation",
    "Modes",
    "Newmark",
    "RedundantConstraints",
    "Tolerances",
    "compile_model",
    "degrees_of_freedom",
    "dynamics",
    "kinematics",
    "linearise",
    "modes",
    "statics",
]
