"""Shell elements; a new one is a file with a subclass of `Shell`, listed in SHELLS."""

from flexor.elements.shells.shell3 import Shell3
from flexor.elements.shells.shell4 import Shell4

SHELLS = (Shell3, Shell4)
