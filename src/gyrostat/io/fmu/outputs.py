"""Outputs of an FMU that are chosen beside its states: signals of the system, and formulas over them."""

from __future__ import annotations

from collections.abc import Iterable

from gyrostat.errors import GyrostatError
from gyrostat.io.c_library.files import Library
from gyrostat.system import System

OUTPUT_FUNCTIONS = ("outputs", "output_rates", "outputs_along")
"""The functions of a library with outputs, in their order."""


def chosen_outputs(system: System, given: Iterable[str]) -> tuple[str, ...]:
    """Return outputs by name, each once, without states, which are outputs of every unit."""
    if isinstance(given, str):
        raise GyrostatError(f"outputs={given!r:.60} is no list of signals. Write outputs=[{given!r:.60}].")
    states = {*system.coordinate_names, *system.speed_names, *system.state_names}
    chosen = dict.fromkeys(given)
    for output in chosen:
        if not isinstance(output, str):
            raise GyrostatError(f"The output {output!r:.60} of an FMU is no text. Write a signal or a formula.")
    return tuple(output for output in chosen if output not in states)


def require_own_names(library: Library) -> None:
    """Raise an error for outputs with the name of another variable of the unit."""
    taken = {name: group for group, names in library.names.items() for name in names}
    for output in library.outputs:
        if output in taken:
            raise GyrostatError(
                f"The output {output!r:.60} has the name of a variable of the unit, in {taken[output]}. Leave it out: "
                "the importing tool knows inputs and parameters."
            )
