"""The search for a closed position: Newton's method from the start, from a closed position nearby, from random ones."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gyrostat.closing.closing import Closer
from gyrostat.coordinates.arguments import Floats

CLOSURE_RESIDUAL = 1e-9
"""Residual of a closed position, relative to the size of the mechanism."""
_STEPS = 32
"""The number of steps in which fixed coordinates are brought to their values."""
_STALL_LIMIT = 40
"""Iterations without progress from a random position: most that do not close have settled into a cycle by then."""


class Reach(NamedTuple):
    """The closed position nearest to a start, or None if none was found, and the residuals left by Newton's method."""

    position: Floats | None
    left: Floats


def is_closed(closer: Closer, left: Floats) -> bool:
    """Tell whether residuals are those of a closed position."""
    return float(np.abs(left).max(initial=0.0)) <= CLOSURE_RESIDUAL * closer.system.model_size


def nearest_closed(closer: Closer, start: Floats, free: NDArray[np.bool_], own: Floats | None = None) -> Reach:
    """Search the closed position nearest to a start; only free speeds move.

    Where Newton's method does not lead there, the fixed coordinates are brought to their values in small steps from a
    closed position near `own`, if that is given; after that, random starts are tried, as many as the closer asks for.
    """
    found, left = closer.closed(start, free)
    if is_closed(closer, left):
        return Reach(found, left)
    led = None if own is None else led_position(closer, own, start, free)
    if led is not None:
        return Reach(led, left)
    rng = np.random.default_rng(0)
    reached: list[tuple[float, Floats]] = []
    for trial in range(closer.trials):
        push = rng.normal(size=len(free)) * closer.scales * free * (0.2 + 0.1 * trial)
        candidate, rest = closer.closed(closer.moved(start, push), free, patience=_STALL_LIMIT)
        if is_closed(closer, rest):
            reached.append((float(np.linalg.norm(candidate - start)), candidate))
    return Reach(min(reached, key=lambda pair: pair[0])[1] if reached else None, left)


def led_position(closer: Closer, own: Floats, start: Floats, free: NDArray[np.bool_]) -> Floats | None:
    """Return the closed position with the fixed coordinates of a start, on the branch of one near other coordinates.

    Free coordinates are extrapolated from step to step: so the branch is kept near singular positions, such as those of
    a flat parallelogram, where Newton's method cannot tell it. None where a step does not close.
    """
    coordinates, loops = closer.system.coordinates, closer.without_aims
    names = [
        name.removesuffix(".rate") for name, moves in zip(closer.system.speed_names, free, strict=True) if not moves
    ]
    places = [coordinates.place_of[name][1] for name in names if name in coordinates.place_of]
    now, left = loops.closed(own)
    if coordinates.euler_parameters or not places or not is_closed(loops, left):
        return None
    before, begin = now, now[places]
    for step in range(1, _STEPS + 1):
        trial = 2.0 * now - before
        trial[places] = begin + step / _STEPS * (start[places] - begin)
        before = now
        now, left = loops.closed(trial, free)
        if not is_closed(loops, left):
            return None
    found, left = closer.closed(now, free)
    return found if is_closed(closer, left) else None


def largest_closure_residual(closer: Closer, left: Floats) -> tuple[str, str]:
    """Return the owner of the largest residual, or the coordinate that misses its value, and the residual with unit."""
    system = closer.system
    names = (*closer.aims, *closer.held)
    rows = [(row.owner, row.unit == "N") for row in system.constraints]
    rows += [(name, system.coordinates.measures.get(name) == "length") for name in names]
    worst = int(np.argmax(np.abs(left)))
    owner, length = rows[worst]
    return owner, f"{abs(left[worst]):.4g} {'m' if length else 'rad'}"


def cannot_close(closer: Closer, left: Floats) -> str:
    """Return the message about loops that stay open."""
    owner, gap = largest_closure_residual(closer, left)
    return (
        f"The loops of {closer.system.model.name!r} cannot be closed from here: {owner!r} stays open by at least {gap}."
        " Check the lengths, or give a better guess for the position."
    )
