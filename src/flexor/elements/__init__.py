"""Finite elements; a new kind is a file with a subclass of Element, listed in `solids.py` or `structural.py`."""

from flexor.elements.element import Element, Properties
from flexor.elements.solids import SOLIDS
from flexor.elements.structural import STRUCTURAL

ELEMENTS: tuple[type[Element], ...] = (*SOLIDS, *STRUCTURAL)
by_name: dict[str, type[Element]] = {kind.name: kind for kind in ELEMENTS}

__all__ = ["ELEMENTS", "SOLIDS", "STRUCTURAL", "Element", "Properties", "by_name"]
