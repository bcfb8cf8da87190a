"""Names of signals that follow from a model alone: those that laws may use, and those that follow from the forces.

`signals.table` has their definitions. Checks of a model need no more than the names, and have no choice of coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gyrostat.lazy import LaterClass, later
from gyrostat.model.body import Body
from gyrostat.model.joints import Joint
from gyrostat.model.names import GROUND, SEEN_FROM
from gyrostat.once import cached_property

if TYPE_CHECKING:
    from gyrostat.model.flexible import beam_outputs
    from gyrostat.model.flexible.station_arm import StationArm
    from gyrostat.model.model import Model
else:
    (beam_outputs,) = later("gyrostat.model.flexible", "beam_outputs")
    StationArm = LaterClass("gyrostat.model.flexible.station_arm", "StationArm")

_AXES = ("x", "y", "z")
_MATRIX = tuple(row + column for row in _AXES for column in _AXES)
_ANGLES = ("roll", "pitch", "yaw")


class SignalNames:
    """The names of the numbers among the signals of a model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._bodies = {GROUND: model.ground, **model.bodies}

    @cached_property
    def _station_arms(self) -> tuple[StationArm, ...]:
        """The arms to stations of beams."""
        return tuple(joint for joint in self._model.joints.values() if isinstance(joint, StationArm))

    @cached_property
    def quantities(self) -> frozenset[str]:
        """Coordinates, speeds, rates of coordinates, inputs, states and outputs of blocks."""
        outputs = (name for block in self._model.states.values() for name in block.outputs)
        return self.motion | self._model.state_variables.keys() | frozenset(outputs)

    @cached_property
    def motion(self) -> frozenset[str]:
        """Coordinates, speeds, rates of coordinates and inputs."""
        joints = self._model.joints.values()
        return frozenset(
            (
                *(name for joint in joints for name in (*joint.coordinate_names, *joint.speed_names)),
                *(f"{name}.rate" for joint in joints for name in joint.coordinate_names),
                *(name + rate for name in self._rotors for rate in ("", ".rate")),
                *self._model.inputs,
            )
        )

    @cached_property
    def laws(self) -> frozenset[str]:
        """All that a state determines: laws of force elements may use these names."""
        model = self._model
        found = {
            *self.quantities,
            *(name for body in self._bodies.values() for name in _of_body(body)),
            *(name for joint in model.joints.values() if _turns(joint) for name in _rotation(joint.name)),
            *(name for arm in self._station_arms for name in beam_outputs.beam_output_names(arm)),
        }
        for force in model.forces.values():
            sizes = {"power": 1, **({"energy": 1} if force.stores_energy else {})}
            sizes |= {label: output.size for label, output in force.all_outputs.items()}
            for label, size in sizes.items():
                found |= set(_vector(f"{force.name}.{label}")) if size == 3 else {f"{force.name}.{label}"}
        return frozenset((*found, *self._measures(found)))

    @cached_property
    def derived(self) -> frozenset[str]:
        """Accelerations, and loads of constraints, joints and drivers, which follow from the forces."""
        model, joints = self._model, self._model.joints.values()
        places = [end for body in self._bodies.values() for end in _places(body)]
        coordinates = [*(name for joint in joints for name in joint.coordinate_names), *self._rotors]
        loads = [f"{joint.name}{part}" for joint in joints for part in ("", ".reaction")]
        return (
            frozenset(
                (
                    *(f"{name}.{suffix}" for name in coordinates for suffix in ("acc", "acceleration")),
                    *(f"{name}.rate" for joint in joints for name in joint.speed_names if not name.endswith(".rate")),
                    *(x for name in places for suffix in ("acc", "acceleration") for x in _vector(f"{name}.{suffix}")),
                    *(x for name in model.bodies if name != GROUND for x in _vector(f"{name}.alpha")),
                    *(x for name in loads for part in ("force", "moment") for x in _vector(f"{name}.{part}")),
                    *(
                        f"{joint.full_name(label)}.{word}"
                        for joint in joints
                        for label in joint.driven
                        for word in _LOADS
                    ),
                    *(f"{name}.force" for name in model.constraints),
                    *(name for arm in self._station_arms for name in beam_outputs.section_force_names(arm)),
                    *model.measures,
                )
            )
            - self.laws
        )

    def is_relative(self, name: str) -> bool:
        """Tell whether a name is a component of the motion of one place as seen from another."""
        seen, _, base = name.partition(SEEN_FROM)
        of, _, axis = base.rpartition(".")
        places = self._place_names
        return axis in _AXES and seen in places and (of in places or of.removesuffix(".velocity") in places)

    @cached_property
    def _place_names(self) -> frozenset[str]:
        return frozenset(place for body in self._bodies.values() for place in _places(body))

    @property
    def _rotors(self) -> list[str]:
        bodies = self._bodies.values()
        return [f"{body.name}.{rotor.name}" for body in bodies for rotor in body.rotors if rotor.free]

    def _measures(self, known: Iterable[str]) -> set[str]:
        """Return the measures that use known names, parameters and time alone, or others of these measures."""
        given, found = {*known, *self._model.parameters, "t"}, set[str]()
        pending = self._model.measures
        while formed := [
            name
            for name, measure in pending.items()
            if all(one in given or self.is_relative(one) for one in measure.formula.names)
        ]:
            found.update(formed)
            given.update(formed)
            pending = {name: measure for name, measure in pending.items() if name not in found}
        return found


_LOADS = ("load", "torque")


def _places(body: Body) -> Iterator[str]:
    yield body.name
    yield from (f"{body.name}.{place}" for place in (*body.points, *body.frames))


def _of_body(body: Body) -> Iterator[str]:
    """Yield positions and velocities of the places of a body, and what describes its rotation and momenta."""
    for place in _places(body):
        yield from _vector(place)
        yield from _vector(f"{place}.velocity")
    yield from _vector(f"{body.name}.omega")
    if body.name != GROUND:
        yield from _rotation(body.name)
        yield from _vector(f"{body.name}.momentum")
        yield from _vector(f"{body.name}.angular_momentum")


def _rotation(name: str) -> Iterator[str]:
    yield from (f"{name}.rotation.{entry}" for entry in _MATRIX)
    yield from (f"{name}.rpy.{angle}" for angle in _ANGLES)


def _vector(name: str) -> Iterator[str]:
    return (f"{name}.{axis}" for axis in _AXES)


def _turns(joint: Joint) -> bool:
    return any(coordinate.measure != "length" for coordinate in joint.coordinates)
