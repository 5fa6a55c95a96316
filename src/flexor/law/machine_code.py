"""Machine code in an object file, made ready to be called: by LLVM alone, without the compiler, which takes long to load."""

from __future__ import annotations

import ctypes
import functools
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llvmlite import binding as llvm

_I64, _F64 = ctypes.c_int64, ctypes.c_double
_I64P, _F64P = ctypes.POINTER(_I64), ctypes.POINTER(_F64)
SIGNATURES: dict[str, tuple[Any, ...]] = {
    "law": (_I64, _I64P, _I64P, _F64P, _F64P, _F64, *[_F64P] * 10),
    "kernel": (_I64P,),
    "evaluator": (_F64P, _F64, _F64P),
}
"""Arguments of everything that is called through an address, see `flexor.law.signature`; all return a status."""


@dataclass(frozen=True)
class MachineCode:
    """A function ready to be called through its address."""

    address: int
    kind: str

    @cached_property
    def ctypes(self) -> Any:
        """For Python to call."""
        return ctypes.CFUNCTYPE(_I64, *SIGNATURES[self.kind])(self.address)


def machine() -> tuple[str, ...]:
    """What machine code depends on: processor, and what the user asks of the compiler."""
    asked = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if name in _ASKED]
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), *asked


_ASKED = {
    f"NUMBA_{name}"
    for name in ("CPU_NAME", "CPU_FEATURES", "OPT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "ENABLE_AVX", "DEBUGINFO")
}


@functools.cache
def _engine() -> llvm.ExecutionEngine:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)


def load(name: str, code: bytes, kind: str) -> MachineCode:
    """The function of this name, from an object file. ValueError where it cannot be loaded."""
    engine = _engine()  # before it is there LLVM does not know what this process has
    missing = unresolved(needs(code))
    if missing:
        raise ValueError(f"{name} calls what is not there: {', '.join(missing)}")
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    address = engine.get_function_address(name)
    if not address:
        raise ValueError(f"there is no function {name}")
    return MachineCode(address, kind)


def unresolved(names: Sequence[str]) -> list[str]:
    """Those of the names that this process does not know; LLVM would end it in their want."""
    return [name for name in names if not llvm.address_of_symbol(name)]


def needs(code: bytes) -> list[str]:
    """Names of functions that an object file calls and does not hold; of an ELF file, others are not looked into."""
    if code[:6] != b"\x7fELF\x02\x01":
        return []
    (sections,) = struct.unpack_from("<Q", code, 0x28)
    size, count = struct.unpack_from("<HH", code, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", code, sections + i * size) for i in range(count)]
    found = []
    for _, kind, _, _, offset, length, link, _, _, entry in headers:
        if kind == 2:  # its table of symbols
            texts = headers[link][4]
            for at in range(offset + entry, offset + length, entry):
                text, info, _, section = struct.unpack_from("<IBBH", code, at)
                if section == 0 and info >> 4 == 1:  # global, and nowhere in this file
                    begin = texts + text
                    found.append(code[begin : code.index(b"\0", begin)].decode())
    return found
