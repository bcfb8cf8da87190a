"""Rope on a drum in layers: how much is paid out by an angle, and at which radius."""

from __future__ import annotations

from dataclasses import dataclass

from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add, divide, multiply, negate, square, subtract, total


@dataclass(frozen=True)
class DrumLayers:
    """A drum that is full at the angle zero; its outermost layer is paid out first.

    Rope crosses over from layer to layer on half a turn, a quarter before and after the layer is paid out, or on the
    whole layer where that is less; the radius changes evenly. Beyond the last layer, and before the first, it stays.
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
        """Return the length of rope that has left the drum at an angle: ∫ r dθ.

        That is r₁ θ, and at each change of layers −d max(x, 0) beyond the crossover and −d y²/(2 w) within its angle w.
        """
        whole = multiply(self._radius(0), angle)
        for k in range(1, self.layers):
            y, w, beyond = self._crossover(k, angle, scalars)
            whole = subtract(whole, multiply(self.diameter, add(beyond, divide(square(y), multiply(2, w)))))
        return whole

    def radius_at(self, angle: Scalar, scalars: Scalars) -> Scalar:
        """Return the radius at which the rope leaves the drum at an angle."""
        falls: list[Scalar] = []
        for k in range(1, self.layers):
            y, w, _ = self._crossover(k, angle, scalars)
            falls.append(negate(multiply(self.diameter, divide(y, w))))
        return add(self._radius(0), total(falls))

    def wound(self, angle: Scalar, scalars: Scalars) -> tuple[Scalar, Scalar]:
        """Return the length of rope that is left on the drum at an angle, and ∫ r² ds over it."""
        whole = multiply(self.layers, self.angle)
        length = subtract(self.paid_out(whole, scalars), self.paid_out(angle, scalars))
        return length, subtract(self._cubes(whole, scalars), self._cubes(angle, scalars))

    def _cubes(self, angle: Scalar, scalars: Scalars) -> Scalar:
        """Return ∫ r³ dθ from zero to an angle."""
        cubes = [multiply(radius, square(radius)) for radius in map(self._radius, range(self.layers))]
        whole, d = multiply(cubes[0], angle), self.diameter
        for k in range(1, self.layers):
            y, w, beyond = self._crossover(k, angle, scalars)
            R, x = self._radius(k - 1), divide(multiply(d, y), w)  # the radius before, and what it has lost
            within = subtract(multiply(square(x), subtract(R, divide(x, 4))), multiply(multiply(1.5, square(R)), x))
            whole = add(whole, add(multiply(within, y), multiply(subtract(cubes[k], cubes[k - 1]), beyond)))
        return whole

    def _crossover(self, k: int, angle: Scalar, scalars: Scalars) -> tuple[Scalar, Scalar, Scalar]:
        """Return the angle passed within the crossover to layer k, its whole angle, and the angle passed beyond."""
        width = scalars.call("min", (scalars.pi(), self.angle))
        begun = add(subtract(angle, multiply(k, self.angle)), divide(width, 2))
        within = scalars.call("min", (scalars.call("max", (begun, 0)), width))
        return within, width, scalars.call("max", (subtract(begun, width), 0))
