"""Assembly: coordinates and speeds that satisfy all constraints, from approximate initial values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.initial_state import initial_state, split_values
from gyrostat.analysis.assembly.number import number
from gyrostat.analysis.assembly.orientation import by_coordinates
from gyrostat.closing.closing import TRIALS, Closer
from gyrostat.closing.mapped_state import mapped_state, motion_at
from gyrostat.closing.rank import Rank, rank_at
from gyrostat.closing.reach import cannot_close, is_closed, largest_closure_residual, led_position, nearest_closed
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.kinematics.singular_joints import idle_speeds, singular_coordinates_message
from gyrostat.model import Model
from gyrostat.once import cached_property
from gyrostat.results.text_table import NotebookText
from gyrostat.system import System, system_of

_CORRECTION_LIMIT = 1e-5
"""The largest correction of given values, which may have few digits, relative to the size of the mechanism."""


@dataclass(frozen=True, eq=False)
class Assembly(NotebookText):
    """A state that satisfies all constraints, and the changes that were necessary."""

    system: System
    q: Floats
    u: Floats
    z: Floats
    """The state variables of components; constraints do not concern them."""
    moved: Mapping[str, tuple[float, float]]
    """The changed coordinates and speeds by name: (from, to)."""
    open: float
    """Largest residual of the constraints (m, or rad)."""
    closer: Closer = field(repr=False)
    """The system with the parameters at that time."""

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Redundant constraints and singularities of the position or the coordinates; computed on first access."""
        singular = _singular_coordinates(self.closer, self.q)
        return (*singular, *_notes(self.rank)) if self.system.constrained else tuple(singular)

    @cached_property
    def rank(self) -> Rank:
        """The rank of the constraints at this position and near it."""
        return rank_at(self.closer, self.q)

    @property
    def freedom(self) -> int:
        """The number of degrees of freedom, with loops by the rank of the constraints at this position and near it."""
        return self.system.coordinates.n_u - (self.rank.general if self.system.constrained else 0)

    @property
    def parts(self) -> StateParts:
        """Coordinates, speeds and state variables."""
        return StateParts(self.q, self.u, self.z)

    @property
    def state(self) -> dict[str, float]:
        """The state by name, for simulate(…, initial=assembly.state)."""
        return dict(zip(self.system.coordinates.place_of, np.concatenate(self.parts).tolist(), strict=True))

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
    system = system_of(system)
    return assembled(system, fixed, guess, parameters, t)


def assembled(
    system: System,
    fixed: Mapping[str, object] | None,
    guess: Mapping[str, object] | None,
    parameters: Mapping[str, object] | None,
    t: float,
    *,
    far: bool = True,
) -> Assembly:
    """Return what `assemble` does; unless `far`, positions that a search from random ones finds are left out."""
    fixed, guess = (by_coordinates(system, given) for given in (fixed, guess))
    if not system.coordinates.are_joint_coordinates and _known_to_joints(system, {**(fixed or {}), **(guess or {})}):
        found = assembled(system.in_joint_coordinates, fixed, guess, parameters, t, far=far)
        return _mapped(found, system, parameters, t)
    kept, chords = split_values(system, fixed)
    rough, hints = split_values(system, guess)
    twice = next((name for name in kept if name in rough), None)
    if twice is not None:
        raise StateError(f"{twice!r} is fixed and guessed as well. Leave one of them out.")
    q, u, z = initial_state(system, {**rough, **kept}, parameters)
    if not system.constrained:
        return Assembly(system, q, u, z, {}, 0.0, Closer(system, t, parameters))
    known = system.model.values(parameters)
    aims = {name: number(name, value, known) for name, value in chords.items()}
    closer = Closer(system, t, parameters, aims, _held(system, kept, q), trials=TRIALS if far else 0)
    closer.require_possible(q, u)
    free = _free(system, kept)
    own = initial_state(system, rough, parameters).q
    position = _closed_position(closer, (q, own), free, {**kept, **chords}, hints, known)
    moving = _free_speeds(system, kept)
    speeds, left = _closed_speeds(closer, position, u, moving)
    if not is_closed(closer, left):  # given speeds may ask for another branch than the nearest
        other = led_position(closer, own, q, free)
        position, speeds, left = _other_branch(closer, (position, speeds, left), other, u, moving)
    _refuse_speeds(closer, position, left, kept, u)
    names = (*system.coordinate_names, *system.speed_names)
    pairs = zip(names, np.concatenate((q, u)), np.concatenate((position, speeds)), strict=True)
    moved = {name: (float(old), float(new)) for name, old, new in pairs if abs(old - new) > 1e-9}
    still = np.zeros(system.coordinates.n_u)
    opening = float(np.abs(closer.at(position, still).residuals).max(initial=0.0))
    return Assembly(system, position, speeds, z, moved, opening, closer)


