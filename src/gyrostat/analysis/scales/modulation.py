"""Modulation equations: slow rates of amplitudes and phases in complex, polar and Cartesian form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy

from gyrostat.analysis.scales.coefficients import imaginary_part, real_part, written
from gyrostat.analysis.scales.expansion import PerturbationExpansion
from gyrostat.analysis.scales.notation import Notation, latex_of
from gyrostat.analysis.scales.phases import coordinates, null_space, phase_basis, rank, rotating_frame
from gyrostat.analysis.scales.rate_terms import AmplitudeTerm, amplitude_terms
from gyrostat.errors import StateError
from gyrostat.once import cached_property


@dataclass(frozen=True)
class ModulationForm:
    """Modulation equations in one form: SymPy expressions of the rates by symbol, and the meaning of the symbols."""

    rates: Mapping[Any, Any]
    meanings: Mapping[Any, Any]
    time: Any

    @property
    def equations(self) -> tuple[Any, ...]:
        """SymPy's equations, with functions of time."""
        functions = {symbol: sympy.Function(symbol.name)(self.time) for symbol in self.rates}
        return tuple(
            sympy.Eq(sympy.Derivative(functions[symbol], self.time), rate.subs(functions), evaluate=False)
            for symbol, rate in self.rates.items()
        )

    def latex(self) -> str:
        """Return LaTeX of the equations, one below the other."""
        rows = [rf"\dot{{{latex_of(symbol)}}} &= {latex_of(rate)}" for symbol, rate in self.rates.items()]
        return r"\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}"

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def __str__(self) -> str:
        lines = [f"{symbol}' = {_short(rate)}" for symbol, rate in self.rates.items()]
        lines += [f"where {symbol} = {meaning}" for symbol, meaning in self.meanings.items()]
        return "\n".join(lines)


def _short(expression: Any) -> Any:
    """Return an expression with six digits of its floating-point numbers."""
    return expression.xreplace({x: sympy.Float(x, 6) for x in expression.atoms(sympy.Float)})


