"""Numba's compiler, stopped at the text of the module: it makes no machine code of kernels, which nobody would run."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core.codegen import AOTCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler

_APART: set[Callable[..., object]] = set()


def keep_apart(function: Callable[..., object]) -> None:
    """Let a function stay one that is called, wherever it is."""
    _APART.add(function)


class TextCompiler(Compiler):  # type: ignore[misc]
    """Translates a kernel to a library that is text alone; others may link it."""

    def define_pipelines(self) -> Any:
        """Return the steps of the translation, which ends in a library of ours."""
        library = _codegen().create_library(self.state.func_id.func_qualname)
        library.apart = self.state.func_id.func in _APART
        self.state.library = library
        return super().define_pipelines()


class _TextLibrary(AOTCodeLibrary):  # type: ignore[misc]
    """A module of LLVM that is not loaded: nothing in it has an address."""

    apart = False
    """Whether its functions are kept apart from those that call them."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Take what was written of a function."""
        if self.apart:
            for function in ir_module.functions:
                if not function.is_declaration:
                    function.attributes.add("noinline")
        super().add_ir_module(ir_module)

    def get_pointer_to_function(self, name: str) -> int:
        """Finish the module, and return 0, as for a function that is not there."""
        self._ensure_finalized()
        return 0


class _TextCodegen(JITCPUCodegen):  # type: ignore[misc]
    """Writes modules for this processor and loads none of them."""

    _library_class = _TextLibrary

    def _add_module(self, module: Any) -> None:
        """Leave a finished module alone."""

    def set_env(self, env_name: str, env: Any) -> None:
        """Tell a module that is not loaded nothing of Python's environment, which kernels do without."""


@cache
def _codegen() -> _TextCodegen:
    return _TextCodegen("gyrostat.kernels")
