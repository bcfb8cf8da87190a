"""Static equilibria: positions at which a mechanism stays at rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gyrostat.analysis.assemble import assemble
from gyrostat.analysis.initial_state import number, split_values
from gyrostat.analysis.operating.balance import moves, told, unbalanced
from gyrostat.analysis.operating.equilibria import distinct, random_starts
from gyrostat.analysis.operating.linear_motion import LinearMotion, stability_at_rest
from gyrostat.analysis.operating.neighbourhood import Neighbourhood
from gyrostat.analysis.operating.neutral import written
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.settling import settled
from gyrostat.analysis.operating.trim import Trim, TrimPoint, depends_on_time
from gyrostat.analysis.operating.unknowns import starting_values
from gyrostat.analysis.operating_point import (
    OperatingKind,
    OperatingPoint,
    input_values,
    moving_driver,
    point_of,
)
from gyrostat.errors import StateError
from gyrostat.model import Model
from gyrostat.pipeline import System, formulate
from gyrostat.pipeline.arguments import Floats


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

    Coordinates that are not guessed begin at the model's initial values. With further `guesses`, or a `search` from so
    many random positions, all distinct equilibria that were found are in `.all`, this one first. Coordinates in `fixed`
    keep their values; then inputs or parameters in `solve_for` are found along, such as the torque that holds an arm.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, -9.81, 0))
    >>> bar = model.add(gs.Body("bar", gs.rod(2, 1, along="y"), points={"top": (0, 0.5, 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top"))
    >>> print(gs.equilibrium(model, guess={"a1": 0.1}))
    Equilibrium of 'pendulum'
      a1  0 rad
      stable: the potential energy is least.
    """
    if isinstance(system, Model):
        system = formulate(system)
    driver = moving_driver(system, t, parameters)
    if driver is not None:
        raise StateError(moves(driver))
    task = _Task(system, fixed, tuple(solve_for), inputs, parameters, t)
    starts = [dict(guess or {})] if guess is not None or not guesses else []
    starts += [dict(one) for one in guesses]
    found: list[OperatingPoint] = []
    failure: StateError | None = None
    for start in starts:
        try:
            found.append(task.from_guess(start))
        except StateError as error:
            failure = failure or error
    for q in random_starts(task.around, search):
        try:
            found.append(task.from_position(q))
        except StateError:
            continue
    if not found:
        raise failure or StateError(f"No equilibrium of {system.model.name!r} was found.")
    kept = distinct(found)
    return replace(kept[0], others=tuple(kept[1:]))


