"""The table of recipes: the programs that every system has, their inputs, and the modules that form their outputs.

It is read without CasADi. A module of formulas is imported when one of its recipes is traced, that is, when a program
is not in the cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from gyrostat.errors import StateError
from gyrostat.recipes.trace import SEED_INPUTS, Recipe, Trace

VARIATION_SEEDS = ("seed_qdot", "seed_udot", "seed_zdot", "seed_loads", "seed_acting")
"""Further directions in which the equations of motion vary: of rates, multipliers, and of inputs and parameters."""

BLOCKS = ("load", "residual", "speed", "rate", "state")
"""Functions in programs of linear models, in order: r + Aᵀλ, Φ, s, A u̇ − γ, and ż where there are states."""

SOFTNESS = 1e-8
"""The compliance given to redundant constraints, relative to their own size."""


@dataclass(frozen=True)
class FormedIn:
    """The function `form_<name>` of a module of this package, imported when it is called."""

    module: str
    name: str

    def __call__(self, trace: Trace) -> dict[str, Any]:
        """Return the outputs of the recipe as columns by name."""
        found: dict[str, Any] = getattr(import_module(f"{__package__}.{self.module}"), f"form_{self.name}")(trace)
        return found


def _in(
    module: str,
    *names: str,
    udot: bool = False,
    seeds: bool = False,
    loads: bool = False,
    own: tuple[str, ...] = (),
    solves: bool = True,
    any_engine: bool = False,
) -> dict[str, Recipe]:
    """Return recipes that a module forms and whose programs have the same inputs."""
    optimisation = 0 if module == _LINEAR_MODULE else 2
    made = partial(Recipe, udot=udot, seeds=seeds, loads=loads, own=own, solves=solves, any_engine=any_engine)
    return {name: made(FormedIn(module, name), optimisation=optimisation) for name in names}


_LINEAR_MODULE = "linear_programs"
_WEIGHTED_SEEDS = (*VARIATION_SEEDS, "weights")

RECIPES: dict[str, Recipe] = {
    **_in("dynamics", "rates", "forward_dynamics", "energy", "poses", any_engine=True),
    **_in("dynamics", "mass_matrix"),
    **_in("dynamics", "inverse_dynamics", "reactions", udot=True),
    **_in("derivatives", "forward_dynamics_derivatives", "rates_jacobian", "rates_in_time"),
    **_in("derivatives", "rates_structure"),
    **_in("derivatives", "rates_along", seeds=True),
    **_in("derivatives", "rates_by_inputs", own=(SEED_INPUTS,)),
    **_in("derivatives", "accelerations_along", seeds=True, own=(SEED_INPUTS,)),
    **_in("observations", "body_motion", "body_momenta", "load_power", any_engine=True),
    **_in("observations", "inputs", "driven", "force_outputs", "momentum"),
    **_in("observations", "net_power"),
    **_in("observations", "body_motion_along", seeds=True),
    **_in("observations", "accelerations", "body_accelerations", "powers", "chords", udot=True),
    **_in("rigid_contacts", "contact_terms"),
    **_in("states", "state_rates", udot=True),
    **_in("states", "block_outputs", solves=False),
    **_in("states", "algebraic_equations", solves=False),
    **_in("constraints", "constraints", "constraint_rates", "rates_of_coordinates", solves=False, any_engine=True),
    **_in("constraints", "constraint_directions", "chord_jacobian", solves=False),
    **_in("constraints", "guarded_rates", "projected_coordinates", "projected_speeds", any_engine=True),
    **_in("powered_rates", "powered_rates", any_engine=True),
    **_in("constraints", "multipliers"),
    **_in("switches", "switches", "canonical_switches", "switch_kinds", "resets", "delayed_signals"),
    **_in("momenta", "canonical_rates", "momenta", "speeds_of_momenta"),
    **_in(_LINEAR_MODULE, "linear_terms", solves=False),
    **_in(_LINEAR_MODULE, "linear_derivatives", "linear_input_derivatives", udot=True, loads=True, solves=False),
    **_in(_LINEAR_MODULE, "linear_derivatives_along", "element_work", udot=True, loads=True, seeds=True, solves=False),
    **_in(_LINEAR_MODULE, "pencil_along", udot=True, loads=True, seeds=True, own=VARIATION_SEEDS, solves=False),
    **_in(_LINEAR_MODULE, "pencil_gradient", udot=True, loads=True, seeds=True, own=_WEIGHTED_SEEDS, solves=False),
}
"""The programs of a system, by name."""


def known_recipe(name: str) -> Recipe:
    """Return the recipe of a program; refuse unknown names."""
    if name not in RECIPES:
        raise StateError(f"There is no program {name!r}. Known: {', '.join(RECIPES)}.")
    return RECIPES[name]