def _other_branch(
    closer: Closer, found: tuple[Floats, Floats, Floats], other: Floats | None, u: Floats, moving: NDArray[np.bool_]
) -> tuple[Floats, Floats, Floats]:
    """Return position, speeds and what remains of them on another branch, if its speeds satisfy the constraints."""
    if other is None:
        return found
    speeds, left = _closed_speeds(closer, other, u, moving)
    return (other, speeds, left) if is_closed(closer, left) else found


_FIRST_STATE = "first state"


def first_state(
    system: System, initial: Mapping[str, object] | None, parameters: Mapping[str, object] | None, t: float
) -> StateParts:
    """Return the state that satisfies all constraints, from given values and the model's initial values.

    From the model's own values it is found once for the parameters used last.
    """
    if system.coordinates.are_joint_coordinates and not system.constrained:
        return initial_state(system, by_coordinates(system, initial), parameters)
    if initial:
        return assemble(system, initial, parameters=parameters, t=t).parts
    given = t, system.parameter_values(parameters).tobytes()
    known: tuple[tuple[float, bytes], StateParts] | None = system.cache.get(_FIRST_STATE)
    if known is None or known[0] != given:
        known = given, assemble(system, parameters=parameters, t=t).parts
        system.cache.keep(_FIRST_STATE, known)
    return known[1].copy()


def _known_to_joints(system: System, given: Mapping[str, object]) -> bool:
    """Return whether all given names are those of joints, which allows assembly in joint coordinates."""
    joints = system.in_joint_coordinates.coordinates
    own = [name for name in given if name in system.coordinates.place_of and name not in joints.place_of]
    return not own


def _mapped(found: Assembly, system: System, parameters: Mapping[str, object] | None, t: float) -> Assembly:
    """Convert an assembly in joint coordinates to the coordinates of a system."""
    q, u, z = mapped_state(found.system, system, found.parts, t, parameters)
    closer = Closer(system, t, parameters)
    if not system.constrained:
        return Assembly(system, q, u, z, found.moved, 0.0, closer)
    q, _ = closer.closed(q)
    u, _ = closer.admissible_speeds(q, u)
    opening = float(np.abs(closer.at(q, np.zeros_like(u)).residuals).max(initial=0.0))
    return Assembly(system, q, u, z, found.moved, opening, closer)


def _free(system: System, kept: Mapping[str, object]) -> NDArray[np.bool_]:
    """Return a mask of the speeds that are no rates of fixed coordinates."""
    return np.array([speed.removesuffix(".rate") not in kept for speed in system.speed_names], dtype=bool)


def _held(system: System, kept: Mapping[str, object], q: Floats) -> dict[str, float]:
    """Return the fixed coordinates whose rates are combinations of speeds, such as those of a free joint."""
    places, rates = system.coordinates.place_of, set(system.speed_names)
    return {n: float(q[places[n][1]]) for n in kept if places[n][0] == "q" and f"{n}.rate" not in rates}


def _free_speeds(system: System, kept: Mapping[str, object]) -> NDArray[np.bool_]:
    return np.array([speed not in kept for speed in system.speed_names], dtype=bool)