class _Task:
    """What is asked for: the equations of an equilibrium, and where to begin."""

    def __init__(
        self,
        system: System,
        fixed: Mapping[str, object] | None,
        solve_for: tuple[str, ...],
        inputs: Mapping[str, object] | None,
        parameters: Mapping[str, object] | None,
        t: float,
    ) -> None:
        self.system, self.fixed, self.parameters, self.t = system, dict(fixed or {}), dict(parameters or {}), t
        acting = input_values(system, inputs, parameters)
        self.values = starting_values(system, solve_for, acting, self.parameters)
        kept, chords = split_values(system, fixed)
        known = system.model.values(parameters)
        places = system.coordinates.place_of
        self.trim = Trim(
            system,
            t,
            self.parameters,
            acting,
            moving=False,
            open_speeds=np.zeros(system.coordinates.n_u, dtype=bool),
            solved=solve_for,
            fixed={places[name][1]: number(name, value, known) for name, value in kept.items()},
            aims={name: number(name, value, known) for name, value in chords.items()},
        )
        self.around = self.trim.around(self.values)

    def from_guess(self, guess: Mapping[str, object]) -> OperatingPoint:
        """Return the equilibrium that a guess leads to."""
        speed = next((name for name in (*guess, *self.fixed) if name in self.system.speed_names), None)
        if speed is not None:
            raise StateError(f"{speed!r} is a speed, which is zero in an equilibrium. Give coordinates only.")
        rough = {name: value for name, value in guess.items() if name not in self.fixed}
        start = assemble(self.system, self.fixed, guess=rough, parameters=self.parameters, t=self.t)
        return self.from_position(start.q)

    def from_position(self, q: Floats) -> OperatingPoint:
        """Return the equilibrium that a position leads to: by Newton's method, else by letting it settle."""
        still = np.zeros(self.system.coordinates.n_u)
        start = TrimPoint(q, still, self.values)
        point, converged = solve(self.trim, start)
        if not converged or self._lacking(point):
            held = self.around.motion_matrix(q)[list(self.trim.fixed)]
            rest = settled(self.around, q, held)
            point, converged = solve(self.trim, replace(start, q=rest))
        lacking = self._lacking(point)
        if lacking:
            raise StateError(self._failure(point, lacking))
        return self._finished(point)

    def _lacking(self, point: TrimPoint) -> dict[str, float]:
        """Return unbalanced loads and open constraints, by name."""
        around = self.trim.around(point.values)
        loads = unbalanced(around, point.q, point.u)
        gaps = self.trim.residual(point)[len(point.u) :]
        if not loads and np.abs(gaps).max(initial=0.0) > 1e-8 * max(1.0, self.system.model_size):
            names = [row.name for row in self.system.constraints] if self.system.constrained else []
            names += [*self.trim.aims, *(self.system.coordinate_names[place] for place in self.trim.fixed)]
            worst = int(np.argmax(np.abs(gaps)))
            return {names[worst]: float(gaps[worst])}
        return loads

    def _failure(self, point: TrimPoint, lacking: dict[str, float]) -> str:
        name = self.system.model.name
        known = set(self.system.speed_names)
        if not known.issuperset(lacking):
            row, gap = next(iter(lacking.items()))
            return f"No equilibrium of {name!r} was found: {row!r} stays open by {abs(gap):.4g}. Give another guess."
        remedy = "Give another guess, or search=20 for random starts; a mechanism that nothing holds has none."
        if self.fixed:
            remedy = f"The fixed values need loads there: name inputs or parameters in solve_for. {remedy}"
        return f"No equilibrium of {name!r} was found: loads stay unbalanced in {told(self.system, lacking)}. {remedy}"

    def _finished(self, point: TrimPoint) -> OperatingPoint:
        """Return the operating point with stability and notes."""
        parameters, inputs = self.trim.acting(point.values)
        around = self.trim.around(point.values)
        found = point_of(
            self.system,
            point.q,
            point.u,
            t=self.t,
            parameters=parameters,
            inputs=inputs,
            kind=OperatingKind.EQUILIBRIUM,
        )
        motion = LinearMotion.of(around, point.q, point.u)
        family = motion.symmetries.shape[1] > 0 and _is_family(around, point.q, motion.symmetries)
        notes = []
        if family:
            said = "; ".join(written(self.system, motion.symmetries, around.scales))
            notes.append(f"neutral: nothing changes along {said}")
        if depends_on_time(around, point.q, point.u):
            notes.append(f"loads depend on time: this is the equilibrium at t = {self.t:g} s")
        return replace(found, stability=stability_at_rest(motion, family), notes=tuple(notes))


def _is_family(around: Neighbourhood, q: Floats, directions: Floats) -> bool:
    """Tell whether all given displacements lead to other equilibria, not only to first order."""
    still = np.zeros(len(around.scales))
    for column in directions.T:
        push = 0.05 * column / np.abs(column / around.scales).max()
        there = around.moved(q, push)
        if around.system.constrained:
            there = around.closer.closed(there)[0]
        drift = np.abs(around.accelerations(there, still) / around.scales).max(initial=0.0)
        slope = np.abs(around.slopes(there, still).along).max(initial=0.0)
        if drift > 1e-6 * max(slope, 1e-6):
            return False
    return True
