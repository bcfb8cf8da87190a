"""The row: time, state, parameters and inputs side by side, as every native program of a system takes them.

Their order is defined here alone. The state y = (q, u, z) is contiguous, so that integrators may advance it as a
whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property

TIME = 0
"""The place of time in a row."""
FIRST = 1
"""Where in a row the state y = (q, u, z) begins."""
PORTS = ("t", "q", "u", "z", "parameters", "inputs")
"""The inputs that every program of a system has, in order; z are the state variables of components."""


class StateParts(NamedTuple):
    """A state y in its parts: coordinates q, speeds u and state variables z, with the same leading axes, if any."""

    q: Floats
    u: Floats
    z: Floats

    def at(self, places: Any) -> StateParts:
        """Return the states at some places of the first axis."""
        return StateParts(self.q[places], self.u[places], self.z[places])

    def put(self, places: Any, states: StateParts) -> None:
        """Write states at some places of the first axis."""
        self.q[places], self.u[places], self.z[places] = states

    def copy(self) -> StateParts:
        """Return parts that can be changed without changing these."""
        return StateParts(self.q.copy(), self.u.copy(), self.z.copy())


@dataclass(frozen=True)
class Row:
    """Sizes and slices of the parts of a row: `rows[..., row.q]` are the coordinates.

    >>> row = Row(n_q=2, n_u=2, n_z=0, n_parameters=3, n_inputs=1)
    >>> row.q, row.u, row.parameters, row.inputs, row.size
    (slice(1, 3, None), slice(3, 5, None), slice(5, 8, None), slice(8, 9, None), 9)
    """

    n_q: int
    n_u: int
    n_z: int
    n_parameters: int
    n_inputs: int

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of entries of each port, in order."""
        return dict(zip(PORTS, (1, self.n_q, self.n_u, self.n_z, self.n_parameters, self.n_inputs), strict=True))

    @cached_property
    def size(self) -> int:
        """The number of entries of a row."""
        return sum(self.sizes.values())

    @cached_property
    def state_size(self) -> int:
        """The number of entries of the state y = (q, u, z)."""
        return self.n_q + self.n_u + self.n_z

    @cached_property
    def q(self) -> slice:
        """The slice of the coordinates."""
        return self._place("q")

    @cached_property
    def u(self) -> slice:
        """The slice of the speeds."""
        return self._place("u")

    @cached_property
    def z(self) -> slice:
        """The slice of the state variables of components."""
        return self._place("z")

    @cached_property
    def state(self) -> slice:
        """The slice of the state y = (q, u, z)."""
        return slice(FIRST, FIRST + self.state_size)

    @cached_property
    def parameters(self) -> slice:
        """The slice of the parameters."""
        return self._place("parameters")

    @cached_property
    def inputs(self) -> slice:
        """The slice of the inputs."""
        return self._place("inputs")

    def _place(self, port: str) -> slice:
        first = sum(self.sizes[name] for name in PORTS[: PORTS.index(port)])
        return slice(first, first + self.sizes[port])

    def of(self, t: float, state: StateParts, parameters: ArrayLike, inputs: ArrayLike = 0.0) -> Floats:
        """Return a row; inputs that are not given are zero."""
        row = np.empty(self.size)
        row[TIME], row[self.q], row[self.u], row[self.z] = t, *state
        row[self.parameters], row[self.inputs] = parameters, inputs
        return row

    def rows(self, t: Floats, states: StateParts, parameters: Floats, inputs: Floats) -> Floats:
        """Return rows (N, size) from their parts, (N,) or (N, number of entries)."""
        return np.column_stack((t, *states, parameters, inputs))

    def split(self, states: Floats) -> StateParts:
        """Return the parts of states y, shape (…, number of entries of the state)."""
        speeds = self.n_q + self.n_u
        return StateParts(
            states[..., : self.n_q], states[..., self.n_q : speeds], states[..., speeds : speeds + self.n_z]
        )

    def joined(self, parts: StateParts) -> Floats:
        """Return the states y of their parts."""
        return np.concatenate(parts, axis=-1)

    def mechanical(self, q: Floats, u: Floats) -> StateParts:
        """Return a state in which all z are zero, for programs that do not depend on them, such as constraints."""
        return StateParts(q, u, np.zeros((*np.shape(q)[:-1], self.n_z)))

    def empty(self, count: int) -> StateParts:
        """Return room for so many states."""
        return self.split(np.empty((count, self.state_size)))
