"""Trajectories in NetCDF files, with all data from which a trajectory is restored.

Variables over `time` carry the model's names, units and descriptions. One more variable, whose name no model can have,
is a long row of numbers: segments with their checkpoints, occurrences of events, tables of inputs. Attributes hold the
model as YAML, and settings and the layout of that row as JSON.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gyrostat import __version__
from gyrostat.analysis.simulation.contact_modes import contacts_from_plain
from gyrostat.analysis.simulation.grain_record import GrainRecord
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.simulation.motion import Motion
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.problem import Problem
from gyrostat.analysis.simulation.run_numbers import STATES, coordinate_names, run_to_plain
from gyrostat.analysis.simulation.run_record import (
    event_from_plain,
    integrator_from_plain,
    plans_from_plain,
)
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Outcome, Status
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import StateParts
from gyrostat.errors import GyrostatError, ModelError, ResultFileError, StateError
from gyrostat.model.documents import read_yaml, write_yaml
from gyrostat.model.inputs.table import Table
from gyrostat.model.model_file import model_to_plain, read_model
from gyrostat.results.sealed_file import FileVariable, labels, read_sealed, write_sealed
from gyrostat.results.whole_file import whole_file
from gyrostat.system import System, formulate_as

if TYPE_CHECKING:
    import xarray

FORMAT = 1
"""The version of the files that this package writes; it reads these and older ones."""

_OWN_NAMES = frozenset(("time", "axis", "component"))
_RUN = "run-numbers"
"""The variable with all arrays that are not over time."""


def save(
    trajectory: Trajectory, path: str | os.PathLike[str], *, outputs: Iterable[str] = (), force: bool = False
) -> None:
    """Write a trajectory to a NetCDF file, whole or not at all.

    The file has all coordinates, speeds, states and inputs as labelled variables, and further `outputs` by name.
    """
    with whole_file(path, force=force) as temporary:
        arrays, record = run_to_plain(trajectory)
        variables = _labelled(trajectory, tuple(outputs))
        grains = trajectory.motion.grains.values()
        record["grains"] = [one.name for one in grains]
        for one in grains:
            arrays |= one.arrays()
        record["variables"] = {name: stored for name, (stored, _) in variables.items()}
        record["shapes"] = {name: list(array.shape) for name, array in arrays.items()}
        attributes = {
            "gyrostat_format": str(FORMAT),
            "title": trajectory.system.model.name,
            "status": str(trajectory.status),
            "source": f"gyrostat {__version__}",
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "gyrostat_model": _model_text(trajectory.system),
            "gyrostat_record": json.dumps(record),
        }
        everything = dict(variables.values())
        for one in grains:
            everything |= one.variables()
        row = np.concatenate([array.astype(float).ravel() for array in arrays.values()])
        everything[_RUN] = FileVariable(
            ("run-place",), row, {"long_name": "checkpoints, events and tables, for gyrostat.load"}
        )
        everything["time"] = FileVariable(("time",), trajectory.time, {"units": "s", "long_name": "time"})
        for dimension, names in {"axis": ("x", "y", "z"), "component": ("e0", "e1", "e2", "e3")}.items():
            if any(dimension in variable.dims for variable in everything.values()):
                everything[dimension] = labels(dimension, names)
        write_sealed(temporary, everything, attributes)


def load(path: str | os.PathLike[str], *, inputs: Mapping[str, Any] | None = None) -> Trajectory:
    """Read a trajectory from a file of `Trajectory.save`; it has all outputs of the original.

    Python functions of inputs are not in the file. Without them the values at output times are known; `.at(…)` and
    `.energy()` need them again: `gs.load(path, inputs={"motor": function})`.
    """
    name = os.fspath(path)
    variables, attributes = read_sealed(path)
    form = attributes.get("gyrostat_format", "")
    if form.isdecimal() and int(form) > FORMAT:
        raise ResultFileError(
            f"{name} has format {form}, written by {attributes.get('source', 'a later gyrostat')}; this version reads "
            f"{FORMAT}. Install a newer gyrostat: pip install --upgrade gyrostat."
        )
    try:
        record = json.loads(attributes["gyrostat_record"])
        system = _system(attributes["gyrostat_model"], record)
        run = _parts(variables[_RUN], record["shapes"])
        return _trajectory(system, variables, run, record, inputs or {}, name)
    except StateError:
        raise
    except ModelError as error:
        raise ResultFileError(
            f"{name} cannot be read: the model in it is not understood. If it has components of your own, import the "
            f"module that registers them first. {error}"
        ) from None
    except GyrostatError as error:
        raise ResultFileError(f"{name} cannot be read: {error}") from None
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise ResultFileError(
            f"{name} is damaged: its parts do not fit each other ({type(error).__name__}: {error}). Simulate again."
        ) from error


# --- labelled variables -----------------------------------------------------------------------------------------------


def _labelled(trajectory: Trajectory, outputs: tuple[str, ...]) -> dict[str, tuple[str, FileVariable]]:
    """Return by name the variable's name in the file, and the variable."""
    system = trajectory.system
    found: dict[str, tuple[str, FileVariable]] = {}
    for name in dict.fromkeys((*system.coordinates.place_of, *system.inputs, *outputs)):
        found[name] = (_stored_name(name), _variable(name, trajectory[name]))
    for name in system.coordinates.all_driven:
        try:
            found[name] = (_stored_name(name), _variable(name, trajectory[name]))
        except GyrostatError:  # a run that ended where a driver has no value; the rest is worth keeping
            continue
    return found


