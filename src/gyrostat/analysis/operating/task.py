"""A task: an operating point as a user asks for it, at rest or in steady motion, and the point that was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.assembly.assemble import Assembly, assemble
from gyrostat.analysis.assembly.initial_state import number, split_values
from gyrostat.analysis.operating.balance import unbalanced
from gyrostat.analysis.operating.constancy import constant_turning
from gyrostat.analysis.operating.going_round import turning_generators, turning_rates
from gyrostat.analysis.operating.linear_motion import LinearMotion, stability_at_rest, stability_of
from gyrostat.analysis.operating.neutral import written
from gyrostat.analysis.operating.newton import solve
from gyrostat.analysis.operating.operating_point import OperatingKind, OperatingPoint, input_values, point_of
from gyrostat.analysis.operating.stability import Stability, Verdict
from gyrostat.analysis.operating.trim import Trim, TrimPoint, depends_on_time
from gyrostat.analysis.operating.unknowns import refuse_names, starting_values
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean
from gyrostat.system import System

_NEARBY = 0.05
"""How far neighbouring equilibria are looked for: radians, or sizes of the mechanism."""


@dataclass(frozen=True, eq=False)
class Task:
    """The equations of an operating point, its chosen speeds, and what unknown inputs and parameters begin with."""

    trim: Trim
    chosen: Mapping[str, float]
    values: Floats

    @staticmethod
    def of(
        system: System,
        *,
        moving: bool,
        speeds: Mapping[str, object] | None = None,
        solve_for: Sequence[str] = (),
        fixed: Mapping[str, object] | None = None,
        inputs: Mapping[str, object] | None = None,
        parameters: Mapping[str, object] | None = None,
        t: float = 0.0,
        going_round: bool = False,
    ) -> Task:
        """Read what a user gave; names that are none are errors. With `going_round`, speeds need not be constant."""
        refuse_names(system, speeds, fixed)
        changed = dict(parameters or {})
        known = system.model.values(changed)
        acting = input_values(system, inputs, changed)

        def numbers(given: Mapping[str, object]) -> dict[str, float]:
            return {name: number(name, value, known) for name, value in given.items()}

        own, rates_of_chords = split_values(system, speeds)
        kept, chords = split_values(system, fixed)
        chosen = numbers(own)
        sought = tuple(name for name in solve_for if name not in system.speed_names)
        places = system.coordinates.place_of
        trim = Trim(
            system,
            t,
            changed,
            acting,
            moving=moving,
            open_speeds=_open(system, chosen, solve_for) & moving,
            solved=sought,
            fixed={places[name][1]: value for name, value in numbers(kept).items()},
            aims=numbers({**chords, **rates_of_chords}),
            generators=turning_generators(system) if going_round else (),
        )
        return Task(trim, chosen, starting_values(system, sought, acting, changed))

    @property
    def system(self) -> System:
        """The system."""
        return self.trim.system

    # --- where to begin -----------------------------------------------------------------------------------------

    def start(self, guess: Mapping[str, object] | None) -> TrimPoint:
        """Return where to begin: guessed values, else the model's, brought to obey the constraints.

        Speeds that are neither chosen nor guessed begin at zero.
        """
        trim, system = self.trim, self.system
        known = system.model.values(trim.parameters)
        states = {**system.coordinates.place_of, **dict.fromkeys(system.coordinates.chord_of)}
        values = self.values.copy()
        for name in (name for name in guess or {} if name not in states):
            if name not in trim.solved:
                have = [*system.coordinate_names, *system.speed_names, *trim.solved]
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
        told = [name for name in guess or {} if name in rough]
        found = self._assembled(kept, rough, told, parameters)
        if trim.generators:
            udot = trim.around(values).accelerations(found.q, found.u)
            values = np.append(values, turning_rates(system, found.u, udot))
        return TrimPoint(found.q, found.u, values)

    def _assembled(
        self,
        kept: Mapping[str, object],
        rough: Mapping[str, object],
        told: Sequence[str],
        parameters: Mapping[str, object],
    ) -> Assembly:
        """Return a state that obeys the constraints, with as many guessed values as they are, in order, as can be."""

        def tried(firm: Sequence[str]) -> Assembly:
            loose = {name: value for name, value in rough.items() if name not in firm}
            held = {**kept, **{name: rough[name] for name in firm}}
            return assemble(self.system, held, guess=loose, parameters=parameters, t=self.trim.t)

        try:
            return tried(told)
        except StateError:
            found = tried(())
        firm: tuple[str, ...] = ()
        for name in told:
            try:
                found, firm = tried((*firm, name)), (*firm, name)
            except StateError:
                continue
        return found

    # --- what was found -----------------------------------------------------------------------------------------

    def missed(self, point: TrimPoint) -> tuple[str, float] | None:
        """Return the constraint, or the value that was given, that a point misses most, and by how much."""
        trim, system = self.trim, self.system
        rows = trim.residual(point)[(2 if trim.moving else 1) * len(point.u) :]
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
        around = trim.around(point.values)
        parameters, inputs = trim.acting(point.values)
        kind = OperatingKind.STEADY_MOTION if trim.moving else OperatingKind.EQUILIBRIUM
        found = point_of(self.system, point.q, point.u, t=trim.t, parameters=parameters, inputs=inputs, kind=kind)
        notes = self._open_choices(point)
        if trim.generators:
            notes.insert(0, "vectors of speeds go round in their axes at constant rates")
        if trim.moving:
            return replace(found, stability=self.steady_stability(point), notes=tuple(notes))
        motion = LinearMotion.of(around, point.q, point.u)
        family = self._is_family(point, motion)
        if family:
            said = "; ".join(written(self.system, motion.symmetries, around.scales))
            notes.append(f"nothing changes along {said}")
        if depends_on_time(around, point.q, point.u):
            notes.append(f"loads depend on time: this is the equilibrium at t = {trim.t:g} s")
        stability = replace(stability_at_rest(motion, family), family=family)
        return replace(found, stability=stability, notes=tuple(notes))

    def steady_stability(self, point: TrimPoint) -> Stability:
        """Return the stability of a steady motion, from its linear motion in axes where that is constant."""
        around = self.trim.around(point.values)
        turning = constant_turning(around, point.q, point.u, self.trim.turning(point.values))
        if turning is None:
            return Stability(
                Verdict.UNDECIDED, "coefficients of the linear motion change along it; gs.floquet may decide."
            )
        return stability_of(LinearMotion.of(around, point.q, point.u, turning))

    def _is_family(self, point: TrimPoint, motion: LinearMotion) -> bool:
        """Tell whether displacements that change nothing to first order all lead to other equilibria."""
        trim, scales = self.trim, motion.around.scales
        for column in motion.symmetries.T:
            push = _NEARBY * column / np.abs(column / scales).max()
            try:
                there, _ = solve(trim, replace(point, q=motion.around.moved(point.q, push)))
                unsettled = unbalanced(trim.around(there.values), there.q, there.u) or self.missed(there)
            except StateError:
                return False
            back = np.linalg.pinv(motion.around.motion_matrix(point.q)) @ (there.q - point.q)
            if unsettled or np.abs(back / scales).max() < 0.5 * _NEARBY:
                return False
        return bool(motion.symmetries.size)

    def _open_choices(self, point: TrimPoint) -> list[str]:
        """Return which speeds, inputs or parameters could have been otherwise."""
        trim = self.trim
        names = [*np.array(self.system.speed_names)[trim.open_speeds].tolist(), *trim.solved]
        if not names:
            return []
        least = trim.linear(point)
        shares = np.abs(least.open[len(point.u) :][: len(names)]).max(axis=1, initial=0.0)
        said = [repr(name) for name, share in zip(names, shares, strict=True) if share > 1e-6]
        if not said:
            return []
        return [f"one of a family: {', '.join(said[:6])} could be otherwise; the point nearest to the guess was taken"]


def _open(system: System, chosen: Mapping[str, float], solve_for: Sequence[str]) -> NDArray[np.bool_]:
    """Return which speeds are unknown: named ones, those in a child's axes, and those that constraints may tie."""
    tied = system.constrained
    names = system.speed_names
    found = [name not in chosen and (name in solve_for or tied or not name.endswith(".rate")) for name in names]
    return np.array(found, dtype=bool)
