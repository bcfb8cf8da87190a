"""Symbols of a problem and its solution, and the problem in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Any

import sympy

from gyrostat.analysis.scales.coefficients import written
from gyrostat.analysis.scales.term import ACCELERATION, RATE, SMALL_PARAMETER, Term
from gyrostat.once import cached_property
from gyrostat.scalar.latex import latex_text

if TYPE_CHECKING:
    from gyrostat.analysis.scales.oscillators import Oscillators


class Notation:
    """SymPy's symbols in results.

    One oscillator has amplitude a and phase beta; several have a1, a2, … where their names end in numbers, else
    a_name. A name that the problem already uses gets an underscore.
    """

    def __init__(self, problem: Oscillators, parameters: Iterable[str]) -> None:
        self.problem = problem
        taken = {*parameters, *problem.names, problem.small, "t"}
        self.taken = taken
        self.suffixes = _suffixes(problem.names)
        self.t = sympy.Symbol("t", real=True)
        self.small = sympy.Symbol(problem.small, real=True)

    def _symbols(self, stem: str, **assumptions: bool) -> tuple[Any, ...]:
        return tuple(sympy.Symbol(_free(f"{stem}{suffix}", self.taken), **assumptions) for suffix in self.suffixes)

    @cached_property
    def amplitudes(self) -> tuple[Any, ...]:
        """The real amplitudes a_k: x_k = a_k cos(ω_k t + β_k) + …; mean speeds of coordinates without stiffness."""
        named = self._symbols("a", real=True)
        speeds = self._symbols("v", real=True)
        return tuple(
            v if oscillator.is_free else a
            for a, v, oscillator in zip(named, speeds, self.problem.oscillators, strict=True)
        )

    @cached_property
    def phases(self) -> tuple[Any, ...]:
        """The phases β_k."""
        return self._symbols("beta", real=True)

    @cached_property
    def complex_amplitudes(self) -> tuple[Any, ...]:
        """The complex amplitudes A_k = a_k exp(i β_k)/2."""
        return self._symbols("A")

    @cached_property
    def conjugates(self) -> tuple[Any, ...]:
        """Their conjugates."""
        return self._symbols("Abar")

    @cached_property
    def cosines(self) -> tuple[Any, ...]:
        """The Cartesian amplitudes p_k."""
        return self._symbols("p", real=True)

    @cached_property
    def sines(self) -> tuple[Any, ...]:
        """The Cartesian amplitudes q_k."""
        return self._symbols("q", real=True)

    def gammas(self, count: int) -> tuple[Any, ...]:
        """Return symbols of autonomous phases."""
        names = ["gamma"] if count == 1 else [f"gamma{i + 1}" for i in range(count)]
        return tuple(sympy.Symbol(_free(name, self.taken), real=True) for name in names)

    def parameter(self, name: str) -> Any:
        """Return a parameter's symbol."""
        return sympy.pi if name == "pi" else sympy.Symbol(name, real=True)

    def combination(self, combination: Any) -> Any:
        """Return a rational combination of names."""
        one = sympy.Integer(1)
        return sympy.Add(
            *(
                sympy.Rational(factor.numerator, factor.denominator) * (one if name == "1" else self.parameter(name))
                for name, factor in combination.parts
            )
        )


def latex_of(expression: Any) -> str:
    """Return LaTeX of a SymPy expression, eps as ε.

    >>> import sympy
    >>> latex_of(sympy.Symbol("eps", real=True) * sympy.Symbol("w0"))
    '\\\\varepsilon w_{0}'
    """
    return latex_text(expression, names={sympy.Symbol(SMALL_PARAMETER, real=True): r"\varepsilon"})


def _suffixes(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) == 1:
        return ("",)
    numbers = [re.fullmatch(r"\D*?_?(\d+)", name) for name in names]
    found = tuple(number[1] for number in numbers if number)
    return found if len(set(found)) == len(names) else tuple(f"_{name}" for name in names)


def _free(name: str, taken: Collection[str]) -> str:
    while name in taken:
        name += "_"
    return name


def problem_latex(problem: Oscillators) -> str:
    """Return LaTeX of a problem's equations."""
    notation = Notation(problem, ())
    rows = []
    for oscillator in problem.oscillators:
        x, acceleration = _variable(oscillator.name), _variable(oscillator.name + ACCELERATION)
        square = notation.combination(oscillator.frequency) ** 2
        terms = [_term(notation, term) for term in problem.terms if term.oscillator == oscillator.name]
        left = latex_of(acceleration) + (f" + {latex_of(square * x)}" if square != 0 else "")
        rows.append(f"{left} &= {latex_of(sympy.Add(*terms))}")
    return r"\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}"


def _variable(name: str) -> Any:
    for suffix, accent in ((ACCELERATION, "ddot"), (RATE, "dot")):
        if name.endswith(suffix):
            base = latex_of(sympy.Symbol(name.removesuffix(suffix)))
            return sympy.Symbol(rf"\{accent}{{{base}}}")
    return sympy.Symbol(name)


def _term(notation: Notation, term: Term) -> Any:
    product = notation.small**term.order * written(term.coefficient)
    for name, power in term.powers.items():
        product *= _variable(name) ** power
    if term.harmonic is None:
        return product
    angle = notation.combination(term.harmonic.frequency) * notation.t + notation.combination(term.harmonic.phase)
    return product * (sympy.sin if term.harmonic.sine else sympy.cos)(angle)
