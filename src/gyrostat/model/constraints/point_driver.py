"""A driver of the position of a point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import seen_from
from gyrostat.model.forces import Motion
from gyrostat.model.kinds import (
    IN_TIME,
    End,
    EndKind,
    FormulaUse,
    FrozenMapping,
    Naming,
    Path,
    Plain,
    Quantity,
    QuantityKind,
    Schema,
    Use,
)
from gyrostat.model.kinds.quantities import sequence_of
from gyrostat.model.names import GROUND
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar.algebra import subtract

_AXES = ("x", "y", "z")


@dataclass(frozen=True)
class ComponentsKind:
    """Some components of a vector as functions of time: (x, y, z), or {x: …, z: …} with the others free."""

    def read(self, value: object, place: Place) -> FrozenMapping:
        """Read three formulas, or a mapping from some of x, y, z to formulas."""
        parts = sequence_of(value)
        if parts is not None and len(parts) == len(_AXES):
            value = dict(zip(_AXES, parts, strict=True))
        if not isinstance(value, Mapping) or not value or not set(value) <= set(_AXES):
            remedy = "Give three formulas of t, or some by name: {x: '0.1*sin(t)', z: 0}."
            place.report(f"{value!r:.60} is not a position.", remedy)
            return FrozenMapping({})
        kind = QuantityKind(IN_TIME)
        return FrozenMapping({axis: kind.read(value[axis], place.inside(axis)) for axis in _AXES if axis in value})

    def write(self, value: FrozenMapping) -> Plain:
        """Return a list of three formulas if all components are given, else a mapping."""
        if len(value) == len(_AXES):
            return [formula.source for formula in value.values()]
        return {axis: formula.source for axis, formula in value.items()}

    def schema(self) -> Schema:
        """Return the schema of a vector or a mapping."""
        quantity = {"$ref": "#/$defs/quantity"}
        named = {
            "type": "object",
            "properties": dict.fromkeys(_AXES, quantity),
            "additionalProperties": False,
            "minProperties": 1,
        }
        return {"anyOf": [{"$ref": "#/$defs/vector"}, named]}

    def uses(self, value: FrozenMapping, path: Path = ()) -> Iterator[Use]:
        """Yield the formulas."""
        whole = len(value) == len(_AXES)
        for i, (axis, formula) in enumerate(value.items()):
            yield FormulaUse(formula, IN_TIME, (*path, i if whole else axis))

    def renamed(self, value: FrozenMapping, naming: Naming) -> FrozenMapping:
        """Return the formulas with other names."""
        kind = QuantityKind(IN_TIME)
        return FrozenMapping({axis: kind.renamed(formula, naming) for axis, formula in value.items()})


@dataclass(frozen=True)
class PointDriver(Constraint):
    """A prescribed position of a point relative to another point or frame, in its axes; omitted components are free.

    The multipliers are the components of the force on the point along these axes.
    """

    point: End = value(EndKind(), doc="the driven point")
    position: Mapping[str, Quantity] = value(ComponentsKind(), doc="x, y, z as formulas of t (m), or some of them")
    relative_to: End = value(EndKind(), GROUND, doc="the point or frame that the position refers to, in its axes")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield actual minus prescribed position for each given component."""
        seen = seen_from(motion.end(self.relative_to), motion.end(self.point))
        for axis, formula in self.position.items():
            off = subtract(seen[_AXES.index(axis)], motion.evaluate(formula))
            yield ConstraintRow(self.name, f"force along {axis}", residual=off)
