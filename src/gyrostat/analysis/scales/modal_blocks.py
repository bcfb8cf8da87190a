"""Modes of coupled coordinates: with tokens for shapes and modal masses, or numerical."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.scales.modal_linear import LinearPart
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing
from gyrostat.scalar.exact.numbers import plain_number

if TYPE_CHECKING:
    from scipy import linalg
else:
    (linalg,) = later("scipy", "linalg")

_SQUARE_TOLERANCE = 1e-9
"""A square of a frequency below this part of the largest counts as zero."""
_DENOMINATOR_LIMIT = 1000
"""The largest denominator of a simple fraction."""
_COMPONENT_THRESHOLD = 0.3
"""A coordinate moves much in a mode if its component is more than this part of the largest."""


@dataclass(frozen=True)
class ExactMode:
    """One modal coordinate: name, name of its frequency, ω² where it is a formula, shape by coordinate, modal mass."""

    name: str
    frequency: str
    square: Scalar | None
    shape: tuple[Scalar, ...]
    mass: Scalar
    is_free: bool = False

    def leader(self, block: Sequence[int]) -> int:
        """Return the place in a block of the coordinate whose component is one."""
        ones = (i for i, j in enumerate(block) if not isinstance(self.shape[j], Element) and self.shape[j] == 1)
        return next(ones)


@dataclass
class Names:
    """Gives unique names."""

    taken: set[str]

    def free(self, base: str) -> str:
        """Return a unique name derived from a given one."""
        while base in self.taken:
            base += "_"
        self.taken.add(base)
        return base


def token_block(
    linear: LinearPart, block: Sequence[int], ring: ExactRing, values: Mapping[str, float], names: Names, before: int
) -> tuple[list[ExactMode], dict[str, str]]:
    """Return modes with tokens for frequency, shape (largest component one) and modal mass, and their definitions.

    `before` is the number of modes of earlier blocks.
    """
    squares, shapes = eigen(linear, block, values)
    modes: list[ExactMode] = []
    definitions: dict[str, str] = {}
    for k in range(len(block)):
        number = before + k + 1
        leader = int(np.argmax(abs(shapes[:, k])))
        shape: list[Scalar] = [0] * len(linear.coordinates)
        is_free = _is_zero(squares, k)
        rigid = _rigid(linear, block, shapes[:, k] / shapes[leader, k]) if is_free else None
        for place, i in enumerate(block):
            if rigid is not None:
                shape[i] = rigid[place]
            else:
                shape[i] = 1 if place == leader else ring.symbol(names.free(f"phi_{i + 1}_{number}"))
        mass = ring.symbol(names.free(f"mu_{number}"))
        frequency = "" if is_free else names.free(f"omega_{number}")
        mode = ExactMode(names.free(f"eta_{number}"), frequency, None, tuple(shape), mass, is_free)
        modes.append(mode)
        definitions |= _definitions(linear, block, ring, mode, k)
    return modes, definitions


def numeric_block(
    linear: LinearPart, block: Sequence[int], ring: ExactRing, values: Mapping[str, float], names: Names, before: int
) -> tuple[list[ExactMode], dict[str, str]]:
    """Return numerical modes; the largest component of each shape is one."""
    squares, shapes = eigen(linear, block, values)
    mass_matrix = linear.numbers(values)[0][np.ix_(block, block)]
    modes = []
    for k in range(len(block)):
        number = before + k + 1
        column = shapes[:, k] / shapes[np.argmax(abs(shapes[:, k])), k]
        is_free = _is_zero(squares, k)
        rigid = _rigid(linear, block, column) if is_free else None
        shape: list[Scalar] = [0] * len(linear.coordinates)
        for place, i in enumerate(block):
            shape[i] = plain_number(float(column[place])) if rigid is None else rigid[place]
        frequency = "" if is_free else names.free(f"omega_{number}")
        square = None if is_free else plain_number(float(squares[k]))
        mass = plain_number(float(column @ mass_matrix @ column))
        modes.append(ExactMode(names.free(f"eta_{number}"), frequency, square, tuple(shape), mass, is_free))
    return modes, {}


def _rigid(linear: LinearPart, block: Sequence[int], column: Floats) -> list[Scalar] | None:
    """Return the shape of a mode without stiffness in simple fractions, if these make K φ vanish exactly."""
    shape = [plain_number(Fraction(float(x)).limit_denominator(_DENOMINATOR_LIMIT)) for x in column]
    for i in block:
        load: Scalar = 0
        for j, x in zip(block, shape, strict=True):
            load = load + linear.stiffness[i][j] * x
        if isinstance(load, Element) or load != 0:
            return None
    return shape


def _is_zero(squares: Floats, k: int) -> bool:
    return bool(squares[k] < _SQUARE_TOLERANCE * max(abs(squares)))


def eigen(linear: LinearPart, block: Sequence[int], values: Mapping[str, float]) -> tuple[Floats, Floats]:
    """Return ω² in ascending order, and shapes as columns."""
    mass, stiffness = (matrix[np.ix_(block, block)] for matrix in linear.numbers(values))
    try:
        squares, shapes = linalg.eigh((stiffness + stiffness.T) / 2, mass)
    except linalg.LinAlgError:
        names = ", ".join(repr(linear.coordinates[i]) for i in block)
        raise StateError(f"The mass matrix of {names} is not positive definite. Give all moving bodies mass.") from None
    return np.asarray(squares), np.asarray(shapes)


def check_stability(linear: LinearPart, block: Sequence[int], values: Mapping[str, float]) -> None:
    """Raise an error for an unstable equilibrium, naming the coordinates that move most."""
    squares, shapes = eigen(linear, block, values)
    if squares[0] < -_SQUARE_TOLERANCE * max(abs(squares)):
        column = abs(shapes[:, 0]) / max(abs(shapes[:, 0]))
        movers = [repr(linear.coordinates[i]) for place, i in enumerate(block) if column[place] > _COMPONENT_THRESHOLD]
        raise StateError(
            f"The equilibrium is unstable: a small disturbance of {', '.join(movers)} grows as "
            f"exp({float(np.sqrt(-squares[0])):.4g} t). Multiple scales describes oscillations about a stable "
            "equilibrium: give another by at={…}, or check signs of stiffness and gravity."
        )


def _definitions(linear: LinearPart, block: Sequence[int], ring: ExactRing, mode: ExactMode, k: int) -> dict[str, str]:
    """Return definitions of the tokens of a mode: formulas for two coordinates, words for more.

    The entries of M and K have names there, such as M_1_2, and are defined first.
    """
    coordinates, leader = linear.coordinates, block[mode.leader(block)]
    found = _entries(linear, block) if k == 0 else {}
    if len(block) == 2:
        other = block[1 - mode.leader(block)]
        found[mode.frequency] = _frequency_of_two(block, k)
        if isinstance(mode.shape[other], Element):
            found[mode.shape[other].symbol_name()] = _shape_of_two(leader, other, mode.frequency)
    else:
        found[mode.frequency] = f"root of det(K - omega**2*M) = 0, the {_ordinal(k + 1)} from below"
        for i in block:
            if isinstance(mode.shape[i], Element):
                ratio = f"{coordinates[i]} over {coordinates[leader]} in (K - {mode.frequency or 0}**2*M)*phi = 0"
                found[mode.shape[i].symbol_name()] = ratio
    found[mode.mass.symbol_name()] = _modal_mass(block, mode)
    return {name: text for name, text in found.items() if name}


def _entries(linear: LinearPart, block: Sequence[int]) -> dict[str, str]:
    """Return the lower halves of M and K."""
    pairs = [(i, j) for i in block for j in block if j <= i]
    masses = {_entry("M", i, j): str(linear.mass[i][j]) for i, j in pairs}
    return masses | {_entry("K", i, j): str(linear.stiffness[i][j]) for i, j in pairs}


def _entry(matrix: str, i: int, j: int) -> str:
    return f"{matrix}_{min(i, j) + 1}_{max(i, j) + 1}"


def _frequency_of_two(block: Sequence[int], k: int) -> str:
    """Return ω from a ω⁴ − b ω² + c = 0."""
    M11, M12, M22 = (_entry("M", i, j) for i, j in ((block[0], block[0]), (block[0], block[1]), (block[1], block[1])))
    K11, K12, K22 = (text.replace("M", "K", 1) for text in (M11, M12, M22))
    a = f"({M11}*{M22} - {M12}**2)"
    b = f"({M11}*{K22} + {M22}*{K11} - 2*{M12}*{K12})"
    c = f"({K11}*{K22} - {K12}**2)"
    return f"sqrt(({b} {'+' if k else '-'} sqrt({b}**2 - 4*{a}*{c}))/(2*{a}))"


def _shape_of_two(i: int, j: int, frequency: str) -> str:
    square = f"{frequency}**2" if frequency else "0"
    diagonal = f"{_entry('K', i, i)} - {square}*{_entry('M', i, i)}"
    return f"-({diagonal})/({_entry('K', i, j)} - {square}*{_entry('M', i, j)})"


def _modal_mass(block: Sequence[int], mode: ExactMode) -> str:
    """Return φᵀ M φ."""
    parts = []
    for i in block:
        for j in (j for j in block if j <= i):
            factors = ["2"] if i != j else []
            factors += [_entry("M", i, j), *(f"{mode.shape[x]}" for x in (i, j) if mode.shape[x] != 1)]
            parts.append("*".join(factors))
    return " + ".join(parts)


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third"}.get(number, f"{number}th")
