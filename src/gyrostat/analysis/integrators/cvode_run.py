"""A run with SUNDIALS' CVODE: its steps one by one, with the outputs, events and breaks of all integrators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.analysis.integrators.cvode_contacts import CvodeContacts
from gyrostat.analysis.integrators.euler_parameters import drift_of_lengths, normalise
from gyrostat.analysis.integrators.narrow_zones import NarrowZones
from gyrostat.analysis.integrators.run import NO_PAIRS, Run
from gyrostat.analysis.integrators.solver_messages import without_solver_messages
from gyrostat.analysis.kernels.library import (
    begin_watch,
    end_at_switch,
    end_step,
    first_switch,
    hold_zero,
    homogeneous_rates,
    log_modes,
    polynomial_through,
    prepare_switches,
    project,
    record_step,
    resolved_part,
    returns_across,
    set_normalised,
    truncate,
)
from gyrostat.analysis.kernels.problem import Floats, Step
from gyrostat.analysis.kernels.progress import (
    BREAK,
    CHECKPOINTS,
    CROWDED_OUT,
    DONE,
    END,
    EVALUATIONS,
    EVENT,
    LARGEST_STEP,
    NON_FINITE,
    NOT_CONVERGED,
    PAUSED,
    REJECTED,
    STEP,
    TIME,
    UNDERFLOW,
)
from gyrostat.coordinates import row
from gyrostat.errors import StateError
from gyrostat.program import Buffer, Program

if TYPE_CHECKING:
    from gyrostat.analysis.integrators.cvode import CVODE

_UNDERFLOWS = (-1, -2, -3)
"""Return codes of the solver: too much work, too much accuracy, repeated failures of the error test."""
_LARGEST_STRAY = 300.0
"""The distance from the constraints, in tolerances, beyond which the solver is restarted."""
_LARGEST_DRIFT = 0.02
"""The error of the squared norm of Euler parameters beyond which the solver is restarted."""

_DIFFERENCE = 1e-7
"""The relative change by which sliding motions are differentiated."""

_SHORTEST_STEP = 1e-13
"""The part of the time below which a step is not made shorter."""


class CvodeRun:
    """Advances a run: called with a number of steps, it makes at most so many and returns why it stopped.

    The solver keeps its history between calls. It restarts at order one after events and breaks, and where time, state
    or parameters were changed in between.
    """

    def __init__(self, settings: CVODE, run: Run) -> None:
        self.run, self._settings = run, settings
        self.jacobian_evaluations = 0
        """The number of evaluations of the Jacobian."""
        n, order = run.y.size, settings.largest_order or settings.method.highest_order
        self._within = 0.0
        self._after = -np.inf
        """The time before which nothing is evaluated: just after the last break."""
        self._finite = True
        self._equations, self._room = run.equations(exponential=False), run.room()
        self._rates, self._set_state = homogeneous_rates.bind(self._equations), set_normalised.bind(self._equations)
        self._project, self._resolved_part = project.bind(self._equations), resolved_part.bind(self._equations)
        self._switches, self._broken = run.switching.modes.size > 0, False
        tolerances = float(settings.rtol), float(settings.atol)
        self._zones = NarrowZones(run, self._equations, self._rates, tolerances) if self._switches else None
        self._contacts = None if run.pairs is NO_PAIRS else CvodeContacts(run, self._equations)
        self._bind()
        self._vector: Buffer | None = None
        self._fresh, self._longest = True, np.inf
        self._known = np.empty(0)
        self._evaluations = 0
        self._nodes = 0.5 * (1.0 - np.cos(np.pi * np.arange(order + 1) / order))
        self._samples, self._polynomial = np.empty((order + 1, n)), np.empty((order, n))
        self._factor = np.empty(order + 1)
        self._start, self._new, self._absolute = np.empty(n), np.empty(n), np.full(n, float(settings.atol))
        self._solver = self._new_solver(settings, order)

    def _new_solver(self, settings: CVODE, order: int) -> Any:
        try:
            from sksundae import cvode
        except ImportError:
            raise StateError(
                "integrator=CVODE() needs SUNDIALS, which is not installed. Install it: pip install scikit-sundae."
            ) from None
        run = self.run
        largest = min(settings.largest_step or np.inf, float(run.clock[LARGEST_STEP]))
        # a step that does not change the time would be made again and again, with a message for each
        smallest = 1e-15 * max(abs(run.time), abs(run.clock[END]))
        return cvode.CVODE(
            self._rates_function(),
            jacfn=self._jacobian_function(run.jacobian()),
            method=settings.method.value,
            rtol=float(settings.rtol),
            atol=float(settings.atol),
            first_step=float(settings.starting_step or 0.0),
            min_step=float(min(smallest, largest)),
            max_step=float(min(largest, 1e300)),
            max_order=int(order),
            linsolver="dense",  # SuperLU takes a millisecond a step in its threads: 15 to 30 times more at 200 states
        )

    def _bind(self) -> None:
        run, self._log = self.run, self.run.log
        record, progress = run.record(self._room), run.progress
        self._record_step = record_step.bind(self._equations, record, progress)
        if self._switches or run.watch.sides.size:
            self._begin_watch = begin_watch.bind(self._equations, record)
            self._returns_across = returns_across.bind(self._equations, record)
            self._end_step = end_step.bind(record, progress)
        if not self._switches:
            return
        self._prepare_switches = prepare_switches.bind(self._equations, run.log, progress)
        self._first_switch, self._truncate = first_switch.bind(self._equations), truncate.bind(self._equations)
        self._end_at_switch = end_at_switch.bind(self._equations, progress)
        self._hold_zero = hold_zero.bind(self._equations, progress)
        self._log_modes = log_modes.bind(self._equations, run.log, progress)

    # --- what the solver calls ----------------------------------------------------------------------------------

    def _rates_function(self) -> Callable[[float, Floats, Floats], None]:
        """Return the function that the solver calls for ẏ; a shorter one where only the state changes."""
        run = self.run
        if len(run.rotations) or run.tables.places.size or run.input_function or self._switches or self._contacts:

            def rates(t: float, y: Floats, rate: Floats) -> None:
                self._finite = self._rates(max(t, self._after), self._within, y, rate)

            return rates
        program = run.rates
        target = program.output_buffer()
        self._vector = source = program.input_buffer()
        vector, found, state = source.array, target.array, source.array[run.state]

        def plain_rates(t: float, y: Floats, rate: Floats) -> None:
            vector[row.TIME] = max(t, self._after)
            state[:] = y
            program(source, target)
            rate[:] = found

        return plain_rates

    def _jacobian_function(self, program: Program) -> Callable[[float, Floats, Floats, Floats], None]:
        """Return the function that the solver calls for ∂ẏ/∂y."""
        run = self.run
        source, target, port, n = program.input_buffer(), program.output_buffer(), program.outputs[0], run.y.size
        # stored entries are listed column by column
        places = np.divmod(np.arange(n * n), n)[::-1] if port.pattern is None else port.pattern

        def jacobian(t: float, y: Floats, rate: Floats, matrix: Floats) -> None:
            if run.switching.sizes[0]:
                self._differentiate(t, y, rate, matrix)
                return
            self._set_state(t, self._within, y)
            source.array[:] = run.x
            program(source, target)
            matrix[:] = 0.0  # it has the values of the last call, also beyond the pattern
            matrix[places] = target.array
            if self._contacts is not None:
                matrix += self._contacts.jacobian(run.x)
            self.jacobian_evaluations += 1

        return jacobian

    def _differentiate(self, t: float, y: Floats, rate: Floats, matrix: Floats) -> None:
        """Write ∂ẏ/∂y of a sliding motion by differences, since its modes change with the state."""
        state, found = y.copy(), np.empty(y.size)
        for j, change in enumerate(_DIFFERENCE * (1.0 + np.abs(y))):
            state[j] += change
            self._rates(max(t, self._after), self._within, state, found)
            matrix[:, j] = (found - rate) / change
            state[j] = y[j]

    # --- steps --------------------------------------------------------------------------------------------------

    def __call__(self, steps: int) -> int:
        """Make at most so many steps; return a constant of `kernels.progress`."""
        if not np.array_equal(self._known, self._signature(), equal_nan=True):
            self._fresh = True
        try:
            with without_solver_messages():
                reason = self._advance(steps)
        except BaseException:
            self._fresh = True
            raise
        self._known = self._signature()
        return reason

    def _signature(self) -> Floats:
        """Return time, state and parameters, which must not change between calls if the solver is to continue."""
        run = self.run
        inputs = len(run.tables.places) + (run.input_function != 0)
        return np.concatenate(([run.time], run.y, run.x[run.state.stop :] if not inputs else []))

    def _advance(self, steps: int) -> int:
        run, clock, counts = self.run, self.run.clock, self.run.counts
        if run.log is not self._log:  # there was no room left in the old one
            self._bind()
        watched, turning = self._switches or run.watch.sides.size > 0, len(run.rotations) > 0
        for _ in range(steps):
            t = run.time
            if t >= clock[END]:
                return DONE
            if counts[CHECKPOINTS] >= run.log.checkpoint_times.size:
                return PAUSED
            reason = self._prepared(t)
            if reason != DONE:
                return reason
            stop = run.next_stop
            found = self._attempt(t, min(stop, t + self._longest))
            if not found.success or found.t <= t:
                return self._failure(found.status)
            reached, new = float(found.t), self._new
            new[:] = found.y
            strayed = self._projected(reached)
            if strayed is None:
                return NOT_CONVERGED
            if self._returns(t, reached) or not self._is_resolved(t, reached, found.y):
                continue
            if self._switches:
                self._log_modes()
            run.count_step(0.0)
            cut, switched = -1.0, False
            if watched or self._contacts or run.due(reached):
                self._sample(t, reached, found.y)
                step = Step(t, reached - t, reached, False, self._start, new, self._polynomial)
                step, switched = self._up_to_switch(step)
                if self._contacts is not None:
                    step, touched = self._contacts.up_to_touch(step)
                    switched = switched or touched
                    if not step.h > 0.0 and not touched:
                        self._shorten(reached - t)
                        continue
                if step.h > 0.0:
                    cut = self._recorded(step)
            clock[STEP] = reached - t
            if not watched:
                run.y[:], clock[TIME] = new, step.reached if switched else reached
            elif not self._end_step(step, stop, cut):
                self._fresh = True
                return EVENT
            if switched and self._zones is not None:
                self._zones.leave(self._within)
            self._start[:] = found.y
            if switched:
                self._fresh = True
                if self._switches and (reason := self._end_at_switch(True)) != DONE:
                    return reason
            elif run.switching.sizes[0]:
                self._hold_zero(self._within)
                strayed = strayed or self._strays(new, run.y)
            if strayed or (turning and drift_of_lengths(self._start, run.rotations) > _LARGEST_DRIFT):
                self._fresh = True
        return DONE if clock[TIME] >= clock[END] else PAUSED

    def _prepared(self, t: float) -> int:
        """Pass breaks, hold contacts and begin anew where something has changed; return why the run stops, or DONE."""
        run = self.run
        if run.breaks.size and run.pass_breaks():
            self._fresh = self._broken = True
        stop = run.next_stop
        if self._contacts is not None and (reason := self._contacts.hold(t, t + 1e-9 * (stop - t))) != DONE:
            return reason
        return self._begin(t, stop) if self._fresh else DONE

    def _projected(self, reached: float) -> bool | None:
        """Project the new state onto the constraints; tell whether it strayed, None where that does not converge."""
        if len(self.run.rotations):
            normalise(self._new, self.run.rotations)
        if self.run.projection.coordinates == 0:
            return False
        own = self._new.copy()
        if not self._project(reached, self._within, self._new):
            self._fresh = True
            return None
        return self._strays(own, self._new)

    def _returns(self, t: float, reached: float) -> bool:
        """Tell whether an event function that acts turned and crossed zero within a step, which is then made shorter.

        A bounce lower than the tolerance is one step of low order, whose polynomial may have no turning point.
        """
        run, width = self.run, reached - t
        self._longest = np.inf
        if not run.watch.active.any() or width <= _SHORTEST_STEP * max(abs(t), abs(reached)):
            return False
        if not self._returns_across(self._new, reached, self._within):
            return False
        self._shorten(width)
        return True

    def _is_resolved(self, t: float, reached: float, y: Floats) -> bool:
        """Tell whether a step resolves laws that may vary rapidly; otherwise it is repeated with the part that does."""
        if self.run.rapid.conditions.size == 0:
            return True
        self._sample(t, reached, y)
        step = Step(t, reached - t, reached, False, self._start, self._new, self._polynomial)
        part = self._resolved_part(step, float(self._settings.rtol), self._absolute, True)
        if part < 1.0:
            self._shorten(reached - t, part)
        return part >= 1.0

    def _shorten(self, width: float, part: float = 0.25) -> None:
        """Repeat a step of some width from its start with a part of it."""
        self._longest, self._fresh = part * width, True
        self.run.counts[REJECTED] += 1

    def _up_to_switch(self, step: Step) -> tuple[Step, bool]:
        """Return the part of a step before the first switch, and whether there is one."""
        if not self._switches:
            return step, False
        fraction = self._first_switch(step, self.run.progress)
        if fraction < 0.0:
            return step, False
        self._truncate(step, fraction)
        reached = step.reached if fraction >= 1.0 else step.t + fraction * step.h
        return step._replace(h=reached - step.t, reached=reached), True

    def _recorded(self, step: Step) -> float:
        """Record events and outputs of a step; return the fraction at which an event cuts it, or a negative number."""
        while (cut := self._record_step(step)) == CROWDED_OUT:
            self.run.enlarge_records()
            self._bind()
        return cut

    def _attempt(self, t: float, stop: float) -> Any:
        """Return the solver's result of its next step."""
        found = self._solver.step(stop, "onestep", tstop=stop)
        if found.success and found.t <= t:  # the state at the end of the last step, after an evaluation at its middle
            found = self._solver.step(stop, "onestep", tstop=stop)
        self.run.counts[EVALUATIONS] += found.nfev - self._evaluations
        self._evaluations = found.nfev
        return found

    def _begin(self, t: float, stop: float) -> int:
        """Start the solver at the present state; return DONE, or why there is no motion from there."""
        run = self.run
        if self._switches and (reason := self._prepare_switches(stop, self._broken)) != DONE:
            return reason
        self._broken = False
        self._within = 0.5 * (t + stop)
        at_break = run.counts[BREAK] and run.breaks[run.counts[BREAK] - 1] == t
        self._after = t + 7e-15 * abs(t) + 1e-15 * (stop - t) if at_break else -np.inf
        if self._vector is not None:
            self._vector.array[:] = run.x
        self._start[:] = run.y
        rates = np.empty(run.y.size)
        ahead = t + 1e-9 * (stop - t)
        finite = self._rates(t, ahead, run.y, rates)
        if self._zones is not None:
            self._zones.enter(rates)
        if run.watch.sides.size:
            self._begin_watch(run.y, t, ahead)
        if not finite:
            return NON_FINITE
        self._evaluations = self._solver.init_step(t, run.y).nfev
        self._fresh = False
        return DONE

    def _sample(self, t: float, reached: float, new: Floats) -> None:
        """Find the solver's polynomial of the last step from its values at the nodes."""
        self._samples[0], self._samples[-1] = self._start, new
        for i in range(1, len(self._nodes) - 1):
            at = t + self._nodes[i] * (reached - t)
            self._samples[i] = self._solver.step(at, "normal", tstop=None).y
        polynomial_through(self._nodes, self._samples, self._polynomial, self._factor)

    def _strays(self, own: Floats, new: Floats) -> bool:
        """Return whether the solver's own state is too far from its projection `new` onto the constraints.

        Its history cannot be projected: it restarts after a drift of many tolerances.
        """
        scale = self._settings.atol + self._settings.rtol * np.abs(new)
        return bool((np.abs(new - own) > _LARGEST_STRAY * scale).any())

    def _failure(self, status: int) -> int:
        """Return why the solver failed; the state stays that of the last good step, x that of the last attempt."""
        self._fresh = True
        run = self.run
        if self._vector is not None:
            run.x[:] = self._vector.array
            rates = np.empty(run.y.size)
            run.rates(run.x, rates)
            self._finite = bool(np.isfinite(rates).all())
        if not self._finite:
            return NON_FINITE
        return UNDERFLOW if status >= 0 or status in _UNDERFLOWS else NOT_CONVERGED
