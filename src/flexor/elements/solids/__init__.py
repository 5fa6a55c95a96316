"""Solid elements; a new one is a file with a subclass of `Element`, listed in SOLIDS."""

from flexor.elements.solids.hex8 import Hex8
from flexor.elements.solids.hex20 import Hex20
from flexor.elements.solids.tet4 import Tet4
from flexor.elements.solids.tet10 import Tet10
from flexor.elements.solids.wedge6 import Wedge6
from flexor.elements.solids.wedge15 import Wedge15

SOLIDS = (Tet4, Tet10, Wedge6, Wedge15, Hex8, Hex20)
