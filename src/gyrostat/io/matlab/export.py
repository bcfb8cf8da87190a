"""Systems as functions of MATLAB and Octave, one file each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import gyrostat
from gyrostat.io.c_library.export import chosen_functions, library_of
from gyrostat.io.c_library.files import Library
from gyrostat.io.c_library.function import entry_places
from gyrostat.program.graph import Graph
from gyrostat.program.listing import Language, listing
from gyrostat.program.port import Port
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.system import System

_CHOICE_FUNCTION = """
function y = choose(condition, yes, no)
if condition
    y = yes;
else
    y = no;
end
end
"""


def export_matlab(
    system: System,
    folder: str | os.PathLike[str],
    *,
    name: str | None = None,
    functions: Sequence[str] = ("mass_matrix", "energy", "poses"),
    force: bool = False,
) -> tuple[Path, ...]:
    """Write functions of MATLAB with the equations of a system to a folder, and return their paths.

    `name_rates(t, q, u, …)` gives q̇ and u̇, with states also ż, closed loops included; `functions` names further ones;
    `name_initial()` gives the initial state and the parameters. Vectors are columns. The functions need no toolbox and
    run in Octave as well. Laws and tables of inputs, delays and sampled blocks are left to the caller. `name` is by
    default that of the model. With `force`, existing files are replaced.

    `ode45(@(t, y) rates_of(t, y), …)` takes them by a function of yours that divides y into q, u and z.
    """
    library = library_of(system, name, chosen_functions(functions))
    base = Path(folder)
    texts = {f"{library.name}_initial": "\n".join(_initial(library))}
    texts |= {one.name: "\n".join(_function(one.name, one.graph, library)) for one in library.functions}
    base.mkdir(parents=True, exist_ok=True)
    targets = {name: require_writable(base / f"{name}.m", force=force) for name in texts}
    for found, text in texts.items():
        with whole_file(targets[found], force=force) as part:
            part.write_text(text + "\n", encoding="utf-8", newline="\n")
    return tuple(targets.values())


def _heading(library: Library, of: str) -> Iterator[str]:
    """Yield the comment that MATLAB shows as help."""
    yield f"% {of} of {library.title}, written by gyrostat {gyrostat.__version__}."
    for group, names in library.names.items():
        yield f"% {group}: {', '.join(names) or 'none'}."
    yield from (f"% {note}" for note in ("SI units and radians.", *library.notes))


def _initial(library: Library) -> Iterator[str]:
    groups = list(library.start)
    yield f"function [{', '.join(groups)}] = {library.name}_initial()"
    yield from _heading(library, "Initial state and parameters")
    for group, values in library.start.items():
        yield f"{group} = {_column([repr(float(value)) for value in values])};"
    yield "end"


def _function(name: str, graph: Graph, library: Library) -> Iterator[str]:
    entries = [entry for port in graph.inputs for entry in _entries(port)]
    found = listing(graph, entries, Language.MATLAB)
    outputs = [f"{port.name}_" for port in graph.outputs]
    yield f"function [{', '.join(outputs)}] = {name}({', '.join(port.name for port in graph.inputs)})"
    yield from _heading(library, ", ".join(port.name for port in graph.outputs))
    yield from (f"{variable} = {text};" for variable, text in found.statements)
    results = iter(found.results)
    for port, output in zip(graph.outputs, outputs, strict=True):
        stored = {place: next(results) for place in entry_places(port)}
        yield f"{output} = {_array(port, stored)};"
    yield "end"
    if any("choose(" in text for _, text in found.statements) or any("choose(" in text for text in found.results):
        yield _CHOICE_FUNCTION.rstrip()


def _entries(port: Port) -> list[str]:
    """Return the texts of the entries of an input; MATLAB counts from one."""
    return [port.name] if port.name == "t" else [f"{port.name}({i + 1})" for i in range(port.size)]


def _column(texts: Sequence[str]) -> str:
    return f"[{'; '.join(texts)}]" if texts else "zeros(0, 1)"


def _array(port: Port, stored: dict[int, str]) -> str:
    """Return a column, or a matrix row by row."""
    texts = [stored.get(i, "0.0") for i in range(port.rows * port.columns)]
    if len(port.shape) < 2:
        return _column(texts)
    rows = [", ".join(texts[i : i + port.columns]) for i in range(0, len(texts), port.columns or 1)]
    return f"[{'; '.join(rows)}]" if rows else f"zeros({port.rows}, {port.columns})"
