"""What is asked of every run of a sweep: outputs over time, summaries, functions of the trajectory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from gyrostat.analysis.sweeps.functions import function_name
from gyrostat.analysis.sweeps.output_summaries import OUTPUT_SUMMARIES, Last, OutputSummary
from gyrostat.analysis.sweeps.run_summaries import EndTime, EventCount, EventTime, RunSummary
from gyrostat.errors import StateError
from gyrostat.system import System

Request: TypeAlias = str | OutputSummary | RunSummary | Callable[..., Any]
"""A text is an output over time; a function gets the trajectory."""
Requests: TypeAlias = Mapping[str, Request]

_CALL = re.compile(r"(\w+)\((.+)\)")


def read_requests(given: Mapping[str, object] | Iterable[object], system: System) -> dict[str, Request]:
    """Return by name what is asked for; if nothing is, the last values of all coordinates and speeds."""
    if isinstance(given, str):
        raise StateError(f"The outputs are {given!r:.60}. Give a list of them: outputs=[{given!r:.60}].")
    if isinstance(given, Mapping):
        return {str(name): _read(value) for name, value in given.items()}
    found: dict[str, Request] = {}
    for one in map(_read, given):
        name = one if isinstance(one, str) else _name(one)
        if name in found:
            raise StateError(f"Two outputs are called {name!r}. Give each a name: outputs={{name: output, …}}.")
        found[name] = one
    if not found:
        states = dict.fromkeys((*system.coordinate_names, *system.speed_names))
        found = {Last(name).name: Last(name) for name in states}
    return found


def output_of(request: Request) -> str | None:
    """Return the output that a request is about, if it is about one."""
    if isinstance(request, str):
        return request
    return request.output if isinstance(request, OutputSummary) else None


def needs_all_times(request: Request) -> bool:
    """Tell whether the states at all output times are needed, not at the ends alone."""
    if isinstance(request, OutputSummary):
        return request.whole
    return not isinstance(request, RunSummary)


def _name(request: Request) -> str:
    if isinstance(request, (OutputSummary, RunSummary)):
        return request.name
    return function_name(request)  # type: ignore[arg-type]


def _read(given: object) -> Request:
    """Return a request; texts such as "maximum(a1)", "time(flip)" and "end" are read as summaries."""
    if isinstance(given, (OutputSummary, RunSummary)):
        return given
    if not isinstance(given, str):
        if callable(given) and not isinstance(given, type):
            return given
        raise StateError(
            f"{given!r:.60} is no output. Give a name such as 'a1', a summary such as gs.Last('a1') or "
            "gs.Maximum('a1'), or a function of the trajectory."
        )
    if given == "end":
        return EndTime()
    call = _CALL.fullmatch(given.strip())
    if call is None:
        return given
    word, inside = call[1], call[2].strip()
    if word in OUTPUT_SUMMARIES:
        return OUTPUT_SUMMARIES[word](inside)
    if word == "time":
        return EventTime(*(one.strip() for one in inside.split(",")))
    if word == "count":
        return EventCount(inside)
    known = ", ".join((*OUTPUT_SUMMARIES, "time", "count"))
    raise StateError(f"There is no summary {word!r}, as in {given!r:.60}. Known: {known}.")
