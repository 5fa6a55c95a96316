"""From a finite-element model to a reduced body: bases, inertia, proof, storage. Names are loaded when they are first used."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from flexor.reduce.damping import ModalDamping, Rayleigh
    from flexor.reduce.free_body import FreeBody
    from flexor.reduce.full import natural_modes, statics
    from flexor.reduce.interface import Interface
    from flexor.reduce.invariants import Invariants
    from flexor.reduce.methods import METHODS, CraigBampton, FreeInterface, Guyan, Krylov, Modal, ResponseModes
    from flexor.reduce.of_matrices import from_matrices
    from flexor.reduce.of_mesh import from_mesh
    from flexor.reduce.proof import Validation, validate
    from flexor.reduce.reduced import ReducedBody
    from flexor.reduce.reduction import ShortOfFrequency, reduce_mesh, reduce_problem
    from flexor.reduce.study import MeshStudy

_NAMES = {
    "damping": "ModalDamping Rayleigh",
    "free_body": "FreeBody",
    "full": "natural_modes statics",
    "interface": "Interface",
    "invariants": "Invariants",
    "methods": "METHODS CraigBampton FreeInterface Guyan Krylov Modal ResponseModes",
    "of_matrices": "from_matrices",
    "of_mesh": "from_mesh",
    "proof": "Validation validate",
    "reduced": "ReducedBody",
    "reduction": "ShortOfFrequency reduce_mesh reduce_problem",
    "study": "MeshStudy",
}
_FILE_OF = {name: file for file, names in _NAMES.items() for name in names.split()}

__all__ = [
    "METHODS",
    "CraigBampton",
    "FreeBody",
    "FreeInterface",
    "Guyan",
    "Interface",
    "Invariants",
    "Krylov",
    "MeshStudy",
    "Modal",
    "ModalDamping",
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


def __getattr__(name: str) -> Any:
    if name not in _FILE_OF:
        raise AttributeError(f"flexor.reduce has no '{name}'")
    return getattr(importlib.import_module(f"flexor.reduce.{_FILE_OF[name]}"), name)