def _variable(name: str, array: xarray.DataArray) -> FileVariable:
    attributes = {key: str(text) for key, text in array.attrs.items() if text}
    if _stored_name(name) != name:
        attributes["gyrostat_name"] = name
    return FileVariable(tuple(map(str, array.dims)), array.values, attributes)


def _stored_name(name: str) -> str:
    """Return a name that NetCDF accepts everywhere, different for different names.

    >>> _stored_name("a1.rate"), _stored_name("θ"), _stored_name("time")
    ('a1.rate', 'name--u3b8-', 'name-time')
    """
    if name.isascii() and name not in _OWN_NAMES:
        return name
    return "name-" + re.sub(r"[^\x00-\x7f]", lambda sign: f"-u{ord(sign[0]):x}-", name)


# --- the run ----------------------------------------------------------------------------------------------------------


def _trajectory(
    system: System,
    variables: Mapping[str, NDArray[Any]],
    run: Mapping[str, Floats],
    record: Mapping[str, Any],
    given: Mapping[str, Any],
    file: str,
) -> Trajectory:
    """Return the trajectory of labelled variables, other arrays and settings."""
    stored = record["variables"]

    def columns(names: tuple[str, ...]) -> Floats:
        return np.array([variables[stored[name]] for name in names]).reshape(len(names), -1).T.copy()

    times = variables["time"]
    q, u, z, inputs = (
        columns(names) if names else np.empty((len(times), 0))
        for names in (system.coordinate_names, system.speed_names, system.state_names, system.inputs)
    )
    starts = run["parameters_from"].astype(int)
    parameters = np.repeat(run["parameters"], np.diff(np.append(starts, len(times))), axis=0)
    tables = [Table(run[f"table{i}_times"], run[f"table{i}_values"], kind) for i, kind in enumerate(record["tables"])]
    plans = plans_from_plain(record["plans"], tables, given, file)
    plain = record["status"]
    status = Status(**{**plain, "outcome": Outcome[plain["outcome"]], "notes": tuple(plain["notes"])})
    integrator = integrator_from_plain(record["integrator"])
    problem = Problem(system, integrator, tuple(event_from_plain(event) for event in record["events"]))
    motion = Motion(
        problem,
        times,
        StateParts(q, u, z),
        modes := run.get("output_modes", np.empty((len(times), 0))),  # files of version 0.1.0 have none
        len(times),
        _segments(system, run, plans, record.get("resting", [])),
        _occurrences(run, record["event_names"]),
        status,
        grains={name: GrainRecord.read(name, variables, run) for name in record.get("grains", [])},
    )
    events = tuple(sorted(motion.occurrences, key=lambda one: one.time))
    trajectory = Trajectory(system, integrator, times, q, u, z, events, status, motion, modes)
    trajectory.__dict__["rows"] = system.row.rows(times, motion.states, parameters, inputs)  # those of the file
    if given:
        _compare(trajectory, file)
    return trajectory


def _parts(row: Floats, shapes: Mapping[str, list[int]]) -> dict[str, Floats]:
    """Return the arrays that a row contains, one after the other."""
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    if ends[-1] != len(row):
        raise ValueError(f"{len(row)} numbers for {ends[-1]} places")
    parts = np.split(row, ends[:-1])
    return {name: part.reshape(shape) for part, (name, shape) in zip(parts, shapes.items(), strict=True)}


