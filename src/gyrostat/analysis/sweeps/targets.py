"""Meaning of swept names: parameters, initial values or inputs of a system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

from gyrostat.analysis.sweeps.plan import Plan
from gyrostat.analysis.sweeps.points import PointValues
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.names import did_you_mean
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import outputs
else:
    (outputs,) = later("gyrostat.analysis.simulation", "outputs")


class TargetKind(Enum):
    """The kind of quantity that a swept name denotes."""

    PARAMETER = "parameter"
    INITIAL = "initial value"
    INPUT = "input"


@dataclass(frozen=True)
class Targets:
    """The kind of each swept name, in the order of the plan."""

    of_name: Mapping[str, TargetKind]

    @staticmethod
    def of(system: System, plan: Plan) -> Targets:
        """Look up all swept names; raise an error for unknown ones, and for formulas of anything but inputs."""
        found = {name: _target(system, name) for name in plan.names}
        for axis in plan.axes:
            for name, column in axis.columns.items():
                if column.dtype.kind == "U" and found[name] is not TargetKind.INPUT:
                    text = next(text for text in column.tolist() if not _is_number(text))
                    raise StateError(
                        f"{name!r} is swept over {text!r:.60}. It is a{_article(found[name])}: give numbers; only "
                        "inputs are swept over formulas."
                    )
            if axis.dim in ("time", "axis", "component"):
                raise StateError(f"{axis.dim!r} cannot be swept: an axis of results has that name. Rename it.")
        return Targets(found)

    def split(self, values: Mapping[str, Any]) -> PointValues:
        """Return the values of a point by kind."""
        parts: dict[TargetKind, dict[str, Any]] = {target: {} for target in TargetKind}
        for name, value in values.items():
            parts[self.of_name[name]][name] = value
        return PointValues(parts[TargetKind.PARAMETER], parts[TargetKind.INITIAL], parts[TargetKind.INPUT])

    def names(self, target: TargetKind) -> tuple[str, ...]:
        """Return the names of one kind."""
        return tuple(name for name, one in self.of_name.items() if one is target)


def unit_of(system: System, name: str, target: TargetKind) -> str:
    """Return the unit of a swept name, empty where it is not known."""
    if target is TargetKind.PARAMETER:
        return system.model.parameters[name].unit
    if target is TargetKind.INPUT:
        return ""
    signal = system.signal_table.find(name)
    return signal.unit if signal is not None else ""


def _target(system: System, name: str) -> TargetKind:
    coordinates = {*system.coordinates.place_of, *system.coordinates.chord_of}
    homes = {
        TargetKind.PARAMETER: name in system.model.parameters,
        TargetKind.INITIAL: name in coordinates,
        TargetKind.INPUT: name in system.inputs,
    }
    found = [target for target, there in homes.items() if there]
    if len(found) > 1:
        both = " and ".join(target.value for target in found)
        raise StateError(f"{name!r} is {both} of {system.model.name!r} at once. Rename one of them to sweep it.")
    if not found:
        known = _unique((*system.model.parameters, *system.coordinates.place_of, *system.inputs))
        raise StateError(
            f"There is no parameter, initial value or input {name!r} to sweep in {system.model.name!r}. "
            f"{did_you_mean(name, known)}"
        )
    return found[0]


def _unique(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _article(target: TargetKind) -> str:
    return f"n {target.value}" if target.value[0] in "aeiou" else f" {target.value}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
