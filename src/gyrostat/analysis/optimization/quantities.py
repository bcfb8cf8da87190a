"""Quantities of a design with exact gradients with respect to the varied parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gyrostat.analysis.linear.sensitivities.response import response_at
from gyrostat.analysis.optimization.design import DesignPoint, DesignTask
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.model.names import did_you_mean
from gyrostat.scalar import FloatScalars
from gyrostat.scalar.jets import Jet, JetScalars, as_jet

if TYPE_CHECKING:
    from scipy import optimize
else:
    (optimize,) = later("scipy", "optimize")


class DesignQuantity(ABC):
    """A scalar quantity of a design; a subclass defines its value and its gradient."""

    @abstractmethod
    def value(self, design: DesignPoint) -> float:
        """Return the value."""

    @abstractmethod
    def gradient(self, design: DesignPoint) -> Floats:
        """Return its derivatives with respect to the varied parameters."""

    def check(self, task: DesignTask) -> None:
        """Raise an error for unknown names."""
        del task


@dataclass(frozen=True)
class ModeFrequency(DesignQuantity):
    """The undamped frequency of a mode in Hz; modes are numbered at the start and tracked by their shapes."""

    mode: int

    def value(self, design: DesignPoint) -> float:
        """Return |λ|/2π."""
        return design.mode(self.mode).undamped_frequency

    def gradient(self, design: DesignPoint) -> Floats:
        """Return its derivatives."""
        return design.sensitivity(self.mode).undamped_frequency

    def __str__(self) -> str:
        return f"frequency of mode {self.mode} (Hz)"


@dataclass(frozen=True)
class ModeDamping(DesignQuantity):
    """The damping ratio of a mode."""

    mode: int

    def value(self, design: DesignPoint) -> float:
        """Return −Re λ/|λ|; of a first design whose mode does not oscillate, raise an error: it is 1 all around."""
        mode = design.mode(self.mode)
        if design.before is None and not mode.oscillates:
            raise StateError(
                f"Mode {self.mode} of the initial design does not oscillate. Its damping ratio is "
                f"{mode.damping_ratio:g} whatever the parameters near it are, so that no search can begin there. Start "
                f"from other values of {', '.join(map(repr, design.task.vary))} (parameters={{…}}), or choose another "
                "mode."
            )
        return mode.damping_ratio

    def gradient(self, design: DesignPoint) -> Floats:
        """Return its derivatives."""
        return design.sensitivity(self.mode).damping_ratio

    def __str__(self) -> str:
        return f"damping ratio of mode {self.mode}"


@dataclass(frozen=True)
class StaticPosition(DesignQuantity):
    """A coordinate, or any other output that is a number, at equilibrium: "a1", "bar.tip.y", "spring.force"."""

    coordinate: str

    def check(self, task: DesignTask) -> None:
        """Raise an error if the output is unknown, or a vector."""
        table = task.system.signal_table
        if table.find_scalar(self.coordinate) is None:
            hint = table.suggestion(self.coordinate, scalars=True)
            raise StateError(f"There is no number {self.coordinate!r} among the outputs at equilibrium. {hint}")

    def value(self, design: DesignPoint) -> float:
        """Return the output."""
        return float(design.point[self.coordinate])

    def gradient(self, design: DesignPoint) -> Floats:
        """Return its derivatives."""
        _, places = design.work.places(design.task.vary)
        return design.work.pencil.output_gradient(self.coordinate)[places]

    def __str__(self) -> str:
        return f"{self.coordinate} at equilibrium"


@dataclass(frozen=True)
class ResponsePeak(DesignQuantity):
    """The largest response of an output to an input in a band of frequencies (Hz).

    The output is any signal of numbers, such as `seat.acc.z`, or a formula; the input any that `linearize` takes.
    """

    input: str
    output: str
    band: tuple[float, float]
    points: int = 40
    """Number of sampled frequencies before the peak is refined."""

    def check(self, task: DesignTask) -> None:
        """Raise an error for an invalid band, or an unknown input or output."""
        low, high = self.band
        if not 0 <= low < high:
            raise StateError(f"The band of frequencies is {self.band}. Give (low, high) in Hz, 0 ≤ low < high.")
        task.system.output_variation(self.output)

    def value(self, design: DesignPoint) -> float:
        """Return |G| at the peak."""
        return self._size(design, self._peak(design))

    def gradient(self, design: DesignPoint) -> Floats:
        """Return its derivatives; the shift of the peak has no effect, because the response is stationary there."""
        found = design.linear.response_sensitivity(self.input, self.output, [self._peak(design)], design.task.vary)
        response, derivatives = complex(found["response"].values[0]), found["sensitivity"].values[0]
        return np.asarray((response.conjugate() * derivatives).real / abs(response))

    def _size(self, design: DesignPoint, frequency: float) -> float:
        return abs(response_at(design.work, self.input, self.output, frequency)[0])

    def _rise(self, design: DesignPoint, frequency: float) -> float:
        """Return the derivative of the response's size by frequency, relative to its size."""
        response, derivative = response_at(design.work, self.input, self.output, frequency)
        return (response.conjugate() * derivative).real / abs(response) ** 2

    def _peak(self, design: DesignPoint) -> float:
        """Return the frequency of the largest response: a stationary point, or an end of the band."""
        low, high = self.band
        near = [mode.frequency for mode in design.modes if low < mode.frequency < high]
        tried = np.sort(np.concatenate((np.linspace(low, high, self.points), near)))
        found = design.linear.response_sensitivity(self.input, self.output, tried, ())
        best = int(np.argmax(np.abs(found["response"].values)))
        left, right = float(tried[max(best - 1, 0)]), float(tried[min(best + 1, len(tried) - 1)])
        if self._rise(design, left) <= 0 or self._rise(design, right) >= 0:
            return float(tried[best])
        return float(optimize.brentq(lambda f: self._rise(design, f), left, right, xtol=1e-14, rtol=1e-14))

    def __str__(self) -> str:
        return f"peak of {self.output} by {self.input}, {self.band[0]:g} to {self.band[1]:g} Hz"


@dataclass(frozen=True)
class ParameterFormula(DesignQuantity):
    """A formula over parameters, such as the mass of all parts: "m1 + m2"."""

    formula: str

    def check(self, task: DesignTask) -> None:
        """Raise an error for unknown parameters."""
        known = task.system.model.parameters
        for name in sorted(Formula.of(self.formula).names - set(known)):
            hint = did_you_mean(name, known)
            raise StateError(f"The formula {self.formula!r} uses {name!r}, which is no parameter. {hint}")

    def value(self, design: DesignPoint) -> float:
        """Return the value."""
        return Formula.of(self.formula).value(design.task.system.model.values(design.parameters))

    def gradient(self, design: DesignPoint) -> Floats:
        """Return its derivatives, by jets."""
        values = design.task.system.model.values(design.parameters)
        formula = Formula.of(self.formula)

        def derivative(varied: str) -> float:
            found = formula.evaluate(
                JetScalars(FloatScalars()), lambda name: Jet(values[name], 1.0 if name == varied else 0.0)
            )
            return float(as_jet(found).rate)

        return np.array([derivative(name) for name in design.task.vary])

    def __str__(self) -> str:
        return self.formula
