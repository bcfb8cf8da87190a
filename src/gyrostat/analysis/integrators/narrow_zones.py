"""Narrow zones between switches: passages in which a multistep method amplifies errors of its tolerance.

A method that begins at order one behind a switch makes errors of the tolerance's size in coordinates at once, whatever
time has passed, while one-step methods of higher order make errors in proportion to it. Where the rates jump by Δẏ at
the next switch, a coordinate that is wrong by e shifts that switch by δt = |∂g/∂y| e / |ġ|, and the state by Δẏ δt.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.integrators.run import Run
from gyrostat.analysis.kernels.library import switch_delay
from gyrostat.analysis.kernels.problem import OPEN, Equations, Floats

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
        self._before, self._errors = np.zeros(run.y.size), np.zeros(run.y.size)
        self._shift, self._law = 0.0, ""
        self._last: tuple[float, float] | None = None
        """Time and gain of the last switch."""

    def leave(self, within: float) -> None:
        """Keep the rates up to a switch, before modes are set anew, and the uncertainty of its time."""
        run, (relative, absolute) = self._run, self._tolerances
        self._errors[:] = relative * np.abs(run.y) + absolute
        self._rates(run.time, within, run.y, self._before)
        self._shift = float(self._delay(run.time, within, run.y, self._errors))
        opened = np.flatnonzero(run.switching.phases == OPEN)
        self._law = run.laws[int(opened[0])] if len(opened) else ""

    def enter(self, rates: Floats) -> None:
        """Take the rates behind a switch; if the gain is large there and was so at the last one, enter the zone."""
        if not self._law:
            return
        gains = np.abs(rates - self._before) * self._shift / self._errors
        place = int(np.argmax(gains))
        gain, t, last = float(gains[place]), self._run.time, self._last
        if last is not None and min(gain, last[1]) > _LARGEST_GAIN:
            self._run.zones.append(Zone(last[0], t, self._law, place, gain, gain * float(self._errors[place])))
        self._last, self._law = (t, gain), ""
