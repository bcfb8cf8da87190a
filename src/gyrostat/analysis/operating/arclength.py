"""Pseudo-arclength continuation: follows the solutions of G(x, p) = 0 over a parameter p, through its folds.

A step along the tangent is corrected by Newton's method. It is halved where the corrector fails or the tangent turns
too far, and grows again afterwards (Keller 1977). Sign changes of test functions between neighbouring stations are
located by bisection of the step. `Follower` knows the solutions only through the protocol `SolutionCurve`;
`VectorCurve` fulfils it for equations whose unknowns form a vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Generic, Protocol, TypeVar

import numpy as np

from gyrostat.coordinates.arguments import Floats

_ITERATIONS = 12
_STEP_TOLERANCE = 1e-11
_BISECTIONS = 34
_GROWTH = 1.5
_LOOP_STATIONS = 10
"""Stations that a closed curve has at least."""

P = TypeVar("P")


@dataclass(frozen=True, eq=False)
class Station(Generic[P]):
    """A point of a curve with its unit tangent, and the arclength of the step that leads to the next station."""

    point: P
    tangent: Floats
    length: float = 0.0


class SolutionCurve(Protocol[P]):
    """Solutions of n equations in n + 1 unknowns, on points of any kind."""

    def parameter(self, point: P) -> float:
        """Return the parameter at a point."""

    def advanced(self, station: Station[P], length: float) -> Station[P] | None:
        """Return the station after a step of given arclength; None where the corrector does not converge."""

    def landed(self, value: float, before: Station[P], after: Station[P]) -> Station[P]:
        """Return the station at a value of the parameter, which the step from `before` to `after` crosses."""

    def longest(self, station: Station[P]) -> float:
        """Return the longest step from a station."""

    def closes(self, stations: list[Station[P]]) -> bool:
        """Return whether the last station has returned to the first."""


class StopReason(Enum):
    """Reasons to stop following a curve."""

    BOUND = "the parameter reached the end of its interval"
    CLOSED = "the curve is closed"
    MIRRORED = "the curve continues as its mirror image"
    NO_STEP = "no step converges"
    LIMIT = "the number of steps reached its limit"


@dataclass(frozen=True, eq=False)
class Crossing(Generic[P]):
    """A sign change of a test function."""

    kind: Enum
    index: int
    """Index of the station before it."""
    station: Station[P]


@dataclass(frozen=True, eq=False)
class Trail(Generic[P]):
    """The stations of a curve in order, the sign changes between them, and the reason for its end."""

    stations: tuple[Station[P], ...]
    crossings: tuple[Crossing[P], ...]
    stop: StopReason


@dataclass(frozen=True, eq=False)
class Follower(Generic[P]):
    """Follows a curve from a station until the parameter leaves its interval or no further step converges."""

    curve: SolutionCurve[P]
    bound_passed: Callable[[P], float | None]
    """Returns the bound of the parameter that a point has passed, None inside the interval."""
    tests: Mapping[Enum, Callable[[Station[P]], float]] = field(default_factory=dict)
    """Functions whose sign changes are located, such as the parameter's component of the tangent at a fold."""
    mirror: tuple[Enum, ...] = ()
    """Tests that change sign together where a curve continues as its mirror image: it ends there."""
    least_cosine: float = 0.95
    """The least cosine between the tangents of neighbouring stations."""
    shortest: float = 1e-5
    """The shortest step, as a fraction of the longest one at the start."""

    def follow(self, start: Station[P], most: int) -> Trail[P]:
        """Return the curve onwards from a station, at most so many steps."""
        curve = self.curve
        stations, crossings = [start], list[Crossing[P]]()
        length = longest = curve.longest(start)
        before = self._evaluate(start)
        while len(stations) <= most:
            here = stations[-1]
            after = self._advanced(here, length)
            if after is None:
                length /= 2
                if length < self.shortest * longest:
                    return Trail(tuple(stations), tuple(crossings), StopReason.NO_STEP)
                continue
            stations[-1] = here = replace(here, length=length)
            values = self._evaluate(after)
            if self.mirror and all(before[kind] * values[kind] < 0 for kind in self.mirror):
                turn = self._located(here, self.mirror[0], before)
                return Trail((*stations, replace(turn, tangent=here.tangent)), tuple(crossings), StopReason.MIRRORED)
            bound = self.bound_passed(after.point)
            if bound is not None:
                after = curve.landed(bound, here, after)
                values = self._evaluate(after)
            changed = [kind for kind in self.tests if before[kind] * values[kind] < 0]
            crossings += [Crossing(kind, len(stations) - 1, self._located(here, kind, before)) for kind in changed]
            stations.append(after)
            if bound is not None or curve.closes(stations):
                return Trail(
                    tuple(stations), tuple(crossings), StopReason.CLOSED if bound is None else StopReason.BOUND
                )
            before = values
            length = min(_GROWTH * length, curve.longest(after))
        return Trail(tuple(stations), tuple(crossings), StopReason.LIMIT)

    def _evaluate(self, station: Station[P]) -> dict[Enum, float]:
        return {kind: test(station) for kind, test in self.tests.items()}

    def _advanced(self, station: Station[P], length: float) -> Station[P] | None:
        """Return the station after a step; None where it fails, or leads to another curve or around a bend."""
        after = self.curve.advanced(station, length)
        return after if after is not None and after.tangent @ station.tangent >= self.least_cosine else None

    def _located(self, station: Station[P], kind: Enum, values: Mapping[Enum, float]) -> Station[P]:
        test, sign = self.tests[kind], values[kind]
        return self.located(station, lambda there: test(there) * sign > 0)

    def located(self, station: Station[P], holds: Callable[[Station[P]], bool]) -> Station[P]:
        """Return the station, within the step from a given one, at which a property ceases to hold, by bisection."""
        low, high, found = 0.0, station.length, station
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            there = self._advanced(station, middle)
            if there is not None:
                found = there
            if there is not None and holds(there):
                low = middle
            else:
                high = middle
        return found