class Modulation:
    """The rates of all amplitudes of an expansion."""

    def __init__(self, expansion: PerturbationExpansion, notation: Notation) -> None:
        self.expansion, self.notation = expansion, notation
        self.free = expansion.variables.free
        self.terms: tuple[tuple[AmplitudeTerm, ...], ...] = tuple(
            amplitude_terms(expansion, rates) for rates in expansion.rates
        )

    @property
    def n(self) -> int:
        """Number of oscillators."""
        return self.expansion.n

    def vectors(self) -> set[tuple[int, ...]]:
        """Return the angles that rates of amplitudes depend on."""
        found = set()
        for k, terms in enumerate(self.terms):
            for term in terms:
                found.add(term.angles if self.free[k] else term.angles_over(k))
        return found

    @cached_property
    def basis(self) -> tuple[tuple[int, ...], ...]:
        """The autonomous phases, as multiples of β_1 … β_n and of the angles of the phasors."""
        return phase_basis(self.vectors())

    @cached_property
    def frame(self) -> tuple[tuple[Fraction, ...], ...] | None:
        """The rotating frame in which the equations are autonomous, or None."""
        return rotating_frame(self.vectors(), self.n)

    @cached_property
    def slow_rates(self) -> tuple[Any, ...]:
        """The rates of the phasors' angles beside their base frequencies: Σ ε^a δ_a."""
        notation, basis = self.notation, self.expansion.basis
        found = []
        for phasor in self.expansion.variables.phasors:
            parts = () if phasor.constant else basis.detuning(phasor.angle)
            found.append(sum((notation.small**a * notation.combination(part) for a, part in parts), 0 * notation.small))
        return tuple(found)

    @cached_property
    def slow_angles(self) -> tuple[Any, ...]:
        """The phasors' slow angles: detuning × t, or constant phases."""
        notation = self.notation
        return tuple(
            notation.combination(phasor.angle) if phasor.constant else rate * notation.t
            for phasor, rate in zip(self.expansion.variables.phasors, self.slow_rates, strict=True)
        )

    def factor(self, term: AmplitudeTerm) -> Any:
        """Return ε^order × symbols of a term."""
        symbols = self.expansion.variables.symbols
        result = self.notation.small**term.order
        for name, power in zip(symbols, term.symbols, strict=True):
            result *= self.notation.parameter(name) ** power
        return result

    # --- complex form

    @cached_property
    def complex_form(self) -> ModulationForm:
        """dA_k/dt, x_k = A_k exp(i ω_k t) + conjugate + …."""
        notation = self.notation
        rates = {}
        for k, terms in enumerate(self.terms):
            symbol = notation.amplitudes[k] if self.free[k] else notation.complex_amplitudes[k]
            rates[symbol] = sympy.Add(*(self.complex_term(term) for term in terms))
        meanings = {
            notation.conjugates[k]: sympy.Symbol(f"conjugate({notation.complex_amplitudes[k]})")
            for k in range(self.n)
            if not self.free[k]
        }
        return ModulationForm(rates, meanings, notation.t)

    def scaled_angles(self, times: Sequence[Any]) -> tuple[Any, ...]:
        """Return the phasors' slow angles in symbols of the slow times T_1, T_2, …."""
        notation, basis = self.notation, self.expansion.basis
        found = []
        for phasor in self.expansion.variables.phasors:
            if phasor.constant:
                found.append(notation.combination(phasor.angle))
                continue
            parts = [(a, part) for a, part in basis.detuning(phasor.angle) if a <= len(times)]
            found.append(sympy.Add(*(notation.combination(part) * times[a - 1] for a, part in parts)))
        return tuple(found)

    def complex_term(self, term: AmplitudeTerm, angles: tuple[Any, ...] | None = None) -> Any:
        """Return a term in complex amplitudes and slow phasors, whose angles are detuning × t unless given."""
        notation = self.notation
        product = self.factor(term) * written(term.coefficient)
        for k in range(self.n):
            direct = notation.amplitudes[k] if self.free[k] else notation.complex_amplitudes[k]
            product *= direct ** term.direct[k] * notation.conjugates[k] ** term.conjugate[k]
        slow = self.slow_angles if angles is None else angles
        angle = sum((r * psi for r, psi in zip(term.turns, slow, strict=True)), sympy.Integer(0))
        return product * sympy.exp(sympy.I * angle)

    # --- polar form

    @cached_property
    def gammas(self) -> dict[Any, tuple[int, ...]]:
        """Symbols of the autonomous phases, with the angles that they combine."""
        return dict(zip(self.notation.gammas(len(self.basis)), self.basis, strict=True))

    def angle(self, angles: tuple[int, ...]) -> Any:
        """Return an angle as a sum of autonomous phases."""
        if not any(angles):
            return sympy.Integer(0)
        multiples = coordinates(self.basis, angles)
        assert multiples is not None
        return sympy.Add(*(x * gamma for x, gamma in zip(multiples, self.gammas, strict=True)))

    def polar_size(self, term: AmplitudeTerm) -> Any:
        """Return ε^order Π (a/2)^(p+q) of a term, mean speeds not halved."""
        result = self.factor(term)
        for k, a in enumerate(self.notation.amplitudes):
            power = term.direct[k] + term.conjugate[k]
            result *= a**power if self.free[k] else a**power * sympy.Rational(1, 2**power)
        return result

    @cached_property
    def polar_rates(self) -> tuple[tuple[Any, Any], ...]:
        """For each oscillator a′ and a β′ (v′ and zero for a coordinate without stiffness)."""
        found = []
        for k, terms in enumerate(self.terms):
            along, across = [], []
            for term in terms:
                theta = self.angle(term.angles if self.free[k] else term.angles_over(k))
                size = self.polar_size(term) * (1 if self.free[k] else 2)
                real, imag = written(real_part(term.coefficient)), written(imaginary_part(term.coefficient))
                along.append(size * (real * sympy.cos(theta) - imag * sympy.sin(theta)))
                if not self.free[k]:
                    across.append(size * (real * sympy.sin(theta) + imag * sympy.cos(theta)))
            found.append((sympy.Add(*along), sympy.Add(*across)))
        return tuple(found)

    @cached_property
    def polar_form(self) -> ModulationForm:
        """a_k′, γ_l′, and β_k′ of phases that the γ do not determine; x_k = a_k cos(ω_k t + β_k) + …."""
        notation = self.notation
        rates: dict[Any, Any] = {a: along for a, (along, _) in zip(notation.amplitudes, self.polar_rates, strict=True)}
        meanings = {}
        for gamma, vector in self.gammas.items():
            rate, meaning = sympy.Integer(0), sympy.Integer(0)
            for k in range(self.n):
                if vector[k]:
                    rate += vector[k] * sympy.expand(self.polar_rates[k][1] / notation.amplitudes[k])
                    meaning += vector[k] * notation.phases[k]
            for r, slow, angle in zip(vector[self.n :], self.slow_rates, self.slow_angles, strict=True):
                rate += r * slow
                meaning += r * angle
            rates[gamma], meanings[gamma] = sympy.expand(rate), meaning
        for k in self.loose:
            rates[notation.phases[k]] = self.phase_rates[k]
        return ModulationForm(rates, meanings, notation.t)

    @cached_property
    def loose(self) -> tuple[int, ...]:
        """Oscillators whose phases the autonomous phases do not determine; shifts of these have no effect."""
        fixed = [list(vector[: self.n]) for vector in self.basis]
        found = []
        for k in range(self.n):
            own = [int(j == k) for j in range(self.n)]
            if not self.free[k] and rank([*fixed, own]) > rank(fixed):
                fixed.append(own)
                found.append(k)
        return tuple(found)

    @cached_property
    def symmetries(self) -> tuple[tuple[Fraction, ...], ...]:
        """Shifts of the phases β_1 … β_n under which the rates are invariant, one for each undetermined phase."""
        return null_space(
            [vector[: self.n] for vector in self.basis], [k for k in range(self.n) if self.free[k]], self.n
        )

    @cached_property
    def phase_rates(self) -> tuple[Any, ...]:
        """The rates of the phases, β_k′."""
        return tuple(
            sympy.expand(across / a) for a, (_, across) in zip(self.notation.amplitudes, self.polar_rates, strict=True)
        )

    # --- Cartesian form

    def require_frame(self) -> tuple[tuple[Fraction, ...], ...]:
        """Return the rotating frame in which the equations are autonomous; raise an error if there is none."""
        if self.frame is None:
            names = ", ".join(phasor.name for phasor in self.expansion.variables.phasors)
            raise StateError(
                f"The modulation equations depend on time: no frame rotates with all of the frequencies {names}. "
                "Declare how they are related, or use motion(), which integrates in time."
            )
        return self.frame

    @cached_property
    def cartesian_form(self) -> ModulationForm:
        """p_k′ and q_k′, A_k = (p_k + i q_k)/2 × exp(i ν_k ψ): polynomials without time."""
        notation = self.notation
        frame = self.require_frame()
        rates, meanings = {}, {}
        for k, terms in enumerate(self.terms):
            p, q = notation.cosines[k], notation.sines[k]
            turn = sum((nu * slow for nu, slow in zip(frame[k], self.slow_rates, strict=True)), sympy.Integer(0))
            real, imag = (sympy.Integer(0),) * 2 if self.free[k] else (turn * q, -turn * p)
            for term in terms:
                re, im = self._cartesian_product(term)
                size = self.factor(term) * (1 if self.free[k] else 2)
                c, s = written(real_part(term.coefficient)), written(imaginary_part(term.coefficient))
                real, imag = real + size * (c * re - s * im), imag + size * (c * im + s * re)
            if self.free[k]:
                rates[notation.amplitudes[k]] = sympy.expand(real)
                continue
            rates[p], rates[q] = sympy.expand(real), sympy.expand(imag)
            angle = sum((nu * psi for nu, psi in zip(frame[k], self.slow_angles, strict=True)), sympy.Integer(0))
            meanings[notation.complex_amplitudes[k]] = (p + sympy.I * q) / 2 * sympy.exp(sympy.I * angle)
        return ModulationForm(rates, meanings, notation.t)

    def _cartesian_product(self, term: AmplitudeTerm) -> tuple[Any, Any]:
        """Return real and imaginary part of Π A^p Ā^q."""
        notation = self.notation
        re, im = sympy.Integer(1), sympy.Integer(0)
        for k in range(self.n):
            if self.free[k]:
                re, im = re * notation.amplitudes[k] ** term.direct[k], im * notation.amplitudes[k] ** term.direct[k]
                continue
            p, q = notation.cosines[k] / 2, notation.sines[k] / 2
            for sign, power in ((1, term.direct[k]), (-1, term.conjugate[k])):
                for _ in range(power):
                    re, im = sympy.expand(re * p - sign * im * q), sympy.expand(sign * re * q + im * p)
        return re, im
