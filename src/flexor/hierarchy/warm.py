"""Compile every law and kernel into the cache, those of the tree solver and the explicit one included: `python -m flexor.hierarchy.warm`."""

from __future__ import annotations

from flexor.engine.warm import main
from flexor.explicit.stepper import KERNELS as EXPLICIT
from flexor.hierarchy.stepper import ARTICULATED, KERNELS, THROUGH_TREE
from flexor.solve.looks import KERNELS as LOOKS

if __name__ == "__main__":
    main((*KERNELS.values(), *THROUGH_TREE.values(), *ARTICULATED.values(), *EXPLICIT.values(), *LOOKS))
