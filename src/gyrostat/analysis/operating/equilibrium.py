"""Static equilibria: positions at which a mechanism stays at rest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.operating.at_rest import at_rest, in_original
from gyrostat.analysis.operating.contact_equilibrium import contact_equilibrium
from gyrostat.analysis.operating.equilibria import distinct, random_starts
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.rattling import Rattling
from gyrostat.analysis.operating.rope_settling import settled_row
from gyrostat.analysis.operating.task import Conditions, Task
from gyrostat.analysis.operating.trim import TrimPoint
from gyrostat.analysis.simulation.rope_rest import rest_of
from gyrostat.analysis.simulation.ropes import frictionless_tables
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.held_bristles import described, yielding_bristles
from gyrostat.analysis.variations.operating_point import OperatingPoint, moving_driver
from gyrostat.analysis.variations.steadiness import (
    changing_states,
    driver_moves,
    listed,
    listed_rates,
    require_constant_masses,
    unbalanced,
)
from gyrostat.closing.null_space import null_space, unit_rows
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.model.forces import RopeElement
from gyrostat.system import System, system_of

GUESS_DISTANCE, INITIAL_DISTANCE = 0.7, 1e-3
"""The largest distance of an equilibrium of any kind from a guess, or from the initial position: radians, or sizes."""

SETTLING_STEPS = 400
LONGEST_SETTLING = 0.3
"""The longest step of settling: radians, or sizes of the mechanism."""
SETTLING_TOLERANCE = 1e-7
"""The step, in the same units, at which the mechanism is at rest."""


def equilibrium(
    system: System | Model,
    guess: Mapping[str, object] | None = None,
    *,
    guesses: Iterable[Mapping[str, object]] = (),
    search: int = 0,
    fixed: Mapping[str, object] | None = None,
    solve_for: Sequence[str] = (),
    inputs: Mapping[str, object] | None = None,
    parameters: Mapping[str, object] | None = None,
    t: float = 0.0,
) -> OperatingPoint:
    """Return the static equilibrium near a guess, with its stability.

    Coordinates that are not guessed begin at the model's initial values. An equilibrium near a guess is found whether
    stable or not; where none is near, and without a guess, the mechanism settles, as under heavy damping. With further
    `guesses`, or a `search` from so many random positions, all distinct equilibria that were found are in `.all`, this
    one first. Coordinates in `fixed` keep their values; then inputs or parameters in `solve_for` are found along, such
    as the torque that holds an arm. Rigid contacts are examined at the guess itself: their loads, which may be
    statically indeterminate, are among the inputs of the point. A delayed value is that of its signal; a sampled block
    holds the value that its formula keeps.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> print(gs.equilibrium(model, guess={"a1": 0.1}))
    Equilibrium of 'pendulum'
      a1  0 rad
      stable: strict minimum of the potential energy.
    """
    system = system_of(system)
    if system.rigid_contacts:
        if bool(solve_for or fixed or search) or any(True for _ in guesses):
            raise StateError(
                "An equilibrium with rigid contacts is that of one position, guess={…}: fixed, solve_for, search and "
                "further guesses are not for it. Leave them out."
            )
        return contact_equilibrium(system, guess, inputs, parameters, t)
    original, system = system, at_rest(system)
    driver = moving_driver(system, t, parameters)
    if driver is not None:
        raise StateError(driver_moves(driver))
    task = Task.of(Conditions(system, False, None, solve_for, fixed, inputs, parameters, t))
    starts = [_by_name(one) for one in guesses]
    if guess is not None or not starts:
        starts.insert(0, _by_name(guess))
    for start in starts:
        _refuse_speeds(system, start)
    begins = [(task.start(start), GUESS_DISTANCE if start else INITIAL_DISTANCE) for start in starts]
    found, failures = _all_near(task, begins)
    found += _from_random_positions(task, begins[0][0], search)
    if not found:
        raise failures[0]
    kept = distinct(found)
    require_constant_masses(kept[0])
    notes = (f"{len(failures)} of {len(starts)} guesses led to no equilibrium",) if failures else ()
    return in_original(original, replace(kept[0], others=tuple(kept[1:]), notes=(*kept[0].notes, *notes)))


def _by_name(guess: Mapping[str, object] | None) -> dict[str, object]:
    if guess is not None and not isinstance(guess, Mapping):
        raise StateError(f"The guess is {guess!r:.60}. Give values by name, such as guess={{'a1': 0.1}}.")
    return dict(guess or {})


def _all_near(task: Task, begins: Iterable[tuple[TrimPoint, float]]) -> tuple[list[OperatingPoint], list[StateError]]:
    """Return the equilibria near some starts, each with the distance that counts as near, and the failures."""
    found: list[OperatingPoint] = []
    failures: list[StateError] = []
    for begin, distance in begins:
        try:
            found.append(_near(task, begin, distance))
        except StateError as error:
            failures.append(error)
    return found, failures


def _from_random_positions(task: Task, begin: TrimPoint, count: int) -> Iterator[OperatingPoint]:
    """Yield the equilibria that are found from so many random positions."""
    for q in random_starts(task.trim.dynamics(begin), count):
        try:
            yield _any(task, TrimPoint(q, np.zeros(task.system.coordinates.n_u), task.values, begin.z))
        except StateError:
            continue


def _refuse_speeds(system: System, guess: Mapping[str, object]) -> None:
    speed = next((name for name in guess if name in system.speed_names), None)
    if speed is not None:
        raise StateError(f"{speed!r} is a speed, which is zero in an equilibrium. Guess coordinates only.")


def _near(task: Task, start: TrimPoint, distance: float) -> OperatingPoint:
    """Return the equilibrium near a position; where none is near, the one that the mechanism settles in."""
    dynamics = task.trim.dynamics(start)
    start = replace(start, q=dynamics.regular(start.q))
    point, _ = solve(task.trim, start)
    lacking = _lacking(task, point)
    if not lacking and np.abs(point.q - start.q).max(initial=0.0) <= distance * max(1.0, task.system.model_size):
        return task.finished(point)
    held = dynamics.motion_matrix(start.q)[list(task.trim.fixed)]
    q, z = _settled(task, start, held)
    at_rest = replace(start, q=q, z=z)
    other, _ = solve(task.trim, at_rest)
    if not _lacking(task, other):
        return task.finished(other)
    if not lacking:
        return task.finished(point)
    reason = _slipping(task, point) or _lacking(task, at_rest) or lacking
    raise StateError(f"No equilibrium of {task.system.model.name!r} was found: {reason}")


def _settled(task: Task, start: TrimPoint, held: Floats) -> tuple[Floats, Floats]:
    """Return a position at which the mechanism has settled, and its states; ropes of nodes stay on their pulleys."""
    system, trim = task.system, task.trim
    dynamics = trim.dynamics(start)
    if not len(held) and not len(start.values) and rest_of(system) is not None:
        values = system.parameter_values(dynamics.parameters)
        ropes = frictionless_tables(system, dict(zip(system.model.parameters, values, strict=True)))
        assert ropes is not None, "there are ropes"
        state = StateParts(start.q, 0.0 * start.u, start.z)
        found = settled_row(system, ropes, system.row.of(dynamics.t, state, values, dynamics.inputs))
        if not isinstance(found, str):
            return found[system.row.q], start.z
    return settled(dynamics, start.q, held)


def _any(task: Task, start: TrimPoint) -> OperatingPoint:
    """Return any equilibrium that a position leads to, stable or not."""
    point, _ = solve(task.trim, start)
    if _lacking(task, point):
        return _near(task, start, GUESS_DISTANCE)
    return task.finished(point)


def _lacking(task: Task, point: TrimPoint) -> str:
    """Return the reason why a point is no equilibrium, and a remedy; empty if it is one."""
    trim = task.trim
    dynamics = trim.dynamics(point)
    loads = unbalanced(dynamics, point.q, point.u)
    if not loads and (changing := changing_states(dynamics, point.q, point.u)):
        return f"{listed_rates(task.system, changing)}. Give another guess of the states, or inputs at which they rest."
    if not loads and (slipping := _slipping(task, point)):
        return slipping
    if loads:
        remedy = "Give another guess, or search=20 for random starts; a body that nothing holds has no equilibrium."
        if trim.fixed or trim.aims:
            remedy = "Fixed values need loads that hold them: name inputs or parameters in solve_for, or fix fewer."
        return f"loads stay unbalanced in {listed(task.system, loads)}. {remedy}"
    missed = task.missed(point)
    return "" if missed is None else f"{missed[0]!r} stays open by {missed[1]:.4g}. Give another guess."


def _slipping(task: Task, point: TrimPoint) -> str:
    """Return at which contact a point needs more friction than bristles hold at rest; empty if at none."""
    yielding = yielding_bristles(task.trim.dynamics(point))
    return described(yielding) if yielding else ""


# --- settling -------------------------------------------------------------------------------------------------------


def settled(dynamics: Dynamics, q: Floats, held: Floats | None = None) -> tuple[Floats, Floats]:
    """Return a position at which the mechanism has settled under heavy damping, or the last one, and the states there.

    Displacements follow the accelerations from rest: downhill, in the metric of the masses. Steps are implicit and grow
    where the loads fade, so that near the end they are Newton's; rattling about a kink ends them. `held` are rows of
    displacements that stay zero. Of the states, shifts of ropes move along with the displacements, since ropes stick to
    sheaves; the others are kept.
    """
    still = np.zeros(len(dynamics.scales))
    carried = _carried_states(dynamics.system)
    now, rattling = q, Rattling()
    step, longest = _first_step(dynamics, q), min(LONGEST_SETTLING, dynamics.longest_in_contact)
    for _ in range(SETTLING_STEPS):
        found = dynamics.acceleration_jacobian(now, still)
        if rattling.is_rattling(found.udot / dynamics.scales):
            break
        basis = _free_basis(dynamics, now, held)
        mass = basis.T @ dynamics.mass_matrix(now)
        inverse = np.linalg.solve(mass @ basis, mass) if basis.shape[1] else basis.T
        along = dynamics.state_jacobian(now, still).by_speed * carried[:, None] if carried.any() else None
        by_position = found.by_position if along is None else found.by_position + found.by_state @ along
        pull, stiffness = inverse @ found.udot, inverse @ by_position @ basis
        growth = float(np.linalg.eigvals(stiffness).real.max(initial=0.0))
        step = min(step, 0.5 / growth) if growth > 0.0 else step
        change = basis @ np.linalg.solve(np.eye(len(pull)) / step - stiffness, pull)
        length = float(np.abs(change / dynamics.scales).max(initial=0.0))
        if length <= SETTLING_TOLERANCE and growth <= 0.0:
            break
        if length > longest:
            change, step = change * (longest / length), step * 0.5
        else:
            step *= 3.0
        try:
            now = dynamics.closed(dynamics.moved(now, change))
            dynamics = dynamics if along is None else replace(dynamics, z=dynamics.z + along @ change)
        except StateError:
            step *= 0.1
    return now, dynamics.z


def _carried_states(system: System) -> Floats:
    """Return 1 for each state that displacements change in proportion, such as the shift of a rope, else 0."""
    shifts = {one.name for rope in system.ropes if isinstance(rope, RopeElement) for one in rope.state_variables}
    return np.array([float(name in shifts) for name in system.state_names])


def _first_step(dynamics: Dynamics, q: Floats) -> float:
    udot = dynamics.accelerations(q, np.zeros(len(dynamics.scales)))
    return 0.1 / max(1e-6, float(np.abs(udot / dynamics.scales).max(initial=0.0)))


def _free_basis(dynamics: Dynamics, q: Floats, held: Floats | None) -> Floats:
    """Return the displacements that constraints and held rows allow."""
    basis = dynamics.tangent(q)
    return basis if held is None or not len(held) else basis @ null_space(unit_rows(held @ basis))
