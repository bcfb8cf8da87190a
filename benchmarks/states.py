"""Random states, and gyrostat's side of the comparisons."""

from __future__ import annotations

from functools import partial

import numpy as np
from peers.peer import States, Task
from peers.tree import Floats
from timing import Candidate

import gyrostat as gs
from gyrostat.program import Program


def random_states(system: gs.System, count: int) -> States:
    """Return states with angles and speeds within 0.7, and loads within 1, always the same, whatever their number."""
    drawn = np.random.default_rng(0).uniform(-1, 1, (count, 3, len(system.speed_names)))
    q, u, tau = (np.ascontiguousarray(drawn[:, i]) for i in range(3))
    return States(0.7 * q, 0.7 * u, tau)


def rows_of(program: Program, states: States) -> Floats:
    """Return a program's inputs, shape (N, input_size), at time zero."""
    rows = np.zeros((len(states.q), program.input_size))
    for name, values in (("q", states.q), ("u", states.u), ("inputs", states.tau)):
        rows[:, program.input_slice(name)] = values
    return rows


def loop_task(program: Program, states: States) -> Task:
    """Return the native loop over all states."""
    rows = rows_of(program, states)
    found = np.zeros((len(rows), program.output_size))
    return Task(Candidate(partial(program.loop, rows, found), len(rows)), lambda: _by_name(program, found))


def batch_task(program: Program, states: States, *, threads: int) -> Task:
    """Return the evaluation of all states in SIMD lanes."""
    rows = rows_of(program, states)
    found = np.zeros((len(rows), program.output_size))
    run = partial(program.batch, rows, found, threads=threads)
    return Task(Candidate(run, len(rows)), lambda: _by_name(program, found))


def call_task(program: Program, states: States) -> Task:
    """Return one call from Python on buffers that are filled already, as a loop around it would have them."""
    source, result = program.input_buffer(), program.output_buffer()
    source.array[:] = rows_of(program, states.first(1))[0]
    return Task(Candidate(partial(program, source, result)), lambda: _by_name(program, result.array[None, :]))


def filling_call_task(program: Program, states: States) -> Task:
    """Return one call from Python that copies q, u and loads from arrays of their own into the buffer first."""
    source, result = program.input_buffer(), program.output_buffer()
    parts = [
        (source.array[program.input_slice(name)], values[0].copy())
        for name, values in (("q", states.q), ("u", states.u), ("inputs", states.tau))
    ]
    (q, own_q), (u, own_u), (tau, own_tau) = parts

    def run() -> None:
        q[:] = own_q
        u[:] = own_u
        tau[:] = own_tau
        program(source, result)

    return Task(Candidate(run), lambda: _by_name(program, result.array[None, :]))


def _by_name(program: Program, found: Floats) -> dict[str, Floats]:
    """Return outputs by name: columns as (N, rows), matrices as (N, rows, columns)."""
    values: dict[str, Floats] = {}
    for port in program.outputs:
        part = found[:, program.output_slice(port.name)]
        values[port.name] = part if port.columns == 1 else part.reshape(-1, port.columns, port.rows).transpose(0, 2, 1)
    return values
