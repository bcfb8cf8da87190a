"""Series of dependent coordinates, speeds and accelerations of mechanisms with loops or Euler parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gyrostat.analysis.scales.excitation import Excitation, names_in
from gyrostat.analysis.scales.mechanism_loads import MechanismLoads
from gyrostat.analysis.scales.taylor import Chart, padded, product
from gyrostat.analysis.scales.term import ACCELERATION, RATE
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.lazy import later
from gyrostat.model.formula import TIME
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import (
    Differential,
    Element,
    Expansion,
    derivative,
    evaluate,
    jacobian,
    numeric_function,
    substitute,
)
from gyrostat.scalar.exact.branches import Sign
from gyrostat.scalar.exact.numbers import as_fraction, plain_number
from gyrostat.scalar.exact.taylor import Series
from gyrostat.written.exact_constraints import ExactConstraints

if TYPE_CHECKING:
    from scipy import linalg
else:
    (linalg,) = later("scipy", "linalg")

_RANK = 1e-9
"""Relative tolerance of singular values."""


def chart_of_positions(
    loads: MechanismLoads, positions: Mapping[str, Series], names: Sequence[str], expansion: Expansion
) -> Chart:
    """Return the chart of coordinates given as series in variables, one degree higher than the chart.

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
    """Return the speeds: equal to rates of coordinates, or solved from N(q) u = q̇ degree by degree."""
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
    """Return u with N u = rates from a square subsystem of rows, chosen by pivoting."""
    at_centre = np.array([[float(as_fraction(entry[0])) for entry in row] for row in N])
    n = at_centre.shape[1]
    rows = sorted(linalg.qr(at_centre.T, mode="r", pivoting=True)[1][:n])
    inverse = np.linalg.inv(at_centre[rows])
    length = len(rates[0])
    u: list[Series] = [[0] * length for _ in range(n)]
    for grade in range(length):
        right: list[Scalar] = []
        for row in rows:
            carried = (
                product(entry, part)[grade] for entry, part in zip(N[row], u, strict=True)
            )  # u has no part of this grade yet
            right.append(rates[row][grade] - sum(carried, start=0))
        for k in range(n):
            part: Scalar = 0
            for entry, rate in zip(inverse[k], right, strict=True):
                part = part + plain_number(float(entry)) * rate
            u[k][grade] = part
    return u


@dataclass(frozen=True, eq=False)
class Loops:
    """The constraints of a mechanism about a position: independent rows, independent and dependent coordinates."""

    rows: tuple[Scalar, ...]
    norms: tuple[tuple[str, ...], ...]
    """Groups of Euler parameters, whose unit norms are further rows."""
    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    inverse: Floats
    """Inverse of the Jacobian of the rows with respect to the dependent coordinates."""

    @property
    def parameters(self) -> frozenset[str]:
        """All names that the rows contain."""
        return frozenset().union(*(names_in(row) for row in self.rows))


def find_loops(loads: MechanismLoads, centre: Mapping[str, Scalar], values: Mapping[str, float]) -> Loops:
    """Return independent and dependent coordinates at a closed position without excitation, chosen by pivoting."""
    found = ExactConstraints(loads.trace)
    for row in found.rows:
        if row.residual is None:
            raise StateError(
                f"{row.owner!r} constrains speeds, not positions: such motion is not described by independent "
                "coordinates, which multiple scales needs. Leave it out, or hold the position by a spring."
            )
    residuals = [row.residual for row in found.rows]
    names = loads.system.coordinate_names
    norms = [names[place : place + 4] for place in loads.system.coordinates.euler_parameters.values()]
    known = {**values, TIME: 0.0, **{name: evaluate(centre[name], values) for name in names}}
    flat = [entry for row in jacobian(residuals, names) for entry in row]
    entries = numeric_function(flat, list(known))(*known.values())
    A = np.array(entries, dtype=float).reshape(len(residuals), len(names))
    A = np.vstack([A, *([[2 * known[n] if n in norm else 0.0 for n in names] for norm in norms])])
    sizes = np.linalg.svd(A, compute_uv=False) if len(A) else np.zeros(0)
    rank = int((sizes > _RANK * sizes.max(initial=0.0)).sum())
    kept = sorted(linalg.qr(A.T, mode="r", pivoting=True)[1][:rank]) if rank else []
    dependent = sorted(linalg.qr(A[kept], mode="r", pivoting=True)[1][:rank]) if rank else []
    return Loops(
        tuple(residuals[i] for i in kept if i < len(residuals)),
        tuple(norms[i - len(residuals)] for i in kept if i >= len(residuals)),
        tuple(i for i in range(len(names)) if i not in dependent),
        tuple(int(i) for i in dependent),
        np.linalg.inv(A[np.ix_(kept, dependent)]),
    )


