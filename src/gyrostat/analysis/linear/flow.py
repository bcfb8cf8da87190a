"""The varied motion in terms of independent variations and inputs, from which all matrices of a linear model are read.

Columns are x_p, x_u, then inputs w, their rates and their second rates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.linear.reduction import Reduction, particular
from gyrostat.analysis.linear.variations import Variations
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_ROUNDING = 1e-13
"""What is left of a sum, in terms of its parts, by rounding."""


@dataclass(frozen=True, eq=False)
class Acting:
    """How inputs enter the equations: derivatives by their values, rates and second rates, one column for each."""

    columns: tuple[Sequence[int | None], Sequence[int | None], Sequence[int | None]]
    """For each input, the place among inputs and parameters of its value, its rate, its second rate."""

    @property
    def count(self) -> int:
        """The number of inputs."""
        return len(self.columns[0])

    def of(self, slopes: Floats) -> Floats:
        """Return the slopes by values, rates and second rates of the inputs, side by side."""
        found = np.zeros((len(slopes), 3 * self.count))
        for order, places in enumerate(self.columns):
            for i, place in enumerate(places):
                if place is not None:
                    found[:, order * self.count + i] = slopes[:, place]
        return found


NO_INPUTS = Acting(((), (), ()))


@dataclass(frozen=True, eq=False)
class Flow:
    """δθ, δu, δθ̇, δu̇ and δλ as matrices on (x_p, x_u, w, ẇ, ẅ)."""

    found: Variations
    reduction: Reduction
    acting: Acting
    theta: Floats
    u: Floats
    theta_rate: Floats
    udot: Floats
    loads: Floats
    mass: Floats
    """The reduced mass matrix T_uᵀ M T_u."""
    needs: Floats
    """The loads along the basis of speeds while ẋ_u = 0: mass ẋ_u + needs (x, w, ẇ, ẅ) = 0."""
    spin: Floats | None = None
    """How the axes of joints with Euler parameters turn away from those of the children, where they do: see `spin`."""

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.reduction.positions) + len(self.reduction.speeds)

    @property
    def state_rates(self) -> Floats:
        """ẋ on (x, w, ẇ, ẅ)."""
        return np.vstack((self.reduction.position_pick @ self.theta_rate, -np.linalg.solve(self.mass, self.needs)))

    @property
    def drift(self) -> float:
        """How far the flow leaves the span of the basis, in terms of its size: not zero where the basis turns."""
        rates, reduction = self.state_rates[:, : self.states], self.reduction
        n_p = len(reduction.positions)
        left = np.vstack(
            (
                self.theta_rate[:, : self.states] - reduction.position_basis @ rates[:n_p],
                self.udot[:, : self.states]
                - reduction.carried_basis @ rates[:n_p]
                - reduction.speed_basis @ rates[n_p:],
            )
        )
        size = max(float(np.abs(rates).max(initial=0.0)), 1.0)
        return float(np.abs(left).max(initial=0.0)) / size


def flow_of(found: Variations, reduction: Reduction, acting: Acting = NO_INPUTS) -> Flow:
    """Return the varied motion in terms of independent variations and inputs."""
    n_p, n_u = len(reduction.positions), len(reduction.speeds)
    states = n_p + n_u
    by = {name: acting.of(slopes) for name, slopes in found.acting.items()} if acting.count else {}
    width = states + 3 * acting.count

    def inputs_of(name: str, height: int) -> Floats:
        return by[name] if by else np.zeros((height, 0))

    n, m = found.mass.shape[0], len(found.matrix)
    theta, u = np.zeros((n, width)), np.zeros((n, width))
    theta[:, :n_p] = reduction.position_basis
    theta[:, states:] = particular(found.residual_by_position, -inputs_of("residual", m), reduction.position_pick)
    _demand_possible(found.residual_by_position @ theta[:, states:] + inputs_of("residual", m), theta)
    u[:, :n_p], u[:, n_p:states] = reduction.carried_basis, reduction.speed_basis
    moved = inputs_of("speed", m) + found.speed_by_position @ theta[:, states:]
    u[:, states:] = reduction.particular(found.matrix, -moved)
    pushed = found.load_by_position @ theta + found.load_by_speed @ u
    pushed[:, states:] += inputs_of("load", n)
    turned = found.rate_by_position @ theta + found.rate_by_speed @ u
    turned[:, states:] += inputs_of("rate", m)
    given = reduction.particular(found.matrix, -turned)
    T_u = reduction.speed_basis
    mass = T_u.T @ found.mass @ T_u
    needs = T_u.T @ (pushed + found.mass @ given)
    sizes = np.abs(found.load_by_position) @ np.abs(theta) + np.abs(found.load_by_speed) @ np.abs(u)
    sizes = np.abs(T_u).T @ (sizes + np.abs(found.mass) @ np.abs(given))
    needs[np.abs(needs) <= _ROUNDING * sizes] = 0.0  # what terms leave of each other where nothing should be left
    udot = given - T_u @ np.linalg.solve(mass, needs)
    theta_rate = found.carried @ theta + u
    theta_rate[:, states:] += inputs_of("carried", n)
    loads = np.zeros((m, width))
    if m:
        loads[...] = np.linalg.lstsq(found.matrix.T, -(pushed + found.mass @ udot), rcond=1e-9)[0]
    return Flow(found, reduction, acting, theta, u, theta_rate, udot, loads, mass, needs)


def _demand_possible(left: Floats, right: Floats) -> None:
    """Raise an error if constraints cannot be met whatever moves, when an input changes."""
    if left.size and np.abs(left).max() > 1e-8 * max(1.0, float(np.abs(right).max())):
        raise StateError(
            "A constraint cannot follow one of the inputs: no free motion makes room for its change. Leave out inputs "
            "that other constraints hold fast."
        )
