"""Initial rows of runs; vectorised where no formula depends on swept values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from gyrostat.analysis.assembly.assemble import first_state
from gyrostat.analysis.simulation.inputs import InputPlan
from gyrostat.analysis.sweeps.analysis import PieceBuilder
from gyrostat.analysis.sweeps.targets import TargetKind, Targets
from gyrostat.coordinates.arguments import Floats
from gyrostat.errors import GyrostatError
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.system import System


@dataclass(frozen=True, eq=False)
class Starts:
    """The initial states of runs of a system without constraints: rows of t, q, u, z, parameters, inputs."""

    system: System
    targets: Targets
    initial: Mapping[str, object]
    parameters: Mapping[str, object]
    plan: InputPlan
    t: float

    def rows(self, builder: PieceBuilder) -> Floats:
        """Return a row for each point; points without an initial state are recorded as failed, with rows of NaN."""
        points = builder.points
        if not self._dependent:
            try:
                base = self.row(points.at(0))
            except GyrostatError:
                return self._single_rows(builder)
            rows = np.tile(base, (points.count, 1))
            for name, place in self._places.items():
                rows[:, place] = points.columns[name]
            self._refuse_masses(builder, rows)
            return rows
        return self._single_rows(builder)

    def row(self, values: Mapping[str, Any]) -> Floats:
        """Return the row of one point."""
        parts = self.targets.split(values)
        parameters = {**self.parameters, **parts.parameters}
        known = self.system.parameter_values(parameters)
        state = first_state(self.system, {**self.initial, **parts.initial}, parameters, self.t)
        inputs = {**self.plan.numbers, **parts.inputs}
        return self.system.row.of(self.t, state, known, [inputs.get(name, 0.0) for name in self.system.inputs])

    def _refuse_masses(self, builder: PieceBuilder, rows: Floats) -> None:
        """Record points as failed where swept parameters make a mass negative; their rows become NaN."""
        masses = self.system.changed_masses
        if not masses.names & set(self.targets.names(TargetKind.PARAMETER)):
            return
        own = self.system.model.values(self.parameters)
        for i, values in enumerate(builder.points):
            try:
                masses.require_valid({**own, **self.targets.split(values).parameters})
            except GyrostatError as error:
                rows[i] = np.nan
                builder.fail(i, str(error))

    def _single_rows(self, builder: PieceBuilder) -> Floats:
        rows = np.full((builder.points.count, self.system.row.size), np.nan)
        for i, values in enumerate(builder.points):
            try:
                rows[i] = self.row(values)
            except GyrostatError as error:
                builder.fail(i, str(error))
        return rows

    @cached_property
    def _places(self) -> dict[str, int]:
        """Index in a row of each swept name."""
        system, layout = self.system, self.system.row
        parameters = list(system.model.parameters)
        found = {}
        for name, target in self.targets.of_name.items():
            if target is TargetKind.PARAMETER:
                found[name] = layout.parameters.start + parameters.index(name)
            elif target is TargetKind.INPUT:
                found[name] = layout.inputs.start + system.inputs.index(name)
            else:
                part, place = system.coordinates.place_of[name]
                found[name] = place + getattr(layout, part).start
        return found

    @cached_property
    def _dependent(self) -> bool:
        """Whether other parameters or initial values depend on swept names, or Euler parameters are swept."""
        system = self.system
        if not system.coordinates.are_joint_coordinates:
            return True
        swept = set(self.targets.names(TargetKind.PARAMETER))
        turned = {f"{joint}.e{i}" for joint in system.coordinates.euler_parameters for i in range(4)}
        if turned & set(self.targets.names(TargetKind.INITIAL)):
            return True
        return any(formula.names & swept for formula in self._formulas())

    def _formulas(self) -> Iterator[Formula]:
        """Yield all formulas of initial states and parameters."""
        for name, parameter in self.system.model.parameters.items():
            if parameter.value is not None and name not in self.targets.of_name:
                yield parameter.value
        for joint in self.system.topology.joints.values():
            yield from joint.initial.values()
        for variable in self.system.model.state_variables.values():
            yield variable.initial
        for given in (*self.parameters.values(), *self.initial.values()):
            yield Formula.of(given)