def _closed_position(
    closer: Closer,
    starts: tuple[Floats, Floats],
    free: NDArray[np.bool_],
    given: Mapping[str, object],
    hints: Mapping[str, object],
    known: Mapping[str, float],
) -> Floats:
    """Return the closed position nearest to the start; raise an error naming the open loops if none is found.

    `starts` are the coordinates with the given values, and without them.
    """
    q, own = starts
    start = q
    if hints:
        toward = closer.aiming({name: number(name, value, known) for name, value in hints.items()})
        start, _ = toward.closed(q, free)
    for moving in _rigid_first(closer.system, free):
        position, left = nearest_closed(closer, start, moving, own)
        if position is not None:
            return position
    relaxed, rest = closer.without_aims.closed(start)
    if not given or not is_closed(closer, rest):
        raise StateError(cannot_close(closer, left))
    missed = closer.at(relaxed, np.zeros(closer.system.coordinates.n_u)).residuals  # by values of chords as well
    if max(np.abs(relaxed - start).max(initial=0.0), np.abs(missed).max(initial=0.0)) <= _CORRECTION_LIMIT * max(
        closer.system.model_size, 1.0
    ):
        return relaxed  # the given values hold to the digits given
    raise StateError(_contradiction(closer, left, given))


def _closed_speeds(closer: Closer, q: Floats, u: Floats, free: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Return speeds that satisfy the constraints, those of deformation unchanged if possible, and the residuals."""
    for moving in _rigid_first(closer.system, free):
        speeds, left = closer.admissible_speeds(q, u, moving)
        if is_closed(closer, left):
            break
    return speeds, left


def _rigid_first(system: System, free: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
    """Return masks of the speeds that may change: without those of flexible bodies where there are any, then all."""
    elastic = {name for joint in system.topology.joints.values() if joint.flexible for name in joint.speed_names}
    rigid = np.array([name not in elastic for name in system.speed_names], dtype=bool)
    return [free] if rigid.all() else [free & rigid, free]


def _contradiction(closer: Closer, left: Floats, given: Mapping[str, object]) -> str:
    owner, gap = largest_closure_residual(closer, left)
    held = f"{owner!r} {'misses its value' if owner in {*closer.aims, *closer.held} else 'stays open'} by {gap}"
    if len(given) > 1:
        return (
            f"The values given for {_listed(given)} contradict each other: with them {held}. Give fewer values, or "
            "pass some of them as guess=…."
        )
    return (
        f"The value given for {_listed(given)} contradicts the constraints: with it {held}. Leave it out, or pass it "
        "as guess=…."
    )


def _refuse_speeds(closer: Closer, q: Floats, left: Floats, kept: Mapping[str, object], u: Floats) -> None:
    system = closer.system
    scale = max(1.0, float(np.abs(u).max(initial=0.0))) * max(system.model_size, 1.0)
    if float(np.abs(left).max(initial=0.0)) > 1e-9 * scale:
        named = [name for name in kept if name in system.speed_names]
        rows = [row.owner for row in system.constraints]
        worst = int(np.argmax(np.abs(left)))
        owner = rows[worst] if worst < len(rows) else "a value"
        rank = rank_at(closer, q)
        if rank.singular:
            raise StateError(
                f"The mechanism begins at a singular position, a dead point or one where branches of its motion meet: "
                f"{rank.general - rank.here} of {rank.general} constraints are lost there, and the other speeds do not "
                f"follow from those given for {_listed(named) or 'none'}. Begin beside that position."
            )
        raise StateError(
            f"The speeds given for {_listed(named) or 'none'} contradict the constraints: {owner!r} would separate at "
            f"{np.abs(left).max():.4g} m/s or rad/s. Give fewer speeds."
        )


def _notes(rank: Rank) -> list[str]:
    notes = [f"Redundant: {dependence}." for dependence in rank.dependences if rank.redundant]
    if rank.singular:
        notes.append("The position is singular: constraints are fewer there than nearby.")
    return notes


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
