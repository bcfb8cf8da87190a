"""Programs for bodies that carry ropes of nodes: their motion, its derivatives, and the rates by loads on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from gyrostat.program import Program
from gyrostat.program.columns import jacobian_by_columns
from gyrostat.recipes import observations
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.rolled_derivatives import Derivatives, motion_by_time_and_state, rates_by_last_inputs
from gyrostat.recipes.trace import SEED_INPUTS, Recipe, Trace
from gyrostat.scalar.tape import Tape


class CarrierDerivatives(NamedTuple):
    """Programs of matrices."""

    motion: Program
    """The derivatives of the motion of bodies by time and by the state."""
    by_inputs: Program
    """The derivatives of the rates by inputs: by the last ones that are loads, at least."""


def carrier_motion(programs: CompiledPrograms, bodies: Sequence[str], *, locked: bool) -> Program:
    """Return positions, rotations row by row, velocities and angular velocities of bodies, one quantity after another.

    With `locked`, conditions of the state in laws are one more input, which it does not read.
    """
    recipe = Recipe(lambda trace: observations.motion_of(trace, bodies), any_engine=True)
    rolled = programs.rolled_with(locked=locked) if programs.derivatives_roll else None
    if rolled is not None:
        return rolled.recorded(_named("motion", programs, bodies), recipe)
    return programs.program(_named("motion", programs, bodies), recipe, locked=locked)


def carrier_derivatives(
    programs: CompiledPrograms, bodies: Sequence[str], loads: int, *, locked: bool
) -> CarrierDerivatives:
    """Return the derivatives of the motion of bodies, and of the rates by the last inputs, which are `loads`.

    Where derivatives of the motion are rolled code, these are as well.
    """
    text = _named("motion_derivatives", programs, bodies)
    rolled = programs.rolled_with(locked=locked) if programs.derivatives_roll else None
    if rolled is not None:

        def moved(trace: Trace, tape: Tape) -> Derivatives:
            return motion_by_time_and_state(trace, observations.motion_of(trace, bodies))

        def pushed(trace: Trace, tape: Tape) -> Derivatives:
            return rates_by_last_inputs(trace, tape, loads)

        return CarrierDerivatives(
            rolled.differentiated(text, moved), rolled.differentiated(f"rates_by_{loads}_loads", pushed)
        )

    def formed(trace: Trace) -> dict[str, Any]:
        return observations.motion_derivatives(trace, bodies)

    along = programs.named("rates_by_inputs", locked=locked)
    return CarrierDerivatives(
        programs.program(text, Recipe(formed, solves=False), locked=locked),
        jacobian_by_columns(along, "jacobian", (SEED_INPUTS,)),
    )


def _named(what: str, programs: CompiledPrograms, bodies: Sequence[str]) -> str:
    """Return the name of a program, by the numbers of bodies in the tree."""
    order = programs.coordinates.topology.tree.order
    return "_".join((what, "of", *(str(order.index(body)) for body in bodies)))
