"""Flow: the varied motion in terms of independent variations and inputs, with all matrices of a linear model.

Columns are x_p, x_u, the state variables x_z that have rates, then inputs w, their rates and their second rates.
Algebraic variables follow from the others: from g = 0 the variation δw = −g_w⁻¹ (g_θ δθ + g_u δu + g_z δz + …).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.simulation.consistency import require_regular
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.analysis.variations.reduction import Reduction, particular, reduce_variations
from gyrostat.analysis.variations.variations import Variations, vary
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError

_ROUNDING = 1e-13
"""Rounding error of a sum, relative to the sizes of its parts."""


@dataclass(frozen=True, eq=False)
class Acting:
    """Effect of inputs on the equations: derivatives by their values, rates and second rates, one column for each."""

    columns: tuple[Sequence[int | None], Sequence[int | None], Sequence[int | None]]
    """For each input, the place among inputs and parameters of its value, its rate, its second rate."""

    @property
    def count(self) -> int:
        """The number of inputs."""
        return len(self.columns[0])

    def of(self, jacobian: Floats) -> Floats:
        """Return the derivatives by values, rates and second rates of the inputs, side by side."""
        found = np.zeros((len(jacobian), 3 * self.count))
        for order, places in enumerate(self.columns):
            for i, place in enumerate(places):
                if place is not None:
                    found[:, order * self.count + i] = jacobian[:, place]
        return found


NO_INPUTS = Acting(((), (), ()))


@dataclass(frozen=True, eq=False)
class Flow:
    """δθ, δu, δz, δθ̇, δu̇, δż and δλ as matrices on (x_p, x_u, x_z, w, ẇ, ẅ)."""

    variations: Variations
    reduction: Reduction
    acting: Acting
    theta: Floats
    u: Floats
    theta_rate: Floats
    udot: Floats
    loads: Floats
    mass: Floats
    """The reduced mass matrix T_uᵀ M T_u."""
    z: Floats
    """Of all state variables, algebraic ones as well."""
    zdot: Floats
    """Of the state variables that have rates."""
    needs: Floats
    """The loads along the basis of speeds while ẋ_u = 0: mass ẋ_u + needs (x, w, ẇ, ẅ) = 0."""
    rotation: Floats | None = None
    """Γ of the co-moving axes, relative to those of the speeds; None where these are the same: see `co_moving_axes`."""

    @property
    def states(self) -> int:
        """The number of states."""
        return len(self.state_names)

    @property
    def state_names(self) -> tuple[str, ...]:
        """The names of the states: independent positions and speeds, and state variables that have rates."""
        own = (self.variations.system.state_names[place] for place in self.variations.states.free)
        return (*self.reduction.positions, *self.reduction.speeds, *own)

    @property
    def varied_states(self) -> Floats:
        """δθ, δu and δz of state variables that have rates, on the states."""
        return np.vstack((self.theta, self.u, self.z[self.variations.states.free]))[:, : self.states]

    @property
    def varied_rates(self) -> Floats:
        """The rates of these, on the states."""
        return np.vstack((self.theta_rate, self.udot, self.zdot))[:, : self.states]

    @property
    def state_rates(self) -> Floats:
        """ẋ on (x, w, ẇ, ẅ)."""
        speeding = -np.linalg.solve(self.mass, self.needs)
        return np.vstack((self.reduction.position_pick @ self.theta_rate, speeding, self.zdot))

    @property
    def dependent_speeds(self) -> Floats:
        """The change of all speeds with positions at constant independent speeds, as rows on the states."""
        others = self.states - len(self.reduction.positions)
        return np.hstack((self.reduction.carried_basis, np.zeros((len(self.u), others))))

    @property
    def drift(self) -> float:
        """The part of the flow outside the span of the basis, relative to its size: nonzero where the basis rotates."""
        rates, reduction = self.state_rates[:, : self.states], self.reduction
        n_p, end = len(reduction.positions), len(reduction.positions) + len(reduction.speeds)
        left = np.vstack(
            (
                self.theta_rate[:, : self.states] - reduction.position_basis @ rates[:n_p],
                self.udot[:, : self.states]
                - reduction.carried_basis @ rates[:n_p]
                - reduction.speed_basis @ rates[n_p:end],
            )
        )
        size = max(float(np.abs(rates).max(initial=0.0)), 1.0)
        return float(np.abs(left).max(initial=0.0)) / size


def flow_at(point: OperatingPoint) -> Flow:
    """Return the varied motion at a state, without inputs, in coordinates that are chosen automatically."""
    found = vary(point)
    return flow_of(found, reduce_variations(found))


def flow_of(found: Variations, reduction: Reduction, acting: Acting = NO_INPUTS) -> Flow:
    """Return the varied motion in terms of independent variations and inputs."""
    n_p, n_u, own = len(reduction.positions), len(reduction.speeds), found.states
    states = n_p + n_u + len(own.free)
    by = {name: acting.of(part) for name, part in found.acting.items()} if acting.count else {}
    width = states + 3 * acting.count

    def inputs_of(name: str, height: int) -> Floats:
        return by[name] if by else np.zeros((height, 0))

    n, m = found.mass.shape[0], len(found.matrix)
    theta, u = np.zeros((n, width)), np.zeros((n, width))
    theta[:, :n_p] = reduction.position_basis
    theta[:, states:] = particular(found.residual_by_position, -inputs_of("residual", m), reduction.position_pick)
    _require_possible(found.residual_by_position @ theta[:, states:] + inputs_of("residual", m), theta)
    u[:, :n_p], u[:, n_p : n_p + n_u] = reduction.carried_basis, reduction.speed_basis
    moved = inputs_of("speed", m) + found.speed_by_position @ theta[:, states:]
    u[:, states:] = reduction.particular(found.matrix, -moved)
    z, zdot = _varied_states(found, theta, u, states, inputs_of("state", len(own.own)))
    pushed = found.load_by_position @ theta + found.load_by_speed @ u + own.load @ z
    pushed[:, states:] += inputs_of("load", n)
    turned = found.rate_by_position @ theta + found.rate_by_speed @ u
    turned[:, states:] += inputs_of("rate", m)
    given = reduction.particular(found.matrix, -turned)
    T_u = reduction.speed_basis
    mass = T_u.T @ found.mass @ T_u
    needs = T_u.T @ (pushed + found.mass @ given)
    sizes = np.abs(found.load_by_position) @ np.abs(theta) + np.abs(found.load_by_speed) @ np.abs(u)
    sizes += np.abs(own.load) @ np.abs(z)
    sizes = np.abs(T_u).T @ (sizes + np.abs(found.mass) @ np.abs(given))
    needs[np.abs(needs) <= _ROUNDING * sizes] = 0.0  # terms that cancel
    udot = given - T_u @ np.linalg.solve(mass, needs)
    theta_rate = found.carried @ theta + u
    theta_rate[:, states:] += inputs_of("carried", n)
    loads = np.zeros((m, width))
    if m:
        loads[...] = np.linalg.lstsq(found.matrix.T, -(pushed + found.mass @ udot), rcond=1e-9)[0]
    return Flow(found, reduction, acting, theta, u, theta_rate, udot, loads, mass, z, zdot, needs)


def _varied_states(found: Variations, theta: Floats, u: Floats, states: int, inputs: Floats) -> tuple[Floats, Floats]:
    """Return δz of all state variables and δż of those that have rates, on (x, w, ẇ, ẅ)."""
    own, free, bound = found.states, found.states.free, list(found.states.algebraic)
    z = np.zeros((len(own.own), theta.shape[1]))
    z[free, states - len(free) : states] = np.eye(len(free))
    rates = own.position @ theta + own.speed @ u + own.own @ z
    rates[:, states:] += inputs
    if bound:
        block = own.own[np.ix_(bound, bound)]
        require_regular(block, [found.system.state_names[place] for place in bound])
        z[bound] = -np.linalg.solve(block, rates[bound])
        rates += own.own[:, bound] @ z[bound]
    return z, rates[free]


def _require_possible(left: Floats, right: Floats) -> None:
    """Raise an error if no motion meets the constraints when an input changes."""
    if left.size and np.abs(left).max() > 1e-8 * max(1.0, float(np.abs(right).max())):
        raise StateError(
            "A constraint cannot follow one of the inputs: no motion satisfies the constraints when it changes. "
            "Leave out inputs that other constraints determine."
        )
