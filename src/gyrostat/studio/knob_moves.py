"""Moves of knobs since the text was read, and those that the text has no place for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gyrostat.errors import GyrostatError
from gyrostat.studio.knob import Knob
from gyrostat.studio.rotation import VECTOR

_AXES = ".x", ".y", ".z"
_LINE_LIMIT = 8


@dataclass
class KnobMoves:
    """The last value of each knob that was moved, by kind and name, with the number of the message."""

    _moves: dict[tuple[str, str], tuple[int, float | tuple[float, ...]]] = field(default_factory=dict)
    _homes: dict[tuple[str, str], str] = field(default_factory=dict)
    """Where the numbers belong that the text has no place for."""
    last: tuple[str, str] | None = None
    """The initial value or rotation vector that was moved last, also before the text was read."""

    def take(self, message: Mapping[str, Any]) -> None:
        """Take a message of the page: a number, or for a rotation vector all three."""
        kind, name, given = str(message["kind"]), str(message["name"]), message["value"]
        if kind not in ("parameter", "initial", "rotation"):
            raise GyrostatError(f"There are no knobs of the kind {kind!r:.40}.")
        values = tuple(float(x) for x in given) if kind == "rotation" else (float(given),)
        if len(values) != (3 if kind == "rotation" else 1) or not all(map(math.isfinite, values)):
            raise ValueError(f"{name!r:.40} cannot have the value {given!r:.60}")
        self._moves[kind, name] = int(message["id"]), values if kind == "rotation" else values[0]
        if kind != "parameter":
            self.last = kind, name

    @property
    def values(self) -> dict[tuple[str, str], float | tuple[float, ...]]:
        """The values by kind and name."""
        return {key: value for key, (_, value) in self._moves.items()}

    def after_text(self, knobs: Iterable[Knob], number: int) -> list[Knob]:
        """Forget moves that a text contains; return its knobs, with moved values where it has no place for them."""
        found, homes = [], {}
        for knob in knobs:
            kind, name = _key(knob)
            if knob.home:
                homes[kind, name] = knob.home
            found.append(self._moved(knob) if knob.home and (kind, name) in self._moves else knob)
        self._homes = homes
        self._moves = {key: move for key, move in self._moves.items() if move[0] > number or key in homes}
        return found

    def _moved(self, knob: Knob) -> Knob:
        value = self._moves[_key(knob)][1]
        return replace(knob, value=value["xyz".index(knob.name[-1])] if isinstance(value, tuple) else value)

    def left_out(self) -> str:
        """Return what to say when a text is saved: the moved numbers that it does not contain."""
        kept = [
            (name, value, self._homes[kind, name])
            for (kind, name), value in self.values.items()
            if (kind, name) in self._homes
        ]
        if not kept:
            return ""
        lines = [f"{name} = {_plain(value)}: {home}" for name, value, home in kept[:_LINE_LIMIT]]
        more = f" And {len(kept) - _LINE_LIMIT} more." if len(kept) > _LINE_LIMIT else ""
        return f"Not in the file are moved numbers that it has no place for. {' '.join(lines)}{more}"


def _key(knob: Knob) -> tuple[str, str]:
    """Return kind and name by which a knob's moves are kept: the components of a rotation vector are moved together."""
    if knob.kind != "rotation":
        return knob.kind, knob.name
    return knob.kind, next(knob.name.removesuffix(axis) for axis in _AXES if knob.name.endswith(f"{VECTOR}{axis}"))


def _plain(value: float | tuple[float, ...]) -> str:
    values = value if isinstance(value, tuple) else (value,)
    return ", ".join(f"{x:.6g}" for x in values)
