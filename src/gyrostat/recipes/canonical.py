"""Signals of a system in canonical form: formulas over signals, evaluated at coordinates and momenta."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.signals import checked_formulas, values_and_rates_recipe
from gyrostat.recipes.trace import Recipe

if TYPE_CHECKING:
    from gyrostat.recipes import momenta
else:
    (momenta,) = later("gyrostat.recipes", "momenta")


def with_momenta(recipe: Recipe) -> Recipe:
    """Return the recipe of the same outputs over coordinates and momenta; the port u holds p."""
    return replace(recipe, outputs=lambda trace: momenta.over_momenta(trace, recipe.outputs(trace)))


def canonical_signals(
    compiled: CompiledPrograms,
    formulas: Mapping[str, Formula],
    inputs: Mapping[str, Formula] | None = None,
    *,
    locked: bool = False,
) -> Program:
    """Return the program of values and rates of formulas over signals, at coordinates and momenta."""
    chosen = checked_formulas(compiled.signals, formulas)
    recipe = with_momenta(values_and_rates_recipe(chosen))
    return compiled.program("canonical_signals", recipe, inputs, chosen, locked=locked)
