"""Settling block: the place of a delay or of a sampled block in a system at rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gyrostat.errors import StateError
from gyrostat.model.forces import Motion
from gyrostat.model.forces.force_element import LAW
from gyrostat.model.formula import Formula
from gyrostat.model.kinds import FrozenMapping, MappingKind, Quantity, QuantityKind
from gyrostat.model.record import value
from gyrostat.model.state_variable import StateVariable
from gyrostat.model.states import Delay, Sampled
from gyrostat.model.states.state_element import StateElement
from gyrostat.scalar import Scalar


@dataclass(frozen=True)
class SettlingBlock(StateElement):
    """States with the rates ẋ = new value − x: at rest each is the value that its formula gives.

    >>> block = SettlingBlock.of(Delay("past", "3*x", 0.1))
    >>> block.law, [variable.name for variable in block.state_variables]
    (Formula(source='3*x'), ['past'])
    """

    law: Quantity = value(QuantityKind(LAW), doc="the new value, a formula")
    initial: Quantity = value(QuantityKind(), 0, doc="where the search begins")
    memory: FrozenMapping = value(MappingKind(QuantityKind()), {}, doc="where the search begins for further states")
    update: FrozenMapping = value(MappingKind(QuantityKind(LAW)), {}, doc="new values of further states")

    @staticmethod
    def of(block: Delay | Sampled) -> SettlingBlock:
        """Return the block in the place of a delay, or of a sampled block whose law is a formula."""
        if isinstance(block, Delay):
            return SettlingBlock(block.name, block.input)
        if not isinstance(block.law, Formula):
            raise StateError(
                f"The law of sampled {block.name!r} is a Python function, whose value at rest no equation gives. "
                "Replace it by a formula, or the block by an input that is found along: solve_for=[…]."
            )
        return SettlingBlock(block.name, block.law, block.initial, block.memory, block.update)

    @property
    def state_variables(self) -> tuple[StateVariable, ...]:
        """The value of the block and its memory."""
        held = StateVariable(self.name, "", "", self.initial)
        memory = (StateVariable(f"{self.name}.{label}", "", "", begin) for label, begin in self.memory.items())
        return (held, *memory)

    def state_rates(self, motion: Motion) -> Mapping[str, Scalar]:
        """Return the changes at a sample; entries of a memory without an update do not change."""
        new = {self.name: self.law, **{f"{self.name}.{label}": one for label, one in self.update.items()}}
        still = {variable.name: 0 for variable in self.state_variables}
        return {**still, **{name: motion.evaluate(one) - motion.quantity(name) for name, one in new.items()}}
