"""The solid elements."""

from flexor.elements.hex8 import Hex8
from flexor.elements.hex20 import Hex20
from flexor.elements.tet4 import Tet4
from flexor.elements.tet10 import Tet10
from flexor.elements.wedge6 import Wedge6
from flexor.elements.wedge15 import Wedge15

SOLIDS = (Tet4, Tet10, Wedge6, Wedge15, Hex8, Hex20)
