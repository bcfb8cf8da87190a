"""Recorded calls: keys of arguments stand for their patterns, and results are formed on demand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from gyrostat.scalar.repeated import recurring
from gyrostat.scalar.tape import Tape
from gyrostat.scalar.tape_form import Maker, PackedTuple, maker
from gyrostat.scalar.tape_pattern import pattern_of
from gyrostat.scalar.tape_value import FIRST, STRIDE, Argument, Fixed, TapeValue, Written


@dataclass(frozen=True)
class Turn:
    axis: int
    cosine: Any
    sine: Any = 0


class Pair(NamedTuple):
    first: Any
    second: Any


@dataclass(frozen=True)
class StubKind:
    size: int
    form: Any

    @property
    def make(self) -> Maker:
        return maker(self.form)


@recurring
class Frame(NamedTuple):
    turn: Any
    offset: Any


FORMS = [
    StubKind(4, (Written(0), (Written(1), 0, 1), Fixed((0, 0, 0)))),
    StubKind(2, (Turn, 2, Written(1), Argument(FIRST))),
    StubKind(3, (Pair, (Written(0), Argument(-2), 2.5), (Turn, 1, Written(2), 0))),
    StubKind(2, ((Written(0), Written(1)), (Argument(FIRST + STRIDE), Argument(-2)))),
]
KINDS = [replace(kind) for kind in FORMS]


class StubKinds:
    """Notes keys and patterns of all calls."""

    def __init__(self) -> None:
        self.patterns: dict[tuple[Any, ...], Any] = {}

    def function(self, function: int, key: Sequence[Any], arguments: tuple[Any, ...]) -> StubKind:
        pattern = pattern_of(arguments)
        assert self.patterns.setdefault((function, *key), pattern) == pattern
        return KINDS[function]


def arguments_of(tape: Any) -> list[Any]:
    """Return scalars, results of calls with blocks and numbers in common, and small tuples and records of them."""
    x, y = tape.inputs(2)
    number, other = 7.5, 2.25
    tuples, turn = tape.call(3, (x, y, number)), tape.call(1, (x, y, number))
    atoms = [x, y, 0, 1, number, other, None, True, tuples[0], tuples[1], turn, tape.call(2, (x, y, other)).first]
    found = [*atoms, (), *[(atom,) for atom in atoms], ((x,), y), ((x, y),), (x, (y,)), Turn(0, x), Turn(1, x, y)]
    found += [(0, 0, 1), (1, 0, 1), (1, 0, True), (0, x, 0), (0.0, 0, 1), (0, 0, number), (0, 2, 0), ((0, 0, 1), x, 0)]
    found += [Frame(turn, (0, 0, number)), Frame(x, other), Frame((number, other), number), Frame((0, 0, 1), 1)]
    return [*found, *[Pair(atom, x) for atom in atoms], *[(atom, number) for atom in atoms]]


def extent(pattern: Any) -> tuple[int, int]:
    """Return how many blocks and how many numbers a pattern refers to."""
    if type(pattern) is int:
        return (1 + (pattern - FIRST) // STRIDE, 0) if pattern >= FIRST else (0, -1 - pattern if pattern < -1 else 0)
    parts = [extent(item) for item in pattern] if type(pattern) is tuple else []
    return max((b for b, _ in parts), default=0), max((n for _, n in parts), default=0)


def test_keys_stand_for_patterns() -> None:
    """Equal keys have equal patterns, and calls read as many blocks and numbers as their patterns refer to."""
    kinds = StubKinds()
    tape: Any = Tape(kinds)  # type: ignore[arg-type]
    small = arguments_of(tape)
    for given in product(small, repeat=2):
        tape.call(0, given)
        sources = tape.instructions[-1].sources
        bases, numbers = extent(pattern_of(given))
        assert len(sources) == bases + bool(numbers)
        if numbers:
            assert len(sources[-1].numbers) == numbers
    assert len(kinds.patterns) > 1000


def first_result(kind: int) -> Any:
    tape: Any = Tape(StubKinds())  # type: ignore[arg-type]
    x, y = tape.inputs(2)
    return tape.call(kind, (x, y, 7.5)), x, y


def test_packed_tuples_are_tuples() -> None:
    (scalars, passed), _, y = first_result(3)
    assert isinstance(scalars, PackedTuple)
    assert len(scalars) == 2
    assert [value.offset for value in scalars] == [0, 1]
    assert passed[0].block is y.block
    assert passed[1] == 7.5


def test_packed_records_are_records() -> None:
    turn, x, _ = first_result(1)
    assert isinstance(turn, Turn)
    assert (turn.axis, turn.cosine.offset) == (2, 1)
    assert turn.sine.block is x.block
    assert isinstance(turn.cosine, TapeValue)
    other = replace(turn, axis=0)
    assert (other.axis, other.cosine) == (0, turn.cosine)
    assert pattern_of(other) == (Turn, FIRST + 1, FIRST + STRIDE, Fixed(0))
