"""The first-order form of a linear model, ẋ = A x + B w, y = C x + D w, with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gyrostat.analysis.linear.channels import Channels
from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.ignorable import ignorable_motions
from gyrostat.coordinates.arguments import Floats

_ENTRY_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class StateSpace:
    """Matrices of a first-order form.

    Outputs may need rates of inputs, y = C x + D w + D_rate ẇ + D_second ẅ, where an input is the displacement of a
    driver; of most models these two are zero.
    """

    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    A: Floats
    B: Floats
    C: Floats
    D: Floats
    D_rate: Floats
    D_second: Floats

    @property
    def proper(self) -> bool:
        """Whether outputs need no rates of inputs."""
        return not (self.D_rate.any() or self.D_second.any())

    def only(self, kept: Sequence[int]) -> StateSpace:
        """Return the same without some states."""
        places = list(kept)
        return StateSpace(
            tuple(self.states[i] for i in places),
            self.inputs,
            self.outputs,
            self.A[np.ix_(places, places)],
            self.B[places],
            self.C[:, places],
            self.D,
            self.D_rate,
            self.D_second,
        )


def state_space(flow: Flow, channels: Channels, outputs: Sequence[str], observed: Floats) -> StateSpace:
    """Return the first-order form; `observed` are the outputs on (x, w, ẇ, ẅ).

    Rates of an input are taken into the states: with x = x̃ + B₂ẇ + (B₁ + A B₂)w no rate of w is left in ẋ̃.
    """
    n, k = flow.states, flow.acting.count
    A, B0, B1, B2 = np.split(flow.state_rates, (n, n + k, n + 2 * k), axis=1)
    C, D0, D1, D2 = np.split(observed, (n, n + k, n + 2 * k), axis=1)
    states = flow.state_names
    shift = B1 + A @ B2
    D_rate, D_second = _cleaned(D1 + C @ B2, C, D1), _cleaned(D2, D2)
    names = tuple(channel.name for channel in channels.items)
    form = StateSpace(states, names, tuple(outputs), A, B0 + A @ shift, C, D0 + C @ shift, D_rate, D_second)
    for i, channel in enumerate(channels.items):
        if channel.by_acceleration:
            acting, seen = (tuple(part[:, i] for part in parts) for parts in ((B0, B1, B2), (D0, D1, D2)))
            form = _with_driver(form, i, channel.driver, acting, seen)
    return form


def _with_driver(
    form: StateSpace, i: int, driver: str, acting: tuple[Floats, ...], seen: tuple[Floats, ...]
) -> StateSpace:
    """Return the form with displacement and rate of a driver, input i, as states, and its acceleration as input.

    `acting` are the columns of displacement, rate and acceleration in the rates of the states without drivers, `seen`
    those in the outputs.
    """
    n, n_0 = len(form.A), len(acting[0])
    A = np.zeros((n + 2, n + 2))
    A[:n, :n] = form.A
    A[:n_0, n], A[:n_0, n + 1] = acting[0], acting[1]
    A[n, n + 1] = 1.0
    B = np.vstack((form.B, np.zeros((2, form.B.shape[1]))))
    B[:, i] = 0.0
    B[:n_0, i], B[n + 1, i] = acting[2], 1.0
    D, D_rate, D_second = form.D.copy(), form.D_rate.copy(), form.D_second.copy()
    D[:, i], D_rate[:, i], D_second[:, i] = seen[2], 0.0, 0.0
    states, C = (*form.states, driver, f"{driver}.rate"), np.column_stack((form.C, seen[0], seen[1]))
    return StateSpace(states, form.inputs, form.outputs, A, B, C, D, D_rate, D_second)


@dataclass(frozen=True, eq=False)
class Ignored:
    """States that were left out, and the shares of the others in ignorable motions: others = shares · left out."""

    names: tuple[str, ...]
    shares: Floats


def without_ignorable(form: StateSpace, flow: Flow) -> tuple[StateSpace, Ignored]:
    """Return the first-order form of a flow without ignorable motions, and the states that were left out.

    The other states are then counted without their shares in ignorable motions.
    """
    positions = np.array([name in flow.reduction.positions for name in form.states])
    columns = dict(zip(flow.state_names, flow.dependent_speeds.T, strict=True))
    speeds = np.array([columns.get(name, np.zeros(len(flow.u))) for name in form.states]).T
    found = ignorable_motions(form.A, np.vstack((form.C, speeds)), positions)
    if not found.dropped:
        return form, Ignored((), np.zeros((len(form.states), 0)))
    smaller = form.only(found.kept)
    reduced = replace(smaller, A=found.reduced(form.A), B=smaller.B - found.shares @ form.B[found.dropped])
    return reduced, Ignored(tuple(form.states[i] for i in found.dropped), found.shares)


def _cleaned(matrix: Floats, *sizes: Floats) -> Floats:
    """Return a matrix without rounding errors."""
    size = max([float(np.abs(part).max(initial=0.0)) for part in sizes])
    return np.where(np.abs(matrix) > _ENTRY_ROUNDING * max(size, 1e-300), matrix, 0.0)
