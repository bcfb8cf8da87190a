"""A joint closed by springs and dampers in the place of constraints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces.force_element import ForceElement, ForceOutput, Load, Motion, PointLoad
from gyrostat.model.formula import Formula
from gyrostat.model.joints import JOINTS, Joint, Mode, Pose
from gyrostat.model.kinds import Naming, Path, Plain, Quantity, QuantityKind, Schema, Use
from gyrostat.model.place import Place
from gyrostat.model.record import value
from gyrostat.model.shapes.dimensioned import Dimensioned
from gyrostat.scalar import Scalar
from gyrostat.scalar.algebra import add, multiply, negate, square, total
from gyrostat.scalar.tangents import Tangent, TangentScalars, as_tangent
from gyrostat.spatial import UNIT, ZERO, Vector, apply, cross, minus, opposite, plus, product, skew, transpose

_TYPE = "type"
_TWISTS = tuple(
    [Mode("unit", angular=UNIT[axis]) for axis in "xyz"] + [Mode("unit", linear=UNIT[axis]) for axis in "xyz"]
)
"""Unit twists of the child, in its axes."""


class _Closure(NamedTuple):
    """Closure residuals of a joint at an instant, their rates, their gradient by twists of the child, and weights."""

    residuals: Sequence[Scalar]
    rates: Sequence[Scalar]
    gradient: Sequence[Sequence[Scalar]]
    weights: Sequence[Scalar]

    @property
    def square(self) -> Scalar:
        """The weighted sum of squares of the residuals."""
        return total([multiply(w, square(g)) for w, g in zip(self.weights, self.residuals, strict=True)])


@dataclass(frozen=True)
class JointKind:
    """A joint within another component, which a file writes as {type: Revolute, parent: …, child: …, axis: z}."""

    def read(self, value: object, place: Place) -> Joint | None:
        """Read a joint."""
        if isinstance(value, Joint):
            return value
        kind = JOINTS.get(str(value.get(_TYPE))) if isinstance(value, Mapping) else None
        if kind is None or not isinstance(value, Mapping):
            place.report(
                "it is not a joint.", f"Write {{type: …, parent: …, child: …}}; types: {', '.join(JOINTS.tags)}."
            )
            return None
        fields = {key: content for key, content in value.items() if key != _TYPE}
        return kind.from_plain(fields, place, name="joint")

    def write(self, value: Joint) -> Plain:
        """Return the type and the fields."""
        return {_TYPE: type(value).__name__, **value.to_plain()}

    def schema(self) -> Schema:
        """Return the schema."""
        return {"type": "object", "properties": {_TYPE: {"enum": list(JOINTS.tags)}}, "required": [_TYPE]}

    def uses(self, value: Joint, path: Path = ()) -> Iterable[Use]:
        """Return the references and formulas."""
        return value.uses(path)

    def renamed(self, value: Joint, naming: Naming) -> Joint:
        """Return the joint with other names in its references."""
        return value.renamed(naming)


@dataclass(frozen=True)
class CompliantJoint(ForceElement, Dimensioned):
    """A joint whose constraints are springs and dampers: `formulate(model, closing=gs.Compliant(…))` makes them.

    Each closure residual g of the joint has the potential ½ k g² and the damping c ġ, with the exact gradient of g, so
    that the element is conservative without damping at any gap. Residuals that are angles have the stiffness
    k·length² and the damping c·length². The joint's coordinates are free.

    >>> import gyrostat as gs
    >>> soft = gs.CompliantJoint("pin", gs.Revolute("joint", "ground", "bar.tip", axis="z"), 1e6, 1e3)
    >>> soft.joint.child.body
    'bar'
    """

    stores_energy: ClassVar[bool] = True
    dissipates: ClassVar[bool] = True
    positive: ClassVar[tuple[str, ...]] = ("stiffness", "length")
    not_negative: ClassVar[tuple[str, ...]] = ("damping",)
    outputs: ClassVar[Mapping[str, ForceOutput]] = {
        "force": ForceOutput(3, "N", "force on the child"),
        "moment": ForceOutput(3, "N·m", "moment on the child, about its end"),
        "gap": ForceOutput(1, "m", "norm of the closure residuals, angles times the length", kinematic=True),
    }
    joint: Joint = value(JointKind(), doc="the joint")
    stiffness: Quantity = value(QuantityKind(), doc="stiffness against displacements (N/m)")
    damping: Quantity = value(QuantityKind(), 0, doc="damping against displacements (N·s/m)")
    length: Quantity = value(QuantityKind(), 1, doc="lever by which coefficients hold for angles (m)", keyword=True)

    def loads(self, motion: Motion) -> Iterator[Load]:
        """Yield the load on the child, and its reaction on the parent where the child's end is."""
        force, moment = self._load_on_child(motion)
        arm = minus(motion.end(self.joint.child).position, motion.end(self.joint.parent).position)
        yield PointLoad(self.joint.child, force, moment)
        yield PointLoad(self.joint.parent, opposite(force), opposite(plus(moment, cross(arm, force))))

    def _load_on_child(self, motion: Motion) -> tuple[Vector, Vector]:
        """Return force and moment on the child, in world axes."""
        closure = self._closure(motion)
        stiffness, damping = motion.evaluate(self.stiffness), motion.evaluate(self.damping)
        sizes = [
            negate(multiply(weight, add(multiply(stiffness, g), multiply(damping, rate))))
            for g, rate, weight in zip(closure.residuals, closure.rates, closure.weights, strict=True)
        ]
        along = [
            total([multiply(size, row[k]) for size, row in zip(sizes, closure.gradient, strict=True)]) for k in range(6)
        ]
        R_WC = motion.end(self.joint.child).rotation
        return apply(R_WC, (along[3], along[4], along[5])), apply(R_WC, (along[0], along[1], along[2]))

    def potential(self, motion: Motion) -> Scalar:
        """Return the energy of the springs."""
        return multiply(0.5, multiply(motion.evaluate(self.stiffness), self._closure(motion).square))

    def observed(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the load on the child and the gap."""
        force, moment = self._load_on_child(motion)
        return {"force": force, "moment": moment, **self.measured(motion)}

    def measured(self, motion: Motion) -> Mapping[str, Scalar | Vector]:
        """Return the gap."""
        return {"gap": motion.scalars.call("sqrt", (self._closure(motion).square,))}

    @property
    def dampers(self) -> tuple[Quantity, ...]:
        """The damping coefficient."""
        return (self.damping,)

    @property
    def laws(self) -> tuple[Quantity, ...]:
        """None beside springs and dampers."""
        return ()

    def _closure(self, motion: Motion) -> _Closure:
        return motion.once(f"{self.name}.closure", lambda: self._formed(motion))

    def _formed(self, motion: Motion) -> _Closure:
        parent, child = motion.end(self.joint.parent), motion.end(self.joint.child)
        R_PW, R_CW = transpose(parent.rotation), transpose(child.rotation)
        arm = minus(child.position, parent.position)
        pose = Pose(product(R_PW, child.rotation), apply(R_PW, arm))
        sliding = minus(minus(child.velocity, parent.velocity), cross(parent.omega, arm))
        twist = (*apply(R_CW, minus(child.omega, parent.omega)), *apply(R_CW, sliding))
        plain = Evaluator(motion.scalars, lambda name: motion.evaluate(Formula.of(name)))
        directions = self.joint.reaction_space(pose, plain)
        columns = [self._varied(pose, plain, unit) for unit in _TWISTS]
        gradient = [[column[i].slope for column in columns] for i in range(len(directions))]
        rates = [total([multiply(a, b) for a, b in zip(row, twist, strict=True)]) for row in gradient]
        lever = square(motion.evaluate(self.length))
        weights = [lever if mode.linear == ZERO else 1 for mode in directions]
        return _Closure([one.value for one in columns[0]], rates, gradient, weights)

    def _varied(self, pose: Pose, plain: Evaluator, twist: Mode) -> list[Tangent]:
        """Return the residuals with their derivatives along a twist of the child, in its own axes."""
        turned = product(pose.R_PC, skew(twist.angular))
        moved = apply(pose.R_PC, twist.linear)
        rows = [_tangents(row, change) for row, change in zip(pose.R_PC, turned, strict=True)]
        value = Evaluator(TangentScalars(plain.scalars), plain.lookup)
        varied = Pose((rows[0], rows[1], rows[2]), _tangents(pose.r_PC_P, moved))
        return [as_tangent(one) for one in self.joint.closure(varied, value)]


def _tangents(x: Vector, dx: Vector) -> Vector:
    """Return a vector with its differential."""
    return Tangent(x[0], dx[0]), Tangent(x[1], dx[1]), Tangent(x[2], dx[2])
