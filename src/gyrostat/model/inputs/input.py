"""Input: a quantity that is given from outside, by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gyrostat.model.inputs.law import Law, LawKind
from gyrostat.model.kinds import OptionalKind, Scope, TextKind
from gyrostat.model.record import Component, value

_SIGNALS = Scope(time=True, system=True, derived=True)


@dataclass(frozen=True)
class Input(Component):
    """A quantity given from outside: a voltage, a thrust, the height of a road. Every formula may use its name.

    `law` is its course unless an analysis is given another: a number, a formula of t and of everything that has a
    name, a `Table`, or the columns of a CSV file. Without a law it is zero. Laws hold in simulations, sweeps and
    operating points; numeric methods of a system take inputs as numbers.

    >>> Input("T1", unit="N", law="20*sin(3*t)").law
    Formula(source='20*sin(3*t)')
    """

    file_section: ClassVar[str] = "inputs"
    word: ClassVar[str] = "input"

    unit: str = value(TextKind(), "", doc="unit, a label only", keyword=True)
    description: str = value(TextKind(), "", doc="description", keyword=True)
    law: Law | None = value(
        OptionalKind(LawKind(_SIGNALS)),
        None,
        doc="a number, a formula, a table, or columns of a CSV file",
        keyword=True,
    )
