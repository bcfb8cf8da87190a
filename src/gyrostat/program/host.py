"""The host: LLVM, started on first use, and the host's processor as a target."""

from __future__ import annotations

from functools import cache
from typing import Any

from gyrostat.program.target import Target


class LlvmUnavailableError(Exception):
    """LLVM is missing or does not start; the text is the reason."""


@cache
def initialised_llvm() -> Any:
    """Return llvmlite's binding module, ready to compile for the host."""
    try:
        import llvmlite.binding as llvm

        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    except (ImportError, OSError, RuntimeError) as reason:
        raise LlvmUnavailableError(str(reason)) from reason
    return llvm


@cache
def host_target() -> Target:
    """Return the processor of this process as LLVM describes it."""
    llvm = initialised_llvm()
    triple: str = llvm.get_process_triple()
    features: dict[str, bool] = dict(llvm.get_host_cpu_features())
    if triple.split("-")[0] in ("aarch64", "arm64"):
        lanes, fused = 2, True
    else:
        wide = features.get("avx512f") and features.get("avx512dq")
        lanes = 8 if wide else 4 if features.get("avx2") else 2
        fused = bool(features.get("fma"))
    flat = ",".join(f"{'+' if present else '-'}{name}" for name, present in sorted(features.items()))
    return Target(triple, llvm.get_host_cpu_name(), flat, lanes, fused)


@cache
def llvm_versions() -> tuple[str, str]:
    """Return the versions of llvmlite and of LLVM."""
    llvm = initialised_llvm()
    import llvmlite

    return llvmlite.__version__, ".".join(str(part) for part in llvm.llvm_version_info)
