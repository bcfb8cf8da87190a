"""Sampled blocks within a run: at a sample time they set their held values and memories in the state."""

from __future__ import annotations

import math

from gyrostat.analysis.kernels.local_coordinates import copy
from gyrostat.analysis.kernels.problem import Equations, Floats, Progress
from gyrostat.analysis.kernels.progress import DONE, NO_SAMPLE, SAMPLE, TIME
from gyrostat.analysis.kernels.right_side import set_state
from gyrostat.program.translation import call, kernel, rare_kernel


@rare_kernel
def take_samples(equations: Equations, progress: Progress) -> int:
    """Let the blocks act that are due at the present time, in their order; return DONE.

    Where a law gives no finite number, the state is left as it was, and the result is NO_SAMPLE.
    """
    samples, counts, t = equations.samples, progress.counts, progress.clock[TIME]
    while counts[SAMPLE] < samples.times.size and samples.times[counts[SAMPLE]] <= t:
        copy(progress.y, samples.before)
        for block in range(samples.programs.size):
            if samples.due[counts[SAMPLE], block] != 0 and not _act(equations, t, block, progress.y):
                copy(samples.before, progress.y)
                return NO_SAMPLE
        counts[SAMPLE] += 1
    return DONE


@kernel
def _act(equations: Equations, t: float, block: int, y: Floats) -> bool:
    """Set the values of a block by its law at a state; return whether they are finite."""
    samples = equations.samples
    set_state(equations, t, t, y)
    call(samples.programs[block], equations.x.ctypes.data, samples.found.ctypes.data)
    first, count = samples.first[block], samples.first[block + 1] - samples.first[block]
    finite = True
    for i in range(count):
        finite = finite and math.isfinite(samples.found[i])
        y[samples.places[first + i]] = samples.found[i]
    return finite
