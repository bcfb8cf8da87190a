"""The terms of a mechanism's oscillators: modal equations, divided by modal masses, with order and source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from gyrostat.analysis.scales.excitation import Excitation, names_in
from gyrostat.analysis.scales.expansion_point import sign_oracle
from gyrostat.analysis.scales.modal import ExactModes
from gyrostat.analysis.scales.ordering import ChosenOrdering
from gyrostat.analysis.scales.taylor import Chart, GradedTerm, graded_terms
from gyrostat.analysis.scales.taylor_charts import Charts
from gyrostat.analysis.scales.term import Term
from gyrostat.errors import StateError
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing, numeric_function, substitute
from gyrostat.scalar.exact.element import settled, sum_of
from gyrostat.scalar.exact.numbers import plain_number


@dataclass
class Tokens:
    """Names for expressions that terms cannot contain: cosines of constant angles, frequencies such as 2π f."""

    ring: ExactRing
    taken: frozenset[str] = frozenset()
    elements: dict[str, Scalar] = field(default_factory=dict)
    """Definitions of the tokens."""

    @property
    def definitions(self) -> dict[str, str]:
        """Definitions of the tokens as text."""
        return {name: str(element) for name, element in self.elements.items()}

    def values(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the values of the tokens."""
        names = list(values)
        found = numeric_function(list(self.elements.values()), names)(*values.values()) if self.elements else []
        return {name: float(value) for name, value in zip(self.elements, found, strict=True)}

    def plain(self, value: Scalar) -> Scalar:
        """Return a coefficient with tokens in place of sines and cosines."""
        if not isinstance(value, Element) or list(value.terms) == [0]:
            return value
        parts = []
        for h, c in value.lifted().terms.items():
            part = settled(self.ring, {0: c}, value.below, value.marks)
            for factor in self.ring.harmonics.factors[h]:
                wave = self.ring.trig(factor[1], factor[0], dict(factor[2]))
                part = part * self.ring.symbol(self._token(wave))
            parts.append(part)
        return sum_of(self.ring, parts)

    def _token(self, wave: Element) -> str:
        text = str(wave)
        base = "".join(letter if letter.isalnum() else "_" for letter in text).strip("_")
        name = base if base not in self.taken else f"{base}_"
        self.elements.setdefault(name, wave)
        return name


@dataclass(frozen=True, eq=False)
class MechanismTerms:
    """The right-hand sides, the tokens in their coefficients, and how coordinates depend on the oscillators."""

    terms: list[Term]
    tokens: Tokens
    chart: Chart
    floating: bool
    """Whether all coefficients are numbers."""


def mechanism_terms(
    charts: Charts,
    modes: ExactModes,
    ordering: ChosenOrdering,
    order: int,
    excitation: Excitation,
    values: Mapping[str, float],
    *,
    numbers: bool,
    floating: bool | None,
) -> MechanismTerms:
    """Return the right-hand sides of the modal equations.

    With `numbers`, parameters that are neither small nor frequencies of excitation are replaced by their values. With
    `floating`, all coefficients are numbers then; None keeps those with frequencies exact, for detuning changes them.
    """
    loads, grading = charts.loads, ordering.grading
    highest = grading.highest(order)
    ring = loads.trace.ring
    constants: dict[str, Scalar] = dict(modes.eliminated)
    if numbers:
        kept = charts.frequencies | grading.parameters.keys()
        own = [name for name in loads.system.model.parameters if name not in kept]
        constants = {name: plain_number(values[name]) for name in own}
    names = [mode.name for mode in modes.modes]
    chart = charts.chart(names, modes.shapes, highest, grading, constants)
    sign = sign_oracle(values)
    found = graded_terms(loads, chart, grading, highest, excitation, constants=constants, sign=sign, rounded=numbers)
    tokens = Tokens(ring, frozenset(ring.names), dict(excitation.frequencies))
    masses = [substitute(mode.mass, constants) for mode in modes.modes]
    terms = [_term(term, chart.symbols, modes, masses, ordering, tokens) for term in found if _counts(term)]
    if floating is None:
        floating = numbers and not any(names_in(term.coefficient) & charts.frequencies for term in terms)
    if floating:
        known = {**values, **tokens.values(values)}
        coefficients = _numbers([term.coefficient for term in terms], known)
        terms = [replace(term, coefficient=c) for term, c in zip(terms, coefficients, strict=True)]
    return MechanismTerms(terms, tokens, chart, floating)


def _numbers(coefficients: list[Scalar], values: Mapping[str, float]) -> list[float]:
    names = sorted({name for c in coefficients for name in names_in(c)})
    found = numeric_function(coefficients, names)(*(values[name] for name in names))
    return [float(value) for value in found]


def _counts(term: GradedTerm) -> bool:
    """Tell whether a term belongs to the right-hand side: all but M a + K x and the equilibrium."""
    return term.grade > 1 or (term.grade == 1 and term.degree == 0)


def _term(
    term: GradedTerm,
    symbols: tuple[str, ...],
    modes: ExactModes,
    masses: Sequence[Scalar],
    ordering: ChosenOrdering,
    tokens: Tokens,
) -> Term:
    """Return −coefficient/modal mass × monomial with its order in the small parameter."""
    per_order = ordering.grading.per_order
    if (term.grade - 1) % per_order:
        raise StateError(
            f"The ordering puts a term of {term.source!r} at ε^{(term.grade - 1) / per_order:g}. Use whole powers: "
            "ordering=gs.Ordering(amplitude=1)."
        )
    powers = {name: power for name, power in zip(symbols, term.powers, strict=True) if power}
    mass = masses[term.equation]
    coefficient = -term.coefficient / mass if isinstance(mass, Element) else term.coefficient * (-1 / Fraction(mass))
    order = (term.grade - 1) // per_order
    return Term(modes.modes[term.equation].name, tokens.plain(coefficient), powers, order, term.harmonic, term.source)
