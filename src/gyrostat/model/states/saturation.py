"""Limits of a controller's output, and anti-windup by back-calculation."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.model.forces import Motion
from gyrostat.model.kinds import ListKind, OptionalKind, Quantity, QuantityKind
from gyrostat.model.place import Place
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, divide, subtract

LIMITS = OptionalKind(ListKind(QuantityKind()))
"""The kind of a field with a lower and an upper limit, or None."""


@dataclass(frozen=True)
class Saturation:
    """A lower and an upper limit of a controller's output v, which becomes u = min(max(v, lower), upper).

    While the output is at a limit, the integral of the error e would go on growing. Back-calculation lets it follow
    what the limits let pass: d/dt ∫ = e + (u − v)/(K_i T_t) (Åström and Hägglund 2006, section 3.5).
    """

    limits: tuple[Quantity, ...] | None
    tracking: Quantity | None
    """The tracking time T_t; None for the integral time K_p/K_i."""

    def clipped(self, motion: Motion, output: Scalar) -> Scalar:
        """Return the output within the limits."""
        if self.limits is None:
            return output
        lower, upper = (motion.evaluate(limit) for limit in self.limits)
        return motion.scalars.call("min", (motion.scalars.call("max", (output, lower)), upper))

    def integral_rate(
        self, motion: Motion, error: Scalar, output: Scalar, proportional: Quantity, integral: Quantity
    ) -> Scalar:
        """Return the rate of the integral of the error, whose gain is `integral`."""
        if self.limits is None:
            return error
        excess = subtract(self.clipped(motion, output), output)
        gain = motion.evaluate(proportional)
        if self.tracking is not None:
            gain = motion.evaluate(integral) * motion.evaluate(self.tracking)
        return add(error, divide(excess, gain))

    def check(self, place: Place, proportional: Quantity, integral: Quantity) -> None:
        """Report limits that are no pair or in the wrong order, and gains without which nothing can track."""
        if self.limits is None:
            if self.tracking is not None:
                place.inside("tracking").report("there are no limits to track.", "Give limits=(lower, upper).")
            return
        if len(self.limits) != 2:
            place.inside("limits").report(f"{len(self.limits)} limits are given.", "Write (lower, upper).")
            return
        lower, upper = (limit.number for limit in self.limits)
        if lower is not None and upper is not None and not lower < upper:
            place.inside("limits").report(f"{lower} is not below {upper}.", "Write (lower, upper).")
        if integral.number == 0:
            place.inside("integral").report("it is zero, so that nothing winds up.", "Use min and max in a formula.")
        if proportional.number == 0 and self.tracking is None:
            fact = "with a proportional gain of zero the tracking time has no default."
            place.inside("tracking").report(fact, "Give tracking=… (s).")