@dataclass(frozen=True, eq=False)
class Solution:
    """A point z = (x, p) of a curve in a vector space, and the Jacobian of the equations there (n × n + 1)."""

    z: Floats
    jacobian: Floats


@dataclass(frozen=True, eq=False)
class VectorCurve:
    """The solutions z = (x, p) of n equations G(x, p) = 0; the corrector stays in the plane normal to the tangent."""

    residual: Callable[[Floats], Floats]
    """G(z), n numbers."""
    jacobian: Callable[[Floats], Floats]
    """∂G/∂x at z, n × n, called after `residual` at the same z."""
    parameter_derivative: Callable[[Floats], Floats]
    """∂G/∂p at z, n numbers; the corrector evaluates it once."""
    step: float
    """The longest step."""

    def parameter(self, point: Solution) -> float:
        """Return p."""
        return float(point.z[-1])

    def longest(self, station: Station[Solution]) -> float:
        """Return the longest step, which is the same everywhere."""
        return self.step

    def extended(self, z: Floats, derivative: Floats) -> tuple[Floats, Floats]:
        """Return the residual, and the Jacobian with the derivative by the parameter as last column."""
        residual = self.residual(z)
        return residual, np.column_stack([self.jacobian(z), derivative])

    def station(self, z: Floats, towards: Floats | None = None) -> Station[Solution]:
        """Return the station at a solution; its tangent makes an acute angle with a given direction."""
        _, matrix = self.extended(z, self.parameter_derivative(z))
        tangent: Floats = np.linalg.svd(matrix)[2][-1]
        if towards is not None and tangent @ towards < 0:
            tangent = -tangent
        return Station(Solution(z, matrix), tangent)

    def corrected(self, z: Floats, normal: Floats) -> Floats | None:
        """Return the solution in the plane through z with a unit normal; None where Newton's method fails."""
        start, derivative = z, self.parameter_derivative(z)
        for _ in range(_ITERATIONS):
            residual, matrix = self.extended(z, derivative)
            system = np.vstack([matrix, normal])
            step = np.linalg.lstsq(system, -np.append(residual, normal @ (z - start)), rcond=1e-13)[0]
            z = z + step
            if float(np.abs(step).max()) < _STEP_TOLERANCE * max(1.0, float(np.abs(z).max())):
                return z
        return None

    def advanced(self, station: Station[Solution], length: float) -> Station[Solution] | None:
        """Return the station after a step of given arclength; None where the corrector does not converge."""
        found = self.corrected(station.point.z + length * station.tangent, station.tangent)
        return None if found is None else self.station(found, station.tangent)

    def landed(self, value: float, before: Station[Solution], after: Station[Solution]) -> Station[Solution]:
        """Return the station at a value of the parameter; interpolated where Newton's method fails."""
        a, b = before.point.z, after.point.z
        start = a + (value - a[-1]) / (b[-1] - a[-1]) * (b - a)
        found = self.corrected(start, np.append(np.zeros(len(a) - 1), 1.0))
        if found is None:
            return self.station(start, before.tangent)
        found[-1] = value
        return self.station(found, before.tangent)

    def closes(self, stations: list[Station[Solution]]) -> bool:
        """Return whether the last station has returned to the first, to half of the first step."""
        if len(stations) < _LOOP_STATIONS:
            return False
        first, second, last = (stations[i].point.z for i in (0, 1, -1))
        return float(np.linalg.norm(last - first)) < 0.5 * float(np.linalg.norm(second - first))
