"""Platforms of an FMU's binaries, and the compilers that make them."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gyrostat.errors import GyrostatError
from gyrostat.model.names import did_you_mean

_COMPILERS = ("cc", "gcc", "clang")
_OPTIONS = ("-std=c99", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-ffp-contract=off")


@dataclass(frozen=True)
class Platform:
    """A platform by its name in FMI 2.0: the target of its compiler, and the suffix of its libraries."""

    name: str
    target: str
    suffix: str
    start: bytes
    """The first bytes of its libraries."""
    tuple3: str
    """Its name in FMI 3.0."""

    @property
    def is_this(self) -> bool:
        """Whether this process runs on the platform."""
        if platform.machine().lower() not in ("x86_64", "amd64") or sys.maxsize < 2**32:
            return False
        return self.name == {"linux": "linux64", "darwin": "darwin64", "win32": "win64"}.get(sys.platform)


PLATFORMS = {
    one.name: one
    for one in (
        Platform("linux64", "x86_64-linux-gnu.2.17", "so", b"\x7fELF", "x86_64-linux"),
        Platform("win64", "x86_64-windows-gnu", "dll", b"MZ", "x86_64-windows"),
        Platform("darwin64", "x86_64-macos", "dylib", b"\xcf\xfa\xed\xfe", "x86_64-darwin"),
    )
}
"""Platforms on x86-64, by their names in FMI 2.0."""


def platforms_of(names: Sequence[str] | None) -> tuple[Platform, ...]:
    """Return platforms by name, by default the one of this process."""
    if names is None:
        found = tuple(one for one in PLATFORMS.values() if one.is_this)
        if not found:
            raise GyrostatError(
                f"FMUs have no binaries for {sys.platform} on {platform.machine()} here. Export the C sources by "
                f"gs.export_c, or binaries for other platforms: platforms={list(PLATFORMS)}."
            )
        return found
    if isinstance(names, str) or not names:
        raise GyrostatError(f"platforms={names!r:.60} is no list of platforms. Write platforms={list(PLATFORMS)}.")
    for name in names:
        if name not in PLATFORMS:
            raise GyrostatError(f"Platform {name!r:.40} is not known. {did_you_mean(name, PLATFORMS)}")
    return tuple(PLATFORMS[name] for name in dict.fromkeys(names))


def compile_library(target: Platform, sources: Sequence[Path], binary: Path) -> None:
    """Compile a shared library, with the system's C compiler for this platform and with ziglang for others."""
    own = next((found for one in _COMPILERS if (found := shutil.which(one))), None) if target.is_this else None
    if own is not None:
        command = [own]
    elif importlib.util.find_spec("ziglang") is not None:
        command = [sys.executable, "-m", "ziglang", "cc", "-target", target.target]
    elif target.is_this:
        raise GyrostatError(
            "An FMU needs a C compiler, and there is none. Install gcc or clang, or pip install gyrostat[fmu]."
        )
    else:
        raise GyrostatError(
            f"Binaries for {target.name} need the compiler of ziglang. Install it: pip install gyrostat[fmu]."
        )
    command += [*_OPTIONS, "-o", str(binary), *map(str, sources), *["-lm"] * (target.name != "win64")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not binary.is_file():
        raise GyrostatError(f"{command[0]} cannot compile the sources of the FMU: {done.stderr.strip()[:400]}")
    if not binary.read_bytes().startswith(target.start):
        raise GyrostatError(f"{command[0]} made no library for {target.name}. Use another compiler.")
