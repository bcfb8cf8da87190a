"""The energy balance of a trajectory: kinetic, potential, dissipated and supplied energy, and their residual."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.simulation.outputs import Outputs
from gyrostat.analysis.simulation.recorded import Recorded
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.forces import ForceElement
from gyrostat.model.kinds import FormulaUse
from gyrostat.model.state_variable import StateOwner
from gyrostat.recipes.ports import given_rotors, working_owners
from gyrostat.signals import Level, SignalTable

if TYPE_CHECKING:
    import xarray

    from gyrostat.analysis.simulation.motion import Motion
    from gyrostat.analysis.simulation.trajectory import Trajectory
    from gyrostat.system import System

_ROUNDING = 1e-12
"""The largest power, relative to the largest power taken, of a force that takes energy only."""

_NODES = 5
"""Gauss points in each piece of a step; exact for polynomials of degree 9."""


_BLOCK = 8192
"""Pieces of time whose powers are evaluated at once."""


def energy_balance(trajectory: Trajectory) -> xarray.Dataset:
    """Return energies and works over time (J).

    `stored` has the potential energy by element (and gravity), `dissipated` the work lost in each force element with a
    potential or damping, and of friction: a force whose law names a speed and whose power is never positive in the
    run. `supplied` has the work of every other force, driver, rotor motor and constraint, and of the sources of
    components that receive power, `impacts` the energy lost in sudden changes. Works are integrals of power over the
    steps of the integration, by Gauss's rule.
    """
    import xarray

    system = trajectory.system
    outputs = Outputs(system, trajectory.rows, trajectory.recorded)
    found = outputs.recorded.found("energy")
    owners = system.model.accounted
    stores = [name for name, owner in owners.items() if owner.stores_energy]
    works, sources, taking = _works(trajectory)
    table = system.signal_table
    losing = [
        name
        for i, (name, owner) in enumerate(owners.items())
        if _loses(owner) or (taking[i] and isinstance(owner, ForceElement) and _names_a_speed(table, owner))
    ]
    fed = [i for i, owner in enumerate(owners.values()) if owner.supplies_power]
    works[:, fed] -= sources[:, fed]
    lost = -works[:, [list(owners).index(name) for name in losing]]
    others = [i for i, name in enumerate(owners) if name not in losing]
    giving = [
        *(name for name in owners if name not in losing),
        *system.coordinates.driven,
        *given_rotors(system.coordinates),
        *working_owners(system.coordinates),
        *(list(owners)[i] for i in fed),
    ]
    given = np.hstack((works[:, [*others, *range(len(owners), works.shape[1])]], sources[:, fed]))
    impacts = _impacts(trajectory)
    kinetic, gravity, stored = found["kinetic"][:, 0], found["gravity"][:, 0], found["stored"]
    potential = gravity + stored.sum(axis=1)
    total = kinetic + potential
    account = total + lost.sum(axis=1) + impacts - given.sum(axis=1)

    time = {"time": outputs.time}

    def over_time(values: Floats, description: str) -> xarray.DataArray:
        return xarray.DataArray(values, coords=time, dims="time", attrs={"units": "J", "long_name": description})

    def by_name(values: Floats, names: list[str], dimension: str, description: str) -> xarray.DataArray:
        return xarray.DataArray(
            values,
            coords={**time, dimension: names},
            dims=("time", dimension),
            attrs={"units": "J", "long_name": description},
        )

    return xarray.Dataset(
        {
            "kinetic": over_time(kinetic, "kinetic energy"),
            "potential": over_time(potential, "potential energy"),
            "total": over_time(total, "kinetic and potential energy"),
            "stored": by_name(
                np.column_stack((gravity, stored)), ["gravity", *stores], "store", "potential energy by element"
            ),
            "dissipated": by_name(lost, losing, "damper", "energy dissipated by element"),
            "supplied": by_name(given, giving, "supplier", "energy supplied by element"),
            "impacts": over_time(impacts, "energy lost in impacts and other sudden changes"),
            "balance": over_time(account - account[0], "residual of the energy balance"),
        }
    )


def _loses(owner: StateOwner) -> bool:
    """Return whether the work beyond the stored energy counts as dissipated: springs, dampers, friction, motors."""
    return owner.stores_energy or owner.supplies_power or owner.dissipates


def _names_a_speed(table: SignalTable, force: ForceElement) -> bool:
    """Return whether a law of a force element depends on speeds by name."""
    uses = (use for use in force.all_uses if isinstance(use, FormulaUse) and use.scope.system)
    names = {name for use in uses for name in use.formula.names - {*table.coordinates.topology.model.inputs}}
    signals = [table.find_scalar(name) for name in names]
    return "rate" in names or any(signal is not None and signal.level >= Level.SPEED for signal in signals)


def _works(trajectory: Trajectory) -> tuple[Floats, Floats, list[bool]]:
    """Return the work, beyond the stored energy, of all forces, drivers and rotor motors up to each output time.

    Then the work of the sources of forces and states, and for each work whether its power is negative somewhere and
    nowhere positive, but for rounding.
    """
    motion, times = trajectory.motion, trajectory.time
    count = len(trajectory.system.model.accounted)
    knots = np.unique(np.concatenate([times, *(s.times for s in motion.segments), [s.end for s in motion.segments]]))
    knots = knots[(knots >= times[0]) & (knots <= times[-1])]
    widths = np.diff(knots)
    keep = widths > 1e-14 * max(abs(knots[-1]), abs(knots[0]), 1e-300)
    starts, widths = knots[:-1][keep], widths[keep]
    if not len(widths) or not _may_work(trajectory.system):
        return np.zeros((len(times), count)), np.zeros((len(times), count)), [False] * count
    pieces, taking = _piece_works(motion, starts, widths)
    sums = np.vstack((np.zeros(pieces.shape[1]), np.cumsum(pieces, axis=0)))
    ends: Floats = np.append(starts, starts[-1] + widths[-1])
    places = np.clip(np.searchsorted(ends, times - 1e-14 * abs(times), side="left"), 0, len(ends) - 1)
    works, supplied = np.split(sums[places], [sums.shape[1] - count], axis=1)
    return works.copy(), supplied, taking


def _may_work(system: System) -> bool:
    """Return whether a system has forces, drivers, rotors with given motion or constraints, which may do work."""
    coordinates = system.coordinates
    parts = (system.model.accounted, coordinates.driven, given_rotors(coordinates), working_owners(coordinates))
    return any(parts)


def _piece_works(motion: Motion, starts: Floats, widths: Floats) -> tuple[Floats, list[bool]]:
    """Return the works in pieces of time, those of sources last, and for each force whether it only takes energy."""
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    blocks: list[Floats] = []
    extremes: list[Floats] = []
    # a method that cannot repeat its steps would begin anew in each block
    size = _BLOCK if motion.problem.integrator.repeatable else len(starts)
    for first in range(0, len(starts), size):
        begins, lengths = (part[first : first + size, None] for part in (starts, widths))
        moments = (begins + lengths * (0.5 + 0.5 * nodes)).ravel()
        states, modes = motion.instants_at(moments)
        found = motion.recorded(motion.rows(moments, states, modes), modes).found("powers")
        lost = found["force_powers"] + found["stored_rates"]
        sources = found.get("supplied_powers", np.zeros_like(lost))
        powers = np.hstack((lost, found["driver_powers"], found["rotor_powers"], found["constraint_powers"], sources))
        blocks.append(np.einsum("k,pkc->pc", weights / 2, powers.reshape(len(begins), _NODES, -1)) * lengths)
        by_force = np.ascontiguousarray(lost.T)  # along contiguous memory extremes take a tenth of the time
        extremes += [by_force.max(axis=1, initial=0.0), by_force.min(axis=1, initial=0.0)]
    most, least = np.max(extremes, axis=0), np.min(extremes, axis=0)
    taking = [bool(a <= -_ROUNDING * b and b < 0) for a, b in zip(most, least, strict=True)]
    return np.concatenate(blocks), taking


def _impacts(trajectory: Trajectory) -> Floats:
    """Return the energy lost in sudden changes up to each output time; at the time of one, not yet."""
    motion = trajectory.motion
    lost = np.zeros(len(trajectory.time))
    for before, after in zip(motion.segments, motion.segments[1:], strict=False):
        t = np.array([after.start])
        ends = [
            motion.problem.rows(segment, t, motion.problem.from_states(segment, t, state[None, :]))
            for segment, state in ((before, before.final), (after, after.states[0]))
        ]
        found = Recorded(trajectory.system, np.vstack(ends)).found("energy")
        energy = found["kinetic"][:, 0] + found["gravity"][:, 0] + found["stored"].sum(axis=1)
        lost[trajectory.time > after.start] += energy[0] - energy[1]
    return lost
