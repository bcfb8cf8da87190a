"""Tasks: conditions that define an equilibrium, steady motion or relative equilibrium to be found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.assemble import Assembly, assembled
from gyrostat.analysis.assembly.constraint_conditions import warn_of_conditions
from gyrostat.analysis.assembly.initial_state import split_values
from gyrostat.analysis.assembly.number import number
from gyrostat.analysis.assembly.orientation import by_coordinates
from gyrostat.analysis.assembly.rope_paths import notes_at_rest
from gyrostat.analysis.assembly.slopes import note_on_slopes
from gyrostat.analysis.operating.equilibria import written_directions
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.trim import Trim, TrimPoint
from gyrostat.analysis.variations.co_moving_axes import rotation_generators, speed_rotation_rates
from gyrostat.analysis.variations.continuity import require_continuous
from gyrostat.analysis.variations.dynamics import Dynamics
from gyrostat.analysis.variations.flow import flow_at
from gyrostat.analysis.variations.held_bristles import yielding_bristles
from gyrostat.analysis.variations.input_values import input_values
from gyrostat.analysis.variations.operating_point import OperatingKind, OperatingPoint, point_of
from gyrostat.analysis.variations.reduction import singular_position
from gyrostat.analysis.variations.stability import Stability, Verdict
from gyrostat.analysis.variations.stability_criteria import (
    NO_FREEDOM,
    growth_of,
    neutral_directions,
    stability_at_rest,
    stability_of,
)
from gyrostat.analysis.variations.steadiness import changing_states, depends_on_time, unbalanced
from gyrostat.analysis.variations.steady_flow import steady_flow
from gyrostat.closing.null_space import null_space
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System

_SEARCH_DISTANCE = 0.05
"""Distance at which neighbouring equilibria are searched: radians, or sizes of the mechanism."""


class Conditions(NamedTuple):
    """The conditions on an operating point that a user sets."""

    system: System
    moving: bool
    """Whether a steady motion is searched, not an equilibrium."""
    speeds: Mapping[str, object] | None = None
    """Chosen speeds."""
    solve_for: Sequence[str] = ()
    """Speeds, inputs and parameters that are unknown."""
    fixed: Mapping[str, object] | None = None
    """Coordinates with given values."""
    inputs: Mapping[str, object] | None = None
    parameters: Mapping[str, object] | None = None
    t: float = 0.0


@dataclass(frozen=True, eq=False)
class Task:
    """The equations of an operating point, its chosen speeds, and the first values of unknown inputs and parameters."""

    trim: Trim
    chosen: Mapping[str, float]
    values: Floats

    @staticmethod
    def of(conditions: Conditions, *, relative: bool = False) -> Task:
        """Return the task of conditions. With `relative`, speeds may be constant in rotating axes alone."""
        system, moving, solve_for = conditions.system, conditions.moving, conditions.solve_for
        require_continuous(system)
        warn_of_conditions(system)
        fixed = by_coordinates(system, conditions.fixed)
        if conditions.speeds is not None and not isinstance(conditions.speeds, Mapping):
            raise StateError(f"The speeds are {conditions.speeds!r:.60}. Give values by name: {{'a1.rate': 2}}.")
        _refuse_names(system, conditions.speeds, fixed)
        changed = dict(conditions.parameters or {})
        known = system.model.values(changed)
        acting = input_values(system, conditions.inputs, changed, conditions.t)

        def numbers(given: Mapping[str, object]) -> dict[str, float]:
            return {name: number(name, value, known) for name, value in given.items()}

        own, rates_of_chords = split_values(system, conditions.speeds)
        kept, chords = split_values(system, fixed)
        chosen = numbers(own)
        sought = tuple(name for name in solve_for if name not in system.speed_names)
        places = system.coordinates.place_of
        trim = Trim(
            system,
            conditions.t,
            changed,
            acting,
            moving=moving,
            open_speeds=_open(system, chosen, solve_for) & moving,
            solved=sought,
            fixed={places[name][1]: value for name, value in numbers(kept).items()},
            aims=numbers({**chords, **rates_of_chords}),
            generators=rotation_generators(system) if relative else (),
        )
        return Task(trim, chosen, _starting_values(system, sought, acting, changed))

    @property
    def system(self) -> System:
        """The system."""
        return self.trim.system

    # --- start --------------------------------------------------------------------------------------------------

    def start(self, guess: Mapping[str, object] | None) -> TrimPoint:
        """Return the start of the search: guessed values, else the model's, brought to satisfy the constraints.

        Speeds that are neither chosen nor guessed begin at zero.
        """
        trim, system = self.trim, self.system
        guess = by_coordinates(system, guess)
        known = system.model.values(trim.parameters)
        states = {**system.coordinates.place_of, **dict.fromkeys(system.coordinates.chord_of)}
        values = self.values.copy()
        for name in (name for name in guess or {} if name not in states):
            if name not in trim.solved:
                have = [*system.coordinates.place_of, *trim.solved]
                raise StateError(
                    f"There is no coordinate, speed or unknown {name!r} to guess. {did_you_mean(name, have)}"
                )
            values[trim.solved.index(name)] = number(name, (guess or {})[name], known)
        parameters, _ = trim.acting(values)
        still = dict.fromkeys(system.speed_names, 0.0)
        rough = {**still, **{name: value for name, value in (guess or {}).items() if name in states}}
        kept = {system.coordinate_names[place]: value for place, value in trim.fixed.items()}
        kept |= {**trim.aims, **self.chosen} if system.constrained else self.chosen
        rough = {name: value for name, value in rough.items() if name not in kept}
        guessed = [name for name in guess or {} if name in rough]
        found = self._assembled(kept, rough, guessed, parameters)
        point = TrimPoint(found.q, found.u, values, found.z)
        if trim.generators:
            udot = trim.dynamics(point).accelerations(found.q, found.u)
            point = replace(point, values=np.append(values, speed_rotation_rates(system, found.u, udot)))
        return point

    def _assembled(
        self,
        kept: Mapping[str, object],
        rough: Mapping[str, object],
        guessed: Sequence[str],
        parameters: Mapping[str, object],
    ) -> Assembly:
        """Return a state that satisfies the constraints and keeps as many guessed values as possible, in order.

        Where not all can be kept, each is tried near the position with those before it.
        """

        def tried(firm: Sequence[str], *, far: bool = True) -> Assembly:
            loose = {name: value for name, value in rough.items() if name not in firm}
            held = {**kept, **{name: rough[name] for name in firm}}
            return assembled(self.system, held, loose, parameters, self.trim.t, far=far)

        try:
            return tried(guessed)
        except StateError:
            found = tried(())
        firm: tuple[str, ...] = ()
        for name in guessed:
            try:
                found, firm = tried((*firm, name), far=False), (*firm, name)
            except StateError:
                continue
        return found

    # --- solutions ----------------------------------------------------------------------------------------------

    def unsettled(self, point: TrimPoint) -> bool:
        """Tell whether loads are unbalanced at a point, or states change."""
        dynamics, rotation = self.trim.dynamics(point), self.trim.rotation(point.values)
        changing = unbalanced(dynamics, point.q, point.u, rotation) or changing_states(dynamics, point.q, point.u)
        return bool(changing or (not self.trim.moving and yielding_bristles(dynamics)))

    def missed(self, point: TrimPoint) -> tuple[str, float] | None:
        """Return the constraint, or the given value, with the largest residual at a point, and this residual."""
        trim, system = self.trim, self.system
        residual = trim.residual(point)
        rows = residual[(2 if trim.moving else 1) * len(point.u) : len(residual) - len(point.z)]
        limit = 1e-8 * max(1.0, system.model_size) * max(1.0, float(np.abs(point.u).max(initial=0.0)))
        if np.abs(rows).max(initial=0.0) <= limit:
            return None
        owners = [row.owner for row in system.constraints] if system.constrained else []
        rates = [name for name in trim.aims if name.endswith(".rate")]
        names = [*owners, *(name for name in trim.aims if name not in rates)]
        names += [*(system.coordinate_names[place] for place in trim.fixed), *owners, *rates]
        worst = int(np.argmax(np.abs(rows)))
        return names[worst], float(abs(rows[worst]))

    def finished(self, point: TrimPoint) -> OperatingPoint:
        """Return the operating point with stability and notes."""
        trim = self.trim
        found = self._operating_point(point)
        notes = self._open_choices(point)
        if bent := note_on_slopes(self.system, point.q[np.newaxis], self.system.model.values(found.parameters)):
            notes.append(bent)
        notes += notes_at_rest(self.system, point.q, trim.t, found.parameters, found.inputs)
        if trim.generators:
            notes.insert(0, "relative equilibrium: speeds are constant in axes that rotate at constant rates")
        if trim.moving:
            return replace(found, stability=_steady_stability(found), notes=tuple(notes))
        stability, neutral = self._rest_stability(point, found)
        if stability.family:
            directions = "; ".join(written_directions(self.system, neutral, trim.dynamics(point).scales))
            notes.append(f"nothing changes along {directions}")
        if depends_on_time(trim.dynamics(point), point.q, point.u):
            notes.append(f"loads depend on time: this is the equilibrium at t = {trim.t:g} s")
        return replace(found, stability=stability, notes=tuple(notes))

    def stability(self, point: TrimPoint) -> Stability:
        """Return the stability of a solution, as its linear model has it."""
        found = self._operating_point(point)
        return _steady_stability(found) if self.trim.moving else self._rest_stability(point, found)[0]

    def growth(self, point: TrimPoint, zeros: int) -> float:
        """Return the largest real part of the eigenvalues at a solution (1/s), without those known to be zero."""
        flow = flow_at(self._operating_point(point))
        return growth_of(steady_flow(flow).flow if self.trim.moving else flow, zeros)

    def _operating_point(self, point: TrimPoint) -> OperatingPoint:
        trim = self.trim
        parameters, inputs = trim.acting(point.values)
        kind = OperatingKind.STEADY_MOTION if trim.moving else OperatingKind.EQUILIBRIUM
        state = StateParts(point.q, point.u, point.z)
        return point_of(self.system, state, t=trim.t, parameters=parameters, inputs=inputs, kind=kind)

    def _rest_stability(self, point: TrimPoint, found: OperatingPoint) -> tuple[Stability, Floats]:
        """Return the stability of an equilibrium, and its neutral directions as columns."""
        undefined = without_linear_model(found)
        if undefined is not None:
            return undefined, np.zeros((len(point.u), 0))
        flow = flow_at(found)
        neutral = neutral_directions(flow)
        family = self._is_family(point, neutral)
        return replace(stability_at_rest(flow, family), family=family), neutral

    def _is_family(self, point: TrimPoint, neutral: Floats) -> bool:
        """Return whether all neutral directions lead to other equilibria."""
        trim, dynamics = self.trim, self.trim.dynamics(point)
        scales = dynamics.scales
        for column in neutral.T:
            push = _SEARCH_DISTANCE * column / np.abs(column / scales).max()
            try:
                there, _ = solve(trim, replace(point, q=dynamics.moved(point.q, push)))
                unsettled = self.unsettled(there) or self.missed(there)
            except StateError:
                return False
            back = np.linalg.pinv(dynamics.motion_matrix(point.q)) @ (there.q - point.q)
            if unsettled or np.abs(back / scales).max() < 0.5 * _SEARCH_DISTANCE:
                return False
        return bool(neutral.size)

    def _open_choices(self, point: TrimPoint) -> list[str]:
        """Return a note on the speeds, inputs or parameters that the equations do not determine."""
        trim = self.trim
        names = [*np.array(self.system.speed_names)[trim.open_speeds].tolist(), *trim.solved]
        if not names:
            return []
        least = trim.linear(point)
        shares = np.abs(least.null_space[len(point.u) :][: len(names)]).max(axis=1, initial=0.0)
        varying = [repr(name) for name, share in zip(names, shares, strict=True) if share > 1e-6]
        if not varying:
            return []
        named = ", ".join(varying[:6])
        return [f"one of a family, not unique in {named}; the point nearest to the guess was taken"]


def _open(system: System, chosen: Mapping[str, float], solve_for: Sequence[str]) -> NDArray[np.bool_]:
    """Return which speeds are unknown: named ones, those in a child's axes, and those that constraints may tie."""
    tied = system.constrained
    names = system.speed_names
    found = [name not in chosen and (name in solve_for or tied or not name.endswith(".rate")) for name in names]
    return np.array(found, dtype=bool)


