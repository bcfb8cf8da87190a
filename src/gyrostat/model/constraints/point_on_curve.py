"""A point on a curve or surface."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gyrostat.model.constraints.constraint import Constraint, ConstraintRow
from gyrostat.model.constraints.geometry import seen_from
from gyrostat.model.forces import Motion
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End, EndKind, ListKind, Quantity, QuantityKind, Scope
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import divide
from gyrostat.scalar.jets import Jet, JetScalars, as_jet
from gyrostat.spatial import Vector, apply, dot, minus, transpose

_AXES = ("x", "y", "z")
_PLACE = Scope(variables=frozenset(_AXES))


@dataclass(frozen=True)
class PointOnCurve(Constraint):
    """A point on a curve or surface fixed in a body, such as a pin in the slot of a cam.

    The curve is the zero set of one or two formulas of x, y, z, the point's coordinates in the axes of `curve`: one
    formula gives a surface, which suffices in a planar mechanism, two give a space curve. A curve y(x) is "y − …", a
    cam with radius r(φ) is "hypot(x, y) − …" with atan2(y, x) for φ. The gradient of a formula must not vanish on the
    curve. The multipliers are the forces on the point along the surfaces' normals, in the direction of increase.

    >>> import gyrostat as gs
    >>> slot = gs.PointOnCurve("slot", "pin", "cam", ["y - x**2"])
    """

    point: End = value(EndKind(), doc="the point")
    curve: End = value(EndKind(), doc="the frame of the equations; the curve is fixed in its body")
    equations: tuple[Quantity, ...] = value(
        ListKind(QuantityKind(_PLACE)), doc="one or two formulas of x, y, z that are zero on the curve"
    )

    def validate(self, place: Place) -> None:
        """Require one or two equations that depend on the position of the point."""
        if len(self.equations) not in (1, 2):
            remedy = "A surface, or a curve in a plane, has one equation; a curve in space has two."
            place.inside("equations").report(f"it has {len(self.equations)} equations.", remedy)
        for i, equation in enumerate(self.equations):
            if equation.names.isdisjoint(_AXES):
                fact = f"{equation!s:.60} does not depend on x, y or z."
                place.inside("equations").inside(i).report(fact, "Write a formula that is zero on the curve.")

    def rows(self, motion: Motion) -> Iterator[ConstraintRow]:
        """Yield for each surface the distance from it, to first order, and its time derivative."""
        curve, point = motion.end(self.curve), motion.end(self.point)
        r_CP_C = seen_from(curve, point)
        sliding = apply(transpose(curve.rotation), minus(point.velocity, curve.velocity_at(point.position)))
        for number, equation in enumerate(self.equations, 1):
            level, gradient = _with_gradient(equation, r_CP_C, motion)
            steepness = motion.scalars.call("sqrt", (dot(gradient, gradient),))
            yield ConstraintRow(
                self.name,
                f"force along normal {number}" if len(self.equations) > 1 else "force along the normal",
                residual=divide(level, steepness),
                speed=divide(dot(gradient, sliding), steepness),
            )


def _with_gradient(equation: Formula, r: Vector, motion: Motion) -> tuple[Scalar, Vector]:
    """Return the value of a formula of x, y, z and its gradient."""
    found = []
    for i in range(3):
        variables = {axis: Jet(r[k], int(k == i)) for k, axis in enumerate(_AXES)}

        def lookup(name: str, variables: dict[str, Jet] = variables) -> Scalar:
            return variables[name] if name in variables else Jet(motion.evaluate(Formula.of(name)))

        found.append(as_jet(equation.evaluate(JetScalars(motion.scalars), lookup)))
    x, y, z = found
    return x.value, (x.rate, y.rate, z.rate)
