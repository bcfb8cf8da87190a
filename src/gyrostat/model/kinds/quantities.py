"""Kinds of numbers: scalars, vectors, axes, rotations, inertia."""

from __future__ import annotations

import numbers
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

from gyrostat.errors import FormulaError
from gyrostat.model.formula import Formula, literal
from gyrostat.model.kinds.kind import FormulaUse, Naming, Path, Plain, Schema, Scope, Use
from gyrostat.model.place import Place
from gyrostat.spatial import UNIT

Quantity: TypeAlias = Formula
Triple: TypeAlias = tuple[Formula, Formula, Formula]
Turn: TypeAlias = tuple[tuple[Triple, Formula], ...]
"""Successive rotations, each about an axis of the frame rotated by the preceding ones."""

Tensor: TypeAlias = tuple[Triple, Triple, Triple]

ZERO = Formula.of(0)
CONSTANT = Scope()
IN_TIME = Scope(time=True)

_ROUNDING = 1e-12
"""The largest difference of two entries that are equal up to rounding, relative to the largest entry of the matrix."""


_SMALL_INTEGERS = {number: Formula.of(number) for number in (-1, 0, 1)}
"""The most frequent integers as formulas."""


def _number(value: object) -> Formula | None:
    """Return a finite number, the most frequent value, as a formula; None for all others, which may be faulty."""
    if type(value) is float:
        return literal(value) if isfinite(value) else None
    return _SMALL_INTEGERS.get(value) if type(value) is int else None


def sequence_of(value: object) -> Sequence[object] | None:
    """Return a list, tuple or array as a sequence, and None for any other value, including text."""
    kind = type(value)
    if kind is float or kind is str:
        return None
    if isinstance(value, (list, tuple)):
        return value
    if hasattr(value, "tolist") and not isinstance(value, str | bytes):  # NumPy arrays
        listed = value.tolist()
        return listed if isinstance(listed, list) else None
    return None


@dataclass(frozen=True)
class QuantityKind:
    """A number or formula."""

    scope: Scope = CONSTANT

    def read(self, value: object, place: Place) -> Quantity:
        """Read a number, text or SymPy expression."""
        try:
            return Formula.of(value)
        except FormulaError as error:
            for fault in error.faults:
                place.report(f"{fault.item} {fault.fact}", fault.remedy)
            return ZERO

    def write(self, value: Quantity) -> Plain:
        """Return the number or the text."""
        return value.source

    def schema(self) -> Schema:
        """Return the JSON Schema of a number or text."""
        return {"$ref": "#/$defs/quantity"}

    def uses(self, value: Quantity, path: Path = ()) -> tuple[Use]:
        """Return the formula itself."""
        return (FormulaUse(value, self.scope, path),)

    def renamed(self, value: Quantity, naming: Naming) -> Quantity:
        """Return the formula with other names; variables of its scope keep theirs."""
        return value.renamed(naming.name, self.scope.variables)


@dataclass(frozen=True)
class VectorKind:
    """Three numbers or formulas."""

    scope: Scope = CONSTANT

    def read(self, value: object, place: Place) -> Triple:
        """Read a sequence of three."""
        parts = sequence_of(value)
        if parts is None or len(parts) != 3:
            place.report(f"{_brief(value)} is not a vector.", "Give three numbers or formulas, as in (0, 'l/2', 0).")
            return (ZERO, ZERO, ZERO)
        x, y, z = [_number(part) or self._component(part, place.inside(i)) for i, part in enumerate(parts)]
        return (x, y, z)

    def _component(self, value: object, place: Place) -> Quantity:
        return QuantityKind(self.scope).read(value, place)

    def write(self, value: Triple) -> Plain:
        """Return a list of three."""
        return [part.source for part in value]

    def schema(self) -> Schema:
        """Return the JSON Schema of a list of three quantities."""
        return {"$ref": "#/$defs/vector"}

    def uses(self, value: Triple, path: Path = ()) -> list[Use]:
        """Return the formulas among the three components; numbers are skipped."""
        x, y, z = value
        if type(x.source) is not str and type(y.source) is not str and type(z.source) is not str:
            return []
        return [FormulaUse(part, self.scope, (*path, i)) for i, part in enumerate(value) if type(part.source) is str]

    def renamed(self, value: Triple, naming: Naming) -> Triple:
        """Return the three formulas with other names."""
        x, y, z = (part.renamed(naming.name, self.scope.variables) for part in value)
        return (x, y, z)


