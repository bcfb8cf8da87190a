"""Functions of pairs of shapes in contact: one for each pair of kinds of shapes and laws, traced once.

A function takes the frames of both shapes (position, rotation row by row, velocity, angular velocity, in world axes),
three dimensions of each, for each point of contact whether it acts and what it remembers (speed of approach,
deflection of bristles in the axes of b), and the values of the parameters that the laws name. It gives the smallest gap
and the smallest rate of a gap, the force on a, the moments on a and b about the origins of the shapes, the normal
force, and for each point its gap, what it remembers if the contact begins now, and the rates of the deflection.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from gyrostat.lazy import LaterModule, later
from gyrostat.model.contacts import Indentation
from gyrostat.model.contacts.contact_pair import across_normal
from gyrostat.model.contacts.core import Block, Core, Facets, Surface
from gyrostat.model.contacts.features import Feature, FeatureMode, feature_touch
from gyrostat.model.contacts.nearest import Nearest, ShapePose
from gyrostat.model.contacts.pairs import PAIRS
from gyrostat.model.forces import Contacts
from gyrostat.model.formula import Formula
from gyrostat.model.friction import Sliding
from gyrostat.model.kinds import FormulaUse
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.digest import source_stamp
from gyrostat.recipes.kept_functions import FunctionSource, kept_program
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import negate, total
from gyrostat.scalar.tracing import in_turn
from gyrostat.spatial import ZERO, Vector, cross, dot, minus, plus, scale

if TYPE_CHECKING:
    import casadi

    from gyrostat.scalar import traced
else:
    casadi = LaterModule("casadi")
    (traced,) = later("gyrostat.scalar", "traced")

FRAME = 18
"""Numbers of a frame."""
DIMENSIONS = 3
"""Numbers of the dimensions of a shape."""
SIZES = 18
"""Numbers of the dimensions of both shapes, zeros behind them; or of the feature of a point."""
PAIR_RESULTS, POINT_RESULTS = 12, 8
"""Results of a pair: so many, and for each point so many."""
POINTS, POINT_ARGUMENTS = 8, 5
"""The largest number of points of contact, and the numbers that each takes."""


@dataclass(frozen=True)
class Law:
    """The laws of contacts of many pairs, as functions of pairs take them."""

    contacts: Contacts

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the laws name, in alphabetic order."""
        uses = (use for use in self.contacts.all_uses if isinstance(use, FormulaUse))
        return tuple(sorted({name for use in uses for name in use.formula.names}))

    @cached_property
    def key(self) -> str:
        """A text that determines the laws."""
        plain = self.contacts.to_plain()
        return json.dumps([plain.get("normal"), plain.get("friction"), plain.get("rolling"), self.parameters])

    @property
    def remembers(self) -> bool:
        """Whether points of contact remember the speed of approach, or the deflection of bristles."""
        friction = self.contacts.friction
        return self.contacts.normal.remembers or (friction is not None and friction.has_bristle)

    def point(self, touch: Nearest, frames: tuple[_Frame, _Frame], given: Sequence[Scalar], values: _Values) -> _Point:
        """Return the force at a point of contact; `given` is whether it acts, and what it remembers."""
        (a, b), n, scalars = frames, touch.normal, values.scalars
        rate = dot(n, minus(a.velocity_at(touch.point_a), b.velocity_at(touch.point_b)))
        found = self.contacts.normal.normal(Indentation(touch.gap, rate, given[1], scalars, values))
        force, moment, rates, begin = scale(found.force, n), ZERO, ZERO, ZERO
        if self.contacts.rolling is not None:
            moment = self.contacts.rolling.moment(minus(a.omega, b.omega), n, found.friction_load, scalars, values)
        friction = self.contacts.friction
        if friction is not None:
            axes = [b.pose.axis(k) for k in range(3)]
            relative = minus(a.velocity_at(touch.middle), b.velocity_at(touch.middle))
            sliding = minus(relative, scale(dot(n, relative), n))
            bristle = across_normal(list(given[2:]), axes, n) if friction.has_bristle else ()
            along = tuple(dot(sliding, axis) for axis in axes)
            rubbing = Sliding(along, found.friction_load, bristle, scalars, values)
            rubbed = friction.friction(rubbing)
            for part, axis in zip(rubbed.force, axes, strict=True):
                force = plus(force, scale(part, axis))
            if friction.has_bristle:
                rates, begin = _triple(rubbed.rates), _triple(friction.bristle_at_touch(rubbing))
        approach = scalars.call("max", (negate(rate), 0))
        acts = scalars.logic("and", (scalars.compare(">", given[0], 0), scalars.compare("<", touch.gap, 0)))

        def acting(x: Scalar) -> Scalar:
            return scalars.call("where", (acts, x, 0))

        vectors = [_triple([acting(x) for x in vector]) for vector in (force, moment, rates)]
        return _Point(touch, rate, acting(found.force), vectors[0], vectors[1], (approach, *begin), vectors[2])


