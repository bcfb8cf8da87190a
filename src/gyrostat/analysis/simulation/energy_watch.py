"""Watch on the energy of a finished run: a drift that the integrator's tolerance does not explain is reported.

Watched are systems whose energy is constant, and those in which dampers only take energy away, where a gain is
reported. The tolerance explains so much: in every step each state may err by its tolerance, and the energy by what such
errors change. Fixed steps have no tolerance; their drift is compared with the energy that the motion exchanges.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np

from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Actuator, ForceElement
from gyrostat.model.kinds import FormulaUse
from gyrostat.recipes.ports import given_rotors
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

_SAMPLES = 9
"""The number of states of a segment at which the energy is computed."""
_SEGMENTS = 8
"""The number of segments that are watched, those with the most steps."""
_TRIALS = 8
"""The number of states to which errors of the tolerance's size are added."""
_EXPLAINED = 10.0
"""How many times the effect of the tolerance in each step explains a drift."""
_ROUNDING = 1e-12
"""Relative rounding errors of energies, in each step."""
_COARSE = 0.1
"""The largest drift of a run with fixed steps, in terms of the energy exchanged."""


class EnergyLaw(Enum):
    """What is known of a system's energy between events."""

    CONSTANT = "constant"
    NOT_RISING = "not rising"
    UNKNOWN = "unknown"


class _Drift(NamedTuple):
    """The largest drift of the energy in a segment (J), the energy exchanged there, and what explains a drift."""

    segment: Segment
    size: float
    exchanged: float
    explained: float


def note_on_energy(motion: Motion) -> str | None:
    """Return a note on a drift of the energy that the integrator does not explain, or None."""
    segments = [segment for segment in motion.segments if len(segment.times) and segment.end > segment.start]
    chosen = sorted(segments, key=lambda segment: -len(segment.times))[:_SEGMENTS]
    for segment in sorted(chosen, key=lambda segment: segment.start):
        law = energy_law(motion.problem.system, segment)
        if law is EnergyLaw.UNKNOWN:
            continue
        drift = _drift(motion, segment, law)
        if drift is not None and not drift.size <= drift.explained:
            return _note(motion, drift, law)
    return None


def energy_law(system: System, segment: Segment) -> EnergyLaw:
    """Return what is known of the energy: all loads from potentials, or dampers, and no driver of any kind.

    Resting contacts may lie on surfaces that move.
    """
    coordinates, model, parameters = system.coordinates, system.model, set(system.model.parameters)
    joints = coordinates.topology.joints.values()
    if segment.resting or coordinates.driven or given_rotors(coordinates) or any(joint.driven for joint in joints):
        return EnergyLaw.UNKNOWN
    uses = (use for component in model.components.values() for use in component.all_uses)
    if any(isinstance(use, FormulaUse) and not use.formula.names <= parameters for use in uses):
        return EnergyLaw.UNKNOWN
    value = Evaluator(FloatScalars(), segment.parameters.__getitem__)
    damped = False
    for force in model.forces.values():
        if _is_idle(force, segment.plan):
            continue
        if force.laws is None or any(value(law) != 0 for law in force.laws):
            return EnergyLaw.UNKNOWN
        coefficients = [float(value(damper)) for damper in force.dampers]
        if min(coefficients, default=0.0) < 0:
            return EnergyLaw.UNKNOWN
        damped = damped or any(coefficients)
    return EnergyLaw.NOT_RISING if damped else EnergyLaw.CONSTANT


def _is_idle(force: ForceElement, plan: InputPlan) -> bool:
    """Return whether an element is an actuator whose input is zero throughout."""
    names = set(force.inputs)
    given = {*plan.formulas, *plan.tables, *plan.functions}
    return isinstance(force, Actuator) and not names & given and not any(plan.numbers.get(name) for name in names)


