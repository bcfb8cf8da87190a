"""LLVM for cached programs: the few functions that loading object code takes, called in llvmlite's shared library.

Opening that library takes 6 ms; importing `llvmlite.binding`, which also opens it, 40 ms, for it brings a whole
language to write LLVM IR with. A process that finds its programs in the cache needs none of that. The library's
functions are llvmlite's own affair, so this way is taken only with versions whose declarations were compared with
those below; all others, and all other platforms, import `llvmlite.binding`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import sys
import threading
from collections.abc import Callable
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any

_COMPARED = ("0.50.",)
"""The beginnings of llvmlite's versions whose C functions are declared as here."""

_TEXT = POINTER(c_char_p)
_DECLARATIONS: dict[str, tuple[Any, ...]] = {
    # what is returned, then the arguments
    "GetVersionInfo": (c_uint,),
    "InitializeNativeTarget": (None,),
    "InitializeNativeAsmPrinter": (None,),
    "GetProcessTriple": (None, _TEXT),
    "GetHostCPUName": (None, _TEXT),
    "GetHostCPUFeatures": (c_int, _TEXT),
    "DisposeString": (None, c_char_p),
    "GetTargetFromTriple": (c_void_p, c_char_p, _TEXT),
    "CreateTargetMachine": (
        *(c_void_p, c_void_p, c_char_p, c_char_p, c_char_p, c_int, c_char_p, c_char_p, c_int, c_int, c_char_p),
    ),
    "ContextCreate": (c_void_p,),
    "ParseAssembly": (c_void_p, c_void_p, c_char_p, _TEXT),
    "CreateMCJITCompiler": (c_void_p, c_void_p, c_void_p, c_bool, _TEXT),
    "DisposeExecutionEngine": (None, c_void_p),
    "CreateObjectFile": (c_void_p, c_char_p, c_size_t),
    "DisposeObjectFile": (None, c_void_p),
    "MCJITAddObjectFile": (None, c_void_p, c_void_p),
    "FinalizeObject": (None, c_void_p),
    "GetFunctionAddress": (c_uint64, c_void_p, c_char_p),
}


class LlvmLibrary:
    """llvmlite's shared library; raises OSError or AttributeError where it is not what it should be."""

    def __init__(self, path: str) -> None:
        library = ctypes.CDLL(path)
        self._functions: dict[str, Any] = {}
        for name, (result, *arguments) in _DECLARATIONS.items():
            function = getattr(library, f"LLVMPY_{name}")
            function.restype, function.argtypes = result, arguments
            self._functions[name] = function
        self._lock = threading.Lock()
        self._call("InitializeNativeTarget")
        self._call("InitializeNativeAsmPrinter")
        self._context = self._call("ContextCreate")

    def _call(self, name: str, *arguments: Any) -> Any:
        return self._functions[name](*arguments)

    def _text(self, name: str) -> str:
        """Return what a function writes."""
        out = c_char_p()
        self._call(name, byref(out))
        text = (out.value or b"").decode()
        self._call("DisposeString", out)
        return text

    @property
    def version(self) -> str:
        """LLVM's version."""
        number: int = self._call("GetVersionInfo")
        return ".".join(str(number >> shift & 0xFF) for shift in (16, 8, 0))

    def host(self) -> tuple[str, str, dict[str, bool]]:
        """Return triple, name and features of this processor."""
        features = (feature for feature in self._text("GetHostCPUFeatures").split(",") if feature)
        known = {feature[1:]: feature[0] == "+" for feature in features}
        return self._text("GetProcessTriple"), self._text("GetHostCPUName"), known

    def load(self, code: bytes, triple: str, cpu: str, features: str) -> LoadedObject:
        """Load an object file."""
        failure = c_char_p()
        with self._lock:
            target = self._call("GetTargetFromTriple", triple.encode(), byref(failure))
            options = (triple.encode(), cpu.encode(), features.encode(), 0, b"default", b"jitdefault", 0, 1, b"")
            machine = self._call("CreateTargetMachine", target, *options) if target else None
            module = self._call("ParseAssembly", self._context, b"", byref(failure)) if machine else None
            engine = self._call("CreateMCJITCompiler", module, machine, False, byref(failure)) if module else None
            if not engine:
                raise RuntimeError((failure.value or b"LLVM refused to start").decode())
            file = self._call("CreateObjectFile", code, len(code))
            self._call("MCJITAddObjectFile", engine, file)
            self._call("DisposeObjectFile", file)
            self._call("FinalizeObject", engine)
        return LoadedObject(engine, self._functions["GetFunctionAddress"], self._functions["DisposeExecutionEngine"])


class LoadedObject:
    """Object code in memory; its functions stay valid while this object lives."""

    def __init__(self, engine: int, find: Any, dispose: Any) -> None:
        self._engine, self._find, self._dispose = engine, find, dispose

    def get_function_address(self, symbol: str) -> int:
        """Return the address of a function."""
        address: int = self._find(self._engine, symbol.encode())
        return address

    def __del__(self, finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if not finalizing():  # the process ends: its memory goes anyway, and LLVM may be gone before us
            self._dispose(self._engine)


def open_library() -> LlvmLibrary | None:
    """Return the library, or None where `llvmlite.binding` must be imported or is already; no llvmlite: ImportError."""
    import llvmlite

    compared = llvmlite.__version__.startswith(_COMPARED)
    here = sys.platform == "linux" and platform.machine() == "x86_64"
    if not compared or not here or "llvmlite.binding" in sys.modules:
        return None
    try:
        return LlvmLibrary(os.path.join(os.path.dirname(llvmlite.__file__), "binding", "libllvmlite.so"))
    except (OSError, AttributeError):
        return None
