"""Recipes of programs: the outputs of each native program of a system, formed on the traced engine.

The table of recipes, the records and the compiled programs are read without CasADi. The names below are imported when
they are first used: most of their modules import CasADi.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gyrostat.lazy import names_from

if TYPE_CHECKING:
    from gyrostat.recipes.canonical import canonical_signals
    from gyrostat.recipes.carriers import CarrierDerivatives, carrier_derivatives, carrier_motion
    from gyrostat.recipes.constraints import constraints_of, named_rows, trivial_rows
    from gyrostat.recipes.contacts import contact_program
    from gyrostat.recipes.dynamics import symmetric_sx
    from gyrostat.recipes.equation_terms import equations_function
    from gyrostat.recipes.rapid_signals import RapidPrograms, rapid_programs
    from gyrostat.recipes.signals import (
        SignalPrograms,
        linear_output_program,
        output_functions,
        output_variation_program,
        signal_programs,
        signal_value_program,
        signal_values_program,
    )
    from gyrostat.recipes.symbolic_state import begin_trace
    from gyrostat.recipes.table import RECIPES, SOFTNESS
    from gyrostat.recipes.trace import Recipe, Trace
    from gyrostat.recipes.tracing import build_function

__all__ = [
    "RECIPES",
    "SOFTNESS",
    "CarrierDerivatives",
    "RapidPrograms",
    "Recipe",
    "SignalPrograms",
    "Trace",
    "begin_trace",
    "build_function",
    "canonical_signals",
    "carrier_derivatives",
    "carrier_motion",
    "constraints_of",
    "contact_program",
    "equations_function",
    "linear_output_program",
    "named_rows",
    "output_functions",
    "output_variation_program",
    "rapid_programs",
    "signal_programs",
    "signal_value_program",
    "signal_values_program",
    "symmetric_sx",
    "trivial_rows",
]

__getattr__ = names_from(
    __name__,
    {
        "canonical": ("canonical_signals",),
        "carriers": ("CarrierDerivatives", "carrier_derivatives", "carrier_motion"),
        "constraints": ("constraints_of", "named_rows", "trivial_rows"),
        "contacts": ("contact_program",),
        "dynamics": ("symmetric_sx",),
        "equation_terms": ("equations_function",),
        "rapid_signals": ("RapidPrograms", "rapid_programs"),
        "signals": (
            *("SignalPrograms", "linear_output_program", "output_functions", "output_variation_program"),
            *("signal_programs", "signal_value_program", "signal_values_program"),
        ),
        "table": ("RECIPES", "SOFTNESS"),
        "trace": ("Recipe", "Trace"),
        "symbolic_state": ("begin_trace",),
        "tracing": ("build_function",),
    },
)
