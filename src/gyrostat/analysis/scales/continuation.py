"""Branches of steady states over a parameter: arclength continuation with folds, Hopf and branch points."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.operating.arclength import Crossing, Follower, Solution, Station, VectorCurve
from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow, Floats
from gyrostat.analysis.scales.steady_state import SteadyState, steady_state, steady_states
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.names import did_you_mean
from gyrostat.results.text_table import NotebookText

if TYPE_CHECKING:
    from gyrostat.analysis.scales.approximation import MultipleScales
    from gyrostat.shown import scales_plots
else:
    (scales_plots,) = later("gyrostat.shown", "scales_plots")

_BRANCH_LIMIT = 12
_POINT_TOLERANCE = 5e-3


class SpecialKind(Enum):
    """Kinds of special points of a branch."""

    FOLD = "fold"
    HOPF = "Hopf"
    BRANCH = "branch point"


@dataclass(frozen=True, eq=False)
class SpecialPoint:
    """A fold, Hopf or branch point, with the steady state there."""

    kind: SpecialKind
    parameter: float
    state: SteadyState

    def __str__(self) -> str:
        sizes = ", ".join(f"{name}: {abs(value):.6g}" for name, value in self.state.amplitudes.items())
        return f"{self.kind.value} at {self.parameter:.6g} ({sizes})"


@dataclass(frozen=True, eq=False)
class SteadyBranch:
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
class Branches(NotebookText):
    """Branches of steady states over a parameter."""

    name: str
    branches: tuple[SteadyBranch, ...]

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


class SteadyStateCurve:
    """Steady states of a flow over one parameter between two values."""

    def __init__(
        self,
        flow: AmplitudeFlow,
        names: tuple[str, ...],
        values_at: Callable[[float], Mapping[str, float]],
        between: tuple[float, float],
        step: float,
    ) -> None:
        self.flow, self.names, self._values_at = flow, names, values_at
        self.low, self.high = sorted(between)
        self.span = self.high - self.low
        self._curve = VectorCurve(self._rates, lambda z: flow.jacobian(z[:-1]), self._parameter_derivative, step)
        self._follower = Follower(
            self._curve,
            self._bound_passed,
            _TESTS,
            mirror=(SpecialKind.FOLD, SpecialKind.BRANCH),
            least_cosine=0.9,
            shortest=1e-4,
        )

    # --- unknowns z = (state, parameter / span)

    def _rates(self, z: Floats) -> Floats:
        self.flow.at(self._values_at(z[-1] * self.span))
        return self.flow.rates(z[:-1])

    def _parameter_derivative(self, z: Floats) -> Floats:
        """Return the derivative of the rates by the scaled parameter, by central differences."""
        step = np.append(np.zeros(len(z) - 1), 1e-6)
        return (self._rates(z + step) - self._rates(z - step)) / (2 * 1e-6)

    def _bound_passed(self, point: Solution) -> float | None:
        value = point.z[-1] * self.span
        return None if self.low <= value <= self.high else (self.low if value < self.low else self.high) / self.span

    # --- branches

    def through(self, name: str, y: Floats, parameter: float, most: int) -> SteadyBranch:
        """Return the branch through a steady state, to both sides."""
        start = self._curve.station(np.append(y, parameter / self.span))
        back = self._follower.follow(replace(start, tangent=-start.tangent), most - 1)
        onward = self._follower.follow(start, most - 1)
        return self._branch(name, [*back.stations[:0:-1], *onward.stations], [*back.crossings[::-1], *onward.crossings])

    def onward(self, name: str, start: Station[Solution], most: int) -> SteadyBranch:
        """Return the branch from a station, to one side."""
        trail = self._follower.follow(start, most - 1)
        return self._branch(name, trail.stations, trail.crossings)

    def _branch(
        self, name: str, stations: Sequence[Station[Solution]], crossings: Sequence[Crossing[Solution]]
    ) -> SteadyBranch:
        states = [self._state(station.point.z) for station in stations]
        return SteadyBranch(
            name,
            np.array([station.point.z[-1] * self.span for station in stations]),
            {own: np.array([state.amplitudes[own] for state in states]) for own in self.names},
            np.array([state.is_stable for state in states]),
            np.array([station.point.z[:-1] for station in stations]),
            tuple(self._special(crossings)),
        )

    def _state(self, z: Floats) -> SteadyState:
        self.flow.at(self._values_at(z[-1] * self.span))
        return steady_state(self.flow, self.names, z[:-1])

    def _special(self, crossings: Sequence[Crossing[Solution]]) -> Iterator[SpecialPoint]:
        for crossing in crossings:
            z = crossing.station.point.z
            state = self._state(z)
            if crossing.kind is SpecialKind.HOPF and not _oscillating(state):
                continue  # a neutral saddle: two real eigenvalues of opposite sign
            yield SpecialPoint(SpecialKind(crossing.kind), float(z[-1] * self.span), state)

    def switched(self, special: SpecialPoint) -> list[Station[Solution]]:
        """Return stations on the other branch through a branch point, to both sides."""
        curve = self._curve
        z = np.append(special.state.state, special.parameter / self.span)
        null = np.linalg.svd(curve.station(z).point.jacobian)[2][-2:]  # the plane of both branches' tangents
        weights = null[:, -1]
        size = float(np.linalg.norm(weights))
        along = weights @ null / size if size > 1e-12 else null[0]  # the parameter changes most along the known branch
        across = max((row - (row @ along) * along for row in null), key=lambda row: float(np.linalg.norm(row)))
        across = across / np.linalg.norm(across)
        for distance in (1e-2, 5e-2, 1e-3):
            ways = [way * distance * max(1.0, float(np.linalg.norm(z))) * across for way in (1, -1)]
            found = [(new, way) for way in ways if (new := curve.corrected(z + way, across)) is not None]
            if found:
                return [curve.station(new, way) for new, way in found]
        return []


def _fold_test(station: Station[Solution]) -> float:
    """Return the parameter's component of the tangent."""
    return float(station.tangent[-1])


