"""Inputs of a linear model by name: actuators, parameters, drivers, force elements, forces at points.

Inputs of actuators and parameters are in the equations already. The others are brought in by a model with further
parameters, all zero: an addition to a driver, or a further load.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gyrostat.analysis.variations.flow import Acting
from gyrostat.analysis.variations.operating_point import OperatingPoint
from gyrostat.errors import StateError
from gyrostat.kinematics.driving_inputs import with_rates
from gyrostat.model import Model
from gyrostat.model.forces import (
    Bushing,
    DCMotor,
    Force,
    ForceElement,
    JointFriction,
    JointSpring,
    SpringDamper,
    Torque,
    TorsionSpring,
)
from gyrostat.model.formula import TIME, Formula
from gyrostat.model.joints import Joint
from gyrostat.model.joints.joint import TABLE_DRIVER
from gyrostat.model.kinds import End, FrozenMapping
from gyrostat.model.names import did_you_mean
from gyrostat.signals import AXES
from gyrostat.system import System, choice_to_plain, formulate_as

ACCELERATION = ".acc"
LOADS = ("force", "moment")
_LOADED_ELEMENTS = (Bushing, DCMotor, Force, JointFriction, JointSpring, SpringDamper, Torque, TorsionSpring)
"""Force elements beside which a further load can act."""


@dataclass(frozen=True)
class Channel:
    """An input: its name, and the inputs or parameters for its value, rate and second rate."""

    name: str
    places: tuple[str, ...]
    driver: str = ""
    """The driven coordinate, if it is one."""

    @property
    def by_acceleration(self) -> bool:
        """Whether the input is the acceleration of a driver, so that its displacement and rate are states."""
        return bool(self.driver) and self.name.endswith(ACCELERATION)


def channel_unit(channel: Channel, system: System) -> str:
    """Return the unit of an input of a linear model: of its signal, its parameter, or its load."""
    name = channel.name
    if name in system.model.parameters:
        return system.model.parameters[name].unit or ""
    found = system.signal_table.find(name)
    if found is not None:
        return found.unit
    load = next((part for part in name.split(".") if part in LOADS), "")
    return {"force": "N", "moment": "N·m"}.get(load, "")


@dataclass(frozen=True, eq=False)
class Channels:
    """The inputs of a linear model, and the operating point of the system that has them all."""

    point: OperatingPoint
    items: tuple[Channel, ...]

    @property
    def acting(self) -> Acting:
        """Their effect on the equations."""
        system = self.point.system
        names = (*system.inputs, *system.model.parameters)
        columns = [
            [names.index(item.places[order]) if order < len(item.places) else None for item in self.items]
            for order in range(3)
        ]
        return Acting((columns[0], columns[1], columns[2]))


def channels_of(point: OperatingPoint, names: Iterable[str]) -> Channels:
    """Return inputs by name; unknown names are errors."""
    system = point.system
    model = system.model
    chosen = list(dict.fromkeys(name for asked in names for name in _expanded(model, asked)))
    own = (*system.inputs, *model.parameters)
    added = _Additions(model, point.t, own)
    items = tuple(_own_channel(model, name) if name in own else added.channel(name) for name in chosen)
    if not added.parameters:
        return Channels(point, items)
    return Channels(replace(point, system=_system_like(system, added.model())), items)


def _own_channel(model: Model, name: str) -> Channel:
    """Return the channel of an input or parameter of the model; one that drives acts with its rates."""
    driving = name.removesuffix(ACCELERATION)
    if driving in model.driving_inputs:
        return Channel(name, with_rates(driving), driving)
    return Channel(name, (name,))


def _system_like(system: System, model: Model) -> System:
    """Return a model's system in the coordinates of another."""
    return formulate_as(model, choice_to_plain(system))


def _expanded(model: Model, name: str) -> tuple[str, ...]:
    """Return the components of a vector by name, or the name itself."""
    of, _, last = name.rpartition(".")
    if isinstance(model.forces.get(name), Bushing):
        return tuple(f"{name}.{kind}.{axis}" for kind in LOADS for axis in AXES)
    vector = isinstance(model.forces.get(name), (Force, Torque)) or (
        last in LOADS and (_moving_place(model, of) or isinstance(model.forces.get(of), Bushing))
    )
    return tuple(f"{name}.{axis}" for axis in AXES) if vector else (name,)


