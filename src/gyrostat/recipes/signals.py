"""Programs of signals: values and rates of formulas about a moving system, for events and outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gyrostat.errors import StateError
from gyrostat.kinematics.signals import check_signals, signal_readers, signal_value
from gyrostat.model.formula import Formula
from gyrostat.once import cached_property
from gyrostat.program import Program
from gyrostat.recipes.compiled import CompiledPrograms
from gyrostat.recipes.trace import Recipe, Trace


@dataclass(frozen=True, eq=False)
class SignalPrograms:
    """Native functions of named formulas; their ports are those of all programs of a system, without udot.

    `values_and_rates` has the outputs "values" and "rates", one entry for each name.
    """

    names: tuple[str, ...]
    values_and_rates: Program
    _compile_gradients: Callable[[], Program]

    @cached_property
    def gradients(self) -> Program:
        """The program of "gradients" (names × speeds), the derivatives of the rates by u: directions of impacts.

        It is compiled when it is first asked for. A formula that depends on speeds has no such direction: an error.
        """
        return self._compile_gradients()


def signal_programs(
    compiled: CompiledPrograms, formulas: Mapping[str, Formula], inputs: Mapping[str, Formula] | None = None
) -> SignalPrograms:
    """Return the programs of formulas over signals, by any names, with some of the system's inputs as formulas."""
    readers = signal_readers(compiled.coordinates)
    for name, formula in formulas.items():
        check_signals(readers, formula, repr(name))
    chosen = dict(formulas)
    values_and_rates = Recipe(lambda trace: signal_outputs(trace, chosen))
    gradients = Recipe(lambda trace: gradient_outputs(trace, chosen))
    return SignalPrograms(
        tuple(chosen),
        compiled.program("signals", values_and_rates, inputs, chosen),
        lambda: compiled.program("gradients", gradients, inputs, chosen),
    )


def signal_outputs(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return the values of formulas and their rates in the motion of forward dynamics; inputs are constant."""
    import casadi

    from gyrostat.recipes.constraints import accelerations
    from gyrostat.scalar.traced import column

    values = _values(trace, formulas)
    rates = _rates_at_constant_speeds(trace, values)
    if casadi.depends_on(values, trace.arguments["u"]):
        rates += casadi.jtimes(values, trace.arguments["u"], column(accelerations(trace)))
    return {"values": values, "rates": casadi.densify(rates)}


def gradient_outputs(trace: Trace, formulas: Mapping[str, Formula]) -> dict[str, Any]:
    """Return ∂(rate)/∂u of formulas that do not depend on speeds."""
    import casadi

    values, u = _values(trace, formulas), trace.arguments["u"]
    for row in sorted(set(casadi.jacobian_sparsity(values, u).row())):
        name = list(formulas)[row]
        raise StateError(
            f"The formula {formulas[name]!s:.60} of {name!r} depends on speeds, so that it has no direction of impact. "
            "Use positions, angles and time only."
        )
    return {"gradients": casadi.densify(casadi.jacobian(_rates_at_constant_speeds(trace, values), u))}


def _values(trace: Trace, formulas: Mapping[str, Formula]) -> Any:
    from gyrostat.scalar.traced import column

    readers = signal_readers(trace.motion.tree.coordinates)
    return column(signal_value(trace.motion, formula, readers) for formula in formulas.values())


def _rates_at_constant_speeds(trace: Trace, values: Any) -> Any:
    """Return the total time derivative of values without what changing speeds contribute."""
    import casadi

    from gyrostat.kinematics.world import coordinate_rates
    from gyrostat.scalar.traced import column

    rates = column(coordinate_rates(trace.motion.tree, trace.motion.state))
    moving = casadi.vertcat(trace.arguments["q"], trace.arguments["t"])
    return casadi.jtimes(values, moving, casadi.vertcat(rates, 1))
