"""Quantities of a design, each with its exact gradient by the parameters that vary."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.linear.sensitivities.response import response_at
from gyrostat.analysis.optimization.design import Design, Task
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.scalar import FloatScalars
from gyrostat.scalar.jets import Jet, JetScalars, as_jet


class DesignQuantity(ABC):
    """A number that a design has; a contributor writes its value and its gradient."""

    @abstractmethod
    def value(self, design: Design) -> float:
        """Return the number."""

    @abstractmethod
    def gradient(self, design: Design) -> Floats:
        """Return its derivatives by the parameters that vary."""

    def check(self, task: Task) -> None:
        """Raise an error where a name is not known."""
        del task


@dataclass(frozen=True)
class ModeFrequency(DesignQuantity):
    """The undamped frequency of a mode in Hz; modes are numbered at the start and recognised from then on."""

    mode: int

    def value(self, design: Design) -> float:
        """Return |λ|/2π."""
        return design.mode(self.mode).undamped_frequency

    def gradient(self, design: Design) -> Floats:
        """Return its derivatives."""
        return design.sensitivity(self.mode).undamped_frequency

    def __str__(self) -> str:
        return f"frequency of mode {self.mode} (Hz)"


@dataclass(frozen=True)
class ModeDamping(DesignQuantity):
    """The damping ratio of a mode."""

    mode: int

    def value(self, design: Design) -> float:
        """Return −Re λ/|λ|."""
        return design.mode(self.mode).damping_ratio

    def gradient(self, design: Design) -> Floats:
        """Return its derivatives."""
        return design.sensitivity(self.mode).damping_ratio

    def __str__(self) -> str:
        return f"damping ratio of mode {self.mode}"


@dataclass(frozen=True)
class StaticPosition(DesignQuantity):
    """A coordinate at equilibrium (rad or m)."""

    coordinate: str

    def check(self, task: Task) -> None:
        """Refuse names of no coordinate."""
        if self.coordinate not in task.system.coordinate_names:
            hint = did_you_mean(self.coordinate, task.system.coordinate_names)
            raise StateError(f"There is no coordinate {self.coordinate!r} to have a static position. {hint}")

    def value(self, design: Design) -> float:
        """Return the coordinate."""
        return float(design.point.q[self._place(design)])

    def gradient(self, design: Design) -> Floats:
        """Return its derivatives."""
        _, places = design.work.places(design.task.vary)
        return np.asarray(design.work.pencil.point_jacobian["q"][self._place(design), places])

    def _place(self, design: Design) -> int:
        return design.task.system.coordinate_names.index(self.coordinate)

    def __str__(self) -> str:
        return f"{self.coordinate} at equilibrium"


@dataclass(frozen=True)
class ResponsePeak(DesignQuantity):
    """The largest response of a coordinate or speed to an input in a band of frequencies (Hz)."""

    input: str
    output: str
    band: tuple[float, float]
    points: int = 40
    """The number of frequencies that are looked at before the peak is refined."""

    def check(self, task: Task) -> None:
        """Refuse a band that is none."""
        low, high = self.band
        if not 0 <= low < high:
            raise StateError(f"The band of frequencies is {self.band}. Give (low, high) in Hz, 0 ≤ low < high.")
        if self.input not in task.inputs:
            raise StateError(f"The input {self.input!r} of a response must be among inputs=[…] of the optimisation.")

    def value(self, design: Design) -> float:
        """Return |G| at the peak."""
        return self._size(design, self._peak(design))

    def gradient(self, design: Design) -> Floats:
        """Return its derivatives; that the peak moves does not count, for there the response is stationary."""
        found = design.linear.response_sensitivity(self.input, self.output, [self._peak(design)], design.task.vary)
        response, slopes = complex(found["response"].values[0]), found["sensitivity"].values[0]
        return np.asarray((response.conjugate() * slopes).real / abs(response))

    def _size(self, design: Design, frequency: float) -> float:
        return abs(response_at(design.work, self.input, self.output, frequency)[0])

    def _rise(self, design: Design, frequency: float) -> float:
        """Return by how much the response rises with the frequency, in terms of its size."""
        response, slope = response_at(design.work, self.input, self.output, frequency)
        return (response.conjugate() * slope).real / abs(response) ** 2

    def _peak(self, design: Design) -> float:
        """Return the frequency of the largest response: where it neither rises nor falls, or an end of the band."""
        from scipy.optimize import brentq

        low, high = self.band
        near = [mode.frequency for mode in design.modes if low < mode.frequency < high]
        tried = np.sort(np.concatenate((np.linspace(low, high, self.points), near)))
        found = design.linear.response_sensitivity(self.input, self.output, tried, ())
        best = int(np.argmax(np.abs(found["response"].values)))
        left, right = float(tried[max(best - 1, 0)]), float(tried[min(best + 1, len(tried) - 1)])
        if self._rise(design, left) <= 0 or self._rise(design, right) >= 0:
            return float(tried[best])
        return float(brentq(lambda f: self._rise(design, f), left, right, xtol=1e-14, rtol=1e-14))

    def __str__(self) -> str:
        return f"peak of {self.output} by {self.input}, {self.band[0]:g} to {self.band[1]:g} Hz"


@dataclass(frozen=True)
class ParameterFormula(DesignQuantity):
    """A formula over parameters, such as the mass of all parts: "m1 + m2"."""

    formula: str

    def check(self, task: Task) -> None:
        """Refuse names of no parameter."""
        known = task.system.model.parameters
        for name in sorted(Formula.of(self.formula).names - set(known)):
            hint = did_you_mean(name, known)
            raise StateError(f"The formula {self.formula!r} uses {name!r}, which is no parameter. {hint}")

    def value(self, design: Design) -> float:
        """Return the value."""
        return Formula.of(self.formula).value(design.task.system.model.values(design.parameters))

    def gradient(self, design: Design) -> Floats:
        """Return its derivatives, by jets."""
        values = design.task.system.model.values(design.parameters)
        formula = Formula.of(self.formula)

        def slope(varied: str) -> float:
            found = formula.evaluate(
                JetScalars(FloatScalars()), lambda name: Jet(values[name], 1.0 if name == varied else 0.0)
            )
            return float(as_jet(found).rate)

        return np.array([slope(name) for name in design.task.vary])

    def __str__(self) -> str:
        return self.formula
