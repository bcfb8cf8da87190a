"""A mechanism as weakly nonlinear oscillators: values of tokens, its own coordinates, reference motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import sympy

from gyrostat.analysis.assembly.assemble import assemble
from gyrostat.analysis.integrators import DOP853
from gyrostat.analysis.scales.excitation import names_in
from gyrostat.analysis.scales.expansion_point import ExpansionPoint
from gyrostat.analysis.scales.modal import ExactModes
from gyrostat.analysis.scales.ordering import ChosenOrdering
from gyrostat.analysis.scales.oscillators import Oscillators
from gyrostat.analysis.scales.taylor import Chart
from gyrostat.analysis.scales.term import RATE
from gyrostat.analysis.simulation.simulate import simulate
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.errors import StateError
from gyrostat.model.formula import TIME
from gyrostat.model.names import did_you_mean
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, ExactRing, evaluate, numeric_function, to_sympy
from gyrostat.system import System

_CONSISTENCY_TOLERANCE = 1e-9
_FREQUENCY_TOLERANCE = 1e-7
_RELATIVE_TOLERANCE, _ABSOLUTE_TOLERANCE = 1e-12, 1e-14


@dataclass(frozen=True, eq=False, repr=False)
class Mechanism:
    """A mechanism about its equilibrium, as oscillators of order one: q = equilibrium + ε^amplitude Σ shape × x.

    For the mechanism as given, ε is one: its powers only order the terms.
    """

    system: System
    ring: ExactRing
    point: ExpansionPoint
    independent: tuple[str, ...]
    """The independent coordinates; others follow from the constraints."""
    chart: Chart
    """All coordinates, speeds and accelerations as series in the oscillators."""
    ordering: ChosenOrdering
    modes: ExactModes
    tokens: Mapping[str, Scalar]
    """Definitions of further names in coefficients: cos_alpha, and frequencies such as Omega_1."""
    oscillators: Oscillators
    order: int
    """The order in ε that the terms reach."""
    definitions: Mapping[str, str]
    """Definitions of all tokens: shapes, modal masses, frequencies."""
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
        """Return the mechanism's coordinates; also rates and accelerations if those of all oscillators are given.

        `modal` has values of oscillators by name, name.rate and name.acc, as numbers or arrays; `t` are the times where
        constraints move. Dependent coordinates are series to the order of the terms.
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
        """Return numerical mode shapes: a row for each independent coordinate, a column for each oscillator."""
        return np.array([[evaluate(entry, values) for entry in row] for row in self.modes.shapes], dtype=float)

    def solution(self, scales: Any, name: str) -> Any:
        """Return a coordinate of the mechanism as a function of time (SymPy), from the solutions of the oscillators."""
        if name not in self.names:
            raise StateError(f"There is no coordinate {name!r}. {did_you_mean(name, self.names)}")
        i, amplitude = (
            self.names.index(name),
            scales.notation.small ** sympy.Rational(self.ordering.amplitude),
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
        centre = ", ".join(f"{name} = {self._text(value)}" for name, value in self.point.centre.items())
        lines = [f"{self.system.model.name!r} about its equilibrium {centre}"]
        lines += [f"  {line}" for line in (*self.ordering.reasons, *self.notes)]
        return "\n".join([*lines, *(f"  {name} = {text}" for name, text in self.definitions.items())])

    def _text(self, value: Scalar) -> str:
        return str(value) if self.point.exact or isinstance(value, Element) else f"{float(value):.6g}"

    def __repr__(self) -> str:
        return f"Mechanism({self.system.model.name!r}, {self.oscillators!r})"

    def __str__(self) -> str:
        return f"{self.summary}\n{self.oscillators}"


def _written(value: Scalar) -> Any:
    """Return a scalar of the exact engine as SymPy."""
    return to_sympy(value)


def scaled_parameters(mechanism: Mechanism, small: float, values: Mapping[str, float]) -> dict[str, float]:
    """Return the mechanism's parameters at a value of ε: small ones are multiplied by their powers of it.

    `values` gives parameters that differ, small ones as they are where ε is one, and frequencies where a detuning
    changes them: natural ones change the parameters that are written by them.
    """
    model = mechanism.system.model
    known = mechanism.values(values)
    found = {name: known[name] for name in model.parameters if known[name] != mechanism.values()[name]}
    natural = {mode.frequency for mode in mechanism.modes.modes if mode.frequency}
    tuned = {**known, **{name: value for name, value in values.items() if name in natural}}
    for name, formula in mechanism.modes.eliminated.items():
        value = evaluate(formula, tuned)
        if abs(value - known[name]) > _CONSISTENCY_TOLERANCE * abs(known[name]):
            found[name] = tuned[name] = value
    _check_frequencies(mechanism, mechanism.values(found), values, natural)
    return found | {name: known[name] * mechanism.ordering.scale(name, small) for name in mechanism.ordering.powers}


def _check_frequencies(
    mechanism: Mechanism, own: Mapping[str, float], values: Mapping[str, float], natural: set[str]
) -> None:
    """Raise an error for detunings that no parameter can represent."""
    for name in (natural | mechanism.tokens.keys()) & values.keys():
        if abs(own[name] - values[name]) > _FREQUENCY_TOLERANCE * abs(own[name]):
            raise StateError(
                f"The frequency {name} would have to be {values[name]:.6g} instead of {own[name]:.6g} at this ε, and "
                "no parameter represents it alone. Choose parameters for which the resonance is exact, and declare it "
                f'as such: "{name} = …".'
            )


def reference_motion(
    mechanism: Mechanism, small: float, times: Floats, initial: Mapping[str, float], values: Mapping[str, float]
) -> Floats:
    """Return the oscillators' positions (oscillators × times) from the mechanism's equations, at a value of ε.

    Oscillators without stiffness drift, and have their speeds in place of positions.
    `initial` has positions and rates of order one; the mechanism starts from ε^amplitude times them.
    """
    parameters = scaled_parameters(mechanism, small, values)
    known = mechanism.values(parameters)
    modes = mechanism.modes.modes
    start = {mode.name + suffix: initial.get(mode.name + suffix, 0.0) for mode in modes for suffix in ("", RATE)}
    run = simulate(
        mechanism.system,
        times=times,
        initial=_start(mechanism, mechanism.coordinates(start, known, small), {**mechanism.parameters, **parameters}),
        inputs=mechanism.inputs,
        parameters={**mechanism.parameters, **parameters},
        integrator=DOP853(rtol=_RELATIVE_TOLERANCE, atol=_ABSOLUTE_TOLERANCE),
        progress=False,
    )
    if not run.status.success:
        status = run.status
        raise StateError(
            f"The mechanism could not be simulated for the comparison beyond t = {status.time:g} s: "
            f"{status.outcome.value}. Take smaller motions, or a shorter duration."
        )
    names = mechanism.independent
    centre = np.array([evaluate(mechanism.point.centre[name], known) for name in names])
    shapes = mechanism.shapes(known) * small ** float(mechanism.ordering.amplitude)
    positions = np.linalg.solve(shapes, np.array([run[name].values for name in names]) - centre[:, None])
    speeds = np.linalg.solve(shapes, np.array([run[name + RATE].values for name in names]))
    return np.where(np.array([[mode.is_free] for mode in modes]), speeds, positions)


def _start(mechanism: Mechanism, values: Mapping[str, Floats], parameters: Mapping[str, object]) -> dict[str, float]:
    """Return an initial state that obeys all constraints and has the independent coordinates and rates given."""
    numbers = {name: float(value) for name, value in values.items()}
    for place in mechanism.system.coordinates.euler_parameters.values():
        four = mechanism.names[place : place + 4]
        length = np.linalg.norm([numbers[name] for name in four])
        numbers |= {name: float(numbers[name] / length) for name in four}
    if not mechanism.system.constrained:
        return numbers
    kept = [name + suffix for name in mechanism.independent for suffix in ("", RATE)]
    guess = {name: value for name, value in numbers.items() if name not in kept}
    found = assemble(mechanism.system, {name: numbers[name] for name in kept}, guess=guess, parameters=parameters)
    return found.state
