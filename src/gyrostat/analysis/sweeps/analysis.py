"""Contracts of the analyses of a sweep: many points at a time, or one point at a time."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gyrostat.analysis.sweeps.layout import Layout, as_numbers, explained, function_variables
from gyrostat.analysis.sweeps.points import Piece, Points, PointStatus, PointValues
from gyrostat.analysis.sweeps.requests import fingerprint, function_name
from gyrostat.analysis.sweeps.targets import Targets
from gyrostat.errors import StateError
from gyrostat.system import System

Solver: TypeAlias = Callable[[Points], Piece]
"""Analyses some points. Errors at a point are recorded in the piece, not raised."""


class SweepAnalysis(ABC):
    """An analysis: a record of its settings, which can be sent to other processes.

    `layout` declares the variables before any point is run; `solver` is called once in every process. Where points
    are independent of each other, a subclass of `PointAnalysis` is shorter.
    """

    @abstractmethod
    def layout(self, system: System, targets: Targets, probes: Iterable[Points]) -> Layout:
        """Return the variables of every point; raise an error for settings that do not fit the system.

        `probes` are the first points, for analyses whose variables must be determined by a trial."""

    @abstractmethod
    def solver(self, system: System, targets: Targets, layout: Layout) -> Solver:
        """Return the function that analyses some points."""

    def runs_foreign_code(self) -> bool:
        """Tell whether functions of the user are called; worker processes then run all points, and this one none."""
        return True

    @abstractmethod
    def plain(self) -> Any:
        """Return the settings as plain data, which identify a sweep when it is resumed."""


@dataclass
class PieceBuilder:
    """Builds a piece point by point."""

    points: Points
    layout: Layout

    def __post_init__(self) -> None:
        self.values = self.layout.nothing(self.points.count)
        self.status = np.full(self.points.count, PointStatus.DONE, dtype=np.int8)
        self.reasons: dict[int, str] = {}

    def fail(self, place: int, reason: str) -> None:
        """Record the failure of a point; its values are NaN."""
        self.status[place] = PointStatus.FAILED
        self.reasons[self.points.start + place] = reason
        for values in self.values.values():
            values[place] = np.nan

    def note(self, place: int, text: str) -> None:
        """Record a note on the result of a point, which is done."""
        self.reasons[self.points.start + place] = text

    def piece(self) -> Piece:
        """Return the piece."""
        return Piece(self.points.start, self.values, self.status, self.reasons)


class PointAnalysis(SweepAnalysis):
    """An analysis of one point at a time: `at` returns numbers and labelled arrays by name, or raises an error."""

    @abstractmethod
    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Return the results of one point: numbers or labelled arrays by name, of the same shapes at all points."""

    def layout(self, system: System, targets: Targets, probes: Iterable[Points]) -> Layout:
        """Return the variables of the first point that succeeds."""
        return function_variables((), lambda values: self._found(system, targets, values), probes)

    def solver(self, system: System, targets: Targets, layout: Layout) -> Solver:
        """Return the function that analyses some points."""

        def solve(points: Points) -> Piece:
            builder = PieceBuilder(points, layout)
            for i in range(points.count):
                self.solve_one(builder, i, system, targets)
            return builder.piece()

        return solve

    def solve_one(self, builder: PieceBuilder, place: int, system: System, targets: Targets) -> None:
        """Analyse the point at a place, and record its results or the reason for its failure."""
        try:
            self._write(builder, place, self._found(system, targets, builder.points.at(place)))
        except Exception as error:  # any error, also of the user's code, is the reason for this point's failure
            builder.fail(place, explained(error))

    def _found(self, system: System, targets: Targets, values: Mapping[str, Any]) -> Mapping[str, Any]:
        return self.at(system, targets.split(values))

    @staticmethod
    def _write(builder: PieceBuilder, place: int, found: Mapping[str, Any]) -> None:
        for variable in builder.layout.variables:
            if variable.name not in found:
                raise StateError(f"The analysis gives no {variable.name!r} here, as it does at other points.")
            array = as_numbers(variable.name, found[variable.name])
            if array.shape != variable.shape:
                raise StateError(
                    f"{variable.name!r} of the analysis has shape {array.shape} here and {variable.shape} at the first "
                    "point. Return arrays of the same shape at all points."
                )
            builder.values[variable.name][place] = array


@dataclass(frozen=True, eq=False)
class FunctionAnalysis(PointAnalysis):
    """A function of the user, called with those of system, parameters, initial and inputs that its signature names.

    It returns a number, a labelled array, a dataset, or a mapping of numbers and arrays by name.
    """

    function: Callable[..., Any]

    def at(self, system: System, values: PointValues) -> Mapping[str, Any]:
        """Call the function."""
        offered = {
            "system": system,
            "parameters": values.parameters,
            "initial": values.initial,
            "inputs": values.inputs,
        }
        found = self.function(**{name: offered[name] for name in self._wanted})
        if hasattr(found, "data_vars"):
            return {str(name): array for name, array in found.data_vars.items()}
        return found if isinstance(found, Mapping) else {function_name(self.function).strip("<>"): found}

    def plain(self) -> Any:
        """Return the fingerprint of the function."""
        return {"analysis": "function", "function": fingerprint(self.function)}

    @property
    def _wanted(self) -> tuple[str, ...]:
        """The arguments that the function takes."""
        known = ("system", "parameters", "initial", "inputs")
        try:
            taken = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):  # built-in functions have no signature
            return known
        if any(one.kind is one.VAR_KEYWORD for one in taken):
            return known
        strange = [one.name for one in taken if one.name not in known and one.default is one.empty]
        if strange:
            raise StateError(
                f"The analysis {function_name(self.function)!r} takes {strange[0]!r}. A sweep gives system, "
                "parameters, initial and inputs: name those that it needs."
            )
        return tuple(one.name for one in taken if one.name in known)
