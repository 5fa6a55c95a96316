"""Component trees: mechanisms solved subsystem by subsystem, without a global system of equations.   VK"""

from flexor.hierarchy.dynamics import dynamics

__all__ = ["dynamics"]