# --- stability ------------------------------------------------------------------------------------------------------


def _steady_stability(point: OperatingPoint) -> Stability:
    """Return the stability of a steady motion, from its variations in co-moving axes."""
    undefined = without_linear_model(point)
    if undefined is not None:
        return undefined
    steady = steady_flow(flow_at(point))
    if not steady.constant:
        return Stability(Verdict.UNDECIDED, "coefficients of the linear motion change along it; gs.floquet may decide.")
    return stability_of(steady.flow)


def without_linear_model(point: OperatingPoint) -> Stability | None:
    """Return the stability of a point that has no linear model: one without freedom, or at a singular position."""
    if not null_space(Dynamics.at(point).constraints(point.q, point.u).matrix).shape[1]:
        coordinates = point.system.coordinates
        return None if len(coordinates.state_names) > len(coordinates.algebraic) else NO_FREEDOM
    if singular_position(point):
        return Stability(Verdict.UNDECIDED, "the position is singular: constraints are fewer there than nearby.")
    return None


# --- names ----------------------------------------------------------------------------------------------------------


def _starting_values(
    system: System, names: Sequence[str], inputs: Mapping[str, float], parameters: Mapping[str, object]
) -> Floats:
    """Return the values that inputs and parameters begin with; unknown names are errors."""
    known = system.model.values(dict(parameters))
    values = []
    for name in names:
        if name not in inputs and name not in known:
            have = [*inputs, *system.model.parameters, *system.speed_names]
            raise StateError(f"There is no input, parameter or speed {name!r} to solve for. {did_you_mean(name, have)}")
        values.append(inputs[name] if name in inputs else known[name])
    return np.array(values, dtype=float)


def _refuse_names(system: System, speeds: Mapping[str, object] | None, fixed: Mapping[str, object] | None) -> None:
    """Raise an error for unknown names of chosen speeds and fixed coordinates."""
    coordinates = system.coordinates
    rates = [*system.speed_names, *(name for name in coordinates.chord_of if name.endswith(".rate"))]
    for name in speeds or {}:
        if name.removesuffix(".rate") in coordinates.all_driven:
            raise StateError(f"The speed {name!r} cannot be chosen: its driver gives it. Leave it out.")
        if name not in rates:
            raise StateError(f"There is no speed {name!r} to choose. {did_you_mean(name, rates)}")
    positions = [*system.coordinate_names, *(name for name in coordinates.chord_of if not name.endswith(".rate"))]
    for name in fixed or {}:
        if name.removesuffix(".rate") in coordinates.all_driven:
            raise StateError(f"The coordinate {name!r} cannot be fixed: it is driven. Leave it out.")
        if name not in positions:
            raise StateError(f"There is no coordinate {name!r} to fix. {did_you_mean(name, positions)}")
