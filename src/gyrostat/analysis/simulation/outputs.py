"""Outputs by name: what follows from the states of a motion, computed when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.layout import acceleration_name
from gyrostat.coordinates.row import TIME
from gyrostat.errors import StateError
from gyrostat.kinematics.signals import AXES
from gyrostat.model.kinds import End
from gyrostat.model.names import GROUND, did_you_mean
from gyrostat.once import cached_property
from gyrostat.recipes.ports import force_outputs
from gyrostat.results.poses import BodyPose
from gyrostat.system import System

if TYPE_CHECKING:
    import xarray

_UNITS = {"angle": "rad", "length": "m", "number": "1"}
_QUATERNION = ("e0", "e1", "e2", "e3")


@dataclass(frozen=True)
class OutputKind:
    """What an output is: its unit, a sentence, and how its values, shape (N,) or (N, 3 or 4), are found."""

    unit: str
    description: str
    values: Callable[[], Floats]
    labels: tuple[str, ...] = ()
    """The names of its components; none for a number."""


class Outputs:
    """All outputs of a system at given states: rows of t, q, u, parameters, inputs."""

    def __init__(self, system: System, rows: Floats) -> None:
        self._system, self._rows = system, np.ascontiguousarray(rows)
        self._found: dict[str, dict[str, Floats]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all outputs."""
        return tuple(self.kinds)

    def __getitem__(self, name: str) -> xarray.DataArray:
        kind, component = self.kind_of(name)
        if not component:
            return self._array(name, kind.values(), kind.unit, kind.description, kind.labels)
        values = kind.values()[:, kind.labels.index(component)]
        return self._array(name, values, kind.unit, f"{component} of {kind.description}", ())

    def kind_of(self, name: str) -> tuple[OutputKind, str]:
        """Return what an output is, and which component of it is meant, if one is; refuse unknown names."""
        if name in self.kinds:
            return self.kinds[name], ""
        vector, _, component = name.rpartition(".")
        if vector in self.kinds and component in self.kinds[vector].labels:
            return self.kinds[vector], component
        raise StateError(f"There is no output {name!r}. {did_you_mean(name, list(self.kinds))}")

    def _array(
        self, name: str, values: Floats, unit: str, description: str, labels: tuple[str, ...]
    ) -> xarray.DataArray:
        import xarray

        coordinates: dict[str, Any] = {"time": self.time}
        dims = ["time"]
        if labels:
            dims.append("axis" if labels == AXES else "component")
            coordinates[dims[1]] = list(labels)
        attributes = {"units": unit, "long_name": description}
        return xarray.DataArray(values, coords=coordinates, dims=dims, name=name, attrs=attributes)

    @property
    def time(self) -> xarray.DataArray:
        """The times, as a labelled coordinate."""
        import xarray

        return xarray.DataArray(self._rows[:, TIME], dims="time", attrs={"units": "s", "long_name": "time"})

    # --- the table of outputs -----------------------------------------------------------------------------------

    @cached_property
    def kinds(self) -> dict[str, OutputKind]:
        """What every output is, by name; where names meet, coordinates come first."""
        return {**self._forces(), **self._constraints(), **self._bodies(), **self._inputs(), **self._coordinates()}

    def _coordinates(self) -> dict[str, OutputKind]:
        system = self._system
        coordinates = system.coordinates
        found: dict[str, OutputKind] = {}
        for name, measure in coordinates.measures.items():
            unit = _UNITS[measure]
            word = {"angle": "angle", "length": "displacement", "number": "coordinate"}[measure]
            found[name] = OutputKind(unit, f"{word} {name}", partial(self._coordinate, name))
            found[f"{name}.rate"] = OutputKind(_per_second(unit), f"rate of {name}", partial(self._rate, name))
            found[f"{name}.acc"] = OutputKind(
                _per_second(unit, 2), f"acceleration of {name}", partial(self._acceleration, name)
            )
        for name in (*system.speed_names, *coordinates.chord_speeds):
            if name in found:
                continue
            unit = "rad/s" if name.rpartition(".")[2].startswith("w") else "m/s"
            found[name] = OutputKind(unit, f"speed {name}", partial(self._speed, name))
            found[acceleration_name(name)] = OutputKind(
                _per_second(unit.removesuffix("/s"), 2), f"rate of {name}", partial(self._speed_rate, name)
            )
        return found

    def _bodies(self) -> dict[str, OutputKind]:
        model = self._system.model
        found: dict[str, OutputKind] = {}
        for body in (*model.bodies.values(), model.ground):
            for end in (End(body.name), *(End(body.name, place) for place in (*body.points, *body.frames))):
                name = str(end)
                found[name] = OutputKind("m", f"position of {name}", partial(self.position, end), AXES)
                found[f"{name}.velocity"] = OutputKind("m/s", f"velocity of {name}", partial(self._velocity, end), AXES)
            if body.name != GROUND:
                found[f"{body.name}.omega"] = OutputKind(
                    "rad/s", f"angular velocity of {body.name}", partial(self._omega, body.name), AXES
                )
                found[f"{body.name}.quaternion"] = OutputKind(
                    "1", f"orientation of {body.name}", partial(self._quaternion, body.name), _QUATERNION
                )
        return found

    def _forces(self) -> dict[str, OutputKind]:
        found: dict[str, OutputKind] = {}
        place = 0
        for force, outputs in force_outputs(self._system.coordinates).items():
            for label, output in outputs.items():
                part = slice(place, place + output.size)
                found[f"{force}.{label}"] = OutputKind(
                    output.unit,
                    f"{output.description} of {force}",
                    partial(self._observed, part),
                    AXES if output.size == 3 else (),
                )
                place += output.size
        return found

    def _constraints(self) -> dict[str, OutputKind]:
        """Return the loads of constraint components that have one row."""
        components = self._system.model.constraints
        rows = list(enumerate(self._system.constraints)) if components else []
        owners = [row.owner for _, row in rows]
        return {
            f"{row.owner}.force": OutputKind(row.unit, f"{row.label} of {row.owner}", partial(self._multiplier, i))
            for i, row in rows
            if row.owner in components and owners.count(row.owner) == 1
        }

    def _inputs(self) -> dict[str, OutputKind]:
        return {
            name: OutputKind("", f"input {name}", partial(self._input, i)) for i, name in enumerate(self._system.inputs)
        }

    # --- values -------------------------------------------------------------------------------------------------

    def _input(self, place: int) -> Floats:
        return self._rows[:, self._system.row.inputs][:, place]

    def _chord(self, name: str, which: str) -> Floats:
        coordinates, joints = self._system.coordinates, self._system.topology.joints
        names = [one for joint in coordinates.measured_joints for one in joints[joint].coordinate_names]
        return self.found("chords")[which][:, names.index(name)]

    def _coordinate(self, name: str) -> Floats:
        if name in self._system.coordinates.chord_of:
            return self._chord(name, "values")
        place = self._system.coordinates.place_of.get(name)
        return self._driven(name, "values") if place is None else self._rows[:, self._system.row.q][:, place[1]]

    def _rate(self, name: str) -> Floats:
        if name in self._system.coordinates.chord_of:
            return self._chord(name, "rates")
        place = self._system.coordinates.place_of.get(name)
        return self._driven(name, "rates") if place is None else self.found("rates")["qdot"][:, place[1]]

    def _acceleration(self, name: str) -> Floats:
        if name in self._system.coordinates.chord_of:
            return self._chord(name, "accelerations")
        place = self._system.coordinates.place_of.get(name)
        if place is None:
            return self._driven(name, "accelerations")
        return self.found("accelerations")["accelerations"][:, place[1]]

    def _driven(self, name: str, which: str) -> Floats:
        return self.found("driven")[which][:, list(self._system.coordinates.all_driven).index(name)]

    def _speed(self, name: str) -> Floats:
        if name in self._system.coordinates.chord_of:
            return self._chord_speed(name, "speeds")
        return self._rows[:, self._system.row.u][:, self._system.speed_names.index(name)]

    def _speed_rate(self, name: str) -> Floats:
        if name in self._system.coordinates.chord_of:
            return self._chord_speed(name, "speed_rates")
        return self.found("rates")["udot"][:, self._system.speed_names.index(name)]

    def _chord_speed(self, name: str, which: str) -> Floats:
        coordinates, joints = self._system.coordinates, self._system.topology.joints
        names = [one for joint in coordinates.measured_joints for one in joints[joint].speed_names]
        return self.found("chords")[which][:, names.index(name)]

    def _body(self, body: str, quantity: str, size: int) -> Floats:
        i = self._system.bodies.index(body)
        return self.found("body_motion")[quantity][:, size * i : size * (i + 1)]

    def rotation(self, body: str) -> Floats:
        """Return R_WB of a body, (N, 3, 3)."""
        if body == GROUND:
            return np.broadcast_to(np.eye(3), (len(self._rows), 3, 3))
        return self._body(body, "rotations", 9).reshape(-1, 3, 3)

    def _arm(self, end: End) -> Floats:
        """Return the place on the body, in world axes."""
        if end.name is None and end.at is None:
            return np.zeros((len(self._rows), 3))
        model, parameters = self._system.model, self._rows[:, self._system.row.parameters]
        rows, owners = np.unique(parameters, axis=0, return_inverse=True)
        arms = np.empty((len(rows), 3))
        for i, row in enumerate(rows):
            value = model.evaluator(dict(zip(model.parameters, row.tolist(), strict=True)))
            placement = model.placement(end, value)
            assert placement is not None, "a checked model has every end"
            arms[i] = placement[1]
        return np.asarray(np.einsum("nij,nj->ni", self.rotation(end.body), arms[owners.reshape(-1)]))

    def position(self, end: End) -> Floats:
        """Return the position of a place on a body, (N, 3), in world axes."""
        arm = self._arm(end)
        return arm if end.body == GROUND else self._body(end.body, "positions", 3) + arm

    def _velocity(self, end: End) -> Floats:
        if end.body == GROUND:
            return np.zeros((len(self._rows), 3))
        return self._body(end.body, "velocities", 3) + np.cross(self._omega(end.body), self._arm(end))

    def _omega(self, body: str) -> Floats:
        return self._body(body, "omegas", 3)

    def _quaternion(self, body: str) -> Floats:
        """Return quaternions that do not jump in sign."""
        found = BodyPose(self._body(body, "positions", 3), self.rotation(body)).quaternion
        turned = np.einsum("ni,ni->n", found[1:], found[:-1]) < 0
        return np.asarray(found * np.append(1.0, np.cumprod(np.where(turned, -1.0, 1.0)))[:, None])

    def _observed(self, part: slice) -> Floats:
        found = self.found("force_outputs")["observed"][:, part]
        return found if found.shape[1] == 3 else found[:, 0]

    def _multiplier(self, place: int) -> Floats:
        return self.found("multipliers")["multipliers"][:, place]

    def found(self, name: str) -> dict[str, Floats]:
        """Return the outputs of a program by port, shape (N, size), computed once."""
        if name not in self._found:
            program = self._system.program(name)
            rows = self._rows
            if program.input_size > rows.shape[1]:
                rows = np.hstack((rows, self.found("rates")["udot"]))
            values = program.batch(rows) if len(rows) >= 4 * program.lanes else program.loop(rows)
            if not np.isfinite(values).all():
                from gyrostat.closing.diagnosis import explain_failure

                raise explain_failure(self._system.coordinates, rows[int(np.argwhere(~np.isfinite(values))[0][0])])
            self._found[name] = {port.name: values[:, program.output_slice(port.name)] for port in program.outputs}
        return self._found[name]

    # --- sets of outputs ----------------------------------------------------------------------------------------

    def reaction(self, joint: str) -> xarray.Dataset:
        """Return force and moment in a joint."""
        import xarray

        joints = self._system.loaded_joints
        if joint not in joints:
            raise StateError(f"There is no joint {joint!r} to have a reaction. {did_you_mean(joint, joints)}")
        i = joints.index(joint)
        found = self.found("reactions")
        part = slice(3 * i, 3 * i + 3)
        return xarray.Dataset(
            {
                "force": self._array("force", found["forces"][:, part], "N", f"force in {joint}", AXES),
                "moment": self._array("moment", found["moments"][:, part], "N·m", f"moment in {joint}", AXES),
            },
            attrs={"joint": joint, **self._indeterminate(joint)},
        )

    def _indeterminate(self, joint: str) -> dict[str, str]:
        """Return a sentence on the parts of a joint's load that do not follow from the motion, if there are any."""
        components = self._indeterminate_loads.get(joint)
        if not components:
            return {}
        return {
            "indeterminate": f"{', '.join(components)} of joint {joint!r} do not follow from the motion: constraints "
            "are redundant. Shown is one set of loads that makes it."
        }

    @cached_property
    def _indeterminate_loads(self) -> dict[str, tuple[str, ...]]:
        """The components of joints' loads that do not follow from the motion: at its beginning, middle or end."""
        from gyrostat.closing.indeterminacy import COMPONENTS, indeterminate_loads

        if not self._system.constrained:
            return {}
        found: dict[str, set[str]] = {}
        layout, names = self._system.row, self._system.model.parameters
        for i in {0, len(self._rows) // 2, len(self._rows) - 1}:
            row = self._rows[i]
            values = dict(zip(names, row[layout.parameters].tolist(), strict=True))
            for name, parts in indeterminate_loads(self._system, row[layout.q], float(row[TIME]), values).items():
                found.setdefault(name, set()).update(parts)
        return {name: tuple(part for part in COMPONENTS if part in parts) for name, parts in found.items()}

    def driver_load(self, coordinate: str) -> xarray.DataArray:
        """Return the load of a driver."""
        driven = list(self._system.coordinates.all_driven)
        if coordinate not in driven:
            hint = did_you_mean(coordinate, driven) if driven else "The model has no driven coordinates."
            raise StateError(f"The coordinate {coordinate!r} is not driven. {hint}")
        unit = "N" if self._system.coordinates.measures[coordinate] == "length" else "N·m"
        values = self.found("reactions")["drivers"][:, driven.index(coordinate)]
        return self._array(coordinate, values, unit, f"load of the driver of {coordinate}", ())

    def constraint(self, name: str) -> xarray.Dataset:
        """Return the loads of a constraint component, or of a joint that closes a loop, by direction."""
        import xarray

        rows = [(i, row) for i, row in enumerate(self._system.constraints) if row.owner == name]
        if not rows:
            known = dict.fromkeys(row.owner for row in self._system.constraints)
            hint = did_you_mean(name, known) if known else "The system has no constraints."
            raise StateError(f"There is no constraint {name!r} with a load. {hint}")
        arrays = {
            row.label: self._array(row.label, self._multiplier(i), row.unit, f"{row.label} of {name}", ())
            for i, row in rows
        }
        return xarray.Dataset(arrays, attrs={"constraint": name})

    def residuals(self) -> xarray.Dataset:
        """Return by how far constraints are missed at most, in position and in speed."""
        import xarray

        system = self._system
        count = len(self._rows)
        found = self.found("constraints") if system.constrained else {"residuals": np.zeros((count, 0))}
        position, speed = found["residuals"], found.get("speeds", np.zeros((count, 0)))
        return xarray.Dataset(
            {
                "position": self._array(
                    "position",
                    np.abs(position).max(axis=1, initial=0.0),
                    "m or rad",
                    "largest residual of position",
                    (),
                ),
                "speed": self._array(
                    "speed", np.abs(speed).max(axis=1, initial=0.0), "m/s or rad/s", "largest residual of speed", ()
                ),
            },
            attrs={"constraints": [row.name for row in system.constraints]},
        )

    def momentum(self, about: tuple[float, float, float]) -> xarray.Dataset:
        """Return momenta and the mass centre."""
        import xarray

        found = self.found("momentum")
        linear, angular = found["linear"], found["angular"]
        angular = angular - np.cross(np.asarray(about, dtype=float), linear)
        return xarray.Dataset(
            {
                "linear": self._array("linear", linear, "kg·m/s", "linear momentum", AXES),
                "angular": self._array("angular", angular, "kg·m²/s", f"angular momentum about {about}", AXES),
                "mass_centre": self._array("mass_centre", found["moment"] / found["mass"], "m", "mass centre", AXES),
            }
        )


def _per_second(unit: str, power: int = 1) -> str:
    """Return the unit of a rate.

    >>> _per_second("rad"), _per_second("m", 2), _per_second("1")
    ('rad/s', 'm/s²', '1/s')
    """
    return f"{unit}/s" if power == 1 else f"{unit}/s²"
