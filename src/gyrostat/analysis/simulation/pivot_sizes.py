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


def typical_pivots(system: System, program: Program, x: Floats, parameters: Mapping[str, float]) -> Floats:
    """Return the median pivots of the multipliers over positions about the model's initial one, zero if unknown.

    `program` writes the pivots, `x` is a row of its arguments that has the parameters and inputs. Loops need not
    be closed there, since pivots are compared by their order of magnitude. Where constraints are redundant only closed
    positions tell, and none are known. The pivots of the last time, parameters and inputs are kept.
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
        return np.zeros(rows)
    coordinates = system.coordinates
    lengths = [coordinates.measures.get(name) == "length" for name in coordinates.coordinate_names]
    spread = _SPREAD * np.where(lengths, system.model_size, 1.0)
    q = system.initial_values(parameters)[0] + spread * np.random.default_rng(0).normal(size=(_POSITIONS, len(spread)))
    for first in coordinates.euler_parameters.values():
        q[:, first : first + 4] /= np.linalg.norm(q[:, first : first + 4], axis=1, keepdims=True)
    samples = np.tile(x, (_POSITIONS, 1))
    samples[:, TIME], samples[:, system.row.q], samples[:, system.row.u] = x[TIME], q, 0.0
    with np.errstate(all="ignore"):
        pivots = np.abs(program.loop(samples)[:, program.output_slice("pivots")])
    return np.asarray(np.nan_to_num(np.median(pivots, axis=0), nan=0.0, posinf=0.0))