def _drift(motion: Motion, segment: Segment, law: EnergyLaw) -> _Drift | None:
    """Return the largest drift at some of the states of a segment; None where an energy is not finite."""
    places = slice(None, None, -(-len(segment.times) // (_SAMPLES - 1)))
    times, states = np.append(segment.times[places], segment.end), np.vstack((segment.states[places], segment.final))
    rows = _rows(motion, segment, times, states)
    kinetic, potential = _energies(motion.problem.system, rows)
    total = kinetic + potential
    if not np.isfinite(total).all():
        return None
    reference = total[0] if law is EnergyLaw.CONSTANT else np.minimum.accumulate(total)
    change = total - reference
    size = float((np.abs(change) if law is EnergyLaw.CONSTANT else change).max())
    exchanged = float(kinetic.max() + np.ptp(potential))
    steps = len(segment.times) * segment.stride
    rounding = _ROUNDING * steps * float((np.abs(kinetic) + np.abs(potential)).max())
    integrator = motion.problem.integrator
    relative, absolute = getattr(integrator, "rtol", None), getattr(integrator, "atol", None)
    if relative is None or absolute is None or getattr(integrator, "step", None) is not None:
        return _Drift(segment, size, exchanged, _COARSE * exchanged + rounding)
    if size <= relative * steps * float(kinetic.max()) + rounding:
        return _Drift(segment, size, exchanged, size)
    effect = _effect_of_tolerance(motion.problem.system, rows, float(relative), absolute)
    return _Drift(segment, size, exchanged, _EXPLAINED * steps * effect + rounding)


def _effect_of_tolerance(system: System, rows: Floats, relative: float, absolute: Floats | float) -> float:
    """Return the largest change of the energy by errors of the tolerance's size in all states, with random signs."""
    layout, rng = system.row, np.random.default_rng(0)
    trials = np.repeat(rows, -(-_TRIALS // len(rows)), axis=0)
    before = sum(_energies(system, trials))
    for part in (layout.q, layout.u):
        size = relative * np.abs(trials[:, part]).max(axis=0) + absolute
        trials[:, part] += size * rng.choice([-1.0, 1.0], size=trials[:, part].shape)
    return float(np.abs(sum(_energies(system, trials)) - before).max())


def _energies(system: System, rows: Floats) -> tuple[Floats, Floats]:
    """Return kinetic and potential energy at rows of arguments."""
    program = system.ready_program("energy")
    found = program.loop(np.ascontiguousarray(rows))
    parts = (found[:, program.output_slice(name)].sum(axis=1) for name in ("kinetic", "gravity", "stored"))
    kinetic, gravity, stored = parts
    return kinetic, gravity + stored


def _rows(motion: Motion, segment: Segment, times: Floats, states: Floats) -> Floats:
    """Return rows of arguments of programs at states of a segment."""
    problem = motion.problem
    parts = problem.system.row.split(states)
    if problem.integrator.momenta:
        parts = problem.from_states(segment, times, states)
    return problem.rows(segment, times, parts)


def _note(motion: Motion, drift: _Drift, law: EnergyLaw) -> str:
    """Return the note on a drift, with the time of its largest change in one step, or between checkpoints."""
    segment = drift.segment
    times, states = np.append(segment.times, segment.end), np.vstack((segment.states, segment.final))
    total = sum(_energies(motion.problem.system, _rows(motion, segment, times, states)))
    changes = np.diff(total)
    worst = int(np.argmax(np.abs(changes) if law is EnergyLaw.CONSTANT else changes))
    what = "drifts by" if law is EnergyLaw.CONSTANT else "rises, although only dampers act, by"
    share = f", {drift.size / drift.exchanged:.1e} of the energy exchanged" if drift.exchanged > 0 else ""
    integrator = motion.problem.integrator
    fixed = getattr(integrator, "step", None) is not None or not hasattr(integrator, "rtol")
    source = "the steps are too long" if fixed else "the tolerance does not explain this"
    remedy = "Use a smaller step" if fixed else "Use smaller tolerances or another integrator"
    return (
        f"The energy {what} {drift.size:.2g} J{share}; {source}. The largest change, {abs(changes[worst]):.2g} J, is "
        f"between t = {times[worst]:.6g} s and {times[worst + 1]:.6g} s. {remedy}, and look at the motion there: near "
        "singular positions of loops, stops and discontinuities."
    )
