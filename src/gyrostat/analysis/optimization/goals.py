"""Goals and limits of an optimisation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from gyrostat.analysis.optimization.design import DesignPoint
from gyrostat.analysis.optimization.quantities import DesignQuantity
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import StateError


class Goal(ABC):
    """A contribution to the cost function."""

    quantity: DesignQuantity

    @abstractmethod
    def cost(self, design: DesignPoint) -> tuple[float, Floats]:
        """Return the cost and its gradient."""


@dataclass(frozen=True)
class Minimize(Goal):
    """Minimise a quantity."""

    quantity: DesignQuantity

    def cost(self, design: DesignPoint) -> tuple[float, Floats]:
        """Return the quantity."""
        return self.quantity.value(design), self.quantity.gradient(design)


@dataclass(frozen=True)
class Maximize(Goal):
    """Maximise a quantity."""

    quantity: DesignQuantity

    def cost(self, design: DesignPoint) -> tuple[float, Floats]:
        """Return minus the quantity."""
        return -self.quantity.value(design), -self.quantity.gradient(design)


@dataclass(frozen=True)
class Target(Goal):
    """Bring a quantity to a value: the cost is the square of its relative deviation."""

    quantity: DesignQuantity
    wanted: float

    def cost(self, design: DesignPoint) -> tuple[float, Floats]:
        """Return the square of the relative deviation."""
        size = abs(self.wanted) or 1.0
        off = (self.quantity.value(design) - self.wanted) / size
        return off * off, 2 * off / size * self.quantity.gradient(design)


@dataclass(frozen=True)
class Limit:
    """Bounds of a quantity; each is optional."""

    quantity: DesignQuantity
    least: float | None = None
    most: float | None = None

    def __post_init__(self) -> None:
        if self.least is None and self.most is None:
            raise StateError(f"The limit of {self.quantity} has no bounds. Give least=…, most=…, or both.")
        if self.least is not None and self.most is not None and self.least > self.most:
            raise StateError(f"The limit of {self.quantity} is from {self.least:g} to {self.most:g}. Exchange them.")

    def met(self, value: float) -> bool:
        """Tell whether a value is within the bounds, up to rounding."""
        slack = 1e-6 * max(abs(value), 1e-12)
        low = self.least is None or value >= self.least - slack
        return low and (self.most is None or value <= self.most + slack)

    def __str__(self) -> str:
        bounds = (("≥", self.least), ("≤", self.most))
        return f"{self.quantity} {' and '.join(f'{sign} {bound:g}' for sign, bound in bounds if bound is not None)}"
