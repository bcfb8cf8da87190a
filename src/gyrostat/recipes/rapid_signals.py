"""Programs for formulas of one system that may vary rapidly within a step: see `rapid_recipes`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gyrostat import __version__
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.program import Program
from gyrostat.program.kept_description import kept_description
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.digest import program_key, source_stamp
from gyrostat.recipes.kept_functions import FunctionSource, kept_program
from gyrostat.recipes.rapid_function import RapidFunction
from gyrostat.recipes.signals import checked_formulas
from gyrostat.recipes.trace import Recipe, Trace

if TYPE_CHECKING:
    from gyrostat.recipes import rapid_recipes, tracing
else:
    rapid_recipes, tracing = later("gyrostat.recipes", "rapid_recipes", "tracing")


@dataclass(frozen=True)
class RapidPrograms:
    """The functions of a system that may vary rapidly, and the program of their arguments."""

    functions: tuple[RapidFunction, ...]
    arguments: Program

    def of(self, function: RapidFunction) -> tuple[Program, Program, Program]:
        """Return the programs of a function's value, of its bounds, and of these with those of its rate.

        They are functions of its names, in alphabetical order, and of boxes of these.
        """
        formula = function.formula
        text = json.dumps(["rapid", formula.steps, __version__, source_stamp()])
        sources = (
            FunctionSource(f"value {text}", lambda: rapid_recipes.value_function(formula)),
            FunctionSource(f"ranges {text}", lambda: rapid_recipes.bounds_function(formula, rates=False)),
            FunctionSource(f"bounds {text}", lambda: rapid_recipes.bounds_function(formula, rates=True)),
        )
        value, ranges, bounds = (kept_program(source) for source in sources)
        return value, ranges, bounds


def rapid_programs(
    compiled: CompiledPrograms,
    formulas: Mapping[str, Formula],
    inputs: Mapping[str, Formula] | None = None,
    *,
    events: bool = False,
) -> RapidPrograms:
    """Return the programs for laws and further formulas; with `events`, for formulas alone that are event functions."""
    chosen = checked_formulas(compiled.signals, formulas)
    form = rapid_recipes.event_signals if events else rapid_recipes.law_signals
    found: list[RapidFunction] = []
    recipe = Recipe(lambda trace: _formed(form, trace, chosen, found))
    name = "rapid_events" if events else "rapid_laws"
    program = compiled.program(name, recipe, inputs, chosen, locked=True)

    def describe() -> list[Any]:
        if not found:  # the program was in the cache
            tracing.build_function(name, recipe, compiled.coordinates, inputs, compiled.softness, locked=True)
        return [list(function) for function in found]

    written = [[(one, formula.source) for one, formula in (given or {}).items()] for given in (chosen, inputs)]
    described = kept_description(program_key(f"functions of {name} {written}", compiled.coordinates), describe)
    return RapidPrograms(tuple(_function(one) for one in described), program)


def _formed(
    form: Callable[[Trace, Mapping[str, Formula], list[RapidFunction]], dict[str, Any]],
    trace: Trace,
    formulas: Mapping[str, Formula],
    found: list[RapidFunction],
) -> dict[str, Any]:
    """Form the arguments of functions; a trace that is repeated finds the same functions."""
    found.clear()
    return form(trace, formulas, found)


def _function(described: list[Any]) -> RapidFunction:
    source, steps, arguments, condition, event = described
    return RapidFunction(source, tuple(tuple(step) for step in steps), arguments, condition, event)
