"""Embedding on the exact engine: the equations of motion in independent speeds, as expressions (McPhee, part 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from gyrostat.coordinates.independent_speeds import independent_speeds
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import SizeError, StateError
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, negate, subtract, total
from gyrostat.scalar.exact import Differential, immutable_matrix
from gyrostat.written.equation_writer import sum_of_products

if TYPE_CHECKING:
    from gyrostat.written.equation_set import Equations

_LARGEST_BLOCK = 3
"""The largest block of dependent speeds that is inverted by cofactors."""


@dataclass(frozen=True, eq=False)
class EmbeddedEquations:
    """GᵀMG u̇_i = Gᵀ(forcing − M c), with u = G u_i + g and u̇ = G u̇_i + c: without constraints and multipliers.

    All coordinates of the system remain; `speeds` gives the dependent speeds.
    """

    written: Equations
    independent: tuple[str, ...]
    dependent: tuple[str, ...]

    @cached_property
    def _inverse(self) -> list[list[Scalar]]:
        """The inverse of the dependent block of A, by cofactors."""
        entries, names = self.written.exact_constraints.entries, self.written.layout.speed_names
        places = [names.index(name) for name in self.dependent]
        block = [[entries.get((i, j), 0) for j in places] for i in range(len(places))]
        determinant = _determinant(block)
        if is_zero(determinant):
            raise StateError(
                f"The speeds {', '.join(self.independent) or '(none)'} do not determine the others: the block of "
                f"{', '.join(self.dependent)} is singular. Choose other independent speeds."
            )
        size = range(len(block))
        return [[_cofactor(block, j, i, determinant) for j in size] for i in size]

    @cached_property
    def _complement(self) -> dict[tuple[int, int], Scalar]:
        """The entries of G by speed and independent speed, both by number."""
        entries, names = self.written.exact_constraints.entries, self.written.layout.speed_names
        found: dict[tuple[int, int], Scalar] = {}
        for k, name in enumerate(self.independent):
            column = [entries.get((i, names.index(name)), 0) for i in range(len(self.dependent))]
            found[names.index(name), k] = 1
            for row, other in zip(self._inverse, self.dependent, strict=True):
                entry = negate(_product(row, column))
                if not is_zero(entry):
                    found[names.index(other), k] = entry
        return found

    def _particular(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return a column of all speeds: the dependent block's inverse times a column, zero for independent ones."""
        names = self.written.layout.speed_names
        found: list[Scalar] = [0] * len(names)
        for row, other in zip(self._inverse, self.dependent, strict=True):
            found[names.index(other)] = _product(row, right)
        return found

    @cached_property
    def _mass(self) -> list[list[Scalar]]:
        """M in full."""
        n = self.written.layout.n_u
        full: list[list[Scalar]] = [[0] * n for _ in range(n)]
        for (i, j), entry in self.written.exact_mass_matrix.items():
            full[i][j] = full[j][i] = entry
        return full

    def _pulled(self, column: Sequence[Scalar]) -> list[Scalar]:
        """Return Gᵀ times a column."""
        result: list[Scalar] = [0] * len(self.independent)
        for (i, k), entry in self._complement.items():
            result[k] = add(result[k], multiply(entry, column[i]))
        return result

    # --- expressions ---------------------------------------------------------------------------------------------

    @cached_property
    def complement(self) -> Any:
        """G as a SymPy matrix (speeds × independent speeds)."""
        n, f = self.written.layout.n_u, len(self.independent)
        entries = [self._complement.get((i, k), 0) for i in range(n) for k in range(f)]
        return immutable_matrix(n, f, [self.written.expression(entry) for entry in entries])

    @cached_property
    def mass_matrix(self) -> Any:
        """GᵀMG as a SymPy matrix."""
        f = len(self.independent)
        columns = []
        for k in range(f):
            motion = [self._complement.get((i, k), 0) for i in range(self.written.layout.n_u)]
            columns.append(self._pulled([_product(row, motion) for row in self._mass]))
        entries = [self.written.expression(columns[j][i]) for i in range(f) for j in range(f)]
        return immutable_matrix(f, f, entries)

    @cached_property
    def forcing(self) -> Any:
        """Gᵀ(forcing − M c) as a SymPy column, with all speeds."""
        particular = self._particular(self.written.exact_constraints.rates)
        loads = [
            subtract(load, _product(row, particular))
            for load, row in zip(self.written.exact_forcing, self._mass, strict=True)
        ]
        return self._column(self._pulled(loads))

    @cached_property
    def speeds(self) -> Any:
        """u = G u_i + g as a SymPy column."""
        state, names = self.written.trace.motion.state, self.written.layout.speed_names
        given = self._particular(self.written.exact_constraints.speeds)
        chosen = [state.u[names.index(name)] for name in self.independent]
        for (i, k), entry in self._complement.items():
            given[i] = add(given[i], multiply(entry, chosen[k]))
        return self._column(given)

    @cached_property
    def inputs_matrix(self) -> Any:
        """C = Gᵀ ∂forcing/∂τ: the input matrix in C τ + F̃ (McPhee, part 4)."""
        inputs = self.written.layout.topology.model.inputs
        rules = [Differential(self.written.trace.ring, {name: 1}) for name in inputs]
        columns = [self._pulled([rule(load) for load in self.written.exact_forcing]) for rule in rules]
        f = len(self.independent)
        entries = [self.written.expression(column[i]) for i in range(f) for column in columns]
        return immutable_matrix(f, len(inputs), entries)

    def _column(self, values: Sequence[Scalar]) -> Any:
        return immutable_matrix(len(values), 1, [self.written.expression(value) for value in values])

    @property
    def accelerations(self) -> tuple[Any, ...]:
        """The symbols of u̇_i."""
        return tuple(self.written.symbols.sympy[acceleration_name(name)] for name in self.independent)

    def __str__(self) -> str:
        lines = []
        for i in range(len(self.independent)):
            left = sum_of_products(self.mass_matrix[i, :], self.accelerations)
            lines.append(f"{left} = {self.forcing[i]}")
        return "\n".join(lines)


