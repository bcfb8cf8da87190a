"""What a rigid contact aims at in a step: the rate of its gap and the gap at the end, by the law of restitution."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.moreau_tables import END, GAP, OLD_RATE, SHARE_LEFT, TARGET, TOUCH_TIME
from gyrostat.analysis.kernels.problem import Floats
from gyrostat.program.translation import kernel

_INFINITE_TIME = 1e300


@kernel
def aim(numbers: Floats, free: float, restitution: float, h: float, slight: float) -> None:
    """Write the least rate of a gap after a step and the least gap then, and the share of the step that is left.

    `free` is the rate of the gap at the end without impulses; the gap changes with a constant acceleration until it
    closes. It opens again with the restitution; where the flight after that would end within the step, it stays
    closed. A gap that closes by impulses of other contacts alone may just close by the end of the step.
    """
    gap, old = numbers[GAP], numbers[OLD_RATE]
    acceleration = (free - old) / h
    numbers[TARGET] = -gap / h if gap > 0.0 else 0.0
    numbers[END] = min(gap, 0.0)
    numbers[SHARE_LEFT] = 0.5
    touch = _time_of_touch(gap, old, acceleration)
    numbers[TOUCH_TIME] = touch
    if touch > h:
        return
    speed, left = max(-old - acceleration * touch, 0.0), h - touch
    mean = restitution * speed + 0.5 * acceleration * left
    if mean > slight / h:
        numbers[TARGET] = mean + 0.5 * acceleration * left
        numbers[END] += mean * left
        numbers[SHARE_LEFT] = left / h
    else:
        numbers[TARGET] = 0.0
        gain = max(-acceleration, 0.0) * left
        if gap > slight and -old < 0.5 * (old - free):
            # begins from rest: where more contacts press than determine the motion, its gap would be held open
            _close(numbers, free, h)
        elif speed * h > slight:
            numbers[SHARE_LEFT] = left / h * (speed + 0.5 * gain) / (speed + gain)


@kernel
def _close(numbers: Floats, free: float, h: float) -> None:
    """Let a gap close by the end of a step without coming to rest."""
    gap, old = numbers[GAP], numbers[OLD_RATE]
    numbers[TARGET] = -gap / h
    gain = numbers[TARGET] - free
    missing = numbers[END] - gap - 0.5 * (old + free) * h
    numbers[SHARE_LEFT] = min(max(missing / (gain * h), 0.0), 1.0) if gain > 0.0 else 0.5


@kernel
def _time_of_touch(gap: float, rate: float, acceleration: float) -> float:
    """Return when a gap closes; zero where it is closed and does not open, a very long time where it never closes."""
    if gap <= 0.0:
        if rate <= 0.0:
            return 0.0
        return -2.0 * rate / acceleration if acceleration < 0.0 else _INFINITE_TIME
    square = rate * rate - 2.0 * acceleration * gap
    if square < 0.0:
        return _INFINITE_TIME
    closing = math.sqrt(square) - rate
    return 2.0 * gap / closing if closing > 0.0 else _INFINITE_TIME
