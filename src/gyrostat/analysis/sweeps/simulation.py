"""A simulation at every point of a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from gyrostat.analysis.assembly.orientation import by_coordinates
from gyrostat.analysis.events import Event
from gyrostat.analysis.integrators import DOP853, Integrator
from gyrostat.analysis.simulation.budget import Budget
from gyrostat.analysis.simulation.known_state import KnownState, starting_values
from gyrostat.analysis.simulation.run_record import event_to_plain, integrator_to_plain
from gyrostat.analysis.simulation.simulate import output_times
from gyrostat.analysis.sweeps.analysis import Solver, SweepAnalysis
from gyrostat.analysis.sweeps.layout import Layout, function_variables
from gyrostat.analysis.sweeps.measures import Measures
from gyrostat.analysis.sweeps.points import Points
from gyrostat.analysis.sweeps.requests import Request, plain_setting, read_requests
from gyrostat.analysis.sweeps.summaries import EventCount, EventTime, OutputSummary, RunSummary
from gyrostat.analysis.sweeps.targets import Targets
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.names import did_you_mean
from gyrostat.model.states import Delay
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.sweeps import simulation_solver
else:
    (simulation_solver,) = later("gyrostat.analysis.sweeps", "simulation_solver")


@dataclass(frozen=True, eq=False)
class Simulation(SweepAnalysis):
    """A simulation, as by `gs.simulate`, and the outputs that are kept of each run.

    `outputs` are names, whose values at all output times are kept; summaries such as `gs.Last("a1")` and
    `gs.Maximum("bar.tip.y")`, also written "last(a1)"; functions of the trajectory; or a mapping of these by names of
    variables. By default the last values of all coordinates and speeds are kept. Swept values override those given
    here. Runs with a fixed step, without events and constraints, are integrated many at a time in SIMD lanes, where the
    last bits may differ from those of single runs; with `batched=False` all bits are the same. `most_steps` and
    `most_seconds` are the budget of each point; a point that exceeds it is recorded as failed.

    >>> Simulation(10, integrator=DOP853(rtol=1e-6), outputs=["maximum(a1)"]).duration
    10
    """

    duration: float | None = None
    step: float | None = field(default=None, kw_only=True)
    times: ArrayLike | None = field(default=None, kw_only=True)
    outputs: Mapping[str, object] | Iterable[object] = field(default=(), kw_only=True)
    initial: Mapping[str, object] | KnownState = field(default_factory=dict, kw_only=True)
    """Values by name; an operating point, assembly or trajectory is stored as these, its inputs and its parameters."""
    inputs: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    parameters: Mapping[str, object] = field(default_factory=dict, kw_only=True)
    integrator: Integrator = field(default_factory=DOP853, kw_only=True)
    events: Iterable[Event] = field(default=(), kw_only=True)
    batched: bool = field(default=True, kw_only=True)
    most_steps: int | None = field(default=None, kw_only=True)
    most_seconds: float | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        if not isinstance(self.integrator, Integrator):
            raise StateError(
                f"The integrator is {self.integrator!r}. Use an object such as gs.DOP853() or gs.RK4(step=1e-3)."
            )
        if isinstance(self.events, Event):
            raise StateError("Events are given as a list: events=[gs.Event(…)].")
        if not isinstance(self.initial, Mapping):
            self._start_from(self.initial)
        object.__setattr__(self, "events", tuple(self.events))
        if not isinstance(self.outputs, Mapping):
            given = self.outputs if isinstance(self.outputs, str) else tuple(self.outputs)
            object.__setattr__(self, "outputs", given)
        object.__setattr__(self, "times", None if self.times is None else np.array(self.times))
        output_times(self.duration, self.step, self.times)
        _ = self.budget

    def _start_from(self, known: KnownState) -> None:
        """Take initial values, inputs and parameters from a known state."""
        initial, inputs, parameters, _ = starting_values(known, known.system, self.inputs, self.parameters)
        delay = next((name for name, block in known.system.model.states.items() if isinstance(block, Delay)), None)
        if delay is not None:
            raise StateError(
                f"Runs of a sweep from a known state have no past, which the delay {delay!r} needs. Give the initial "
                "values by name, and the signal before the start in the model: Delay(…, initial=…)."
            )
        for name, value in {"initial": initial, "inputs": inputs, "parameters": parameters}.items():
            object.__setattr__(self, name, value)

    def initial_values(self, system: System) -> Mapping[str, object]:
        """Return initial values by names of coordinates, speeds and states."""
        assert isinstance(self.initial, Mapping), "known states are read when the record is made"
        return by_coordinates(system, self.initial) or {}

    @property
    def budget(self) -> Budget:
        """The limits of steps and computing time of each point."""
        return Budget.of(self.most_steps, self.most_seconds)

    def requests(self, system: System) -> dict[str, Request]:
        """Return the requests by the names of the variables."""
        return read_requests(self.outputs, system)

    def layout(self, system: System, targets: Targets, probes: Iterable[Points]) -> Layout:
        """Return the variables; those of functions from the first point that succeeds."""

        requests = self.requests(system)
        self._require_known(system, targets, requests)
        grid = output_times(self.duration, self.step, self.times)
        layout = Measures(system, requests).layout(grid)
        functions = [name for name, one in requests.items() if not isinstance(one, (str, OutputSummary, RunSummary))]
        if functions:
            solver = simulation_solver.SimulationSolver(system, targets, self, layout)
            extra = function_variables(functions, solver.function_values, probes)
            order = {name: i for i, name in enumerate(requests)}
            variables = sorted((*layout.variables, *extra.variables), key=lambda one: order[one.name])
            layout = Layout(tuple(variables), {**extra.labels, **layout.labels})
        return layout

    def solver(self, system: System, targets: Targets, layout: Layout) -> Solver:
        """Return the function that simulates some points."""
        return simulation_solver.SimulationSolver(system, targets, self, layout)

    def runs_foreign_code(self) -> bool:
        """Tell whether outputs, inputs or actions are functions and classes of the user."""
        outputs: Any = self.outputs.values() if isinstance(self.outputs, Mapping) else self.outputs
        given = (*outputs, *self.inputs.values())
        actions = [action for event in self.events for action in event.actions]
        return any(callable(one) for one in given) or any(_foreign(one) for one in (self.integrator, *actions))

    def plain(self) -> Any:
        """Return the settings as plain data."""
        limits = {"most_steps": self.budget.most_steps, "most_seconds": self.budget.most_seconds}
        return {
            "analysis": "simulation",
            "times": output_times(self.duration, self.step, self.times).tolist(),
            "outputs": plain_setting(self.outputs),
            "initial": plain_setting(self.initial),
            "inputs": plain_setting(self.inputs),
            "parameters": plain_setting(self.parameters),
            "integrator": integrator_to_plain(self.integrator),
            "events": [event_to_plain(event) for event in self.events],
            "batched": self.batched,
            **{name: limit for name, limit in limits.items() if limit is not None},
        }

    def _require_known(self, system: System, targets: Targets, requests: Mapping[str, Request]) -> None:
        """Raise an error for names that the system does not have, before anything is computed."""
        events = [event.name for event in self.events]
        for request in requests.values():
            asked = request.events if isinstance(request, EventTime) else ()
            asked = (request.event,) if isinstance(request, EventCount) else asked
            for name in asked:
                if name not in events:
                    hint = did_you_mean(name, events) if events else "Give it: events=[gs.Event(…)]."
                    raise StateError(f"There is no event {name!r} for a time or a count. {hint}")
        places = {*system.coordinates.place_of, *system.coordinates.chord_of}
        for name in self.initial_values(system):
            if name not in places:
                known, what = list(system.coordinates.place_of), "coordinate, speed or state"
                what = what if system.state_names else "coordinate or speed"
                raise StateError(f"There is no {what} {name!r} for an initial value. {_hint(name, known)}")
        for name in self.inputs:
            if name not in system.inputs:
                raise StateError(f"There is no input {name!r}. {_hint(name, list(system.inputs))}")
        system.model.values({name: value for name, value in self.parameters.items() if name not in targets.of_name})
        for event in self.events:
            for action in event.actions:
                action.check(system, event.name)
        if self.events:
            formulas = {event.name: event.when for event in self.events}
            system.signals(formulas)


def _foreign(thing: object) -> bool:
    return not type(thing).__module__.startswith("gyrostat.")


def _hint(name: str, known: list[str]) -> str:
    return did_you_mean(name, known) if known else "The model has none."