class _Point(NamedTuple):
    """A point of contact: rate of the gap, normal force, force and moment on a, what it remembers, with its rates."""

    touch: Nearest
    rate: Scalar
    pressed: Scalar
    force: Vector
    moment: Vector
    begin: tuple[Scalar, ...]
    rates: Vector


@dataclass(frozen=True)
class _Frame:
    """The frame of a shape and its motion."""

    pose: ShapePose
    velocity: Vector
    omega: Vector

    @staticmethod
    def of(entries: Sequence[Scalar]) -> _Frame:
        rows = _triple(entries[3:]), _triple(entries[6:]), _triple(entries[9:])
        return _Frame(ShapePose(_triple(entries), rows), _triple(entries[12:]), _triple(entries[15:]))

    def velocity_at(self, point: Vector) -> Vector:
        return plus(self.velocity, cross(self.omega, minus(point, self.pose.position)))


def _triple(entries: Sequence[Scalar]) -> Vector:
    return (entries[0], entries[1], entries[2])


@dataclass(frozen=True)
class _Values:
    """The values of formulas of laws."""

    scalars: Scalars
    known: dict[str, Scalar]

    def __call__(self, formula: Formula, **variables: Scalar) -> Scalar:
        return formula.evaluate(self.scalars, {**self.known, **variables}.__getitem__)


def dimensions_of(core: Core) -> tuple[float, ...]:
    """Return the dimensions of a shape as functions of pairs take them; those of faces and triangles are none."""
    if isinstance(core, Facets | Surface):
        return (0.0,) * DIMENSIONS
    if isinstance(core, Block):
        return tuple(float(x) for x in core.half)
    found = tuple(float(x) for x in vars(core).values())
    return (*found, *(0.0,) * (DIMENSIONS - len(found)))


def _core(kind: type[Core], entries: Sequence[Scalar]) -> Core:
    """Return a shape with given dimensions."""
    if kind is Block:
        return Block(_triple(entries))
    made: Core = kind(*entries[: len(kind.__dataclass_fields__)])
    return made


def pair_program(law: Law, a: type[Core], b: type[Core]) -> Program:
    """Return the program of a pair of kinds of shapes, which `PAIRS` lists in this order."""
    key = f"pair {a.__name__} {b.__name__} {law.key} {source_stamp()}"
    return kept_program(FunctionSource(key, lambda: _traced(law, _PairTouches(a, b))))


def touch_program(a: type[Core], b: type[Core]) -> Program:
    """Return the program of gap, normal and place of each point of contact of a pair, in world axes.

    Its arguments are those of `pair_program`, of which it takes frames and dimensions.
    """
    return kept_program(
        FunctionSource(f"touch {a.__name__} {b.__name__} {source_stamp()}", lambda: _traced_touches(_PairTouches(a, b)))
    )


def point_program(law: Law, mode: FeatureMode) -> Program:
    """Return the program of a point of contact of two features, with the arguments and results of `pair_program`."""
    return kept_program(
        FunctionSource(f"point {mode.name} {law.key} {source_stamp()}", lambda: _traced(law, _FeatureTouch(mode)))
    )


def point_touch_program(mode: FeatureMode) -> Program:
    """Return the program of gap, normal and place of a point of contact of two features."""
    return kept_program(
        FunctionSource(f"point touch {mode.name} {source_stamp()}", lambda: _traced_touches(_FeatureTouch(mode)))
    )


def pair_block(law: Law, a: type[Core], b: type[Core]) -> Program:
    """Return the program of the derivatives of a pair's force, moments and rates, a full matrix column by column.

    Its arguments are those of `pair_program`; derivatives are those by both frames and by what each point remembers.
    """
    key = f"pair block {a.__name__} {b.__name__} {law.key} {source_stamp()}"
    return kept_program(FunctionSource(key, lambda: _traced_block(law, _PairTouches(a, b))))


