"""A path: a branch of operating points as it grows, step by step along the direction of equilibria."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.operating.branch import Branch, Turn, TurnKind
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.steady_motion import require_solution
from gyrostat.analysis.operating.task import Task
from gyrostat.analysis.operating.trim import TrimPoint
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.analysis.variations.steadiness import unbalanced
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_BISECTIONS = 34
_SHORTEST = 1e-5
"""The shortest step that is tried, relative to the first."""
_STRAIGHT = 0.95
"""The least cosine between the directions of the branch at neighbouring points."""
_STEEPEST = 0.2
_CLEAR = 1e-6
"""The least real part (1/s) beyond rounding errors."""
_MOST = 20
"""How many times the points that were asked for are made at most."""


class _Step(NamedTuple):
    """A point of a branch, the direction in which it goes on, and the length of the step that follows."""

    point: TrimPoint
    direction: Floats
    length: float


class Path:
    """A branch as it grows, with its parameter as a further unknown of the task.

    A step along its tangent is corrected by least changes, which are at right angles to it.
    """

    def __init__(
        self, over: str, task: Callable[[float | None], Task], begin: float, end: float, within: tuple[float, float]
    ) -> None:
        self.over, self.begin, self.end, self.within = over, begin, end, within
        self._closed, self._open = task, task(None)
        solved = self._open.trim.solved
        self._among = solved.index(over) if over in solved else None
        self.steps: list[_Step] = []
        self.ended = ""

    # --- points -------------------------------------------------------------------------------------------------

    def value(self, point: TrimPoint) -> float:
        """Return the parameter of the branch at a point."""
        names = self._open.system.speed_names
        return float(point.u[names.index(self.over)] if self._among is None else point.values[self._among])

    @property
    def _place(self) -> int:
        """The place of the parameter of the branch among the unknowns."""
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
        return TrimPoint(point.q, point.u, np.insert(point.values, self._among, value))

    def _without(self, point: TrimPoint) -> TrimPoint:
        """Return a point without the parameter of the branch among the values solved for."""
        return point if self._among is None else replace(point, values=np.delete(point.values, self._among))

    def _crossing(self, value: float, point: TrimPoint, direction: Floats, length: float) -> TrimPoint:
        """Return the point near which a step crosses a value, by bisection."""
        low, high, found = 0.0, length, point
        side = self.value(point) < value
        for _ in range(_BISECTIONS):
            there = self._after(point, direction, 0.5 * (low + high))
            if there is not None and (self.value(there.point) < value) == side:
                low, found = 0.5 * (low + high), there.point
            else:
                high = 0.5 * (low + high)
        return found

    def _landed(self, value: float, near: TrimPoint) -> TrimPoint | None:
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

    def follow(self, first: TrimPoint, points: int) -> None:
        """Go on until an end is reached, or no step leads on."""
        direction = self._first_direction(first)
        longest = self._longest(first, direction, points)
        length, point = longest, first
        while len(self.steps) < _MOST * points:
            after = self._after(point, direction, length)
            if after is None:
                length /= 2
                if length < _SHORTEST * longest:
                    self.ended = f"it ends at {self.over} = {self.value(point):.6g}: no step leads on"
                    break
                continue
            last = self._beyond(after.point)
            landed = None if last is None else self._landed(last, self._crossing(last, point, direction, length))
            self.steps.append(_Step(point, direction, length))
            point, direction = (landed, after.direction) if landed is not None else (after.point, after.direction)
            if last is not None:
                break
            length = min(1.5 * length, self._longest(point, direction, points))
        self.steps.append(_Step(point, direction, 0.0))

    def _longest(self, point: TrimPoint, direction: Floats, points: int) -> float:
        """Return the length of a step that changes the parameter by a part of its range; less at folds."""
        share = max(abs(direction[self._place]), _STEEPEST) * self._open.trim.scales(point)[self._place]
        return float(abs(self.end - self.begin) / max(points, 1) / share)

    def _first_direction(self, first: TrimPoint) -> Floats:
        """Return the direction of the branch that changes its parameter, towards its end."""
        trim = self._open.trim
        least = trim.linear(first)
        share = least.open[self._place]
        if not np.linalg.norm(share) > 1e-9:
            raise StateError(
                f"At {self.over} = {self.begin:g} the branch does not go on: it is a fold, or {self.over!r} has no "
                "influence. Begin elsewhere."
            )
        direction = least.open @ share / np.linalg.norm(share)
        if not trim.generators:  # rotated axes give other speeds for the same relative equilibrium
            self._require_single(least.open, direction)
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
                f"At {self.over} = {self.begin:g} there is not one branch but a family of motions: "
                f"{', '.join(varying[:6])} could be otherwise. Choose their speeds, or fix coordinates."
            )

    def _after(self, point: TrimPoint, direction: Floats, length: float) -> _Step | None:
        """Return the point after a step, with its direction; None where the step is too long."""
        trim = self._open.trim
        try:
            ahead = trim.moved(point, length * direction * trim.scales(point))
            found, converged = solve(trim, ahead)
            if not converged or not _holds(self._open, found):
                return None
            least = trim.linear(found)
        except StateError:
            return None
        onward = least.open @ (least.open.T @ direction)
        straight = float(np.linalg.norm(onward))
        return _Step(found, onward / straight, 0.0) if straight >= _STRAIGHT else None

    def _beyond(self, point: TrimPoint) -> float | None:
        """Return the end that a point lies beyond, if it does."""
        value, (lower, upper) = self.value(point), self.within
        reached = (value - self.begin) / (self.end - self.begin) >= 1.0 - 1e-9
        return self.end if reached else lower if value < lower else upper if value > upper else None

    # --- folds and stability --------------------------------------------------------------------------------------

    def branch(self) -> Branch:
        """Return the branch, with folds and changes of stability located."""
        points = [self._finished(step.point) for step in self.steps]
        turns: list[Turn] = []
        for i, (step, after) in enumerate(zip(self.steps, self.steps[1:], strict=False)):
            if self._rising(step) != self._rising(after):
                turns.append(self._located(TurnKind.FOLD, step, self._rising))
            if _unstable(points[i]) != _unstable(points[i + 1]):
                turns.append(self._located(TurnKind.STABILITY, step, self._growing_as_in(points[i : i + 2])))
        return Branch(self.over, tuple(points), tuple(turns), self.ended)

    def _finished(self, point: TrimPoint) -> OperatingPoint:
        return self._closed(self.value(point)).finished(self._without(point))

    def _growing_as_in(self, pair: Sequence[OperatingPoint]) -> Callable[[_Step], bool]:
        """Return a test for growth between a stable and an unstable point: by the sign of the largest real part.

        Where the stable one is undamped this sign is that of a rounding error, and the verdict is taken instead.
        """
        first, second = (point.stability.eigenvalues if point.stability else np.zeros(0) for point in pair)
        zeros = int((first == 0.0).sum())
        damped = all(abs(_growth(point.stability)) > _CLEAR for point in pair) and zeros == (second == 0.0).sum()

        def grows(step: _Step) -> bool:
            task = self._closed(self.value(step.point))
            here = self._without(step.point)
            return task.growth(here, zeros) > 0.0 if damped else _is_unstable(task.stability(here))

        return grows

    def _rising(self, step: _Step) -> bool:
        """Tell whether the parameter grows along the branch."""
        return bool(step.direction[self._place] > 0.0)

    def _located(self, kind: TurnKind, step: _Step, test: Callable[[_Step], bool]) -> Turn:
        """Return where along a step something changes, by bisection."""
        low, high, found = 0.0, step.length, step
        first = test(step)
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            there = self._after(step.point, step.direction, middle)
            if there is not None:
                found = there
            if there is not None and test(there) == first:
                low = middle
            else:
                high = middle
        return Turn(kind, self.value(found.point), self._finished(found.point))


def _holds(task: Task, point: TrimPoint) -> bool:
    """Tell whether a point is in balance and obeys all constraints."""
    dynamics = task.trim.dynamics(point.values)
    rotation = task.trim.rotation(point.values)
    return not unbalanced(dynamics, point.q, point.u, rotation) and task.missed(point) is None


def _unstable(point: OperatingPoint) -> bool:
    return _is_unstable(point.stability)


def _is_unstable(stability: Stability | None) -> bool:
    return stability is not None and stability.verdict is Verdict.UNSTABLE


def _growth(stability: Stability | None) -> float:
    """Return the largest real part of the eigenvalues that are not zero (1/s)."""
    values = stability.eigenvalues if stability is not None else np.zeros(0)
    moving = values[values != 0.0]
    return float(moving.real.max()) if len(moving) else 0.0
