"""The native programs of a system, compiled on first use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from gyrostat import recipes
from gyrostat.coordinates import Coordinates
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.rapid_signals import RapidPrograms
from gyrostat.recipes.rolled_programs import RolledPrograms
from gyrostat.recipes.table import RECIPES, SOFTNESS
from gyrostat.signals.contact_place import ContactPlace
from gyrostat.signals.table import SignalTable

if TYPE_CHECKING:
    import casadi

    from gyrostat.closing import Rank
    from gyrostat.recipes import CarrierDerivatives, SignalPrograms


class SystemPrograms:
    """Mixin: programs by name, and programs of formulas over the signals of the system."""

    if TYPE_CHECKING:
        coordinates: Coordinates

        @property
        def signal_table(self) -> SignalTable:
            """Every quantity of the system that has a name."""

        @property
        def constrained(self) -> bool:
            """Whether there are constraints."""

        @property
        def rank(self) -> Rank:
            """The rank of the constraints."""

    @cached_property
    def _rolled(self) -> RolledPrograms:
        return RolledPrograms(self.coordinates)

    @cached_property
    def _rigid(self) -> CompiledPrograms:
        return CompiledPrograms(self.signal_table, self._rolled)

    @cached_property
    def _compiled(self) -> CompiledPrograms:
        """Programs that may solve for accelerations; redundant constraints are given a small compliance."""
        if not (self.constrained and self.rank.redundant):
            return self._rigid
        table = self.signal_table
        return CompiledPrograms(table, RolledPrograms(table.coordinates, SOFTNESS), SOFTNESS)

    def program(self, name: str, *, inputs: Mapping[str, Formula] | None = None, locked: bool = False) -> Program:
        """Return a native program by name; its ports are t, q, u, z, parameters, inputs, and udot where needed.

        Inputs given as formulas over signals are traced into the program and not read from its ports. With `locked`,
        conditions of the state in laws are replaced by modes, a port after the inputs: see the program "switches".
        """
        return self._programs(name).named(name, inputs, locked=locked)

    def _programs(self, name: str) -> CompiledPrograms:
        """Return the programs among which one is."""
        return self._rigid if name in RECIPES and not RECIPES[name].solves else self._compiled

    def ready_program(self, name: str, *, inputs: Mapping[str, Formula] | None = None, locked: bool = False) -> Program:
        """Return a program by name in the form that is ready first, for a single run.

        Of a mechanism of many links that is rolled code: one call of a compiled function for each link, instead of
        straight code that is compiled for this model. It is ready in milliseconds and takes about 1.4 times as long to
        evaluate, with closed loops several times; numbers agree to rounding.
        """
        return self._programs(name).ready(name, inputs, locked=locked)

    @property
    def rolls(self) -> bool:
        """Whether the system has many links, and programs that may be rolled."""
        return self._compiled.rolled.serve

    @property
    def derivatives_roll(self) -> bool:
        """Whether derivatives of the motion are those of rolled programs."""
        return self._compiled.derivatives_roll

    @property
    def tree_variations(self) -> Program | None:
        """The program of all terms of a linear model of a tree with many links; None of other systems.

        Its outputs are u̇, M, N, ∂(N u)/∂q, Ṅ, and the derivatives of inverse dynamics by q and u at constant u̇.
        """
        return self._compiled.variations

    def carrier_motion(self, bodies: Sequence[str], *, locked: bool = False) -> Program:
        """Return the program of the motion of bodies that carry ropes: see `recipes.carriers`."""
        return recipes.carrier_motion(self._compiled, bodies, locked=locked)

    def carrier_derivatives(self, bodies: Sequence[str], loads: int, *, locked: bool = False) -> CarrierDerivatives:
        """Return programs of derivatives of that motion, and of the rates by the last inputs."""
        return recipes.carrier_derivatives(self._compiled, bodies, loads, locked=locked)

    def casadi_function(self, name: str, *, locked: bool = False) -> casadi.Function:
        """Return a program by name as a CasADi function whose named ports are those of the program.

        With `locked`, conditions of the state in laws are replaced by modes, one more input.
        """
        function: casadi.Function = self._programs(name).casadi_function(name, locked=locked)
        return function

    def output_functions(
        self, names: Iterable[str], *, locked: bool = False
    ) -> tuple[tuple[str, ...], dict[str, casadi.Function]]:
        """Return outputs by name, vectors by components, and CasADi functions of their values, rates and derivatives.

        They are "outputs", "output_rates" and "outputs_along", a direction in the state and the inputs.
        """
        return recipes.output_functions(self._compiled, names, locked=locked)

    def signals(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None, locked: bool = False
    ) -> SignalPrograms:
        """Return programs for values and rates of formulas over signals, by any names: see `signal_table`."""
        return recipes.signal_programs(self._compiled, formulas, inputs, locked=locked)

    def rapid_functions(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None, events: bool = False
    ) -> RapidPrograms:
        """Return the parts of laws and of further formulas that may vary rapidly: see `rapid_programs`."""
        return recipes.rapid_programs(self._compiled, formulas, inputs, events=events)

    def signal_values(self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None) -> Program:
        """Return the program of the values alone of formulas over signals, by any names."""
        return recipes.signal_values_program(self._compiled, formulas, inputs)

    def contact(
        self, place: ContactPlace, when: Formula, event: str, *, inputs: Mapping[str, Formula] | None = None
    ) -> Program:
        """Return the program of sliding speeds at a contact of an event, with the normal of its function `when`."""
        return recipes.contact_program(self._compiled, place, when, event, inputs)

    def canonical_signals(
        self, formulas: Mapping[str, Formula], *, inputs: Mapping[str, Formula] | None = None, locked: bool = False
    ) -> Program:
        """Return the program of values and rates of formulas over signals, at coordinates and momenta p = ∂T/∂u."""
        return recipes.canonical_signals(self._compiled, formulas, inputs, locked=locked)

    def linear_outputs(self, names: Iterable[str]) -> tuple[tuple[str, ...], Program]:
        """Return outputs by name, vectors by components, and the program of their derivatives at given u̇ and loads."""
        return recipes.linear_output_program(self._rigid, names)

    def output_variation(self, name: str) -> Program:
        """Return the program of the variation of an output along a direction, and its gradient."""
        return recipes.output_variation_program(self._rigid, name)

    def signal_value(
        self, name: str, *, inputs: Mapping[str, Formula] | None = None, unknown: Iterable[str] = ()
    ) -> Program:
        """Return the program of the value of one signal; one that depends on `unknown` inputs is refused."""
        return recipes.signal_value_program(self._compiled, name, inputs, unknown)
