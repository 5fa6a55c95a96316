"""Compilation of functions that only compiled code calls.

Numba would optimise each of them and make machine code of it, with copies of all that it calls itself, before it does the same
for the caller. Here they go no further than intermediate code; law, kernel or evaluator is optimised once, with all it calls.
It would also compile a function anew for each whole number that stands in a call, `put_mat(K, 12, 3, 9, A)`, and look in each
for inner functions and NumPy expressions; most have none.
"""

from __future__ import annotations

import types as pytypes
from typing import Any

from llvmlite.binding import Linkage
from numba.core import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.typed_passes import InlineOverloads, NopythonRewrites
from numba.core.untyped_passes import InlineClosureLikes, WithLifting

IDLE = (WithLifting, InlineClosureLikes, InlineOverloads, NopythonRewrites)
"""Passes of Numba that change nothing in a function without inner ones: inlining of those, and fusion of NumPy expressions."""


class _NoEnvironment:
    """Stands where Numba stores a Python object for exceptions; compiled code raises none."""

    def set_env(self, name: str, env: Any) -> None: ...


class CalleeLibrary(JITCodeLibrary):
    """Code of one function, to be linked into that of whoever is called through an address.

    It holds nothing of what it calls: with copies of that in each, and of each in the next, a law that stands on ten floors of
    functions would leave hundreds of megabytes behind.
    """

    @property
    def codegen(self) -> Any:
        return _NoEnvironment()

    def finalize(self) -> None:
        """Its own code is all there is. It is weak: the linker takes it whether or not a caller has come before it."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = Linkage.weak_odr
        self._finalize_dynamic_globals()
        self._shared_module = self._final_module
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """It has no address."""
        self._ensure_finalized()
        return 0


def all_called(libraries: list[Any]) -> list[Any]:
    """These libraries and those that their functions call, at whatever depth, each once."""
    found: dict[Any, None] = {}
    waiting = list(reversed(libraries))
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            if isinstance(library, CalleeLibrary):
                waiting.extend(reversed(library._linking_libraries))
    return list(found)


class CalleeCompiler(Compiler):
    """`pipeline_class` of such functions."""

    LIBRARY: type[JITCodeLibrary] = CalleeLibrary

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        if self.state.library is None:
            self.state.library = self.LIBRARY(cpu_target.target_context.codegen(), "callee")
            self.state.library.enable_object_caching()

    def compile_extra(self, func: pytypes.FunctionType) -> Any:
        """What callers need of it, without what it was made from: that takes ten times the memory."""
        result = super().compile_extra(func)._replace(type_annotation=None, metadata={})
        result.fndesc.typemap = result.fndesc.calltypes = {}
        return result

    def define_pipelines(self) -> list[PassManager]:
        managers = super().define_pipelines()
        if any(isinstance(constant, pytypes.CodeType) for constant in self.state.func_id.code.co_consts):
            return managers
        for manager in managers:
            manager.passes = [each for each in manager.passes if each[0] not in IDLE]
        return managers


class Callee(CPUDispatcher):
    """A function for compiled code to call: one version for all whole numbers that may stand in a call."""

    def __init__(self, function: pytypes.FunctionType, options: dict[str, Any]) -> None:
        super().__init__(function, targetoptions=options, pipeline_class=CalleeCompiler)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        return super().get_call_template(
            [types.unliteral(each) for each in args], {name: types.unliteral(each) for name, each in dict(kws).items()}
        )
