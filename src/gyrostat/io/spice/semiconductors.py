"""Diodes and transistors with the parameters of their `.model` cards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from gyrostat.errors import Fault, FormulaError
from gyrostat.model.elements import MOSFET, BipolarTransistor, Diode, NetworkElement, Resistor
from gyrostat.model.formula import Formula

THERMAL_VOLTAGE: Final = 0.025864925
"""The thermal voltage k T/q at 27 °C, the temperature of SPICE (V)."""


@dataclass(frozen=True)
class DeviceModel:
    """A `.model` card: its kind (d, npn, pnp, nmos, pmos) and parameters by name."""

    name: str
    kind: str
    values: Mapping[str, Formula] = field(default_factory=dict)

    def value(self, name: str, default: float) -> str:
        """Return a parameter as part of a formula."""
        return f"({self.values[name]})" if name in self.values else repr(default)

    @property
    def unused(self) -> list[str]:
        """The parameters that have no counterpart and are left out."""
        return sorted(name for name in self.values if name not in _KNOWN_PARAMETERS[self.kind])


_BIPOLAR_PARAMETERS = frozenset(("is", "bf", "br", "nf", "nr"))
_FIELD_EFFECT_PARAMETERS = frozenset(("vto", "vt0", "kp", "lambda", "level"))
_KNOWN_PARAMETERS: Mapping[str, frozenset[str]] = {
    "d": frozenset(("is", "n", "rs")),
    **dict.fromkeys(("npn", "pnp"), _BIPOLAR_PARAMETERS),
    **dict.fromkeys(("nmos", "pmos"), _FIELD_EFFECT_PARAMETERS),
}
KINDS = tuple(_KNOWN_PARAMETERS)
"""The kinds of device models."""


def diode(name: str, nodes: tuple[str, str], model: DeviceModel, area: str, inner: str) -> Iterator[NetworkElement]:
    """Yield a diode, with its series resistance if it has one; `inner` is the node between them."""
    a, b = nodes
    if "rs" in model.values:
        yield Resistor(f"{name}_rs", a, inner, Formula.of(f"{model.value('rs', 0)}/{area}"))
        a = inner
    saturation = Formula.of(f"{model.value('is', 1e-14)}*{area}")
    yield Diode(name, a, b, saturation, Formula.of(model.value("n", 1.0)), Formula.of(THERMAL_VOLTAGE))


def bipolar(name: str, nodes: tuple[str, ...], model: DeviceModel, area: str) -> NetworkElement:
    """Return a transistor: I_ES = I_S/α_F, α_F = β_F/(1 + β_F), and likewise α_R."""
    emissions = {str(model.values[one]) for one in ("nf", "nr") if one in model.values}
    if len(emissions) > 1:
        fact = "its emission coefficients nf and nr differ."
        raise FormulaError([Fault(f"model {model.name!r}", fact, "Give the same value to both.")])
    forward, reverse = model.value("bf", 100.0), model.value("br", 1.0)
    emission = next(iter(emissions), "1")
    collector, base, emitter = nodes
    return BipolarTransistor(
        *(name, collector, base, emitter),
        Formula.of(f"{model.value('is', 1e-16)}*{area}*(1 + {forward})/{forward}"),
        Formula.of(f"{forward}/(1 + {forward})"),
        Formula.of(f"{reverse}/(1 + {reverse})"),
        Formula.of(f"({emission})*{THERMAL_VOLTAGE}"),
        polarity=model.kind,
    )


def field_effect(name: str, nodes: tuple[str, ...], model: DeviceModel, width: str, length: str) -> NetworkElement:
    """Return a MOSFET of level 1: K = KP W/L; the bulk has no effect of its own."""
    level = model.values.get("level")
    if level is not None and level.number != 1:
        fact = f"its level is {level}."
        raise FormulaError([Fault(f"model {model.name!r}", fact, "Only level 1 (Shichman and Hodges) is imported.")])
    threshold = model.value("vto" if "vto" in model.values else "vt0", 0.0)
    drain, gate, source = nodes
    return MOSFET(
        *(name, drain, gate, source),
        Formula.of(f"{model.value('kp', 2e-5)}*{width}/{length}"),
        Formula.of(threshold if model.kind == "nmos" else f"-{threshold}"),
        Formula.of(model.value("lambda", 0.0)),
        channel=model.kind[0],
    )
