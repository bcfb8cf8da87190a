"""Continuation: how an equilibrium or steady motion changes with a parameter, an input or a speed, around folds too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.branch import Branch, Turn, TurnKind
from gyrostat.analysis.initial_state import number
from gyrostat.analysis.operating.balance import unbalanced
from gyrostat.analysis.operating.going_round import turning_generators
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.task import Task
from gyrostat.analysis.operating.trim import TrimPoint
from gyrostat.analysis.operating_point import OperatingPoint, input_values, moving_driver
from gyrostat.analysis.stability import Verdict
from gyrostat.analysis.steady_motion import demand_solution
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.names import did_you_mean
from gyrostat.pipeline import System, formulate
from gyrostat.pipeline.arguments import Floats

_BISECTIONS = 40
_SHORTEST = 1e-5
"""The shortest step that is tried, in terms of the first."""
_STRAIGHT = 0.95
"""The least cosine between the directions of the branch at neighbouring points."""
_STEEPEST = 0.2
_MOST = 20
"""How many times the points that were asked for are made at most."""


def continuation(
    system: System | Model,
    over: str,
    to: float,
    *,
    speeds: Mapping[str, object] | None = None,
    solve_for: Sequence[str] = (),
    fixed: Mapping[str, object] | None = None,
    guess: Mapping[str, object] | None = None,
    inputs: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    t: float = 0.0,
    points: int = 40,
    within: tuple[float, float] | None = None,
) -> Branch:
    """Return the branch of equilibria or steady motions over a parameter, an input or a chosen speed.

    It begins at the value that `over` has in `parameters`, `inputs`, `speeds` or the model, and ends at `to`; around a
    fold it turns back, and ends at the value where it began, or where it leaves the range `within`. What is chosen,
    fixed and solved for is as in `steady_motion`; without speeds, and with drivers at rest, the points are equilibria.
    Steps are about the range divided by `points`, shorter where the branch bends. Folds, and points where stability
    changes, are located.

    >>> import gyrostat as gs
    >>> model = gs.Model("bead on a hoop", gravity=(0, 0, -9.81), parameters={"rate": 3.0})
    >>> hoop = model.add(gs.Body("hoop", mass=1, inertia=(1, 1, 1)))
    >>> bead = model.add(gs.Body("bead", gs.point_mass(1), points={"centre": (0, 0, 0.5)}))
    >>> turn = model.add(gs.Revolute("turn", "ground", "hoop", driven="rate*t"))
    >>> angle = model.add(gs.Revolute("angle", "hoop", "bead.centre", axis="y"))
    >>> print(gs.continuation(model, over="rate", to=6.0, points=6))
    Branch of steady motions of 'bead on a hoop' over rate: 3 … 6, 7 points
      stability changes at rate = 4.42945
      3 … 4: stable
      4.5 … 6: unstable
    """
    if isinstance(system, Model):
        system = formulate(system)
    known = system.model.values(parameters)
    places = {"speeds": dict(speeds or {}), "inputs": system.inputs, "parameters": system.model.parameters}
    place = next((place for place, names in places.items() if over in names), None)
    if place is None:
        have = [name for names in places.values() for name in names]
        raise StateError(f"There is no parameter, input or chosen speed {over!r}. {did_you_mean(over, have)}")
    begin = {
        "speeds": lambda: number(over, (speeds or {})[over], known),
        "inputs": lambda: input_values(system, inputs, parameters)[over],
        "parameters": lambda: known[over],
    }[place]()
    if begin == to:
        raise StateError(f"{over!r} is {to:g} already. Give another value in `to`.")
    moving = bool(speeds) or moving_driver(system, t, parameters) is not None

    def task(value: float | None, going_round: bool) -> Task:
        """Return the task with a value of what the branch goes over, or with it as one more unknown."""
        given = {"speeds": dict(speeds or {}), "inputs": dict(inputs or {}), "parameters": dict(parameters or {})}
        given[place].pop(over, None)
        if value is not None:
            given[place][over] = value
        unknown = (*solve_for, over) if value is None else tuple(solve_for)
        return Task.of(
            system,
            moving=moving,
            solve_for=unknown,
            fixed=fixed,
            t=t,
            speeds=given["speeds"],
            inputs=given["inputs"],
            parameters=given["parameters"],
            going_round=going_round,
        )

    lower, upper = within or (min(begin, to), max(begin, to))
    if not lower <= begin <= upper or not lower <= to <= upper:
        raise StateError(f"The range within {lower:g} and {upper:g} does not hold {begin:g} and {to:g}. Widen it.")
    path = _Path(over, partial(task, going_round=False), begin, float(to), (lower, upper))
    try:
        first = path.first(guess)
    except StateError:
        if not moving or not turning_generators(system):
            raise
        path = _Path(over, partial(task, going_round=True), begin, float(to), (lower, upper))
        first = path.first(guess)
    path.follow(first, points)
    return path.branch()


class _Step(NamedTuple):
    """A point of a branch, the direction in which it goes on, and the length of the step that follows."""

    point: TrimPoint
    direction: Floats
    length: float


class _Path:
    """A branch as it grows, in a task where what it goes over is one more unknown.

    A step along the direction in which nothing is out of balance is corrected by least changes, which are across it.
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
        """Return what the branch goes over at a point."""
        names = self._open.system.speed_names
        return float(point.u[names.index(self.over)] if self._among is None else point.values[self._among])

    @property
    def _place(self) -> int:
        """Where what the branch goes over stands among the unknowns."""
        trim, names = self._open.trim, self._open.system.speed_names
        if self._among is None:
            return len(names) + int(trim.open_speeds[: names.index(self.over)].sum())
        return len(names) + int(trim.open_speeds.sum()) + self._among

    def first(self, guess: Mapping[str, object] | None) -> TrimPoint:
        """Return the first point, near a guess."""
        task = self._closed(self.begin)
        point = self.at(self.begin, task.start(guess))
        if task.trim.moving:
            demand_solution(task, self._without(point))
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
        """Return a point without what the branch goes over among the values solved for."""
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
        """Return the length of a step that changes what the branch goes over by a part of its range; less at folds."""
        share = max(abs(direction[self._place]), _STEEPEST) * self._open.trim.scales(point)[self._place]
        return float(abs(self.end - self.begin) / max(points, 1) / share)

    def _first_direction(self, first: TrimPoint) -> Floats:
        """Return the direction of the branch that changes what it goes over, towards its end."""
        trim = self._open.trim
        least = trim.linear(first)
        share = least.open[self._place]
        if not np.linalg.norm(share) > 1e-9:
            raise StateError(
                f"At {self.over} = {self.begin:g} the branch does not go on: it is a fold, or {self.over!r} has no "
                "influence. Begin elsewhere."
            )
        direction = least.open @ share / np.linalg.norm(share)
        if not trim.generators:  # of speeds that go round, some are otherwise in axes that are turned
            self._demand_single(least.open, direction)
        return np.asarray(direction * np.sign(self.end - self.begin))

    def _demand_single(self, free: Floats, direction: Floats) -> None:
        """Raise an error if speeds or unknowns could change in other ways as well."""
        trim, system = self._open.trim, self._open.system
        names = [*np.array(system.speed_names)[trim.open_speeds].tolist(), *trim.solved]
        others = free - np.outer(direction, direction @ free)
        shares = np.abs(others[len(system.speed_names) :][: len(names)]).max(axis=1, initial=0.0)
        said = [repr(name) for name, share in zip(names, shares, strict=True) if share > 1e-6 and name != self.over]
        if said:
            raise StateError(
                f"At {self.over} = {self.begin:g} there is not one branch but a family of motions: "
                f"{', '.join(said[:6])} could be otherwise. Choose their speeds, or fix coordinates."
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

    # --- what happens on the way ----------------------------------------------------------------------------------

    def branch(self) -> Branch:
        """Return the branch, with folds and changes of stability located."""
        points = [self._finished(step.point) for step in self.steps]
        turns: list[Turn] = []
        for i, (step, after) in enumerate(zip(self.steps, self.steps[1:], strict=False)):
            if self._rising(step) != self._rising(after):
                turns.append(self._located(TurnKind.FOLD, step, self._rising))
            if _unstable(points[i]) != _unstable(points[i + 1]):
                turns.append(self._located(TurnKind.STABILITY, step, lambda one: _unstable(self._finished(one.point))))
        return Branch(self.over, tuple(points), tuple(turns), self.ended)

    def _finished(self, point: TrimPoint) -> OperatingPoint:
        return self._closed(self.value(point)).finished(self._without(point))

    def _rising(self, step: _Step) -> bool:
        """Tell whether what the branch goes over grows along it."""
        return bool(step.direction[self._place] > 0.0)

    def _located(self, kind: TurnKind, step: _Step, tells: Callable[[_Step], bool]) -> Turn:
        """Return where along a step something changes, by bisection."""
        low, high, found = 0.0, step.length, step
        first = tells(step)
        for _ in range(_BISECTIONS):
            middle = 0.5 * (low + high)
            there = self._after(step.point, step.direction, middle)
            if there is not None:
                found = there
            if there is not None and tells(there) == first:
                low = middle
            else:
                high = middle
        return Turn(kind, self.value(found.point), self._finished(found.point))


def _holds(task: Task, point: TrimPoint) -> bool:
    """Tell whether a point is in balance and obeys all constraints."""
    around = task.trim.around(point.values)
    turning = task.trim.turning(point.values)
    return not unbalanced(around, point.q, point.u, turning) and task.missed(point) is None


def _unstable(point: OperatingPoint) -> bool:
    return point.stability is not None and point.stability.verdict is Verdict.UNSTABLE
