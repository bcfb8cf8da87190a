"""Assembly: coordinates and speeds that satisfy all constraints, from approximate initial values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.initial_state import initial_state, number, split_values
from gyrostat.closing.closing import Closer
from gyrostat.closing.mapped_state import mapped_state, motion_at
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.kinematics.singular_joints import idle_speeds, singular_coordinates_message
from gyrostat.model import Model
from gyrostat.once import cached_property
from gyrostat.system import System, formulate

_TRIALS = 24
_REACHED = 1e-9
"""Residual of an assembled position, relative to the size of the mechanism."""


@dataclass(frozen=True, eq=False)
class Assembly:
    """A state that satisfies all constraints, and the changes that were necessary."""

    system: System
    q: Floats
    u: Floats
    moved: Mapping[str, tuple[float, float]]
    """The changed coordinates and speeds by name: (from, to)."""
    open: float
    """Largest residual of the constraints (m, or rad)."""
    closer: Closer = field(repr=False)
    """The system with the parameters at that time."""

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Redundant constraints and singularities of the position or the coordinates; computed on first access."""
        return _notes(self.closer, self.q)

    @property
    def state(self) -> dict[str, float]:
        """The state by name, for simulate(…, initial=assembly.state)."""
        names = (*self.system.coordinate_names, *self.system.speed_names)
        return dict(zip(names, np.concatenate((self.q, self.u)).tolist(), strict=True))

    def __str__(self) -> str:
        head = f"Assembly of {self.system.model.name!r}: loops are open by {self.open:.1e}"
        lines = [f"  {name}: {old:.6g} → {new:.6g}" for name, (old, new) in self.moved.items()]
        return "\n".join([head, *(lines or ["  nothing moved"]), *(f"  {note}" for note in self.notes)])


def assemble(
    system: System | Model,
    fixed: Mapping[str, object] | None = None,
    *,
    guess: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    t: float = 0.0,
) -> Assembly:
    """Return a state that satisfies all constraints.

    Values in `fixed` are kept; those in `guess`, and the model's initial values, are the start of the iteration and
    select one of several positions; they change as little as possible. Names are those of coordinates and speeds of all
    joints, including loop-closing ones. Contradictory values and unreachable positions raise errors that name the
    constraints that are violated.

    >>> import gyrostat as gs
    >>> model = gs.Model("four-bar")
    >>> for name in ("crank", "coupler", "rocker"):
    ...     bar = model.add(gs.Body(name, gs.rod(1, 1, along="x"), points={"a": (-0.5, 0, 0), "b": (0.5, 0, 0)}))
    >>> hinges = [gs.Revolute("h1", "ground", "crank.a"), gs.Revolute("h2", "crank.b", "coupler.a")]
    >>> hinges += [gs.Revolute("h3", "coupler.b", "rocker.b"), gs.Revolute("h4", ("ground", (1, 0, 0)), "rocker.a")]
    >>> joints = [model.add(hinge) for hinge in hinges]
    >>> found = gs.assemble(model, {"h1": 1.0}, guess={"h2": -1.0})
    >>> [round(found.state[name], 6) for name in ("h1", "h2")]
    [1.0, -1.0]
    """
    if isinstance(system, Model):
        system = formulate(system)
    if not system.coordinates.are_joint_coordinates and _known_to_joints(system, {**(fixed or {}), **(guess or {})}):
        found = assemble(system.in_joint_coordinates, fixed, guess=guess, parameters=parameters, t=t)
        return _mapped(found, system, parameters, t)
    kept, chords = split_values(system, fixed)
    rough, hints = split_values(system, guess)
    twice = next((name for name in kept if name in rough), None)
    if twice is not None:
        raise StateError(f"{twice!r} is fixed and guessed as well. Leave one of them out.")
    q, u = initial_state(system, {**rough, **kept}, parameters)
    if not system.constrained:
        return Assembly(system, q, u, {}, 0.0, Closer(system, t, parameters))
    known = system.model.values(parameters)
    closer = Closer(system, t, parameters, {name: number(name, value, known) for name, value in chords.items()})
    closer.require_possible(q, u)
    free = _free(system, kept)
    position = _closed_position(closer, q, free, {**kept, **chords}, hints, known)
    speeds, left = closer.admissible_speeds(position, u, _free_speeds(system, kept))
    _refuse_speeds(system, left, kept, u)
    names = (*system.coordinate_names, *system.speed_names)
    pairs = zip(names, np.concatenate((q, u)), np.concatenate((position, speeds)), strict=True)
    moved = {name: (float(old), float(new)) for name, old, new in pairs if abs(old - new) > 1e-9}
    still = np.zeros(system.coordinates.n_u)
    opening = float(np.abs(closer.at(position, still).residuals).max(initial=0.0))
    return Assembly(system, position, speeds, moved, opening, closer)


def first_state(
    system: System, initial: Mapping[str, object] | None, parameters: Mapping[str, object] | None, t: float
) -> tuple[Floats, Floats]:
    """Return q and u that satisfy all constraints, from given values and the model's initial values."""
    if system.coordinates.are_joint_coordinates and not system.constrained:
        return initial_state(system, initial, parameters)
    found = assemble(system, initial, parameters=parameters, t=t)
    return found.q, found.u


def _known_to_joints(system: System, given: Mapping[str, object]) -> bool:
    """Return whether all given names are those of joints, which allows assembly in joint coordinates."""
    joints = system.in_joint_coordinates.coordinates
    own = [name for name in given if name in system.coordinates.place_of and name not in joints.place_of]
    return not own