@dataclass(frozen=True)
class _PairTouches:
    """The points of contact of a pair of kinds of shapes."""

    a: type[Core]
    b: type[Core]

    def __call__(self, sizes: Sequence[Scalar], a: ShapePose, b: ShapePose, scalars: Scalars) -> list[Nearest]:
        cores = _core(self.a, sizes), _core(self.b, sizes[DIMENSIONS:])
        return PAIRS[self.a, self.b].touches(cores[0], a, cores[1], b, scalars)


@dataclass(frozen=True)
class _FeatureTouch:
    """The point of contact of two features."""

    mode: FeatureMode

    def __call__(self, sizes: Sequence[Scalar], a: ShapePose, b: ShapePose, scalars: Scalars) -> list[Nearest]:
        return [feature_touch(self.mode, Feature.of(list(sizes)), a, b, scalars)]


_Touches = Callable[[Sequence[Scalar], ShapePose, ShapePose, Scalars], list[Nearest]]


@in_turn
def _traced_touches(form: _Touches) -> Any:
    x, entries = traced.symbols("x", 2 * FRAME + SIZES)
    a, b = _Frame.of(entries), _Frame.of(entries[FRAME:])
    touches = form(entries[2 * FRAME :], a.pose, b.pose, traced.TracedScalars())
    found = [entry for one in touches for entry in (one.gap, *one.normal, *one.middle)]
    return casadi.Function("touch", [x], [traced.column(found)], ["x"], ["found"])


@in_turn
def _traced(law: Law, form: _Touches) -> Any:
    names = law.parameters
    x, entries = traced.symbols("x", 2 * FRAME + SIZES + POINT_ARGUMENTS * POINTS + len(names))
    scalars, sizes = traced.TracedScalars(), entries[2 * FRAME :]
    given = sizes[SIZES:]
    values = _Values(scalars, dict(zip(names, given[POINT_ARGUMENTS * POINTS :], strict=True)))
    frames = a, b = _Frame.of(entries), _Frame.of(entries[FRAME:])
    touches = form(sizes, a.pose, b.pose, scalars)
    points = [
        law.point(one, frames, given[POINT_ARGUMENTS * i : POINT_ARGUMENTS * (i + 1)], values)
        for i, one in enumerate(touches)
    ]
    force, moment_a, moment_b = ZERO, ZERO, ZERO
    for point in points:
        force = plus(force, point.force)
        arms = [minus(point.touch.middle, one.pose.position) for one in frames]
        moment_a = plus(moment_a, plus(cross(arms[0], point.force), point.moment))
        moment_b = minus(moment_b, plus(cross(arms[1], point.force), point.moment))
    gap, rate = _least([one.gap for one in touches], scalars), _least([one.rate for one in points], scalars)
    whole = [gap, rate, *force, *moment_a, *moment_b, total([one.pressed for one in points])]
    each = [x for one in points for x in (one.touch.gap, *one.begin, *one.rates)]
    return casadi.Function("pair", [x], [traced.column([*whole, *each])], ["x"], ["found"])


@in_turn
def _traced_block(law: Law, form: _Touches) -> Any:
    x = casadi.SX.sym("x", 2 * FRAME + SIZES + POINT_ARGUMENTS * POINTS + len(law.parameters))
    found = _traced(law, form)(x)
    count = (found.numel() - PAIR_RESULTS) // POINT_RESULTS
    given = [2 * FRAME + SIZES + POINT_ARGUMENTS * i + 1 + k for i in range(count) for k in range(POINT_ARGUMENTS - 1)]
    rates = [PAIR_RESULTS + POINT_RESULTS * i + 5 + k for i in range(count) for k in range(3)]
    outputs = found[[*range(2, PAIR_RESULTS - 1), *rates]]
    block = casadi.jacobian(outputs, x)[:, [*range(2 * FRAME), *given]]
    return casadi.Function("block", [x], [casadi.vec(casadi.densify(block))], ["x"], ["block"])


def _least(values: list[Scalar], scalars: Scalars) -> Scalar:
    """Return the smallest of some values."""
    return values[0] if len(values) == 1 else scalars.call("min", tuple(values))
