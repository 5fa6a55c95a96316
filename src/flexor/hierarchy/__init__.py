"""Component trees: mechanisms solved subsystem by subsystem, without a global system of equations.   VK"""

from flexor.hierarchy.dynamics import dynamics
from flexor.hierarchy.partners import Partners

__all__ = ["Partners", "dynamics"]
