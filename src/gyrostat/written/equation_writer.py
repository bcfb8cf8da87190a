"""Writing of exact expressions: forms of output, and equations as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import chain
from typing import TYPE_CHECKING, Any

from gyrostat.errors import StateError
from gyrostat.kinematics.parallel_axes import absolute_rates
from gyrostat.model import Model
from gyrostat.model.kinds import FormulaUse
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import LinearForms, SympyWriter, regrouped
from gyrostat.written.exact_trace import ExactTrace
from gyrostat.written.symbols import Symbols

if TYPE_CHECKING:
    from gyrostat.written.equation_set import Equations


class Form(Enum):
    """Forms of written expressions."""

    EXPANDED = "expanded"
    """A plain sum of products."""
    TEXTBOOK = "textbook"
    """Lengths and speeds outside, masses inside, absolute rates as sums, as papers print it."""
    REGROUPED = "regrouped"
    """Each distinct polynomial of parameters is a named constant."""


RECURSIVE = "recursive"
"""The name of the compact form, which `RecursiveEquations` has."""


def form_of(form: Form | str) -> Form:
    """Return a form by its name."""
    try:
        return Form(form)
    except ValueError:
        known = ", ".join(repr(choice) for choice in (*(each.value for each in Form), RECURSIVE))
        raise StateError(f"There is no form {form!r} of equations. Known: {known}.") from None


@dataclass(frozen=True)
class Written:
    """SymPy expressions, and the constants that they are written in."""

    expressions: tuple[Any, ...]
    constants: dict[Any, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class EquationWriter:
    """Writes elements of the exact engine as SymPy, in one form and in the user's symbols."""

    trace: ExactTrace
    symbols: Symbols
    form: Form
    multipliers: Mapping[str, Any] = field(default_factory=dict)
    """Symbols of multipliers, by the names of constraints."""

    def __call__(self, value: Scalar) -> Any:
        """Return one expression; where the whole would be regrouped, in textbook form."""
        if self.form is Form.EXPANDED:
            return self._writer(value)
        return self._writer.textbook(self._in_absolute_rates(value), self._masses)

    def together(self, still: Iterable[Scalar], moving: Iterable[Scalar]) -> Written:
        """Return several expressions that share their constants, those without speeds first."""
        if self.form is Form.TEXTBOOK:
            write, masses = self._writer.textbook, self._masses
            return Written((*(write(value, masses) for value in still), *(self(value) for value in moving)))
        if self.form is Form.EXPANDED:
            return Written(tuple(self._writer(value) for value in chain(still, moving)))
        model, layout = self.trace.motion.tree.coordinates.topology.model, self.trace.motion.tree.coordinates
        outer = {*layout.place_of, *model.inputs, *self._rates}
        values = chain(still, (self._in_absolute_rates(value) for value in moving))
        found = regrouped(values, set(model.parameters), outer, self._writer, taken=tuple(self.symbols.text.values()))
        return Written(found.expressions, found.constants)

    @cached_property
    def _rates(self) -> dict[str, dict[str, int]]:
        """Absolute rates of links about parallel axes, as sums of speeds, under names that no user can give."""
        names = self.trace.motion.tree.coordinates.speed_names
        sums = absolute_rates(self.trace.motion.tree, self.trace.groups)
        return {"+".join(names[place] for place in rate): {names[place]: 1 for place in rate} for rate in sums}

    @cached_property
    def _forms(self) -> LinearForms | None:
        return LinearForms(self.trace.ring, self._rates) if self._rates else None

    def _in_absolute_rates(self, value: Scalar) -> Scalar:
        return value if self._forms is None else self._forms(value)

    @cached_property
    def _writer(self) -> SympyWriter:
        return SympyWriter(
            self.trace.ring,
            {**self.symbols.sympy, **self.multipliers},
            {name: tuple(rate) for name, rate in self._rates.items()},
        )

    @cached_property
    def _masses(self) -> frozenset[str]:
        return mass_parameters(self.trace.motion.tree.coordinates.topology.model)


def mass_parameters(model: Model) -> frozenset[str]:
    """Return the parameters that masses and moments of inertia are given by."""
    return frozenset(
        name
        for body in model.bodies.values()
        for use in body.all_uses
        if isinstance(use, FormulaUse) and ("mass" in use.path or "inertia" in use.path)
        for name in use.formula.names
    )


def equation_lines(equations: Equations, write: Callable[[Any], str]) -> Iterator[tuple[str, str]]:
    """Yield both sides of the equations of motion, of constraints, states and constants; `write` is str or LaTeX."""
    for i in range(equations.layout.n_u):
        yield _left(equations, i, write), _right(equations, i, write)
    for entry in equations.constraints:
        yield "0", write(entry)
    for rate, entry in zip(equations.state_rate_symbols, equations.states, strict=True):
        yield write(rate), write(entry)
    for entry in equations.algebraic:
        yield "0", write(entry)
    for name, meaning in equations.constants.items():
        yield write(name), write(meaning)


def _left(equations: Equations, row: int, write: Callable[[Any], str]) -> str:
    """Return a row of M u̇."""
    return sum_of_products(equations.mass_matrix[row, :], equations.accelerations, write)


def sum_of_products(coefficients: Any, rates: Iterable[Any], write: Callable[[Any], str] = str) -> str:
    """Return coefficients times rates as a sum, each coefficient in brackets if it is one itself."""
    parts = []
    for coefficient, rate in zip(coefficients, rates, strict=True):
        if coefficient == 0:
            continue
        text = write(coefficient)
        opening, closing, times = ("(", ")", "*") if write is str else (r"\left(", r"\right)", " ")
        bracketed = f"{opening}{text}{closing}" if coefficient.is_Add else text
        parts.append(write(rate) if coefficient == 1 else f"{bracketed}{times}{write(rate)}")
    return _sum_of(parts)


def _right(equations: Equations, row: int, write: Callable[[Any], str]) -> str:
    """Return a row of forcing + Aᵀ λ."""
    pairs = zip(equations.constraint_matrix[:, row], equations.multipliers, strict=True)
    loads = [write(coefficient * multiplier) for coefficient, multiplier in pairs if coefficient != 0]
    forcing = equations.forcing[row]
    return _sum_of([*([write(forcing)] if forcing != 0 else []), *loads])


def _sum_of(terms: list[str]) -> str:
    """Return texts as a sum; a text that begins with a minus sign is subtracted.

    >>> _sum_of(["a", "-b*c", "- d"]), _sum_of([])
    ('a - b*c - d', '0')
    """
    text = terms[0] if terms else "0"
    for term in terms[1:]:
        text += f" - {term[1:].lstrip()}" if term.startswith("-") else f" + {term}"
    return text
