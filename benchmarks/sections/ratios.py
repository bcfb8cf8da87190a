"""Forward dynamics and derivatives beside peers."""

from __future__ import annotations

from comparisons.derivatives import compare_derivatives
from comparisons.forward_dynamics import check_peers, compare_forward_dynamics
from comparisons.row import Row
from models import BENCHMARKED
from peers import Peer, installed_peers
from tables import ratio_table

TITLE = "Ratios"
_TEXT = """\
{ratios}

What is timed:

* gyrostat: native loop: `program.loop`; SIMD batch: `program.batch`; call from Python: `program(buffer, buffer)`.
{ways}

Notes:

{notes}
"""
_STATES = {"seven_joint_arm": 512, "thirty_joint_tree": 256, "universal_chain": 64}
_WITH_DERIVATIVES = ("seven_joint_arm", "thirty_joint_tree")
_NOTES = (
    "Where a peer's call from Python is *none*, it offers no evaluation of accelerations alone.",
    "On the chain of universal joints Pinocchio's own universal joint loses digits, all of them in its batch: see the "
    "column of differences. With two hinges in its place, and on a chain of four links, it agrees with gyrostat, as do "
    "Drake, MuJoCo and Exudyn on the long chain. Targets are judged against the universal joint all the same: it is "
    "the faster.",
    "MuJoCo's and Drake's evaluations compute more than accelerations; no lighter entry is offered.",
    "Two threads need two idle cores: with other work on the machine that row says little.",
)


def section(*, short: bool) -> str:
    """Measure and return the text of the section."""
    peers, missing = installed_peers()
    notes = [f"{name} is missing: {reason}." for name, reason in missing.items()]
    rows = _ratios(peers, notes, rounds=5 if short else 31)
    return _TEXT.format(
        ratios=ratio_table(rows),
        ways="\n".join(_ways(peer) for peer in peers),
        notes="\n".join(f"* {note}" for note in (*_NOTES, *notes)),
    )


def _ratios(peers: list[type[Peer]], notes: list[str], rounds: int) -> list[Row]:
    """Return the rows, quantity by quantity, and add to the notes what could not be measured."""
    models = {name: make() for name, make in BENCHMARKED.items()}
    check_peers([models[name] for name in _WITH_DERIVATIVES], peers)
    rows: list[Row] = []
    for name, model in models.items():
        rows.extend(compare_forward_dynamics(model, peers, states=_STATES[name], rounds=rounds))
    if any(peer.distribution == "pin" for peer in peers):
        for name in _WITH_DERIVATIVES:
            found, reason = compare_derivatives(models[name], states=32, rounds=rounds)
            rows.extend(found)
        if reason:
            notes.append(f"No native loop over Pinocchio's derivatives: {reason}.")
    order = list(dict.fromkeys(row.quantity for row in rows))
    return sorted(rows, key=lambda row: order.index(row.quantity))


def _ways(peer: type[Peer]) -> str:
    call = peer.about_call or "none"
    return f"* {peer.name}: native loop: {peer.about_batch}; call from Python: {call}."
