"""Terms and oscillators: the elements of a problem."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gyrostat.analysis.scales.frequencies import Combination

SMALL_PARAMETER = "eps"
"""The default name of the small parameter."""
RATE = ".rate"
ACCELERATION = ".acc"
"""Suffixes of a coordinate's derivatives."""


@dataclass(frozen=True, init=False)
class Oscillator:
    """The coordinate x of x″ + ω² x = ….

    `frequency` is ω: a name, a rational multiple of one ("2*w1"), a number, or 0 for a mode without stiffness. `square`
    is the formula of ω² ("k/m") where the frequency is a token; it is used for numerical values.

    >>> Oscillator("x", "omega_x", square="k/m")
    Oscillator('x', omega_x, square='k/m')
    """

    name: str
    frequency: Combination
    square: Any

    def __init__(self, name: str, frequency: object, square: Any = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "frequency", Combination.of(frequency))
        object.__setattr__(self, "square", square)

    @property
    def is_free(self) -> bool:
        """Whether the frequency is zero: the coordinate drifts instead of oscillating."""
        return not self.frequency

    def __repr__(self) -> str:
        square = "" if self.square is None else f", square={str(self.square)!r}"
        return f"Oscillator({self.name!r}, {self.frequency}{square})"


@dataclass(frozen=True, init=False)
class Harmonic:
    """cos(Ω t + φ), or sin(Ω t + φ) with `sine`: the time dependence of a force or of a parameter.

    `frequency` and `phase` are rational combinations of names, as text, mappings or numbers.

    >>> Harmonic("2*Omega", phase="phi", sine=True)
    sin(2*Omega*t + phi)
    """

    frequency: Combination
    phase: Combination
    sine: bool

    def __init__(self, frequency: object, phase: object = 0, *, sine: bool = False) -> None:
        object.__setattr__(self, "frequency", Combination.of(frequency))
        object.__setattr__(self, "phase", Combination.of(phase))
        object.__setattr__(self, "sine", sine)

    def __repr__(self) -> str:
        fast = "" if not self.frequency else _times_t(str(self.frequency))
        slow = str(self.phase) if self.phase else ""
        inside = f"{fast} + {slow}" if fast and slow else fast or slow or "0"
        return f"{'sin' if self.sine else 'cos'}({inside.replace('+ -', '- ')})"


def _times_t(frequency: str) -> str:
    return f"({frequency})*t" if " " in frequency else "t" if frequency == "1" else f"{frequency}*t"


@dataclass(frozen=True)
class Term:
    """One term on the right-hand side of an oscillator's equation, x″ + ω² x = Σ terms.

    `oscillator` names the equation; `coefficient` is a number, formula, SymPy expression, element of the exact engine
    or quotient, in parameters alone; `powers` gives the monomial by names x, x.rate, x.acc; `order` is the power of the
    small parameter; `source` is the origin of the term, such as the name of a spring.

    >>> Term("x", "-alpha", {"x": 3}, order=1, source="spring")
    eps**1 * (-alpha) * x**3
    """

    oscillator: str
    coefficient: Any
    powers: Mapping[str, int] = field(default_factory=dict)
    order: int = 0
    harmonic: Harmonic | None = None
    source: str = ""

    @property
    def degree(self) -> int:
        """The total degree in coordinates and their derivatives."""
        return sum(self.powers.values())

    @property
    def monomial(self) -> str:
        """The monomial and the harmonic as text."""
        factors = [name if power == 1 else f"{name}**{power}" for name, power in self.powers.items() if power]
        return " * ".join([*factors, *([repr(self.harmonic)] if self.harmonic else [])])

    def __repr__(self) -> str:
        tail = f" * {self.monomial}" if self.monomial else ""
        return f"eps**{self.order} * ({self.coefficient}){tail}"