def _norm(parameters: Sequence[Series], grade: int) -> Scalar:
    """Return the part of Σ e² of a grade."""
    return sum((product(e, e)[grade] for e in parameters), start=0)


def moved_by(loads: MechanismLoads) -> dict[str, tuple[str, ...]]:
    """Return the parameters of moving constraints, with the constraints; these parameters are small."""
    excitation, parameters = Excitation(loads.trace.ring), frozenset(loads.system.model.parameters)
    found: dict[str, list[str]] = {}
    for row in ExactConstraints(loads.trace).rows:
        if not isinstance(row.residual, Element) or TIME not in names_in(row.residual):
            continue
        names = names_in(row.residual) & parameters - excitation.frequency_names(row.residual)
        sizes = [name for name in sorted(names) if TIME not in names_in(substitute(row.residual, {name: 0}))]
        if not sizes:
            raise StateError(
                f"The motion that {row.owner!r} gives has no parameter for its size. Name it, as in 'A*cos(Omega*t)'."
            )
        found.setdefault(sizes[0], []).append(row.owner)
    return {name: tuple(dict.fromkeys(owners)) for name, owners in found.items()}


class Shapes(NamedTuple):
    """Displacements of independent coordinates by variable: coordinate i moves by Σ rows[i][k] × variable k."""

    variables: Sequence[str]
    rows: Sequence[Sequence[Scalar]]


def loop_chart(
    loads: MechanismLoads,
    loops: Loops,
    centre: Mapping[str, Scalar],
    shapes: Shapes,
    highest: int,
    known: Mapping[str, Series],
    sign: Sign,
    *,
    rounded: bool,
) -> Chart:
    """Return q as series in the variables: independent coordinates are centre + Σ shape × variable.

    `known` has the series of parameters: numbers, and small ones. Dependent coordinates are found degree by degree from
    their constraints, whose Jacobian at the centre is inverted once.
    """
    ring, coordinates = loads.trace.ring, loads.system.coordinate_names
    longest = highest + 1  # tangents are one degree shorter
    series: dict[str, Series] = {coordinates[i]: padded([centre[coordinates[i]]], longest) for i in loops.dependent}
    for i, row in zip(loops.independent, shapes.rows, strict=True):
        moved: Scalar = 0
        for factor, name in zip(row, shapes.variables, strict=True):
            moved = moved + factor * ring.symbol(name)
        series[coordinates[i]] = padded([centre[coordinates[i]], moved], longest)
    for grade in range(1, longest + 1):
        cut = {name: parts[: grade + 1] for name, parts in {**known, **series}.items()}
        expansion = Expansion(ring, cut, grade, sign, rounded=rounded)
        off = [expansion(row)[grade] for row in loops.rows]
        off += [_norm([series[name] for name in norm], grade) for norm in loops.norms]
        for row, i in zip(loops.inverse, loops.dependent, strict=True):
            correction: Scalar = 0
            for entry, part in zip(row, off, strict=True):
                correction = correction - plain_number(float(entry)) * part
            series[coordinates[i]][grade] = correction
    return chart_of_positions(
        loads, series, shapes.variables, Expansion(ring, {**known, **series}, longest, sign, rounded=rounded)
    )
