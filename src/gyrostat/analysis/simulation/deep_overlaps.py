"""Contacts whose bodies overlap so far at the start that a law of contact says nothing about them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping

import numpy as np

from gyrostat.analysis.simulation.state_switches import StateSwitches
from gyrostat.coordinates.row import StateParts
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.forces import Contact
from gyrostat.model.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from gyrostat.program.warning import GyrostatWarning
from gyrostat.scalar import FloatScalars
from gyrostat.system import System

_DEPTH_LIMIT = 0.5
"""Depth, in terms of the smallest dimension of the shapes, from which on a contact is too deep."""


def warn_of_deep_overlaps(
    system: System, switches: StateSwitches | None, state: StateParts, parameters: Mapping[str, float], t: float
) -> None:
    """Warn of contacts whose bodies overlap at the start by more than half of a shape's smallest dimension."""
    contacts = {one.name: one for one in system.model.forces.values() if isinstance(one, Contact)}
    if switches is None or not contacts or not (switches.touching >= 0.0).any():
        return
    row = system.row.of(t, state, [parameters[name] for name in system.model.parameters], np.zeros(len(system.inputs)))
    margins = switches.program.loop(np.append(row, np.zeros(len(switches.owners)))[None])[0]
    depths = dict[str, float]()
    for owner, mode, margin in zip(switches.owners, switches.touching, margins, strict=False):
        if owner in contacts and mode >= 0.0:
            depths[owner] = max(depths.get(owner, 0.0), float(margin if mode > 0.5 else -margin))
    for name, depth in depths.items():
        smallest = min(_dimensions(contacts[name], parameters), default=np.inf)
        if depth > _DEPTH_LIMIT * smallest:
            warnings.warn(
                f"Contact {name!r}: {contacts[name].a} and {contacts[name].b} overlap by {depth:.3g} m at the start, "
                f"where the smallest dimension of their shapes is {smallest:.3g} m. Laws of contact hold for small "
                "depths only. Move the bodies apart by initial=….",
                GyrostatWarning,
                stacklevel=4,
            )


def _dimensions(contact: Contact, values: Mapping[str, float]) -> Iterator[float]:
    """Yield the dimensions of the solid shapes of a contact."""
    evaluator = Evaluator(FloatScalars(), values.__getitem__)
    for side in contact.sides:
        if isinstance(side.shape, Box | Capsule | Cone | Cylinder | Ellipsoid | Sphere):
            for dimension in side.shape.dimensions(evaluator).values():
                yield from (float(one) for one in np.ravel(dimension) if float(one) > 0.0)
