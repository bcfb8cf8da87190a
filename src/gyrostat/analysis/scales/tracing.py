"""All branches of steady states over a parameter: starts, both directions, and switching at branch points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.scales.amplitude_flow import AmplitudeFlow
from gyrostat.analysis.scales.continuation import Branches, SpecialKind, SpecialPoint, SteadyBranch, SteadyStateCurve
from gyrostat.analysis.scales.steady_state import steady_states
from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean

if TYPE_CHECKING:
    from gyrostat.analysis.scales.approximation import MultipleScales

_MOST_BRANCHES = 12
_SAME = 5e-3


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
            "Nothing fixes the phases here: no force acts at resonance, and steady states come in circles. Use "
            "steady_states() or backbone()."
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
            if len(traced) < _MOST_BRANCHES and not _known(traced, x, sizes, size, curve.span):
                keep(curve.through(parameter, state.state, x, most))
    while pending and len(traced) < _MOST_BRANCHES:
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
        if float(np.sqrt(((nearest - point) ** 2).sum(axis=1)).min()) < _SAME:
            return True
    return False
