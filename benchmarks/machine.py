"""The machine and the versions that a report was made with."""

from __future__ import annotations

import os
import platform
import subprocess
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


def describe_commit() -> str:
    """Return the commit that is measured, with a sign where files differ from it."""
    command = ["git", "describe", "--always", "--dirty"]
    found = subprocess.run(command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "an unknown commit"


def _processor() -> str:
    if sys.platform == "linux":
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()
