"""The machine and the versions that a report was made with."""

from __future__ import annotations

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_OWN = ("gyrostat", "casadi", "llvmlite", "numpy")


def describe_machine() -> str:
    """Return the processor's name, the number of cores, and the operating system."""
    return f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def describe_versions(peers: list[str]) -> str:
    """Return the versions of Python, of what gyrostat runs on, and of the peers that are installed."""
    found = [f"Python {platform.python_version()}"]
    for name in (*_OWN, *peers):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
