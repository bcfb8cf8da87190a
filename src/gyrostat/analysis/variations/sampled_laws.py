"""Laws of sampled blocks, varied about an operating point.

The next value of a sampled variable varies as gains · δ(signals). Of a formula the only signal is the formula itself,
whose derivatives are exact; of a Python function they are the signals that it reads, with gains by central differences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.simulation.inputs import InputPlan, StateView
from gyrostat.analysis.simulation.sampler import SampleFailedError, called
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.states import Sampled
from gyrostat.system import System

_STEP = 6e-6
"""The step of central differences: the cube root of the rounding error."""
_KINK = 1e-3
"""Difference of one-sided derivatives, relative to one plus their size, above which a function has a kink."""
_HELD_VALUE_TOLERANCE = 1e-6
"""Difference between a held value and the value that its law gives, relative to their size, that counts as zero."""


@dataclass(frozen=True, eq=False)
class VariedLaw:
    """A sampled block: its variables, the signals that its law depends on, and the gains from these to those."""

    block: Sampled
    signals: tuple[str, ...]
    """Formulas of signals."""
    gains: Floats
    """Derivatives of the next values by the signals, shape (variables, signals)."""
    values: Floats | None
    """Next values at the operating point; None for formulas, whose signals they are."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The held value and the memory, by name."""
        return tuple(variable.name for variable in self.block.state_variables)

    def require_rest(self, point: OperatingPoint, signals: Mapping[str, float]) -> None:
        """Raise an error unless a sample at the operating point changes nothing; `signals` are values by name."""
        found = self.values if self.values is not None else [signals[name] for name in self.signals]
        for name, value in zip(self.variables, found, strict=True):
            held = float(point.states[name])
            if not abs(value - held) <= _HELD_VALUE_TOLERANCE * max(1.0, abs(value), abs(held)):
                raise StateError(
                    f"The sampled {name!r} is {held:.6g} at the operating point, and becomes {value:.6g} at the next "
                    "sample. Give the value that its law keeps: gs.equilibrium(…) finds it."
                )


def sampled_blocks(system: System) -> list[Sampled]:
    """Return the sampled blocks in their order in the model."""
    return [block for block in system.model.states.values() if isinstance(block, Sampled)]


def varied_laws(point: OperatingPoint) -> list[VariedLaw]:
    """Return the laws of all sampled blocks about an operating point."""
    return [
        _of_formulas(block) if isinstance(block.law, Formula) else _of_function(block, point)
        for block in sampled_blocks(point.system)
    ]


def _of_formulas(block: Sampled) -> VariedLaw:
    """Return the law of formulas; entries of the memory without an update keep their values."""
    kept = {f"{block.name}.{label}": f"{block.name}.{label}" for label in block.memory}
    new = {f"{block.name}.{label}": str(formula) for label, formula in block.update.items()}
    signals = tuple(f"({one})" for one in (block.law, *{**kept, **new}.values()))
    return VariedLaw(block, signals, np.eye(len(signals)), None)


class _ReadSignals(Mapping[str, float]):
    """Signals that record which of them were read, with changes of some."""

    def __init__(self, view: StateView, changed: Mapping[str, float]) -> None:
        self.view, self.changed = view, changed
        self.read: dict[str, float] = {}

    def __getitem__(self, name: str) -> float:
        self.read[name] = self.changed.get(name, self.view[name])
        return self.read[name]

    def __contains__(self, name: object) -> bool:
        return name in self.view

    def __iter__(self) -> Iterator[str]:
        return iter(self.view)

    def __len__(self) -> int:
        return len(self.view)


def _of_function(block: Sampled, point: OperatingPoint) -> VariedLaw:
    """Return the law of a Python function, called at the operating point and at small changes of each signal."""
    view = StateView(InputPlan(dict(point.inputs)), point.system, point.row)
    own = {f"{block.name}.{label}": label for label in block.memory}
    memory = {name: float(point.states[name]) for name in own}

    def next_values(changed: Mapping[str, float]) -> tuple[Floats, Mapping[str, float]]:
        signals = _ReadSignals(view, changed)
        kept = {label: changed.get(name, memory[name]) for name, label in own.items()}
        try:
            found = called(block, point.t, signals, kept)
        except SampleFailedError as error:
            raise StateError(f"At the operating point {error}") from error.__cause__
        return np.array(list(found.values())), signals.read

    values, read = next_values({})
    base = {**read, **memory}
    gains = np.zeros((len(values), len(base)))
    for i, (name, at) in enumerate(base.items()):
        step = _STEP * max(1.0, abs(at))
        above, below = (next_values({name: at + shift})[0] for shift in (step, -step))
        gains[:, i] = (above - below) / (2 * step)
        bend = np.abs(above - 2 * values + below) / step
        if not (bend <= _KINK * (1.0 + np.abs(gains[:, i]))).all():
            raise StateError(
                f"The law of sampled {block.name!r} has a kink or a jump in {name!r} at the operating point, where it "
                "has no derivative. Choose another point, or a smooth law."
            )
    return VariedLaw(block, tuple(f"({name})" for name in base), gains, values)
