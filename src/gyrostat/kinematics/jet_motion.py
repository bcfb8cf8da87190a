"""A motion whose quantities are jets: they carry their rates in time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gyrostat.kinematics.rates import coordinate_rates
from gyrostat.kinematics.state import MotionState
from gyrostat.kinematics.state_rates import rates_of_owner
from gyrostat.model.evaluator import Evaluator
from gyrostat.model.state_variable import StateOwner
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.jets import Jet, JetScalars

if TYPE_CHECKING:
    from gyrostat.kinematics.world import WorldMotion


def on_jets(motion: WorldMotion, state: MotionState) -> WorldMotion:
    """Return the motion at a state of jets, without masses that vary."""
    tree = motion.tree.bare
    own = tree.value
    return replace(tree, value=Evaluator(JetScalars(own.scalars), own.lookup, own.uniform)).kinematics_at(state)


def in_time(motion: WorldMotion, rates: Sequence[Scalar]) -> WorldMotion:
    """Return the motion with rates of all quantities, for given u̇; inputs are constant, but for those that drive."""
    state = motion.state
    q = [Jet(value, rate) for value, rate in zip(state.q, coordinate_rates(motion.tree, state), strict=True)]
    u = [Jet(value, rate) for value, rate in zip(state.u, rates, strict=True)]
    inputs = dict(state.inputs)
    for name in motion.tree.coordinates.topology.model.driving_inputs:
        value, rate, acceleration = (state.inputs[f"{name}{suffix}"] for suffix in ("", ".rate", ".acc"))
        inputs |= {name: Jet(value, rate, acceleration), f"{name}.rate": Jet(rate, acceleration)}
    return on_jets(motion, MotionState(q, u, Jet(state.t, 1), inputs, StatesInTime(motion)))


@dataclass(frozen=True)
class StatesInTime(Mapping[str, Scalar]):
    """The state variables of a motion with their rates, each formed where it is read."""

    motion: WorldMotion

    def __getitem__(self, name: str) -> Jet:
        return Jet(self.motion.state.z[name], self._rate(name))

    def __contains__(self, name: object) -> bool:
        return name in self.motion.state.z

    def __iter__(self) -> Iterator[str]:
        return iter(self.motion.state.z)

    def __len__(self) -> int:
        return len(self.motion.state.z)

    def _rate(self, name: str) -> Scalar:
        if name not in self._rates:
            self._rates.update(rates_of_owner(self.motion, self._owner_of[name]))
        return self._rates[name]

    @cached_property
    def _rates(self) -> dict[str, Scalar]:
        return {}

    @cached_property
    def _owner_of(self) -> dict[str, StateOwner]:
        owners = self.motion.tree.coordinates.topology.model.state_owners
        return {variable.name: owner for owner in owners for variable in owner.state_variables}
