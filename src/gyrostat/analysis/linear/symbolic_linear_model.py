"""Linear equations in closed form: mass, damping and stiffness in the user's symbols."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.analysis.variations.flow import flow_at
from gyrostat.analysis.variations.operating_point import operating_point
from gyrostat.errors import FormulaError, StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import multiply, negate, total
from gyrostat.scalar.exact import Element, equals, evaluate, immutable_matrix
from gyrostat.scalar.latex import latex_text
from gyrostat.scalar.tangents import as_tangent
from gyrostat.system import System
from gyrostat.written.equation_writer import EquationWriter, Form
from gyrostat.written.exact_linear import ExactLinear, exact_linear, reduced, solved
from gyrostat.written.symbols import Symbols


@dataclass(frozen=True, eq=False)
class SymbolicLinearModel:
    """mass ẍ + damping ẋ + stiffness x = 0 as SymPy matrices, x the deviations of independent coordinates.

    >>> import gyrostat as gs
    >>> model = gs.Model("pendulum", gravity=(0, "-g", 0), parameters={"m": 2, "l": 1, "g": 9.81})
    >>> bar = model.add(gs.Body("bar", gs.point_mass("m"), points={"top": (0, "l", 0)}))
    >>> hinge = model.add(gs.Revolute("a1", "ground", "bar.top", symbol="theta"))
    >>> exact = gs.linearize(model, {"a1": 0}, symbolic=True)
    >>> exact.mass, exact.stiffness
    (Matrix([[l**2*m]]), Matrix([[g*l*m]]))
    """

    system: System
    coordinates: tuple[str, ...]
    """The names of the independent coordinates."""
    _exact: ExactLinear = field(repr=False)
    _mass: list[list[Scalar]] = field(repr=False)
    _damping: list[list[Scalar]] = field(repr=False)
    _stiffness: list[list[Scalar]] = field(repr=False)

    @cached_property
    def _writer(self) -> EquationWriter:
        return EquationWriter(self._exact.trace, Symbols(self.system.coordinates), Form.TEXTBOOK)

    def _matrix(self, rows: list[list[Scalar]]) -> Any:
        return immutable_matrix(len(rows), len(rows), [self._writer(entry) for row in rows for entry in row])

    @cached_property
    def mass(self) -> Any:
        """The mass matrix."""
        return self._matrix(self._mass)

    @cached_property
    def damping(self) -> Any:
        """The matrix of speeds: damping and gyroscopic terms."""
        return self._matrix(self._damping)

    @cached_property
    def stiffness(self) -> Any:
        """The matrix of positions."""
        return self._matrix(self._stiffness)

    @property
    def A(self) -> Any:
        """The matrix of the first-order form, of (x, ẋ)."""
        import sympy

        n = len(self.coordinates)
        inverse = self.mass.inv()
        left = sympy.zeros(n, n).row_join(sympy.eye(n))
        right = (-inverse * self.stiffness).row_join(-inverse * self.damping)
        return left.col_join(right)

    def characteristic_polynomial(self, symbol: str = "s") -> Any:
        """Return det(mass s² + damping s + stiffness) as a SymPy polynomial in a symbol."""
        import sympy

        s = sympy.Symbol(symbol)
        matrix = self.mass * s**2 + self.damping * s + self.stiffness
        return sympy.Poly(sympy.expand(matrix.det(method="berkowitz")), s)

    def latex(self) -> str:
        """Return the three matrices as LaTeX."""

        names = {"M": self.mass, "C": self.damping, "K": self.stiffness}
        return " \\qquad ".join(f"{name} = {latex_text(matrix)}" for name, matrix in names.items())

    def _repr_latex_(self) -> str:
        return f"$${self.latex()}$$"

    def __str__(self) -> str:
        names = {"mass": self.mass, "damping": self.damping, "stiffness": self.stiffness}
        head = f"Linear equations of {self.system.model.name!r} in {', '.join(self.coordinates)}"
        return "\n".join([head, *(f"  {name}: {matrix.tolist()}" for name, matrix in names.items())])


def symbolic_linear_model(
    system: System, at: Mapping[str, object], independent: Sequence[str] | None = None
) -> SymbolicLinearModel:
    """Return the linear equations about a point that is given by exact values; `independent` are coordinates."""
    layout = system.coordinates
    formulas = _formulas(system, at)
    exact = exact_linear(layout, formulas)
    size = layout.n_u
    names, speeds = layout.coordinate_names, layout.speed_names
    mass = {(i, j): entry for (a, b), entry in exact.mass.items() for i, j in {(a, b), (b, a)}}
    if exact.rows:
        if any(isinstance(exact.point[name], Element) or exact.point[name] != 0 for name in speeds):
            raise StateError("Symbolic linear equations of closed loops are those about rest. Set all speeds to zero.")
        chosen = list(independent or _independent(system, at))
        basis, loads = _closed(exact, [names.index(name) for name in chosen])
    else:
        chosen = list(names)
        basis = [[int(i == j) for i in range(size)] for j in range(size)]
        loads = exact.loads({})
    _require_balanced(system, loads, basis, chosen)
    stiffness, damping = exact.jacobian(loads, names), exact.jacobian(loads, speeds)
    matrices = [reduced(entries, basis, size=size) for entries in (mass, damping, stiffness)]
    return SymbolicLinearModel(system, tuple(chosen), exact, *matrices)


def _formulas(system: System, at: Mapping[str, object]) -> dict[str, Formula]:
    known = [*system.coordinate_names, *system.speed_names, *system.inputs]
    found: dict[str, Formula] = {}
    for name, value in at.items():
        if name not in known:
            raise StateError(f"There is no coordinate, speed or input {name!r}. {did_you_mean(name, known)}")
        try:
            found[name] = Formula.of(value)
        except FormulaError as error:
            raise StateError(f"The value of {name!r} is {value!r:.60}. Give a number or a formula.") from error
        unknown = sorted(found[name].names - set(system.model.parameters))
        if unknown:
            raise StateError(f"The value of {name!r} uses {unknown[0]!r}, which is no parameter of the model.")
    return found


def _independent(system: System, at: Mapping[str, object]) -> tuple[str, ...]:
    """Return independent coordinates, as the numeric linear model chooses them."""
    return flow_at(operating_point(system, at)).reduction.positions


def _closed(exact: ExactLinear, free: Sequence[int]) -> tuple[list[list[Scalar]], list[Any]]:
    """Return the columns of the basis of motions, and loads with those of constraints that hold the system at rest."""
    layout = exact.trace.motion.tree.coordinates
    size, names = layout.n_u, layout.coordinate_names
    jacobian = exact.jacobian([row.residual for row in exact.rows], names)
    held = [i for i in range(size) if i not in free]
    rows = _independent_rows(exact, jacobian, held)
    if len(rows) < len(held):
        raise StateError(
            f"{', '.join(names[i] for i in free) or 'No coordinate'} cannot be independent: at the given position "
            f"{', '.join(names[i] for i in held)} would be left open. Name others: coordinates=[…]."
        )
    for row in exact.rows:
        residual = as_tangent(row.residual).value
        if not equals(residual, 0):
            raise StateError(
                f"{row.owner!r} is open at the given position, by {residual!s:.60}. Give exact values of all "
                "coordinates, such as '-pi/3'."
            )
    matrix = [[jacobian.get((i, j), 0) for j in held] for i in rows]
    rights = [[negate(jacobian.get((i, j), 0)) for j in free] for i in rows]
    dependent = solved(matrix, rights)
    basis: list[list[Scalar]] = []
    for k, place in enumerate(free):
        column: list[Scalar] = [0] * size
        column[place] = 1
        for entries, j in zip(dependent, held, strict=True):
            column[j] = entries[k]
        basis.append(column)
    needs = [load.value for load in exact.loads({})]
    transposed = [[jacobian.get((i, j), 0) for i in rows] for j in held]
    sizes = solved(transposed, [[needs[j]] for j in held])
    multipliers = {exact.rows[i].name: entry[0] for i, entry in zip(rows, sizes, strict=True)}
    return basis, exact.loads(multipliers)


def _independent_rows(exact: ExactLinear, jacobian: Mapping[tuple[int, int], Scalar], held: Sequence[int]) -> list[int]:
    """Return rows that determine the dependent coordinates, by numbers at the model's parameters."""
    values = exact.trace.motion.tree.coordinates.topology.model.values()
    matrix = np.zeros((len(exact.rows), len(held)))
    for (i, j), entry in jacobian.items():
        if j in held:
            matrix[i, held.index(j)] = evaluate(entry, values)
    found: list[int] = []
    for i in range(len(matrix)):
        if np.linalg.matrix_rank(matrix[[*found, i]], tol=1e-9) > len(found):
            found.append(i)
    return found


def _require_balanced(
    system: System, loads: Sequence[Any], basis: Sequence[Sequence[Scalar]], names: Sequence[str]
) -> None:
    """Raise an error unless no load is left along any motion."""
    for name, column in zip(names, basis, strict=True):
        left = total([multiply(load.value, weight) for load, weight in zip(loads, column, strict=True)])
        if not equals(left, 0):
            raise StateError(
                f"The point is no equilibrium or steady motion of {system.model.name!r}: {left!s:.80} is left in "
                f"{name!r}. Give exact values at which it vanishes."
            )
