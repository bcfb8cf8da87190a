"""Shapes on the grounds of subsystems, which the bodies at their places carry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gyrostat.model.body import Body
from gyrostat.model.frame import Frame
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.model.record import Component
from gyrostat.model.shapes import Group, Shape
from gyrostat.model.subsystems.subsystem import Subsystem


def add_ground_shapes(components: dict[str, Component], subsystems: Iterable[Subsystem]) -> None:
    """Add the shapes on the ground of each subsystem to the body of its place, among the components by name."""
    for subsystem in subsystems:
        shapes = subsystem.ground_shapes
        host = components.get(subsystem.at.body)
        if host is None and subsystem.at.body == GROUND:
            host = Body(GROUND)
        if shapes and isinstance(host, Body):
            drawn = (*host.solid_shapes(), *_placed(shapes, subsystem.at, host))
            components[host.name] = replace(host, shape=drawn)


def _placed(shapes: tuple[Shape, ...], at: End, host: Body) -> tuple[Shape, ...]:
    """Return shapes at a place on a body: in groups, one for each frame that it stands on."""
    place = at.name if at.at is None else at.at
    while place is not None:
        if isinstance(place, str) and place in host.frames:
            place = host.frames[place]
        frame = (
            place if isinstance(place, Frame) else Frame(host.points.get(place) if isinstance(place, str) else place)
        )
        shapes = (Group(shapes, at=frame.at, turn=frame.turn),)
        place = frame.on
    return shapes
