"""Elements with rotations at their nodes, and springs; a new one is listed in STRUCTURAL."""

from flexor.elements.beam2 import Beam2
from flexor.elements.bush import Bush
from flexor.elements.rotational_spring import RotationalSpring
from flexor.elements.shell3 import Shell3
from flexor.elements.shell4 import Shell4
from flexor.elements.spring import Spring

STRUCTURAL = (Shell3, Shell4, Beam2, Bush, Spring, RotationalSpring)
