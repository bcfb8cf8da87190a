"""Modes of a mechanism about its equilibrium, with exact formulas or tokens; parameters expressed by frequencies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from gyrostat.analysis.scales.excitation import names_in
from gyrostat.analysis.scales.modal_blocks import ExactMode, Names, check_stability, eigen, numeric_block, token_block
from gyrostat.analysis.scales.modal_linear import LinearPart, is_zero
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing, evaluate, substitute
from gyrostat.scalar.exact.harmonics import UNIT
from gyrostat.scalar.exact.numbers import plain_number


def elimination(
    mode: ExactMode, linear: LinearPart, ring: ExactRing, i: int, before: Mapping[str, Scalar], keep: frozenset[str]
) -> dict[str, Scalar]:
    """Return a parameter expressed by the frequency of coordinate i, such as k = m ω²; {} if there is none.

    Coordinate i is uncoupled; the parameter occurs linearly in its stiffness and in no mass. `before` are parameters
    that are already replaced.
    """
    stiffness, mass = linear.stiffness[i][i], linear.mass[i][i]
    n = range(len(linear.coordinates))
    masses = frozenset().union(*(names_in(linear.mass[j][k]) for j in n for k in n))
    others = frozenset().union(*(names_in(linear.stiffness[j][k]) for j in n for k in n if (j, k) != (i, i)))
    used = frozenset().union(*(names_in(value) for value in before.values()))
    omega = ring.symbol(mode.frequency)
    fit = names_in(stiffness) - masses - keep - before.keys() - used
    for name in sorted(fit, key=lambda name: (name in others, name)):
        slope, rest = _linear_in(stiffness, name)
        if slope is not None and _is_monomial(slope) and not names_in(rest) & before.keys():
            return {name: (mass * omega * omega - rest) / slope}
    return {}


def _linear_in(value: Element, name: str) -> tuple[Scalar | None, Scalar]:
    """Return a and b of a value a × name + b; a is None if the value is not linear."""
    index = value.ring.generator(name).index
    value.lifted()
    if dict(value.below).get(index) or any(int(c.degrees()[index]) > 1 for c in value.terms.values()):
        return None, 0
    rest = substitute(value, {name: 0})
    slope = substitute(value, {name: 1}) - rest
    return (None, 0) if name in names_in(slope) | names_in(rest) else (slope, rest)


def _is_monomial(value: Scalar) -> bool:
    return not isinstance(value, Element) or (list(value.terms) == [UNIT] and len(value.terms[UNIT]) == 1)


@dataclass(frozen=True, eq=False)
class ExactModes:
    """All modes of a mechanism about its equilibrium, and the definitions of their tokens."""

    linear: LinearPart
    modes: tuple[ExactMode, ...]
    definitions: Mapping[str, str] = field(default_factory=dict)
    """Definitions of tokens by name, in words or as a formula."""
    eliminated: Mapping[str, Scalar] = field(default_factory=dict)
    """Parameters that are expressed by a frequency: g = l ω²."""

    @property
    def shapes(self) -> list[list[Scalar]]:
        """A row for each coordinate, a column for each mode."""
        return [[mode.shape[i] for mode in self.modes] for i in range(len(self.linear.coordinates))]

    def values(self, parameters: Mapping[str, float]) -> dict[str, float]:
        """Return the values of all tokens at values of the parameters."""
        found: dict[str, float] = {}
        for block in self.linear.blocks():
            of_block = [mode for mode in self.modes if any(not is_zero(mode.shape[i]) for i in block)]
            found |= _values_of(self.linear, block, of_block, parameters)
        return found


def modes_of(
    linear: LinearPart,
    ring: ExactRing,
    values: Mapping[str, float],
    symbols: Mapping[str, str],
    *,
    floating: bool = False,
    keep: Sequence[str] = (),
) -> ExactModes:
    """Return the modes; an uncoupled coordinate is a mode, coupled ones get tokens, or numbers with `floating`.

    `symbols` are texts of coordinates for names of tokens; parameters in `keep` are not expressed by frequencies.
    """
    names = Names({*ring.names})
    modes: list[ExactMode] = []
    definitions: dict[str, str] = {}
    eliminated: dict[str, Scalar] = {}
    number = 0
    for block in linear.blocks():
        check_stability(linear, block, values)
        if len(block) > 1:
            make = numeric_block if floating else token_block
            more, defined = make(linear, block, ring, values, names, number)
            modes += more
            definitions |= defined
            number += len(block)
            continue
        mode = _single(linear, block[0], symbols, names)
        if floating and mode.square is not None:
            square = plain_number(evaluate(mode.square, values))
            mode = ExactMode(mode.name, mode.frequency, square, mode.shape, plain_number(evaluate(mode.mass, values)))
        elif not mode.is_free:
            eliminated |= elimination(mode, linear, ring, block[0], eliminated, frozenset(keep))
        modes.append(mode)
    return ExactModes(linear, tuple(modes), definitions, eliminated)


def _single(linear: LinearPart, i: int, symbols: Mapping[str, str], names: Names) -> ExactMode:
    """Return the mode of a coordinate that M and K do not couple to others."""
    name = linear.coordinates[i]
    mass, stiffness = linear.mass[i][i], linear.stiffness[i][i]
    shape = tuple(int(j == i) for j in range(len(linear.coordinates)))
    if is_zero(stiffness):
        return ExactMode(name, "", None, shape, mass, is_free=True)
    frequency = names.free(f"omega_{symbols.get(name, name)}".replace(".", "_"))
    exact = isinstance(mass, Element) or isinstance(stiffness, Element)
    square = stiffness / mass if exact else plain_number(plain_number(stiffness) / plain_number(mass))
    return ExactMode(name, frequency, square, shape, mass)


def _values_of(
    linear: LinearPart, block: Sequence[int], modes: Sequence[ExactMode], parameters: Mapping[str, float]
) -> dict[str, float]:
    """Return the values of the tokens of one block."""
    found: dict[str, float] = {}
    squares, shapes = eigen(linear, block, parameters)
    mass_matrix = linear.numbers(parameters)[0][np.ix_(block, block)]
    for k, mode in enumerate(modes):
        column = shapes[:, k] / shapes[mode.leader(block), k]
        if mode.frequency:
            found[mode.frequency] = float(np.sqrt(squares[k]))
        for place, i in enumerate(block):
            if (name := _token(mode.shape[i])) is not None:
                found[name] = float(column[place])
        if len(block) > 1 and (name := _token(mode.mass)) is not None:
            found[name] = float(column @ mass_matrix @ column)
    return found


def _token(value: Scalar) -> str | None:
    return value.symbol_name() if isinstance(value, Element) else None
