"""Nodal analysis of nonlinear networks in NumPy: currents leave nodes; knows neither trees nor gyrostat.

Unknowns are the voltages of nodes, the currents of inductors and the speed of a mass that a motor drives. Nodes without
a capacitor have their voltage found by Newton's method. Elements that give a voltage have a resistance in series, so
that their current follows from the voltages of nodes.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

Floats = NDArray[np.float64]
Current = Callable[[float, Floats, float], float]
"""The current of a branch as a function of time, the voltages of nodes (the last is the datum's) and the speed."""


@dataclass
class NodalNetwork:
    """A network with nodes 0, 1, …; −1 is the datum."""

    capacities: Floats
    """Of each node to the datum; not a number for nodes without a capacitor."""
    branches: list[tuple[int, int, Current]] = field(default_factory=list)
    inductors: list[tuple[int, int, float]] = field(default_factory=list)
    force: Callable[[float, Floats, float], float] = lambda t, v, speed: -speed
    """The acceleration of the mass."""
    jumps: list[float] = field(default_factory=list)
    """The times at which laws jump."""

    def add(self, a: int, b: int, current: Current) -> None:
        """Add a branch from a to b."""
        self.branches.append((a, b, current))

    @property
    def held(self) -> NDArray[np.bool_]:
        """The nodes with a capacitor."""
        return np.isfinite(self.capacities)

    def leaving(self, t: float, v: Floats, currents: Floats, speed: float) -> Floats:
        """Return the sums of currents that leave the nodes; the voltages `v` have that of the datum at the end."""
        total = np.zeros(len(v))
        for a, b, current in self.branches:
            i = current(t, v, speed)
            total[a] += i
            total[b] -= i
        for (a, b, _), i in zip(self.inductors, currents, strict=True):
            total[a] += i
            total[b] -= i
        return total[:-1]

    def voltages(self, t: float, x: Floats) -> Floats:
        """Return the voltages of all nodes at a state, the datum's last."""
        count = int(self.held.sum())
        v = np.zeros(len(self.capacities) + 1)
        v[:-1][self.held] = x[:count]
        free = np.flatnonzero(~self.held)
        for _ in range(200 if len(free) else 0):
            residual = self.leaving(t, v, x[count:-1], x[-1])[free]
            slopes = np.empty((len(free), len(free)))
            for column, node in enumerate(free):
                moved = v.copy()
                moved[node] += 1e-7
                slopes[:, column] = (self.leaving(t, moved, x[count:-1], x[-1])[free] - residual) / 1e-7
            step = np.linalg.solve(slopes, residual)
            v[free] -= step * min(1.0, 0.5 / max(float(np.abs(step).max()), 1e-300))
            if np.abs(step).max() < 1e-12:
                break
        else:
            assert not len(free), "Newton's method converges"
        return v

    def rates(self, t: float, x: Floats) -> Floats:
        """Return the rates of voltages at capacitors, of currents and of the speed."""
        count, v = int(self.held.sum()), self.voltages(t, x)
        total = self.leaving(t, v, x[count:-1], x[-1])
        flux = [(v[a] - v[b]) / inductance for a, b, inductance in self.inductors]
        return np.array([*(-total / self.capacities)[self.held], *flux, self.force(t, v, x[-1])])

    def end(self, duration: float) -> Floats:
        """Return the state at the end of a motion from rest, in pieces between jumps, by Radau's method."""
        x = np.zeros(int(self.held.sum()) + len(self.inductors) + 1)
        times = [0.0, *sorted(time for time in self.jumps if time < duration), duration]
        for begin, end in itertools.pairwise(times):
            inside = 1e-9 * (end - begin)  # laws are evaluated within the piece

            def rates(t: float, x: Floats, low: float = begin + inside, high: float = end - inside) -> Floats:
                return self.rates(min(max(t, low), high), x)

            found = solve_ivp(rates, (begin, end), x, method="Radau", rtol=1e-9, atol=1e-11)
            assert found.success
            x = found.y[:, -1]
        return x
