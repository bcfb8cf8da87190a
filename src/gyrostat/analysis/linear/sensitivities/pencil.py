"""The pencil of a linear model: its equations before any reduction, and their derivatives by parameters.

F(ẋ, x, p) = (q̇ − N u, r + Aᵀλ, ż − f, Φ or s) with x = (q, u, z, λ) varies as (F_x + μ F_ẋ) v e^μt; of algebraic
variables −g takes the place of ż − f. All that F contains, the stiffness of multipliers and the rotation of constraints
included, is differentiated without reduction (the appendix of Trom 1990 differentiates reduced matrices, and errs in
some terms).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gyrostat.analysis.linear.descriptor import independent_rows
from gyrostat.analysis.variations.flow import Flow
from gyrostat.analysis.variations.spectrum import Complexes
from gyrostat.analysis.variations.variations import Variations, evaluated_ports
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.program import Program


@dataclass(frozen=True, eq=False)
class Pencil:
    """F_x + μ F_ẋ at an operating point, of constraints only independent ones."""

    variations: Variations

    @cached_property
    def rows(self) -> list[int]:
        """The constraints that are independent and imply all others."""
        return independent_rows(self.variations.matrix)

    @cached_property
    def mapping(self) -> Floats:
        """N of δq = N δθ."""
        return evaluated_ports(self.variations.system.program("linear_terms"), self.variations.point.row)["mapping"]

    @property
    def _base(self) -> Floats:
        return np.concatenate((self.variations.point.row, self.variations.udot, self.variations.loads))

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """The numbers of coordinates, speeds, state variables and independent constraints."""
        layout = self.variations.system.row
        return layout.n_q, layout.n_u, layout.n_z, len(self.rows)

    @property
    def acting(self) -> tuple[str, ...]:
        """The names of inputs and parameters, in order."""
        system = self.variations.system
        return (*system.inputs, *system.model.parameters)

    def along(self, x: Complexes, mu: complex, acting: Complexes | None = None) -> Complexes:
        """Return (F_x + μ F_ẋ) x plus the effect of a change of inputs and parameters; x may have several columns."""
        columns = x.reshape(len(x), -1)
        real, imaginary = (self.seeds(columns, mu, acting, part) for part in (np.real, np.imag))
        program = self.variations.system.program("pencil_along")
        values = _run(program, np.vstack((real, imaginary)))
        count = columns.shape[1]
        found = (values[:count] + 1j * values[count:])[:, self._kept].T
        return np.asarray(found.reshape(-1, *x.shape[1:]))

    @cached_property
    def _kept(self) -> list[int]:
        state = self.variations.system.row.state_size
        return [*range(state), *(state + row for row in self.rows)]

    def seeds(self, columns: Complexes, mu: complex, acting: Complexes | None, part: Callable[[Any], Floats]) -> Floats:
        """Return rows of inputs for a program that takes directions: the real or the imaginary part of each."""
        q, u, z, loads = np.split(columns, np.cumsum(self.sizes)[:-1])
        whole = np.zeros((len(self.variations.loads), columns.shape[1]), dtype=complex)
        whole[self.rows] = loads
        given = np.zeros((len(self.acting), columns.shape[1]))
        if acting is not None:
            given[...] = part(acting.reshape(len(self.acting), -1))
        rates = (part(mu * q), part(mu * u), part(mu * z))
        seeds = np.vstack((part(q), part(u), part(z), *rates, part(whole), given))
        return np.hstack((np.broadcast_to(self._base, (columns.shape[1], len(self._base))), seeds.T))

    def matrix(self, mu: complex) -> Complexes:
        """Return F_x + μ F_ẋ in full."""
        return self.along(np.eye(sum(self.sizes), dtype=complex), mu)

    def rate_part(self, x: Complexes) -> Complexes:
        """Return F_ẋ x."""
        q, u, z, loads = np.split(x, np.cumsum(self.sizes)[:-1])
        z = z.copy()
        z[list(self.variations.states.algebraic)] = 0.0
        return np.concatenate((q, self.variations.mass @ u, z, np.zeros(len(loads))))

    def gradient(self, weights: Complexes, x: Complexes, mu: complex, acting: Complexes | None = None) -> Complexes:
        """Return the gradient of weightsᵀ (F_x + μ F_ẋ) x, not conjugated, by q, u, z, u̇, λ, inputs and parameters."""
        program = self.variations.system.program("pencil_gradient")
        full = np.zeros(self.variations.system.row.state_size + len(self.variations.loads), dtype=complex)
        full[self._kept] = weights
        seeds = [self.seeds(x.reshape(-1, 1), mu, acting, part)[0] for part in (np.real, np.imag)]
        rows = [np.concatenate((seed, part(full))) for seed in seeds for part in (np.real, np.imag)]
        rr, ri, ir, ii = _run(program, np.array(rows))
        return np.asarray(rr - ii + 1j * (ri + ir))

    def split(self, gradient: Complexes) -> dict[str, Complexes]:
        """Return the parts of a gradient by variable."""
        n_q, n_u, n_z, _ = self.sizes
        borders = np.cumsum([n_q, n_u, n_z, n_u, len(self.variations.loads)])
        parts = np.split(gradient, borders)
        return dict(zip(("q", "u", "z", "udot", "loads", "acting"), parts, strict=True))

    def vector(self, flow: Flow, states: Complexes) -> Complexes:
        """Return (δq, δu, δz, δλ) of a vector on the columns of a flow."""
        theta, u, z, loads = (part @ states for part in (flow.theta, flow.u, flow.z, flow.loads))
        return np.concatenate((self.mapping @ theta, u, z, loads[self.rows]))

    # --- the operating point -------------------------------------------------------------------------------------

    @cached_property
    def point_jacobian(self) -> dict[str, Floats]:
        """The derivatives of q, u, z and λ of the operating point by each input and parameter: "q", "u", "z", "loads".

        "theta" is the derivative of the positions as a variation, δq = N δθ.
        At an equilibrium speeds stay zero. In a steady motion they are kept where that is possible.
        """
        found, (_, n, n_z, _) = self.variations, self.sizes
        m, own = len(found.loads), found.states
        held = np.abs(found.residual_by_position).max(axis=1, initial=0.0) > 0.0
        acting = found.acting
        right = -np.vstack((acting["load"], acting["residual"][held], acting["speed"], acting["state"]))
        left = np.vstack(
            (
                np.hstack((found.load_by_position, found.matrix.T, own.load)),
                np.hstack((found.residual_by_position[held], np.zeros((held.sum(), m + n_z)))),
                np.hstack((found.speed_by_position, np.zeros((m, m + n_z)))),
                np.hstack((own.position, np.zeros((n_z, m)), own.own)),
            )
        )
        theta_loads = np.linalg.lstsq(left, right, rcond=1e-11)[0]
        speeds = np.zeros((n, right.shape[1]))
        missed = np.abs(left @ theta_loads - right).max(initial=0.0)
        if missed > 1e-8 * max(1.0, float(np.abs(right).max(initial=0.0))):
            by_speed = np.vstack((found.load_by_speed, np.zeros((held.sum(), n)), found.matrix, own.speed))
            whole = np.linalg.lstsq(np.hstack((left, by_speed)), right, rcond=1e-11)[0]
            theta_loads, speeds = whole[: n + m + n_z], whole[n + m + n_z :]
        theta, loads, z = np.split(theta_loads, (n, n + m))
        return {"theta": theta, "q": self.mapping @ theta, "u": speeds, "z": z, "loads": loads}

    def total(self, gradient: Complexes) -> Complexes:
        """Return a gradient by inputs and parameters alone: the operating point changes along with them."""
        parts, jacobian = self.split(gradient), self.point_jacobian
        along = sum(parts[name] @ jacobian[name] for name in ("q", "u", "z", "loads"))
        return np.asarray(parts["acting"] + along)

    def output_gradient(self, name: str) -> Floats:
        """Return the derivatives of an output at the operating point, a number, by each input and parameter.

        Accelerations are zero at the operating point, whatever the parameters.
        """
        program = self.variations.system.linear_outputs([name])[1]
        by, along = evaluated_ports(program, self._base), self.point_jacobian
        gradient = by["by_position"] @ along["theta"] + by["by_speed"] @ along["u"] + by["by_load"] @ along["loads"]
        if "by_state" in by:
            gradient = gradient + by["by_state"] @ along["z"]
        return np.asarray((gradient + by["by_input"])[0])


def _run(program: Program, rows: Floats) -> Floats:
    return program.batch(rows) if len(rows) >= 4 * program.lanes else program.loop(rows)
