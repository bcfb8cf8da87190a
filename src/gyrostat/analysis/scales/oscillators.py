"""The problem: weakly nonlinear oscillators x_k″ + ω_k² x_k = Σ terms, each term with its order and its source."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from gyrostat.analysis.scales.coefficients import CoefficientReader
from gyrostat.analysis.scales.equation_reader import read_equations
from gyrostat.analysis.scales.notation import problem_latex
from gyrostat.analysis.scales.quotients import Quotient, QuotientField
from gyrostat.analysis.scales.term import ACCELERATION, RATE, SMALL_PARAMETER, Oscillator, Term
from gyrostat.errors import Fault, ModelError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean, path_fault


@dataclass(frozen=True, init=False)
class Oscillators:
    """Oscillators given directly, as equations or as terms.

    Equations are text in names of your own (x'' and x' are derivatives, `eps` is the small parameter, `t` time) or
    SymPy expressions; the terms of order zero must be x″ + ω² x for each coordinate, and forces.

    >>> problem = Oscillators("x'' + w0**2*x + 2*eps*mu*x' + eps*alpha*x**3 = eps*F*cos(Omega*t)")
    >>> print(problem)
    x'' + w0**2*x = eps*(-2*mu)*x' + eps*(-alpha)*x**3 + eps*(F)*cos(Omega*t)

    `degree` expands functions of the coordinates, such as sin(x), to that total degree about zero and gives a term of
    degree d the order d − 1, as if coordinates were of the order of `eps`. `values` are numbers for parameters where
    they are known: resonances are then found, and certificates need them. Coefficients are exact quotients of
    polynomials in the parameters; with `floating` they are numbers, which suits large systems.
    """

    oscillators: tuple[Oscillator, ...]
    terms: tuple[Term, ...]
    """Coefficients are quotients of `field`, or numbers where the problem is floating."""
    small: str
    values: Mapping[str, float]
    field: QuotientField | None
    """The field of the coefficients; None for floating-point numbers."""
    definitions: Mapping[str, str]
    """Definitions of parameters that are not rational functions of others, such as omega_x = sqrt(k/m)."""

    def __init__(
        self,
        *equations: Any,
        small: str = SMALL_PARAMETER,
        time: str = "t",
        degree: int | None = None,
        values: Mapping[str, float] | None = None,
    ) -> None:
        oscillators, terms = read_equations(equations, small=small, time=time, degree=degree)
        self._fill(oscillators, terms, small, values or {}, floating=False)

    @staticmethod
    def of_terms(
        oscillators: Iterable[Oscillator],
        terms: Iterable[Term],
        *,
        small: str = SMALL_PARAMETER,
        values: Mapping[str, float] | None = None,
        floating: bool = False,
    ) -> Oscillators:
        """Return a problem from its terms, those on the right-hand sides.

        >>> Oscillators.of_terms([Oscillator("x", "w0")], [Term("x", "-alpha", {"x": 3}, order=1, source="spring")])
        Oscillators(1 oscillator, 1 term)
        """
        problem = object.__new__(Oscillators)
        problem._fill(tuple(oscillators), tuple(terms), small, values or {}, floating=floating)
        return problem

    def _fill(
        self,
        oscillators: tuple[Oscillator, ...],
        terms: tuple[Term, ...],
        small: str,
        values: Mapping[str, float],
        *,
        floating: bool,
    ) -> None:
        _check(oscillators, terms)
        squares = [oscillator.square for oscillator in oscillators if oscillator.square is not None]
        frequencies = {name for oscillator in oscillators for name in oscillator.frequency.names}
        frequencies |= {name for term in terms if term.harmonic for name in term.harmonic.frequency.names}
        plain = [floating and isinstance(term.coefficient, (int, float)) for term in terms]
        written = [term.coefficient for term, is_number in zip(terms, plain, strict=True) if not is_number]
        reader = CoefficientReader([*squares, *written], frequencies)
        exact = tuple(
            term if is_number else replace(term, coefficient=reader(term.coefficient))
            for term, is_number in zip(terms, plain, strict=True)
        )
        tokens = {
            str(oscillator.frequency): f"sqrt({oscillator.square})"
            for oscillator in oscillators
            if oscillator.square is not None
        }
        definitions = {**reader.definitions, **tokens}
        known = _with_definitions(values, definitions)
        kept = exact
        if floating:
            kept = tuple(replace(term, coefficient=_number(term, known)) for term in exact)
        object.__setattr__(self, "oscillators", oscillators)
        object.__setattr__(self, "terms", kept)
        object.__setattr__(self, "small", small)
        object.__setattr__(self, "values", MappingProxyType(known))
        object.__setattr__(self, "field", None if floating else reader.field)
        object.__setattr__(self, "definitions", MappingProxyType(definitions))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the coordinates, in order."""
        return tuple(oscillator.name for oscillator in self.oscillators)

    @property
    def forcing_frequencies(self) -> tuple[str, ...]:
        """The names of frequencies that occur in harmonics, in order of appearance."""
        found = (name for term in self.terms if term.harmonic for name in term.harmonic.frequency.names)
        return tuple(dict.fromkeys(found))

    def with_values(self, values: Mapping[str, float]) -> Oscillators:
        """Return the problem with values of further parameters."""
        return Oscillators.of_terms(
            self.oscillators,
            self.terms,
            small=self.small,
            values=self.known(values),
            floating=self.field is None,
        )

    def known(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return all values with some changed; defined parameters are evaluated."""
        changed = {**self.values, **values}
        for name, text in self.definitions.items():
            if name not in values and Formula.of(text).names <= changed.keys():
                changed.pop(name, None)
        return _with_definitions(changed, self.definitions)

    def floating(self, values: Mapping[str, float] | None = None) -> Oscillators:
        """Return the problem with floating-point coefficients; values of all parameters must be known."""
        merged = {**self.values, **(values or {})}
        return Oscillators.of_terms(self.oscillators, self.terms, small=self.small, values=merged, floating=True)

    def __str__(self) -> str:
        return "\n".join(self._equation(oscillator) for oscillator in self.oscillators)

    def _equation(self, oscillator: Oscillator) -> str:
        name = oscillator.name
        right = [self._term(term) for term in self.terms if term.oscillator == name]
        frequency = str(oscillator.frequency)
        known = oscillator.frequency.value({})
        if known is not None:
            square = oscillator.frequency["1"] ** 2
            stiffness = name if square == 1 else f"{square}*{name}"
        else:
            stiffness = f"{f'({frequency})' if path_fault(frequency) else frequency}**2*{name}"
        left = f"{name}''" if oscillator.is_free else f"{name}'' + {stiffness}"
        return f"{left} = {' + '.join(right) or 0}"

    def _term(self, term: Term) -> str:
        order = "" if not term.order else f"{self.small}*" if term.order == 1 else f"{self.small}**{term.order}*"
        monomial = term.monomial.replace(" * ", "*").replace(ACCELERATION, "''").replace(RATE, "'")
        coefficient = "" if term.coefficient == 1 and monomial else f"({term.coefficient})"
        return order + coefficient + (f"{'*' if coefficient else ''}{monomial}" if monomial else "")

    def latex(self) -> str:
        """Return LaTeX of the equations."""
        return problem_latex(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __repr__(self) -> str:
        n, m = len(self.oscillators), len(self.terms)
        return f"Oscillators({n} oscillator{'s' * (n != 1)}, {m} term{'s' * (m != 1)})"


def _check(oscillators: tuple[Oscillator, ...], terms: tuple[Term, ...]) -> None:
    """Raise an error for repeated names, terms of unknown oscillators and monomials of unknown coordinates."""
    names = [oscillator.name for oscillator in oscillators]
    faults = [
        Fault(f"oscillator {name!r}", "is given twice.", "Give each coordinate one equation.")
        for name in sorted({name for name in names if names.count(name) > 1})
    ]
    variables = {name + suffix for name in names for suffix in ("", RATE, ACCELERATION)}
    for term in terms:
        if term.oscillator not in names:
            hint = did_you_mean(term.oscillator, names)
            faults.append(Fault(f"term {term}", f"belongs to {term.oscillator!r}, which is no oscillator.", hint))
        for name in term.powers:
            if name not in variables:
                hint = did_you_mean(name, sorted(variables))
                faults.append(Fault(f"term {term}", f"contains {name!r}, which is no coordinate.", hint))
        if term.order < 0:
            faults.append(Fault(f"term {term}", "has a negative order.", "Orders count from zero."))
    if faults:
        raise ModelError(faults, "The oscillators cannot be set up:")


def _with_definitions(values: Mapping[str, float], definitions: Mapping[str, str]) -> dict[str, float]:
    """Return values, with those of defined parameters as far as they can be evaluated."""
    known = {name: float(value) for name, value in values.items()}
    for name, text in definitions.items():
        if name not in known:
            formula = Formula.of(text)
            if formula.names <= known.keys():
                known[name] = formula.value(known)
    known.setdefault("pi", math.pi)
    return known


def _number(term: Term, values: Mapping[str, float]) -> float:
    coefficient = term.coefficient
    if not isinstance(coefficient, Quotient):
        return float(coefficient)
    missing = sorted(coefficient.used() - values.keys())
    if missing:
        raise ModelError(
            Fault(f"term {term}", f"has no value for {', '.join(missing)}.", "Give values for all parameters.")
        )
    return coefficient.value(values).real
