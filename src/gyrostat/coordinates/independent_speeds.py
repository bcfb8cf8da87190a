"""Independent speeds by name."""

from __future__ import annotations

from collections.abc import Sequence

from gyrostat.errors import StateError
from gyrostat.model.names import did_you_mean


def independent_speeds(names: Sequence[str], given: Sequence[str]) -> tuple[str, ...]:
    """Return the speeds that are given, in the order of all speeds; names of coordinates mean their rates.

    >>> independent_speeds(["a1.rate", "a2.rate", "ball.w1"], ["ball.w1", "a1"])
    ('a1.rate', 'ball.w1')
    """
    chosen = []
    for name in given:
        speed = name if name in names else f"{name}.rate"
        if speed not in names:
            raise StateError(f"There is no speed {name!r} to be independent. {did_you_mean(name, names)}")
        chosen.append(speed)
    return tuple(name for name in names if name in chosen)
