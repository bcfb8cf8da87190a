"""Compiled programs of one system: each recipe once, in memory and on disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gyrostat.coordinates import Coordinates
from gyrostat.errors import StateError
from gyrostat.model.formula import Formula
from gyrostat.program import Program, compile_program, load_or_compile
from gyrostat.recipes.derivatives import SEEDS, jacobian_is_long
from gyrostat.recipes.trace import Recipe, build_function
from gyrostat.recipes.traces import RECIPES
from gyrostat.signals.formulas import check_input_formulas
from gyrostat.signals.table import SignalTable


@dataclass(frozen=True, eq=False)
class CompiledPrograms:
    """The programs that have been asked for, by the text that determines them."""

    signals: SignalTable
    """What names in formulas mean."""
    softness: float = 0.0
    """How soft constraints are made, where some follow from others."""
    _known: dict[str, Program] = field(default_factory=dict, repr=False)

    @property
    def coordinates(self) -> Coordinates:
        """The coordinates of the system."""
        return self.signals.coordinates

    def named(self, name: str, inputs: Mapping[str, Formula] | None = None) -> Program:
        """Return one of the programs that every system has, with some inputs as formulas."""
        if name not in RECIPES:
            raise StateError(f"There is no program {name!r}. Known: {', '.join(RECIPES)}.")
        if name == "rates_jacobian" and jacobian_is_long(self.coordinates):
            from gyrostat.program import jacobian_by_columns

            return jacobian_by_columns(self.named("rates_along", inputs), name, SEEDS)
        return self.program(name, RECIPES[name], inputs)

    def program(
        self,
        name: str,
        recipe: Recipe,
        inputs: Mapping[str, Formula] | None = None,
        formulas: Mapping[str, Formula] | None = None,
    ) -> Program:
        """Return the program of a recipe, with some inputs as formulas; `formulas` are those that the recipe holds."""
        text = name if not inputs and formulas is None else f"{name} {_written(formulas)} with {_written(inputs)}"
        if text not in self._known:
            self._known[text] = self._compile(text, name, recipe, inputs or {})
        return self._known[text]

    def _compile(self, text: str, name: str, recipe: Recipe, inputs: Mapping[str, Formula]) -> Program:
        from gyrostat.recipes.digest import program_key

        def build() -> object:
            return build_function(name, recipe, self.coordinates, inputs, self.softness, in_order=True)

        if inputs:
            check_input_formulas(self.signals, inputs)
        key = program_key(f"{text}, softness {self.softness}" if self.softness else text, self.coordinates)
        return compile_program(build()) if key is None else load_or_compile(key, build)


def _written(formulas: Mapping[str, Formula] | None) -> list[tuple[str, int | float | str]]:
    """Return formulas as text determines them."""
    return [(name, formula.source) for name, formula in (formulas or {}).items()]
