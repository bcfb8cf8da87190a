"""Single contacts whose bodies overlap at a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gyrostat.analysis.assembly.assemble import Assembly
from gyrostat.coordinates.arguments import Floats
from gyrostat.model.forces.touching_pair import TouchingPair
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.system import System

_ROUNDING = 1e-12
"""Overlaps below this, in sizes of the mechanism, are none."""


@dataclass(frozen=True, eq=False)
class GapProgram:
    """The least gaps of all single contacts of a system."""

    system: System

    @cached_property
    def contacts(self) -> tuple[TouchingPair, ...]:
        """The contacts, in the order of their gaps."""
        return tuple(one for one in self.system.model.forces.values() if isinstance(one, TouchingPair))

    @cached_property
    def _program(self) -> Program:
        return self.system.signal_values({one.name: Formula.of(f"{one.name}.gap") for one in self.contacts})

    def at(self, q: Floats, parameters: Mapping[str, object] | None = None) -> Floats:
        """Return the gaps at positions, shape (N, contacts)."""
        row = self.system.row
        values, inputs = self.system.parameter_values(parameters), np.zeros(len(self.system.inputs))
        still = np.zeros(self.system.coordinates.n_u)
        return self._program.loop(np.array([row.of(0.0, row.mechanical(one, still), values, inputs) for one in q]))

    def overlaps(self, q: Floats, parameters: Mapping[str, object] | None = None) -> list[tuple[TouchingPair, float]]:
        """Return the contacts whose bodies overlap at a position, with the depths."""
        if not self.contacts:
            return []
        gaps = self.at(q[None, :], parameters)[0].tolist()
        least = _ROUNDING * self.system.model_size
        return [(one, -gap) for one, gap in zip(self.contacts, gaps, strict=True) if gap < -least]


def overlap_notes(assembly: Assembly) -> list[str]:
    """Return a note on each contact whose bodies overlap, with the depth and, where they share one, their joint."""
    found = GapProgram(assembly.system).overlaps(assembly.q)
    return [_note(assembly, contact, depth) for contact, depth in found]


def _note(assembly: Assembly, contact: TouchingPair, depth: float) -> str:
    pair = {contact.a.body, contact.b.body}
    joints = [one.name for one in assembly.system.model.joints.values() if {one.parent.body, one.child.body} == pair]
    sharing = f"; joint {joints[0]!r} connects them" if joints else ""
    return f"contact {contact.name!r}: {contact.a} and {contact.b} overlap by {depth:.3g} m initially{sharing}."
