"""The variables of an FMU, in the order of their value references."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.io.c_library.files import Library


@dataclass(frozen=True)
class Variable:
    """A scalar variable: its causality, its start value, and for a derivative the index of its state."""

    name: str
    causality: str
    variability: str
    initial: str = ""
    start: float | None = None
    state: int | None = None
    description: str = ""


def variables_of(library: Library) -> tuple[Variable, ...]:
    """Return time, states, their derivatives, parameters, inputs and outputs; indices of states count from one."""
    return (Variable("time", "independent", "continuous"), *_further(library))


def _further(library: Library) -> Iterator[Variable]:
    groups = (("q", "coordinate"), ("u", "speed"), ("z", "state"))
    states = [(name, start, word) for group, word in groups for name, start in _started(library, group)]
    for name, start, word in states:
        yield Variable(name, "output", "continuous", "exact", start, description=word)
    for index, (name, _, word) in enumerate(states, start=2):
        yield Variable(
            f"der({name})", "local", "continuous", "calculated", state=index, description=f"rate of the {word}"
        )
    for name, start in _started(library, "parameters"):
        yield Variable(name, "parameter", "tunable", "exact", start)
    for name in library.names["inputs"]:
        yield Variable(name, "input", "continuous", start=0.0)
    for name in library.outputs:
        yield Variable(name, "output", "continuous", "calculated")


def _started(library: Library, group: str) -> Iterator[tuple[str, float]]:
    return zip(library.names[group], library.start[group], strict=True)
