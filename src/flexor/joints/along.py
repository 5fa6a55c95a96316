"""What is measured along a joint variable: a torque along an angle, a force along a translation, …

Items that act on a joint variable say in their `along` for each field with a unit what it measures and, of a function, what
its argument measures, in these words; which dimension that is follows from the joint.
"""

from __future__ import annotations

Along = dict[str, tuple[str, str | None]]

DIMENSIONS_ALONG: dict[str, dict[str, str]] = {
    "m": {
        "time": "time",
        "coordinate": "length",
        "rate": "velocity",
        "second rate": "acceleration",
        "effort": "force",
        "stiffness": "stiffness",
        "damping": "damping",
    },
    "rad": {
        "time": "time",
        "coordinate": "angle",
        "rate": "angular velocity",
        "second rate": "angular acceleration",
        "effort": "torque",
        "stiffness": "rotational stiffness",
        "damping": "rotational damping",
    },
}
"""By the unit of the variable."""
