"""The initial value problem: a system with an integrator and events, from which runs are started."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.events import Event
from gyrostat.analysis.integrators.integrator import Integrator
from gyrostat.analysis.integrators.moreau import Moreau
from gyrostat.analysis.integrators.run import (
    FIRST_ROOM,
    NO_EVENT_BOUNDS,
    NO_PAIRS,
    NO_PLACES,
    NO_PROJECTION,
    NO_RAPID_LAWS,
    NO_ROPES,
    NO_SAMPLES,
    NO_WATCH,
    Run,
)
from gyrostat.analysis.kernels.problem import Pairs, Projection, RapidLaws, Samples
from gyrostat.analysis.simulation.contact_terms import contact_terms, hold_contacts, kernel_contacts, set_loads
from gyrostat.analysis.simulation.event_guards import guards_of, watched_events
from gyrostat.analysis.simulation.input_rows import input_values
from gyrostat.analysis.simulation.inputs import InputFunction, InputPlan
from gyrostat.analysis.simulation.kernel_switching import switching_of
from gyrostat.analysis.simulation.pair_methods import require_pairs
from gyrostat.analysis.simulation.pivot_sizes import typical_pivots
from gyrostat.analysis.simulation.program_on_demand import program_on_demand
from gyrostat.analysis.simulation.projected_states import projected_states
from gyrostat.analysis.simulation.rapid_laws import event_bounds, rapid_laws
from gyrostat.analysis.simulation.samples import samples_within
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.coordinates.arguments import Floats
from gyrostat.coordinates.row import TIME, StateParts
from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.model.names import first_few
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.signals.contact_place import ContactPlace
from gyrostat.system import System

if TYPE_CHECKING:
    from gyrostat.analysis.simulation import pairs, rigid_pairs, ropes
    from gyrostat.analysis.simulation.pairs import PairSet
    from gyrostat.recipes.signals import SignalPrograms
else:
    pairs, rigid_pairs, ropes = later("gyrostat.analysis.simulation", "pairs", "rigid_pairs", "ropes")

_KEPT_VALUES_LIMIT = 8192
"""Largest number of output values of a run whose memory is kept for the next."""


@dataclass(frozen=True, eq=False)
class Problem:
    """An initial value problem: a system, an integrator, and the events that are located."""

    system: System
    integrator: Integrator
    events: tuple[Event, ...] = ()

    def __post_init__(self) -> None:
        """Refuse integrators that cannot treat the states of the system."""
        names, method = self.system.state_names, type(self.integrator).__name__
        if names and self.integrator.momenta:
            raise StateError(
                f"{method} integrates coordinates and momenta alone; the model has the states {first_few(names)}. Use "
                "another integrator, such as gs.DOP853() or gs.Rodas5P()."
            )
        equations = [names[place] for place in self.system.coordinates.algebraic]
        if equations and not self.integrator.algebraic:
            raise StateError(
                f"{method} cannot solve the equations of the algebraic states {first_few(equations)}. Use "
                "integrator=gs.Rodas5P()."
            )
        if self.integrator.rigid_pairs:
            rigid_pairs.require_rigid(self.system)
        require_pairs(self.system, self.integrator)

    @cached_property
    def margins(self) -> dict[int, int]:
        """The events that are margins of rigid contacts, by number, with the numbers of the margins."""
        found = [number for number, event in enumerate(self.events) if event.is_margin]
        return {number: place for place, number in enumerate(found)}

    @property
    def _formulas(self) -> dict[str, Any]:
        return {event.name: event.when for event in self.events}

    def _watched(self) -> dict[str, Any]:
        """Return the event functions, and behind them their guards."""
        return self._formulas | guards_of(self.system, self._formulas)

    def signals(self, plan: InputPlan, *, locked: bool = False) -> SignalPrograms:
        """Return the programs of the event functions; with `locked`, conditions in laws are modes."""
        return self.system.signals(self._formulas, inputs=plan.formulas or None, locked=locked)

    def on_modes(self, plan: InputPlan) -> tuple[bool, ...]:
        """Tell for each event whether its function depends on conditions of laws, whose modes a motion alone has."""
        if StateSwitches.of(self.system, plan.formulas, momenta=self.integrator.momenta) is None:
            return (False,) * len(self.events)
        return self.signals(plan, locked=True).on_modes

    def direction(self, event: Event, plan: InputPlan) -> Program:
        """Return the program of the contact impulse's direction of an event, in the space of speeds."""
        return self.system.signals({event.name: event.when}, inputs=plan.formulas or None).gradients

    def contact(self, event: Event, place: ContactPlace, plan: InputPlan) -> Program:
        """Return the program of the sliding speeds at a contact of an event."""
        return self.system.contact(place, event.when, event.name, inputs=plan.formulas or None)

    def prepare(self, plan: InputPlan) -> None:
        """Compile the programs of the events' actions; raise an error for those that cannot be formed."""
        for event in self.events:
            for action in event.actions:
                if action.needs_direction:
                    self.direction(event, plan)
                if action.place is not None:
                    self.contact(event, action.place, plan)

    def require_apart(self, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan) -> None:
        """Refuse a first state in which bodies with contacts of many pairs overlap too much."""
        found = pairs.PairSet.of(self.system, parameters) if self.system.kernel_forces else None
        if found is not None:
            found.require_apart(self.vector(t, state, parameters, plan))

    def vector(self, t: float, state: StateParts, parameters: Mapping[str, float], plan: InputPlan) -> Floats:
        """Return the input vector x of programs; inputs that are not numbers are left at zero."""
        row = self._fixed_arguments(parameters, plan)
        row[TIME], row[self.system.row.state] = t, self.system.row.joined(state)
        return row

    def run(
        self,
        segment: Segment,
        t: float,
        y: Floats,
        grid: Floats,
        *,
        sides: np.ndarray[Any, np.dtype[np.int8]] | None = None,
        watching: bool = True,
    ) -> tuple[Run, InputFunction]:
        """Return a run from a state y at a time to the end of a segment, and the Python functions that it calls."""
        system, plan = self.system, segment.plan
        switches = StateSwitches.of(system, plan.formulas, momenta=self.integrator.momenta)
        x = self._begun(segment, t, y, switches)
        function, events = InputFunction(plan, system, x), self.events if watching else ()
        kept_as, samples = None, samples_within(system, segment)
        held, varying = x.size - system.row.size, bool(events or plan.formulas or system.laws_may_vary_rapidly)
        banded = ropes.kernel_ropes(system, self.integrator, segment, held) if system.whole_ropes else NO_ROPES
        simple = not varying and samples is NO_SAMPLES and banded is NO_ROPES
        if simple and self._is_plain(segment) and grid.size * y.size <= _KEPT_VALUES_LIMIT:
            kept_as = self.integrator, grid.size, held, segment.carries_work, self.pair_set(segment)
            earlier = self._kept(kept_as, segment, t, y, grid, x)
            if earlier is not None:
                return earlier, function
            grid = grid.copy()
        formulas, turned, locked = plan.formulas or None, system.coordinates.turned_places, switches is not None
        functions = self._watched() if events else {}
        projection = self.projection(segment, x, locked=locked)
        behind = projection.rows + segment.carries_work
        run = Run(
            self._rates(segment, locked=locked, at_once=banded is NO_ROPES),
            system.coordinates.n_q,
            self._event_functions(segment, functions, locked=locked),
            program_on_demand(system, "rates_jacobian", formulas, locked=locked),
            program_on_demand(system, "rates_in_time", formulas, locked=locked),
            program_on_demand(system, "rates_by_inputs", formulas, locked=locked),
            program_on_demand(system, "constraint_directions"),
            function.address,
            plan.kernel_tables(system),
            np.array(turned, dtype=np.int64) if turned else NO_PLACES,
            self.breaks(segment, samples),
            watched_events(events, len(functions) - len(events), sides) if events else NO_WATCH,
            x,
            y.copy(),
            grid,
            projection,
            switching_of(system, self.integrator.momenta, switches, plan, x, y.size + behind),
            samples,
            *self._pairs(segment, y.size),
            kernel_contacts(system, plan, segment.parameters, segment.contacts, behind),
            banded,
            self._rapid_laws(segment, watching=bool(events)) if varying else NO_RAPID_LAWS,
            event_bounds(system, plan.formulas, self._formulas) if events else NO_EVENT_BOUNDS,
            () if switches is None else switches.owners,
            system.coordinates.mass_diagonal,
            segment.carries_work,
            kept_as,
        )
        run.start(t, segment.end, largest_step=segment.largest_step)
        return run, function

    def _rapid_laws(self, segment: Segment, *, watching: bool) -> RapidLaws:
        """Return the functions that a step must resolve; fixed steps are the user's choice."""
        if not self.integrator.adaptive:
            return NO_RAPID_LAWS
        return rapid_laws(self.system, segment.plan.formulas, self._formulas if watching else {})

    def _is_plain(self, segment: Segment) -> bool:
        """Return whether nothing but the state distinguishes runs of a segment: no stops, functions or modes given."""
        system = self.system
        smooth = segment.plan.constant and not len(segment.stops) and not system.rigid_contacts
        return smooth and type(self.integrator).__hash__ is not None

    def _begun(self, segment: Segment, t: float, y: Floats, switches: StateSwitches | None) -> Floats:
        """Return the arguments of programs at the start of a run, with room for modes behind them."""
        known = self.arguments(segment)
        x = np.zeros(known.size + (0 if switches is None else len(switches.owners)))
        x[: known.size] = known
        x[TIME], x[self.system.row.state] = t, y
        return x

    def pair_set(self, segment: Segment) -> PairSet | None:
        """Return the contacts of many pairs with the parameters of a segment; those of the last ones are kept."""
        if not self.system.kernel_forces:
            return None
        parameters, known = segment.parameters, self._known_pairs[0]
        if known is None or known[0] is not parameters:
            known = self._known_pairs[0] = parameters, pairs.PairSet.of(self.system, parameters)
        return known[1]

    @cached_property
    def _known_pairs(self) -> list[tuple[Mapping[str, float], PairSet | None] | None]:
        """One entry: parameters, and the contacts of many pairs with their values."""
        return [None]

    def _pairs(self, segment: Segment, size: int) -> tuple[Pairs, tuple[str, ...]]:
        """Return the contacts of many pairs as kernels take them, for a state of a size, and the bodies of shapes."""
        found = self.pair_set(segment)
        if found is None:
            return NO_PAIRS, ()
        rigid = self.integrator.rigid_pairs
        tables = (
            rigid_pairs.rigid_tables(found, segment.parameters, size)
            if rigid
            else found.tables(size, slopes=self.integrator.jacobian)
        )
        return tables, tuple(one.body for one in found.shapes)

    def _kept(self, kept_as: object, segment: Segment, t: float, y: Floats, grid: Floats, x: Floats) -> Run | None:
        """Return a kept run begun again, if there is one of this kind."""
        system = self.system
        earlier, loop = system.cache.pop(kept_as, (None, None))
        if not isinstance(earlier, Run):
            return None
        earlier.loop = loop
        earlier.restart(x, y, grid, t, segment.end)
        if self.pair_set(segment) is not None:
            tables = earlier.pairs.tables
            pairs.forget_neighbours(tables.pairs if self.integrator.rigid_pairs else tables)
        if system.constrained:
            rates = self._guarded_rates(segment)
            earlier.projection.largest_pivots[:] = typical_pivots(system, rates, x, segment.parameters)
        return earlier

    def _rates(self, segment: Segment, *, locked: bool, at_once: bool) -> Callable[[], Program]:
        """Return what gives the program of the rates, which is formed at once where steps call it.

        Steps of most methods with constraints call the program of rates and pivots instead: see `Run.equations`.
        """
        system, formulas = self.system, segment.plan.formulas or None
        if self.integrator.momenta:
            canonical = system.program("canonical_rates", inputs=formulas, locked=locked)
            return lambda: canonical
        name = "powered_rates" if segment.carries_work else "rates"
        ready = at_once and not (self.integrator.jacobian and not system.derivatives_roll)
        later = program_on_demand(system, name, formulas, locked=locked, ready=ready)
        if system.constrained or not at_once:
            return later
        rates = later()
        return lambda: rates

    def _event_functions(self, segment: Segment, functions: Mapping[str, Formula], *, locked: bool) -> Program | None:
        """Return the program of the event functions and their rates, if there are any."""
        system, formulas = self.system, segment.plan.formulas or None
        if not functions:
            return None
        if self.integrator.momenta:
            return system.canonical_signals(functions, inputs=formulas, locked=locked)
        return system.signals(functions, inputs=formulas, locked=locked).values_and_rates

    def breaks(self, segment: Segment, samples: Samples) -> Floats:
        """Return the times that no step passes over: of tables, of switches, and of samples."""
        breaks = segment.plan.breaks(self.system)
        further = [times for times in (segment.stops, samples.times) if len(times)]
        return np.unique(np.concatenate((breaks, *further))) if further else breaks

    def keep(self, run: Run) -> None:
        """Keep the memory of a finished run for the next of its kind: allocating takes longer than a short run."""
        loop, run.loop = run.loop, None  # a loop refers to its run
        if run.kept_as is not None and run.log.checkpoint_times.size == FIRST_ROOM:
            self.system.cache.keep(run.kept_as, (run, loop))

    def projection(self, segment: Segment, x: Floats, *, locked: bool = False) -> Projection:
        """Return the projection onto the constraints that a run applies; `x` is its vector of arguments."""
        system, plan = self.system, segment.plan
        if not system.constrained:
            return NO_PROJECTION
        coordinates, speeds = self._projections(plan)
        rates = self._guarded_rates(segment, locked=locked)
        n_q, n_u = system.coordinates.n_q, system.coordinates.n_u
        rows = speeds.output_size - n_u
        return Projection(
            coordinates.address,
            speeds.address,
            n_q,
            n_u,
            rows,
            system.model_size,
            np.empty(max(n_q, n_u) + rows),
            rates.address,
            typical_pivots(system, rates, x, segment.parameters).copy(),
            system.coordinates.rate_places,
        )

    def _guarded_rates(self, segment: Segment, *, locked: bool = False) -> Program:
        """Return the program of rates that are followed by the pivots of the constraints."""
        name = "powered_rates" if segment.carries_work else "guarded_rates"
        return self.system.ready_program(name, inputs=segment.plan.formulas or None, locked=locked)

    def _projections(self, plan: InputPlan) -> tuple[Program, Program]:
        """Return the programs that project coordinates and speeds; inputs matter only where they drive coordinates."""
        formulas = {name: plan.formulas[name] for name in self.system.driving_inputs if name in plan.formulas}
        names = ("projected_coordinates", "projected_speeds")
        coordinates, speeds = (self.system.ready_program(name, inputs=formulas or None) for name in names)
        return coordinates, speeds

    def settled(self, segment: Segment, times: Floats, states: StateParts) -> StateParts:
        """Return states projected onto the constraints, which interpolation between steps violates slightly."""
        system = self.system
        if not system.constrained or not len(times):
            return states
        rows = self.rows(segment, times, states)
        return projected_states(system, self._projections(segment.plan), rows, states.z)

    def arguments(self, segment: Segment) -> Floats:
        """Return a row with the parameters of a segment and its inputs that are numbers, at any time and state.

        That of the last parameters and plan of inputs is kept; it must not be changed.
        """
        parameters, plan = segment.parameters, segment.plan
        known = self._known_arguments[0]
        if known is None or known[0] is not parameters or known[1] is not plan:
            row = self._fixed_arguments(parameters, plan)
            known = self._known_arguments[0] = parameters, plan, row
        return known[2]

    def _fixed_arguments(self, parameters: Mapping[str, float], plan: InputPlan) -> Floats:
        """Return a row with parameters and inputs that are numbers; all else is zero."""
        system, numbers = self.system, plan.numbers
        row = np.zeros(system.row.size)
        row[system.row.parameters] = [parameters[name] for name in system.model.parameters]
        if numbers:
            row[system.row.inputs] = [numbers.get(name, 0.0) for name in system.inputs]
        return row

    @cached_property
    def _known_arguments(self) -> list[tuple[Mapping[str, float], InputPlan, Floats] | None]:
        """One entry: parameters and plan of inputs, and the row that has their values."""
        return [None]

    def rows(self, segment: Segment, times: Floats, states: StateParts, modes: Floats | None = None) -> Floats:
        """Return the input vectors of programs with the parameters and inputs of a segment.

        Conditions in formulas of inputs have the modes of a motion, where these are given.
        """
        system, layout = self.system, self.system.row
        rows = np.empty((len(times), layout.size))
        rows[:] = self.arguments(segment)
        rows[:, TIME], rows[:, layout.q], rows[:, layout.u], rows[:, layout.z] = times, *states
        if not segment.plan.constant:
            rows[:, layout.inputs] = input_values(system, segment.plan, rows, modes)
        if self.system.kernel_forces and (found := self.pair_set(segment)) is not None:
            self._fill(found, segment, rows)
        set_loads(system, segment.plan, segment.parameters, segment.contacts, rows)
        return rows

    def _fill(self, found: PairSet, segment: Segment, rows: Floats) -> None:
        """Write the loads of contacts of many pairs at all rows of arguments into them."""
        if not isinstance(self.integrator, Moreau):
            found.fill(rows)
        elif len(rows):
            run, _ = self.run(
                segment, float(rows[0, TIME]), rows[0, self.system.row.state], np.empty(0), watching=False
            )
            rigid_pairs.fill_rigid_loads(self.integrator, run, rows)

    def to_state(self, segment: Segment, t: float, state: StateParts) -> Floats:
        """Return the state y that the integrator takes."""
        if self.integrator.momenta:
            rows = self.rows(segment, np.array([t]), StateParts(*(part[None, :] for part in state)))
            state = state._replace(u=self.system.program("momenta").loop(rows)[0])
        return self.system.row.joined(state)

    def from_states(self, segment: Segment, t: Floats, states: Floats) -> StateParts:
        """Return the parts of states y at times, with speeds in place of momenta."""
        parts = self.system.row.split(states)
        if self.integrator.momenta and len(states):
            speeds = self.system.program("speeds_of_momenta").loop(self.rows(segment, t, parts))
            parts = parts._replace(u=speeds)
        return self._held(segment, t, self.settled(segment, t, parts))

    def _held(self, segment: Segment, times: Floats, states: StateParts) -> StateParts:
        """Return states with closed contacts closed exactly, which interpolation between steps violates slightly."""
        modes = segment.contacts
        if modes is None or not modes.closed:
            return states
        q, u = states.q.copy(), states.u.copy()
        for i, row in enumerate(self.rows(replace(segment, contacts=None), times, states)):
            terms = contact_terms(self.system, segment.plan, row)
            q[i], u[i] = hold_contacts(self.system, terms, q[i], u[i], modes.closed, modes.held)
        return states._replace(q=q, u=u)
