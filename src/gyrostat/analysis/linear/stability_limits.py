"""Values of a parameter at which an eigenvalue begins or ceases to grow.

In damped systems the real part of one eigenvalue passes through zero. The eigenvalues of undamped systems lie
symmetrically to the imaginary axis, λ and −λ̄: two of them meet, at zero or, with opposite Krein signatures, elsewhere
on the axis, and leave it to both sides. There the real part r changes like a root of the parameter, and r² is smooth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.coordinates.arguments import Floats

_AXIS_TOLERANCE = 1e-9
"""Real parts below this, relative to the largest eigenvalue, are zero."""
_BRACKET_WIDTH = 1e-5
"""Width of the bracket from which a limit is extrapolated, relative to the distance of the given values."""
_BISECTION_LIMIT = 60


@dataclass(frozen=True, eq=False)
class StabilityLimits:
    """The search over eigenvalues that were followed, one row for each value of the parameter."""

    values: Floats
    names: Sequence[str]
    eigenvalues: Complexes
    at: Callable[[float], Complexes]
    """Returns all eigenvalues at any value of the parameter, in any order."""

    def found(self) -> dict[float, str]:
        """Return the limits in order, each with the name of the mode that grows on one side of it."""
        limits: dict[float, str] = {}
        for i in range(len(self.values) - 1):
            limits |= self._meetings(i)
        limits |= self._crossings()
        return dict(sorted(limits.items()))

    @property
    def _size(self) -> float:
        return float(np.abs(self.eigenvalues).max(initial=0.0))

    # --- one eigenvalue crosses the axis -------------------------------------------------------------------------

    def _crossings(self) -> dict[float, str]:
        """Return where real parts of eigenvalues without mirror images pass through zero, or come to it and stay."""
        limits: dict[float, str] = {}
        tolerance = _AXIS_TOLERANCE * self._size
        mirrored = np.array([_mirrored(row, tolerance) for row in self.eigenvalues])
        for k, name in enumerate(self.names):
            real = self.eigenvalues[:, k].real
            signs = np.where(np.abs(real) <= tolerance, 0, np.sign(real)).astype(int)
            for i, j in _sign_changes(signs):
                grows = i if signs[i] > 0 else j
                if mirrored[grows, k] or self.eigenvalues[grows, k].imag < -tolerance:
                    continue
                if signs[i] * signs[j]:
                    limits[self._crossing(i, j, k)] = name
                else:
                    end = i + j - grows
                    limits[self._boundary(self.values[grows], self.values[end], 0, mirrored=False)] = name
        return limits

    def _crossing(self, i: int, j: int, k: int) -> float:
        """Return where a mode crosses the axis between two values, by Ridders' method.

        At zero the product of all eigenvalues but permanent zeros is what vanishes, a smooth function of the parameter
        however small the damping; elsewhere the real part does.
        """
        from scipy.optimize import ridder

        begin, end = float(self.values[i]), float(self.values[j])
        zeros = int((self.eigenvalues[[i, j]] == 0).sum(axis=1).min())
        if self._size and (self.eigenvalues[[i, j], k].imag == 0).any():

            def product(value: float) -> float:
                every = self.at(value)
                others = every[every != 0]
                return float(np.prod(others / self._size).real) if len(every) - len(others) == zeros else 0.0

            if product(begin) * product(end) < 0:
                return _beside(product, float(ridder(product, begin, end, xtol=1e-14, rtol=1e-14)), abs(end - begin))
        near = [(self.values[place], complex(self.eigenvalues[place, k])) for place in (i, j)]

        def real_part(value: float) -> float:
            (low, here), (high, there) = sorted(near, key=lambda pair: abs(pair[0] - value))[:2]
            expected = here + (there - here) * (value - low) / (high - low)
            every = self.at(value)
            candidates = every[every != 0]
            if len(every) - len(candidates) > zeros:
                return 0.0
            found = complex(candidates[int(np.argmin(np.abs(candidates - expected)))])
            if all(value != known for known, _ in near):
                near.append((value, found))
            return found.real

        return float(ridder(real_part, begin, end, xtol=1e-14, rtol=1e-14))

    # --- two eigenvalues meet on the axis ------------------------------------------------------------------------

    def _meetings(self, i: int) -> dict[float, str]:
        """Return where eigenvalues with mirror images meet on the axis between two neighbouring values."""
        counts = [len(self._growing(self.eigenvalues[j], mirrored=True)) for j in (i, i + 1)]
        grows, calm = (i, i + 1) if counts[0] > counts[1] else (i + 1, i)
        limits: dict[float, str] = {}
        span = abs(self.values[i + 1] - self.values[i])
        names = self._ceasing(grows, calm)
        for level in reversed(range(min(counts), max(counts))):
            limit = self._boundary(self.values[grows], self.values[calm], level, mirrored=True)
            name = names[min(max(counts) - 1 - level, len(names) - 1)]
            if all(abs(limit - other) > 1e-9 * span for other in limits):
                limits[limit] = name
        return limits

    def _ceasing(self, grows: int, calm: int) -> list[str]:
        """Return the names of the modes that grow at one value and not at the other, the slowest first."""
        places = self._growing(self.eigenvalues[grows], mirrored=True)
        ordered = places[np.argsort(self.eigenvalues[grows, places].real)]
        ceasing = [k for k in ordered if self.eigenvalues[calm, k].real <= _AXIS_TOLERANCE * self._size]
        return [self.names[k] for k in ceasing or ordered]

    def _growing(self, eigenvalues: Complexes, *, mirrored: bool) -> NDArray[np.intp]:
        """Return the places of growing eigenvalues, one of each pair, with or without mirror images."""
        tolerance = _AXIS_TOLERANCE * self._size
        grows = (eigenvalues.real > tolerance) & (eigenvalues.imag >= -tolerance)
        return np.flatnonzero(grows & (_mirrored(eigenvalues, tolerance) == mirrored))

    def _boundary(self, grows: float, calm: float, level: int, *, mirrored: bool) -> float:
        """Return where the number of growing eigenvalues falls to a level.

        The interval is halved. The limit follows by extrapolation of the smooth quantity, r² of eigenvalues with mirror
        images and r of others, from four values on the side of growth, where eigenvalues are well separated.
        """

        def growing(value: float) -> Complexes:
            every = self.at(value)
            kept = every[self._growing(every, mirrored=mirrored)]
            return kept[np.argsort(kept.real)]

        inner, outer, span = float(grows), float(calm), abs(calm - grows)
        for _ in range(_BISECTION_LIMIT):
            width = abs(outer - inner)
            if width <= _BRACKET_WIDTH * span and 3 * width <= abs(inner - grows):
                break
            middle = 0.5 * (inner + outer)
            inner, outer = (middle, outer) if len(growing(middle)) > level else (inner, middle)
        places: Floats = np.asarray(inner - (outer - inner) * np.arange(4), dtype=float)
        samples = [growing(float(place)) for place in places]
        if any(len(sample) <= level for sample in samples):
            return 0.5 * (inner + outer)
        # of several growing eigenvalues the one with the smallest real part ceases to grow first
        ceasing = np.array([sample[len(sample) - 1 - level] for sample in samples])
        smooth = ceasing.real**2 if mirrored else ceasing.real
        limit = _value_at_zero(smooth, places)
        close = abs(limit - inner) <= 2 * abs(outer - inner)
        return limit if close else 0.5 * (inner + outer)


def _beside(function: Callable[[float], float], root: float, span: float) -> float:
    """Return a root by values on both sides: an eigenvalue that is nearly zero counts as zero, too early."""
    for distance in (1e-6 * span, 1e-5 * span):
        before, after = function(root - distance), function(root + distance)
        if before * after < 0:
            return root - distance + 2 * distance * before / (before - after)
    return root


def _sign_changes(signs: NDArray[np.int_]) -> list[tuple[int, int]]:
    """Return the pairs of places between which a sign becomes or ceases to be positive.

    A single zero between opposite signs is passed over; longer zeros are ends of their own.
    """
    found: list[tuple[int, int]] = []
    i = 0
    while i < len(signs) - 1:
        j = i + 1
        if signs[i] and not signs[j] and j + 1 < len(signs) and signs[i] * signs[j + 1] < 0:
            j += 1
        if (signs[i] > 0) != (signs[j] > 0):
            found.append((i, j))
        i = j
    return found


def _mirrored(eigenvalues: Complexes, tolerance: float) -> NDArray[np.bool_]:
    """Tell of each eigenvalue λ whether another is its mirror image at the imaginary axis, −λ̄."""
    apart = np.abs(eigenvalues[:, None] + eigenvalues.conj()[None, :])
    np.fill_diagonal(apart, np.inf)
    nearest = apart.min(axis=0, initial=np.inf)
    return np.asarray(nearest <= tolerance)


def _value_at_zero(quantity: Floats, values: Floats) -> float:
    """Return the value at which a monotonic quantity vanishes, by Lagrange's inverse interpolation."""
    total = 0.0
    for i, value in enumerate(values):
        others = np.delete(quantity, i)
        if (others == quantity[i]).any():
            return float(values[0])
        total += float((value - values[0]) * np.prod(others / (others - quantity[i])))
    return float(values[0]) + total
