"""Check of blocks that feed each other: no output depends on itself at the same instant."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from gyrostat.errors import Fault
from gyrostat.model.checks.finding import Subject


def algebraic_loop_faults(subject: Subject) -> Iterator[Fault]:
    """Yield a fault for the first algebraic loop: outputs of blocks that depend on each other without a state."""
    needs = {
        name: {used for formula in block.feedthrough(name) for used in formula.names & subject.blocks.keys()}
        for name, block in subject.blocks.items()
    }
    try:
        tuple(TopologicalSorter(needs).static_order())
    except CycleError as error:
        loop: list[str] = error.args[1][::-1]  # each depends on the next
        fact = f"its output depends on itself at the same instant: {' ← '.join(loop)}."
        yield subject.fault(
            subject.blocks[loop[0]],
            (),
            fact,
            "Put a Lag or another state into the loop, or solve it by a State with an equation.",
        )
