"""Closed loops near a position: coordinates that follow from the others, as series, degree by degree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.scales.excitation import Excitation, names_in
from gyrostat.analysis.scales.mechanism_loads import MechanismLoads
from gyrostat.analysis.scales.taylor import Chart, padded, product
from gyrostat.analysis.scales.taylor_rates import chart_of_positions
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import TIME
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import (
    Element,
    Expansion,
    evaluate,
    jacobian,
    numeric_function,
    substitute,
)
from gyrostat.scalar.exact.branches import Sign
from gyrostat.scalar.exact.numbers import plain_number
from gyrostat.scalar.exact.taylor import Series
from gyrostat.written.exact_constraints import ExactConstraints

_RANK = 1e-9
"""Singular values below this part of the largest count as zero."""


@dataclass(frozen=True, eq=False)
class Loops:
    """The constraints of a mechanism about a position: independent rows, and coordinates that follow from others."""

    rows: tuple[Scalar, ...]
    norms: tuple[tuple[str, ...], ...]
    """Euler parameters whose squares have the sum one: further rows."""
    independent: tuple[int, ...]
    dependent: tuple[int, ...]
    inverse: Floats
    """Of the derivatives of the rows by the dependent coordinates."""

    @property
    def parameters(self) -> frozenset[str]:
        """All names that the rows contain."""
        return frozenset().union(*(names_in(row) for row in self.rows))


def find_loops(loads: MechanismLoads, centre: Mapping[str, Scalar], values: Mapping[str, float]) -> Loops:
    """Return which coordinates follow from which at a closed position, without excitation; chosen by pivots."""
    from scipy.linalg import qr

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
    kept = sorted(qr(A.T, mode="r", pivoting=True)[1][:rank]) if rank else []
    dependent = sorted(qr(A[kept], mode="r", pivoting=True)[1][:rank]) if rank else []
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
    """Return the parameters without which constraints do not move in time, with the constraints: these are small."""
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


def loop_chart(
    loads: MechanismLoads,
    loops: Loops,
    centre: Mapping[str, Scalar],
    names: Sequence[str],
    shapes: Sequence[Sequence[Scalar]],
    highest: int,
    known: Mapping[str, Series],
    sign: Sign,
    *,
    rounded: bool,
) -> Chart:
    """Return q as series in the variables: independent coordinates are centre + Σ shape × variable.

    `known` has the series of parameters: numbers, and small ones. Dependent coordinates are found degree by degree from
    their constraints, whose slopes at the centre are inverted once.
    """
    ring, coordinates = loads.trace.ring, loads.system.coordinate_names
    longest = highest + 1  # tangents are one degree shorter
    series: dict[str, Series] = {coordinates[i]: padded([centre[coordinates[i]]], longest) for i in loops.dependent}
    for i, row in zip(loops.independent, shapes, strict=True):
        moved: Scalar = 0
        for factor, name in zip(row, names, strict=True):
            moved = moved + factor * ring.symbol(name)
        series[coordinates[i]] = padded([centre[coordinates[i]], moved], longest)
    for grade in range(1, longest + 1):
        cut = {name: parts[: grade + 1] for name, parts in {**known, **series}.items()}
        expansion = Expansion(ring, cut, grade, sign, rounded=rounded)
        off = [expansion(row)[grade] for row in loops.rows]
        off += [_norm([series[name] for name in norm], grade) for norm in loops.norms]
        for slopes, i in zip(loops.inverse, loops.dependent, strict=True):
            correction: Scalar = 0
            for slope, part in zip(slopes, off, strict=True):
                correction = correction - plain_number(float(slope)) * part
            series[coordinates[i]][grade] = correction
    return chart_of_positions(
        loads, series, names, Expansion(ring, {**known, **series}, longest, sign, rounded=rounded)
    )
