"""Free bodies with forces between them, in explicit steps: many bodies in contact. `model.dynamics(…, solver="explicit")` asks for it."""

from flexor.explicit.dynamics import dynamics as dynamics
