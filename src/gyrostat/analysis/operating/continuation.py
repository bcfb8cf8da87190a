"""Continuation of equilibria and steady motions over a parameter, an input or a speed, around folds too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from gyrostat.analysis.assembly.number import number
from gyrostat.analysis.operating.branch import Branch
from gyrostat.analysis.operating.path import Path
from gyrostat.analysis.operating.task import Conditions, Task
from gyrostat.analysis.variations.co_moving_axes import rotation_generators
from gyrostat.analysis.variations.input_values import input_values
from gyrostat.analysis.variations.operating_point import moving_driver
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.names import did_you_mean
from gyrostat.system import System, system_of


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
    fold it turns back, and ends at the value where it began, or where it leaves the range `within`. Speeds, fixed
    values and unknowns are as in `steady_motion`; without speeds, and with drivers at rest, the points are equilibria.
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
    system = system_of(system)
    moving = bool(speeds) or moving_driver(system, t, parameters) is not None
    conditions = Conditions(system, moving, speeds, solve_for, fixed, inputs, parameters, t)
    place = _place_of(over, conditions)
    begin = _first_value(over, place, conditions)
    if isinstance(to, bool) or not isinstance(to, (int, float, np.number)):
        raise StateError(f"The branch is to end at {over} = {to!r:.60}. Give one number: to=2.5.")
    if begin == to:
        raise StateError(f"{over!r} is {to:g} already. Give another value in `to`.")
    lower, upper = within or (min(begin, to), max(begin, to))
    if not lower <= begin <= upper or not lower <= to <= upper:
        raise StateError(f"The range within {lower:g} and {upper:g} does not hold {begin:g} and {to:g}. Widen it.")
    task = partial(_task, over, place, conditions)
    path = Path(over, task, begin, float(to), (lower, upper))
    try:
        first = path.first(guess)
    except StateError:
        if not moving or not rotation_generators(system):
            raise
        path = Path(over, partial(task, relative=True), begin, float(to), (lower, upper))
        first = path.first(guess)
    return path.follow(first, points)


_Place: TypeAlias = Literal["speeds", "inputs", "parameters"]
"""The conditions among which the parameter of a branch is."""


def _place_of(over: str, conditions: Conditions) -> _Place:
    """Return where the parameter of a branch belongs; an unknown name is an error."""
    system = conditions.system
    places: dict[_Place, Iterable[str]] = {
        "speeds": conditions.speeds or {},
        "inputs": system.inputs,
        "parameters": system.model.parameters,
    }
    for place, names in places.items():
        if over in names:
            return place
    have = [name for names in places.values() for name in names]
    raise StateError(f"There is no parameter, input or chosen speed {over!r}. {did_you_mean(over, have)}")


def _first_value(over: str, place: _Place, conditions: Conditions) -> float:
    """Return the value of the parameter at which a branch begins."""
    known = conditions.system.model.values(conditions.parameters)
    if place == "speeds":
        return number(over, (conditions.speeds or {})[over], known)
    if place == "inputs":
        return input_values(conditions.system, conditions.inputs, conditions.parameters, conditions.t)[over]
    return known[over]


def _task(over: str, place: _Place, conditions: Conditions, value: float | None, relative: bool = False) -> Task:
    """Return the task with a value of the parameter, or with it as a further unknown."""
    given = {name: kept for name, kept in (getattr(conditions, place) or {}).items() if name != over}
    if value is None:
        conditions = conditions._replace(solve_for=(*conditions.solve_for, over))
    else:
        given[over] = value
    if place == "speeds":
        conditions = conditions._replace(speeds=given)
    elif place == "inputs":
        conditions = conditions._replace(inputs=given)
    else:
        conditions = conditions._replace(parameters=given)
    return Task.of(conditions, relative=relative)
