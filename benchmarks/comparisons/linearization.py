"""Linear models: A and B of trees beside Pinocchio and beside central differences; closed forms beside SymPy."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from time import process_time
from typing import Any

import numpy as np
from equation_models import point_pendulum
from peers.tree import Floats, read_tree
from states import random_states, rows_of
from timing import Candidate, measure

import gyrostat as gs
from comparisons.agreement import TOLERANCE
from comparisons.row import Row

QUANTITY = "A and B of a tree"
DIFFERENCES = "central differences, same native accelerations"
SYMBOLIC = "M, C, K of a pendulum in closed form"
_DIFFERENCE_ERROR = 1e-5
_STEP = 1e-6


def compare_linearization(model: gs.Model, *, rounds: int) -> list[Row]:
    """Return rows for one tree, whose speeds are rates: derivatives, and assembly of A and B, of one state."""
    system = gs.formulate(model)
    states = random_states(system, 1)
    own = _own(system, states)
    reference = own()
    peers: dict[str, tuple[Callable[[], tuple[Floats, Floats]], float]] = {
        DIFFERENCES: (_by_differences(system, states), _DIFFERENCE_ERROR)
    }
    with contextlib.suppress(ImportError):
        peers["Pinocchio, computeABADerivatives and assembly"] = (_pinocchio(model, states), TOLERANCE)
    candidates = {"own": Candidate(own), **{name: Candidate(run) for name, (run, _) in peers.items()}}
    differences = {}
    for name, (run, allowed) in peers.items():
        differences[name] = max(_difference(a, b) for a, b in zip(run(), reference, strict=True))
        if not differences[name] < allowed:
            raise AssertionError(f"{name} and gyrostat differ by {differences[name]:.1e} on {model.name!r}.")
    timing = measure(candidates, rounds=rounds)
    return [
        Row(
            QUANTITY,
            model.name,
            timing.seconds("own"),
            name,
            timing.seconds(name),
            timing.ratio("own", name),
            differences[name],
            0.5,
        )
        for name in peers
    ]


def _difference(found: Floats, reference: Floats) -> float:
    return float(np.abs(found - reference).max() / np.abs(reference).max())


def _empty(n: int) -> tuple[Floats, Floats]:
    A, B = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, n))
    A[:n, n:] = np.eye(n)
    return A, B


def _own(system: gs.System, states: Any) -> Callable[[], tuple[Floats, Floats]]:
    """Return a call of the native derivatives, and the assembly of A and B."""
    program = system.program("forward_dynamics_derivatives")
    source, result = program.input_buffer(), program.output_buffer()
    row = rows_of(program, states)[0]
    n = system.coordinates.n_u
    A, B = _empty(n)
    parts = [result.array[program.output_slice(name)].reshape(n, n).T for name in ("udot_q", "udot_u", "udot_inputs")]

    def run() -> tuple[Floats, Floats]:
        source.array[:] = row
        program(source, result)
        A[n:, :n], A[n:, n:], B[n:] = parts
        return A, B

    return run


def _by_differences(system: gs.System, states: Any) -> Callable[[], tuple[Floats, Floats]]:
    """Return central differences of the accelerations by q, u and inputs, all states in one native loop."""
    program = system.program("forward_dynamics")
    n = system.coordinates.n_u
    row = rows_of(program, states)[0]
    places = [range(program.input_slice(name).start, program.input_slice(name).stop) for name in ("q", "u", "inputs")]
    varied = [place for part in places for place in part]
    steps = np.zeros((2 * len(varied), len(row)))
    for i, place in enumerate(varied):
        steps[i, place], steps[len(varied) + i, place] = _STEP, -_STEP
    found = np.zeros((len(steps), program.output_size))
    A, B = _empty(n)

    def run() -> tuple[Floats, Floats]:
        program.loop(row + steps, found)
        slopes = (found[: len(varied)] - found[len(varied) :]).T / (2 * _STEP)
        A[n:], B[n:] = slopes[:, : 2 * n], slopes[:, 2 * n :]
        return A, B

    return run


def _pinocchio(model: gs.Model, states: Any) -> Callable[[], tuple[Floats, Floats]]:
    """Return Pinocchio's derivatives, and the assembly of A and B, in the order of gyrostat's speeds."""
    import pinocchio as pin
    from peers.pinocchio import Pinocchio

    tree = read_tree(model)
    peer = Pinocchio(tree)
    q, u, tau = (part[0].copy() for part in (lambda own: (own.q, own.u, own.tau))(states.outwards(tree)))
    order = np.argsort(tree.coordinates)
    straight = bool((order == np.arange(len(order))).all())
    n = len(order)
    A, B = _empty(n)
    data = peer.data

    def run() -> tuple[Floats, Floats]:
        pin.computeABADerivatives(peer.model, data, q, u, tau)
        Minv = np.triu(data.Minv)
        Minv = Minv + np.triu(Minv, 1).T  # Pinocchio computes the upper half
        parts = (data.ddq_dq, data.ddq_dv, Minv)
        A[n:, :n], A[n:, n:], B[n:] = parts if straight else (part[np.ix_(order, order)] for part in parts)
        return A, B

    return run


def compare_symbolic_linearization(*, short: bool) -> list[Row]:
    """Return rows for pendulums of point masses: from a system to SymPy's matrices about the hanging position."""
    return [_symbolic_row(links) for links in ((2, 3) if short else (2, 3, 4, 5, 6))]


def _symbolic_row(links: int) -> Row:
    import sympy
    from peers.sympy_peer import linearized_point_pendulum
    from sympy.core.cache import clear_cache

    system = gs.formulate(point_pendulum(links))
    for _ in range(2):  # the first time imports
        clear_cache()
        began = process_time()
        exact = gs.linearize(system, symbolic=True)
        own_matrices = exact.mass, exact.damping, exact.stiffness
        own = process_time() - began
    clear_cache()
    linearize = linearized_point_pendulum(links)
    clear_cache()
    began = process_time()
    left, right = linearize()
    theirs = process_time() - began
    M, C, K = own_matrices
    numbers = {symbol: 1 + 0.1 * i for i, symbol in enumerate(sorted(M.free_symbols | K.free_symbols, key=str))}
    slopes = [np.array(part.subs(numbers).tolist(), dtype=float) for part in (M, C, K)]
    ours = np.hstack((-np.linalg.solve(slopes[0], slopes[2]), -np.linalg.solve(slopes[0], slopes[1])))
    left, right = (np.array(sympy.Matrix(m).subs(numbers).evalf().tolist(), dtype=float) for m in (left, right))
    worst = _difference(np.linalg.solve(left, right)[links:], ours)
    if not worst < 1e-9:
        raise AssertionError(f"SymPy and gyrostat differ by {worst:.1e} on the {links}-link pendulum.")
    return Row(SYMBOLIC, f"{links} links", own, "SymPy, KanesMethod.linearize", theirs, own / theirs, worst, 0.02)
