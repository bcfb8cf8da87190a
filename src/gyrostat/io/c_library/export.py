"""Systems as C libraries."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from gyrostat.analysis.assembly.assemble import first_state
from gyrostat.errors import GyrostatError
from gyrostat.io.c_library.files import Library
from gyrostat.io.c_library.function import CFunction
from gyrostat.io.state_events import events_of
from gyrostat.model.names import did_you_mean
from gyrostat.program.graph import read_graph
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.system import System

FUNCTIONS = ("rates", "mass_matrix", "energy", "poses", "inverse_dynamics", "constraints")
"""The functions that a library can have; the first one always is among them."""


def export_c(
    system: System,
    folder: str | os.PathLike[str],
    *,
    name: str | None = None,
    functions: Sequence[str] = ("mass_matrix", "energy", "poses"),
    force: bool = False,
) -> tuple[Path, ...]:
    """Write a C library of a system to a folder, and return the files: header, source, CMake file and example.

    The function `NAME_rates` gives q̇ and u̇, with states also ż, at a time, a state, parameters and inputs, closed loops
    included; `functions` names further ones. `NAME_initial` sets the initial state and the parameters. They are C99,
    have no state of their own, allocate nothing and depend on the mathematical library alone; the header documents the
    arrays. Laws and tables of inputs, delays and sampled blocks are left to the caller, as the header says. With
    `force`, existing files are replaced.
    """
    library = library_of(system, name, chosen_functions(functions))
    texts = {
        f"{library.name}.h": library.header(),
        f"{library.name}.c": library.source(),
        "CMakeLists.txt": library.cmake(),
        "example.c": library.example(),
    }
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GyrostatError(f"{target} cannot be made: {error.strerror}. Choose another folder.") from None
    paths = tuple(require_writable(target / file, force=force) for file in texts)
    for path, text in zip(paths, texts.values(), strict=True):
        with whole_file(path, force=force) as part:
            part.write_text(text, encoding="utf-8", newline="\n")
    return paths


def chosen_functions(functions: Sequence[str]) -> tuple[str, ...]:
    """Return functions by name, the one that always is among them first; raise an error for unknown ones."""
    chosen = dict.fromkeys((FUNCTIONS[0], *functions))
    for function in chosen:
        if function not in FUNCTIONS:
            raise GyrostatError(f"There is no function {function!r:.60} to export. {did_you_mean(function, FUNCTIONS)}")
    return tuple(chosen)


def library_of(
    system: System, name: str | None, functions: tuple[str, ...], *, outputs: Sequence[str] = (), locked: bool = False
) -> Library:
    """Return the library of a system with functions by name, `rates` first.

    Functions of `outputs`, signals and formulas, follow: see `System.output_functions`. With `locked`, conditions of
    the state in laws are replaced by modes, one more argument of all functions.
    """
    _require_loads(system)
    layout, model = system.coordinates, system.model
    name = _identifier(name or model.name)
    state = first_state(system, None, None, 0.0)
    made = {one: system.casadi_function(one, locked=locked) for one in functions}
    observed: tuple[str, ...] = ()
    if outputs:
        observed, found = system.output_functions(outputs, locked=locked)
        made |= found
    names = {
        "q": tuple(system.coordinate_names),
        "u": tuple(system.speed_names),
        "z": tuple(system.state_names),
        "parameters": tuple(model.parameters),
        "inputs": tuple(system.inputs),
    }
    start = {
        "q": tuple(state.q.tolist()),
        "u": tuple(state.u.tolist()),
        "z": tuple(state.z.tolist()),
        "parameters": tuple(system.parameter_values(None).tolist()),
    }
    notes = []
    if layout.algebraic:
        bound = ", ".join(system.state_names[place] for place in layout.algebraic)
        notes.append(f"zdot has residuals that are zero, not rates, for the algebraic states {bound}.")
    if "resets" not in functions and (jumping := _jumping(system)):
        notes.append(f"The states {', '.join(jumping)} jump where bodies touch, which no function here does.")
    if held := [one.name for block in system.sampled_blocks for one in block.state_variables]:
        notes.append(f"The states {', '.join(held)} are set at sample times, which no function here does.")
    if delayed := [block.name for block in system.delays]:
        notes.append(f"The inputs {', '.join(delayed)} are delayed signals, which no function here records.")
    if system.input_laws:
        notes.append(f"Laws and tables of the model that no function here evaluates: {', '.join(system.input_laws)}.")
    if "poses" in functions:
        notes.append(f"Bodies of poses, 3 x 3 rotations and positions in world axes: {', '.join(system.bodies)}.")
    if "constraints" in functions:
        notes.append(f"Rows of constraints: {', '.join(row.name for row in system.constraints) or 'none'}.")
    printable = "".join(character for character in model.name if character.isprintable())
    listed = tuple(CFunction(f"{name}_{one}", read_graph(function)) for one, function in made.items())
    return Library(name, repr(printable), listed, names, start, tuple(notes), observed)


def _jumping(system: System) -> list[str]:
    """Return the states that jump at events."""
    return [system.state_names[place] for place in sorted({jump.place for jump in events_of(system).jumps})]


def _require_loads(system: System) -> None:
    """Raise an error for systems with loads that no function of the state gives."""
    loads = [*system.rigid_contacts, *system.kernel_forces]
    if loads:
        names = ", ".join(repr(load.name) for load in loads)
        raise GyrostatError(
            f"Model {system.model.name!r} has contacts or grains whose loads only a simulation of this package finds "
            f"({names}). Replace them by gs.Contact with a normal law."
        )


def _identifier(name: str) -> str:
    """Return a C identifier like a name."""
    plain = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()
    return plain if plain and not plain[0].isdigit() else f"model_{plain}".rstrip("_")
