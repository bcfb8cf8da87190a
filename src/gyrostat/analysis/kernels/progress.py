"""Where a loop keeps what it needs to go on: places in its arrays `clock` and `counts`, and why it stopped."""

from __future__ import annotations

# clock, an array of floats
TIME, STEP, END, LARGEST_STEP, ANCHOR, STIFFNESS, MEAN_STEP = range(7)
CLOCK_SIZE = 7

# counts, an array of integers
STEPS, REJECTED, EVALUATIONS, OUTPUT, BREAK, LOGGED, CHECKPOINTS, STRIDE, STIFF, CALM, STIFF_STEPS, FIXED_STEPS = range(
    12
)
FORCED = 12
COUNTS_SIZE = 13

# why a loop stopped
DONE, PAUSED, EVENT, UNDERFLOW, NON_FINITE, NOT_CONVERGED, NO_JACOBIAN = range(7)
