"""Systems as Functional Mock-up Units."""

from __future__ import annotations

import os
import tempfile
import uuid
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

import gyrostat
from gyrostat.analysis.integrators import Integrator
from gyrostat.errors import GyrostatError
from gyrostat.io.c_library.export import library_of
from gyrostat.io.c_library.files import Library
from gyrostat.io.fmu.description import model_description
from gyrostat.io.fmu.description3 import build_description3, model_description3
from gyrostat.io.fmu.drift import Drift
from gyrostat.io.fmu.outputs import chosen_outputs, require_own_names
from gyrostat.io.fmu.platforms import Platform, compile_library, platforms_of
from gyrostat.io.fmu.settings import FMUKind, Settings
from gyrostat.io.fmu.stepping import stepping_of
from gyrostat.io.fmu.variables import variables_of
from gyrostat.io.state_events import events_of
from gyrostat.model.names import first_few
from gyrostat.program.warning import GyrostatWarning
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.system import System

_SOURCES = ("fmu-unit.h", "fmu-unit.c", "fmu-projection.c", "fmu-integration.c", "fmu-instance.h", "fmu-instance.c",
            "fmu-common.h")  # fmt: skip
"""Hyphens keep them apart from the files of the library, whose name is an identifier."""


def export_fmu(
    system: System,
    path: str | os.PathLike[str],
    *,
    kind: str | FMUKind = "both",
    platforms: Sequence[str] | None = None,
    integrator: Integrator | None = None,
    outputs: Iterable[str] = (),
    version: str = "2.0",
    name: str | None = None,
    force: bool = False,
) -> Path:
    """Write a system as an FMU, by FMI 2.0 or with version="3.0" by FMI 3.0, and return its path.

    The states are q, u and z, the inputs those of the system, and parameters can be set. Initial values have loops
    closed. Conditions of the state in laws are event indicators: they are held in continuous time and change in event
    mode, where speeds of approach are set; conditions of time alone are evaluated as they are. For co-simulation the
    unit integrates itself, with the method and tolerances of `integrator`: DOP853, RKF45, or Rodas5P if it is stiff.
    States are outputs; `outputs` names further ones: signals, vectors by components, and formulas over them.

    The unit contains the C sources and a binary for each of `platforms` ("linux64", "win64", "darwin64"), by default
    this one. The system's C compiler makes that for this platform, ziglang (pip install gyrostat[fmu]) the others.
    Systems with algebraic states, delays, sampled blocks, rigid contacts or contacts of many pairs are refused. Laws
    and tables of inputs are left to the importing tool, with a warning. With `force`, an existing file is replaced.
    """
    target, targets = require_writable(path, force=force), platforms_of(platforms)
    _major(version)
    _require_rates(system)
    _require_continuous(system)
    observed = chosen_outputs(system, outputs)
    settings = Settings(_kind(kind), events_of(system), stepping_of(integrator), Drift.of(system))
    library = library_of(system, name, settings.functions, outputs=observed, locked=bool(settings.events.switches))
    require_own_names(library)
    texts = {f"{library.name}.h": library.header(), f"{library.name}.c": library.source()}
    guid = str(uuid.uuid5(uuid.NAMESPACE_URL, "\n".join([gyrostat.__version__, settings.kind.value, *texts.values()])))
    texts["fmu-settings.h"] = settings.header(library, guid)
    here = resources.files("gyrostat.io.fmu") / "sources"
    interface = f"fmu-fmi{_major(version)}.c"
    texts |= {file: (here / file).read_text(encoding="utf-8") for file in (*_SOURCES, interface)}
    described = _descriptions(library, settings, guid, _compiled(texts), version)
    with whole_file(target, force=force) as part:
        _write_archive(part, described, texts, targets, library.name, version)
    if system.input_laws:
        warnings.warn(
            f"{target.name}: laws and tables are not part of a unit; connect these inputs, which are zero otherwise: "
            f"{first_few(list(system.input_laws))}.",
            GyrostatWarning,
            stacklevel=2,
        )
    return target


def _write_archive(
    path: Path,
    described: Mapping[str, bytes],
    texts: Mapping[str, str],
    targets: Sequence[Platform],
    name: str,
    version: str,
) -> None:
    """Compile the sources for each platform and write the archive of a unit."""
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in described.items():
            archive.writestr(file, content)
        for file, text in texts.items():
            source = Path(folder) / file
            source.write_text(text, encoding="utf-8", newline="\n")
            archive.write(source, f"sources/{file}")
        for one in targets:
            binary = Path(folder) / one.name / f"{name}.{one.suffix}"
            binary.parent.mkdir()
            compile_library(one, [Path(folder) / file for file in _compiled(texts)], binary)
            archive.write(binary, f"binaries/{one.name if version == '2.0' else one.tuple3}/{binary.name}")


def _major(version: str) -> str:
    if version not in ("2.0", "3.0"):
        raise GyrostatError(f"version={version!r:.40} of FMI is not known. Use '2.0' or '3.0'.")
    return version[0]


def _descriptions(
    library: Library, settings: Settings, guid: str, sources: Sequence[str], version: str
) -> dict[str, bytes]:
    """Return the descriptions of a unit by their files."""
    variables = variables_of(library)
    if version == "2.0":
        return {"modelDescription.xml": model_description(library, settings, guid, variables, sources)}
    return {
        "modelDescription.xml": model_description3(library, settings, guid, variables),
        "sources/buildDescription.xml": build_description3(library, sources),
    }


def _compiled(texts: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(file for file in texts if file.endswith(".c"))


def _kind(given: str | FMUKind) -> FMUKind:
    try:
        return FMUKind(given)
    except ValueError:
        known = ", ".join(repr(kind.value) for kind in FMUKind)
        raise GyrostatError(f"kind={given!r:.40} is not known. Use {known}.") from None


def _require_rates(system: System) -> None:
    """Raise an error for systems with states that have no rates."""
    if system.coordinates.algebraic:
        bound = ", ".join(system.state_names[place] for place in system.coordinates.algebraic)
        raise GyrostatError(
            f"Model {system.model.name!r} has algebraic states ({bound}), which FMI has no place for. "
            "Give them rates, as a fast lag."
        )


def _require_continuous(system: System) -> None:
    """Raise an error for systems with blocks that act at sample times or record signals."""
    found = [*system.sampled_blocks, *system.delays]
    if found:
        names = ", ".join(repr(block.name) for block in found)
        raise GyrostatError(
            f"Model {system.model.name!r} has sampled blocks or delays ({names}), which an FMU does not contain. "
            "Replace them by gs.Input and let the importing tool compute them, or a delay by gs.TransferFunctionBlock."
        )
