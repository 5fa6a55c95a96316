"""Dynamics by the explicit solver: `model.dynamics(…, solver="explicit")`."""

from __future__ import annotations

from typing import Any

from flexor.engine.system import System
from flexor.explicit.stepper import ExplicitStepper
from flexor.model import Model
from flexor.solve.dynamics import dynamics as implicit


def dynamics(model: Model, *given: Any, **settings: Any) -> System:
    """As `flexor.solve.dynamics`, of free bodies in explicit steps."""
    return implicit(model, *given, stepper=ExplicitStepper, **settings)
