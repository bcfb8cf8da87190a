"""Signals: every number that a formula about a moving system may name, and how it is read from the motion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TypeAlias

from gyrostat.coordinates import Coordinates
from gyrostat.errors import StateError
from gyrostat.kinematics.world import WorldMotion
from gyrostat.model.forces import ForceElement
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.scalar import Scalar

AXES = ("x", "y", "z")
"""The components of a vector in world axes, as they are named."""

Reader: TypeAlias = Callable[[WorldMotion], Scalar]


def signal_readers(coordinates: Coordinates) -> dict[str, Reader]:
    """Return for the name of every signal how it is read.

    Signals are parameters, time, inputs, coordinates with their rates and speeds; positions and velocities of bodies,
    points and frames, angular velocities of bodies (`bar.x`, `bar.tip.velocity.y`, `bar.omega.z`); and outputs of
    forces (`spring.length`, `push.force.x`). Where a body has a free rotor called x, `bar.x` is the rotor's angle.
    """
    model = coordinates.topology.model
    found: dict[str, Reader] = dict(_of_places(coordinates))
    for name, force in model.forces.items():
        found.update(_of_force(name, force))
    for name in (*coordinates.measures, *coordinates.speed_names, *coordinates.chord_speeds):
        found[name] = partial(WorldMotion.quantity, name=name)
    for name in coordinates.measures:
        found[f"{name}.rate"] = partial(WorldMotion.quantity, name=f"{name}.rate")
    for name in model.inputs:
        found[name] = partial(WorldMotion.input, name=name)
    for name in model.parameters:
        found[name] = partial(_parameter, name)
    found[TIME] = _time
    return found


def signal_value(motion: WorldMotion, formula: Formula, readers: Mapping[str, Reader]) -> Scalar:
    """Return the value of a formula over signals."""
    return formula.evaluate(motion.scalars, lambda name: readers[name](motion))


def check_signals(readers: Mapping[str, Reader], formula: Formula, what: str) -> None:
    """Raise an error if a name in a formula is no signal; `what` is the formula's owner: "input 'motor'"."""
    for name in sorted(formula.names - readers.keys()):
        if f"{name}.x" in readers:
            fact, remedy = "is a vector", f"Use a component: {', '.join(f'{name}.{axis}' for axis in AXES)}."
        else:
            fact, remedy = "is not known", did_you_mean(name, readers)
        raise StateError(f"The formula {formula!s:.60} of {what} refers to {name!r}, which {fact}. {remedy}")


def _parameter(name: str, motion: WorldMotion) -> Scalar:
    return motion.tree.value.lookup(name)


def _time(motion: WorldMotion) -> Scalar:
    return motion.state.t


def _of_places(coordinates: Coordinates) -> Iterator[tuple[str, Reader]]:
    """Yield positions and velocities of the frames, points and further frames of all bodies, and angular velocities."""
    model = coordinates.topology.model
    for body in (model.ground, *(body for body in model.bodies.values() if body.name != GROUND)):
        for end in (End(body.name), *(End(body.name, place) for place in (*body.points, *body.frames))):
            for i, axis in enumerate(AXES):
                yield f"{end}.{axis}", partial(_component_of_place, end, "position", i)
                yield f"{end}.velocity.{axis}", partial(_component_of_place, end, "velocity", i)
                if end.name is None:
                    yield f"{end}.omega.{axis}", partial(_component_of_place, end, "omega", i)


def _component_of_place(end: End, quantity: str, i: int, motion: WorldMotion) -> Scalar:
    return getattr(motion.end(end), quantity)[i]


def _of_force(name: str, force: ForceElement) -> Iterator[tuple[str, Reader]]:
    for output, declared in force.outputs.items():
        if declared.size == 1:
            yield f"{name}.{output}", partial(_observed, force, output)
        else:
            for i, axis in enumerate(AXES):
                yield f"{name}.{output}.{axis}", partial(_component_observed, force, output, i)


def _observed(force: ForceElement, output: str, motion: WorldMotion) -> Scalar:
    return force.observed(motion)[output]


def _component_observed(force: ForceElement, output: str, i: int, motion: WorldMotion) -> Scalar:
    return force.observed(motion)[output][i]
