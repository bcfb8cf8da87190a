"""Charts about a position: all coordinates as functions of the independent ones, for trees and closed loops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from gyrostat.analysis.scales.excitation import Excitation
from gyrostat.analysis.scales.mechanism_loads import MechanismLoads
from gyrostat.analysis.scales.taylor import Chart, Grading, parameter_series, straight_chart
from gyrostat.analysis.scales.taylor_loops import Loops, Shapes, find_loops, loop_chart
from gyrostat.once import cached_property
from gyrostat.scalar import Scalar
from gyrostat.scalar.exact import Element, Expansion, Substitution
from gyrostat.scalar.exact.branches import Sign
from gyrostat.scalar.exact.numbers import as_fraction, plain_number

_DENOMINATOR_LIMIT = 10_000
"""The largest denominator of a short fraction."""


@dataclass(frozen=True, eq=False)
class TreeCharts:
    """All coordinates are independent."""

    loads: MechanismLoads
    centre: Mapping[str, Scalar]
    moved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The parameters that move constraints in time: none."""

    @property
    def rounded(self) -> bool:
        """Whether functions of numbers are decimals: if the position is known as decimals only."""
        return not _is_simple(self.centre)

    @property
    def names(self) -> tuple[str, ...]:
        """The independent coordinates."""
        return self.loads.system.coordinate_names

    @cached_property
    def frequencies(self) -> frozenset[str]:
        """The parameters in frequencies of excitation."""
        return _frequencies(self.loads, (), self.centre)

    def chart(
        self,
        names: Sequence[str],
        shapes: Sequence[Sequence[Scalar]],
        highest: int,
        grading: Grading,
        constants: Mapping[str, Scalar] | None = None,
    ) -> Chart:
        """Return the chart in some variables: independent coordinates are centre + Σ shape × variable."""
        centre = self.centre
        if constants:
            put_in = Substitution(self.loads.trace.ring, constants)
            centre = {name: put_in(value) for name, value in centre.items()}
        return straight_chart(self.loads, centre, names, shapes, highest)


@dataclass(frozen=True, eq=False)
class LoopCharts:
    """Dependent coordinates follow from constraints, or from the unit norm of Euler parameters.

    With constraints, all parameters but those of excitation are numbers.
    """

    loads: MechanismLoads
    centre: Mapping[str, Scalar]
    values: Mapping[str, float]
    sign: Sign
    moved: Mapping[str, tuple[str, ...]]
    """The parameters that move constraints in time, with the constraints."""
    loops: Loops = field(init=False)

    def __post_init__(self) -> None:
        still = {**self.values, **dict.fromkeys(self.moved, 0.0)}
        object.__setattr__(self, "loops", find_loops(self.loads, self.centre, still))

    @property
    def rounded(self) -> bool:
        """Whether functions of numbers are decimals: always, except for Euler parameters alone at a simple position."""
        return self.loads.system.constrained or any(x not in (-1, 0, 1) for x in self.centre.values())

    @property
    def names(self) -> tuple[str, ...]:
        """The independent coordinates."""
        return tuple(self.loads.system.coordinate_names[i] for i in self.loops.independent)

    @cached_property
    def frequencies(self) -> frozenset[str]:
        """The parameters in frequencies of excitation."""
        return _frequencies(self.loads, self.loops.rows, self.centre)

    def chart(
        self,
        names: Sequence[str],
        shapes: Sequence[Sequence[Scalar]],
        highest: int,
        grading: Grading,
        constants: Mapping[str, Scalar] | None = None,
    ) -> Chart:
        """Return the chart in some variables: independent coordinates are centre + Σ shape × variable."""
        ring = self.loads.trace.ring
        free = self.frequencies | self.moved.keys()
        own = (self.loops.parameters & set(self.loads.system.model.parameters)) - free
        numbers = {name: plain_number(self.values[name]) for name in own}
        small = Grading(grading.per_order, {n: g for n, g in grading.parameters.items() if n in self.moved})
        known = parameter_series(ring, small, numbers, highest + 1)
        return loop_chart(
            self.loads, self.loops, self.centre, Shapes(names, shapes), highest, known, self.sign, rounded=self.rounded
        )


def _is_simple(centre: Mapping[str, Scalar]) -> bool:
    """Tell whether a position consists of formulas and short fractions."""
    return all(isinstance(x, Element) or as_fraction(x).denominator <= _DENOMINATOR_LIMIT for x in centre.values())


def _frequencies(loads: MechanismLoads, rows: Sequence[Scalar], centre: Mapping[str, Scalar]) -> frozenset[str]:
    """Return the parameters in frequencies of constraints and loads, from the linear equations."""
    ring, system = loads.trace.ring, loads.system
    excitation = Excitation(ring)
    names = (*system.coordinate_names, *system.speed_names, *loads.acceleration_names)
    series = {name: [centre.get(name, 0), ring.symbol(name)] for name in names}
    found = loads.expanded(Expansion(ring, series, 1, rounded=True))
    entries = [*rows, *(part for source in loads.sources for column in found.column(source) for part in column)]
    return frozenset().union(*(excitation.frequency_names(entry) for entry in entries))


Charts: TypeAlias = TreeCharts | LoopCharts
