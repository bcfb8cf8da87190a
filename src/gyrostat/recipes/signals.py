"""Programs of signals: values and rates of formulas, derivatives of outputs, single values for Python functions.

Formulas and names are checked here, without CasADi; `signal_recipes` forms the programs when one is not in the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gyrostat.errors import StateError
from gyrostat.lazy import later
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.table import VARIATION_SEEDS
from gyrostat.recipes.trace import SEED_INPUTS, Recipe
from gyrostat.signals.formulas import check_formula, fault_of
from gyrostat.signals.signal import Level
from gyrostat.signals.table import SignalTable

if TYPE_CHECKING:
    from gyrostat.recipes import signal_recipes
else:
    (signal_recipes,) = later("gyrostat.recipes", "signal_recipes")


@dataclass(frozen=True, eq=False)
class SignalPrograms:
    """Native functions of named formulas; their ports are those of all programs of a system, without udot.

    `values_and_rates` has the outputs "values" and "rates", one entry for each name.
    """

    names: tuple[str, ...]
    values_and_rates: Program
    _compile_gradients: Callable[[], Program]
    _compile_dependence: Callable[[], Program]

    @cached_property
    def on_modes(self) -> tuple[bool, ...]:
        """Whether each value depends on conditions of laws, as accelerations and loads do."""
        program = self._compile_dependence()
        return tuple(bool(entry) for entry in program.loop(np.zeros((1, program.input_size)))[0])

    @cached_property
    def gradients(self) -> Program:
        """The program of "gradients" (names × speeds), the derivatives of the rates by u: directions of impacts.

        It is compiled on first access. A formula that depends on speeds has no such direction: an error.
        """
        return self._compile_gradients()


def signal_programs(
    compiled: CompiledPrograms,
    formulas: Mapping[str, Formula],
    inputs: Mapping[str, Formula] | None = None,
    *,
    locked: bool = False,
) -> SignalPrograms:
    """Return the programs of formulas over signals, by any names, with some of the system's inputs as formulas.

    With `locked`, conditions in laws are replaced by modes, one more input of `values_and_rates`.
    """
    chosen = checked_formulas(compiled.signals, formulas)

    def gradients() -> Program:
        for name, formula in chosen.items():
            require_positions(compiled.signals, formula, name)
        recipe = Recipe(lambda trace: signal_recipes.gradients(trace, chosen))
        return compiled.program("gradients", recipe, inputs, chosen)

    def dependence() -> Program:
        recipe = Recipe(lambda trace: signal_recipes.mode_dependence(trace, chosen))
        return compiled.program("mode_dependence", recipe, inputs, chosen, locked=True)

    found = compiled.program("signals", values_and_rates_recipe(chosen), inputs, chosen, locked=locked)
    return SignalPrograms(tuple(chosen), found, gradients, dependence)


def signal_values_program(
    compiled: CompiledPrograms, formulas: Mapping[str, Formula], inputs: Mapping[str, Formula] | None = None
) -> Program:
    """Return the program of the values of formulas over signals, with some of the system's inputs as formulas."""
    chosen = checked_formulas(compiled.signals, formulas)
    recipe = Recipe(lambda trace: signal_recipes.values(trace, chosen))
    return compiled.program("signal_values", recipe, inputs, chosen)


def values_and_rates_recipe(formulas: Mapping[str, Formula]) -> Recipe:
    """Return the recipe of the values of checked formulas and of their rates in the motion of forward dynamics."""
    return Recipe(lambda trace: signal_recipes.values_and_rates(trace, formulas))


def checked_formulas(table: SignalTable, formulas: Mapping[str, Formula]) -> dict[str, Formula]:
    """Return formulas whose names are all numbers of the table; others are refused."""
    for name, formula in formulas.items():
        check_formula(table, formula, repr(name))
    return dict(formulas)


def require_positions(table: SignalTable, formula: Formula, name: str) -> None:
    """Refuse accelerations and loads, which may depend on positions alone and yet have no direction of impact."""
    for used in sorted(formula.names):
        signal = table.find_scalar(used)
        if signal is not None and signal.level >= Level.ACCELERATION:
            raise StateError(
                f"The formula {formula!s:.60} of {name!r} depends on {used!r}, so that it has no direction of impact. "
                "Use positions, angles and time only."
            )


