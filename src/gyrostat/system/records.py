"""Outputs of a system's programs as the records that users get."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from gyrostat.coordinates import Coordinates
from gyrostat.coordinates.arguments import Floats
from gyrostat.once import cached_property
from gyrostat.recipes.ports import given_rotors, working_owners
from gyrostat.results.mechanics import BodyMotions, Energy, Momentum, Poses, Powers, Reaction
from gyrostat.results.parts_by_name import PartsByName
from gyrostat.signals.force_outputs import observed_places

Places: TypeAlias = Mapping[str, int]
"""Places on the last axis of an output, by name."""
Outputs: TypeAlias = Mapping[str, Floats]
"""Outputs of a program by port, with leading axes."""
Record = TypeVar("Record")


@dataclass(frozen=True, eq=False)
class Records:
    """Forms records from outputs of programs; the places of bodies, joints and elements are looked up once."""

    coordinates: Coordinates

    @cached_property
    def _bodies(self) -> tuple[str, ...]:
        return self.coordinates.topology.tree.order[1:]

    @cached_property
    def _joints(self) -> Places:
        return places_of(self.coordinates.loaded_joints)

    @cached_property
    def _accounted(self) -> Places:
        return places_of(self.coordinates.topology.model.accounted)

    @cached_property
    def _storing(self) -> Places:
        owners = self.coordinates.topology.model.accounted
        return places_of(name for name, owner in owners.items() if owner.stores_energy)

    @cached_property
    def _driven(self) -> Places:
        return places_of(self.coordinates.driven)

    @cached_property
    def _all_driven(self) -> Places:
        return places_of(self.coordinates.all_driven)

    @cached_property
    def _rotors(self) -> Places:
        return places_of(given_rotors(self.coordinates))

    @cached_property
    def _working(self) -> Places:
        return places_of(working_owners(self.coordinates))

    @cached_property
    def _observed(self) -> Mapping[str, Mapping[str, int | slice]]:
        return observed_places(self.coordinates)

    def energy(self, found: Outputs) -> Energy:
        """Return kinetic energy, and potential energies of gravity and of the force elements that store energy."""
        stored = by_name(found["stored"], self._storing)
        return _formed(
            Energy, {"kinetic": found["kinetic"][..., 0], "gravity": found["gravity"][..., 0], "stored": stored}
        )

    def poses(self, found: Outputs) -> Poses:
        """Return position and rotation of every body's frame."""
        count = len(self._bodies)
        return Poses(self._bodies, _split(found["rotations"], (count, 3, 3)), _split(found["positions"], (count, 3)))

    def body_motions(self, found: Outputs) -> BodyMotions:
        """Return position, rotation, velocity and angular velocity of every body's frame."""
        axes = found["positions"].shape[:-1]
        vectors = (*axes, len(self._bodies), 3)
        fields = {
            "bodies": self._bodies,
            "positions": found["positions"].reshape(vectors),
            "rotations": found["rotations"].reshape((*vectors, 3)),
            "velocities": found["velocities"].reshape(vectors),
            "omegas": found["omegas"].reshape(vectors),
        }
        return _formed(BodyMotions, fields)

    def reactions(self, found: Outputs) -> Mapping[str, Reaction]:
        """Return the force and the moment in each joint."""
        vectors = len(self._joints), 3
        forces, moments = _split(found["forces"], vectors), _split(found["moments"], vectors)
        return PartsByName(self._joints, lambda i: Reaction(forces[..., i, :], moments[..., i, :]))

    def momentum(self, found: Outputs) -> Momentum:
        """Return mass, moment of mass, linear and angular momentum."""
        return Momentum(found["mass"][..., 0], found["moment"], found["linear"], found["angular"])

    def powers(self, found: Outputs) -> Powers:
        """Return the powers of force elements, drivers, rotors and constraints."""
        fields = {
            "forces": by_name(found["force_powers"], self._accounted),
            "stored_rates": by_name(found["stored_rates"], self._accounted),
            "drivers": by_name(found["driver_powers"], self._driven),
            "rotors": by_name(found["rotor_powers"], self._rotors),
            "constraints": by_name(found["constraint_powers"], self._working),
        }
        return _formed(Powers, fields)

    def driver_loads(self, found: Outputs) -> Mapping[str, Floats]:
        """Return the load of the driver of each driven coordinate."""
        return by_name(found["drivers"], self._all_driven)

    def force_outputs(self, found: Outputs) -> Mapping[str, Mapping[str, Floats]]:
        """Return the outputs of each force element: numbers, or vectors in world axes."""
        observed = found["observed"]
        return PartsByName(self._observed, lambda own: {label: observed[..., place] for label, place in own.items()})


def places_of(names: Iterable[str]) -> Places:
    """Return the places of names in order."""
    return {name: place for place, name in enumerate(names)}


def by_name(columns: Floats, places: Places) -> Mapping[str, Floats]:
    """Return the last axis of an array by name."""
    return PartsByName(places, lambda place: columns[..., place]) if places else {}


def _formed(kind: type[Record], fields: dict[str, Any]) -> Record:
    """Return a record of a frozen class with all its fields; its own `__init__` takes several times as long."""
    found = object.__new__(kind)
    found.__dict__.update(fields)
    return found


def _split(columns: Floats, shape: tuple[int, ...]) -> Floats:
    """Return an array whose last axis is split into several."""
    return columns.reshape(shape if columns.ndim == 1 else columns.shape[:-1] + shape)
