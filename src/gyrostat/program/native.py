"""Object code: compiled from LLVM IR, and loaded into the running process."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

from gyrostat.errors import ProgramError
from gyrostat.program.host import initialised_llvm
from gyrostat.program.target import Target

# External functions of compiled code: the C library's, and those that LLVM itself calls for operations that a processor
# lacks (floor, fma, …) or for large stack frames on Windows (__chkstk).
_WINDOWS_LIBRARIES = ("ucrtbase", "ntdll")
_WINDOWS_SYMBOLS = (
    *("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp"),
    *("log", "log1p", "expm1", "pow", "hypot", "fmod", "remainder", "erf", "floor", "ceil", "fma", "fmin", "fmax"),
    *("malloc", "free", "memcpy", "memset", "__chkstk"),
)


def object_code(ir: str, target: Target, *, optimisation: int, whole: bool = False) -> bytes:
    """Return the object file of a module in LLVM IR; `optimisation` is 0 (fast to compile) … 3.

    With `whole` the module first passes LLVM's optimiser as a whole, which hand-written code needs. It is simplified
    even at 0: that takes half the time of 3, most of it for instructions that are chosen at 1, and loses a tenth.
    """
    llvm = initialised_llvm()
    module = llvm.parse_assembly(ir)
    module.verify()
    machine = _compiler(target, max(optimisation, int(whole)))
    module.data_layout = str(machine.target_data)
    if whole:
        options = llvm.create_pipeline_tuning_options(speed_level=optimisation)
        options.loop_vectorization = options.slp_vectorization = True
        builder = llvm.create_pass_builder(machine, options)
        passes = builder.getModulePassManager() if optimisation else _simplification(llvm)
        passes.run(module, builder)
    code: bytes = machine.emit_object(module)
    return code


def _simplification(llvm: Any) -> Any:
    """Return passes that put variables into registers and shorten what translators write."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    return passes


@cache
def _compiler(target: Target, optimisation: int) -> Any:
    """Return LLVM's machine for a target; it takes a millisecond to make."""
    return _machine(target, optimisation)


def _machine(target: Target, optimisation: int) -> Any:
    llvm = initialised_llvm()
    kind = llvm.Target.from_triple(target.triple)
    return kind.create_target_machine(
        cpu=target.cpu, features=target.features, opt=optimisation, reloc="default", codemodel="jitdefault", jit=True
    )


class LoadedObject:
    """Object code in memory. Its functions stay valid while this object lives."""

    def __init__(self, code: bytes, target: Target) -> None:
        llvm = initialised_llvm()
        _register_symbols()
        # The engine needs a module to begin with; the functions come from the object file.
        self._engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine(target, 0))
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()

    def address(self, symbol: str) -> int:
        """Return the address of a function."""
        address: int = self._engine.get_function_address(symbol)
        if not address:
            raise ProgramError(f"The compiled object has no function {symbol!r}. Clear the cache directory.")
        return address


@cache
def _register_symbols() -> None:
    """Register the C library's functions with LLVM on Windows; elsewhere LLVM finds the symbols of the process."""
    if sys.platform != "win32":
        return
    llvm = initialised_llvm()
    libraries = [ctypes.CDLL(name) for name in _WINDOWS_LIBRARIES]
    for symbol in _WINDOWS_SYMBOLS:
        for library in libraries:
            function = getattr(library, symbol, None)
            if function is not None:
                llvm.add_symbol(symbol, ctypes.cast(function, ctypes.c_void_p).value)
                break
