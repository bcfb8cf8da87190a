"""Contacts whose bodies overlap at a state."""

from __future__ import annotations

import numpy as np

from gyrostat.analysis.assembly.assemble import Assembly
from gyrostat.model.forces import Contact
from gyrostat.model.formula import Formula

_ROUNDING = 1e-12
"""Overlaps below this, in sizes of the mechanism, are none."""


def overlap_notes(assembly: Assembly) -> list[str]:
    """Return a note on each contact whose bodies overlap, with the depth and, where they share one, their joint."""
    system = assembly.system
    contacts = [one for one in system.model.forces.values() if isinstance(one, Contact)]
    if not contacts:
        return []
    gaps = system.signal_values({one.name: Formula.of(f"{one.name}.gap") for one in contacts})
    row = system.row.of(
        0.0,
        system.row.split(np.concatenate((assembly.q, assembly.u, assembly.z))),
        system.parameter_values(),
        np.zeros(len(system.inputs)),
    )
    found = gaps.loop(row[None, :])[0]
    return [
        _note(assembly, contact, -gap)
        for contact, gap in zip(contacts, found.tolist(), strict=True)
        if gap < -_ROUNDING * system.model_size
    ]


def _note(assembly: Assembly, contact: Contact, depth: float) -> str:
    pair = {contact.a.body, contact.b.body}
    joints = [one.name for one in assembly.system.model.joints.values() if {one.parent.body, one.child.body} == pair]
    sharing = f"; joint {joints[0]!r} connects them" if joints else ""
    return f"contact {contact.name!r}: {contact.a} and {contact.b} overlap by {depth:.3g} m initially{sharing}."
