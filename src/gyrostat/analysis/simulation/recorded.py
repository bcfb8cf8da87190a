"""Recorded instants: signals of a system at rows of states, from grouped native programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.coordinates.row import TIME
from gyrostat.lazy import later
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.results.mechanics import BodyPose
from gyrostat.scalar.arrays import ArrayScalars
from gyrostat.signals.force_outputs import observed_places
from gyrostat.signals.rotations import relative_rotation
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.closing import diagnosis
else:
    (diagnosis,) = later("gyrostat.closing", "diagnosis")


_BLOCK = 8192
"""Rows that are evaluated at once: so many stay in the second-level cache of a processor."""
_KEPT_ROWS_LIMIT = 65_536
"""Up to so many rows, all outputs of a program are kept from one signal to the next."""


class Laws(NamedTuple):
    """How conditions of the state in laws were held in a motion, at N rows."""

    formulas: Mapping[str, Formula]
    """The inputs given as formulas."""
    modes: Floats
    """Modes of the switching functions of inputs and force elements, shape (N, number)."""


class Recorded:
    """A system at N rows of t, q, u, z, parameters, inputs; a `SystemInstant` whose scalars are columns of N values.

    Vectors have the shape (components, N). A program serves all signals of its kind and is evaluated once, when one of
    them is first requested; places on bodies are composed from the motion of the bodies' frames. Where equations of
    motion differ, as with contacts that rest, `parts` has the instants of each with the places of their rows, all rows
    together. Conditions in `laws` are held as in a motion; without them they are evaluated as written.
    """

    def __init__(
        self,
        system: System,
        rows: Floats,
        parts: Sequence[tuple[Recorded, NDArray[np.intp]]] = (),
        laws: Laws | None = None,
    ) -> None:
        self._system, self._rows, self._parts, self._laws = system, np.ascontiguousarray(rows), parts, laws
        self._found: dict[str, dict[str, Floats]] = {}
        self._columns: dict[tuple[object, ...], Floats] = {}

    @property
    def rows(self) -> Floats:
        """The rows, shape (N, size of a row)."""
        return self._rows

    def found(self, name: str) -> dict[str, Floats]:
        """Return the outputs of a program by port, shape (N, size), computed once."""
        if name not in self._found:
            self._found[name] = self._joined(name) if self._parts else self._evaluated(name)
        return self._found[name]

    def part(self, name: str, port: str, place: slice | int) -> Floats:
        """Return some columns of an output, (N, number of them), or one, (N,); of many rows only these are kept."""
        if name in self._found or self._parts or len(self._rows) <= _KEPT_ROWS_LIMIT:
            return self.found(name)[port][:, place]
        key = name, port, place if isinstance(place, int) else (place.start, place.stop)
        if key not in self._columns:
            found = None
            for block, values in self._blocks(name):
                columns = values[port][:, place]
                if found is None:
                    found = np.empty((len(self._rows), *columns.shape[1:]))
                found[block] = columns
            assert found is not None, "there are many rows"
            self._columns[key] = found
        return self._columns[key]

    def forget(self, values: Floats) -> bool:
        """Drop columns of many rows that were kept, so that they belong to the caller alone; tell whether they were."""
        kept = [key for key, columns in self._columns.items() if values.base is columns]
        for key in kept:
            del self._columns[key]
        return bool(kept)

    def _evaluated(self, name: str) -> dict[str, Floats]:
        """Return the outputs of a program by port, of one system under one set of laws."""
        program = self._program(name)
        values = np.empty((len(self._rows), program.output_size))
        for block in self._places():
            self._evaluate(program, block, values[block])
        return {port.name: values[:, program.output_slice(port.name)] for port in program.outputs}

    def _blocks(self, name: str) -> Iterator[tuple[slice, dict[str, Floats]]]:
        """Yield the outputs of a program by port, block by block; they are overwritten by those of the next block."""
        program = self._program(name)
        values = np.empty((_BLOCK, program.output_size))
        for block in self._places():
            part = values[: block.stop - block.start]
            self._evaluate(program, block, part)
            yield block, {port.name: part[:, program.output_slice(port.name)] for port in program.outputs}

    def _places(self) -> Iterator[slice]:
        """Yield the places of rows, block by block."""
        count = len(self._rows)
        return (slice(first, min(first + _BLOCK, count)) for first in range(0, count, _BLOCK))

    def _program(self, name: str) -> Program:
        laws = self._laws
        if laws is None:
            return self._system.ready_program(name)
        return self._system.program(name, inputs=laws.formulas or None, locked=True)

    def _evaluate(self, program: Program, block: slice, values: Floats) -> None:
        """Write the outputs of a program at a block of rows."""
        rows = self._rows[block]
        if self._laws is not None:
            rows = np.hstack((rows, self._laws.modes[block]))
        if program.input_size > rows.shape[1]:
            rows = np.hstack((rows, self._accelerations(block)))
        if len(self._rows) >= 4 * program.lanes:
            program.batch(rows, values)
        else:
            program.loop(rows, values)
        if not np.isfinite(values).all():
            row = self._rows[block][int(np.argwhere(~np.isfinite(values))[0][0])]
            raise diagnosis.explain_failure(self._system.coordinates, row)

    def _accelerations(self, block: slice) -> Floats:
        """Return u̇ at a block of rows."""
        if "rates" in self._found or len(self._rows) <= _KEPT_ROWS_LIMIT:
            return self.found("rates")["udot"][block]
        program = self._program("rates")
        values = np.empty((block.stop - block.start, program.output_size))
        self._evaluate(program, block, values)
        return values[:, program.output_slice("udot")]

    def _joined(self, name: str) -> dict[str, Floats]:
        """Return the outputs of a program by port from those of all parts; further constraints come last in them."""
        parts = [(part.found(name), places) for part, places in self._parts]
        own = [found for (part, _), (found, _) in zip(self._parts, parts, strict=True) if part._system is self._system]
        sizes = {port: values.shape[1] for port, values in own[0].items()} if own else self._sizes(name)
        joined = {port: np.empty((len(self._rows), size)) for port, size in sizes.items()}
        for found, places in parts:
            for port, size in sizes.items():
                joined[port][places] = found[port][:, :size]
        return joined

    def _sizes(self, name: str) -> dict[str, int]:
        """Return the sizes of the outputs of a program by port."""
        program = self._system.ready_program(name)
        slices = {port.name: program.output_slice(port.name) for port in program.outputs}
        return {port: place.stop - place.start for port, place in slices.items()}

    @property
    def scalars(self) -> ArrayScalars:
        """The engine of columns of values."""
        return ArrayScalars()

    # --- time, state, parameters and inputs ---------------------------------------------------------------------

    def time(self) -> Floats:
        """Return the times."""
        return self._rows[:, TIME]

    def parameter(self, name: str) -> Floats:
        """Return the values of a parameter."""
        return self._rows[:, self._system.row.parameters][:, list(self._system.model.parameters).index(name)]

    def input(self, name: str) -> Floats:
        """Return the values of an input."""
        return self._rows[:, self._system.row.inputs][:, self._system.inputs.index(name)]

    def quantity(self, name: str) -> Floats:
        """Return a coordinate, its rate, a speed, a state variable or an output of a block."""
        coordinates, layout = self._system.coordinates, self._system.row
        if name in coordinates.place_of:
            part, place = coordinates.place_of[name]
            return self._rows[:, getattr(layout, part)][:, place]
        if name in coordinates.blocks:
            return self.part("block_outputs", "values", list(coordinates.blocks).index(name))
        if name in coordinates.chord_of:
            return self._chords[name]
        of = name.removesuffix(".rate")
        if of in coordinates.driven:
            return self._driven(of, "values" if of == name else "rates")
        return self.part("rates", "qdot", coordinates.place_of[of][1])

    # --- bodies -------------------------------------------------------------------------------------------------

    def position(self, end: End) -> Floats:
        """Return the position of a place on a body."""
        if end.body == GROUND:
            return self._arm(end).T
        origin = self._body(end.body, "positions", 3)
        return (origin if _is_origin(end) else origin + self._arm(end)).T

    def velocity(self, end: End) -> Floats:
        """Return the velocity of a place on a body."""
        if end.body == GROUND:
            return np.zeros((3, len(self._rows)))
        velocity = self._body(end.body, "velocities", 3)
        if not _is_origin(end):
            velocity = velocity + np.cross(self._body(end.body, "omegas", 3), self._arm(end))
        return velocity.T

    def omega(self, body: str) -> Floats:
        """Return the angular velocity of a body."""
        return np.zeros((3, len(self._rows))) if body == GROUND else self._body(body, "omegas", 3).T

    def quaternion(self, body: str) -> Floats:
        """Return the orientation of a body as quaternions that do not jump in sign."""
        key = "quaternion", body
        if key not in self._columns:
            self._columns[key] = _continuous_quaternions(self.body_rotations(body)).T
        return self._columns[key]

    def rotation(self, end: End) -> Floats:
        """Return the entries of R_WE of a place on a body."""
        R_WB = self.body_rotations(end.body)
        if end.name is not None:
            R_WB = np.einsum("nij,njk->nik", R_WB, self._placement(end)[0])
        return R_WB.reshape(-1, 9).T

    def rotation_vector(self, base: End, end: End) -> Floats:
        """Return the rotation vector from the axes of one place to those of another, which does not jump."""
        entries = np.stack([np.broadcast_to(x, len(self._rows)) for x in relative_rotation(base, end, self)], axis=-1)
        found = _continuous_quaternions(entries.reshape(-1, 3, 3))
        size = np.linalg.norm(found[:, 1:], axis=1)
        axes = np.divide(found[:, 1:], size[:, None], out=np.zeros_like(found[:, 1:]), where=size[:, None] > 0)
        turned_back = np.einsum("ni,ni->n", axes[1:], axes[:-1]) < 0
        sign = np.append(1.0, np.cumprod(np.where(turned_back, -1.0, 1.0)))
        angle = 2 * np.unwrap(np.arctan2(sign * size, found[:, 0]))
        return np.asarray((sign * angle)[:, None] * axes).T

    def body_rotations(self, body: str) -> Floats:
        """Return R_WB of a body, (N, 3, 3)."""
        if body == GROUND:
            return np.broadcast_to(np.eye(3), (len(self._rows), 3, 3))
        return self._body(body, "rotations", 9).reshape(-1, 3, 3)

    def _body(self, body: str, quantity: str, size: int) -> Floats:
        i = self._system.bodies.index(body)
        return self.part("body_motion", quantity, slice(size * i, size * (i + 1)))

    def _arm(self, end: End) -> Floats:
        """Return the place on the body from its frame's origin, (N, 3), in world axes."""
        if _is_origin(end):
            return np.zeros((len(self._rows), 3))
        return np.asarray(np.einsum("nij,nj->ni", self.body_rotations(end.body), self._placement(end)[1]))

    def _placement(self, end: End) -> tuple[Floats, Floats]:
        """Return R_BE, (N, 3, 3), and r_BE_B, (N, 3), of a place on a body."""
        values, owners = self._values
        turns, arms = np.empty((len(values), 3, 3)), np.empty((len(values), 3))
        for i, value in enumerate(values):
            placement = self._system.model.placement(end, value)
            assert placement is not None, "a checked model has every end"
            turns[i], arms[i] = placement
        count = len(self._rows)
        return np.broadcast_to(turns[owners], (count, 3, 3)), np.broadcast_to(arms[owners], (count, 3))

    @cached_property
    def _values(self) -> tuple[list[Evaluator], NDArray[np.intp]]:
        """The evaluators of all different values of the parameters, and which of them each row has."""
        model, parameters = self._system.model, self._rows[:, self._system.row.parameters]
        if len(parameters) and (parameters == parameters[0]).all():
            rows, owners = parameters[:1], np.zeros(1, dtype=np.intp)
        else:
            rows, owners = np.unique(parameters, axis=0, return_inverse=True)
        found = [model.evaluator(dict(zip(model.parameters, row.tolist(), strict=True))) for row in rows]
        return found, owners.reshape(-1)

    def momentum(self, body: str) -> Floats:
        """Return the linear momentum of a body."""
        return self._of_body("body_momenta", "linear", body)

    def angular_momentum(self, body: str) -> Floats:
        """Return the angular momentum of a body about its mass centre."""
        return self._of_body("body_momenta", "angular", body)

    def place_acceleration(self, end: End) -> Floats:
        """Return the acceleration of a place on a body: a + α × r + ω × (ω × r)."""
        if end.body == GROUND:
            return np.zeros((3, len(self._rows)))
        arm, omega, alpha = self._arm(end), self.omega(end.body).T, self.alpha(end.body).T
        turning = np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
        return self._of_body("body_accelerations", "accelerations", end.body) + turning.T

    def alpha(self, body: str) -> Floats:
        """Return the angular acceleration of a body."""
        return self._of_body("body_accelerations", "alphas", body)

    def _of_body(self, program: str, port: str, body: str) -> Floats:
        """Return the vector of a body from a program that gives those of all bodies."""
        i = self._system.bodies.index(body)
        return self.part(program, port, slice(3 * i, 3 * i + 3)).T

    # --- forces, accelerations and loads ------------------------------------------------------------------------

    def observed(self, force: str, output: str) -> Floats:
        """Return an output of a force element."""
        return self.part("force_outputs", "observed", self._observed[force][output]).T

    def power(self, force: str) -> Floats:
        """Return the power of a force element's loads on the system."""
        return self.part("powers", "force_powers", list(self._system.model.forces).index(force))

    def potential(self, force: str) -> Floats:
        """Return the potential energy of a force element."""
        storing = [name for name, one in self._system.model.forces.items() if one.stores_energy]
        return self.part("energy", "stored", storing.index(force))

    @cached_property
    def _observed(self) -> dict[str, dict[str, int | slice]]:
        """The places of the outputs of all force elements, by force and output."""
        return observed_places(self._system.coordinates)

    def acceleration(self, coordinate: str) -> Floats:
        """Return the second derivative of a coordinate."""
        coordinates = self._system.coordinates
        if coordinate in coordinates.chord_of:
            return self._chords[f"{coordinate}.acc"]
        if coordinate in coordinates.driven:
            return self._driven(coordinate, "accelerations")
        return self.part("accelerations", "accelerations", coordinates.place_of[coordinate][1])

    def speed_rate(self, speed: str) -> Floats:
        """Return the rate of a speed."""
        coordinates = self._system.coordinates
        if speed in coordinates.chord_of:
            return self._chords[acceleration_name(speed)]
        return self.part("rates", "udot", coordinates.place_of[speed][1])

    def state_rate(self, state: str) -> Floats:
        """Return the rate of a state variable."""
        return self.part("state_rates", "rates", self._system.coordinates.place_of[state][1])

    def multiplier(self, row: str) -> Floats:
        """Return the load along the direction of a constraint row."""
        names = [one.name for one in self._system.constraints]
        return self.part("multipliers", "multipliers", names.index(row))

    def reaction_force(self, joint: str) -> Floats:
        """Return the force in a joint."""
        return self._reaction("forces", joint)

    def reaction_moment(self, joint: str) -> Floats:
        """Return the moment in a joint."""
        return self._reaction("moments", joint)

    def driver_load(self, coordinate: str) -> Floats:
        """Return the load of the driver of a driven coordinate."""
        return self.part("reactions", "drivers", list(self._system.coordinates.all_driven).index(coordinate))

    def _reaction(self, port: str, joint: str) -> Floats:
        i = self._system.loaded_joints.index(joint)
        return self.part("reactions", port, slice(3 * i, 3 * i + 3)).T

    def _driven(self, name: str, port: str) -> Floats:
        return self.part("driven", port, list(self._system.coordinates.all_driven).index(name))

    @cached_property
    def _chords(self) -> dict[str, Floats]:
        """The motion in joints that close loops, by name: coordinates and speeds with their rates and accelerations."""
        joints = [self._system.topology.joints[name] for name in self._system.coordinates.measured_joints]
        coordinates = [name for joint in joints for name in joint.coordinate_names]
        speeds = [name for joint in joints for name in joint.speed_names]
        names = {
            "speeds": speeds,
            "speed_rates": [acceleration_name(name) for name in speeds],
            "values": coordinates,
            "rates": [f"{name}.rate" for name in coordinates],
            "accelerations": [f"{name}.acc" for name in coordinates],
        }
        found = self.found("chords")
        return {name: found[port][:, i] for port, known in names.items() for i, name in enumerate(known)}


def _is_origin(end: End) -> bool:
    """Return whether an end is the origin of its body."""
    return end.name is None and end.at is None


def _continuous_quaternions(rotations: Floats) -> Floats:
    """Return rotations, (N, 3, 3), as unit quaternions, (N, 4), whose sign does not jump."""
    found = BodyPose(np.zeros((len(rotations), 3)), rotations).quaternion
    turned = np.einsum("ni,ni->n", found[1:], found[:-1]) < 0
    return np.asarray(found * np.append(1.0, np.cumprod(np.where(turned, -1.0, 1.0)))[:, None])
