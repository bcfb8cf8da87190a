"""A side of a contact: a place on a body, and the shapes by which it touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gyrostat.model.body import Body
from gyrostat.model.contacts.core import Ball, Core, HalfSpace, core_of, core_type
from gyrostat.model.contacts.nearest import ShapePose
from gyrostat.model.contacts.solid_shapes import simple_shapes
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.shapes import Group, Placement, Shape
from gyrostat.once import cached_property
from gyrostat.spatial import apply, plus, product

if TYPE_CHECKING:
    from gyrostat.model.forces import Motion


@dataclass(frozen=True)
class Side:
    """A side of a contact: a place on a body, and a shape in its axes; None for a point. A group has several shapes."""

    end: End
    shape: Shape | None = None

    @staticmethod
    def of(end: End, shape: Shape | None, body: object) -> Side:
        """Return a side with the shape that its body has: a surface by name, the only surface, or the solid."""
        if shape is not None or not isinstance(body, Body) or end.at is not None:
            return Side(end, shape)
        if end.name is not None:
            surface = body.surfaces.get(end.name)
            return Side(end) if surface is None else Side(End(body.name), surface)
        return Side(end, _only_shape(body))

    @cached_property
    def shapes(self) -> tuple[Shape | None, ...]:
        """The simple shapes, those in groups included; None for a point."""
        return (None,) if self.shape is None else tuple(simple_shapes((self.shape,)))

    @cached_property
    def cores(self) -> tuple[type[Core] | None, ...]:
        """The types of the cores of the simple shapes; None for shapes that contacts do not know."""
        return tuple(Ball if shape is None else core_type(shape) for shape in self.shapes)

    @property
    def is_plane(self) -> bool:
        """Whether the side is one plane."""
        return self.cores == (HalfSpace,)

    def placed(self, motion: Motion) -> list[tuple[Core, ShapePose]]:
        """Return the cores of the simple shapes with their numbers, and the poses of their frames."""
        pose = self._end(motion)
        if self.shape is None:
            return [(Ball(0), pose)]
        value = _evaluator(motion)
        found = _placed(self.shape, Placement(), value)
        return [(core_of(shape, value), _on(pose, placement)) for shape, placement in found]

    def frame(self, motion: Motion) -> ShapePose:
        """Return the pose of the frame of the shape, or of the group."""
        pose = self._end(motion)
        return pose if self.shape is None else _on(pose, self.shape.placement(_evaluator(motion)))

    def _end(self, motion: Motion) -> ShapePose:
        place = motion.end(self.end)
        return ShapePose(place.position, place.rotation)


def _evaluator(motion: Motion) -> Evaluator:
    return Evaluator(motion.scalars, lambda name: motion.evaluate(Formula.of(name)))


def _on(pose: ShapePose, placement: Placement) -> ShapePose:
    """Return the pose of a frame that is placed in another."""
    return ShapePose(plus(pose.position, apply(pose.R_WS, placement.r_BS_B)), product(pose.R_WS, placement.R_BS))


def _placed(shape: Shape, on: Placement, value: Evaluator) -> Iterator[tuple[Shape, Placement]]:
    """Yield the simple shapes with their placements."""
    placement = on.then(shape.placement(value))
    if isinstance(shape, Group):
        for member in shape.shapes:
            yield from _placed(member, placement, value)
    else:
        yield shape, placement


def _only_shape(body: Body) -> Shape | None:
    """Return the only surface of a body, or the shapes of its solid; None where it has several surfaces or none."""
    surfaces: tuple[Shape, ...] = tuple(body.surfaces.values())
    shapes = surfaces or body.solid_shapes()
    if len(shapes) > 1 and not surfaces:
        return Group(shapes)
    shape = shapes[0] if len(shapes) == 1 else None
    if isinstance(shape, Group) and len(shape.shapes) == 1 and not shape.turn:
        (member,) = shape.shapes
        if all(part.number == 0 for part in member.at):  # a solid whose mass centre is not the body's origin
            return replace(member, at=shape.at)
    return shape
