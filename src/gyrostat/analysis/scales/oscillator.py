"""An oscillator: its coordinate's name and its natural frequency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gyrostat.analysis.scales.combination import Combination


@dataclass(frozen=True, init=False)
class Oscillator:
    """The coordinate x of x″ + ω² x = ….

    `frequency` is ω: a name, a rational multiple of one ("2*w1"), a number, or 0 for a mode without stiffness. `square`
    tells what ω² is where the frequency is a token for something else ("k/m"); it is used when numbers are put in.

    >>> Oscillator("x", "omega_x", square="k/m")
    Oscillator('x', omega_x, square='k/m')
    """

    name: str
    frequency: Combination
    square: Any

    def __init__(self, name: str, frequency: object, square: Any = None) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "frequency", Combination.of(frequency))
        object.__setattr__(self, "square", square)

    @property
    def is_free(self) -> bool:
        """Whether the frequency is zero: the coordinate drifts instead of oscillating."""
        return not self.frequency

    def __repr__(self) -> str:
        square = "" if self.square is None else f", square={str(self.square)!r}"
        return f"Oscillator({self.name!r}, {self.frequency}{square})"
