"""The expansion in multiple scales: t → T₀, T₁ = ε t, T₂ = ε² t, …, d/dt = D₀ + ε D₁ + ε² D₂ + ….

Everything is a sparse polynomial in z_k = A_k exp(i ω_k T₀), their conjugates and the phasors of forces. D₀ multiplies
each monomial by i times its frequency. D_a with a ≥ 1 is a derivation, determined by D_a z_k, which the
solvability condition gives; a phasor rotates with its detuning.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from gyrostat.analysis.scales.basis import FrequencyBasis
from gyrostat.analysis.scales.coefficients import FloatField
from gyrostat.analysis.scales.frequencies import UNIT, Combination
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.quotients import QuotientField
from gyrostat.analysis.scales.refusals import exact_resonance, order_zero_fault, position_of_free_fault, secular_fault
from gyrostat.analysis.scales.term import ACCELERATION, RATE, Term
from gyrostat.analysis.scales.variables import Monomial, Polynomial, Variables, add_to, product, scaled, unit

Vector: TypeAlias = tuple[Fraction, ...]
"""A frequency in base frequencies, the number one last."""

_FREQUENCY_TOLERANCE = 1e-9
"""Relative difference below which floating-point frequencies are equal."""


class PerturbationExpansion:
    """The series of all coordinates and of the amplitudes' rates, through an order.

    `positions[k][j]` is the part of x_k with ε^j for j < order, `rates[k][a]` is D_a z_k (zero for a = 0).
    `right_sides[k][j]` has what acts on that part, without the term of D_j x₀ that makes it solvable.
    """

    def __init__(self, problem: Oscillators, order: int, basis: FrequencyBasis) -> None:
        self.problem, self.order, self.basis = problem, order, basis
        exact = problem.field is not None
        detunings = basis.detuning_names
        self.variables = Variables.of(problem, () if exact else detunings)
        self.field: Any = (
            QuotientField(sorted({*problem.field.names, *basis.names, *detunings}))
            if problem.field is not None
            else FloatField(basis.values(problem.values, problem.values.get(problem.small), problem.small))
        )
        self.n = len(problem.oscillators)
        self._places = {name: place for place, name in enumerate(detunings)}
        self._base = (*basis.names, UNIT)
        self._base_values = [self.field.one if name == UNIT else self.field.symbol(name) for name in self._base]
        self.natural = [self._vector(o.frequency) for o in problem.oscillators]
        self._slots = self._slot_vectors()
        self._frequencies: dict[Monomial, Vector] = {}
        self._sizes: dict[Vector, Any] = {}
        self._inverses: dict[tuple[int, Vector], Any] = {}
        self._seen: set[tuple[int, Vector]] = set()
        self.right_sides: list[list[Polynomial]] = [[] for _ in range(self.n)]
        self.positions: list[list[Polynomial]] = [[] for _ in range(self.n)]
        self.rates: list[list[Polynomial]] = [[{}] for _ in range(self.n)]
        self._speeds: list[list[Polynomial]] = [[] for _ in range(self.n)]
        self._accelerations: list[list[Polynomial]] = [[] for _ in range(self.n)]
        self._products: dict[tuple[int, ...], list[Polynomial]] = {}
        self._phasor_rates = [self._turn(place) for place in range(len(self.variables.phasors))]
        self._terms = [list(self._right_side(k)) for k in range(self.n)]
        for j in range(order + 1):
            self._advance(j)

    # --- frequencies

    def _vector(self, frequency: Combination) -> Vector:
        known = dict(self.basis.vector(frequency).parts)
        return tuple(known.get(name, Fraction(0)) for name in self._base)

    def _slot_vectors(self) -> list[Vector]:
        """Return the frequency of each variable."""
        zero = (Fraction(0),) * len(self._base)
        forces = [zero if p.constant else self._vector(p.angle) for p in self.variables.phasors]
        opposite = [tuple(-x for x in vector) for vector in self.natural]
        return [*self.natural, *opposite, *forces, *[zero] * len(self.variables.symbols)]

    def frequency(self, monomial: Monomial) -> Vector:
        """Return the frequency of a monomial."""
        found = self._frequencies.get(monomial)
        if found is None:
            exponents = self.variables.exponents(monomial)
            total = [Fraction(0)] * len(self._base)
            for exponent, vector in zip(exponents, self._slots, strict=True):
                if exponent:
                    total = [a + exponent * b for a, b in zip(total, vector, strict=True)]
            found = self._frequencies[monomial] = tuple(total)
        return found

    def size(self, vector: Vector) -> Any:
        """Return a frequency as a coefficient."""
        found = self._sizes.get(vector)
        if found is None:
            found = self.field.zero
            for factor, value in zip(vector, self._base_values, strict=True):
                if factor:
                    found = found + value * self.field.number(factor)
            self._sizes[vector] = found
        return found

    def _response(self, k: int, vector: Vector) -> Any:
        """Return 1/(ω_k² − f²), or 1/(i f) for the speed of a coordinate without stiffness."""
        found = self._inverses.get((k, vector))
        if found is None:
            natural, size = self.size(self.natural[k]), self.size(vector)
            below = size * self.field.imaginary if self.variables.free[k] else natural * natural - size * size
            scale = max(abs(natural) ** 2, abs(size) ** 2) if isinstance(below, complex) else 1
            if not below or (isinstance(below, complex) and abs(below) < _FREQUENCY_TOLERANCE * scale):
                raise exact_resonance(self.problem, k, self._named(vector), self._named(self.natural[k]))
            found = self._inverses[k, vector] = 1 / below
        return found

    def _named(self, vector: Vector) -> Combination:
        return Combination.sum(zip(self._base, vector, strict=True))

    @property
    def divisors(self) -> frozenset[tuple[int, Combination]]:
        """All frequencies of non-resonant excitation of an oscillator; if one is near ω_k, the expansion fails."""
        return frozenset((k, self._named(vector)) for k, vector in self._seen)

    # --- detuning

    def _detuning(self, part: Combination) -> Polynomial:
        """Return a combination of detuning parameters as a polynomial."""
        if not self.variables.symbols:
            total = self.field.zero
            for name, factor in part.parts:
                total = total + self.field.symbol(name) * self.field.number(factor)
            return {0: total}
        first = 2 * self.n + len(self.variables.phasors)
        return {unit(first + self._places[name]): self.field.number(factor) for name, factor in part.parts}

    def _turn(self, place: int) -> dict[int, Polynomial]:
        """Return, by a, what D_a multiplies a phasor by."""
        phasor = self.variables.phasors[place]
        if phasor.constant:
            return {}
        parts = self.basis.detuning(phasor.angle)
        return {a: scaled(self._detuning(part), self.field.imaginary) for a, part in parts}

    # --- right-hand sides

    def _right_side(self, k: int) -> Iterator[tuple[int, Polynomial, tuple[int, ...]]]:
        """Yield (order, coefficients with phasors, factors) of the terms of one equation; factors index 3 n series."""
        name = self.problem.oscillators[k].name
        for term in self.problem.terms:
            if term.oscillator == name:
                self._check(term)
                factors = [
                    self._factor(variable) for variable, power in sorted(term.powers.items()) for _ in range(power)
                ]
                yield term.order, self._coefficient(term), tuple(sorted(factors))
        offset: dict[int, Polynomial] = {0: {0: self.size(self.natural[k])}}
        for a, part in self.basis.detuning(self.problem.oscillators[k].frequency):
            offset[a] = self._detuning(part)
        for a, left in offset.items():  # ω² = (ω₀ + δ)²: all but ω₀² acts as a force
            for b, right in offset.items():
                if 0 < a + b <= self.order:
                    yield a + b, scaled(product(left, right), self.field.number(-1)), (k,)

    def _check(self, term: Term) -> None:
        if term.order == 0 and term.degree > 0:
            raise order_zero_fault(term)
        for oscillator in self.problem.oscillators:
            if oscillator.is_free and term.powers.get(oscillator.name):
                raise position_of_free_fault(term, oscillator.name)

    def _factor(self, variable: str) -> int:
        names = self.problem.names
        for kind, suffix in enumerate((ACCELERATION, RATE)):
            if variable.endswith(suffix):
                return names.index(variable.removesuffix(suffix)) + (2 - kind) * self.n
        return names.index(variable)

    def _coefficient(self, term: Term) -> Polynomial:
        coefficient = self.field.moved(term.coefficient)
        if term.harmonic is None:
            return {0: coefficient}
        turns = {(name, False): factor for name, factor in term.harmonic.frequency.parts}
        turns |= {(name, True): factor for name, factor in term.harmonic.phase.parts}
        up, down = (self.variables.phasor({key: sign * x for key, x in turns.items()}) for sign in (1, -1))
        half = coefficient * self.field.number(Fraction(1, 2))
        if not term.harmonic.sine:
            both: Polynomial = {}
            add_to(both, {up: half})
            add_to(both, {down: half})
            return both
        turned = half * self.field.imaginary
        return {} if up == down else {up: -turned, down: turned}

    def _forces(self, k: int, j: int) -> Polynomial:
        """Return the part of the right-hand side with ε^j."""
        total: Polynomial = {}
        for order, coefficient, factors in self._terms[k]:
            if order > j or (not factors and order != j):
                continue
            add_to(total, product(coefficient, self._product(factors, j - order)) if factors else coefficient)
        return total

    def _product(self, factors: tuple[int, ...], j: int) -> Polynomial:
        """Return the part with ε^j of a product of series."""
        if len(factors) == 1:
            kind, k = divmod(factors[0], self.n)
            return (self.positions[k], self._speeds[k], self._accelerations[k])[kind][j]
        known = self._products.setdefault(factors, [])
        for i in range(len(known), j + 1):
            total: Polynomial = {}
            for left in range(i + 1):
                first = self._product(factors[:-1], left)
                last = self._product(factors[-1:], i - left)
                if first and last:
                    add_to(total, product(first, last))
            known.append(total)
        return known[j]

    # --- derivatives

    def derivation(self, a: int, polynomial: Polynomial) -> Polynomial:
        """Return D_a of a polynomial, with the rates known so far."""
        return self._fast(polynomial) if a == 0 else self._slow(a, polynomial)

    def _fast(self, polynomial: Polynomial) -> Polynomial:
        imaginary = self.field.imaginary
        result: Polynomial = {}
        for monomial, coefficient in polynomial.items():
            vector = self.frequency(monomial)
            if any(vector):
                result[monomial] = coefficient * (self.size(vector) * imaginary)
        return result

    def _slow(self, a: int, polynomial: Polynomial) -> Polynomial:
        n = self.n
        places: list[tuple[int, Polynomial]] = []
        for k in range(n):
            rate = self.rates[k][a] if a < len(self.rates[k]) else {}
            if rate:
                places.append((k, rate))
                if not self.variables.free[k]:
                    places.append((n + k, self.variables.conjugate(rate)))
        total: Polynomial = {}
        for place, rate in places:
            lowered: Polynomial = {}
            for monomial, coefficient in polynomial.items():
                exponent = self.variables.exponents(monomial)[place]
                if exponent:
                    lowered[monomial - unit(place)] = coefficient * exponent
            if lowered:
                add_to(total, product(lowered, rate))
        for place, turns in enumerate(self._phasor_rates):
            if a in turns:
                turned = {m: c * e for m, c in polynomial.items() if (e := self.variables.exponents(m)[2 * n + place])}
                add_to(total, product(turned, turns[a]))
        return total

    def _slow_part(self, series: list[Polynomial], j: int) -> Polynomial:
        """Return Σ D_a s_(j−a) over a ≥ 1."""
        total: Polynomial = {}
        for a in range(1, j + 1):
            if series[j - a]:
                add_to(total, self._slow(a, series[j - a]))
        return total

    # --- the steps

    def _advance(self, j: int) -> None:
        """Find D_j of all amplitudes and the parts of all coordinates with ε^j."""
        solve = [self._free if free else self._oscillating for free in self.variables.free]
        found = [solve[k](k, j) for k in range(self.n)]
        for k, (rate, own) in enumerate(found):
            if j:
                self.rates[k].append(rate)
            (self._speeds if self.variables.free[k] else self.positions)[k].append(own)
        if j == self.order:  # x is kept through ε^(order − 1)
            return
        for k, free in enumerate(self.variables.free):
            if free:
                self._integrate(k, j)
            else:
                speed = self._fast(self.positions[k][j])
                add_to(speed, self._slow_part(self.positions[k], j))
                self._speeds[k].append(speed)
            acceleration = self._fast(self._speeds[k][j])
            add_to(acceleration, self._slow_part(self._speeds[k], j))
            self._accelerations[k].append(acceleration)

    def _oscillating(self, k: int, j: int) -> tuple[Polynomial, Polynomial]:
        """Solve D₀² x_j + ω² x_j = right-hand side − 2 D₀ D_j x₀ without secular terms."""
        right = self._forces(k, j)
        if j:
            inner = self._slow_part([*self.positions[k], {}], j)
            outer = self._fast(inner)
            add_to(outer, self._slow_part([*self._speeds[k], {}], j))
            add_to(right, scaled(outer, self.field.number(-1)))
        self.right_sides[k].append(right)
        natural = self.natural[k]
        opposite = tuple(-x for x in natural)
        below = self.size(natural) * self.field.imaginary * 2
        rate: Polynomial = {}
        own: Polynomial = {} if j else {unit(k): self.field.one, unit(self.n + k): self.field.one}
        for monomial, coefficient in right.items():
            vector = self.frequency(monomial)
            if vector in (natural, opposite):
                if j == 0:
                    raise secular_fault(self.problem, k, self._named(vector))
                if vector == natural:
                    rate[monomial] = coefficient / below
            else:
                self._respond(own, k, j, monomial, coefficient, vector)
        return rate, own

    def _respond(self, own: Polynomial, k: int, j: int, monomial: Monomial, coefficient: Any, vector: Vector) -> None:
        """Add the response to a force off resonance; the last order's is not kept."""
        self._seen.add((k, vector))
        if j < self.order or self.problem.field is None:
            response = self._response(k, vector)
            if j < self.order:
                own[monomial] = coefficient * response

    def _free(self, k: int, j: int) -> tuple[Polynomial, Polynomial]:
        """Solve D₀ y_j = right-hand side − D_j y₀ for the speed of a coordinate without stiffness."""
        right = self._forces(k, j)
        if j:
            add_to(right, scaled(self._slow_part([*self._speeds[k], {}], j), self.field.number(-1)))
        self.right_sides[k].append(right)
        rate: Polynomial = {}
        own: Polynomial = {} if j else {unit(k): self.field.one}
        for monomial, coefficient in right.items():
            vector = self.frequency(monomial)
            if not any(vector):
                if j == 0:
                    raise secular_fault(self.problem, k, self._named(vector))
                rate[monomial] = coefficient
            else:
                self._respond(own, k, j, monomial, coefficient, vector)
        return rate, own

    def _integrate(self, k: int, j: int) -> None:
        """Find the oscillating part of the position of a coordinate without stiffness from its speed."""
        known = dict(self._speeds[k][j])
        add_to(known, scaled(self._slow_part([*self.positions[k], {}], j), self.field.number(-1)))
        self.positions[k].append(
            {m: c * self._response(k, vector) for m, c in known.items() if any(vector := self.frequency(m))}
        )

    def speeds(self, k: int) -> list[Polynomial]:
        """Return the parts of x_k′ by power of ε."""
        return self._speeds[k]