_VECTOR = VectorKind()

_AXIS_OF: dict[Triple, str] = {}
for _name, _unit in UNIT.items():
    _AXIS_OF[(Formula.of(_unit[0]), Formula.of(_unit[1]), Formula.of(_unit[2]))] = _name
_TRIPLE_OF = {name: triple for triple, name in _AXIS_OF.items()}


@dataclass(frozen=True)
class AxisKind:
    """A direction: the name of a coordinate axis ("x", "-y", …) or a vector of nonzero length."""

    def read(self, value: object, place: Place) -> Triple:
        """Read a name or a vector; the zero vector is a fault."""
        if isinstance(value, str):
            named = _TRIPLE_OF.get(value.strip().removeprefix("+"))
            if named is None:
                place.report(f"{_brief(value)} is not an axis.", "Use x, y, z, -x, -y, -z or three numbers.")
                return _TRIPLE_OF["z"]
            return named
        before = len(place.faults)
        vector = VectorKind().read(value, place)
        if len(place.faults) == before and all(part.number == 0 for part in vector):
            place.report("the axis is zero.", "Give a direction, as in 'z' or (0, 0, 1).")
        return vector

    def write(self, value: Triple) -> Plain:
        """Return the name of a coordinate axis, else a list."""
        return _AXIS_OF.get(value) or VectorKind().write(value)

    def schema(self) -> Schema:
        """Return the JSON Schema of a name or three quantities."""
        return {"$ref": "#/$defs/axis"}

    def uses(self, value: Triple, path: Path = ()) -> list[Use]:
        """Return the formulas of the direction."""
        return _VECTOR.uses(value, path)

    def renamed(self, value: Triple, naming: Naming) -> Triple:
        """Return the direction with other names in its formulas."""
        return _VECTOR.renamed(value, naming)


