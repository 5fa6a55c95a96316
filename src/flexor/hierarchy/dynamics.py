"""Dynamics by the tree solver: `model.dynamics(…, solver="tree")`."""

from __future__ import annotations

from typing import Any

from flexor.engine.system import System
from flexor.hierarchy.partners import Partners
from flexor.hierarchy.stepper import TreeStepper
from flexor.model import Model
from flexor.solve.dynamics import dynamics as implicit
from flexor.solve.settings import DynamicsSettings


def dynamics(model: Model, *given: Any, partners: Partners | None = None, **settings: Any) -> System:
    """As `flexor.solve.dynamics`, with explicit steps subsystem by subsystem.

    partners: processes that share the tree; each of them calls this with the same model and settings.
    """
    made: list[TreeStepper] = []

    def stepper(system: System, chosen: DynamicsSettings) -> TreeStepper:
        made.append(TreeStepper(system, chosen, partners))
        return made[-1]

    try:
        return implicit(model, *given, stepper=stepper, **settings)
    finally:
        for each in made:
            each.close()
