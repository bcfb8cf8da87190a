"""Systems as Functional Mock-up Units."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import tempfile
import uuid
import zipfile
from pathlib import Path

import gyrostat
from gyrostat.errors import GyrostatError
from gyrostat.io.c_library.export import library_of
from gyrostat.io.fmu.description import model_description
from gyrostat.io.fmu.interface import interface_source
from gyrostat.io.fmu.switches import switches_of
from gyrostat.io.fmu.variables import variables_of
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.system import System

_COMPILERS = ("cc", "gcc", "clang")
_SUFFIXES = {"linux": "so", "darwin": "dylib", "win": "dll"}


def export_fmu(system: System, path: str | os.PathLike[str], *, name: str | None = None, force: bool = False) -> Path:
    """Write a system as an FMU for model exchange (FMI 2.0), and return its path.

    The states are q, u and z, the inputs those of the system, and parameters can be set. Initial values have loops
    closed. Conditions of the state in laws are event indicators: they are held in continuous time and change in event
    mode; conditions of time alone are evaluated as they are. The unit contains the C sources and a binary for this
    platform, which the system's C compiler makes. Systems with algebraic states are refused. With `force`, an existing
    file is replaced.
    """
    target = require_writable(path, force=force)
    if system.coordinates.algebraic:
        bound = ", ".join(system.state_names[place] for place in system.coordinates.algebraic)
        raise GyrostatError(
            f"Model {system.model.name!r} has algebraic states ({bound}), which FMI 2.0 has no place for. "
            "Give them rates, as a fast lag."
        )
    switches = switches_of(system)
    functions = ("rates", "switches") if switches else ("rates",)
    library = library_of(system, name, functions, locked=bool(switches))
    variables = variables_of(library)
    texts = {f"{library.name}.h": library.header(), f"{library.name}.c": library.source()}
    guid = str(uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([gyrostat.__version__, *texts.values()])))
    texts["fmi2.c"] = interface_source(library, switches, guid)
    sources = [file for file in texts if file.endswith(".c")]
    tool = f"gyrostat {gyrostat.__version__}"
    described = model_description(
        library.title.strip("'\""), library.name, guid, variables, len(switches), sources, tool
    )
    with tempfile.TemporaryDirectory() as folder:
        for file, text in texts.items():
            (Path(folder) / file).write_text(text, encoding="utf-8", newline="\n")
        kind, suffix = _platform()
        binary = Path(folder) / f"{library.name}.{suffix}"
        _compile([Path(folder) / file for file in sources], binary)
        with whole_file(target, force=force) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("modelDescription.xml", described)
            for file in texts:
                archive.write(Path(folder) / file, f"sources/{file}")
            archive.write(binary, f"binaries/{kind}/{binary.name}")
    return target


def _platform() -> tuple[str, str]:
    """Return the folder of binaries for this platform, and their suffix."""
    system = "win" if sys.platform.startswith("win") else sys.platform
    bits = "64" if sys.maxsize > 2**32 else "32"
    if system not in _SUFFIXES or platform.machine().lower() not in ("x86_64", "amd64"):
        raise GyrostatError(
            f"FMI 2.0 has no place for binaries of {sys.platform} on {platform.machine()}. Export the C sources by "
            "gs.export_c, or the unit on another machine."
        )
    return f"{system}{bits}", _SUFFIXES[system]


def _compile(sources: list[Path], binary: Path) -> None:
    """Compile a shared library with the system's C compiler."""
    compiler = next((found for one in _COMPILERS if (found := shutil.which(one))), None)
    if compiler is None:
        raise GyrostatError("An FMU needs a C compiler, and there is none. Install gcc or clang.")
    options = ("-std=c99", "-O2", "-shared", "-fPIC", "-fvisibility=hidden")
    command = [compiler, *options, "-o", str(binary), *map(str, sources), "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise GyrostatError(f"{compiler} cannot compile the sources of the FMU: {done.stderr.strip()[:400]}")
