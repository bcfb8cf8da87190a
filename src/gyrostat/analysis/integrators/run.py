"""A run: a segment of the motion without discontinuities, as integrators see it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gyrostat.analysis.kernels.packing import Scratch, constant
from gyrostat.analysis.kernels.pair_tables import PairKernels
from gyrostat.analysis.kernels.problem import (
    FIXED,
    SLIDING,
    Equations,
    EventBounds,
    Floats,
    HeldContacts,
    Native,
    Pairs,
    Places,
    Progress,
    Projection,
    RapidLaws,
    Resets,
    Rotations,
    Samples,
    Switching,
    Tables,
)
from gyrostat.analysis.kernels.progress import (
    ANCHOR,
    BEGIN,
    BREAK,
    CHECKPOINTS,
    CLOCK_SIZE,
    COUNTS_SIZE,
    CROWDED,
    END,
    LARGEST_STEP,
    LAST_SWITCH,
    OUTPUT,
    ROUGH,
    SAMPLE,
    SETTLED,
    STEP,
    STEPS,
    STRIDE,
    TIME,
)
from gyrostat.analysis.kernels.rope_tables import RopeKernels, Ropes
from gyrostat.analysis.kernels.run_record import GUARD, Log, RunRecord, Watch, room_for
from gyrostat.coordinates.row import FIRST
from gyrostat.program import Program

CHECKPOINT_NUMBERS = 8_000_000
"""The largest size of all checkpoints, in numbers; beyond it every second one is discarded."""

FIRST_ROOM = 512
"""The number of checkpoints for which memory is allocated first."""

NO_PLACES: Places = np.zeros((0, 2), dtype=np.int64)
"""For systems without Euler parameters."""
NO_PROJECTION = constant(Projection(0, 0, 0, 0, 0, 0.0, np.empty(0), 0, np.empty(0), np.empty(0, np.int64)))
"""For systems without constraints."""
_NO_INDICES: Places = np.zeros(0, dtype=np.int64)
NO_SWITCHING = constant(
    Switching.of(
        (0, 0, False, False),
        (np.zeros(0), np.zeros(0), np.zeros(0)),
        np.zeros(0),
        (0, 0, 0),
        Resets.of(0, _NO_INDICES, _NO_INDICES, np.zeros(0), 0),
        (np.zeros(0), 0.0),
    )
)
"""For systems whose laws have no conditions of the state."""
NO_SAMPLES = constant(
    Samples(
        np.zeros(0), np.zeros((0, 0), dtype=np.int8), _NO_INDICES, _NO_INDICES, _NO_INDICES, np.zeros(0), np.zeros(0)
    )
)
"""For runs within which no block is sampled."""
NO_PAIRS = constant(Pairs(PairKernels.of("no_pairs"), ()))
"""For systems without contacts of many pairs."""
NO_ROPES = constant(Ropes(RopeKernels.of("no_ropes", "stretching"), ()))
"""For systems whose ropes are evaluated as all other elements are."""
NO_CONTACTS = constant(HeldContacts.of(0, _NO_INDICES, np.zeros((0, 2)), (0, 0, 0, 0, 0)))
"""For systems without rigid contacts."""
NO_RAPID_LAWS = constant(RapidLaws.of(0, np.zeros((0, 3), dtype=np.int64), (), np.zeros(0), (0, 0)))
"""For systems without laws that may vary rapidly."""
NO_EVENT_BOUNDS = constant(EventBounds(NO_RAPID_LAWS, np.zeros(0, dtype=np.int64)))
"""For runs without events whose functions may vary rapidly."""
NO_WATCH = constant(Watch(np.zeros(0, dtype=np.int8), np.zeros(0, dtype=np.int8), np.zeros(0, dtype=np.bool_)))
"""For runs without events."""


@dataclass
class Run:
    """A motion from one time to another: functions to integrate, the state, and the record of events and outputs.

    `x` is the input vector of all programs: t, the state y, parameters, inputs. Loops change x, y, clock and counts.
    """

    rates_program: Callable[[], Program]
    """Gives the program of ẏ; steps do not call it where kernels move ropes."""
    n_q: int
    """The number of coordinates, which come first in the state."""
    events: Program | None
    jacobian: Callable[[], Program]
    """Gives the program of ∂ẏ/∂y, for integrators that need it."""
    time_derivative: Callable[[], Program]
    """Gives the program of ∂ẏ/∂t with inputs held, except those that are formulas."""
    input_derivative: Callable[[], Program]
    """Gives the program of the derivative of ẏ along a direction in the inputs, its last argument."""
    directions: Callable[[], Program]
    """Gives the program of the constraint directions Aᵀ and M⁻¹Aᵀ."""
    input_function: int
    """Address of a function that writes inputs into x, or 0."""
    tables: Tables
    rotations: Places
    """Shape (number, 2): where in y Euler parameters and their angular velocities begin."""
    breaks: Floats
    """Times that no step passes over."""
    watch: Watch
    x: Floats
    y: Floats
    grid: Floats
    projection: Projection = NO_PROJECTION
    switching: Switching = NO_SWITCHING
    samples: Samples = NO_SAMPLES
    pairs: Pairs = NO_PAIRS
    pair_bodies: tuple[str, ...] = ()
    """The bodies of the shapes that may touch."""
    contacts: HeldContacts = NO_CONTACTS
    ropes: Ropes = NO_ROPES
    rapid: RapidLaws = NO_RAPID_LAWS
    event_bounds: EventBounds = NO_EVENT_BOUNDS
    laws: tuple[str, ...] = ()
    """The law of each switching function: the name of an input or force element."""
    mass: Floats = field(default_factory=lambda: np.empty(0))
    """1 for each entry of y that has a rate, 0 for those that have an equation; where not given, all have rates."""
    carries_work: bool = False
    """Whether the rates, and the pivots behind them, are followed by the power of all loads: see `powered_rates`."""
    kept_as: object = None
    """Key by which a later run of the same kind reuses this one's memory; None where it is not kept."""
    loop: Callable[[int], int] | None = None
    """The integrator's loop from an earlier use of this memory, if it was kept."""
    zones: list[Any] = field(default_factory=list)
    """Narrow zones between switches in which the method amplified errors: see `narrow_zones`."""
    clock: Floats = field(default_factory=lambda: np.zeros(CLOCK_SIZE))
    counts: Places = field(default_factory=lambda: np.zeros(COUNTS_SIZE, dtype=np.int64))
    log: Log = field(init=False)

    def __post_init__(self) -> None:
        n, events = self.y.size, self.watch.sides.size
        self.mass = self.mass if self.mass.size else np.ones(n)
        room = FIRST_ROOM if events else 0
        self.counts[STRIDE] = 1
        self.log = Log(
            event_times=np.empty(room),
            event_numbers=np.empty(room, dtype=np.int64),
            event_directions=np.empty(room, dtype=np.int8),
            event_states=np.empty((room, n)),
            checkpoint_times=np.empty(FIRST_ROOM),
            checkpoint_steps=np.empty(FIRST_ROOM),
            checkpoint_states=np.empty((FIRST_ROOM, n)),
            checkpoint_modes=np.empty((FIRST_ROOM, 2 * self.switching.modes.size)),
            checkpoint_works=np.empty(FIRST_ROOM),
            start_modes=np.full(self.switching.modes.size, np.nan),
            grid=self.grid,
            states=np.empty((self.grid.size, n)),
            modes=np.full((self.grid.size, self.switching.modes.size), np.nan),
        )

    @property
    def rates(self) -> Program:
        """The program of ẏ."""
        return self.rates_program()

    def _native(self, *, pivots: bool) -> Native:
        """Return the addresses of native functions; of programs of the rates only that which is used is formed.

        Kernels of ropes evaluate rates without a program of the whole system.
        """
        if pivots and self.projection.rates:
            rates = self.projection.rates
        else:
            rates = self.rates.address if self.ropes is NO_ROPES else 0
        return Native(rates, 0 if self.events is None else self.events.address, self.input_function)

    def equations(self, *, exponential: bool, pivots: bool = False) -> Equations:
        """Return the equations of motion as kernels take them.

        With `exponential` rotations are turned by a rotation vector; with `pivots` the rates of constrained
        systems are followed by the pivots of the constraints, which indicate a singular position.
        """
        native = self._native(pivots=pivots)
        rotations, projection = Rotations(self.rotations, exponential), self.projection
        if not exponential and len(self.rotations):
            speed_of = projection.speed_of.copy()
            for place in self.rotations[:, 0]:
                speed_of[place : place + 4] = -1
            projection = projection._replace(speed_of=speed_of)
        x, state = self.x, self.x[self.state]
        return Equations(
            native,
            self.tables,
            rotations,
            projection,
            x,
            state,
            self.switching,
            self.samples,
            self.pairs,
            self.contacts,
            self.ropes,
            self.rapid,
            self.event_bounds,
        )

    @property
    def progress(self) -> Progress:
        """State, clock, counts and breaks, as kernels take them."""
        return Progress(self.y, self.clock, self.counts, self.breaks)

    def record(self, room: Scratch) -> RunRecord:
        """Return events, log and room for the search of events, as kernels take them."""
        return RunRecord(self.watch, self.log, room)  # type: ignore[arg-type]

    def room(self) -> Scratch:
        """Return room for the search of events in a step."""
        return room_for(self.watch.sides.size, self.y.size)

    @property
    def state(self) -> slice:
        """The index of the state y in x."""
        return slice(FIRST, FIRST + self.y.size)

    def start(self, t: float, end: float, *, step: float = 0.0, largest_step: float = np.inf) -> None:
        """Set the clock; a step of zero is chosen by the integrator."""
        clock = self.clock
        clock[TIME], clock[ANCHOR], clock[END], clock[STEP], clock[LARGEST_STEP] = t, t, end, step, largest_step
        clock[BEGIN], clock[LAST_SWITCH], clock[ROUGH] = t, -np.inf, -np.inf
        if self.samples.times.size:
            self.counts[SAMPLE] = np.searchsorted(self.samples.times, t, side="right")  # a state is that after them

    def restart(self, x: Floats, y: Floats, grid: Floats, t: float, end: float) -> None:
        """Begin another run of the same kind in the same memory."""
        self.x[:], self.y[:], self.grid[:] = x, y, grid
        self.clock.fill(0.0)
        self.counts.fill(0)
        self.counts[STRIDE] = 1
        if self.laws:
            self._forget_modes()
        self.start(t, end)

    def _forget_modes(self) -> None:
        """Let conditions of laws be decided anew; their modes are at the end of x."""
        switching = self.switching
        switching.phases.fill(FIXED)
        for array in (switching.lower, switching.sizes, switching.samples):
            array.fill(0)
        switching.resets.before.fill(np.nan)
        switching.touching.since.fill(-np.inf)
        self.log.start_modes.fill(np.nan)
        self.log.modes.fill(np.nan)

    @property
    def event_sides(self) -> NDArray[np.int8]:
        """On which side of zero each event function is, without guards; a copy."""
        return np.array(self.watch.sides[self.watch.wanted != GUARD])

    def resume(self, step: float) -> None:
        """Continue with the step of a checkpoint; it is negative after a switch at which a law is not smooth."""
        self.clock[STEP] = abs(step)
        if step < 0.0:
            self.clock[ROUGH] = self.clock[TIME]

    def enlarge_records(self) -> None:
        """Enlarge records that are full; beyond the largest size of checkpoints, keep every second one."""
        log, counts = self.log, self.counts
        if counts[CROWDED]:
            log = _doubled(log, "event_")
            counts[CROWDED] = 0
        if counts[CHECKPOINTS] >= log.checkpoint_times.size:
            if 2 * log.checkpoint_states.size <= CHECKPOINT_NUMBERS:
                log = _doubled(log, "checkpoint_")
            else:
                kept = log.checkpoint_times.size // 2
                for name in (name for name in log._fields if name.startswith("checkpoint_")):
                    array = getattr(log, name)
                    array[:kept] = array[: 2 * kept : 2].copy()
                counts[CHECKPOINTS], counts[STRIDE] = kept, 2 * counts[STRIDE]
        self.log = log

    def pass_breaks(self) -> bool:
        """Count breaks up to now as passed; return whether there were any since the last call."""
        before, passed = int(self.counts[BREAK]), int(np.searchsorted(self.breaks, self.time, side="right"))
        self.counts[BREAK] = max(before, passed)
        return passed > before

    @property
    def next_stop(self) -> float:
        """The next time that no step may pass over."""
        ahead, end = self.breaks[self.counts[BREAK] :], float(self.clock[END])
        return min(end, float(ahead[0])) if len(ahead) else end

    def due(self, reached: float) -> bool:
        """Return whether there is an output up to a time."""
        place = self.counts[OUTPUT]
        return bool(place < self.grid.size and self.grid[place] <= reached)

    def count_step(self, step: float) -> None:
        """Count a step from the present state, and make it a checkpoint where its turn has come."""
        counts, log = self.counts, self.log
        if counts[STEPS] % counts[STRIDE] == 0:
            place = counts[CHECKPOINTS]
            log.checkpoint_times[place], log.checkpoint_steps[place] = self.time, step
            log.checkpoint_states[place] = self.y
            counts[CHECKPOINTS] += 1
        counts[STEPS] += 1

    @property
    def mode_row(self) -> Floats:
        """Modes and phases of the switching functions; of sliding functions the lower of both modes."""
        switching = self.switching
        modes = np.where(switching.phases == SLIDING, switching.lower, switching.modes)
        return np.concatenate((modes, switching.phases))

    def set_modes(self, row: Floats, *, settled: bool) -> None:
        """Begin with modes and phases of an earlier run; unless they are settled, they are compared with the state."""
        switching, n = self.switching, self.switching.modes.size
        if not n or len(row) != 2 * n:
            return
        switching.modes[:] = switching.lower[:] = switching.resets.before[:] = row[:n]
        switching.phases[:] = row[n:]
        sliding = np.flatnonzero(switching.phases == SLIDING)
        switching.sizes[0] = len(sliding)
        switching.sliding[: len(sliding)] = sliding
        self.counts[SETTLED] = settled

    @property
    def time(self) -> float:
        """The time reached."""
        return float(self.clock[TIME])

    @property
    def steps(self) -> int:
        """The number of steps made."""
        return int(self.counts[STEPS])


def _doubled(log: Log, prefix: str) -> Log:
    """Return the log with twice the room in all arrays whose names begin so."""
    arrays = {name: getattr(log, name) for name in log._fields if name.startswith(prefix)}
    larger: dict[str, Any] = {name: np.concatenate((a, np.empty_like(a))) for name, a in arrays.items()}
    return log._replace(**larger)