def _branch_test(station: Station[Solution]) -> float:
    """Return the determinant of the Jacobian bordered by the tangent."""
    return float(np.linalg.det(np.vstack([station.point.jacobian, station.tangent])))


def _hopf_test(station: Station[Solution]) -> float:
    """Return the product of the sums of all pairs of eigenvalues."""
    values = np.linalg.eigvals(station.point.jacobian[:, :-1])
    pairs = [a + b for i, a in enumerate(values) for b in values[i + 1 :]]
    return float(np.prod(pairs).real) if pairs else 1.0


_TESTS: Mapping[Enum, Callable[[Station[Solution]], float]] = {
    SpecialKind.FOLD: _fold_test,
    SpecialKind.HOPF: _hopf_test,
    SpecialKind.BRANCH: _branch_test,
}


def _oscillating(state: SteadyState) -> bool:
    values = state.eigenvalues
    scale = float(np.abs(values).max())
    near = values[np.abs(values.real) < 1e-4 * scale]
    return bool((np.abs(near.imag) > 1e-4 * scale).any())


def trace_branches(
    ms: MultipleScales,
    parameter: str,
    between: tuple[float, float],
    values: Mapping[str, float],
    *,
    size: float,
    step: float,
    most: int,
) -> Branches:
    """Return the branches of steady states over a parameter."""
    low, high = sorted(between)
    if low == high:
        raise StateError(f"The interval of {parameter!r} is empty. Give two different values.")
    names = ms.problem.names
    known = sorted(ms.parameters)
    if parameter not in known:
        raise StateError(f"The steady states do not depend on {parameter!r}. {did_you_mean(parameter, known)}")

    def values_at(x: float) -> dict[str, float]:
        return ms.values({**values, parameter: x})

    flow = AmplitudeFlow(ms.modulation, values_at(low))
    if flow.turns:
        raise StateError(
            "The phases are arbitrary: no force acts at resonance, and every steady state belongs to a continuous "
            "family. Use steady_states() or backbone()."
        )
    curve = SteadyStateCurve(flow, names, values_at, (low, high), step * max(1.0, size))
    traced: list[SteadyBranch] = []
    pending: list[SpecialPoint] = []

    def keep(branch: SteadyBranch) -> None:
        if len(branch) > 1:
            traced.append(branch)
            pending.extend(point for point in branch.special if point.kind is SpecialKind.BRANCH)

    for x in (low, (low + high) / 2, high):
        flow.at(values_at(x))
        for state in steady_states(flow, names, size):
            sizes = [state.amplitudes[name] for name in names]
            if len(traced) < _BRANCH_LIMIT and not _known(traced, x, sizes, size, curve.span):
                keep(curve.through(parameter, state.state, x, most))
    while pending and len(traced) < _BRANCH_LIMIT:
        for start in curve.switched(pending.pop(0)):
            sizes = [2 * abs(a) for a in flow.amplitudes(start.point.z[:-1])]
            if not _known(traced, float(start.point.z[-1] * curve.span), sizes, size, curve.span):
                keep(curve.onward(parameter, start, most))
    return Branches(parameter, tuple(traced))


def _known(traced: list[SteadyBranch], x: float, sizes: list[float], size: float, span: float) -> bool:
    """Tell whether a branch passes through a point: near one of its segments, in parameter and amplitudes."""
    point = np.array([x / span, *(s / size for s in sizes)])
    for branch in traced:
        rows = np.column_stack([branch.parameter / span, *(branch.amplitudes[n] / size for n in branch.amplitudes)])
        along = rows[1:] - rows[:-1]
        length = np.maximum((along**2).sum(axis=1), 1e-300)
        share = np.clip(((point - rows[:-1]) * along).sum(axis=1) / length, 0, 1)
        nearest = rows[:-1] + share[:, None] * along
        if float(np.sqrt(((nearest - point) ** 2).sum(axis=1)).min()) < _POINT_TOLERANCE:
            return True
    return False
