"""Narrow zones between switches: passages in which a multistep method amplifies errors of its tolerance.

A method that begins at order one behind a switch makes errors of the tolerance's size in coordinates at once, whatever
time has passed, while one-step methods of higher order make errors in proportion to it. Where the rates jump by Δẏ at
the next switch, a coordinate that is wrong by e shifts that switch by δt = |∂g/∂y| e / |ġ|, and the state by Δẏ δt. The
error of order one is no larger than |ÿ| T²/2 in the time T of the passage: a uniform motion has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.library import switch_delay
from gyrostat.analysis.kernels.problem import OPEN, Equations, Floats
from gyrostat.analysis.kernels.progress import STEP

_LARGEST_GAIN = 100.0
"""The gain of errors at both ends of a zone beyond which a passage is reported."""


class Zone(NamedTuple):
    """A passage between two switches, at each of which errors of the tolerance's size are multiplied by a gain."""

    begin: float
    end: float
    law: str
    """The law that switches at its end."""
    place: int
    """The state that suffers most."""
    gain: float
    error: float
    """The error of this state for an error of the tolerance's size in all states before."""


class NarrowZones:
    """Compares the rates on both sides of each switch of a run, and enters narrow zones in the run's record."""

    def __init__(
        self, run: Run, equations: Equations, rates: Callable[..., bool], tolerances: tuple[float, float]
    ) -> None:
        self._run, self._rates, self._tolerances = run, rates, tolerances
        self._delay = switch_delay.bind(equations)
        self._behind, self._before = np.zeros(run.y.size), np.zeros(run.y.size)
        self._tolerance = np.zeros(run.y.size)
        self._since = run.time
        """The time of the last restart, with the rates behind it."""
        self._shift, self._own_shift, self._law = 0.0, 0.0, ""
        """Uncertainties of the time of a switch: by the tolerance, and by errors that order one makes from there."""
        self._last: tuple[float, float] | None = None
        """Time and gain of the last switch."""

    def leave(self, within: float) -> None:
        """Keep the rates up to a switch, before modes are set anew, and the uncertainty of its time."""
        run, (relative, absolute) = self._run, self._tolerances
        self._tolerance[:] = relative * np.abs(run.y) + absolute
        self._rates(run.time, within, run.y, self._before)
        time = max(run.time - self._since, float(run.clock[STEP]))  # a step may reach far beyond the switch
        error = 0.5 * np.abs(self._before - self._behind) * time
        self._shift = float(self._delay(run.time, within, run.y, self._tolerance))
        self._own_shift = float(self._delay(run.time, within, run.y, np.minimum(error, self._tolerance)))
        opened = np.flatnonzero(run.switching.phases == OPEN)
        self._law = run.laws[int(opened[0])] if len(opened) else ""

    def enter(self, rates: Floats) -> None:
        """Take the rates behind a restart; if gains are large there and at the last switch, enter the zone."""
        t = self._run.time
        if self._law:
            gains = np.abs(rates - self._before) / self._tolerance
            place = int(np.argmax(gains))
            gain = float(gains[place]) * self._own_shift
            if self._last is not None and min(gain, self._last[1]) > _LARGEST_GAIN:
                error = gain * float(self._tolerance[place])
                self._run.zones.append(Zone(self._last[0], t, self._law, place, gain, error))
            self._last, self._law = (t, float(gains[place]) * self._shift), ""
        self._behind[:], self._since = rates, t
