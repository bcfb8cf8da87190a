"""The level at which LLVM optimises the code of programs."""

from __future__ import annotations

import os

from gyrostat.errors import ProgramError

LIMIT = "GYROSTAT_OPTIMISATION"
"""The environment variable with the highest level that programs and kernels are compiled at, 0 … 3."""

LEVELS = (0, 1, 2, 3)


def limited(level: int) -> int:
    """Return a level, or a lower one that the environment sets: its code compiles faster and runs slower."""
    limit = os.environ.get(LIMIT, "")
    if not limit:
        return level
    if limit not in map(str, LEVELS):
        raise ProgramError(f"The environment variable {LIMIT} is {limit!r}; it must be 0, 1, 2 or 3, or unset.")
    return min(level, int(limit))
