"""Branches of steady states over a parameter: arclength continuation with folds, Hopf and branch points."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow, Floats
from gyrostat.analysis.scales.steady_state import SteadyState, steady_state

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
        return f"{self.kind.value} at {self.parameter:.6g} ({self.state})"


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
        from gyrostat.analysis.scales.plots import plot_branches

        return plot_branches(self, names, path=path, dark=dark, axes=axes)


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

    def _extended(self, z: Floats) -> tuple[Floats, Floats]:
        """Return rates, and the Jacobian with the derivative by the parameter (scaled by the span) as last column."""
        y, parameter = z[:-1], z[-1] * self.span
        step = 1e-6 * self.span
        slope = (self._rates(y, parameter + step) - self._rates(y, parameter - step)) / (2 * step)
        residual = self._rates(y, parameter)
        return residual, np.column_stack([self.flow.jacobian(y), slope * self.span])

    def tangent(self, z: Floats, before: Floats | None) -> Floats:
        """Return the direction of the branch, onwards."""
        _, matrix = self._extended(z)
        direction: Floats = np.linalg.svd(matrix)[2][-1]
        if before is not None and direction @ before < 0:
            direction = -direction
        return direction

    def correct(self, z: Floats, direction: Floats) -> Floats | None:
        """Return the point of the branch in the plane through z across a direction."""
        start = z
        for _ in range(_NEWTON):
            residual, matrix = self._extended(z)
            system = np.vstack([matrix, direction])
            step = np.linalg.lstsq(system, -np.append(residual, direction @ (z - start)), rcond=1e-13)[0]
            z = z + step
            if float(np.abs(step).max()) < 1e-11 * max(1.0, float(np.abs(z).max())):
                return z
        return None

    def follow(
        self, y: Floats, parameter: float, sign: int, *, step: float, most: int
    ) -> tuple[list[Floats], list[Floats]]:
        """Return points and tangents of a branch from a steady state in one direction of the parameter."""
        z = np.append(y, parameter / self.span)
        direction = self.tangent(z, None)
        direction = direction * (sign if direction[-1] >= 0 else -sign)
        return self.march(z, direction, step=step, most=most)

    def march(self, z: Floats, direction: Floats, *, step: float, most: int) -> tuple[list[Floats], list[Floats]]:
        """Return points and tangents from a point in a direction, until the parameter leaves its interval."""
        points, tangents = [z], [direction]
        length = step
        while len(points) < most:
            new = self.correct(z + length * direction, direction)
            ahead = None if new is None else self.tangent(new, direction)
            if new is None or ahead is None or ahead @ direction < 0.9:
                length /= 2
                if length < 1e-4 * step:
                    break
                continue
            outside = not self.low <= new[-1] * self.span <= self.high
            z, direction = (self._at_end(z, new), ahead) if outside else (new, ahead)
            points.append(z)
            tangents.append(direction)
            length = min(step, 1.5 * length)
            if outside or _closed(points):
                break
        return points, tangents

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

    def branch(self, name: str, points: Sequence[Floats], tangents: Sequence[Floats]) -> Branch:
        """Describe a branch."""
        states = [self._state(z) for z in points]
        special = [
            point
            for i in range(len(points) - 1)
            for point in self._between(points[i], points[i + 1], tangents[i], tangents[i + 1])
        ]
        return Branch(
            name,
            np.array([z[-1] * self.span for z in points]),
            {own: np.array([state.amplitudes[own] for state in states]) for own in self.names},
            np.array([state.is_stable for state in states]),
            np.array([z[:-1] for z in points]),
            tuple(special),
        )

    def _state(self, z: Floats) -> SteadyState:
        self.flow.at(self._values_at(z[-1] * self.span))
        return steady_state(self.flow, self.names, z[:-1])

    def _tests(self, z: Floats, direction: Floats) -> tuple[float, float, float]:
        """Return functions that change sign at a fold, a branch point and a Hopf point."""
        _, matrix = self._extended(z)
        fold = float(direction[-1])
        meeting = float(np.linalg.det(np.vstack([matrix, direction])))
        values = np.linalg.eigvals(matrix[:, :-1])
        pairs = [a + b for i, a in enumerate(values) for b in values[i + 1 :]]
        hopf = float(np.prod(pairs).real) if pairs else 1.0
        return fold, meeting, hopf

    def _between(self, a: Floats, b: Floats, ta: Floats, tb: Floats) -> list[SpecialPoint]:
        kinds = (SpecialKind.FOLD, SpecialKind.BRANCH, SpecialKind.HOPF)
        first, second = self._tests(a, ta), self._tests(b, tb)
        found = []
        for i, kind in enumerate(kinds):
            if first[i] * second[i] < 0:
                z = self._bisect(a, b, ta, lambda z, t, i=i: self._tests(z, t)[i])  # type: ignore[misc]
                state = self._state(z)
                if kind is SpecialKind.HOPF and not _oscillating(state):
                    continue  # a neutral saddle: two real eigenvalues of opposite sign
                found.append(SpecialPoint(kind, float(z[-1] * self.span), state))
        return found

    def _bisect(self, a: Floats, b: Floats, direction: Floats, test: Callable[[Floats, Floats], float]) -> Floats:
        left, right = a, b
        sign = np.sign(test(a, direction))
        for _ in range(_BISECTIONS):
            chord = right - left
            size = float(np.linalg.norm(chord))
            if size < 1e-9 * max(1.0, float(np.linalg.norm(left))):
                break
            middle = self.correct((left + right) / 2, chord / size)
            if middle is None:
                break
            if np.sign(test(middle, self.tangent(middle, direction))) == sign:
                left = middle
            else:
                right = middle
        return np.asarray((left + right) / 2)

    def switched(self, point: SpecialPoint) -> list[tuple[Floats, Floats]]:
        """Return starts and directions on the other branch through a branch point."""
        z = np.append(point.state.state, point.parameter / self.span)
        _, matrix = self._extended(z)
        _, sizes, directions = np.linalg.svd(matrix)
        null = directions[len(sizes) - 1 :] if len(directions) > len(sizes) else directions[-2:]
        along = self.tangent_near(z, null)
        across = null[0] - (null[0] @ along) * along
        if np.linalg.norm(across) < 1e-6:
            across = null[1] - (null[1] @ along) * along
        across /= np.linalg.norm(across)
        starts = []
        for distance in (1e-2, 5e-2, 1e-3):
            new = self.correct(z + distance * max(1.0, float(np.linalg.norm(z))) * across, across)
            if new is not None:
                chord = new - z
                starts.append((new, chord / np.linalg.norm(chord)))
                break
        return starts

    def tangent_near(self, z: Floats, null: Floats) -> Floats:
        """Return, in the plane of directions at a branch point, that of the branch with the parameter changing most."""
        weights = null[:, -1]
        size = float(np.linalg.norm(weights))
        return np.asarray(weights @ null / size) if size > 1e-12 else np.asarray(null[0])


def _closed(points: Sequence[Floats]) -> bool:
    """Tell whether a branch has come back to its start."""
    if len(points) < 10:
        return False
    step = float(np.linalg.norm(points[1] - points[0]))
    return float(np.linalg.norm(points[-1] - points[0])) < 0.5 * step


def _oscillating(state: SteadyState) -> bool:
    values = state.eigenvalues
    scale = float(np.abs(values).max())
    near = values[np.abs(values.real) < 1e-4 * scale]
    return bool((np.abs(near.imag) > 1e-4 * scale).any())
