"""What a user asks for: statics, dynamics, modes, Campbell diagrams, frequency response, kinematics, linearisation.

Names are loaded when they are first used: a run in time needs no modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.later import load_later

if TYPE_CHECKING:
    from flexor.solve.balance import EnergyDrift
    from flexor.solve.campbell import Campbell, campbell
    from flexor.solve.crossing import Crossing
    from flexor.solve.dynamics import UnresolvedContact, dynamics
    from flexor.solve.extrapolation import AccuracyMissed
    from flexor.solve.frequency.analysis import frequency_response, state_space
    from flexor.solve.frequency.linear_model import LinearModel
    from flexor.solve.frequency.modal import TruncatedModes
    from flexor.solve.frequency.motion import HarmonicMotion, harmonic_motion
    from flexor.solve.frequency.random import CoarseSpectrum, RandomResponse
    from flexor.solve.frequency.response import FrequencyResponse
    from flexor.solve.frequency.spectral import CutResponse, MeanLeftOut, SpectralResponse, spectral_response
    from flexor.solve.frequency.time_signals import Undersampled
    from flexor.solve.integrator import HHT, GeneralizedAlpha, Newmark
    from flexor.solve.kinematics import kinematics
    from flexor.solve.leaping_contact import LeapingContact
    from flexor.solve.linear_bodies import BeyondLinear
    from flexor.solve.linearise import Linearisation, linearise
    from flexor.solve.mode_doubts import MovingState, NoModes, UnsymmetricStiffness
    from flexor.solve.modes import Modes, modes
    from flexor.solve.periodic.analysis import FrozenFunction, IncompleteCurve, TooFewHarmonics, harmonic_balance
    from flexor.solve.periodic.curve import PeriodicMotions
    from flexor.solve.periodic.stability import UncertainStability
    from flexor.solve.prepare import DoubtfulModel, RedundantConstraints, compile_model
    from flexor.solve.rotor import GravityLeftOut
    from flexor.solve.seen_loads import UnseenLoad
    from flexor.solve.settings import DynamicsSettings, Tolerances
    from flexor.solve.stability import UnstableEquilibrium
    from flexor.solve.state import state_of
    from flexor.solve.statics import Equilibrium, statics
    from flexor.solve.steady import VelocitiesLeftOut
    from flexor.solve.steep_angles import SteepAngles
    from flexor.solve.turns import TurnsNotCounted

_NAMES = {
    "balance": "EnergyDrift",
    "campbell": "Campbell campbell",
    "crossing": "Crossing",
    "dynamics": "UnresolvedContact dynamics",
    "extrapolation": "AccuracyMissed",
    "integrator": "HHT GeneralizedAlpha Newmark",
    "kinematics": "kinematics",
    "leaping_contact": "LeapingContact",
    "linear_bodies": "BeyondLinear",
    "linearise": "Linearisation linearise",
    "mode_doubts": "MovingState NoModes UnsymmetricStiffness",
    "modes": "Modes modes",
    "prepare": "DoubtfulModel RedundantConstraints compile_model",
    "rotor": "GravityLeftOut",
    "seen_loads": "UnseenLoad",
    "settings": "DynamicsSettings Tolerances",
    "stability": "UnstableEquilibrium",
    "state": "state_of",
    "statics": "Equilibrium statics",
    "steady": "VelocitiesLeftOut",
    "steep_angles": "SteepAngles",
    "turns": "TurnsNotCounted",
    "frequency.analysis": "frequency_response state_space",
    "frequency.linear_model": "LinearModel",
    "frequency.modal": "TruncatedModes",
    "frequency.motion": "HarmonicMotion harmonic_motion",
    "frequency.random": "CoarseSpectrum RandomResponse",
    "frequency.response": "FrequencyResponse",
    "frequency.spectral": "CutResponse MeanLeftOut SpectralResponse spectral_response",
    "frequency.time_signals": "Undersampled",
    "periodic.analysis": "FrozenFunction IncompleteCurve TooFewHarmonics harmonic_balance",
    "periodic.curve": "PeriodicMotions",
    "periodic.stability": "UncertainStability",
}

__all__ = [
    "HHT",
    "AccuracyMissed",
    "BeyondLinear",
    "Campbell",
    "CoarseSpectrum",
    "Crossing",
    "CutResponse",
    "DoubtfulModel",
    "DynamicsSettings",
    "EnergyDrift",
    "Equilibrium",
    "FrequencyResponse",
    "FrozenFunction",
    "GeneralizedAlpha",
    "GravityLeftOut",
    "HarmonicMotion",
    "IncompleteCurve",
    "LeapingContact",
    "LinearModel",
    "Linearisation",
    "MeanLeftOut",
    "Modes",
    "MovingState",
    "Newmark",
    "NoModes",
    "PeriodicMotions",
    "RandomResponse",
    "RedundantConstraints",
    "SpectralResponse",
    "SteepAngles",
    "Tolerances",
    "TooFewHarmonics",
    "TruncatedModes",
    "TurnsNotCounted",
    "UncertainStability",
    "Undersampled",
    "UnresolvedContact",
    "UnseenLoad",
    "UnstableEquilibrium",
    "UnsymmetricStiffness",
    "VelocitiesLeftOut",
    "campbell",
    "compile_model",
    "dynamics",
    "frequency_response",
    "harmonic_balance",
    "harmonic_motion",
    "kinematics",
    "linearise",
    "modes",
    "spectral_response",
    "state_of",
    "state_space",
    "statics",
]

load_later(__name__, _NAMES)
