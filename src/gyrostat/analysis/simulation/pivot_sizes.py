"""Typical pivots of the constraints, with which those of a singular position are compared."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME
from gyrostat.program import Program
from gyrostat.system import System

_POSITIONS = 9
_SPREAD = 0.4
"""How far positions are spread about the initial one: radians, or sizes of the mechanism."""
_ELASTIC_SHARE = 0.02
"""The same for elastic coordinates, in terms of the others: flexible bodies bend little."""
_STEPS = 8
"""Newton's method closes loops within these steps, but for positions near a singular one."""
_CLOSURE_TOLERANCE = 1e-9
"""Residuals of closed loops, in sizes of the mechanism."""


def typical_pivots(system: System, program: Program, x: Floats, parameters: Mapping[str, float]) -> Floats:
    """Return the median pivots of the multipliers over positions about the model's initial one, and of their product.

    `program` writes the pivots, `x` is a row of its arguments that has the parameters and inputs. Loops of rigid bodies
    need not be closed there, since pivots are compared by their order of magnitude. Where constraints are redundant
    only closed positions tell, and zeros say that none are known. The pivots of the last time, parameters and inputs
    are kept.
    """
    key, given = ("typical pivots", program.address), (x[TIME], x[system.row.u.stop :].tobytes())
    known: tuple[tuple[float, bytes], Floats] | None = system.cache.get(key)
    if known is None or known[0] != given:
        known = given, _median_pivots(system, program, x, parameters)
        system.cache.keep(key, known)
    return known[1]


def _median_pivots(system: System, program: Program, x: Floats, parameters: Mapping[str, float]) -> Floats:
    rows = len(system.constraints)
    if system.rank.redundant:
        return np.zeros(rows + 1)
    coordinates, elastic = system.coordinates, _elastic(system)
    lengths = [coordinates.measures.get(name) == "length" for name in coordinates.coordinate_names]
    bending = np.where([name in elastic for name in coordinates.coordinate_names], _ELASTIC_SHARE, 1.0)
    spread = _SPREAD * np.where(lengths, system.model_size, 1.0) * bending
    q = system.initial_values(parameters)[0] + spread * np.random.default_rng(0).normal(size=(_POSITIONS, len(spread)))
    samples = np.tile(x, (_POSITIONS, 1))
    samples[:, TIME], samples[:, system.row.q], samples[:, system.row.u] = x[TIME], _of_unit_length(system, q), 0.0
    with np.errstate(all="ignore"):
        if elastic:
            samples = _closed(system, samples)
        pivots = np.abs(program.loop(samples)[:, program.output_slice("pivots")])
        every = np.column_stack((pivots, pivots.prod(axis=1)))
    return np.asarray(np.nan_to_num(np.median(every, axis=0), nan=0.0, posinf=0.0))


def _elastic(system: System) -> frozenset[str]:
    """Return the names of all elastic coordinates."""
    flexible = (joint for joint in system.topology.joints.values() if joint.flexible)
    return frozenset(name for joint in flexible for name in joint.coordinate_names)


def _of_unit_length(system: System, q: Floats) -> Floats:
    """Scale the Euler parameters in positions to unit length."""
    for first in system.coordinates.euler_parameters.values():
        q[:, first : first + 4] /= np.linalg.norm(q[:, first : first + 4], axis=1, keepdims=True)
    return q


def _closed(system: System, samples: Floats) -> Floats:
    """Return those samples whose loops Newton's method closes, moving bodies rather than bending them; else all.

    In an open loop the load on one body acts where the other one is. At this distance it would turn the ends of a
    slender body, which have nearly no inertia, so that pivots were a hundred times those of any closed position.
    """
    program, rates = (system.ready_program(name) for name in ("constraints", "rates_of_coordinates"))
    speeds, place, trial = system.coordinates.speed_names, system.row, samples.copy()
    elastic = [name.removesuffix(".rate") in _elastic(system) for name in speeds]
    scales = np.where(system.coordinates.sliding, system.model_size, 1.0) * np.where(elastic, _ELASTIC_SHARE, 1.0)
    for _ in range(_STEPS):
        found = program.loop(trial)
        residuals, matrix = found[:, program.output_slice("residuals")], program.matrix("matrix", found) * scales
        if not np.isfinite(matrix).all():
            return samples
        change = -(np.linalg.pinv(matrix, rcond=1e-10) @ residuals[:, :, None])[:, :, 0]
        change *= np.minimum(1.0, _SPREAD / np.maximum(np.abs(change).max(axis=1, keepdims=True), 1e-300)) * scales
        moving = trial.copy()
        moving[:, place.u] = change
        trial[:, place.q] = _of_unit_length(system, trial[:, place.q] + rates.loop(moving))
    residuals = program.loop(trial)[:, program.output_slice("residuals")]
    closed = np.abs(residuals).max(axis=1) <= _CLOSURE_TOLERANCE * system.model_size
    return np.asarray(trial[closed] if closed.any() else samples)