def signal_value_program(
    compiled: CompiledPrograms, name: str, inputs: Mapping[str, Formula] | None, unknown: Iterable[str]
) -> Program:
    """Return the program of the value of one signal, which must not depend on inputs that are not known yet."""
    if fault := fault_of(compiled.signals, name, Level.LOAD):
        raise StateError(f"Signal {name!r} {fault}")
    barred = tuple(unknown)
    recipe = Recipe(lambda trace: signal_recipes.known_value(trace, name, barred))
    return compiled.program("signal_value", recipe, inputs, {f"before {', '.join(barred)}": Formula.of(name)})


def linear_output_program(compiled: CompiledPrograms, names: Iterable[str]) -> tuple[tuple[str, ...], Program]:
    """Return the outputs by name, vectors by components, and the program of their values and derivatives.

    The program's arguments include u̇ and the multipliers λ ("loads"). It gives "values" and the derivatives
    "by_position" (θ), "by_speed", "by_rate" (u̇), "by_load" (λ) and "by_input" (inputs and parameters side by side).
    """
    outputs = _linear_outputs(compiled.signals, names)
    written = {name: Formula.of(0) if formula is None else formula for name, formula in outputs.items()}
    recipe = Recipe(lambda trace: signal_recipes.derivatives(trace, outputs), udot=True, loads=True)
    return tuple(outputs), compiled.program("linear_outputs", recipe, None, written)


def output_functions(
    compiled: CompiledPrograms, names: Iterable[str], *, locked: bool = False
) -> tuple[tuple[str, ...], dict[str, Any]]:
    """Return outputs by name, vectors by components, and CasADi functions of them by name.

    "outputs" gives the values, "output_rates" their rates at constant inputs, and "outputs_along" the derivatives along
    a direction in the state and the inputs. With `locked`, conditions of the state in laws are modes.
    """
    found = _linear_outputs(compiled.signals, names)
    formulas = {name: Formula.of(name) if formula is None else formula for name, formula in found.items()}
    made = {
        "outputs": Recipe(lambda trace: signal_recipes.values(trace, formulas)),
        "output_rates": Recipe(lambda trace: signal_recipes.rates(trace, formulas)),
        "outputs_along": Recipe(
            lambda trace: signal_recipes.values_along(trace, formulas), seeds=True, own=(SEED_INPUTS,)
        ),
    }
    return tuple(found), {name: compiled.function(name, recipe, locked=locked) for name, recipe in made.items()}


def output_variation_program(compiled: CompiledPrograms, name: str) -> Program:
    """Return the program of the variation of one output: "along" a direction, and its "gradient".

    Its arguments are those of the program "pencil_along"; the gradient is by q, u, z, u̇, λ, inputs and parameters.
    """
    found = _linear_outputs(compiled.signals, [name])
    if len(found) > 1:
        raise StateError(f"The output {name!r} is a vector. Use a component: {', '.join(found)}.")
    own = next(iter(found))
    recipe = Recipe(
        lambda trace: signal_recipes.variation(trace, own), udot=True, seeds=True, loads=True, own=VARIATION_SEEDS
    )
    return compiled.program("output_variation", recipe, None, {f"of {own}": Formula.of(0)})


def _linear_outputs(table: SignalTable, names: Iterable[str]) -> dict[str, Formula | None]:
    """Return outputs by name in order, vectors by components; None for signals, else the formula over signals."""
    found: dict[str, Formula | None] = {}
    for asked in names:
        if asked.replace(".", "").replace("_", "").isalnum() or asked in table:
            for signal in table.expanded(asked):
                if fault := fault_of(table, signal.name, Level.LOAD):
                    raise StateError(f"The output {signal.name!r} {fault}")
                found[signal.name] = None
        else:
            found[asked] = formula = Formula.of(asked)
            check_formula(table, formula, f"output {asked!r}")
    return found
