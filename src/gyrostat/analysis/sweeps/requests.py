"""Requested outputs of runs; settings and functions as plain data that identify a sweep."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from types import CodeType
from typing import Any, TypeAlias

import numpy as np

from gyrostat.analysis.sweeps.summaries import (
    OUTPUT_SUMMARIES,
    EndTime,
    EventCount,
    EventTime,
    Last,
    OutputSummary,
    RunSummary,
)
from gyrostat.errors import StateError
from gyrostat.model.inputs.table import Table
from gyrostat.system import System

Request: TypeAlias = str | OutputSummary | RunSummary | Callable[..., Any]
"""A text is an output over time; a function is called with the trajectory."""
Requests: TypeAlias = Mapping[str, Request]

_CALL = re.compile(r"(\w+)\((.+)\)")


def function_name(function: Callable[..., Any]) -> str:
    """Return the name of a function."""
    return str(getattr(function, "__name__", type(function).__name__))


def fingerprint(function: Callable[..., Any]) -> str:
    """Return a fingerprint of a function: of its code, defaults and closure.

    >>> fingerprint(lambda x: x + 1) == fingerprint(lambda x: x + 1), fingerprint(abs)
    (True, 'builtins.abs')
    """
    code = getattr(function, "__code__", None)
    if code is None:
        inside = getattr(function, "func", None)  # functools.partial
        name = f"{getattr(function, '__module__', '')}.{getattr(function, '__qualname__', repr(type(function)))}"
        if inside is None:
            return name if hasattr(function, "__qualname__") else f"{name} {function!r}"
        held = repr((getattr(function, "args", ()), getattr(function, "keywords", {})))
        return f"partial {fingerprint(inside)} {held}"
    cells = [repr(cell.cell_contents) for cell in getattr(function, "__closure__", None) or ()]
    held = repr((getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None), cells))
    digest = hashlib.sha256((_text(code) + held).encode()).hexdigest()
    return f"{getattr(function, '__qualname__', '')} {digest}"


def _text(code: CodeType) -> str:
    constants = [_text(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def plain_setting(value: Any) -> Any:
    """Return a setting as plain data, different for different values.

    >>> plain_setting({"a1": 0.5, "table": Table([0, 1], [2, 3])})
    {'a1': 0.5, 'table': [[0.0, 1.0], [2.0, 3.0], 'linear']}
    """
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(name): plain_setting(one) for name, one in value.items()}
    if isinstance(value, (OutputSummary, RunSummary)):
        return repr(value)
    if isinstance(value, Table):
        return [value.times.tolist(), value.values.tolist(), value.interpolation.value]
    if isinstance(value, (tuple, list)):
        return [plain_setting(one) for one in value]
    if callable(value):
        return fingerprint(value)
    return np.asarray(value).tolist() if hasattr(value, "__len__") else str(value)


def plain_settings(record: object) -> dict[str, Any]:
    """Return all settings of a record as plain data."""
    return {name: plain_setting(value) for name, value in vars(record).items()}


def read_requests(given: Mapping[str, object] | Iterable[object], system: System) -> dict[str, Request]:
    """Return the requests by name; by default the last values of all coordinates, speeds and states."""
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
        found = {Last(name).name: Last(name) for name in system.coordinates.place_of}
    return found


def output_of(request: Request) -> str | None:
    """Return the output of a request, None for summaries of the run and functions."""
    if isinstance(request, str):
        return request
    return request.output if isinstance(request, OutputSummary) else None


def needs_all_times(request: Request) -> bool:
    """Tell whether the states at all output times are needed, not only the last."""
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
