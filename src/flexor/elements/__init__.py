"""Finite elements; a new kind is a file with a subclass of Element, listed in `solids`, `shells` or `lines`."""

from flexor.elements.element import Element, Properties
from flexor.elements.lines import LINES
from flexor.elements.shells import SHELLS
from flexor.elements.solids import SOLIDS

ELEMENTS: tuple[type[Element], ...] = (*SOLIDS, *SHELLS, *LINES)
by_name: dict[str, type[Element]] = {kind.name: kind for kind in ELEMENTS}

__all__ = ["ELEMENTS", "LINES", "SHELLS", "SOLIDS", "Element", "Properties", "by_name"]
