"""From a finite-element model to a reduced body: bases, inertia, proof, storage."""

from flexor.bodies.damping import ModalDamping, Rayleigh
from flexor.bodies.interface import Interface
from flexor.reduce.from_matrices import from_matrices
from flexor.reduce.from_mesh import from_mesh
from flexor.reduce.full import natural_modes, statics
from flexor.reduce.invariants import Invariants
from flexor.reduce.methods import METHODS, CraigBampton, FreeInterface, Guyan, Krylov, Modal, ResponseModes
from flexor.reduce.problem import Problem
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.reduction import ShortOfFrequency, reduce_mesh, reduce_problem
from flexor.reduce.study import MeshStudy
from flexor.reduce.validate import Validation, validate

__all__ = [
    "METHODS",
    "CraigBampton",
    "FreeInterface",
    "Guyan",
    "Interface",
    "Invariants",
    "Krylov",
    "MeshStudy",
    "Modal",
    "ModalDamping",
    "Problem",
    "Rayleigh",
    "ReducedBody",
    "ResponseModes",
    "ShortOfFrequency",
    "Validation",
    "from_matrices",
    "from_mesh",
    "natural_modes",
    "reduce_mesh",
    "reduce_problem",
    "statics",
    "validate",
]
