"""Numbers and settings of a run as plain data, from which a file of its trajectory restores it."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat import __version__
from gyrostat.analysis.simulation.contact_modes import contacts_to_plain
from gyrostat.analysis.simulation.occurrence import Occurrence
from gyrostat.analysis.simulation.run_record import PlanBook, event_to_plain, integrator_to_plain
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.status import Status
from gyrostat.analysis.simulation.trajectory import Trajectory
from gyrostat.coordinates.arguments import Floats
from gyrostat.system import System, choice_to_plain

STATES = ("q", "u", "q_after", "u_after", "z", "z_after")
"""The states of an occurrence of an event."""
_PACKAGES = ("numpy", "scipy", "casadi", "llvmlite", "scikit-sundae", "xarray")


def run_to_plain(trajectory: Trajectory) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return arrays and settings that restore a trajectory, beside the labelled variables."""
    motion, system, book = trajectory.motion, trajectory.system, PlanBook()
    segments, happened = motion.segments, motion.occurrences
    given = [event for event in motion.problem.events if not event.is_margin]
    events = list(dict.fromkeys((*(event.name for event in given), *(one.event for one in happened))))
    changes = np.flatnonzero((trajectory.parameters[1:] != trajectory.parameters[:-1]).any(axis=1)) + 1
    starts = np.append(0, changes)
    arrays: dict[str, NDArray[Any]] = {
        "parameters_from": starts,
        "parameters": trajectory.parameters[starts],
        "segment_plan": np.array([book.number(segment.plan) for segment in segments]),
        **_segments_to_plain(segments, system),
        "output_modes": trajectory.modes,
        **_occurrences_to_plain(happened, events, system),
    }
    for i, table in enumerate(book.tables):
        arrays[f"table{i}_times"], arrays[f"table{i}_values"] = table.times, table.values
    record = {
        "versions": _versions(),
        **choice_to_plain(system),
        "names": coordinate_names(system),
        "integrator": integrator_to_plain(trajectory.integrator),
        "events": [event_to_plain(event) for event in given],
        "event_names": events,
        "resting": [list(segment.resting) for segment in segments],
        "plans": book.plans,
        "tables": [table.interpolation.value for table in book.tables],
        "status": _status_to_plain(trajectory.status),
    }
    return arrays, record


def _segments_to_plain(segments: Sequence[Segment], system: System) -> dict[str, NDArray[Any]]:
    """Return the segments and their checkpoints."""
    known, width = list(system.model.parameters), system.row.state_size
    return {
        "segment_start": np.array([segment.start for segment in segments]),
        "segment_end": np.array([segment.end for segment in segments]),
        "segment_target": np.array([segment.target for segment in segments]),
        "segment_stride": np.array([segment.stride for segment in segments]),
        "segment_parameters": _rows([[segment.parameters[name] for name in known] for segment in segments], known),
        "segment_final": np.vstack([segment.final for segment in segments]).reshape(len(segments), width),
        "segment_largest_step": np.array([segment.largest_step for segment in segments]),
        "segment_stop_counts": np.array([len(segment.stops) for segment in segments]),
        "segment_stops": np.concatenate([np.zeros(0), *(segment.stops for segment in segments)]),
        "segment_checkpoints": np.array([len(segment.times) for segment in segments]),
        "checkpoint_time": np.concatenate([segment.times for segment in segments]),
        "checkpoint_step": np.concatenate([segment.steps for segment in segments]),
        "checkpoint_state": np.vstack([segment.states for segment in segments]),
        "segment_modes": np.array([segment.modes.size for segment in segments]),
        "checkpoint_modes": np.concatenate([segment.modes.reshape(-1) for segment in segments]),
        "segment_carries_work": np.array([segment.carries_work for segment in segments]),
        "segment_work": np.array([segment.work for segment in segments]),
        "checkpoint_work": np.concatenate([segment.works for segment in segments]),
        "segment_contacts": np.array([contacts_to_plain(segment.contacts) for segment in segments]),
    }


def _occurrences_to_plain(
    happened: Sequence[Occurrence], events: Sequence[str], system: System
) -> dict[str, NDArray[Any]]:
    """Return the occurrences of events, which are numbered by their place among the names."""
    places = {name: i for i, name in enumerate(events)}
    arrays: dict[str, NDArray[Any]] = {
        "event_number": np.array([places[one.event] for one in happened]),
        "event_time": np.array([one.time for one in happened]),
        "event_direction": np.array([one.direction for one in happened]),
    }
    for state in STATES:
        size = system.row.sizes[state[0]]
        arrays[f"event_{state}"] = _rows([getattr(one, state) for one in happened], range(size))
    return arrays


def _status_to_plain(status: Status) -> Mapping[str, Any]:
    return {
        "outcome": status.outcome.name,
        "time": status.time,
        "message": status.message,
        "notes": list(status.notes),
        "steps": status.steps,
        "rejected": status.rejected,
        "evaluations": status.evaluations,
        "seconds": status.seconds,
        "switches": status.switches,
    }


def coordinate_names(system: System) -> list[list[str]]:
    """Return the names that give columns of arrays their meaning."""
    rows = [system.coordinate_names, system.speed_names, system.inputs, system.model.parameters]
    if system.state_names:
        rows.append(system.state_names)
    return [list(row) for row in rows]


def _versions() -> dict[str, str]:
    """Return the versions of this package and of those that a result depends on."""
    found = {"gyrostat": __version__, "python": platform.python_version()}
    for package in _PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def _rows(rows: list[Any], names: Iterable[object]) -> Floats:
    """Return rows as an array that has its columns also where there are no rows."""
    return np.array(rows, dtype=float).reshape(len(rows), len(list(names)))
