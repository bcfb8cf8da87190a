"""Functions of pairs of shapes in contact: one for each pair of kinds of shapes and laws, traced once.

A function takes the frames of both shapes (position, rotation row by row, velocity, angular velocity, in world axes),
three dimensions of each, and the values of the parameters that the laws name. It gives the smallest gap and the
smallest rate of a gap, the force on a, the moments on a and b about the origins of the shapes, and the normal force.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gyrostat.model.contacts import Indentation
from gyrostat.model.contacts.core import Block, Core
from gyrostat.model.contacts.nearest import Nearest, Pose
from gyrostat.model.contacts.pairs import PAIRS
from gyrostat.model.forces import Contacts
from gyrostat.model.formula import Formula
from gyrostat.model.friction import Sliding
from gyrostat.model.kinds import FormulaUse
from gyrostat.program import Program, load_or_compile
from gyrostat.recipes.digest import source_stamp
from gyrostat.scalar import Scalar, Scalars
from gyrostat.scalar.algebra import add
from gyrostat.scalar.tracing import in_turn
from gyrostat.spatial import ZERO, Matrix, Vector, cross, dot, minus, opposite, plus, scale

FRAME = 18
"""Numbers of a frame."""
DIMENSIONS = 3
"""Numbers of the dimensions of a shape."""


@dataclass(frozen=True)
class Law:
    """The laws of contacts of many pairs, as functions of pairs take them."""

    contacts: Contacts

    @property
    def parameters(self) -> tuple[str, ...]:
        """The parameters that the laws name, in alphabetic order."""
        uses = (use for use in self.contacts.all_uses if isinstance(use, FormulaUse))
        return tuple(sorted({name for use in uses for name in use.formula.names}))

    @property
    def key(self) -> str:
        """A text that determines the laws."""
        plain = self.contacts.to_plain()
        return json.dumps([plain.get("normal"), plain.get("friction"), self.parameters])

    def force(self, touch: Nearest, a: _Frame, b: _Frame, values: _Values) -> tuple[Vector, Scalar, Scalar]:
        """Return the force on a at a point of contact, its normal part, and the rate of the gap."""
        normal = touch.normal
        rate = dot(normal, minus(a.velocity_at(touch.point_a), b.velocity_at(touch.point_b)))
        found = self.contacts.normal.normal(Indentation(touch.gap, rate, 0, values.scalars, values))
        force = scale(found.force, normal)
        if self.contacts.friction is None:
            return force, found.force, rate
        relative = minus(a.velocity_at(touch.middle), b.velocity_at(touch.middle))
        sliding = minus(relative, scale(dot(normal, relative), normal))
        rubbing = Sliding(sliding, found.friction_load, (), values.scalars, values)
        x, y, z = self.contacts.friction.friction(rubbing).force
        return plus(force, (x, y, z)), found.force, rate


@dataclass(frozen=True)
class _Frame:
    """The frame of a shape and its motion."""

    pose: Pose
    velocity: Vector
    omega: Vector

    @staticmethod
    def of(entries: Sequence[Scalar]) -> _Frame:
        rows: Matrix = tuple(tuple(entries[3 + 3 * r : 6 + 3 * r]) for r in range(3))  # type: ignore[assignment]
        return _Frame(Pose(_triple(entries), rows), _triple(entries[12:]), _triple(entries[15:]))

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
    """Return the dimensions of a shape as functions of pairs take them."""
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
    return load_or_compile(key, lambda: _traced(law, a, b))


@in_turn
def _traced(law: Law, kind_a: type[Core], kind_b: type[Core]) -> Any:
    import casadi

    from gyrostat.scalar.traced import TracedScalars, column, symbols

    names = law.parameters
    x, entries = symbols("x", 2 * (FRAME + DIMENSIONS) + len(names))
    scalars, sizes = TracedScalars(), entries[2 * FRAME :]
    values = _Values(scalars, dict(zip(names, sizes[2 * DIMENSIONS :], strict=True)))
    a, b = _Frame.of(entries), _Frame.of(entries[FRAME:])
    cores = _core(kind_a, sizes), _core(kind_b, sizes[DIMENSIONS:])
    touches = PAIRS[kind_a, kind_b].touches(cores[0], a.pose, cores[1], b.pose, scalars)
    force, moment_a, moment_b, pressed = ZERO, ZERO, ZERO, 0
    rates: list[Scalar] = []
    for touch in touches:
        one, part, rate = law.force(touch, a, b, values)
        force, pressed = plus(force, one), add(pressed, part)
        moment_a = plus(moment_a, cross(minus(touch.middle, a.pose.position), one))
        moment_b = plus(moment_b, cross(minus(touch.middle, b.pose.position), opposite(one)))
        rates.append(rate)
    gap, rate = (_least(row, scalars) for row in ([touch.gap for touch in touches], rates))
    found = column([gap, rate, *force, *moment_a, *moment_b, pressed])
    return casadi.Function("pair", [x], [found], ["x"], ["found"])


def _least(values: list[Scalar], scalars: Scalars) -> Scalar:
    """Return the smallest of some values."""
    return values[0] if len(values) == 1 else scalars.call("min", tuple(values))
