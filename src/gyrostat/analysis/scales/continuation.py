"""Branches of steady states over a parameter: arclength continuation with folds, Hopf and branch points."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow, Floats
from gyrostat.analysis.scales.steady_state import SteadyState, steady_state
from gyrostat.lazy import later

if TYPE_CHECKING:
    from gyrostat.shown import scales_plots
else:
    (scales_plots,) = later("gyrostat.shown", "scales_plots")

_NEWTON = 12
_BISECTIONS = 40


class SpecialKind(Enum):
    """What happens at a special point of a branch."""

    FOLD = "fold"
    HOPF = "Hopf"
    BRANCH = "branch point"


@dataclass(frozen=True, eq=False)
class SpecialPoint:
    """Where a branch turns back, starts to oscillate, or meets another one."""

    kind: SpecialKind
    parameter: float
    state: SteadyState

    def __str__(self) -> str:
        sizes = ", ".join(f"{name}: {abs(value):.6g}" for name, value in self.state.amplitudes.items())
        return f"{self.kind.value} at {self.parameter:.6g} ({sizes})"


@dataclass(frozen=True, eq=False)
class Branch:
    """Steady states along a branch: parameter values, amplitudes by coordinate, stability, special points."""

    name: str
    parameter: Floats
    amplitudes: Mapping[str, Floats]
    stable: Any
    states: Floats
    special: tuple[SpecialPoint, ...]

    def __len__(self) -> int:
        return len(self.parameter)


@dataclass(frozen=True, eq=False)
class Branches:
    """All branches that were followed."""

    name: str
    branches: tuple[Branch, ...]

    @property
    def special(self) -> tuple[SpecialPoint, ...]:
        """The special points of all branches."""
        return tuple(point for branch in self.branches for point in branch.special)

    def of_kind(self, kind: SpecialKind) -> tuple[SpecialPoint, ...]:
        """Return special points of one kind."""
        return tuple(point for point in self.special if point.kind is kind)

    def __str__(self) -> str:
        lines = [f"{len(self.branches)} branch{'es' * (len(self.branches) != 1)} over {self.name}"]
        for branch in self.branches:
            low, high = branch.parameter.min(), branch.parameter.max()
            part = float(np.mean(branch.stable))
            lines.append(f"  {len(branch)} points, {low:.6g} to {high:.6g}, {100 * part:.0f} % stable")
            lines += [f"    {point}" for point in branch.special]
        return "\n".join(lines)

    def plot(
        self, *names: str, path: str | os.PathLike[str] | None = None, dark: bool = False, axes: Any = None
    ) -> Any:
        """Plot amplitudes over the parameter, unstable parts dashed; the extra `plots` is needed."""
        return scales_plots.plot_branches(self, names, path=path, dark=dark, axes=axes)


@dataclass(frozen=True, eq=False)
class _Point:
    """A point of a branch: state and scaled parameter, direction, and what changes sign at special points."""

    z: Floats
    direction: Floats
    tests: Mapping[SpecialKind, float]

    def reversed(self) -> _Point:
        """Return the same point seen from the other side."""
        flipped = {SpecialKind.FOLD, SpecialKind.BRANCH}
        tests = {kind: -value if kind in flipped else value for kind, value in self.tests.items()}
        return _Point(self.z, -self.direction, tests)


class Follower:
    """Follows steady states of a flow over one parameter between two values."""

    def __init__(
        self,
        flow: AmplitudeFlow,
        names: tuple[str, ...],
        values_at: Callable[[float], Mapping[str, float]],
        between: tuple[float, float],
    ) -> None:
        self.flow, self.names, self._values_at = flow, names, values_at
        self.low, self.high = sorted(between)
        self.span = self.high - self.low

    def _rates(self, y: Floats, parameter: float) -> Floats:
        self.flow.at(self._values_at(parameter))
        return self.flow.rates(y)

    def _slope(self, z: Floats) -> Floats:
        """Return the derivative of the rates by the scaled parameter."""
        step = 1e-6
        ahead, behind = (self._rates(z[:-1], (z[-1] + way) * self.span) for way in (step, -step))
        return (ahead - behind) / (2 * step)

    def _extended(self, z: Floats, slope: Floats) -> tuple[Floats, Floats]:
        """Return rates, and their Jacobian with the derivative by the scaled parameter as last column."""
        residual = self._rates(z[:-1], z[-1] * self.span)
        return residual, np.column_stack([self.flow.jacobian(z[:-1]), slope])

    def look(self, z: Floats, before: Floats | None) -> _Point:
        """Return a point of the branch with the direction onwards."""
        _, matrix = self._extended(z, self._slope(z))
        direction: Floats = np.linalg.svd(matrix)[2][-1]
        if before is not None and direction @ before < 0:
            direction = -direction
        values = np.linalg.eigvals(matrix[:, :-1])
        pairs = [a + b for i, a in enumerate(values) for b in values[i + 1 :]]
        tests = {
            SpecialKind.FOLD: float(direction[-1]),
            SpecialKind.BRANCH: float(np.linalg.det(np.vstack([matrix, direction]))),
            SpecialKind.HOPF: float(np.prod(pairs).real) if pairs else 1.0,
        }
        return _Point(z, direction, tests)

    def correct(self, z: Floats, direction: Floats) -> Floats | None:
        """Return the point of the branch in the plane through z across a direction."""
        start, slope = z, self._slope(z)
        for _ in range(_NEWTON):
            residual, matrix = self._extended(z, slope)
            system = np.vstack([matrix, direction])
            step = np.linalg.lstsq(system, -np.append(residual, direction @ (z - start)), rcond=1e-13)[0]
            z = z + step
            if float(np.abs(step).max()) < 1e-11 * max(1.0, float(np.abs(z).max())):
                return z
        return None

    def follow(self, y: Floats, parameter: float, *, step: float, most: int) -> list[_Point]:
        """Return the points of a branch through a steady state, to both sides."""
        start = self.look(np.append(y, parameter / self.span), None)
        back = self.march(start.reversed(), step=step, most=most)
        return [*(point.reversed() for point in back[:0:-1]), *self.march(start, step=step, most=most)]

    def march(self, point: _Point, *, step: float, most: int) -> list[_Point]:
        """Return points onwards, until the parameter leaves its interval or the branch comes back upon itself."""
        points = [point]
        length = step
        while len(points) < most:
            point = points[-1]
            new = self.correct(point.z + length * point.direction, point.direction)
            ahead = None if new is None else self.look(new, point.direction)
            if new is None or ahead is None or ahead.direction @ point.direction < 0.9:
                length /= 2
                if length < 1e-4 * step:
                    break
                continue
            if _mirrored(point, ahead):
                end = self._bisect(point, ahead, SpecialKind.FOLD)
                points.append(_Point(end, point.direction, point.tests))
                break
            if not self.low <= new[-1] * self.span <= self.high:
                points.append(self.look(self._at_end(point.z, new), point.direction))
                break
            points.append(ahead)
            length = min(step, 1.5 * length)
            if _closed(points):
                break
        return points

    def _at_end(self, inside: Floats, outside: Floats) -> Floats:
        """Return the point of the branch at the end of the interval."""
        end = (self.low if outside[-1] * self.span < self.low else self.high) / self.span
        share = (end - inside[-1]) / (outside[-1] - inside[-1])
        fixed = np.append(np.zeros(len(inside) - 1), 1.0)
        start = inside + share * (outside - inside)
        found = self.correct(start, fixed)
        if found is None:
            return np.asarray(start)
        found[-1] = end
        return found

    # --- special points

    def branch(self, name: str, points: Sequence[_Point]) -> Branch:
        """Describe a branch."""
        states = [self._state(point.z) for point in points]
        special = [found for a, b in pairwise(points) for found in self._between(a, b)]
        return Branch(
            name,
            np.array([point.z[-1] * self.span for point in points]),
            {own: np.array([state.amplitudes[own] for state in states]) for own in self.names},
            np.array([state.is_stable for state in states]),
            np.array([point.z[:-1] for point in points]),
            tuple(special),
        )

    def _state(self, z: Floats) -> SteadyState:
        self.flow.at(self._values_at(z[-1] * self.span))
        return steady_state(self.flow, self.names, z[:-1])

    def _between(self, a: _Point, b: _Point) -> list[SpecialPoint]:
        found = []
        for kind in SpecialKind:
            if a.tests[kind] * b.tests[kind] < 0:
                z = self._bisect(a, b, kind)
                state = self._state(z)
                if kind is SpecialKind.HOPF and not _oscillating(state):
                    continue  # a neutral saddle: two real eigenvalues of opposite sign
                found.append(SpecialPoint(kind, float(z[-1] * self.span), state))
        return found

    def _bisect(self, a: _Point, b: _Point, kind: SpecialKind) -> Floats:
        left, right = a.z, b.z
        for _ in range(_BISECTIONS):
            chord = right - left
            size = float(np.linalg.norm(chord))
            if size < 1e-9 * max(1.0, float(np.linalg.norm(left))):
                break
            middle = self.correct((left + right) / 2, chord / size)
            if middle is None:
                break
            if self.look(middle, a.direction).tests[kind] * a.tests[kind] > 0:
                left = middle
            else:
                right = middle
        return np.asarray((left + right) / 2)

    def switched(self, special: SpecialPoint) -> list[_Point]:
        """Return starts on the other branch through a branch point, to both sides."""
        z = np.append(special.state.state, special.parameter / self.span)
        _, matrix = self._extended(z, self._slope(z))
        null = np.linalg.svd(matrix)[2][-2:]  # the plane of both branches' directions
        weights = null[:, -1]
        size = float(np.linalg.norm(weights))
        along = weights @ null / size if size > 1e-12 else null[0]  # the parameter changes most along the known branch
        across = max((row - (row @ along) * along for row in null), key=lambda row: float(np.linalg.norm(row)))
        across = across / np.linalg.norm(across)
        for distance in (1e-2, 5e-2, 1e-3):
            ways = [way * distance * max(1.0, float(np.linalg.norm(z))) * across for way in (1, -1)]
            found = [(new, way) for way in ways if (new := self.correct(z + way, across)) is not None]
            if found:
                return [self.look(new, way) for new, way in found]
        return []


def _mirrored(a: _Point, b: _Point) -> bool:
    """Tell whether a branch passes a branch point at which the parameter turns: beyond it is its mirror image."""
    return all(a.tests[kind] * b.tests[kind] < 0 for kind in (SpecialKind.FOLD, SpecialKind.BRANCH))


def _closed(points: Sequence[_Point]) -> bool:
    """Tell whether a branch has come back to its start."""
    if len(points) < 10:
        return False
    step = float(np.linalg.norm(points[1].z - points[0].z))
    return float(np.linalg.norm(points[-1].z - points[0].z)) < 0.5 * step


def _oscillating(state: SteadyState) -> bool:
    values = state.eigenvalues
    scale = float(np.abs(values).max())
    near = values[np.abs(values.real) < 1e-4 * scale]
    return bool((np.abs(near.imag) > 1e-4 * scale).any())
