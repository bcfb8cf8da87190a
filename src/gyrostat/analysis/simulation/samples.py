"""Sampled blocks within a segment, as kernels take them: their sample times and the programs of their laws."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.integrators.run import NO_SAMPLES
from gyrostat.analysis.kernels.problem import Places, Samples
from gyrostat.analysis.simulation.sample_times import period_of, schedule
from gyrostat.analysis.simulation.segment import Segment
from gyrostat.model.formula import Formula
from gyrostat.model.states import Sampled
from gyrostat.system import System


def sampled_formulas(block: Sampled) -> dict[str, Formula]:
    """Return the formulas of the held value and of the memory that a block updates, by name."""
    assert isinstance(block.law, Formula), "functions are called from Python"
    return {block.name: block.law, **{f"{block.name}.{label}": one for label, one in block.update.items()}}


def held_places(system: System) -> Places:
    """Return where in the state the held values and the memories of sampled blocks are."""
    names = [name for one in system.sampled_blocks for name in (one.name, *(f"{one.name}.{key}" for key in one.memory))]
    first, place_of = system.row.n_q + system.row.n_u, system.coordinates.place_of
    return np.array([first + place_of[name][1] for name in names], dtype=np.int64)


def samples_within(system: System, segment: Segment) -> Samples:
    """Return the samples inside a segment; there are none where every sample time ends one."""
    blocks = system.sampled_blocks
    if not blocks or not all(isinstance(block.law, Formula) for block in blocks):
        return NO_SAMPLES
    times, due = schedule([period_of(one, segment.parameters) for one in blocks], segment.start, segment.end)
    if not len(times):
        return NO_SAMPLES
    laws = [sampled_formulas(block) for block in blocks]
    programs = [system.signal_values(law, inputs=segment.plan.formulas or None) for law in laws]
    first_state, place_of = system.row.n_q + system.row.n_u, system.coordinates.place_of
    return Samples(
        times,
        due.astype(np.int8),
        np.array([program.address for program in programs], dtype=np.int64),
        np.cumsum([0, *(len(law) for law in laws)]),
        np.array([first_state + place_of[name][1] for law in laws for name in law], dtype=np.int64),
        np.zeros(max(len(law) for law in laws)),
        np.zeros(system.row.state_size),
    )
