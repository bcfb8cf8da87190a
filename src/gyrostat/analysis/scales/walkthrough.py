"""The method of multiple scales step by step: the equations of each order, secular terms, solvability, causes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import sympy

from gyrostat.analysis.scales.coefficients import written
from gyrostat.analysis.scales.notation import latex_of
from gyrostat.analysis.scales.variables import Monomial, Polynomial
from gyrostat.once import cached_property
from gyrostat.scalar.latex import latex_text
from gyrostat.written.walkthrough.quantity import Quantity, Section
from gyrostat.written.walkthrough.walkthrough import Walkthrough

if TYPE_CHECKING:
    from gyrostat.analysis.scales.approximation import MultipleScales

FAST_TIME = sympy.Symbol("T0", real=True)


@dataclass(frozen=True, eq=False)
class ScalesWalk(Walkthrough):
    """The ordered equations with their homogeneous and particular parts, and what makes terms secular.

    z = A exp(i ω T₀) is the solution of order zero; A varies with the slow scales T₁ = ε t, T₂ = ε² t, ….
    """

    solution: MultipleScales

    @property
    def title(self) -> str:
        """The method."""
        return "The method of multiple scales, order by order"

    @cached_property
    def _expansion(self) -> Any:
        return self.solution.expansion

    def _sections(self) -> Iterator[Section]:
        problem, expansion = self.solution.problem, self._expansion
        yield Section(
            "Problem",
            "",
            tuple(
                Quantity(f"equation {i + 1}", rf"\text{{equation {i + 1}}}", line)
                for i, line in enumerate(str(problem).splitlines())
            ),
            "; ".join(f"resonance {resonance}" for resonance in self.solution.resonances),
        )
        for j in range(self.solution.order + 1):
            yield self._order(j)
        conditions = self.solution.solvability
        yield Section(
            "Solvability conditions",
            "",
            tuple(Quantity(str(each.lhs), latex_of(each.lhs), each.rhs) for each in conditions),
            "Secular terms vanish if the amplitudes vary with the slow scales like this.",
        )
        if problem.field is not None and expansion.n:
            yield self._causes()
        form = self.solution.polar_form
        yield Section(
            "Modulation equations",
            "",
            tuple(
                Quantity(f"modulation {i + 1}", rf"\text{{modulation {i + 1}}}", line)
                for i, line in enumerate(str(form).splitlines())
            ),
        )

    def _order(self, j: int) -> Section:
        """Return the equations with ε^j of all oscillators."""
        expansion, problem = self._expansion, self.solution.problem
        quantities: list[Quantity] = []
        for k, name in enumerate(problem.names):
            right = expansion.right_sides[k][j]
            secular = {m: c for m, c in right.items() if self._is_secular(k, m)}
            label, latex = f"{name}_{j}", f"{{{latex_text(sympy.Symbol(name))}}}_{{{j}}}"
            quantities.append(
                Quantity(
                    f"right side of {label}",
                    rf"\text{{right side of }} {latex}",
                    self._written(right),
                    self._operator(k, j),
                )
            )
            if j:
                quantities.append(
                    Quantity(
                        f"secular in {label}",
                        rf"\text{{secular in }} {latex}",
                        self._written(secular),
                        self._secular_reason(k),
                    )
                )
            if j < self.solution.order:
                series = expansion.positions[k] if not expansion.variables.free[k] else []
                part = series[j] if j < len(series) else {}
                kind = "homogeneous" if not j else "particular"
                quantities.append(Quantity(label, latex, self._written(part), f"{kind} solution"))
        return Section(f"Order ε^{j}", "", tuple(quantities))

    def _operator(self, k: int, j: int) -> str:
        name = self.solution.problem.names[k]
        if self._expansion.variables.free[k]:
            return f"= D₀ of the speed of {name}, part {j}"
        slow = f", to which −2 D₀ D_{j} {name}_0 is added" if j else ""
        return f"= D₀² {name}_{j} + ω² {name}_{j}{slow}"

    def _secular_reason(self, k: int) -> str:
        frequency = self._expansion.basis.vector(self.solution.problem.oscillators[k].frequency)
        size = self.solution.notation.combination(frequency)
        return f"terms whose frequency in T0 is {size}: their response would grow with time"

    def _is_secular(self, k: int, monomial: Monomial) -> bool:
        vector, natural = self._expansion.frequency(monomial), self._expansion.natural[k]
        if self._expansion.variables.free[k]:
            return not any(vector)
        return vector in (natural, tuple(-x for x in natural))

    def _written(self, polynomial: Polynomial) -> Any:
        return sympy.Add(*(written(value) * self._monomial(monomial) for monomial, value in polynomial.items()))

    def _monomial(self, monomial: Monomial) -> Any:
        """Return amplitudes and phasors as powers and an exponential function of T₀."""
        expansion, notation, n = self._expansion, self.solution.notation, self._expansion.n
        exponents = expansion.variables.exponents(monomial)
        factor, phase = sympy.Integer(1), sympy.Integer(0)
        for k, oscillator in enumerate(self.solution.problem.oscillators):
            up, down = exponents[k], exponents[n + k]
            if expansion.variables.free[k]:
                factor *= notation.amplitudes[k] ** up
                continue
            factor *= notation.complex_amplitudes[k] ** up * notation.conjugates[k] ** down
            phase += (up - down) * notation.combination(oscillator.frequency) * FAST_TIME
        for phasor, turn in zip(expansion.variables.phasors, exponents[2 * n :], strict=False):
            angle = notation.combination(phasor.angle)
            phase += turn * (angle if phasor.constant else angle * FAST_TIME)
        for name, power in zip(
            expansion.variables.symbols, exponents[2 * n + len(expansion.variables.phasors) :], strict=True
        ):
            factor *= notation.parameter(name) ** power
        return factor * sympy.exp(sympy.I * phase)

    def _causes(self) -> Section:
        found = self.solution.contributions()
        return Section(
            "Causes",
            "",
            tuple(
                Quantity(
                    f"contribution {i + 1}",
                    rf"\text{{contribution {i + 1}}}",
                    each.term,
                    str(each).partition("←")[2].strip(),
                )
                for i, each in enumerate(found)
            ),
            "Parts of dA/dt, with the physical terms that cause them together.",
        )

    def _write_latex(self, value: Any) -> str:
        return latex_of(value)
