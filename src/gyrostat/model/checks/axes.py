"""Check of axes: nonzero length."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from gyrostat.errors import Fault
from gyrostat.model.kinds import (
    AxisKind,
    Kind,
    ListKind,
    MappingKind,
    NamedRecordsKind,
    OptionalKind,
    Path,
    RecordKind,
    TaggedKind,
    Triple,
    TurnKind,
)
from gyrostat.model.record import Record, kinds_of

if TYPE_CHECKING:
    from gyrostat.model.checks.finding import Subject


def axis_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each axis whose length is zero or out of range once its formulas are evaluated."""
    for component, path, length in subject.lost_axes:
        fact = (
            "the axis is zero."
            if length == 0
            else f"the axis has length {length:g}, whose square is not a normal floating-point number."
        )
        yield subject.fault(component, path, fact, "Give a direction, as in 'z' or (0, 0, 1).")


def axes_of(record: Record, path: Path = ()) -> Iterator[tuple[Path, Triple]]:
    """Yield all axes in a record with their paths, including those of its rotations and nested records."""
    for name, kind in _fields_with_axes(type(record)):
        if held := getattr(record, name):
            yield from _axes(kind, held, (*path, name))


@cache
def _fields_with_axes(record: type[Record]) -> tuple[tuple[str, Kind[Any]], ...]:
    """Return the fields of a record class that may contain axes, by name."""
    return tuple((name, kind) for name, kind in kinds_of(record).items() if _may_hold_axes(kind))


def _may_hold_axes(kind: Kind[Any]) -> bool:
    match kind:
        case OptionalKind() | ListKind() | MappingKind():
            return _may_hold_axes(kind.kind)
    return isinstance(kind, AxisKind | TurnKind | NamedRecordsKind | RecordKind | TaggedKind)


def _axes(kind: Kind[Any], held: Any, path: Path) -> Iterator[tuple[Path, Triple]]:
    match kind:
        case AxisKind():
            yield path, held
        case TaggedKind():
            yield from axes_of(held, (*path, kind.registry().tag_of(held)))
        case RecordKind():
            yield from axes_of(held, path)
        case NamedRecordsKind():
            for part in held:
                yield from axes_of(part, (*path, part.name))
        case TurnKind():
            yield from (((*path, i, 0), axis) for i, (axis, _) in enumerate(held))
        case OptionalKind():
            yield from _axes(kind.kind, held, path)
        case ListKind():
            for i, part in enumerate(held):
                yield from _axes(kind.kind, part, (*path, i))
        case MappingKind():
            for name, part in held.items():
                yield from _axes(kind.kind, part, (*path, name))
