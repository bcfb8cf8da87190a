"""Rope on a drum in layers: how much is paid out by an angle, and at which radius."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, multiply, negate, subtract, total


@dataclass(frozen=True)
class DrumLayers:
    """A drum that is full at the angle zero; its outermost layer is paid out first.

    Beyond the last layer, and before the first, the radius stays what it is there.
    """

    radius: Scalar
    """The radius of the rope's centre line in the innermost layer."""
    layers: int
    angle: Scalar
    """The angle of a full layer, of several."""
    diameter: Scalar
    """The diameter of the rope, by which layers differ in radius."""

    def _radius(self, layer: int) -> Scalar:
        """Return the radius of a layer, counted from the outermost one."""
        return add(self.radius, multiply(self.layers - 1 - layer, self.diameter))

    def paid_out(self, angle: Scalar, scalars: Scalars) -> Scalar:
        """Return the length of rope that has left the drum at an angle: r₁ θ and −d max(θ − θ_k, 0) at each change."""
        whole = multiply(self._radius(0), angle)
        for k in range(1, self.layers):
            beyond = scalars.call("max", (subtract(angle, multiply(k, self.angle)), 0))
            whole = subtract(whole, multiply(self.diameter, beyond))
        return whole

    def radius_at(self, angle: Scalar, scalars: Scalars) -> Scalar:
        """Return the radius at which the rope leaves the drum at an angle."""
        steps: list[Scalar] = []
        for k in range(1, self.layers):
            passed = scalars.compare(">", subtract(angle, multiply(k, self.angle)), 0)
            steps.append(scalars.call("where", (passed, negate(self.diameter), 0)))
        return add(self._radius(0), total(steps))
