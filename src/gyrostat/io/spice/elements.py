"""Cards of elements: R, L, C, D, Q, M, the sources V and I, and the controlled sources E, F, G, H."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from gyrostat.io.spice.netlist import Card, CardError
from gyrostat.io.spice.scope import Scope
from gyrostat.io.spice.semiconductors import DeviceModel, bipolar, diode, field_effect
from gyrostat.io.spice.waveforms import WAVEFORMS, waveform
from gyrostat.model.elements import (
    Capacitor,
    CurrentControlledCurrentSource,
    CurrentControlledVoltageSource,
    CurrentSource,
    Inductor,
    NetworkElement,
    Resistor,
    VoltageControlledCurrentSource,
    VoltageControlledVoltageSource,
    VoltageSource,
)
from gyrostat.model.formula import Formula
from gyrostat.model.inputs.law import Law

Reader: TypeAlias = Callable[[Card, Scope, list[str]], Iterator[NetworkElement]]


def controlled_by(cards: Iterable[Card]) -> dict[str, list[str]]:
    """Return the elements F and H by the voltage source whose current controls them, in lower case."""
    found: dict[str, list[str]] = {}
    for card in cards:
        if card.words[0][:1].lower() in "fh" and len(card.words) > 3:
            found.setdefault(card.words[3].lower(), []).append(card.words[0].lower())
    return found


def _passive(card: Card, scope: Scope, notes: list[str]) -> Iterator[NetworkElement]:
    """Yield a resistor, inductor or capacitor."""
    letter = card.words[0][0].lower()
    known = {letter} if letter == "r" else {letter, "ic"}
    plain, named = _split(card, 2, f"{letter.upper()}name node node value", known)
    text = plain[2] if len(plain) > 2 else named.get(letter)
    if text is None:
        raise CardError("it has no value.", f"Write {letter.upper()}name node node value.")
    name, value = scope.element(card.words[0]), scope.value(text)
    a, b = (scope.node(one) for one in plain[:2])
    if letter == "r":
        yield Resistor(name, a, b, value)
        return
    initial = scope.value(named["ic"]) if "ic" in named else None
    yield (Inductor if letter == "l" else Capacitor)(name, a, b, value, initial)


def read_source(card: Card, scope: Scope, controls: list[str], notes: list[str]) -> Iterator[NetworkElement]:
    """Yield a voltage or current source; the elements that its current controls are in series with it."""
    plain, _ = _split(card, 2, "Vname node node value", set())
    letter, name = card.words[0][0].lower(), scope.element(card.words[0])
    a, b = (scope.node(one) for one in plain[:2])
    law = _law(plain[2:], scope, notes)
    if letter == "i":
        yield CurrentSource(name, a, b, law)
        return
    ends = [_between(scope, control) for control in controls] + [b]
    yield VoltageSource(name, a, ends[0], law)
    for control, after in zip(controls, ends[1:], strict=True):
        scope.after_control[control] = after


def _between(scope: Scope, control: str) -> str:
    """Return the node before the short circuit of an element that a current controls."""
    return scope.node(f"{control}_control")


def _law(words: tuple[str, ...], scope: Scope, notes: list[str]) -> Law:
    """Return the course of a source: a waveform where there is one, else its DC value."""
    found: Law = Formula.of(0)
    left, has_wave = list(words), False
    while left:
        word = left.pop(0)
        kind = word.lower()
        values = _values(left) if kind in ("ac", "dc") or kind in WAVEFORMS else [word]
        if kind == "ac":
            notes.append("AC amplitudes are left out: choose inputs of gs.linearize.")
        elif kind in WAVEFORMS:
            found, has_wave = waveform(kind, [scope.value(one) for one in values]), True
        elif not values:
            raise CardError("DC has no value.", "Write DC value.")
        elif not has_wave:
            found = scope.value(values[0])
        if kind == "dc":
            left[:0] = values[1:]
    return found


def _values(left: list[str]) -> list[str]:
    """Take the values before the next keyword from a list."""
    found = []
    while left and left[0].lower() not in (*WAVEFORMS, "ac", "dc"):
        found.append(left.pop(0))
    return found


def _voltage_controlled(card: Card, scope: Scope, notes: list[str]) -> Iterator[NetworkElement]:
    """Yield E or G: n+ n− nc+ nc− gain."""
    letter = card.words[0][0].lower()
    plain, _ = _split(card, 5, f"{letter.upper()}name node node control control gain", set())
    if plain[2].lower() in ("poly", "value", "table", "laplace"):
        raise CardError(f"{plain[2]} is not imported.", "Use gs.LawElement or a source with a formula in the model.")
    kind = VoltageControlledVoltageSource if letter == "e" else VoltageControlledCurrentSource
    a, b, c, d = (scope.node(one) for one in plain[:4])
    yield kind(scope.element(card.words[0]), a, b, c, d, scope.value(plain[4]))


def _current_controlled(card: Card, scope: Scope, notes: list[str]) -> Iterator[NetworkElement]:
    """Yield F or H: n+ n− Vname gain; the control is a short circuit in series with the voltage source."""
    letter = card.words[0][0].lower()
    plain, _ = _split(card, 4, f"{letter.upper()}name node node Vname gain", set())
    if plain[2].lower() == "poly":
        raise CardError("POLY is not imported.", "Use gs.LawElement or a source with a formula in the model.")
    kind = CurrentControlledCurrentSource if letter == "f" else CurrentControlledVoltageSource
    a, b = (scope.node(one) for one in plain[:2])
    control = card.words[0].lower()
    after = scope.after_control.get(control)
    if after is None:
        raise CardError(f"there is no voltage source {plain[2]!r} in its circuit.", "Name one of the same circuit.")
    yield kind(scope.element(card.words[0]), a, b, _between(scope, control), after, scope.value(plain[3]))


def _device(card: Card, scope: Scope, word: str, kinds: tuple[str, ...]) -> DeviceModel:
    device = scope.models.get(word.lower())
    if device is None or device.kind not in kinds:
        known = ", ".join(sorted(name for name, one in scope.models.items() if one.kind in kinds)) or "none"
        raise CardError(f"there is no model {word!r} for it.", f"Known models: {known}. Add a .model card.")
    return device


def _diode(card: Card, scope: Scope, notes: list[str]) -> Iterator[NetworkElement]:
    plain, named = _split(card, 3, "Dname node node model", {"area"})
    device = _device(card, scope, plain[2], ("d",))
    name = scope.element(card.words[0])
    inner = scope.node(f"{card.words[0]}_inner") if "rs" in device.values else ""
    ends = (scope.node(plain[0]), scope.node(plain[1]))
    yield from diode(name, ends, device, _area(plain[3:], named, scope), inner)


def _bipolar(card: Card, scope: Scope, notes: list[str]) -> Iterator[NetworkElement]:
    plain, named = _split(card, 4, "Qname collector base emitter model", {"area"})
    place = 3 if plain[3].lower() in scope.models or len(plain) < 5 else 4  # a fourth node is the substrate
    device = _device(card, scope, plain[place], ("npn", "pnp"))
    nodes = tuple(scope.node(one) for one in plain[:3])
    yield bipolar(scope.element(card.words[0]), nodes, device, _area(plain[place + 1 :], named, scope))


def _field_effect(card: Card, scope: Scope, notes: list[str]) -> Iterator[NetworkElement]:
    layout = {"ad", "as", "pd", "ps", "nrd", "nrs"}
    plain, named = _split(card, 5, "Mname drain gate source bulk model", {"w", "l", *layout})
    if layout & named.keys():
        notes.append("areas and perimeters of MOSFETs are left out.")
    device = _device(card, scope, plain[4], ("nmos", "pmos"))
    nodes = tuple(scope.node(one) for one in plain[:3])
    width, length = (f"({scope.value(named[one])})" if one in named else "1e-4" for one in ("w", "l"))
    yield field_effect(scope.element(card.words[0]), nodes, device, width, length)


def _area(plain: tuple[str, ...], named: dict[str, str], scope: Scope) -> str:
    """Return the factor by which a device is larger than its model."""
    text = named.get("area", plain[0] if plain and plain[0].lower() != "off" else "1")
    return f"({scope.value(text)})"


def _split(card: Card, least: int, form: str, known: set[str]) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the words and the named values of a card; too few words and unknown names are errors."""
    plain, named = card.arguments
    strange = sorted(named.keys() - known)
    if len(plain) < least:
        raise CardError("it has too few words.", f"Write {form}.")
    if strange:
        raise CardError(
            f"{strange[0]!r} is not imported.", f"Leave it out. Known: {', '.join(sorted(known)) or 'none'}."
        )
    return plain, named


READERS: dict[str, Reader] = {
    **dict.fromkeys("rlc", _passive),
    **dict.fromkeys("eg", _voltage_controlled),
    **dict.fromkeys("fh", _current_controlled),
    "d": _diode,
    "q": _bipolar,
    "m": _field_effect,
}
"""The readers of cards by the first letter."""
