"""Places in the arrays `clock` and `counts`, in which a loop keeps its progress, and the reasons why it stops."""

from __future__ import annotations

# clock, an array of floats
TIME, STEP, END, LARGEST_STEP, ANCHOR, STIFFNESS, PASSAGE, ERROR, NEARNESS = range(9)
LAST_SWITCH, BEGIN, ROUGH, BEYOND, WORK, UNSOLVED_BY = range(9, 15)
CLOCK_SIZE = 15

# counts, an array of integers
STEPS, REJECTED, EVALUATIONS, OUTPUT, BREAK, LOGGED, CHECKPOINTS, STRIDE, STIFF, CALM, STIFF_STEPS, FIXED_STEPS = range(
    12
)
PLANS, CROWDED, SWITCHES, SETTLED, HASTE, CULPRIT, SAMPLE, UNSOLVED = range(12, 20)
COUNTS_SIZE = 20

# why a loop stopped
DONE, PAUSED, EVENT, UNDERFLOW, NON_FINITE, NOT_CONVERGED, NO_JACOBIAN, SINGULAR = range(8)
# why it goes on: a step was rejected
REPEAT = 8
# why it stopped, with switching functions: no motion follows from the modes, or switches follow one another at once
NO_SLIDING, CHATTER = 9, 10
# why it stopped, with sampled blocks: a law gave no finite number
NO_SAMPLE = 11
# why a segment ends: algebraic states have to be made consistent after a switch
SWITCHED = 12
# why it stopped, with fixed steps: bodies touched for less than a step
BRIEF = 13
# why it stopped, with contacts of many pairs: shapes overlap by a large part of their size
TOO_DEEP = 14
# the same: more points touch than the state has slots for
TOO_MANY = 15

# results of recording a step
WHOLE, CROWDED_OUT = -1.0, -2.0
"""Results of `record_step` where no event cuts the step, and where the log has no room for its events."""
BREAK_TOLERANCE = 8e-15
"""An output so soon after a step, in terms of the time, has its modes: breaks lie just before formulas change."""

HERMITE_NODES = 6
"""The largest number of steps' ends through which the power is interpolated; the polynomial is then of degree 11."""
