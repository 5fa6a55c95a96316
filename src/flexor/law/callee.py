"""Compilation of functions that only compiled code calls.

Numba would optimise each of them and make machine code of it, with copies of all that it calls itself, before it does the same
for the caller. Here they go no further than intermediate code; law, kernel or evaluator is optimised once, with all it calls.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.registry import cpu_target


class _NoEnvironment:
    """Stands where Numba stores a Python object for exceptions; compiled code raises none."""

    def set_env(self, name: str, env: Any) -> None: ...


class CalleeLibrary(JITCodeLibrary):
    """Code to be linked into that of a caller."""

    @property
    def codegen(self) -> Any:
        return _NoEnvironment()

    def _optimize_final_module(self) -> None: ...

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """It has no address."""
        self._ensure_finalized()
        return 0


class CalleeCompiler(Compiler):
    """`pipeline_class` of such functions."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if self.state.library is None:
            self.state.library = CalleeLibrary(cpu_target.target_context.codegen(), "callee")
            self.state.library.enable_object_caching()
