"""Equations of oscillators, as text or SymPy, read into oscillators and terms."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import sympy
from sympy.core.function import AppliedUndef

from gyrostat.analysis.scales.coefficients import CoefficientReader
from gyrostat.analysis.scales.frequencies import Combination
from gyrostat.analysis.scales.harmonics_of_time import harmonics_of_time
from gyrostat.analysis.scales.quotients import Quotient
from gyrostat.analysis.scales.term import ACCELERATION, RATE, Oscillator, Term
from gyrostat.errors import Fault, FormulaError, GyrostatError, ModelError
from gyrostat.model.formula import Formula
from gyrostat.scalar.exact import Element, ExactRing, ExactScalars, taylor
from gyrostat.scalar.exact.element import as_element, settled
from gyrostat.scalar.exact.harmonics import UNIT

_PRIMED_NAME = re.compile(r"([A-Za-z_]\w*)('+)")


def read_equations(
    equations: Sequence[Any], *, small: str, time: str, degree: int | None
) -> tuple[tuple[Oscillator, ...], tuple[Term, ...]]:
    """Return oscillators and the terms on their right-hand sides."""
    if not equations:
        raise FormulaError(Fault("oscillators", "have no equation.", "Write one such as \"x'' + w0**2*x = 0\"."))
    texts = [_text(equation) for equation in equations]
    sides = [[Formula.of(side) for side in _sides(text)] for text in texts]
    names = sorted({name for pair in sides for side in pair for name in side.names})
    suffixed = (name.removesuffix(s) for name in names for s in (RATE, ACCELERATION) if name.endswith(s))
    coordinates = tuple(dict.fromkeys(suffixed))
    ring = ExactRing(symbols=names)
    engine = ExactScalars(ring)
    language = _Language(ring, coordinates, small, time, degree)
    found: list[Term] = []
    for place, (left, right) in enumerate(sides):
        whole = left.evaluate(engine, ring.symbol) - right.evaluate(engine, ring.symbol)
        found += language.terms(whole, str(place), texts[place])
    reader = CoefficientReader([term.coefficient for term in found])
    exact = [replace(term, coefficient=reader(term.coefficient)) for term in found]
    oscillators: list[Oscillator] = []
    terms: list[Term] = []
    for place, text in enumerate(texts):
        oscillator, rest = _solved([term for term in exact if term.oscillator == str(place)], text, len(texts))
        oscillators.append(oscillator)
        terms += rest
    return tuple(oscillators), tuple(terms)


def _text(equation: Any) -> str:
    """Return an equation as text, SymPy's derivatives written as names."""
    if isinstance(equation, str):
        return equation

    if not isinstance(equation, (sympy.Expr, sympy.Equality)):
        raise FormulaError(
            Fault(f"value {equation!r:.60}", "is not an equation.", "Give text, or a SymPy expression or equation.")
        )

    expression = equation.lhs - equation.rhs if isinstance(equation, sympy.Equality) else equation
    expression = expression.doit()
    names: dict[Any, Any] = {}
    for part in expression.atoms(sympy.Derivative):
        count = sum(n for _, n in part.variable_count)
        suffix = {1: RATE, 2: ACCELERATION}.get(int(count))
        if suffix is None or not isinstance(part.expr, AppliedUndef):
            raise FormulaError(Fault(str(part), "is no first or second derivative of a coordinate.", ""))
        names[part] = sympy.Symbol(part.expr.func.__name__ + suffix)
    expression = expression.xreplace(names)
    functions = {part: sympy.Symbol(part.func.__name__) for part in expression.atoms(AppliedUndef)}
    return str(Formula.of(expression.xreplace(functions)))


def _sides(text: str) -> tuple[str, str]:
    parts = text.split("=")
    if len(parts) > 2:
        raise FormulaError(Fault(f"equation {text!r}", "has more than one '='.", "Write each equation on its own."))
    left, right = (*parts, "0")[:2]
    return _unprimed(left), _unprimed(right)


def _unprimed(text: str) -> str:
    def suffixed(match: re.Match[str]) -> str:
        if len(match[2]) > 2:
            raise FormulaError(Fault(match[0], "is a third derivative.", "Equations are of second order."))
        return match[1] + (RATE if len(match[2]) == 1 else ACCELERATION)

    return _PRIMED_NAME.sub(suffixed, text)


