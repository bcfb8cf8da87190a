"""The varied motion of a steady motion: the same at every instant, in axes that are found for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.linear.channels import Channels
from gyrostat.analysis.linear.flow import Flow, flow_of
from gyrostat.analysis.linear.observed import observe
from gyrostat.analysis.linear.reduction import reduce_variations
from gyrostat.analysis.linear.spin import spin_of, without_spin
from gyrostat.analysis.linear.steadiness import coefficients, later, tangent_operator
from gyrostat.analysis.linear.variations import variation_names, vary
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_CONSTANT = 1e-6
"""How much coefficients may change, in terms of the largest, and count as constant."""


@dataclass(frozen=True, eq=False)
class SteadyFlow:
    """The varied motion now and some time later, and how axes have turned between, as a matrix on (δθ, δu)."""

    flow: Flow
    then: Flow
    turned: Floats

    def demand_same_answers(self, channels: Channels, outputs: Sequence[str], observed: Floats) -> None:
        """Raise an error if an output, or the effect of an input, is not the same at both instants."""
        now, then = (_seen(flow, part) for flow, part in self._observed(outputs, observed))
        change = np.abs(now - then @ self.turned.T)
        for name, row, size in zip(outputs, change, np.abs(now), strict=True):
            if row.max() > _CONSTANT * max(1.0, float(size.max())):
                raise StateError(
                    f"The output {name!r} does not depend on the states in the same way at all instants of the motion. "
                    "Ask for outputs that move along: coordinates, speeds, lengths, forces of elements."
                )
        pushes = [_pushed(flow) for flow in (self.flow, self.then)]
        change = np.abs(pushes[0] - self.turned @ pushes[1])
        for i, channel in enumerate(channels.items):
            if not channel.driver and change[:, i].max() > _CONSTANT * max(1.0, float(np.abs(pushes[0][:, i]).max())):
                raise StateError(
                    f"The input {channel.name!r} does not act in the same way at all instants of the motion. Choose "
                    "one that moves along: an actuator, a force in the axes of a body."
                )

    def _observed(self, outputs: Sequence[str], observed: Floats) -> list[tuple[Flow, Floats]]:
        return [(self.flow, observed), (self.then, observe(self.then, outputs)[2])]


def _seen(flow: Flow, observed: Floats) -> Floats:
    """Return outputs as they follow from (δθ, δu)."""
    return np.asarray(observed[:, : flow.states] @ coefficients(flow))


def _pushed(flow: Flow) -> Floats:
    """Return the rates of (δθ, δu) by values of inputs."""
    chosen = slice(flow.states, flow.states + flow.acting.count)
    return np.vstack((flow.theta_rate[:, chosen], flow.udot[:, chosen]))


def steady_flow(flow: Flow) -> SteadyFlow:
    """Return the varied motion in axes in which its coefficients are constant; refuse it where there are none."""
    from scipy.linalg import expm

    point = flow.found.point
    next_point = later(point)
    there = vary(next_point)
    named = set(flow.reduction.positions) <= set(variation_names(there.system))
    then = flow_of(there, reduce_variations(there, flow.reduction.positions if named else None), flow.acting)
    turned = np.eye(2 * len(point.u))
    spin = spin_of(flow)
    if spin is not None:
        flow, then = without_spin(flow, spin), without_spin(then, spin)
        turned[...] = np.kron(np.eye(2), expm(spin * (next_point.t - point.t)))
    _demand_constant(flow, then, turned)
    return SteadyFlow(flow, then, turned)


def _demand_constant(now: Flow, then: Flow, turned: Floats) -> None:
    first, second = tangent_operator(now), turned @ tangent_operator(then) @ turned.T
    size = max(float(np.abs(first).max(initial=0.0)), 1e-300)
    change = np.abs(first - second)
    if now.drift <= _CONSTANT and float(change.max(initial=0.0)) <= _CONSTANT * size:
        return
    system = now.found.system
    names = (*variation_names(system), *system.speed_names)
    i, j = np.unravel_index(int(np.argmax(change)), change.shape)
    raise StateError(
        f"The coefficients of the linear equations are not constant along this motion of {system.model.name!r}: that "
        f"of {names[j]!r} in the rate of {names[i]!r} goes from {first[i, j]:.4g} to {second[i, j]:.4g}. If the motion "
        "is periodic use gs.floquet(…); for one instant use linearize(…, frozen=True)."
    )
