"""Stops of a motion: the switching times of formulas of time, found once for a window that many segments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.simulation.time_switches import TimeSwitches, Window
from gyrostat.model.formula import Formula
from gyrostat.system import System

_NO_WINDOW = Window(np.zeros(0), -np.inf)
_LAST_SEARCH = "stops of the last search"
"""Key of the system's cache."""


class _Search(NamedTuple):
    """A search for stops: the formulas of inputs, the values of parameters, the start and the last time."""

    formulas: Mapping[str, Formula]
    parameters: Mapping[str, float]
    start: float
    last: float


class StopTimes:
    """The window of switching times found last, with the formulas and parameters that it belongs to."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._formulas: Mapping[str, Formula] = {}
        self._parameters: Mapping[str, float] = {}
        self._switches: TimeSwitches | None = None
        self._start, self._window = np.inf, _NO_WINDOW

    def of(self, formulas: Mapping[str, Formula], parameters: Mapping[str, float]) -> bool:
        """Take the formulas of inputs and the values of parameters; return whether anything depends on time alone."""
        if not formulas and not self._system.time_formulas:
            return False
        if self._switches is None or formulas != self._formulas or parameters != self._parameters:
            self._formulas, self._parameters = formulas, parameters
            self._switches = TimeSwitches.of(self._system, formulas, parameters)
            self._start, self._window = np.inf, _NO_WINDOW
        return bool(self._switches)

    def window(self, start: float, end: float, last: float) -> Window:
        """Return the stops from a start to an end, or to an earlier time if there are very many.

        They are searched for up to the last time of the motion.
        """
        assert self._switches is not None, "formulas and parameters come first"
        if not self._start <= start < self._window.end:
            self._start, self._window = start, self._found(start, last)
        stops, end = self._window.stops, min(end, self._window.end)
        return Window(stops[(stops >= start) & (stops < end)], end)

    def _found(self, start: float, last: float) -> Window:
        """Return the stops from a start on; the system keeps those of the last search for a run that repeats it."""
        assert self._switches is not None, "formulas and parameters come first"
        search, cache = _Search(self._formulas, self._parameters, start, last), self._system.cache
        known: tuple[_Search, Window] | None = cache.get(_LAST_SEARCH)
        if known is None or known[0] != search:
            known = search, self._switches.window(start, last)
            cache.keep(_LAST_SEARCH, known)
        return known[1]
