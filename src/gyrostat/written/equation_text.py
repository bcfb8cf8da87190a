"""Equations as lines of text: M u̇ = forcing + Aᵀ λ, then what constraints keep zero, then constants."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gyrostat.written.equation_set import Equations


def equation_lines(equations: Equations, write: Callable[[Any], str]) -> Iterator[tuple[str, str]]:
    """Yield both sides of the equations of motion, of the constraints and of the constants; `write` is str or LaTeX."""
    for i in range(equations.layout.n_u):
        yield _left(equations, i, write), _right(equations, i, write)
    for entry in equations.constraints:
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
    """Return texts as a sum; one that begins with a minus sign is taken away.

    >>> _sum_of(["a", "-b*c", "- d"]), _sum_of([])
    ('a - b*c - d', '0')
    """
    text = terms[0] if terms else "0"
    for term in terms[1:]:
        text += f" - {term[1:].lstrip()}" if term.startswith("-") else f" + {term}"
    return text
