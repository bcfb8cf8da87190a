"""A mechanism seen as weakly nonlinear oscillators: values of its tokens, and the way back to its own coordinates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gyrostat.analysis.scales.excitation import names_in
from gyrostat.analysis.scales.expansion_point import ExpansionPoint
from gyrostat.analysis.scales.mechanism_reference import reference_motion
from gyrostat.analysis.scales.modal import Modes
from gyrostat.analysis.scales.ordering import ChosenOrdering
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.taylor import Chart
from gyrostat.analysis.scales.term import RATE
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import StateError
from gyrostat.model.formula import TIME
from gyrostat.model.names import did_you_mean
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing, evaluate, numeric_function, to_sympy
from gyrostat.system import System


@dataclass(frozen=True, eq=False, repr=False)
class Mechanism:
    """A mechanism about its equilibrium, as oscillators of order one: q = equilibrium + ε^amplitude Σ shape × x.

    As the mechanism stands, ε is one: powers of it only tell what is small.
    """

    system: System
    ring: ExactRing
    point: ExpansionPoint
    independent: tuple[str, ...]
    """The coordinates that modes are made of; others follow by constraints."""
    chart: Chart
    """All coordinates, speeds and accelerations as series in the oscillators."""
    ordering: ChosenOrdering
    modes: Modes
    tokens: Mapping[str, Scalar]
    """What further names in coefficients stand for: cos_alpha, and frequencies such as Omega_1."""
    oscillators: Oscillators
    order: int
    """The order in ε that the terms reach."""
    definitions: Mapping[str, str]
    """What all tokens stand for: shapes, modal masses, frequencies."""
    parameters: Mapping[str, object] = field(default_factory=dict)
    """Values that differ from the model's."""
    inputs: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def values(self, parameters: Mapping[str, float] | None = None) -> dict[str, float]:
        """Return values of parameters and tokens, with some parameters changed."""
        own = self.system.model.parameters
        changed = {name: value for name, value in (parameters or {}).items() if name in own}
        known = {**dict.fromkeys(own, 1.0), **self.system.model.values({**self.parameters, **changed})}
        known |= self.modes.values(known)
        return known | {name: evaluate(element, known) for name, element in self.tokens.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the mechanism's coordinates."""
        return self.system.coordinate_names

    def coordinates(
        self, modal: Mapping[str, Any], values: Mapping[str, float] | None = None, small: float = 1.0, t: Any = 0.0
    ) -> dict[str, Floats]:
        """Return the mechanism's coordinates, and rates and accelerations as far as those of all oscillators are given.

        `modal` has values of oscillators by name, name.rate and name.acc, as numbers or arrays; `t` are the times where
        constraints move. Coordinates that follow by constraints are series to the order of the terms.
        """
        known = {**(self.values() if values is None else values), TIME: t}
        step = small ** float(self.ordering.amplitude)
        found: dict[str, Floats] = {}
        speeds = self.system.speed_names
        for symbols in (self.names, speeds, tuple(acceleration_name(name) for name in speeds)):
            names = [name for name in self.chart.symbols if name in modal]
            arguments = {**known, **{name: np.asarray(modal[name], dtype=float) for name in names}}
            series = [self.chart.series[symbol] for symbol in symbols]
            if any(names_in(part) - arguments.keys() for parts in series for part in parts):
                break
            flat = numeric_function([part for parts in series for part in parts], list(arguments))(*arguments.values())
            size = len(series[0])
            for i, symbol in enumerate(symbols):
                found[symbol] = np.asarray(
                    sum(part * step**g for g, part in enumerate(flat[size * i : size * (i + 1)]))
                )
        return found

    def modal(
        self, coordinates: Mapping[str, float], values: Mapping[str, float] | None = None, small: float = 1.0
    ) -> dict[str, float]:
        """Return oscillators and rates from independent coordinates; those not given are at the equilibrium."""
        known = self.values() if values is None else values
        everything = [name + suffix for name in self.independent for suffix in ("", RATE)]
        for name in coordinates:
            if name not in everything:
                raise StateError(f"There is no independent coordinate {name!r}. {did_you_mean(name, everything)}")
        shapes = self.shapes(known) * small ** float(self.ordering.amplitude)
        centre = [evaluate(self.point.centre[name], known) for name in self.independent]
        off = [float(coordinates.get(n, rest)) - rest for n, rest in zip(self.independent, centre, strict=True)]
        rates = [float(coordinates.get(name + RATE, 0.0)) for name in self.independent]
        found: dict[str, float] = {}
        for suffix, column in (("", off), (RATE, rates)):
            solved = np.linalg.solve(shapes, np.array(column))
            found |= {mode.name + suffix: float(x) for mode, x in zip(self.modes.modes, solved, strict=True)}
        return found

    def shapes(self, values: Mapping[str, float]) -> Floats:
        """Return mode shapes in numbers: a row for each independent coordinate, a column for each oscillator."""
        return np.array([[evaluate(entry, values) for entry in row] for row in self.modes.shapes], dtype=float)

    def solution(self, scales: Any, name: str) -> Any:
        """Return a coordinate of the mechanism as a function of time (SymPy), from the solutions of the oscillators."""
        if name not in self.names:
            raise StateError(f"There is no coordinate {name!r}. {did_you_mean(name, self.names)}")
        i, amplitude = (
            self.names.index(name),
            scales.notation.small ** scales.notation.sympy.Rational(self.ordering.amplitude),
        )
        total = _written(self.point.centre[name])
        for mode in self.modes.modes:
            if (shape := _written(mode.shape[i])) != 0:
                total += shape * amplitude * scales.solution(mode.name)
        return total

    def reference(
        self, scales: Any, values: Mapping[str, float] | None = None
    ) -> Callable[[float, Floats, Mapping[str, float]], Floats]:
        """Return the motion of the mechanism's own equations in terms of the oscillators, for certificates."""

        def motion(small: float, times: Floats, initial: Mapping[str, float]) -> Floats:
            return reference_motion(self, small, times, initial, scales.values(values, small))

        return motion

    @property
    def summary(self) -> str:
        """Equilibrium, ordering with its reasons, and definitions of tokens."""
        centre = ", ".join(f"{name} = {self._told(value)}" for name, value in self.point.centre.items())
        lines = [f"{self.system.model.name!r} about its equilibrium {centre}"]
        lines += [f"  {line}" for line in (*self.ordering.reasons, *self.notes)]
        return "\n".join([*lines, *(f"  {name} = {text}" for name, text in self.definitions.items())])

    def _told(self, value: Scalar) -> str:
        return str(value) if self.point.exact or isinstance(value, Element) else f"{float(value):.6g}"

    def __repr__(self) -> str:
        return f"Mechanism({self.system.model.name!r}, {self.oscillators!r})"

    def __str__(self) -> str:
        return f"{self.summary}\n{self.oscillators}"


def _written(value: Scalar) -> Any:
    """Return a scalar of the exact engine as SymPy."""
    return to_sympy(value)
