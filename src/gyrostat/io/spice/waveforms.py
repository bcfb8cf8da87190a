"""Waveforms of sources: SIN, PULSE and PWL as formulas of time and tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gyrostat.errors import Fault, FormulaError
from gyrostat.model.formula import Formula
from gyrostat.model.inputs.law import Law
from gyrostat.model.inputs.table import of_numbers

_LAST_TIME: Final = 1e9
"""The time up to which the last value of a piecewise linear source holds (s)."""


def waveform(kind: str, values: Sequence[Formula]) -> Law:
    """Return the law of a source; `kind` is SIN, PULSE or PWL in lower case."""
    return _WAVEFORMS[kind](list(values))


def _sine(values: list[Formula]) -> Law:
    """Return V_O + V_A exp(−θ (t − T_D)) sin(2π f (t − T_D) + φ), before T_D its value there."""
    if len(values) < 3:
        raise _short("SIN", "offset, amplitude and frequency")
    offset, amplitude, frequency, delay, damping, phase = _texts(values, 6)
    time = "t" if delay == "0" else f"max(t - {delay}, 0)"
    decay = "" if damping == "0" else f"*exp(-{damping}*{time})"
    shift = "" if phase == "0" else f" + {phase}*deg"
    return Formula.of(f"{offset} + {amplitude}{decay}*sin(2*pi*{frequency}*{time}{shift})")


def _pulse(values: list[Formula]) -> Law:
    """Return a pulse from V_1 to V_2 with delay, rise, fall, width and period; one pulse without a period."""
    if len(values) < 2:
        raise _short("PULSE", "two values")
    low, high, delay, rise, fall, width, period = _texts(values, 7)
    since = "t" if delay == "0" else f"(t - {delay})"
    if period != "0":
        since = f"({since} - {period}*floor({since}/{period}))"
    parts = [] if rise == "0" else [(rise, f"{low} + ({high} - {low})*{since}/{rise}")]
    if width == "0" and period == "0":
        found = high
    else:
        parts.append((f"{rise} + {width}", high))
        if fall != "0":
            ramp = f"{high} + ({low} - {high})*({since} - {rise} - {width})/{fall}"
            parts.append((f"{rise} + {width} + {fall}", ramp))
        found = low
    for end, value in reversed(parts):
        found = f"where({since} < {end}, {value}, {found})"
    return Formula.of(f"where(t < {delay}, {low}, {found})" if delay != "0" else found)


def _piecewise_linear(values: list[Formula]) -> Law:
    """Return a table of the pairs of times and values; the first and last value hold before and after."""
    if len(values) < 2 or len(values) % 2 or any(one.number is None for one in values):
        raise FormulaError([Fault("PWL", "its times and values are no pairs of numbers.", "Write PWL(t1 v1 t2 v2 …).")])
    numbers = [float(one.number or 0) for one in values]
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    if pairs[0][0] > 0:
        pairs.insert(0, (0.0, pairs[0][1]))
    pairs.append((max(_LAST_TIME, 2 * pairs[-1][0]), pairs[-1][1]))
    return of_numbers([time for time, _ in pairs], [value for _, value in pairs])


def _texts(values: list[Formula], count: int) -> list[str]:
    """Return values as parts of a formula, zero for those that are not given."""
    found = [
        "0" if one.number == 0 else str(one) if (one.number or 0) > 0 or str(one).isidentifier() else f"({one})"
        for one in values
    ]
    return [*found, *["0"] * count][:count]


def _short(kind: str, needed: str) -> FormulaError:
    return FormulaError([Fault(kind, "it has too few values.", f"Give at least {needed}.")])


_WAVEFORMS: dict[str, Callable[[list[Formula]], Law]] = {"sin": _sine, "pulse": _pulse, "pwl": _piecewise_linear}

WAVEFORMS = frozenset(_WAVEFORMS)
"""The kinds of waveforms."""
