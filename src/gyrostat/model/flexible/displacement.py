"""The displacement field of a beam, to first or second order in the elastic coordinates (McPhee 2002, part 4).

With ( )′ = d/dx the axis is at (x + u − ½ ∫ (v′² + w′²) dx, v, w); the rotation of a section is Cayley's of
    a = (φ, −W + ½ v′ φ, V + ½ w′ φ),  V = v′ − u′ v′,  W = w′ − u′ w′,
which is orthogonal and agrees with the second-order rotation matrix to second order. The columns of that matrix are the
directors: d_y = (−v′ + u′v′ − w′φ, 1 − ½v′² − ½φ², φ − ½v′w′), d_z = (−w′ + u′w′ + v′φ, −φ − ½v′w′, 1 − ½w′² − ½φ²).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import TypeAlias, TypeVar

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.flexible.beam_properties import BeamProperties
from gyrostat.model.flexible.polynomial import Polynomial, derivative, integral, product, rational, value_at
from gyrostat.model.flexible.quadratic_point import QuadraticPoint
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, is_zero, multiply, negate
from gyrostat.spatial import UNIT, Vector

_Key = TypeVar("_Key", int, tuple[int, int])

Row: TypeAlias = Mapping[int, Scalar]
"""A linear form in the elastic coordinates, by their numbers."""
Form: TypeAlias = Mapping[tuple[int, int], Scalar]
"""A quadratic form in them, by pairs of numbers i ≤ j."""


@dataclass(frozen=True)
class SectionField:
    """The displacement field at ξ = x/L, with all constants evaluated on one engine."""

    beam: BeamProperties
    xi: Scalar
    value: Evaluator

    @cached_property
    def length(self) -> Scalar:
        """The length of the beam."""
        return self.value(self.beam.length)

    def row(self, direction: str, derivatives: int = 0) -> Row:
        """Return u, v, w or φ at the section, or a derivative by x, as a linear form."""
        found: dict[int, Scalar] = {}
        for i, member in self.beam.functions[direction]:
            for _ in range(derivatives):
                member = derivative(member)
            size = value_at(member, self.xi, self.value)
            for _ in range(derivatives):
                size = divide(size, self.length)
            if not is_zero(size):
                found[i] = size
        return found

    @cached_property
    def shortening(self) -> Form:
        """½ ∫ (v′² + w′²) dx up to the section."""
        found: dict[tuple[int, int], Scalar] = {}
        for direction in ("v", "w"):
            members = self.beam.functions[direction]
            for i, a in members:
                for j, b in members:
                    if i <= j:
                        half = Fraction(1, 2) if i == j else Fraction(1)
                        size = multiply(rational(half, self.value), value_at(_slopes(a, b), self.xi, self.value))
                        if not is_zero(size):
                            found[i, j] = divide(size, self.length)
        return found

    # --- position -----------------------------------------------------------------------------------------------

    @property
    def first_order_position(self) -> QuadraticPoint:
        """The axis without the shortening."""
        linear = _vectors([("x", self.row("u")), ("y", self.row("v")), ("z", self.row("w"))])
        return QuadraticPoint(self._size, (multiply(self.xi, self.length), 0, 0), linear)

    @property
    def second_order_position(self) -> QuadraticPoint:
        """The shortening alone."""
        return QuadraticPoint(self._size, quadratic=_vectors([("x", opposite_form(self.shortening))]))

    @property
    def position(self) -> QuadraticPoint:
        """The axis to the order of the beam."""
        first = self.first_order_position
        return first if self.beam.order == 1 else first.plus(self.second_order_position)

    # --- rotation -----------------------------------------------------------------------------------------------

    @property
    def rotation(self) -> QuadraticPoint:
        """Cayley's vector a to the order of the beam."""
        v, w, phi, u = self._slope("v"), self._slope("w"), self.row("phi"), self._slope("u")
        linear = _vectors([("x", phi), ("y", opposite_form(w)), ("z", v)])
        if self.beam.order == 1:
            return QuadraticPoint(self._size, linear=linear)
        half = rational(Fraction(1, 2), self.value)
        parts = [
            *(("y", scaled_form(half, times(v, phi))), ("y", times(u, w))),
            *(("z", scaled_form(half, times(w, phi))), ("z", opposite_form(times(u, v)))),
        ]
        return QuadraticPoint(self._size, linear=linear, quadratic=_vectors(parts))

    def first_order_director(self, axis: str) -> QuadraticPoint:
        """Return d_y or d_z to first order."""
        slope, other = (self._slope("v"), "z") if axis == "y" else (self._slope("w"), "y")
        turned = self.row("phi") if axis == "y" else opposite_form(self.row("phi"))
        return QuadraticPoint(self._size, UNIT[axis], _vectors([("x", opposite_form(slope)), (other, turned)]))

    def second_order_director(self, axis: str) -> QuadraticPoint:
        """Return the terms of second order of d_y or d_z."""
        v, w, phi, u = self._slope("v"), self._slope("w"), self.row("phi"), self._slope("u")
        own, across, other, sign = (v, w, "z", -1) if axis == "y" else (w, v, "y", 1)
        half = rational(Fraction(-1, 2), self.value)
        parts = [
            *(("x", times(u, own)), ("x", scaled_form(sign, times(across, phi)))),
            *((axis, scaled_form(half, times(own, own))), (axis, scaled_form(half, times(phi, phi)))),
            (other, scaled_form(half, times(v, w))),
        ]
        return QuadraticPoint(self._size, quadratic=_vectors(parts))

    def director(self, axis: str) -> QuadraticPoint:
        """Return d_y or d_z to second order."""
        return self.first_order_director(axis).plus(self.second_order_director(axis))

    @property
    def _size(self) -> int:
        return len(self.beam.labels)

    def _slope(self, direction: str) -> Row:
        return self.row(direction, 1)


@cache
def _slopes(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return ∫ a′ b′ dξ from the root."""
    return integral(product(derivative(a), derivative(b)))


def times(a: Row, b: Row) -> Form:
    """Return the product of two linear forms."""
    found: dict[tuple[int, int], Scalar] = {}
    for i, x in a.items():
        for j, y in b.items():
            pair = (min(i, j), max(i, j))
            found[pair] = add(found.get(pair, 0), multiply(x, y))
    return found


def scaled_form(factor: Scalar, form: Mapping[_Key, Scalar]) -> Mapping[_Key, Scalar]:
    """Return a multiple of a form."""
    return {key: multiply(factor, x) for key, x in form.items()}


def opposite_form(form: Mapping[_Key, Scalar]) -> Mapping[_Key, Scalar]:
    """Return the negative of a form."""
    return {key: negate(x) for key, x in form.items()}


def _vectors(parts: Iterable[tuple[str, Mapping[_Key, Scalar]]]) -> dict[_Key, Vector]:
    """Return forms along axes as vectors, by coordinate or pair of coordinates."""
    found: dict[_Key, list[Scalar]] = {}
    for axis, form in parts:
        for key, x in form.items():
            vector = found.setdefault(key, [0, 0, 0])
            k = "xyz".index(axis)
            vector[k] = add(vector[k], x)
    return {key: (x, y, z) for key, (x, y, z) in found.items()}
