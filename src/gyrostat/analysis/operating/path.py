"""A path: a branch of operating points, followed by arclength over a parameter, an input or a speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.operating.arclength import Follower, Station, StopReason, Trail
from gyrostat.analysis.operating.branch import Branch, Turn, TurnKind
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.steady_motion import require_solution
from gyrostat.analysis.operating.task import Task
from gyrostat.analysis.operating.trim import TrimPoint
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_SMALLEST_SHARE = 0.2
_GROWTH_ROUNDING = 1e-6
"""The least real part (1/s) beyond rounding errors."""
_POINT_RATIO = 20
"""The largest ratio of the number of points to the number requested."""


class Path:
    """A branch of operating points: a solution curve in a task where the parameter of the branch is an unknown.

    A step along the tangent is corrected by least-norm Newton steps, which are normal to the curve.
    """

    def __init__(
        self, over: str, task: Callable[[float | None], Task], begin: float, end: float, within: tuple[float, float]
    ) -> None:
        self.over, self.begin, self.end, self.within = over, begin, end, within
        self._closed, self._open = task, task(None)
        solved = self._open.trim.solved
        self._among = solved.index(over) if over in solved else None
        self._step = 0.0
        self._follower = Follower(self, self._beyond, {TurnKind.FOLD: lambda station: station.tangent[self._place]})

    # --- points -------------------------------------------------------------------------------------------------

    def parameter(self, point: TrimPoint) -> float:
        """Return the parameter of the branch at a point."""
        names = self._open.system.speed_names
        return float(point.u[names.index(self.over)] if self._among is None else point.values[self._among])

    @property
    def _place(self) -> int:
        """Index of the parameter of the branch among the unknowns."""
        trim, names = self._open.trim, self._open.system.speed_names
        if self._among is None:
            return len(names) + int(trim.open_speeds[: names.index(self.over)].sum())
        return len(names) + int(trim.open_speeds.sum()) + self._among

    def first(self, guess: Mapping[str, object] | None) -> TrimPoint:
        """Return the first point, near a guess."""
        task = self._closed(self.begin)
        point = self.at(self.begin, task.start(guess))
        if task.trim.moving:
            require_solution(task, self._without(point))
        return point

    def at(self, value: float, near: TrimPoint) -> TrimPoint:
        """Return the point with a value, from one without it among the unknowns."""
        task = self._closed(value)
        point, _ = solve(task.trim, near)
        if not _holds(task, point):
            raise StateError(
                f"No point with {self.over} = {value:g} was found to begin with. Give a guess near one: see "
                "gs.equilibrium and gs.steady_motion."
            )
        if self._among is None:
            return point
        return replace(point, values=np.insert(point.values, self._among, value))

    def _without(self, point: TrimPoint) -> TrimPoint:
        """Return a point without the parameter of the branch among the values solved for."""
        return point if self._among is None else replace(point, values=np.delete(point.values, self._among))

    def _at_value(self, value: float, near: TrimPoint) -> TrimPoint | None:
        """Return the point with a value, near one that has nearly that value."""
        start = self._without(near)
        if self._among is None:
            u = near.u.copy()
            u[self._open.system.speed_names.index(self.over)] = value
            start = replace(near, u=u)
        try:
            return self.at(value, start)
        except StateError:
            return None

    # --- following ----------------------------------------------------------------------------------------------

    def follow(self, first: TrimPoint, points: int) -> Branch:
        """Return the branch from a point, with folds and changes of stability located."""
        self._step = abs(self.end - self.begin) / max(points, 1)
        trail = self._follower.follow(Station(first, self._first_direction(first)), _POINT_RATIO * points)
        ended = ""
        if trail.stop is StopReason.NO_STEP:
            ended = (
                f"it ends at {self.over} = {self.parameter(trail.stations[-1].point):.6g}: no further step converges"
            )
        return self._branch(trail, ended)

    def longest(self, station: Station[TrimPoint]) -> float:
        """Return the step that changes the parameter by its range over the number of points; less at folds."""
        place = self._place
        share = max(abs(station.tangent[place]), _SMALLEST_SHARE) * self._open.trim.scales(station.point)[place]
        return float(self._step / share)

    def advanced(self, station: Station[TrimPoint], length: float) -> Station[TrimPoint] | None:
        """Return the station after a step; None where Newton's method fails."""
        trim = self._open.trim
        try:
            ahead = trim.moved(station.point, length * station.tangent * trim.scales(station.point))
            found, converged = solve(trim, ahead)
            if not converged or not _holds(self._open, found):
                return None
            least = trim.linear(found)
        except StateError:
            return None
        onward = least.null_space @ (least.null_space.T @ station.tangent)
        size = float(np.linalg.norm(onward))
        return Station(found, onward / size) if size > 0.0 else None

    def landed(self, value: float, before: Station[TrimPoint], after: Station[TrimPoint]) -> Station[TrimPoint]:
        """Return the station at a value of the parameter; the one after the step where Newton's method fails."""
        side = self.parameter(before.point) < value
        near = self._follower.located(before, lambda there: (self.parameter(there.point) < value) == side)
        found = self._at_value(value, near.point)
        return after if found is None else Station(found, after.tangent)

    def closes(self, stations: Sequence[Station[TrimPoint]]) -> bool:
        """Return False: a branch ends where it began only at a bound."""
        del stations
        return False

    def _first_direction(self, first: TrimPoint) -> Floats:
        """Return the direction of the branch that changes its parameter, towards its end."""
        trim = self._open.trim
        least = trim.linear(first)
        share = least.null_space[self._place]
        if not np.linalg.norm(share) > 1e-9:
            raise StateError(
                f"At {self.over} = {self.begin:g} the branch has no continuation: it is a fold, or {self.over!r} has "
                "no influence. Begin elsewhere."
            )
        direction = least.null_space @ share / np.linalg.norm(share)
        if not trim.generators:  # rotated axes give other speeds for the same relative equilibrium
            self._require_single(least.null_space, direction)
        return np.asarray(direction * np.sign(self.end - self.begin))

    def _require_single(self, free: Floats, direction: Floats) -> None:
        """Raise an error if speeds or unknowns could change in other ways as well."""
        trim, system = self._open.trim, self._open.system
        names = [*np.array(system.speed_names)[trim.open_speeds].tolist(), *trim.solved]
        others = free - np.outer(direction, direction @ free)
        shares = np.abs(others[len(system.speed_names) :][: len(names)]).max(axis=1, initial=0.0)
        varying = [repr(name) for name, share in zip(names, shares, strict=True) if share > 1e-6 and name != self.over]
        if varying:
            raise StateError(
                f"At {self.over} = {self.begin:g} there is not one branch but a family of motions, not unique in "
                f"{', '.join(varying[:6])}. Choose their speeds, or fix coordinates."
            )

    def _beyond(self, point: TrimPoint) -> float | None:
        """Return the end that a point lies beyond, if it does."""
        value, (lower, upper) = self.parameter(point), self.within
        reached = (value - self.begin) / (self.end - self.begin) >= 1.0 - 1e-9
        return self.end if reached else lower if value < lower else upper if value > upper else None

    # --- special points -------------------------------------------------------------------------------------------

    def _branch(self, trail: Trail[TrimPoint], ended: str) -> Branch:
        points = [self._finished(station.point) for station in trail.stations]
        turns: list[Turn] = []
        for i, station in enumerate(trail.stations[:-1]):
            turns += [self._turn(TurnKind.FOLD, found.station) for found in trail.crossings if found.index == i]
            if _unstable(points[i]) != _unstable(points[i + 1]):
                turns.append(self._turn(TurnKind.STABILITY, self._stability_change(station, points[i : i + 2])))
        return Branch(self.over, tuple(points), tuple(turns), ended)

    def _stability_change(self, station: Station[TrimPoint], pair: Sequence[OperatingPoint]) -> Station[TrimPoint]:
        unstable = self._growing_as_in(pair)
        first = unstable(station)
        return self._follower.located(station, lambda there: unstable(there) == first)

    def _turn(self, kind: TurnKind, station: Station[TrimPoint]) -> Turn:
        return Turn(kind, self.parameter(station.point), self._finished(station.point))

    def _finished(self, point: TrimPoint) -> OperatingPoint:
        return self._closed(self.parameter(point)).finished(self._without(point))

    def _growing_as_in(self, pair: Sequence[OperatingPoint]) -> Callable[[Station[TrimPoint]], bool]:
        """Return the test of instability between a stable and an unstable point: the sign of the largest real part.

        If the stable one is undamped, that sign is a rounding error, and the verdict is used instead.
        """
        first, second = (point.stability.eigenvalues if point.stability else np.zeros(0) for point in pair)
        zeros = int((first == 0.0).sum())
        damped = (
            all(abs(_growth(point.stability)) > _GROWTH_ROUNDING for point in pair) and zeros == (second == 0.0).sum()
        )

        def unstable(station: Station[TrimPoint]) -> bool:
            task = self._closed(self.parameter(station.point))
            here = self._without(station.point)
            return task.growth(here, zeros) > 0.0 if damped else _is_unstable(task.stability(here))

        return unstable


def _holds(task: Task, point: TrimPoint) -> bool:
    """Return whether a point is balanced and satisfies all constraints."""
    return not task.unsettled(point) and task.missed(point) is None


def _unstable(point: OperatingPoint) -> bool:
    return _is_unstable(point.stability)


def _is_unstable(stability: Stability | None) -> bool:
    return stability is not None and stability.verdict is Verdict.UNSTABLE


def _growth(stability: Stability | None) -> float:
    """Return the largest real part of the eigenvalues that are not zero (1/s)."""
    values = stability.eigenvalues if stability is not None else np.zeros(0)
    moving = values[values != 0.0]
    return float(moving.real.max()) if len(moving) else 0.0
