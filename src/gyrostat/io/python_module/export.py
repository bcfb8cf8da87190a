"""Systems as Python modules, without this package."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import gyrostat
from gyrostat.errors import GyrostatError
from gyrostat.io.c_library.export import chosen_functions, library_of
from gyrostat.io.c_library.files import Library
from gyrostat.io.c_library.function import entry_names, entry_places
from gyrostat.program.graph import Graph
from gyrostat.program.listing import Language, listing
from gyrostat.program.port import Port
from gyrostat.results.whole_file import require_writable, whole_file
from gyrostat.system import System

_LIBRARIES = {
    Language.PYTHON: "import math",
    Language.NUMPY: "import numpy as np",
    Language.JAX: "import jax.numpy as jnp",
}
_ARRAY = {Language.PYTHON: "{}", Language.NUMPY: "np.array({})", Language.JAX: "jnp.array({})"}


def export_python(
    system: System,
    path: str | os.PathLike[str],
    *,
    language: str | Language = "python",
    functions: Sequence[str] = ("mass_matrix", "energy", "poses"),
    force: bool = False,
) -> Path:
    """Write a Python module with the equations of a system, and return its path; it does not need this package.

    Its function `rates` gives q̇ and u̇, with states also ż, at a time, a state, parameters and inputs, closed loops
    included; `functions` names further ones; `initial` gives the initial state and the parameters. With the language
    "python" it needs the standard library alone and returns lists; with "numpy" or "jax" it returns arrays, and JAX can
    differentiate, compile and map it. Laws and tables of inputs, delays and sampled blocks are left to the caller.
    With `force`, an existing file is replaced.
    """
    chosen = _language(language)
    library = library_of(system, None, chosen_functions(functions))
    target = require_writable(path, force=force)
    names = (function.name.removeprefix(f"{library.name}_") for function in library.functions)
    parts = [_heading(library, chosen), _initial(library)]
    parts += [
        "\n".join(_function(name, function.graph, chosen))
        for name, function in zip(names, library.functions, strict=True)
    ]
    with whole_file(target, force=force) as part:
        part.write_text("\n\n\n".join(parts) + "\n", encoding="utf-8", newline="\n")
    return target


def _language(given: str | Language) -> Language:
    for language in _LIBRARIES:
        if given in (language, language.value):
            return language
    known = ", ".join(repr(language.value) for language in _LIBRARIES)
    raise GyrostatError(f"language={given!r:.40} is not known. Use {known}.")


def _heading(library: Library, language: Language) -> str:
    title = library.title.replace("\\", "").replace('"', "'")
    lines = [f'"""Equations of motion of {title}, written by gyrostat {gyrostat.__version__}.', ""]
    lines += [f"{group}: {', '.join(names) or 'none'}." for group, names in library.names.items()]
    lines += ["SI units and radians.", *library.notes]
    if language is Language.JAX:
        lines.append('For double precision, call jax.config.update("jax_enable_x64", True) first.')
    return "\n".join([*lines, '"""', "", _LIBRARIES[language]])


def _initial(library: Library) -> str:
    groups = ", ".join(library.start)
    values = ", ".join(repr(list(values)) for values in library.start.values())
    return f'def initial():\n    """Return {groups} of the initial state."""\n    return {values}'


def _function(name: str, graph: Graph, language: Language) -> Iterator[str]:
    """Yield the lines of a function."""
    found = listing(graph, [entry for port in graph.inputs for entry in entry_names(port)], language)
    yield f"def {name}({', '.join(port.name for port in graph.inputs)}):"
    yield f'    """Return {", ".join(port.name for port in graph.outputs)}."""'
    yield from (f"    {variable} = {text}" for variable, text in found.statements)
    results = iter(found.results)
    outputs = []
    for port in graph.outputs:
        stored = {place: next(results) for place in entry_places(port)}
        yield f"    {port.name}_ = {_ARRAY[language].format(_nested(port, stored))}"
        outputs.append(f"{port.name}_")
    yield f"    return {', '.join(outputs)}"


def _nested(port: Port, stored: dict[int, str]) -> str:
    """Return the entries of an output: a list, or for a matrix a list of rows."""
    texts = [stored.get(i, "0.0") for i in range(port.rows * port.columns)]
    if len(port.shape) < 2:
        return f"[{', '.join(texts)}]"
    width = port.columns
    return f"[{', '.join('[' + ', '.join(texts[i : i + width]) + ']' for i in range(0, len(texts), width))}]"
