"""Derivatives of forward dynamics by q, u and loads, beside Pinocchio's analytical ones."""

from __future__ import annotations

from models import hinge_chain, hinge_tree
from peers.peer import Task
from peers.tree import Floats, read_tree
from states import batch_task, call_task, loop_task, random_states
from timing import measure

import gyrostat as gs
from comparisons.agreement import demand_agreement, difference
from comparisons.row import Row

CALL = "derivatives, call from Python"
LOOP = "derivatives, native loop"
SIMD = "derivatives, SIMD batch, one thread"
PYTHON_PEER = "Pinocchio"
NATIVE_PEER = "Pinocchio, C++ loop compiled here"
LONG_TARGETS = {30: 1.0, 50: 1.0, 200: 0.5}
"""Ratios aimed at by the number of freedoms, where derivatives are rolled."""
LONG_TOLERANCE = 1e-7
"""The mass matrices of the longest chains have condition numbers of 10⁹."""


def compare_derivatives(model: gs.Model, *, states: int, rounds: int) -> tuple[list[Row], str]:
    """Return rows for one model, and the reason why there is no native loop over Pinocchio's derivatives, if so."""
    from peers.pinocchio import Pinocchio

    system = gs.formulate(model)
    tree = read_tree(model)
    program = system.program("forward_dynamics_derivatives")
    inputs = random_states(system, states)
    own = {
        CALL: call_task(program, inputs),
        LOOP: loop_task(program, inputs),
        SIMD: batch_task(program, inputs, threads=1),
    }
    theirs: dict[str, Task] = {PYTHON_PEER: Pinocchio(tree).derivatives(inputs)}
    reason = ""
    try:
        from peers.pinocchio_loop import PinocchioLoop

        theirs[NATIVE_PEER] = PinocchioLoop(tree).derivatives(inputs)
    except ImportError as failure:
        reason = str(failure)
    for task in (*own.values(), *theirs.values()):
        task.candidate.run()
    reference = _slopes(own[LOOP])
    for name in (CALL, SIMD):
        demand_agreement(name, model.name, _slopes(own[name]), reference)
    differences = {name: demand_agreement(name, model.name, task.results(), reference) for name, task in theirs.items()}
    timing = measure({name: task.candidate for name, task in {**own, **theirs}.items()}, rounds=rounds)
    pairs = [(CALL, PYTHON_PEER, 0.5), (LOOP, NATIVE_PEER, 0.5), (SIMD, NATIVE_PEER, None)]
    rows = [
        Row(
            quantity,
            model.name,
            timing.seconds(quantity),
            peer,
            timing.seconds(peer),
            timing.ratio(quantity, peer),
            differences[peer],
            target,
        )
        for quantity, peer, target in pairs
        if peer in theirs
    ]
    return rows, reason


def compare_long_derivatives(*, rounds: int, short: bool) -> list[Row]:
    """Return rows of long chains and trees, called from Python; none without Pinocchio."""
    try:
        from peers.pinocchio import Pinocchio
    except ImportError:
        return []
    rows: list[Row] = []
    for links, target in list(LONG_TARGETS.items())[: 1 if short else None]:
        for make in (hinge_chain, hinge_tree):
            model = make(links)
            states = random_states(system := gs.formulate(model), 1)
            own = call_task(system.program("forward_dynamics_derivatives"), states)
            theirs = Pinocchio(read_tree(model)).derivatives(states)
            for task in (own, theirs):
                task.candidate.run()
            found = difference(theirs.results(), _slopes(own))
            if not found < LONG_TOLERANCE:
                raise AssertionError(f"Pinocchio and gyrostat differ by {found:.1e} on {model.name!r}.")
            timing = measure({"own": own.candidate, "peer": theirs.candidate}, rounds=rounds)
            times = timing.seconds("own"), PYTHON_PEER, timing.seconds("peer")
            rows.append(Row(CALL, model.name, *times, timing.ratio("own", "peer"), found, target))
    return rows


def _slopes(task: Task) -> dict[str, Floats]:
    """Return our derivatives under the names of what they are taken by."""
    return {name.removeprefix("udot_"): found for name, found in task.results().items() if name != "udot"}
