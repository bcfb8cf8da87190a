"""Numbers that differ from those of a system's own model: from its text, and from knobs that were moved since."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gyrostat.studio.rotation import VECTOR, euler_parameters

Moves = Mapping[tuple[str, str], float | tuple[float, ...]]
"""New values of knobs by kind and name; rotation vectors are moved as a whole."""


@dataclass(frozen=True)
class Overrides:
    """Values by name that differ from those of a system's own model."""

    parameters: Mapping[str, object] = field(default_factory=dict)
    initial: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, float] = field(default_factory=dict)
    leading: tuple[str, ...] = ()
    """The initial values of the knob that was moved last: where others contradict them, these count."""

    def with_moves(self, moves: Moves, last: tuple[str, str] | None = None) -> Overrides:
        """Return the overrides after moves of knobs; a rotation vector becomes the Euler parameters of its joint.

        `last` is the initial value or rotation vector that was moved last.
        """
        parameters = {name: value for (kind, name), value in moves.items() if kind == "parameter"}
        initial = {name: value for (kind, name), value in moves.items() if kind == "initial"}
        for (kind, name), value in moves.items():
            if kind == "rotation" and isinstance(value, tuple):
                initial |= euler_parameters(name.removesuffix(f".{VECTOR}"), value)
        leading: tuple[str, ...] = ()
        if last is not None:
            kind, name = last
            turned = tuple(euler_parameters(name.removesuffix(f".{VECTOR}"), (0, 0, 0)))
            leading = turned if kind == "rotation" else (name,)
        return Overrides({**self.parameters, **parameters}, {**self.initial, **initial}, self.inputs, leading)
