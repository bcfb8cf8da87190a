"""Exact equations of motion in the user's symbols."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from gyrostat.coordinates import Coordinates
from gyrostat.errors import SizeError
from gyrostat.kinematics.parallel_axes import harmonics_expected
from gyrostat.kinematics.world import coordinate_rates
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import immutable_matrix
from gyrostat.scalar.latex import latex_text
from gyrostat.written.certificate import Certificate, certificate
from gyrostat.written.derivation import DERIVATIONS
from gyrostat.written.equation_writer import RECURSIVE, Form, Written, equation_lines, form_of
from gyrostat.written.exact_embedding import EmbeddedEquations, embedded_equations
from gyrostat.written.expressions import Expressions
from gyrostat.written.progress import DerivationProgress, Report


@dataclass(frozen=True, eq=False)
class Equations(Expressions):
    """M(q) u̇ = forcing(q, u, t, inputs), q̇ = kinematics(q, u): exact expressions, converted to SymPy on access.

    Where joints close loops or the model has constraints, M u̇ = forcing + Aᵀ λ with A u = b, hence A u̇ = γ. Each
    multiplier λ is the load along the direction of its row, of the parent on the child where a joint closes a loop.
    Components may have state variables z: ż = states(q, u, z, t, inputs), and 0 = algebraic(…) for those without rates.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    >>> bar = model.add(gs.Body("bar", gs.rod("m", "l", along="y"), points={"top": (0, "l/2", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top", symbol="theta"))
    >>> equations = gs.formulate(model).equations()
    >>> print(equations)
    l**2*m/3*thetaddot = -g*l*m*sin(theta)/2
    """

    @staticmethod
    def of(
        coordinates: Coordinates, form: Form | str, size_limit: int | None = None, progress: Report | None = None
    ) -> Equations:
        """Return the equations of a system in a form; `SizeError` where they would be larger than the limit."""
        derivation, chosen = DERIVATIONS.of(coordinates, size_limit), form_of(form)
        found = Equations(derivation, chosen, progress)
        if progress is None:
            found = derivation.sets.setdefault(chosen, found)
        expected = harmonics_expected(found.trace.motion.tree, found.trace.groups)
        if size_limit is not None and expected > size_limit:
            numbers = bool(coordinates.euler_parameters)
            products = "sines, cosines and Euler parameters" if numbers else "sines and cosines"
            raise SizeError(
                f"Written out, the equations of {coordinates.topology.model.name!r} would have up to {expected:,} "
                f"products of {products}, too many to read. "
                f"Use the compact form, equations({RECURSIVE!r}), or size_limit=None."
            )
        return found

    # --- SymPy ---------------------------------------------------------------------------------------------------

    @cached_property
    def _written(self) -> Written:
        """M, A and residuals, then forcing and speeds that are constraints themselves."""
        still, moving = [*self.exact_mass_matrix.values()], [*self.exact_forcing]
        if self.constrained:
            rows = self.exact_constraints.rows
            still += self.exact_constraints.entries.values()
            still += [row.residual for row in rows if row.residual is not None]
            moving += [row.speed for row in rows if row.residual is None]
        total = len(still) + len(moving)
        return self.writer.together(self._counted(still, 0, total), self._counted(moving, len(still), total))

    def _counted(self, values: list[Scalar], before: int, total: int) -> Iterator[Scalar]:
        """Yield values one by one and report progress."""
        for done, value in enumerate(values, before):
            if self.progress is not None:
                self.progress(DerivationProgress("writing", done, total))
            yield value

    @property
    def constants(self) -> dict[Any, Any]:
        """The named polynomials of parameters of the regrouped form, by symbol; empty in other forms."""
        return dict(self._written.constants)

    @cached_property
    def mass_matrix(self) -> Any:
        """M as a SymPy matrix."""
        n = self.layout.n_u
        entries = [sympy.S.Zero] * (n * n)
        for (i, j), entry in zip(self.exact_mass_matrix, self._written.expressions, strict=False):
            entries[n * i + j] = entries[n * j + i] = entry
        return immutable_matrix(n, n, entries)

    @property
    def _first_moving(self) -> int:
        """The place of the forcing among the written expressions."""
        return len(self._written.expressions) - self.layout.n_u - len(self._nonholonomic)

    @property
    def _nonholonomic(self) -> list[int]:
        rows = self.exact_constraints.rows if self.constrained else ()
        return [i for i, row in enumerate(rows) if row.residual is None]

    @cached_property
    def forcing(self) -> Any:
        """The right-hand side without constraint loads, as a SymPy column."""
        first = self._first_moving
        return immutable_matrix(self.layout.n_u, 1, list(self._written.expressions[first : first + self.layout.n_u]))

    @cached_property
    def kinematics(self) -> Any:
        """q̇ as a SymPy column."""
        return self.column(coordinate_rates(self.trace.motion.tree, self.trace.motion.state))

    @cached_property
    def constraints(self) -> Any:
        """The constraint functions as a SymPy column: residuals of position, or speeds of nonholonomic constraints.

        Trivial constraints, such as those out of the plane of a planar mechanism, are left out.
        """
        written, first = self._written.expressions, len(self.exact_mass_matrix) + len(self.exact_constraints.entries)
        still, moving = iter(written[first : self._first_moving]), iter(written[self._first_moving + self.layout.n_u :])
        entries = [next(moving if row.residual is None else still) for row in self.exact_constraints.rows]
        return immutable_matrix(len(entries), 1, entries)

    @cached_property
    def constraint_matrix(self) -> Any:
        """A as a SymPy matrix, a row for each constraint."""
        n, found = self.layout.n_u, self.exact_constraints
        entries = [sympy.S.Zero] * (len(found.rows) * n)
        written = self._written.expressions[len(self.exact_mass_matrix) :]
        for (i, j), entry in zip(found.entries, written, strict=False):
            entries[n * i + j] = entry
        return immutable_matrix(len(found.rows), n, entries)

    @cached_property
    def constraint_speeds(self) -> Any:
        """b in A u = b as a SymPy column; zero for constraints that do not depend on time."""
        return self.column(self.exact_constraints.speeds)

    @cached_property
    def constraint_rates(self) -> Any:
        """γ in A u̇ = γ as a SymPy column."""
        return self.column(self.exact_constraints.rates)

    @property
    def state_rate_symbols(self) -> tuple[Any, ...]:
        """The symbols of ż, of the state variables that have rates."""
        return tuple(self.symbols.sympy[f"{self.layout.state_names[place]}.rate"] for place in self._with_rates)

    @property
    def _with_rates(self) -> list[int]:
        return [place for place in range(len(self.layout.state_names)) if place not in self.layout.algebraic]

    @cached_property
    def states(self) -> Any:
        """The rates of the state variables of components, those that have rates, as a SymPy column."""
        return self.column([self.exact_states[place] for place in self._with_rates])

    @cached_property
    def algebraic(self) -> Any:
        """The equations of algebraic variables, as a SymPy column of expressions that are zero."""
        return self.column([self.exact_states[place] for place in self.layout.algebraic])

    def embedded(self, independent: Sequence[str] | None = None) -> EmbeddedEquations:
        """Return the equations in independent speeds, constraints and multipliers eliminated; by name, or a choice."""
        return embedded_equations(self, independent)

    def solved(self) -> Any:
        """Return u̇ = M⁻¹ (forcing + Aᵀ λ), with λ from A u̇ = γ; the size grows fast with the number of speeds."""
        if not self.multipliers:
            return self.mass_matrix.LUsolve(self.forcing)

        A, n = self.constraint_matrix, self.layout.n_u
        free = self.mass_matrix.LUsolve(sympy.Matrix.hstack(sympy.Matrix(self.forcing), sympy.Matrix(A.T)))
        still, pushed = free[:, 0], free[:, 1:]
        multipliers = (A * pushed).LUsolve(self.constraint_rates - A * still)
        return (still + pushed * multipliers).reshape(n, 1).as_immutable()

    # --- text ----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        return "\n".join(f"{left} = {right}" for left, right in equation_lines(self, str))

    def latex(self) -> str:
        """Return all equations as LaTeX, then constraints, states and constants, aligned at the equals signs."""
        body = " \\\\\n".join(f"{left} &= {right}" for left, right in equation_lines(self, self.write_latex))
        return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"

    def write_latex(self, expression: Any) -> str:
        """Return a SymPy expression in the symbols of this set as LaTeX."""
        return latex_text(expression, names=self._latex_names)

    @cached_property
    def _latex_names(self) -> dict[Any, str]:
        return {self.multiplier_symbols[each.name]: each.latex for each in self.multiplier_table}

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    @property
    def operations(self) -> int:
        """The number of operations as SymPy counts them."""
        motion = [*self.mass_matrix, *self.forcing, *self.constraint_matrix, *self.constraints]
        return int(sympy.count_ops([*motion, *self.states, *self.algebraic]))

    def verify(self, points: int = 5, seed: int = 0) -> Certificate:
        """Compare M, forcing, A, γ, residuals of constraints, and ż, as they are written, with the traced engine."""
        return certificate(self, points, seed)
