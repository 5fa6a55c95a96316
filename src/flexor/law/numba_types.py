"""What Numba hands to code that tells it a new type: names for readers and type checkers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite.ir import IRBuilder, Value
from numba import types
from numba.core.base import BaseContext as Target
from numba.core.datamodel.manager import DataModelManager as Models
from numba.core.typing.context import BaseContext as Typing
from numba.core.typing.templates import Signature

Type = types.Type
Code = Callable[[Target, IRBuilder, Signature, Sequence[Value]], Value]
"""Writes machine code for values of a signature."""
Meaning = tuple[Signature, Code]

__all__ = ["Code", "IRBuilder", "Meaning", "Models", "Signature", "Target", "Type", "Typing", "Value"]