def _segments(
    system: System, run: Mapping[str, Floats], plans: list[InputPlan], resting: list[list[str]]
) -> list[Segment]:
    ends = np.cumsum(run["segment_checkpoints"].astype(int))
    known = list(system.model.parameters)
    count = len(ends)  # files of version 0.1.0 have no stops and no modes
    mode_ends = np.cumsum(run.get("segment_modes", np.zeros(count)).astype(int))
    modes = run.get("checkpoint_modes", np.zeros(0))
    stop_ends = np.cumsum(run.get("segment_stop_counts", np.zeros(count)).astype(int))
    stops, largest = run.get("segment_stops", np.zeros(0)), run.get("segment_largest_step", np.full(count, np.inf))
    contacts = run.get("segment_contacts", np.zeros(0))  # files of earlier versions have none, and no works
    carrying = run.get("segment_carries_work", np.zeros(count)).astype(bool)
    work_ends = np.cumsum(np.where(carrying, run["segment_checkpoints"], 0).astype(int))
    works, total = run.get("checkpoint_work", np.zeros(0)), run.get("segment_work", np.zeros(count))
    found: list[Segment] = []
    for i, end in enumerate(ends):
        part = slice(ends[i - 1] if i else 0, end)
        values = run["segment_parameters"][i].tolist()
        found.append(
            Segment(
                start=float(run["segment_start"][i]),
                end=float(run["segment_end"][i]),
                parameters=dict(zip(known, values, strict=True)),
                plan=plans[int(run["segment_plan"][i])],
                times=run["checkpoint_time"][part],
                steps=run["checkpoint_step"][part],
                states=run["checkpoint_state"][part],
                modes=_mode_rows(modes[mode_ends[i - 1] if i else 0 : mode_ends[i]], part.stop - part.start),
                final=run["segment_final"][i],
                stops=stops[stop_ends[i - 1] if i else 0 : stop_ends[i]],
                largest_step=float(largest[i]),
                stride=int(run["segment_stride"][i]),
                resting=tuple(resting[i]) if resting else (),
                contacts=contacts_from_plain(contacts[i]) if len(contacts) else None,
                carries_work=bool(carrying[i]),
                works=works[work_ends[i - 1] if i else 0 : work_ends[i]],
                work=float(total[i]),
                target=float(run["segment_target"][i]),
            )
        )
    return found


def _mode_rows(values: Floats, count: int) -> Floats:
    """Return modes with a row for each checkpoint."""
    return values.reshape(count, -1) if len(values) else np.empty((0, 0))


def _occurrences(run: Mapping[str, Floats], names: list[str]) -> list[Occurrence]:
    none = np.empty((len(run["event_number"]), 0))  # files of version 0.1.0 have no states
    return [
        Occurrence(
            names[number],
            float(run["event_time"][i]),
            int(run["event_direction"][i]),
            *(run.get(f"event_{state}", none)[i] for state in STATES),
        )
        for i, number in enumerate(run["event_number"].astype(int))
    ]


def _compare(trajectory: Trajectory, file: str) -> None:
    """Refuse functions of inputs that do not give the values of the file at the first, middle and last output."""
    motion, system = trajectory.motion, trajectory.system
    rows = np.unique([0, len(trajectory.time) // 2, len(trajectory.time) - 1])
    expected = trajectory.inputs[rows]
    found = motion.rows(trajectory.time[rows], trajectory.states.at(rows), trajectory.modes[rows])[
        :, -expected.shape[1] :
    ]
    scale = np.maximum(np.abs(trajectory.inputs).max(axis=0), 1e-300)
    wrong = np.argwhere(np.abs(found - expected) > 1e-9 * scale)
    if len(wrong):
        i, j = wrong[0]
        raise StateError(
            f"The function given for input {system.inputs[j]!r} is not the one of {file}: at t = "
            f"{trajectory.time[rows[i]]:g} it gives {found[i, j]:.9g}, there was {expected[i, j]:.9g}."
        )


# --- model and versions -----------------------------------------------------------------------------------------------


def _model_text(system: System) -> str:
    return write_yaml(model_to_plain(system.model))


def _system(text: str, record: Mapping[str, Any]) -> System:
    reading = read_model(read_yaml(text))
    if reading.faults:
        raise ModelError(reading.faults)
    system = formulate_as(reading.model, record)
    if coordinate_names(system) != record["names"]:
        raise ResultFileError(
            f"its coordinates are in another order than gyrostat {__version__} gives them; it was written by "
            f"{record['versions']['gyrostat']}. Load it with that version."
        )
    return system


__all__ = ["FORMAT", "load", "save"]
