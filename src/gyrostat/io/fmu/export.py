"""Systems as Functional Mock-up Units."""

from __future__ import annotations

import os
import tempfile
import uuid
import zipfile
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

import gyrostat
from gyrostat.analysis.integrators import Integrator
from gyrostat.errors import GyrostatError
from gyrostat.io.c_library.export import library_of
from gyrostat.io.fmu.description import model_description
from gyrostat.io.fmu.platforms import compile_library, platforms_of
from gyrostat.io.fmu.settings import FMUKind, Settings
from gyrostat.io.fmu.stepping import stepping_of
from gyrostat.io.fmu.switches import events_of
from gyrostat.io.fmu.variables import variables_of
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.system import System

_SOURCES = ("fmu-unit.h", "fmu-unit.c", "fmu-integration.c", "fmu-fmi2.c")
"""Hyphens keep them apart from the files of the library, whose name is an identifier."""


def export_fmu(
    system: System,
    path: str | os.PathLike[str],
    *,
    kind: str | FMUKind = "both",
    platforms: Sequence[str] | None = None,
    integrator: Integrator | None = None,
    name: str | None = None,
    force: bool = False,
) -> Path:
    """Write a system as an FMU (FMI 2.0), and return its path.

    The states are q, u and z, the inputs those of the system, and parameters can be set. Initial values have loops
    closed. Conditions of the state in laws are event indicators: they are held in continuous time and change in event
    mode, where speeds of approach are set; conditions of time alone are evaluated as they are. For co-simulation the
    unit integrates itself, with the method and tolerances of `integrator`: DOP853, RKF45, or Rodas5P if it is stiff.

    The unit contains the C sources and a binary for each of `platforms` ("linux64", "win64", "darwin64"), by default
    this one. The system's C compiler makes that for this platform, ziglang (pip install gyrostat[fmu]) the others.
    Systems with algebraic states, rigid contacts or contacts of many pairs are refused. With `force`, an existing file
    is replaced.
    """
    target, targets = require_writable(path, force=force), platforms_of(platforms)
    _require_equations(system)
    settings = Settings(_kind(kind), events_of(system), stepping_of(integrator))
    library = library_of(system, name, settings.functions, locked=bool(settings.events.switches))
    texts = {f"{library.name}.h": library.header(), f"{library.name}.c": library.source()}
    guid = str(uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([gyrostat.__version__, settings.kind.value, *texts.values()])))
    texts["fmu-settings.h"] = settings.header(library, guid)
    here = resources.files("gyrostat.io.fmu") / "sources"
    texts |= {file: (here / file).read_text(encoding="utf-8") for file in _SOURCES}
    described = model_description(library, settings, guid, variables_of(library), [*_compiled(texts)])
    with tempfile.TemporaryDirectory() as folder:
        for file, text in texts.items():
            (Path(folder) / file).write_text(text, encoding="utf-8", newline="\n")
        binaries = {}
        for one in targets:
            binaries[one.name] = Path(folder) / one.name / f"{library.name}.{one.suffix}"
            binaries[one.name].parent.mkdir()
            compile_library(one, [Path(folder) / file for file in _compiled(texts)], binaries[one.name])
        with whole_file(target, force=force) as part, zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("modelDescription.xml", described)
            for file in texts:
                archive.write(Path(folder) / file, f"sources/{file}")
            for place, binary in binaries.items():
                archive.write(binary, f"binaries/{place}/{binary.name}")
    return target


def _compiled(texts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(file for file in texts if file.endswith(".c"))


def _kind(given: str | FMUKind) -> FMUKind:
    try:
        return FMUKind(given)
    except ValueError:
        known = ", ".join(repr(kind.value) for kind in FMUKind)
        raise GyrostatError(f"kind={given!r:.40} is not known. Use {known}.") from None


def _require_equations(system: System) -> None:
    """Raise an error for systems whose motion does not follow from rates and events alone."""
    model = system.model
    if system.coordinates.algebraic:
        bound = ", ".join(system.state_names[place] for place in system.coordinates.algebraic)
        raise GyrostatError(
            f"Model {model.name!r} has algebraic states ({bound}), which FMI 2.0 has no place for. "
            "Give them rates, as a fast lag."
        )
    loads = [*system.rigid_contacts, *system.kernel_forces]
    if loads:
        names = ", ".join(repr(load.name) for load in loads)
        raise GyrostatError(
            f"Model {model.name!r} has contacts whose loads only a simulation of this package finds ({names}). "
            "Replace them by gs.Contact with a normal law."
        )
