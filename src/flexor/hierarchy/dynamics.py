"""Dynamics by the tree solver: `model.dynamics(…, solver="tree")`."""

from __future__ import annotations

from functools import partial

from flexor.hierarchy.stepper import TreeStepper
from flexor.solve.dynamics import dynamics as implicit

dynamics = partial(implicit, stepper=TreeStepper)
"""As `flexor.solve.dynamics`, with explicit steps subsystem by subsystem."""
