"""Axes: directions that have one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from gyrostat.errors import Fault
from gyrostat.model.kinds import (
    AxisKind,
    Kind,
    ListKind,
    MappingKind,
    NamedRecordsKind,
    OptionalKind,
    RecordKind,
    TaggedKind,
    Triple,
    TurnKind,
)
from gyrostat.model.record import Record, kinds_of

if TYPE_CHECKING:
    from gyrostat.model.checks.finding import Subject

Path: TypeAlias = tuple[str | int, ...]


def axis_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for each axis that has no direction once its formulas have numbers."""
    for component, path, length in subject.lost_axes:
        fact = (
            "the axis is zero." if length == 0 else f"the axis has the length {length:g}, beyond what can be squared."
        )
        yield subject.fault(component, path, fact, "Give a direction, as in 'z' or (0, 0, 1).")


def axes_of(record: Record) -> Iterator[tuple[Path, Triple]]:
    """Yield all axes in a record, those of its turns and of records inside it included, with their paths."""
    for name, kind in _fields_with_axes(type(record)):
        if held := getattr(record, name):
            for path, axis in _axes(kind, held):
                yield (name, *path), axis


@cache
def _fields_with_axes(record: type[Record]) -> tuple[tuple[str, Kind[Any]], ...]:
    """Return the fields of a class of records that may hold axes, by name."""
    return tuple((name, kind) for name, kind in kinds_of(record).items() if _may_hold_axes(kind))


def _may_hold_axes(kind: Kind[Any]) -> bool:
    match kind:
        case OptionalKind() | ListKind() | MappingKind():
            return _may_hold_axes(kind.kind)
    return isinstance(kind, AxisKind | TurnKind | NamedRecordsKind | RecordKind | TaggedKind)


def _axes(kind: Kind[Any], held: Any) -> Iterator[tuple[Path, Triple]]:
    inner: list[tuple[Path, Kind[Any], Any]] = []
    match kind:
        case AxisKind():
            yield (), held
        case TurnKind():
            yield from (((i, 0), axis) for i, (axis, _) in enumerate(held))
        case OptionalKind() if held is not None:
            inner = [((), kind.kind, held)]
        case ListKind():
            inner = [((i,), kind.kind, part) for i, part in enumerate(held)]
        case MappingKind():
            inner = [((name,), kind.kind, part) for name, part in held.items()]
        case NamedRecordsKind():
            yield from (((part.name, *path), axis) for part in held for path, axis in axes_of(part))
        case RecordKind():
            yield from axes_of(held)
        case TaggedKind():
            tag = kind.registry().tag_of(held)
            yield from (((tag, *path), axis) for path, axis in axes_of(held))
    for before, inner_kind, part in inner:
        yield from (((*before, *path), axis) for path, axis in _axes(inner_kind, part))