@dataclass(frozen=True)
class TurnKind:
    """A list of successive rotations (axis, angle), each about the rotated axes."""

    scope: Scope = CONSTANT
    """Names that the angles may use."""

    def read(self, value: object, place: Place) -> Turn:
        """Read a list of pairs."""
        steps = sequence_of(value)
        if steps is None:
            place.report(f"{_brief(value)} is not a list of turns.", "Write [('z', '30*deg')].")
            return ()
        turns: list[tuple[Triple, Formula]] = []
        for i, step in enumerate(steps):
            pair = sequence_of(step)
            if pair is None or len(pair) != 2:
                place.inside(i).report(f"{_brief(step)} is not a turn.", "Write (axis, angle), as in ('z', '30*deg').")
                continue
            axis = AxisKind().read(pair[0], place.inside(i).inside(0))
            turns.append((axis, QuantityKind(self.scope).read(pair[1], place.inside(i).inside(1))))
        return tuple(turns)

    def write(self, value: Turn) -> Plain:
        """Return a list of pairs."""
        return [[AxisKind().write(axis), angle.source] for axis, angle in value]

    def schema(self) -> Schema:
        """Return the JSON Schema of a list of pairs."""
        pair = [{"$ref": "#/$defs/axis"}, {"$ref": "#/$defs/quantity"}]
        return {"type": "array", "items": {"type": "array", "prefixItems": pair, "minItems": 2, "maxItems": 2}}

    def uses(self, value: Turn, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas of axes and angles."""
        for i, (axis, angle) in enumerate(value):
            yield from _VECTOR.uses(axis, (*path, i, 0))
            yield FormulaUse(angle, self.scope, (*path, i, 1))

    def renamed(self, value: Turn, naming: Naming) -> Turn:
        """Return the rotations with other names in their formulas."""
        angle = QuantityKind(self.scope)
        return tuple((_VECTOR.renamed(axis, naming), angle.renamed(turned, naming)) for axis, turned in value)


@dataclass(frozen=True)
class InertiaKind:
    """An inertia tensor: three principal moments along the body's axes, or a symmetric 3 × 3 matrix."""

    scope: Scope = CONSTANT

    def read(self, value: object, place: Place) -> Tensor:
        """Read three moments or three rows."""
        rows = sequence_of(value)
        plain = _symmetric(rows)
        if plain is not None:
            return plain
        if rows is None or len(rows) != 3:
            place.report(
                f"{_brief(value)} is not an inertia.", "Give three principal moments or three rows of three numbers."
            )
            return ((ZERO,) * 3,) * 3
        if all(sequence_of(row) is None for row in rows):
            x, y, z = VectorKind(self.scope).read(value, place)
            return ((x, ZERO, ZERO), (ZERO, y, ZERO), (ZERO, ZERO, z))
        read = [list(VectorKind(self.scope).read(row, place.inside(i))) for i, row in enumerate(rows)]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            upper, lower = read[i][j], read[j][i]
            if upper.source == lower.source:
                continue
            size = max(abs(entry.number or 0) for row in read for entry in row)
            mean = _mean_within_rounding(upper.number, lower.number, _ROUNDING * size)
            if mean is not None:
                read[i][j] = read[j][i] = Formula.of(mean)
            else:
                place.report(
                    f"entries [{i}][{j}] = {upper} and [{j}][{i}] = {lower} differ.",
                    "An inertia matrix is symmetric; give both entries the same value.",
                )
        (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = read
        return ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))

    def write(self, value: Tensor) -> Plain:
        """Return three moments if the matrix is diagonal, else three rows."""
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = value
        if xy == xz == yz == ZERO:
            return [xx.source, yy.source, zz.source]
        return [VectorKind().write(row) for row in value]

    def schema(self) -> Schema:
        """Return the JSON Schema of three moments or a matrix."""
        vector: Schema = {"$ref": "#/$defs/vector"}
        return {"anyOf": [vector, {"type": "array", "items": vector, "minItems": 3, "maxItems": 3}]}

    def uses(self, value: Tensor, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas of all entries."""
        vector = VectorKind(self.scope)
        for i, row in enumerate(value):
            yield from vector.uses(row, (*path, i))

    def renamed(self, value: Tensor, naming: Naming) -> Tensor:
        """Return the entries with other names."""
        x, y, z = (VectorKind(self.scope).renamed(row, naming) for row in value)
        return (x, y, z)


@dataclass(frozen=True)
class CountKind:
    """A number of things: a whole number, at least one."""

    most: int = 10_000

    def read(self, value: object, place: Place) -> int:
        """Read a whole number."""
        if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 1 <= int(value) <= self.most:
            place.report(f"{_brief(value)} is not a number of things.", f"Give a whole number from 1 to {self.most}.")
            return 1
        return int(value)

    def write(self, value: int) -> Plain:
        """Return the number."""
        return value

    def schema(self) -> Schema:
        """Return the JSON Schema of a whole number."""
        return {"type": "integer", "minimum": 1, "maximum": self.most}

    def uses(self, value: int, path: Path = ()) -> tuple[()]:
        """Return an empty tuple: the value has no formulas or references."""
        return ()

    def renamed(self, value: int, naming: Naming) -> int:
        """Return the number, which has no names."""
        return value


def _symmetric(rows: Sequence[object] | None) -> Tensor | None:
    """Return a symmetric matrix of finite numbers, the most frequent inertia; None for others, which may be faulty."""
    if rows is None or len(rows) != 3:
        return None
    read: list[list[Formula | None]] = []
    for row in rows:
        if not isinstance(row, list | tuple) or len(row) != 3:
            return None
        read.append([_number(entry) for entry in row])
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = read
    if not (xx and xy and xz and yx and yy and yz and zx and zy and zz):
        return None
    if xy.source != yx.source or xz.source != zx.source or yz.source != zy.source:
        return None
    return ((xx, xy, xz), (yx, yy, yz), (zx, zy, zz))


def _mean_within_rounding(first: float | None, second: float | None, rounding: float) -> float | None:
    """Return the mean of two numbers that differ by rounding only; None for others and for formulas."""
    if first is None or second is None or abs(first - second) > rounding:
        return None
    return first + (second - first) / 2


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 50 else text[:47] + "..."