def _moving_place(model: Model, name: str) -> End | None:
    """Return the body or place of a name, or None; loads on the ground have no effect."""
    end = model.directory.end(name)
    return None if end is None or end.body not in model.bodies else end


class _Additions:
    """A model with further parameters, collected while channels are formed."""

    def __init__(self, model: Model, t: float, taken: Iterable[str]) -> None:
        self._model, self._t, self._taken = model, t, set(taken) | set(model.components)
        self.parameters: list[str] = []
        self._drivers: dict[str, dict[str, Formula]] = {}
        self._forces: list[ForceElement] = []

    def channel(self, name: str) -> Channel:
        """Return the channel of an input that is no actuator and no parameter."""
        drivers = {j.full_name(c): (j, c) for j in self._model.joints.values() for c in j.driven}
        coordinate = name if name in drivers else name.removesuffix(ACCELERATION)
        if coordinate in drivers:
            return self._driver(name, coordinate, *drivers[coordinate])
        new = self._fresh()
        force = self._force(name, new)
        if force is None:
            raise StateError(
                f"There is no input {name!r} to linearize. {did_you_mean(name, self._known_names(drivers))}"
            )
        self.parameters.append(new)
        self._forces.append(force)
        return Channel(name, (new,))

    def _known_names(self, drivers: Iterable[str]) -> list[str]:
        model = self._model
        places = [f"{End(b.name, p)}.force" for b in model.bodies.values() for p in (None, *b.points, *b.frames)]
        acting = [name for name, force in model.forces.items() if isinstance(force, _LOADED_ELEMENTS)]
        return [*model.inputs, *drivers, *acting, *model.parameters, *places]

    def _fresh(self) -> str:
        number = len(self._taken)
        while f"added_{number}" in self._taken:
            number += 1
        self._taken.add(f"added_{number}")
        return f"added_{number}"

    def _driver(self, name: str, coordinate: str, joint: Joint, label: str) -> Channel:
        """Add a displacement that may change in time to a driver; that of a table is an input already."""
        if not isinstance(joint.driven[label], Formula):
            return Channel(name, with_rates(f"{coordinate}{TABLE_DRIVER}"), coordinate)
        value, rate, second = (self._fresh() for _ in range(3))
        self.parameters += [value, rate, second]
        since = f"({TIME} - ({self._t!r}))"
        given = self._drivers.setdefault(joint.name, dict(joint.driven))
        given[label] = Formula.of(f"({given[label].source}) + {value} + {rate}*{since} + {second}*{since}**2/2")
        return Channel(name, (value, rate, second), coordinate)

    def _force(self, name: str, size: str) -> ForceElement | None:
        """Return a force element of a given size at the place of its name."""
        element = self._model.forces.get(name)
        if isinstance(element, SpringDamper):
            return SpringDamper(self._fresh(), element.a, element.b, force=Formula.of(size))
        if isinstance(element, TorsionSpring | JointSpring | DCMotor | JointFriction):
            return TorsionSpring(self._fresh(), element.joint, torque=Formula.of(size))
        of, _, axis = name.rpartition(".")
        if axis not in AXES:
            return None
        x, y, z = (Formula.of(size if each == axis else 0) for each in AXES)
        components = (x, y, z)
        given = self._model.forces.get(of)
        if isinstance(given, (Force, Torque)):
            return replace(given, name=self._fresh(), components=components)
        place_name, _, kind = of.rpartition(".")
        mount = self._model.forces.get(place_name)
        if isinstance(mount, Bushing) and kind == "force":
            return Force(self._fresh(), mount.b, components, mount.a, mount.a)
        if isinstance(mount, Bushing) and kind == "moment":
            return Torque(self._fresh(), mount.b.body, components, mount.a, mount.a.body)
        place = _moving_place(self._model, place_name)
        if place is None or kind not in LOADS:
            return None
        if kind == "force":
            return Force(self._fresh(), place, components)
        return Torque(self._fresh(), place.body, components)

    def model(self) -> Model:
        """Return the model with all additions."""
        new = self._model.flattened()
        for name in self.parameters:
            new.set_parameter(name, 0.0)
        for name, driven in self._drivers.items():
            new.replace(replace(self._model.joints[name], driven=FrozenMapping(driven)))
        for force in self._forces:
            new.add(force)
        return new