def _mapped(found: Assembly, system: System, parameters: Mapping[str, object] | None, t: float) -> Assembly:
    """Convert an assembly in joint coordinates to the coordinates of a system."""
    q, u = mapped_state(found.system, system, found.q, found.u, t, parameters)
    closer = Closer(system, t, parameters)
    if not system.constrained:
        return Assembly(system, q, u, found.moved, 0.0, closer)
    q, _ = closer.closed(q)
    u, _ = closer.admissible_speeds(q, u)
    opening = float(np.abs(closer.at(q, np.zeros_like(u)).residuals).max(initial=0.0))
    return Assembly(system, q, u, found.moved, opening, closer)


def _free(system: System, kept: Mapping[str, object]) -> NDArray[np.bool_]:
    """Return a mask of the speeds whose coordinates are not fixed."""
    coordinates = system.coordinates
    held = {name for name in kept if coordinates.place_of[name][0] == "q"}
    free = [speed.removesuffix(".rate") not in held for speed in system.speed_names]
    for joint, layout in coordinates.joints.items():
        if any(name in held and name not in _rates(system) for name in layout.names):
            for i, speed in enumerate(system.speed_names):
                if speed.rpartition(".")[0] == joint and not speed.endswith(".rate"):
                    free[i] = False
    return np.array(free, dtype=bool)


def _rates(system: System) -> set[str]:
    """Return the coordinates whose rates are speeds."""
    return {speed.removesuffix(".rate") for speed in system.speed_names if speed.endswith(".rate")}


def _free_speeds(system: System, kept: Mapping[str, object]) -> NDArray[np.bool_]:
    return np.array([speed not in kept for speed in system.speed_names], dtype=bool)


def _closed_position(
    closer: Closer,
    q: Floats,
    free: NDArray[np.bool_],
    given: Mapping[str, object],
    hints: Mapping[str, object],
    known: Mapping[str, float],
) -> Floats:
    """Return the closed position nearest to the start; raise an error naming the open loops if none is found."""
    size = closer.system.model_size
    start = q
    if hints:
        toward = closer.aiming({name: number(name, value, known) for name, value in hints.items()})
        start, _ = toward.closed(q, free)
    found, left = closer.closed(start, free)
    if _open(left) <= _REACHED * size:
        return found
    rng = np.random.default_rng(0)
    reached: list[tuple[float, Floats]] = []
    for trial in range(_TRIALS):
        push = rng.normal(size=len(free)) * closer.scales * free * (0.2 + 0.1 * trial)
        candidate, rest = closer.closed(closer.moved(start, push), free)
        if _open(rest) <= _REACHED * size:
            reached.append((float(np.linalg.norm(candidate - start)), candidate))
    if reached:
        return min(reached, key=lambda pair: pair[0])[1]
    every = np.ones(len(free), dtype=bool)
    relaxed, rest = closer.without_aims.closed(start, every)
    change = np.abs(relaxed - start)
    if _open(rest) <= _REACHED * size and given and float(change.max(initial=0.0)) <= 1e-5 * max(size, 1.0):
        return relaxed  # the given values hold to the digits given
    raise StateError(_closing_failure(closer, left, given, closes=_open(rest) <= _REACHED * size))


def _open(left: Floats) -> float:
    return float(np.abs(left).max(initial=0.0))


def _closing_failure(closer: Closer, left: Floats, given: Mapping[str, object], *, closes: bool) -> str:
    system = closer.system
    rows = [*((row.owner, row.unit) for row in system.constraints), *((name, "") for name in closer.aims)]
    worst = int(np.argmax(np.abs(left)))
    owner, unit = rows[worst]
    gap = f"{abs(left[worst]):.4g} {'m' if unit == 'N' else 'rad'}"
    if closes and given:
        return (
            f"The values given for {_listed(given)} contradict each other: with them {owner!r} stays open by {gap}. "
            "Give fewer values, or pass some of them as guess=…."
        )
    return (
        f"The loops of {system.model.name!r} cannot be closed from here: {owner!r} stays open by at least {gap}. Check "
        "the lengths, or give a better guess for the position."
    )


def _refuse_speeds(system: System, left: Floats, kept: Mapping[str, object], u: Floats) -> None:
    scale = max(1.0, float(np.abs(u).max(initial=0.0))) * max(system.model_size, 1.0)
    if _open(left) > 1e-9 * scale:
        named = [name for name in kept if name in system.speed_names]
        rows = [row.owner for row in system.constraints]
        worst = int(np.argmax(np.abs(left)))
        owner = rows[worst] if worst < len(rows) else "a value"
        raise StateError(
            f"The speeds given for {_listed(named) or 'none'} contradict the constraints: {owner!r} would separate at "
            f"{_open(left):.4g} m/s or rad/s. Give fewer speeds."
        )


def _notes(closer: Closer, position: Floats) -> tuple[str, ...]:
    system = closer.system
    singular = _singular_coordinates(closer, position)
    if not system.constrained:
        return tuple(singular)
    rank = system.rank
    notes = [*singular, *(f"Redundant: {dependence}." for dependence in rank.dependences if rank.redundant)]
    if closer.without_aims.independent_rows(position) < rank.general:
        notes.append("The position is singular: constraints are fewer there than nearby.")
    return tuple(notes)


def _singular_coordinates(closer: Closer, position: Floats) -> list[str]:
    """Return a note on singular coordinates; none if a driver has no value, which is reported elsewhere."""
    still = np.zeros(closer.system.coordinates.n_u)
    try:
        idle = idle_speeds(motion_at(closer.system, position, still, closer.t, closer.parameters))
    except (ArithmeticError, ValueError):
        return []
    return [singular_coordinates_message(idle)] if idle else []


def _listed(names: Iterable[str]) -> str:
    return ", ".join(repr(name) for name in names)
