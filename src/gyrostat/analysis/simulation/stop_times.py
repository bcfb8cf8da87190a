"""Stops of a motion: the switching times of formulas of time, found once for a window that many segments share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.simulation.time_switches import TimeSwitches, Window
from gyrostat.model.formula import Formula
from gyrostat.system import System

_NO_WINDOW = Window(np.zeros(0), -np.inf)
_CACHE_KEY = "stops of the last search"
"""Key of the system's cache."""


class _Search(NamedTuple):
    """A search for stops: formulas of inputs, values of parameters, what switches by them, and the window found."""

    formulas: Mapping[str, Formula]
    parameters: Mapping[str, float]
    switches: TimeSwitches
    start: float = np.inf
    last: float = np.inf
    window: Window = _NO_WINDOW

    def is_for(self, formulas: Mapping[str, Formula], parameters: Mapping[str, float]) -> bool:
        """Return whether it is a search with these formulas, and with these values of all that switches depend on."""
        if self.formulas != formulas or self.parameters.keys() != parameters.keys():
            return False
        return all(self.parameters[name] == parameters[name] for name in self.switches.names)


class StopTimes:
    """The window of switching times found last, with the formulas and parameters that it belongs to.

    The system keeps the last search, for a run that repeats it.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self._search: _Search | None = None
        self._begun = False

    def of(self, formulas: Mapping[str, Formula], parameters: Mapping[str, float]) -> bool:
        """Take the formulas of inputs and the values of parameters; return whether anything depends on time alone."""
        system = self._system
        if not formulas and not system.time_formulas:
            return False
        if self._search is None or not self._search.is_for(formulas, parameters):
            known: _Search | None = system.cache.get(_CACHE_KEY)
            if known is None or not known.is_for(formulas, parameters):
                known = _Search(formulas, parameters, TimeSwitches.of(system, formulas, parameters))
            self._search, self._begun = known, False
        return bool(self._search.switches)

    def window(self, start: float, end: float, last: float) -> Window:
        """Return the stops from a start to an end, or to an earlier time if there are very many.

        They are searched for up to the last time of the motion.
        """
        search = self._search
        assert search is not None, "formulas and parameters come first"
        covered = search.start <= start < search.window.end if self._begun else search.start == start
        self._begun = True
        if search.last != last or not covered:
            window = search.switches.window(start, last)
            search = self._search = search._replace(start=start, last=last, window=window)
            self._system.cache.keep(_CACHE_KEY, search)
        stops, end = search.window.stops, min(end, search.window.end)
        if not len(stops):
            return Window(stops, end)
        return Window(stops[(stops >= start) & (stops < end)], end)
