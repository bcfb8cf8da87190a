"""Places in the arrays `clock` and `counts`, in which a loop keeps its progress, and the reasons why it stops."""

from __future__ import annotations

# clock, an array of floats
TIME, STEP, END, LARGEST_STEP, ANCHOR, STIFFNESS, MEAN_STEP, ERROR, NEARNESS = range(9)
CLOCK_SIZE = 9

# counts, an array of integers
STEPS, REJECTED, EVALUATIONS, OUTPUT, BREAK, LOGGED, CHECKPOINTS, STRIDE, STIFF, CALM, STIFF_STEPS, FIXED_STEPS = range(
    12
)
FORCED, CROWDED = 12, 13
COUNTS_SIZE = 14

# why a loop stopped
DONE, PAUSED, EVENT, UNDERFLOW, NON_FINITE, NOT_CONVERGED, NO_JACOBIAN = range(7)
# why it goes on: a step was rejected
REPEAT = 7
