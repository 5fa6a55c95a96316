"""Elements between two nodes: beams, bushings and springs; a new one is a file with a subclass of `Element`, listed in LINES."""

from flexor.elements.lines.beam2 import Beam2
from flexor.elements.lines.bush import Bush
from flexor.elements.lines.rotational_spring import RotationalSpring
from flexor.elements.lines.spring import Spring

LINES = (Beam2, Bush, Spring, RotationalSpring)
