"""How far the ends of a beam element may turn against each other."""

from __future__ import annotations

import math

TURNED_TOO_FAR = 3
LARGEST_TURN = math.radians(150.0)
"""Of one end against the other. Beyond half a turn the shortest way from frame to frame is the wrong one, so that the forces would
jump to the other side; the margin is there to notice it before."""
TURN_ERRORS = {
    TURNED_TOO_FAR: "its ends are turned against each other by more than 150°; at half a turn an element loses count of "
    "which way it is bent or twisted; raise divisions, so that each element turns less (in statics also load_steps, if it "
    "should not turn so far)"
}
