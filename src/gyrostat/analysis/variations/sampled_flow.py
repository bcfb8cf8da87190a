"""The varied motion of a system with sampled blocks, from one common period to the next.

Between samples x varies as ẋ = A x + B w with inputs w that are held; at a sample the variables of a block become
values that depend on (x, w). Both are linear maps, composed in the order in which they happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.observation import observe
from gyrostat.analysis.variations.sample_times import SampleTimes, sample_times
from gyrostat.analysis.variations.sampled_laws import VariedLaw, sampled_blocks, varied_laws
from gyrostat.coordinates.arguments import Floats


@dataclass(frozen=True, eq=False)
class Sample:
    """The new values of some states at a sample: rows by states and by inputs."""

    places: tuple[int, ...]
    by_state: Floats
    by_input: Floats

    @staticmethod
    def of(law: VariedLaw, states: Sequence[str], observed: Mapping[str, tuple[Floats, Floats]]) -> Sample:
        """Return the sample of a law; `observed` are the rows of its signals by states and by inputs."""
        by_state, by_input = (np.array([observed[name][part] for name in law.signals]) for part in (0, 1))
        return Sample(tuple(states.index(name) for name in law.variables), law.gains @ by_state, law.gains @ by_input)


@dataclass(frozen=True, eq=False)
class PeriodMap:
    """x_{k+1} = A x_k + B w_k, with x_k just before the samples of the instant k; `sampled` is x just after them."""

    A: Floats
    B: Floats
    sampled: tuple[Floats, Floats]
    """The states just after the first samples: by x_k and by w_k."""


def period_map(A: Floats, B: Floats, samples: Sequence[Sample], times: SampleTimes) -> PeriodMap:
    """Return the map over a common period of samples of ẋ = A x + B w."""
    from scipy.linalg import expm

    n, m = B.shape
    joined = np.zeros((n + m, n + m))
    joined[:n, :n], joined[:n, n:] = A, B
    now, advance = np.eye(n + m), {}  # rows: states and inputs
    first = None
    for due, time in times.steps:
        for i in due:
            one = samples[i]
            now[list(one.places)] = np.hstack((one.by_state, one.by_input)) @ now
        first = now.copy() if first is None else first
        if time not in advance:
            advance[time] = expm(joined * time)
        now = advance[time] @ now
    assert first is not None, "there is at least one sample time"
    return PeriodMap(now[:n, :n], now[:n, n:], (first[:n, :n], first[:n, n:]))


def sampled_multipliers(flow: Flow, A: Floats) -> NDArray[np.complex128]:
    """Return the eigenvalues z of the map over a common period of samples, the largest first.

    `flow` is the varied motion that laws observe, A the matrix of its states, which may be that in co-moving axes.
    """
    point, states = flow.variations.point, flow.state_names
    samples = []
    for law in varied_laws(point):
        names, _, varied = observe(flow, law.signals)
        rows = {name: (row[: flow.states], np.zeros(0)) for name, row in zip(names, varied, strict=True)}
        samples.append(Sample.of(law, states, rows))
    times = sample_times(sampled_blocks(point.system), point.system.model.values(point.parameters))
    return ordered_eigenvalues(period_map(A, np.zeros((flow.states, 0)), samples, times).A)


def ordered_eigenvalues(matrix: Floats) -> NDArray[np.complex128]:
    """Return the eigenvalues of a matrix, the largest first."""
    values = np.linalg.eigvals(matrix).astype(complex)
    return np.asarray(values[np.argsort(-np.abs(values), kind="stable")])
