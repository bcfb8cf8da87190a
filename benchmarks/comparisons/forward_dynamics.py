"""Forward dynamics: native loops, SIMD batches and calls from Python, beside those of the peers."""

from __future__ import annotations

from dataclasses import dataclass

from models import universal_chain
from peers import Peer
from peers.peer import Task
from peers.tree import Tree, read_tree
from states import batch_task, call_task, filling_call_task, loop_task, random_states
from timing import Timing, measure

import gyrostat as gs
from comparisons.agreement import TOLERANCE, difference
from comparisons.row import Row

REFERENCE = "Pinocchio"
AS_HINGES = "Pinocchio, two hinges for a universal joint"

LOOP = "forward dynamics, native loop"
SIMD = "forward dynamics, SIMD batch, one thread"
SIMD_2 = "forward dynamics, SIMD batch, two threads"
CALL = "forward dynamics, call from Python"
FILLING = "the same, filling the buffer from three arrays"

_BATCHES = {LOOP: 0.25, SIMD: 0.06, SIMD_2: None}
_CALLS = {CALL: 0.6, FILLING: None}
"""Our quantities with their targets, as ratios to the reference."""

_MORE = 16
"""How many times more states two threads get, so that starting them does not count."""


@dataclass(frozen=True)
class _Compared:
    """Tasks that have run once, what they differ by, and their times."""

    model: str
    differences: dict[str, float]
    timing: Timing

    def row(self, quantity: str, peer: str, label: str, target: float | None) -> Row:
        times = self.timing
        return Row(
            quantity,
            self.model,
            times.seconds(quantity),
            peer,
            times.seconds(label),
            times.ratio(quantity, label),
            self.differences[label],
            target,
        )


def compare_forward_dynamics(model: gs.Model, peers: list[type[Peer]], *, states: int, rounds: int) -> list[Row]:
    """Return rows for one model: every one of our ways against its counterpart in every peer."""
    system = gs.formulate(model)
    program = system.program("forward_dynamics")
    inputs = random_states(system, states)
    own = {
        LOOP: loop_task(program, inputs),
        SIMD: batch_task(program, inputs, threads=1),
        SIMD_2: batch_task(program, random_states(system, _MORE * states), threads=2),
        CALL: call_task(program, inputs),
        FILLING: filling_call_task(program, inputs),
    }
    batches: dict[str, Task] = {}
    calls: dict[str, Task] = {}
    for name, peer in _built(peers, read_tree(model)).items():
        batch, call = peer.batch(inputs), peer.call(inputs)
        if batch is not None:
            batches[name] = batch
        if call is not None:
            calls[name] = call
    labels = {f"{name}, batch": task for name, task in batches.items()}
    labels |= {f"{name}, call": task for name, task in calls.items()}
    differences = _differences(own, labels)
    timing = measure({name: task.candidate for name, task in {**own, **labels}.items()}, rounds=rounds)
    compared = _Compared(model.name, differences, timing)
    rows = []
    for ours, theirs, way in ((_BATCHES, batches, "batch"), (_CALLS, calls, "call")):
        for quantity, target in ours.items():
            for name in theirs:
                judged = target if name == REFERENCE else None
                if name in (REFERENCE, AS_HINGES) or quantity in (LOOP, CALL):
                    rows.append(compared.row(quantity, name, f"{name}, {way}", judged))
    return rows


def _built(peers: list[type[Peer]], tree: Tree) -> dict[str, Peer]:
    """Return the tree in every peer; in the reference also with hinges, where it has universal joints."""
    built: dict[str, Peer] = {peer.name: peer(tree) for peer in peers}
    if REFERENCE in built and any(len(link.axes) == 2 for link in tree.links):
        built[AS_HINGES] = type(built[REFERENCE])(tree.with_hinges())
    return built


def _differences(own: dict[str, Task], others: dict[str, Task]) -> dict[str, float]:
    """Run every task once and return what its results differ by from our loop's."""
    for task in (*own.values(), *others.values()):
        task.candidate.run()
    reference = own[LOOP].results()
    for name, task in own.items():
        found = difference(task.results(), reference)
        if not found < TOLERANCE:
            raise AssertionError(f"Our own results differ by {found:.1e}: {name}.")
    return {name: difference(task.results(), reference) for name, task in others.items()}


def check_peers(models: list[gs.Model], peers: list[type[Peer]]) -> None:
    """Raise unless every peer's accelerations are ours to 1e-9 on these models and a short chain of universal joints.

    The long chain is no test of the peers' models: there some lose digits.
    """
    for model in (*models, universal_chain(4)):
        system = gs.formulate(model)
        program = system.program("forward_dynamics")
        inputs = random_states(system, 16)
        own = loop_task(program, inputs)
        own.candidate.run()
        for name, peer in _built(peers, read_tree(model)).items():
            for task in (peer.batch(inputs), peer.call(inputs)):
                if task is None:
                    continue
                task.candidate.run()
                found = difference(task.results(), own.results())
                if not found < TOLERANCE:
                    raise AssertionError(f"{name} and gyrostat differ by {found:.1e} on {model.name!r}.")
