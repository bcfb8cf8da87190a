"""The energy balance of a trajectory: kinetic, potential, dissipated and supplied energy, and their residual."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gyrostat.analysis.simulation.driver_kinks import later_side
from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.analysis.simulation.supplied_work import GAUSS_NODES, gauss_moments
from gyrostat.coordinates.arguments import Floats
from gyrostat.lazy import LaterClass
from gyrostat.model.forces import ForceElement
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.state_variable import StateOwner
from gyrostat.recipes.ports import given_rotors, working_owners
from gyrostat.signals import Level, SignalTable

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.simulation.motion import Motion
    from gyrostat.analysis.simulation.segment import Segment
    from gyrostat.analysis.simulation.trajectory import Trajectory
    from gyrostat.model.forces import Bond
    from gyrostat.system import System
else:
    Bond = LaterClass("gyrostat.model.forces.bond", "Bond")

_ROUNDING = 1e-12
"""The largest power, relative to the largest power taken, of a force that takes energy only."""


_SHORT_PIECE_SHARE, _SHORT_PIECE_NODES = 0.125, 3
"""In pieces of at most this share of a step, so many Gauss points are more exact than `GAUSS_NODES` in a whole one."""

_BLOCK = 16384
"""Pieces of time whose powers are evaluated at once."""


def energy_balance(trajectory: Trajectory) -> xarray.Dataset:
    """Return energies and works over time (J).

    `stored` has the potential energy by element (and gravity), `dissipated` the work lost in each force element with a
    potential or damping, and of friction: a force whose law names a speed and whose power is never positive in the
    run. `supplied` has the work of every other force, driver, rotor motor and constraint, and of the sources of
    components that receive power, and of grains on bodies: energies of the grains themselves are outputs of theirs.
    `carried` has the energy that leaves the system with masses that vary, `impacts` the energy lost in sudden changes.
    Works are integrals of power over the steps of the integration, by Gauss's rule.
    """
    import xarray

    outputs = Outputs(trajectory.system, trajectory.rows, trajectory.recorded)
    found = outputs.recorded.found("energy")
    works, impacts = _works_by_kind(trajectory), _impacts(trajectory)
    kinetic, gravity, stored = found["kinetic"][:, 0], found["gravity"][:, 0], found["stored"].copy()
    _release(trajectory, works, stored)
    potential = gravity + stored.sum(axis=1)
    total = kinetic + potential
    account = total + works.lost.sum(axis=1) + works.carried.sum(axis=1) + impacts - works.given.sum(axis=1)
    stores = [name for name, owner in trajectory.system.model.accounted.items() if owner.stores_energy]
    coordinates: dict[str, xarray.DataArray | list[str]] = {"time": outputs.time}

    def over_time(values: Floats, description: str) -> xarray.Variable:
        return xarray.Variable("time", values, {"units": "J", "long_name": description})

    def by_name(values: Floats, names: list[str], dimension: str, description: str) -> xarray.Variable:
        coordinates[dimension] = names
        return xarray.Variable(("time", dimension), values, {"units": "J", "long_name": description})

    carriers = [one.name for one in trajectory.system.varying_masses]
    by_store = np.column_stack((gravity, stored))
    variables = {
        "kinetic": over_time(kinetic, "kinetic energy"),
        "potential": over_time(potential, "potential energy"),
        "total": over_time(total, "kinetic and potential energy"),
        "stored": by_name(by_store, ["gravity", *stores], "store", "potential energy by element"),
        "dissipated": by_name(works.lost, works.losing, "damper", "energy dissipated by element"),
        "supplied": by_name(works.given, works.giving, "supplier", "energy supplied by element"),
    }
    if carriers:
        variables["carried"] = by_name(works.carried, carriers, "carrier", "energy that leaves with the mass")
    variables["impacts"] = over_time(impacts, "energy lost in impacts and other sudden changes")
    variables["balance"] = over_time(account - account[0], "residual of the energy balance")
    return xarray.Dataset(variables, coordinates)  # one index of time: each array with its own would copy it


def _release(trajectory: Trajectory, works: _WorksByKind, stored: Floats) -> None:
    """Count the elastic energy of bonds that broke as lost instead of stored."""
    stores = [owner for owner in trajectory.system.model.accounted.values() if owner.stores_energy]
    for i, owner in enumerate(stores):
        if isinstance(owner, Bond):
            released = trajectory[owner.released].values
            stored[:, i] -= released
            works.lost[:, works.losing.index(owner.name)] += released - released[0]


class _WorksByKind(NamedTuple):
    """Works up to each output time, shape (times, names): lost by some elements, given by others, and carried away."""

    losing: list[str]
    lost: Floats
    giving: list[str]
    given: Floats
    carried: Floats
    """Energy that left with masses that vary."""


def _works_by_kind(trajectory: Trajectory) -> _WorksByKind:
    """Return the works of all elements, those that lose energy and those that supply it."""
    system = trajectory.system
    coordinates, owners, table = system.coordinates, system.model.accounted, system.signal_table
    works, sources, carried, taking = _works(trajectory)
    losing = [
        name
        for i, (name, owner) in enumerate(owners.items())
        if _dissipates(owner) or (taking[i] and isinstance(owner, ForceElement) and _names_a_speed(table, owner))
    ]
    fed = [i for i, owner in enumerate(owners.values()) if owner.supplies_power]
    works[:, fed] -= sources[:, fed]
    others = [i for i, name in enumerate(owners) if name not in losing]
    giving = [
        *(name for name in owners if name not in losing),
        *coordinates.driven,
        *given_rotors(coordinates),
        *working_owners(coordinates),
        *(list(owners)[i] for i in fed),
    ]
    given = np.hstack((works[:, [*others, *range(len(owners), works.shape[1])]], sources[:, fed]))
    return _WorksByKind(losing, -works[:, [list(owners).index(name) for name in losing]], giving, given, carried)


def _dissipates(owner: StateOwner) -> bool:
    """Return whether the work beyond the stored energy counts as dissipated: springs, dampers, friction, motors."""
    return owner.stores_energy or owner.supplies_power or owner.dissipates


def _names_a_speed(table: SignalTable, force: ForceElement) -> bool:
    """Return whether a law of a force element depends on speeds by name."""
    uses = (use for use in force.all_uses if isinstance(use, FormulaUse) and use.scope.system)
    names = {name for use in uses for name in use.formula.names - {*table.coordinates.topology.model.inputs}}
    signals = [table.find_scalar(name) for name in names]
    return "rate" in names or any(signal is not None and signal.level >= Level.SPEED for signal in signals)


def _works(trajectory: Trajectory) -> tuple[Floats, Floats, Floats, list[bool]]:
    """Return the work, beyond the stored energy, of all forces, drivers and rotor motors up to each output time.

    Then the work of the sources of forces and states, the energy carried away by masses, and for each work whether its
    power is negative somewhere and nowhere positive, but for rounding.
    """
    motion, times = trajectory.motion, trajectory.time
    model = trajectory.system.model
    count, carriers = len(model.accounted), len(trajectory.system.varying_masses)
    knots = np.unique(np.concatenate([times, *(s.times for s in motion.segments), [s.end for s in motion.segments]]))
    knots = knots[(knots >= times[0]) & (knots <= times[-1])]
    widths = np.diff(knots)
    keep = widths > 1e-14 * max(abs(knots[-1]), abs(knots[0]), 1e-300)
    starts, widths = knots[:-1][keep], widths[keep]
    if not len(widths) or not _has_working_loads(trajectory.system):
        still = np.zeros((len(times), count))
        return still, still.copy(), np.zeros((len(times), carriers)), [False] * count
    sums, taking = _piece_works(motion, starts, widths)
    np.cumsum(sums, axis=0, out=sums)
    ends: Floats = np.append(starts, starts[-1] + widths[-1])
    places = np.clip(np.searchsorted(ends, times - 1e-14 * abs(times), side="left"), 0, len(ends) - 1)
    last = sums.shape[1] - carriers
    works, supplied, carried = (sums[places, a:b] for a, b in pairwise((0, last - count, last, sums.shape[1])))
    return works, supplied, carried, taking


def _has_working_loads(system: System) -> bool:
    """Return whether a system has forces, drivers, rotors with given motion or constraints, which may do work."""
    coordinates = system.coordinates
    parts = (system.model.accounted, coordinates.driven, given_rotors(coordinates), working_owners(coordinates))
    return any(parts)


def _piece_works(motion: Motion, starts: Floats, widths: Floats) -> tuple[Floats, list[bool]]:
    """Return the works in pieces of time behind a row of zeros, and which forces only take energy.

    The works of sources and of masses are the last columns.
    """
    works: Floats | None = None
    extremes: list[Floats] = []
    # a method that cannot repeat its steps would begin anew in each block
    size = _BLOCK if motion.problem.integrator.repeatable else len(starts)
    for first in range(0, len(starts), size):
        begins, lengths = (part[first : first + size] for part in (starts, widths))
        nodes = _SHORT_PIECE_NODES if _are_short(motion, begins, lengths) else GAUSS_NODES
        moments, weights = gauss_moments(begins, lengths, nodes)
        states, modes = motion.instants_at(moments)
        found = motion.recorded(motion.rows(moments, states, modes), modes).found("powers")
        lost = found["force_powers"] + found["stored_rates"]
        sources = found.get("supplied_powers", np.zeros_like(lost))
        others = [found[f"{name}_powers"] for name in ("driver", "rotor", "constraint")]
        kinds = [lost, *others, sources, found.get("carried_powers", lost[:, :0])]
        if works is None:
            works = np.zeros((len(starts) + 1, sum(powers.shape[1] for powers in kinds)))
        block, column = works[first + 1 : first + 1 + len(begins)], 0
        for powers in kinds:
            width = powers.shape[1]
            if powers.any():
                part = block[:, column : column + width]
                np.einsum("k,pkc->pc", weights, powers.reshape(len(begins), nodes, width), out=part)
                part *= lengths[:, None]
            column += width
        by_force = np.ascontiguousarray(lost.T)  # along contiguous memory extremes take a tenth of the time
        extremes += [by_force.max(axis=1, initial=0.0), by_force.min(axis=1, initial=0.0)]
    most, least = np.max(extremes, axis=0), np.min(extremes, axis=0)
    taking = [bool(a <= -_ROUNDING * b and b < 0) for a, b in zip(most, least, strict=True)]
    assert works is not None, "there are pieces"
    return works, taking


def _are_short(motion: Motion, begins: Floats, lengths: Floats) -> bool:
    """Return whether pieces of time are much shorter than the steps of the integration that they lie in."""
    if not motion.problem.integrator.repeatable:
        return False
    span = begins[0], begins[-1] + lengths[-1]
    for segment in motion.segments:
        first, last = np.searchsorted(segment.times, span, side="right")
        steps = np.abs(segment.steps[max(first - 1, 0) : last])
        if segment.stride > 1 or (steps.size and lengths.max() > _SHORT_PIECE_SHARE * steps.min()):
            return False
    return True


def _impacts(trajectory: Trajectory) -> Floats:
    """Return the energy lost in sudden changes up to each output time; at the time of one, not yet.

    The last output may be the state behind a change, where the motion ended there.
    """
    motion, row = trajectory.motion, trajectory.system.row
    state = slice(row.q.start, row.u.stop)
    lost, last = np.zeros(len(trajectory.time)), trajectory.rows[-1, state]
    for before, after in zip(motion.segments, motion.segments[1:], strict=False):
        sides = (before, before.end, before.final), (after, later_side(after.start), after.states[0])
        ends = [_row_at(motion, *side) for side in sides]
        found = Recorded(trajectory.system, np.vstack(ends)).found("energy")
        energy = found["kinetic"][:, 0] + found["gravity"][:, 0] + found["stored"].sum(axis=1)
        later = trajectory.time > after.start
        if trajectory.time[-1] == after.start:
            first, second = (float(np.abs(last - end[0, state]).sum()) for end in ends)
            later[-1] = second < first
        lost[later] += energy[0] - energy[1]
    return lost


def _row_at(motion: Motion, segment: Segment, t: float, y: Floats) -> Floats:
    """Return the arguments of programs at a state y of a segment, one row."""
    problem, time = motion.problem_of(segment), np.array([t])  # while contacts rest, another method may take its place
    return motion.problem.rows(segment, time, problem.from_states(segment, time, y[None, :]))
