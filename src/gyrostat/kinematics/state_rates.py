"""Rates of the state variables of components."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gyrostat.lazy import LaterClass
from gyrostat.model.record import Component
from gyrostat.model.state_variable import Reset, StateOwner
from gyrostat.scalar import Scalar
from gyrostat.scalar.operations import law

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion
    from gyrostat.model.states import Delay
else:
    Delay = LaterClass("gyrostat.model.states.delay", "Delay")


def state_rates(motion: WorldMotion) -> list[Scalar]:
    """Return ż in order; at the places of algebraic variables, the residuals of their equations."""
    model = motion.tree.coordinates.topology.model
    found: dict[str, Scalar] = {}
    for owner in model.state_owners:
        found.update(rates_of_owner(motion, owner))
    return [found[name] for name in motion.tree.coordinates.state_names]


def rates_of_owner(motion: WorldMotion, owner: StateOwner) -> Mapping[str, Scalar]:
    """Return the rates of the state variables of one component, by name."""
    assert isinstance(owner, Component), "states belong to components"
    with law(motion.scalars, owner.name):
        return owner.state_rates(motion)


def delayed_signals(motion: WorldMotion) -> list[Scalar]:
    """Return the present values of the signals of all delays, in order; their conditions are those of a law."""
    found = list[Scalar]()
    for owner in motion.tree.coordinates.topology.model.states.values():
        if isinstance(owner, Delay):
            with law(motion.scalars, owner.name):
                found.append(motion.evaluate(owner.input))
    return found


def touching_in(motion: WorldMotion) -> list[Scalar]:
    """Return the conditions that hold while bodies touch."""
    model, found = motion.tree.coordinates.topology.model, list[Scalar]()
    for owner in model.forces.values():
        with law(motion.scalars, owner.name):
            found += owner.touching(motion)
    return found


def resets_of(motion: WorldMotion) -> Iterator[Reset]:
    """Yield the state variables that jump when conditions become true, each with the conditions of its law."""
    for owner in motion.tree.coordinates.topology.model.state_owners:
        assert isinstance(owner, Component), "states belong to components"
        with law(motion.scalars, owner.name):
            resets = tuple(owner.resets(motion))
        yield from resets
