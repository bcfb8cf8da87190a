"""From the cards of a netlist to a model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from gyrostat.errors import Fault, ModelError
from gyrostat.io.names import Names
from gyrostat.io.spice.elements import READERS, controlled_by, read_source
from gyrostat.io.spice.netlist import Card, CardError, Circuit
from gyrostat.io.spice.scope import GROUND, Scope
from gyrostat.io.spice.semiconductors import KINDS, DeviceModel
from gyrostat.model import Model
from gyrostat.model.elements import Datum
from gyrostat.model.names import first_few

_ANALYSES = {
    ".op": "gs.equilibrium",
    ".tran": "gs.simulate",
    ".ac": "gs.linearize(…).frequency_response",
    ".dc": "gs.sweep",
    ".step": "gs.sweep",
    ".sens": "gs.linearize(…).sensitivity",
}
"""Cards of analyses, and the calls that take their place."""

_OUTPUT_CARDS = frozenset(
    (".print", ".plot", ".probe", ".save", ".width", ".options", ".option", ".meas", ".measure", ".four", ".nodeset")
)
"""Cards that describe output or iterations."""

_REMEDIES = {
    ".include": "Copy the lines of that file into the netlist: no other file is read.",
    ".lib": "Copy the lines of that file into the netlist: no other file is read.",
    ".ic": "Give ic=… to the capacitors and inductors.",
    ".control": "Leave the block out; analyses are calls of the package.",
    "k": "Describe the transformer by gs.Transformer and inductors in the model.",
    "s": "Use gs.Switch in the model, with a condition.",
    "w": "Use gs.Switch in the model, with a condition.",
    "b": "Use gs.LawElement or a source with a formula in the model.",
    "t": "Describe the line by a ladder of inductors and capacitors.",
    "j": "Use gs.LawElement in the model.",
}
"""Remedies for cards that are refused."""

_NESTING_LIMIT = 50
_CARD_LIMIT = 200_000


class Builder:
    """Adds the elements of a circuit and its subcircuits to a model; faults and notes are collected."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self._count = 0

    def build(self, circuit: Circuit) -> None:
        """Add everything."""
        names = Names()
        names.reserve((GROUND,))
        self.model.add(Datum(GROUND))
        self._add(circuit, Scope(names))
        if names.changed:
            changed = [f"{old} is {new}" for old, new in names.changed.items()]
            self.notes.append(f"names were changed: {first_few(changed)}.")

    def _add(self, circuit: Circuit, scope: Scope) -> None:
        """Add the cards of a circuit: parameters and device models first, which may stand anywhere."""
        scope.subcircuits.update(circuit.subcircuits)
        for word, read in ((".param", self._parameters), (".model", self._device)):
            for card in circuit.cards:
                if card.words[0].lower() == word:
                    self._attempt(card, partial(read, card, scope))
        controls = controlled_by(circuit.cards)
        for card in sorted(circuit.cards, key=lambda card: card.words[0][0].lower() != "v"):  # before F and H
            self._count += 1
            if self._count > _CARD_LIMIT:
                self.faults.append(card.fault(f"the circuit has more than {_CARD_LIMIT} elements.", "Use fewer."))
                return
            self._attempt(card, partial(self._element, card, scope, controls))

    def _attempt(self, card: Card, action: Callable[[], None]) -> None:
        """Do something for a card, and note its faults with the line."""
        try:
            action()
        except CardError as error:
            self.faults.append(card.fault(error.fact, error.remedy))
        except ModelError as error:
            self.faults += [card.fault(f"{fault.item}: {fault.fact}", fault.remedy) for fault in error.faults]

    def _parameters(self, card: Card, scope: Scope) -> None:
        _, named = card.arguments
        for name, text in named.items():
            value = scope.value(text)
            self.model.set_parameter(scope.parameter(name), value.source)

    def _device(self, card: Card, scope: Scope) -> None:
        plain, named = card.arguments
        if len(plain) < 2 or plain[1].lower() not in KINDS:
            known = ", ".join(kind.upper() for kind in KINDS)
            raise CardError("its kind of device is not imported.", f"Known kinds are {known}.")
        name, kind = plain[0].lower(), plain[1].lower()
        device = DeviceModel(name, kind, {key: scope.value(text) for key, text in named.items()})
        if device.unused:
            self.notes.append(f"of model {name!r} {', '.join(device.unused)} are left out.")
        scope.models[name] = device

    def _element(self, card: Card, scope: Scope, controls: dict[str, list[str]]) -> None:
        word = card.words[0].lower()
        if word in (".param", ".model"):
            return
        if word in _ANALYSES:
            self.notes.append(f"{word} is left out: call {_ANALYSES[word]}.")
        elif word in _OUTPUT_CARDS:
            self.notes.append(f"{word} is left out.")
        elif word[0] == "x":
            self._subcircuit(card, scope)
        elif word[0] in "vi":
            for element in read_source(card, scope, controls.get(word, []), self.notes):
                self.model.add(element)
        elif word[0] in READERS:
            for element in READERS[word[0]](card, scope, self.notes):
                self.model.add(element)
        else:
            remedy = _REMEDIES.get(word) or _REMEDIES.get(word[0], "Leave it out, or describe it in the model.")
            raise CardError(f"{card.words[0]!r} is not imported.", remedy)

    def _subcircuit(self, card: Card, scope: Scope) -> None:
        plain, named = card.arguments
        *nodes, kind = [one for one in plain if one.lower() != "params:"] or [""]
        circuit = scope.subcircuits.get(kind.lower())
        if circuit is None:
            known = ", ".join(sorted(scope.subcircuits)) or "none"
            raise CardError(f"there is no subcircuit {kind!r}.", f"Known subcircuits: {known}.")
        if len(nodes) != len(circuit.nodes):
            fact = f"it has {len(nodes)} nodes, and subcircuit {kind!r} has {len(circuit.nodes)}."
            raise CardError(fact, f"Give the nodes {' '.join(circuit.nodes)}.")
        if scope.depth >= _NESTING_LIMIT:
            raise CardError(f"subcircuits are nested more than {_NESTING_LIMIT} deep.", "Is one within itself?")
        inner = scope.inner(card.words[0])
        inner.nodes = {own.lower(): scope.node(node) for own, node in zip(circuit.nodes, nodes, strict=True)}
        for name, text in {**circuit.defaults, **named}.items():
            value = (scope if name in named else inner).value(text)
            self.model.set_parameter(inner.parameter(name), value.source)
        self._add(circuit, inner)
