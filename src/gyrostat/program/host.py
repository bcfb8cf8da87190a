"""This machine: its processor in LLVM's terms, and LLVM itself, which is started only when there is work for it.

What LLVM says about the processor is kept in the cache: a process that finds its programs there needs no LLVM at all.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, fields
from functools import cache
from importlib.util import find_spec
from typing import Any

from gyrostat.program import cache as disk
from gyrostat.program.processor import processor_identity
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


@dataclass(frozen=True)
class Host:
    """What LLVM says: versions of llvmlite and of itself, and the processor's triple, name and features."""

    llvmlite: str
    llvm: str
    triple: str
    cpu: str
    features: dict[str, bool]

    def target(self) -> Target:
        """Return the processor as a target."""
        if self.triple.split("-")[0] in ("aarch64", "arm64"):
            lanes, fused = 2, True
        else:
            wide = self.features.get("avx512f") and self.features.get("avx512dq")
            lanes = 8 if wide else 4 if self.features.get("avx2") else 2
            fused = bool(self.features.get("fma"))
        flat = ",".join(f"{'+' if present else '-'}{name}" for name, present in sorted(self.features.items()))
        return Target(self.triple, self.cpu, flat, lanes, fused)


@cache
def host_target() -> Target:
    """Return the processor that this process runs on."""
    return host().target()


@cache
def host() -> Host:
    """Return what LLVM says about this machine, from the cache if it is there."""
    key = _record_key()
    known = disk.load(key) if key else None
    return Host(**known.metadata) if known else _asked_host()


@cache
def keep_host() -> None:
    """Store what LLVM says about this machine for later processes, if it is not in the cache."""
    key = _record_key()
    if key and disk.load(key) is None:
        disk.store(key, disk.Entry(asdict(host())))


def _asked_host() -> Host:
    llvm = initialised_llvm()
    import llvmlite

    version = ".".join(str(part) for part in llvm.llvm_version_info)
    processor = llvm.get_process_triple(), llvm.get_host_cpu_name(), dict(llvm.get_host_cpu_features())
    return Host(llvmlite.__version__, version, *processor)


@cache
def _record_key() -> str | None:
    """Return the cache key of what LLVM says, by processor and llvmlite; None where one of them is not known."""
    processor, library = processor_identity(), _llvmlite_identity()
    if processor is None or library is None:
        return None
    form = [field.name for field in fields(Host)]
    return hashlib.sha256(json.dumps(["host", form, processor, library]).encode()).hexdigest()


def _llvmlite_identity() -> list[Any] | None:
    """Return what tells one installation of llvmlite from another, without importing it; None where it is not known."""
    try:
        found = find_spec("llvmlite")
        if found is None or found.origin is None:
            return None
        folder = os.path.dirname(found.origin)
        with open(os.path.join(folder, "_version.py"), "rb") as file:
            version = file.read()
        library = os.stat(os.path.join(folder, "binding", "libllvmlite.so"))
    except (OSError, ValueError):
        return None
    return [version.decode(errors="replace"), library.st_size, library.st_mtime_ns]
