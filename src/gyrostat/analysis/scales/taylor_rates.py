"""Speeds and accelerations as series, from those of the coordinates: by derivation, and through q̇ = N(q) u."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from gyrostat.analysis.scales.mechanism_loads import MechanismLoads
from gyrostat.analysis.scales.taylor import Chart, product
from gyrostat.analysis.scales.term import ACCELERATION, RATE
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.model.formula import TIME
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Differential, Element, Expansion, derivative
from gyrostat.scalar.exact.numbers import as_fraction, plain_number
from gyrostat.scalar.exact.taylor import Series


def chart_of_positions(
    loads: MechanismLoads, positions: Mapping[str, Series], names: Sequence[str], expansion: Expansion
) -> Chart:
    """Return the chart of coordinates given as series in variables, one degree longer than asked for.

    `expansion` has these series, and those of parameters. Tangents ∂u/∂(rate of a variable) are one degree shorter than
    positions.
    """
    ring, symbol = loads.trace.ring, loads.trace.ring.symbol
    moving: dict[str, Scalar] = {TIME: 1} | {name: symbol(name + RATE) for name in names}
    in_time = Differential(ring, moving | {name + RATE: symbol(name + ACCELERATION) for name in names})
    rates = {q: [in_time(part) for part in parts] for q, parts in positions.items()}
    speeds = _speeds(loads, rates, expansion)
    series: dict[str, Series] = {q: parts[:-1] for q, parts in positions.items()}
    tangents: list[dict[int, Series]] = []
    for u, a in zip(loads.system.speed_names, loads.acceleration_names, strict=True):
        parts = speeds[u]
        series[u] = parts[:-1]
        series[a] = [in_time(part) for part in parts[:-1]]
        tangents.append({k: [derivative(part, name + RATE) for part in parts[1:]] for k, name in enumerate(names)})
    return Chart(tuple(names), series, tangents)


def _speeds(loads: MechanismLoads, rates: Mapping[str, Series], expansion: Expansion) -> dict[str, Series]:
    """Return the speeds: rates of coordinates where they are that, else solved from N(q) u = q̇ degree by degree."""
    motion, system = loads.trace.motion, loads.system
    found: dict[str, Series] = {}
    rest: list[tuple[str, Element]] = []
    for q, rate in zip(system.coordinate_names, coordinate_rates(motion.tree, motion.state), strict=True):
        name = rate.symbol_name()
        if name is None:
            rest.append((q, rate))
        else:
            found[name] = rates[q]
    unknown = [u for u in system.speed_names if u not in found]
    if unknown:
        N = [[expansion(derivative(rate, u)) for u in unknown] for _, rate in rest]
        found |= zip(unknown, _solved(N, [rates[q] for q, _ in rest]), strict=True)
    return found


def _solved(N: list[list[Series]], rates: list[Series]) -> list[Series]:
    """Return u with N u = rates, from as many rows as there are unknowns: those with the largest pivots."""
    from scipy.linalg import qr

    at_centre = np.array([[float(as_fraction(entry[0])) for entry in row] for row in N])
    n = at_centre.shape[1]
    rows = sorted(qr(at_centre.T, mode="r", pivoting=True)[1][:n])
    inverse = np.linalg.inv(at_centre[rows])
    length = len(rates[0])
    u: list[Series] = [[0] * length for _ in range(n)]
    for grade in range(length):
        right: list[Scalar] = []
        for row in rows:
            carried = (
                product(entry, part)[grade] for entry, part in zip(N[row], u, strict=True)
            )  # u has no such part yet
            right.append(rates[row][grade] - sum(carried, start=0))
        for k in range(n):
            part: Scalar = 0
            for slope, load in zip(inverse[k], right, strict=True):
                part = part + plain_number(float(slope)) * load
            u[k][grade] = part
    return u
