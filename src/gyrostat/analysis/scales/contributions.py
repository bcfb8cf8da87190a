"""Term tracking: which terms of the problem cause which parts of the modulation equations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from gyrostat.analysis.scales.basis import FrequencyBasis
from gyrostat.analysis.scales.coefficients import written
from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.modulation import Modulation
from gyrostat.analysis.scales.notation import Notation
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.quotients import Quotient, QuotientField
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm
from gyrostat.errors import StateError

_TAG = "source "
"""Prefix of the names of tags; names of a problem contain no space."""


@dataclass(frozen=True)
class Contribution:
    """A part of dA/dt of one oscillator, and the sources that cause it together, each with its power."""

    oscillator: str
    order: int
    sources: tuple[tuple[str, int], ...]
    term: Any
    """SymPy's expression in complex amplitudes, powers of ε included."""

    def __str__(self) -> str:
        causes = (
            " × ".join(
                name if power == 1 else f"{name} (twice)" if power == 2 else f"{name} ({power} times)"
                for name, power in self.sources
            )
            or "detuning"
        )
        return f"{self.oscillator}: {self.term}  ←  {causes}"


def contributions(problem: Oscillators, order: int, basis: FrequencyBasis) -> tuple[Contribution, ...]:
    """Repeat the expansion with a separate factor for every source, and read the sources off the powers."""
    if problem.field is None:
        raise StateError("Terms are tracked with exact coefficients. Expand the problem without floating=True.")
    sources = tuple(dict.fromkeys(term.source or term.monomial for term in problem.terms))
    tags = [f"{_TAG}{i}" for i in range(len(sources))]
    field = QuotientField([*problem.field.names, *tags])
    terms = [
        replace(
            term,
            coefficient=field.moved(term.coefficient) * field.symbol(tags[sources.index(term.source or term.monomial)]),
        )
        for term in problem.terms
    ]
    marked = Oscillators.of_terms(problem.oscillators, terms, small=problem.small, values=problem.values)
    modulation = Modulation(PerturbationExpansion(marked, order, basis), Notation(problem, problem.field.names))
    found = []
    for k, name in enumerate(problem.names):
        for term in modulation.terms[k]:
            for powers, coefficient in _split(term.coefficient, tags):
                causes = tuple((sources[i], power) for i, power in enumerate(powers) if power)
                part = _written(modulation, replace(term, coefficient=coefficient))
                found.append(Contribution(name, term.order, causes, part))
    return tuple(found)


def _written(modulation: Modulation, term: AmplitudeTerm) -> Any:
    return modulation.complex_term(term) if term.coefficient else written(term.coefficient)


def _split(value: Quotient, tags: list[str]) -> list[tuple[tuple[int, ...], Quotient]]:
    """Return the parts of a coefficient by powers of tags, which occur in numerators only."""
    field = value.field
    places = [field.names.index(tag) for tag in tags]
    parts: dict[tuple[int, ...], list[dict[tuple[int, ...], int]]] = {}
    for which, polynomial in enumerate((value.real, value.imag)):
        for exponents, coefficient in polynomial.to_dict().items():
            key = tuple(int(exponents[place]) for place in places)
            rest = tuple(0 if i in places else int(e) for i, e in enumerate(exponents))
            parts.setdefault(key, [{}, {}])[which][rest] = int(coefficient)
    below = Quotient(field, value.below, field.nothing, field.unit)
    return [
        (key, Quotient(field, field.polynomial(real), field.polynomial(imag), field.unit) / below)
        for key, (real, imag) in parts.items()
    ]