@dataclass(frozen=True)
class _Language:
    """Meaning of names: coordinates with their derivatives, the small parameter and time; all others are parameters."""

    ring: ExactRing
    coordinates: tuple[str, ...]
    small: str
    time: str
    degree: int | None

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(name + suffix for name in self.coordinates for suffix in ("", RATE, ACCELERATION))

    def terms(self, whole: Any, equation: str, text: str) -> Iterator[Term]:
        """Yield the terms of left − right = 0."""
        element = as_element(self.ring, whole)
        if self.degree is not None:
            present = [name for name in self.variables if self.ring.known(name)]
            try:
                element = as_element(self.ring, taylor(element, present, self.degree))
            except GyrostatError as error:
                raise FormulaError(
                    Fault(
                        f"equation {text!r}",
                        f"cannot be expanded in powers of {', '.join(self.coordinates)} about zero. {error}",
                        "Only what is smooth at the equilibrium has a power series; write it about that position.",
                    )
                ) from error
        for harmonic, polynomial in list(element.lifted().terms.items()):
            waves = list(
                harmonics_of_time(self.ring, harmonic, time=self.time, variables=(*self.variables, self.small))
            )
            for (powers, order), coefficient in self._grouped(element, polynomial, text).items():
                monomial = dict(powers)
                extra = max(sum(monomial.values()) - 1, 0) if self.degree is not None else 0
                for weight, wave in waves:
                    yield Term(equation, coefficient * weight, monomial, order + extra, wave)

    def _grouped(self, element: Element, polynomial: Any, text: str) -> dict[tuple[Any, int], Any]:
        """Return coefficients in parameters by monomial and order."""
        ring = self.ring
        special = {ring.generator(name).index: name for name in (*self.variables, self.small)}
        self._refuse(element, special, text)
        groups: dict[tuple[Any, int], dict[tuple[int, ...], Any]] = {}
        for exponents, coefficient in polynomial.to_dict().items():
            rest = list(exponents)
            powers: list[tuple[str, int]] = []
            order = 0
            for index, name in special.items():
                if index < len(rest) and rest[index]:
                    if name == self.small:
                        order = int(rest[index])
                    else:
                        powers.append((name, int(rest[index])))
                    rest[index] = 0
            groups.setdefault((tuple(powers), order), {})[tuple(rest)] = coefficient
        context = polynomial.context()
        return {
            key: settled(ring, {UNIT: context.from_dict(terms)}, element.below, element.marks)
            for key, terms in groups.items()
        }

    def _refuse(self, element: Element, special: dict[int, str], text: str) -> None:
        """Raise an error for coordinates or the small parameter that are no factors, and time outside harmonics."""
        ring = self.ring
        below = [special[index] for index, _ in element.below if index in special]
        for index in element.used():
            generator = ring.generators[index]
            if generator.name == self.time:
                raise FormulaError(
                    Fault(
                        f"equation {text!r}",
                        f"contains {self.time!r} outside sin and cos.",
                        "Forces and parameters may only vary harmonically, as in cos(Omega*t).",
                    )
                )
            if generator.definition is not None:
                below += [name for i, name in special.items() if _contains(generator.definition.arguments, i)]
        if below:
            raise FormulaError(
                Fault(
                    f"equation {text!r}",
                    f"is no polynomial in {below[0]!r}.",
                    "Give degree=3 or more to expand functions of coordinates about zero; the small parameter must be "
                    "a factor.",
                )
            )


def _contains(arguments: Sequence[Any], index: int) -> bool:
    for argument in arguments:
        if isinstance(argument, Element):
            if index in argument.used():
                return True
            inner = [argument.ring.generators[i].definition for i in argument.used()]
            if any(d is not None and _contains(d.arguments, index) for d in inner):
                return True
            angles = [argument.ring.angles[a].argument for a in argument.used_angles()]
            if _contains(angles, index):
                return True
    return False


def _solved(terms: list[Term], text: str, count: int) -> tuple[Oscillator, list[Term]]:
    """Divide an equation by the factor of its x″ and bring all but x″ + ω² x to the right."""
    leading = [t for t in terms if t.order == 0 and t.degree == 1 and t.harmonic is None]
    heads = [t for t in leading if next(iter(t.powers)).endswith(ACCELERATION)]
    if len(heads) != 1:
        names = ", ".join(next(iter(t.powers)).removesuffix(ACCELERATION) + "''" for t in heads) or "none"
        raise ModelError(
            Fault(
                f"equation {text!r}",
                f"must have one second derivative at order zero; it has {names}.",
                "Write equations in modal coordinates, each as x'' + w**2*x + small terms.",
            )
        )
    head = heads[0]
    name = next(iter(head.powers)).removesuffix(ACCELERATION)
    springs = [t for t in leading if next(iter(t.powers)) == name]
    square = springs[0].coefficient / head.coefficient if springs else head.coefficient.field.zero
    rest: dict[tuple[Any, ...], Term] = {}
    for term in terms:
        if term is not head and term not in springs:
            key = (term.monomial, term.order)
            known = rest[key].coefficient if key in rest else term.coefficient.field.zero
            rest[key] = replace(term, oscillator=name, coefficient=known - term.coefficient / head.coefficient)
    kept = [replace(term, source=_source(term)) for term in rest.values() if term.coefficient]
    kept.sort(key=lambda term: (term.order, term.harmonic is not None, term.degree, term.monomial))
    return _oscillator(name, square, count), kept


def _source(term: Term) -> str:
    """Return the term as text, the source of a result of equations that were given directly."""
    return f"{term.coefficient}*{term.monomial.replace(' * ', '*')}".removesuffix("*").removeprefix("1*")


def _oscillator(name: str, square: Quotient, count: int) -> Oscillator:
    """Return the oscillator of ω²: its root where that is a number or a multiple of a name, else a token."""
    if not square:
        return Oscillator(name, 0)
    if all(int(c) < 0 for c in square.real.coeffs()):
        raise unstable(name, str(square))
    root = square.square_root()
    if root is not None:
        try:
            return Oscillator(name, Combination.of(root.to_sympy()))
        except FormulaError:
            pass
    token = "omega" if count == 1 else f"omega_{name}"
    while token in square.field.names:
        token += "_"
    return Oscillator(name, token, square=square)


def unstable(name: str, square: str) -> ModelError:
    """Return the error of an unstable equilibrium."""
    return ModelError(
        Fault(
            f"oscillator {name!r}",
            f"has ω² = {square}, which is negative: the equilibrium is unstable, and there is no oscillation about it.",
            "Expand about a stable equilibrium; where a parameter is negative, write its sign out.",
        )
    )
