"""Machine code of a law, kernel or evaluator as an object file in memory, which needs nothing of the compiler to be run.

Numba would wrap each of them into a C callback that reports Python exceptions: it could not be loaded without Numba. Compiled code raises none
(see `OPTIONS` of `flexor.law.compile`), so that a plain C function around it does.
"""

from __future__ import annotations

import types as pytypes
from typing import Any

from llvmlite import ir
from llvmlite.binding import Linkage
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target

from flexor.law.callee import CalleeCompiler, all_called


@global_compiler_lock  # type: ignore[untyped-decorator]
def object_code(function: pytypes.FunctionType, signature: Any, options: dict[str, Any]) -> tuple[str, bytes]:
    """Name of the C function, and the object file that holds it with all that it calls."""
    callback = CFunc(function, (signature.args, signature.return_type), {}, options, pipeline_class=_EntryCompiler)
    result = callback._compile_uncached()  # type: ignore[attr-defined]
    result.library._ensure_finalized()
    target = cpu_target.target_context.codegen()._tm
    return result.fndesc.llvm_cfunc_wrapper_name, target.emit_object(result.library._final_module)


class _EntryLibrary(JITCodeLibrary):
    """Optimised code of a function and of all that it calls, of which machine code is made, but not loaded."""

    def finalize(self) -> None:
        self._linking_libraries = all_called(self._linking_libraries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Nobody but the C function calls what it wraps, which it then takes in; what was taken in by all its callers goes."""
        for function in self._final_module.functions:
            wrapped = function.linkage == Linkage.external and not function.name.startswith("cfunc.")
            if function.linkage == Linkage.weak_odr:
                function.linkage = Linkage.linkonce_odr
            elif wrapped and not function.is_declaration:
                function.linkage = Linkage.internal
                function.add_function_attribute("alwaysinline")
        super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """It has no address."""
        self._ensure_finalized()
        return 0


class _EntryCompiler(CalleeCompiler):
    """`pipeline_class` of functions that are called through an address."""

    LIBRARY = _EntryLibrary

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        context = self.state.targetctx.subtarget()
        context.create_cfunc_wrapper = pytypes.MethodType(_wrap, context)
        self.state.targetctx = context


def _wrap(context: Any, library: Any, fndesc: Any, env: Any, call_helper: Any) -> None:
    """A C function around the compiled one, whose status is not looked at."""
    module = context.create_module("entry")
    callee_type = context.call_conv.get_function_type(fndesc.restype, fndesc.argtypes)
    callee = ir.Function(module, callee_type, fndesc.llvm_func_name)
    arguments = [context.get_value_type(each) for each in fndesc.argtypes]
    own_type = ir.FunctionType(context.get_value_type(fndesc.restype), arguments)
    function = ir.Function(module, own_type, fndesc.llvm_cfunc_wrapper_name)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    _, result = context.call_conv.call_function(builder, callee, fndesc.restype, fndesc.argtypes, function.args)
    builder.ret(result)
    library.add_ir_module(module)
