"""Momenta: recipes over coordinates and momenta p = ∂T/∂u, for integrators that keep what is conserved.

In these programs the port u holds p. T is the kinetic energy with driven motions and rotors: p = M(q) u + b(q, t).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gyrostat.model.formula import Formula
from gyrostat.program import Program
from gyrostat.recipes.trace import Recipe, Trace

if TYPE_CHECKING:
    from gyrostat.system.system import System


def with_momenta(recipe: Recipe) -> Recipe:
    """Return the recipe of the same outputs over coordinates and momenta."""

    def outputs(trace: Trace) -> dict[str, Any]:
        import casadi

        found = recipe.outputs(trace)
        columns = casadi.substitute(list(found.values()), [trace.arguments["u"]], [_speeds(trace)])
        return dict(zip(found, columns, strict=True))

    return Recipe(outputs, recipe.udot, recipe.seeds)


def canonical_rates(system: System, inputs: Mapping[str, Formula] | None = None) -> Program:
    """Return the program (q, p) → (q̇, ṗ), with some of the system's inputs as formulas."""
    return system.program("canonical_rates", inputs=inputs)


def canonical_signals(
    system: System, formulas: Mapping[str, Formula], inputs: Mapping[str, Formula] | None = None
) -> Program:
    """Return the program of values and rates of formulas over signals, at coordinates and momenta."""
    from gyrostat.recipes.signals import checked_formulas, values_and_rates_recipe

    chosen = checked_formulas(system.signal_table, formulas)
    recipe = with_momenta(values_and_rates_recipe(chosen))
    return system._compiled.program("canonical_signals", recipe, inputs, chosen)


def _momenta(trace: Trace) -> Any:
    """Return p = ∂T/∂u."""
    import casadi

    from gyrostat.equations.energy import energy
    from gyrostat.scalar.traced import as_sx

    return casadi.densify(casadi.gradient(as_sx(energy(trace.motion).kinetic), trace.arguments["u"]))


def _speeds(trace: Trace) -> Any:
    """Return u = M⁻¹ (p − b), with p in the place of u."""
    import casadi

    from gyrostat.equations.dynamics import mass_solver
    from gyrostat.scalar.traced import Traced, column

    u = trace.arguments["u"]
    right = u - casadi.substitute(_momenta(trace), u, casadi.SX.zeros(u.shape))
    return column(mass_solver(trace.motion)([Traced(right[i]) for i in range(u.numel())]))


def _rates(trace: Trace) -> dict[str, Any]:
    """Return q̇, and ṗ as the change of p(q, u, t) in the motion of forward dynamics."""
    import casadi

    from gyrostat.equations.dynamics import forward_dynamics
    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.scalar.traced import column

    motion = trace.motion
    qdot = column(coordinate_rates(motion.tree, motion.state))
    moving = casadi.vertcat(*(trace.arguments[name] for name in ("q", "u", "t")))
    along = casadi.vertcat(qdot, column(forward_dynamics(motion)), 1)
    return {"qdot": qdot, "pdot": casadi.densify(casadi.jtimes(_momenta(trace), moving, along))}


MOMENTA: dict[str, Recipe] = {
    "canonical_rates": with_momenta(Recipe(_rates)),
    "momenta": Recipe(lambda trace: {"momenta": _momenta(trace)}),
    "speeds_of_momenta": Recipe(lambda trace: {"speeds": _speeds(trace)}),
}
"""The programs of momenta, by name."""