def embedded_equations(written: Equations, independent: Sequence[str] | None) -> EmbeddedEquations:
    """Return the equations in independent speeds: those given, or the first choice whose dependent block is regular."""
    names = written.layout.speed_names
    count = len(written.exact_constraints.rows) if written.constrained else 0
    if count > _LARGEST_BLOCK:
        raise SizeError(
            f"{count} constraints make a dependent block too large to be inverted as expressions (at most "
            f"{_LARGEST_BLOCK}). Use branch coordinates, which have fewer, or numbers: system.embedding()."
        )
    if count > len(names):
        raise StateError(f"There are {count} constraints on {len(names)} speeds. Remove redundant ones.")
    if independent is not None:
        chosen = independent_speeds(names, independent)
        if len(chosen) != len(names) - count:
            raise StateError(
                f"{len(names)} speeds with {count} constraints leave {len(names) - count} independent; "
                f"{len(chosen)} are given."
            )
        return EmbeddedEquations(written, chosen, tuple(name for name in names if name not in chosen))
    entries = written.exact_constraints.entries if count else {}
    for places in combinations(range(len(names)), len(names) - count):
        dependent = [j for j in range(len(names)) if j not in places]
        block = [[entries.get((i, j), 0) for j in dependent] for i in range(count)]
        if not is_zero(_determinant(block)):
            return EmbeddedEquations(written, tuple(names[i] for i in places), tuple(names[i] for i in dependent))
    raise StateError("The constraints depend on each other at every position. Remove redundant ones.")


def _determinant(block: Sequence[Sequence[Scalar]]) -> Scalar:
    """Return a determinant by its first row."""
    if not block:
        return 1
    terms: list[Scalar] = []
    for j, entry in enumerate(block[0]):
        if not is_zero(entry):
            minor = _determinant([[x for k, x in enumerate(row) if k != j] for row in block[1:]])
            terms.append(multiply(entry, minor) if j % 2 == 0 else negate(multiply(entry, minor)))
    return total(terms)


def _cofactor(block: Sequence[Sequence[Scalar]], i: int, j: int, determinant: Scalar) -> Scalar:
    """Return the entry (j, i) of the inverse."""
    minor = _determinant([[x for k, x in enumerate(row) if k != j] for n, row in enumerate(block) if n != i])
    return divide(minor if (i + j) % 2 == 0 else negate(minor), determinant)


def _product(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    return total([multiply(x, y) for x, y in zip(a, b, strict=True) if not is_zero(x) and not is_zero(y)])
