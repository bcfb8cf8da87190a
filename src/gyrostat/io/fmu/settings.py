"""The header fmu-settings.h of an FMU: all that its C sources take from the system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum

from gyrostat.io.c_library.files import Library
from gyrostat.io.c_library.function import CFunction
from gyrostat.io.fmu.drift import Drift
from gyrostat.io.fmu.outputs import OUTPUT_FUNCTIONS
from gyrostat.io.fmu.stepping import Stepping
from gyrostat.io.state_events import Events

_ARGUMENTS = {
    "t": "(u)->t",
    "q": "(u)->y",
    "u": "(u)->y + NQ",
    "z": "(u)->y + NQ + NU",
    "parameters": "(u)->p",
    "inputs": "(u)->in",
    "modes": "(u)->mode",
    "seed_q": "(seed)",
    "seed_u": "(seed) + NQ",
    "seed_z": "(seed) + NQ + NU",
}
"""The arguments of the system's functions, of an instance u."""
_RESIDUALS = ("residuals", "speeds")
"""Outputs of the projections that tell how far the state was from the constraints."""
_RESULTS = {"projected_q": "(found)", "projected_u": "(found)", **dict.fromkeys(_RESIDUALS, "(left)")}
_RESULTS |= {"rates": "(rates)"}
_RESULTS |= {"qdot": "(d)", "udot": "(d) + NQ", "zdot": "(d) + NQ + NU", "derivatives": "(d)", "values": "(d)"}
_MACROS = {
    "rates": "UNIT_RATES(u, d)",
    "rates_along": "UNIT_ALONG(u, seed, d)",
    "rates_by_inputs": "UNIT_BY_INPUTS(u, seed, d)",
    "rates_in_time": "UNIT_IN_TIME(u, d)",
    "switches": "UNIT_SWITCHES(u, d, rates)",
    "resets": "UNIT_RESETS(u, d)",
    "outputs": "UNIT_OUTPUTS(u, d)",
    "output_rates": "UNIT_OUTPUT_RATES(u, rates)",
    "outputs_along": "UNIT_OUTPUTS_ALONG(u, seed, inputs, d)",
    "projected_coordinates": "UNIT_PROJECT_Q(u, found, left)",
    "projected_speeds": "UNIT_PROJECT_U(u, found, left)",
}


class FMUKind(Enum):
    """Use that an importing tool may make of a unit: integrate it, or let it integrate itself."""

    MODEL_EXCHANGE = "model-exchange"
    CO_SIMULATION = "co-simulation"
    BOTH = "both"

    @property
    def model_exchange(self) -> bool:
        """Whether the importing tool may integrate."""
        return self is not FMUKind.CO_SIMULATION

    @property
    def co_simulation(self) -> bool:
        """Whether the unit can integrate itself."""
        return self is not FMUKind.MODEL_EXCHANGE


@dataclass(frozen=True)
class Settings:
    """The choices of an export that its sources depend on."""

    kind: FMUKind
    events: Events
    stepping: Stepping
    drift: Drift

    @property
    def functions(self) -> tuple[str, ...]:
        """The functions of the system that the sources call."""
        stiff = ("rates_in_time",) if self.kind.co_simulation and self.stepping.stiff else ()
        switching = ("switches",) if self.events.switches else ()
        jumping = ("resets",) if self.events.jumps else ()
        return ("rates", "rates_along", "rates_by_inputs", *stiff, *switching, *jumping, *self.drift.functions)

    def header(self, library: Library, guid: str) -> str:
        """Return the header."""
        counts = {"NQ": "q", "NU": "u", "NZ": "z", "NP": "parameters", "NI": "inputs"}
        macros: dict[str, str] = {name: str(len(library.names[group])) for name, group in counts.items()}
        macros |= {
            "NO": str(len(library.outputs)),
            "UNIT_GUID": f'"{guid}"',
            "WITH_MODEL_EXCHANGE": str(int(self.kind.model_exchange)),
            "WITH_CO_SIMULATION": str(int(self.kind.co_simulation)),
            "UNIT_INITIAL(u)": f"{library.name}_initial((u)->y, (u)->y + NQ, (u)->y + NQ + NU, (u)->p)",
            **self._events(),
            **self.drift.macros(),
            **self.stepping.macros(),
        }
        listed = (*self.functions, *OUTPUT_FUNCTIONS * bool(library.outputs))
        for name, function in zip(listed, library.functions, strict=True):
            seed = "(inputs)" if name == "outputs_along" else "(seed)"
            macros[_MACROS[name]] = _call(function, {**_ARGUMENTS, "seed_inputs": seed})
        lines = [f"#define {name} {text}" for name, text in macros.items()]
        note = "/* What the sources of the unit take from the system. */"
        guard = ("#ifndef FMU_SETTINGS_HEADER", "#define FMU_SETTINGS_HEADER", "")
        return "\n".join(
            [note, *guard, f'#include "{library.name}.h"', "", "#include <stddef.h>", "", *lines, "#endif", ""]
        )

    def _events(self) -> Mapping[str, str]:
        switches, jumps = self.events.switches, self.events.jumps
        return {
            "N_SWITCHES": str(len(switches)),
            "SWITCH_WHOLE": _list(str(int(switch.whole)) for switch in switches),
            "SWITCH_AT_ZERO": _list(repr(switch.at_zero) for switch in switches),
            "N_RESETS": str(len(jumps)),
            "RESET_PLACES": _list(f"NQ + NU + {jump.place}" for jump in jumps),
            "RESET_SWITCHES": _list(str(jump.switch) for jump in jumps),
            "RESET_MODES": _list(repr(jump.mode) for jump in jumps),
        }


def _call(function: CFunction, arguments: Mapping[str, str]) -> str:
    given = [arguments[port.name] for port in function.graph.inputs]
    found = [_RESULTS[port.name] for port in function.graph.outputs]
    return f"{function.name}({', '.join([*given, *found])})"


def _list(items: Iterable[str]) -> str:
    return "{" + ", ".join(items) + "}"
